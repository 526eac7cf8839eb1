"""Scores of any lines against a fixed state."""
