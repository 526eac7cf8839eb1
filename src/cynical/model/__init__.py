"""Counts, and the formulas of the paper."""
