"""Systems used by several tests of simulations."""

from typing import Any

import numpy as np

import freebody as fb


def pendulum(**joint: Any) -> fb.System:
    """A point mass of 1 kg on a massless rod of 1 m that hangs down at q = 0."""
    s = fb.System("pendulum")
    m, l = s.parameters(m=1.0, l=1.0)
    s.body("arm", joint=fb.Revolute("y", **joint), mass=m, com=(0, 0, -l))
    return s


def double_pendulum() -> fb.System:
    s = fb.System("double pendulum")
    m, l = s.parameters(m=1.0, l=1.0)
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l))
    s.body("lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, -l))
    return s


def spinning(moments: tuple[float, float, float] = (1.0, 2.0, 3.0)) -> fb.System:
    """A free rigid body without gravity."""
    s = fb.System("free body", gravity=(0, 0, 0))
    s.body("body", joint=fb.Free(), mass=2.0, inertia=moments)
    return s


def ball() -> fb.System:
    """A falling point mass that may bounce."""
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    return s


def oscillator() -> fb.System:
    """x'' = -x, driven by an input."""
    s = fb.System("oscillator", gravity=(0, 0, 0))
    s.parameters(k=1.0)
    push = s.input("push", unit="N")
    cart = s.body("cart", joint=fb.Prismatic("x", stiffness="k"), mass=1.0)
    s.joint_force(cart, push)
    return s


PI = float(np.pi)
