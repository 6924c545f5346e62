"""freebody: equations of motion, made small, readable and fast."""

__version__ = "0.1.0"
