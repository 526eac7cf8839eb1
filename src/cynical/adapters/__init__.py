"""Integrations with other tools: one module for each, which imports the tool's package when it is imported itself."""
