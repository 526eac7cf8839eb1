"""The output: a ranking, its summary and its files."""
