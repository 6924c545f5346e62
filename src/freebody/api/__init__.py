"""What users import: the system they describe, its equations, the functions these become, and what a run leaves.
``chains``, ``matrix_equations``, ``layouts`` and ``matrices`` are imported where they are used."""

from freebody.api.compiled import Compiled
from freebody.api.equations import Equations
from freebody.api.system import System, load
from freebody.api.trajectory import Trajectory

__all__ = ["Compiled", "Equations", "System", "Trajectory", "load"]
