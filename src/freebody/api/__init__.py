"""What users import: the system they describe, its equations, the functions these become, and what a run leaves."""

from freebody.api.chains import (
    ChainBody,
    ChainMatrices,
    chain_inertia,
    coriolis_matrix,
    end_effector_pose,
    gravity_potential,
    poincare_function,
)
from freebody.api.compiled import Compiled
from freebody.api.equations import Equations
from freebody.api.explicit import Explicit
from freebody.api.layouts import Layout, layout
from freebody.api.matrices import Matrix
from freebody.api.system import System, load
from freebody.api.trajectory import Trajectory

__all__ = [
    "ChainBody", "ChainMatrices", "Compiled", "Equations", "Explicit", "Layout", "Matrix", "System", "Trajectory",
    "chain_inertia", "coriolis_matrix", "end_effector_pose", "gravity_potential", "layout", "load",
    "poincare_function",
]  # fmt: skip
