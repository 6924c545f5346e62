"""Constrained systems with known motions, for runs through the public functions."""

from fractions import Fraction
from typing import Any

import numpy as np

import freebody as fb

ROD = (Fraction(1, 12), Fraction(1, 12), 0)

# Andrews' squeezing mechanism (IVP test set): q = (β, Θ, γ, Φ, δ, Ω, ε) at the start, and at t = 0.03 s

SQUEEZER_NAMES = ("k1", "k2", "k3", "k4", "k5", "k6", "k7")
SQUEEZER_START = (
    -0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
    -0.222668390165885885, 1.23054744454982119,
)  # fmt: skip
SQUEEZER_END = (
    15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
    0.5347301163226948, 1.048080741042263,
)  # fmt: skip
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)


def squeezer() -> fb.System:
    """Seven bodies and three loops in the plane, without gravity."""
    A, B, C = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)
    s = fb.System("squeezer", gravity=(0, 0, 0))

    def body(k: int, on: Any, at: tuple[float, ...], com: tuple[float, ...]) -> Any:
        joint = fb.Revolute("z", initial=SQUEEZER_START[k - 1])
        return s.body(f"k{k}", on=on, at=at, joint=joint, mass=MASSES[k - 1], com=com, inertia=(INERTIAS[k - 1],) * 3)

    k1 = body(1, s.ground, (0, 0, 0), (0.00092, 0, 0))
    k2 = body(2, k1, (0.007, 0, 0), (-0.0115, 0, 0))
    k3 = body(3, s.ground, B, (0.01874, -0.01043, 0))
    k5 = body(5, s.ground, A, (0.02308, 0.00916, 0))
    k4 = body(4, k5, (0.04, 0, 0), (0, 0.01421 - 0.02, 0))
    k7 = body(7, s.ground, A, (0.01228, -0.00449, 0))
    k6 = body(6, k7, (0, -0.04, 0), (0.02 - 0.01421, 0, 0))
    s.spring(k3.point((0.02, -0.018, 0)), s.ground.point(C), stiffness=4530, free_length=0.07785)
    s.joint_force(k1, 0.033)
    tip = k2.point((-0.028, 0, 0))
    for name, end in {"a": k3.point((0, -0.035, 0)), "b": k4.point((0, -0.02, 0)), "c": k6.point((0.02, 0, 0))}.items():
        s.close(tip, end, joint=fb.Revolute("z"), name=name)
    return s


# One four-bar of the IFToMM benchmark A02: bars of 1 m and 1 kg, upright at the start, tips at 1 m/s

FOUR_BAR_END = (0.4783850577609715, 0.8781501787912088)
"""The position (x, z) of the crank's tip at t = 10 s, exact."""


def four_bar() -> fb.System:
    """Flat where the crank is horizontal: there the equations of the loop depend on each other."""
    s = fb.System("four-bar")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=ROD)
    coupler = s.body(
        "coupler",
        on=crank,
        at=(0, 0, 1),
        joint=fb.Revolute("y"),
        mass=1,
        com=(0.5, 0, 0),
        inertia=(0, Fraction(1, 12), Fraction(1, 12)),
    )
    rocker = s.body("rocker", at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=ROD)
    s.close(coupler.point((1, 0, 0)), rocker.point((0, 0, 1)), joint=fb.Revolute("y"), name="pin")
    return s


def parallel_bars() -> fb.System:
    """A bar that is carried by three parallel ones. Their lengths are parameters: the last equation depends on the
    others only because these are equal, and is kept."""
    s = fb.System("parallel-bars")
    bars = [
        s.body(f"bar{k}", at=(k, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=ROD) for k in range(3)
    ]
    lengths = [s.parameter(f"L{k}", 1.0) for k in range(3)]
    beam = s.body(
        "beam",
        on=bars[0],
        at=(0, 0, lengths[0]),
        joint=fb.Revolute("y"),
        mass=1,
        com=(1, 0, 0),
        inertia=(0, Fraction(1, 3), Fraction(1, 3)),
    )
    for k in (1, 2):
        s.close(beam.point((k, 0, 0)), bars[k].point((0, 0, lengths[k])), joint=fb.Revolute("y"), name=f"pin{k}")
    return s


def particle_pendulum() -> fb.System:
    """A particle in a vertical plane, 1 m from the origin; at rest on the left, where the string is horizontal."""
    s = fb.System("particle")
    rail = s.body("x", joint=fb.Prismatic("x", initial=-1.0))
    s.body("z", on=rail, joint=fb.Prismatic("z"), mass=1)
    s.constrain("q.x**2 + q.z**2 - 1", name="string", unit="m²")
    return s


def slider_crank() -> fb.System:
    """With the lengths of crank and rod as parameters, and a motor on the crank."""
    s = fb.System("slider-crank")
    r, l = s.parameters(r=0.3, l=1.0)
    motor = s.input("motor")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(r / 2, 0, 0), inertia=(0, 0.0075, 0.0075))
    rod = s.body(
        "rod", on=crank, at=(r, 0, 0), joint=fb.Revolute("y"), mass=2, com=(l / 2, 0, 0), inertia=(0, 1 / 6, 1 / 6)
    )
    slider = s.body("slider", joint=fb.Prismatic("x", initial=1.0), mass=3)
    s.close(rod.point((l, 0, 0)), slider, joint=fb.Revolute("y"), name="pin")
    s.joint_force(crank, motor)
    return s


def residuals(s: fb.System, run: fb.Trajectory) -> tuple[float, float]:
    """The largest residuals of coordinates and of speeds at the saved times."""
    e = s.derive("kane")
    f, n, m = e.compile("numpy"), len(e.q), len(e.u)
    at = f.constraint(run.x[:, :n], run.x[:, n : n + m], run.t)
    return float(np.abs(at["phi"]).max()), float(np.abs(np.einsum("kij,kj->ki", at["G"], run.x[:, n : n + m])).max())
