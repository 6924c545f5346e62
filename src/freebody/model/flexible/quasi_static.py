"""Modes that follow their forces quasi-statically, so that they do not limit the steps of a run.

A mode of frequency ω_r above the limit ω_c gets the added inertia ω_r²/ω_c² along its own speed, as an armature, and
damping of ratio 1/√2; its own damping is neglected. Its frequency falls to ω_r / √(1 + ω_r²/ω_c²) < ω_c with the body's
frame fixed, and with any other motion of the frame too: what moves with a mode is never less than the added inertia.
Stiffness and couplings are not changed, so static deflections are exact and momentum and power balance exactly. Below
ω_c the mode is a Butterworth filter of its static response: at ω its amplitude is off by (ω/ω_c)⁴/2, and it is delayed
by √2/ω_c.
"""

from dataclasses import replace

import numpy as np

from freebody.errors import FieldError
from freebody.model.flexible.modal_data import ModalData

DAMPING = float(np.sqrt(0.5))
"""The damping ratio of quasi-static modes."""


def with_quasi_static_modes(data: ModalData, limit: float) -> ModalData:
    """The data with all modes above ``limit`` (rad/s) quasi-static. Modes are scaled such that M_ff stays 1."""
    if not (limit > 0 and np.isfinite(limit)):
        raise FieldError(f"{limit:g} is not a frequency; give a positive number in rad/s")
    if len(data.modes) != data.n:
        raise FieldError(
            "the coordinates of this body are displacements of nodes, which have no frequencies; describe it by modes"
        )
    squares = np.diag(data.K)
    above = squares > limit**2
    mass = np.where(above, 1 + squares / limit**2, 1.0)
    K = np.diag(squares / mass)
    omega = np.sqrt(np.diag(K))
    scaled = data.in_basis(np.diag(1 / np.sqrt(mass)))
    D = np.where(above[:, None] | above, np.diag(2 * DAMPING * omega), scaled.D)
    modes = [
        replace(mode, frequency=float(w), damping=DAMPING, quasi_static=True) if s else mode
        for mode, w, s in zip(data.modes, omega, above, strict=True)
    ]
    paper = scaled.paper and replace(scaled.paper, M_ff=scaled.paper.M_ff + np.diag(1 - 1 / mass))
    return replace(scaled, M_ff=np.eye(data.n), K=K, D=D, modes=tuple(modes), paper=paper)
