"""The commands, a file each: they parse and call."""
