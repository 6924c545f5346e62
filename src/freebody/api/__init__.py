"""What users import: the system they describe, its equations, the functions these become, and what a run leaves."""

from freebody.api.compiled import Compiled
from freebody.api.equations import Equations
from freebody.api.layouts import Layout, layout
from freebody.api.system import System, load
from freebody.api.trajectory import Trajectory

__all__ = ["Compiled", "Equations", "Layout", "System", "Trajectory", "layout", "load"]
