"""The version, alone, so that reading it costs nothing."""

__version__ = "1.0.0rc1"
