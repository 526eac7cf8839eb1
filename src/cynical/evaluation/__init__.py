"""Is it any good? What held-out text says of a ranking."""
