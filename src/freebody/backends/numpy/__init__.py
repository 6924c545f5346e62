"""NumPy: Python source on arrays over the states (``emit``), and the engine that executes it."""

from freebody.backends.numpy.engine import NumPy, emit

__all__ = ["NumPy", "emit"]
