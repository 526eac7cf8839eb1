"""Ways to find the next line."""
