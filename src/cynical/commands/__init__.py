"""Commands, each in a file of its own; cli.py puts them together."""
