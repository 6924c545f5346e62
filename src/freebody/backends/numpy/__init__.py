"""NumPy: Python source on arrays over the states (``emit``), and the engine that executes it."""

from freebody.backends.numpy.engine import NumPy
from freebody.backends.numpy.source import emit

__all__ = ["NumPy", "emit"]
