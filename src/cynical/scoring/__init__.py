"""What any line is worth against a frozen state."""
