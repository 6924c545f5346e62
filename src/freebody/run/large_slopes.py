"""Deformations that are too large for modes: slopes of flexible bodies, in runs, equilibria and linearisations"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import SimulationWarning, warn
from freebody.formulations.derivation import Derivation
from freebody.integrate.mechanics import Bending
from freebody.model.joints.modal import Modal

Array = NDArray[np.float64]
LARGE = 0.3
"""From this slope (rad) on a warning is given: displacements are known to second order in the modes, and a cantilever
with a load P at its tip is deflected too much by 4 % at a slope of 0.3, by 10, 35 and 66 % at P L²/EI = 1, 2, 3, where
the slopes of the modes are 0.5, 1 and 1.5."""


def bendings(e: Derivation) -> tuple[Bending, ...]:
    """The flexible bodies with modes."""
    indices, found = {name: k for k, name in enumerate(e.layout.q)}, list[Bending]()
    for name, spec in e.tree.model.bodies.items():
        modal = spec.modal if spec.modal is not None else spec.joint
        if isinstance(modal, Modal) and modal.data.n:
            columns = [indices[q] for q in spec.names[0][-modal.data.n :]]
            rigid = np.inf if modal.order == "ruthless" else 1.0  # its mass matrix does not depend on the modes
            sizes = rigid * np.array(modal.magnitudes, float)
            found.append(Bending(name, np.array(columns, np.intp), modal.data.turns, sizes))
    return tuple(found)


def warn_of_large_slopes(system: str, bodies: tuple[Bending, ...], x: ArrayLike, t: ArrayLike | None = None) -> None:
    """Warn of bodies that bend too much for their modes in a state, or along a run at the times ``t``."""
    states = np.atleast_2d(np.asarray(x, float))
    for body in bodies:
        slopes = body.slopes(states)
        if not len(slopes) or not np.nanmax(slopes, initial=0.0) > LARGE:
            continue
        worst = int(np.nanargmax(slopes))
        when = "" if t is None else f" at t = {np.asarray(t)[worst]:.4g} s"
        warn(
            f"{system}: '{body.body}' bends by slopes of {slopes[worst]:.2g} rad{when}, which its modes do not describe"
            f" well: from {LARGE:g} rad on deflections are too large by 4 % and more (10 % at 0.5, 35 % at 1). Divide"
            " it into several bodies in a row, each on the tip of the one before, as fb.Frame(…, static=['tip'])",
            SimulationWarning,
        )
