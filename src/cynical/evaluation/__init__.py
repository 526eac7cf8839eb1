"""Evaluation of rankings on held-out text."""
