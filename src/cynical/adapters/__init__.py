"""What fits cynical into other tools: one module for each, which imports its package when it is imported itself."""
