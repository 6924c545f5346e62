"""C: readable C99 for a program (``emit``), and the engine that compiles and loads it."""

from freebody.backends.c.engine import C
from freebody.backends.c.module import Source, emit

__all__ = ["C", "Source", "emit"]
