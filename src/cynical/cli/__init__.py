"""What was typed, and what is said."""
