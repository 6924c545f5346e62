"""Loops with solutions in closed form: four-bars side by side, which are singular where they are flat; a slider-crank
that turns at constant speed; and a Stewart platform, whose actuator forces follow from Newton and Euler's equations."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ellipj

import freebody as fb

# N four-bars (IFToMM benchmark A02)

LENGTH, FOUR_BAR_STEPS = 3.0, 60
UPRIGHT, LYING = (Fraction(1, 12), Fraction(1, 12), 0), (0, Fraction(1, 12), Fraction(1, 12))


def four_bars(count: int) -> fb.System:
    """N + 1 upright bars of 1 m and 1 kg with N couplers; N + 1 freedoms in flat positions, one elsewhere."""
    s = fb.System(f"{count} four-bars")
    left = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=UPRIGHT)
    for k in range(count):
        coupler = s.body(
            f"coupler{k}", on=left, at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=LYING
        )
        left = s.body(f"rocker{k}", at=(k + 1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=UPRIGHT)
        s.close(coupler.point((1, 0, 0)), left.point((0, 0, 1)), joint=fb.Revolute("y"), name=f"pin{k}")
    return s


def crank_tip(count: int, t: float) -> tuple[float, float]:
    """(sin θ, cos θ) of θ̈ = c g sin θ, θ(0) = 0, θ̇(0) = 1: θ/2 = am(t/2 | −m), m = 4 c g."""
    m = 4 * 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    sn, cn, dn, _ = ellipj(t / 2 * math.sqrt(1 + m), m / (1 + m))
    sine, cosine = sn / dn / math.sqrt(1 + m), cn / dn
    return 2 * sine * cosine, 1 - 2 * sine**2


def test_the_closed_form_is_the_published_one() -> None:
    assert np.allclose(crank_tip(1, 10.0), (0.4783850577609715, 0.8781501787912088), atol=1e-13)


@pytest.mark.parametrize("count", [1, 10, pytest.param(40, marks=pytest.mark.long)])
def test_four_bars_pass_their_flat_positions(count: int) -> None:
    s = four_bars(count)
    u = {n: -1.0 if n.startswith("coupler") else 1.0 for n in s.bodies}
    run = s.derive("aba").simulate(LENGTH, u=u, rtol=1e-9, atol=1e-10)
    tip = np.sin(run["crank"]), np.cos(run["crank"])
    assert np.count_nonzero(np.diff(np.sign(tip[1]))) >= 2
    expected = np.array([crank_tip(count, t) for t in run.t]).T
    assert np.abs(np.array(tip) - expected).max() < 1e-7
    assert run.statistics.steps < FOUR_BAR_STEPS, run.statistics  # the same for any number of loops


# Slider-crank

CRANK, ROD, SPEED = 0.3, 1.0, 7.0


def test_a_slider_crank_at_constant_speed() -> None:
    """x = r cos θ + √(l² − r² sin² θ) with θ = ω t, and its derivatives."""
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("y", motion=f"{SPEED}*t"), mass=1, com=(0.15, 0, 0))
    rod = s.body("rod", on=crank, at=(CRANK, 0, 0), joint=fb.Revolute("y"), mass=2, com=(0.5, 0, 0), inertia=(0, 1, 1))
    slider = s.body("slider", joint=fb.Prismatic("x", initial=CRANK + ROD), mass=3)
    s.close(rod.point((ROD, 0, 0)), slider, joint=fb.Revolute("y"), name="pin")
    s.output("acceleration", "u_dot.slider")
    run = s.simulate(2.0, u={"rod": -SPEED * (1 + CRANK / ROD)}, rtol=1e-11, atol=1e-12)
    theta = SPEED * run.t
    sine, cosine = CRANK * np.sin(theta), CRANK * np.cos(theta)
    z = np.sqrt(ROD**2 - sine**2)
    z_rate = -sine * cosine * SPEED / z
    z_second = (-(cosine**2 - sine**2) * SPEED**2 - z_rate**2) / z
    assert np.abs(run["slider"] - (cosine + z)).max() < 1e-9
    assert np.abs(run["u.slider"] - (-sine * SPEED + z_rate)).max() < 1e-8
    assert np.abs(run["acceleration"] - (-cosine * SPEED**2 + z_second)).max() < 1e-7


# Stewart platform

MASS, INERTIA, CENTRE = 12.0, np.diag([0.8, 0.9, 1.5]), np.array([0.02, -0.03, 0.1])
CYLINDER, PISTON = (2.0, 0.4, 0.15), (1.5, 0.5, 0.1)
"""Mass, distance of the mass centre from the joint at this end of the leg, and moment of inertia across the leg."""

GRAVITY = np.array([0, 0, -9.81])
FEET = [np.array([1.2 * math.cos(a), 1.2 * math.sin(a), 0.0]) for a in np.radians([10, 110, 130, 230, 250, 350])]
TIPS = [np.array([0.7 * math.cos(a), 0.7 * math.sin(a), -0.05]) for a in np.radians([50, 70, 170, 190, 290, 310])]


def stewart() -> fb.System:
    """Legs of a cylinder on a universal joint and a piston, which a ball joint connects to the platform."""
    s = fb.System("Stewart platform")
    platform = s.body("platform", joint=fb.Free(), mass=MASS, com=tuple(CENTRE), inertia=tuple(np.diag(INERTIA)))
    for k, (foot, tip) in enumerate(zip(FEET, TIPS, strict=True)):
        (m, c, J), (m_p, c_p, J_p) = CYLINDER, PISTON
        low = s.body(
            f"cylinder{k}", at=tuple(foot), joint=fb.Universal("x", "y"), mass=m, com=(0, 0, c), inertia=(J, J, 0)
        )
        top = s.body(f"piston{k}", on=low, joint=fb.Prismatic("z"), mass=m_p, com=(0, 0, -c_p), inertia=(J_p, J_p, 0))
        s.close(top, platform.point(tuple(tip)), joint=fb.Spherical(), name=f"ball{k}")
    return s


def actuator_forces(R: np.ndarray, p: np.ndarray, w: np.ndarray, v: np.ndarray, alpha: np.ndarray, a: np.ndarray):
    """The six forces along the legs for a motion of the platform's origin, all vectors along the ground's axes. The
    legs by d'Alembert's principle in the position L of the tip: what is at x(L) resists by (∂x/∂L)ᵀ m (ẍ − g)."""
    columns, known = np.zeros((6, 6)), np.zeros(6)
    centre, J = R @ CENTRE, R @ INERTIA @ R.T
    known[:3] = MASS * (a + np.cross(alpha, centre) + np.cross(w, np.cross(w, centre)) - GRAVITY)
    known[3:] = J @ alpha + np.cross(w, J @ w) + np.cross(centre, known[:3])
    for k, (foot, tip) in enumerate(zip(FEET, TIPS, strict=True)):
        r = R @ tip
        L, L1 = p + r - foot, v + np.cross(w, r)
        L2 = a + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
        l = np.linalg.norm(L)
        n = L / l
        l1 = n @ L1
        n1 = (L1 - l1 * n) / l
        n2 = (L2 - (n @ L2 + l * n1 @ n1) * n - 2 * l1 * n1) / l
        across = (np.eye(3) - np.outer(n, n)) / l  # ∂n/∂L
        resisted = np.zeros(3)
        for (m, c, moment), at_tip in ((CYLINDER, False), (PISTON, True)):
            gradient = np.eye(3) - c * across if at_tip else c * across
            second = L2 - c * n2 if at_tip else c * n2
            resisted += gradient.T @ (m * (second - GRAVITY)) + across.T @ (moment * n2)
        columns[:, k] = [*n, *np.cross(r, n)]
        known += [*resisted, *np.cross(r, resisted)]
    return np.linalg.solve(columns, known)


def test_actuator_forces_of_a_stewart_platform() -> None:
    s, rng = stewart(), np.random.default_rng(3)
    e = s.derive("aba")
    f, at, to = e.compile("numpy"), {n: k for k, n in enumerate(e.q)}, {n: k for k, n in enumerate(e.u)}
    quaternion = np.array([1.0, 0.1, -0.15, 0.2]) / math.sqrt(1 + 0.01 + 0.0225 + 0.04)
    x, y, z = quaternion[1:]
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R, p = np.eye(3) + 2 * quaternion[0] * K + 2 * K @ K, np.array([0.05, -0.08, 1.3])
    q = np.zeros(len(e.q))
    q[:7] = [*p, *quaternion]
    for k, (foot, tip) in enumerate(zip(FEET, TIPS, strict=True)):
        L = p + R @ tip - foot
        n = L / np.linalg.norm(L)
        q[at[f"cylinder{k}.a1"]], q[at[f"cylinder{k}.a2"]] = math.atan2(-n[1], n[2]), math.asin(n[0])
        q[at[f"piston{k}"]] = np.linalg.norm(L)
    w, v, alpha, a = (rng.normal(size=3) for _ in range(4))
    forces = actuator_forces(R, p, w, v, alpha, a)
    rows = f.constraint(q, np.zeros(len(e.u)))
    assert np.abs(rows["phi"]).max() < 1e-14
    G, own = rows["G"], [*R.T @ w, *R.T @ v]
    u = np.concatenate([own, np.linalg.solve(G[:, 6:], -G[:, :6] @ own)])
    tau = np.zeros(len(u))
    for k, force in enumerate(forces):
        tau[to[f"piston{k}"]] = force
    rates = f.forward_dynamics(q, u, tau)
    expected = [*R.T @ alpha, *R.T @ (a - np.cross(w, v))]  # of components along the platform's axes
    assert np.abs(rates[:6] - expected).max() < 1e-9
    actuated = [f"piston{k}" for k in range(6)]
    assert np.abs(f.inverse_dynamics(q, u, rates, actuated=actuated) - tau).max() < 1e-9 * np.abs(forces).max()
