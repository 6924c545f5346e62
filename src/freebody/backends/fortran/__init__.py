"""Fortran 2008: a readable module for a program (``emit``)."""

from freebody.backends.fortran.language import identifier
from freebody.backends.fortran.module import FortranSource, emit

__all__ = ["FortranSource", "emit", "identifier"]
