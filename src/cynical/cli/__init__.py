"""The command line: parsing of commands, and what is printed."""
