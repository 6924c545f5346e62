"""A mass matrix that is not positive definite is never passed silently, whatever kind of run or analysis meets it."""

from typing import Any

import numpy as np

import freebody as fb


def shrinking_rotor(**joint: Any) -> fb.System:
    """A body on a hinge with the mass matrix [1 − m1², 0.6; 0.6, 1], which is not positive definite beyond m1 = 0.8: no
    body has such an inertia."""
    s, J2, F0 = fb.System("rotor", gravity=(0, 0, 0)), np.zeros((1, 1, 3, 3)), np.array([[0], [0], [0.6]])
    J2[0, 0] = -2 * np.eye(3)
    body = fb.ModalIntegrals(m=1.0, c0=[0, 0, 0], J0=np.eye(3), E=np.zeros((3, 1)), F0=F0, K=[1.0], J2=J2)
    s.body("rotor", joint=fb.Revolute("z", **joint), flexible=body, modes=1)
    return s
