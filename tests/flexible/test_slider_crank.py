"""Simeon's slider-crank with a flexible connecting rod, a problem of the test set of the University of Bari for solvers
of initial value problems ("Slider Crank", Simeon 1998): its model, initial state and reference solution at 0.1 s.

The crank turns with 150 rad/s. The rod has two bending modes (sines) and two axial shapes (parabolas), with all terms
of second order but without geometric stiffening. In the published mass matrix the axial entries 8, 1, 2 are 15 times
those of the parabolas, and π is 3.1415927; both are kept here, because the reference solution has them.
"""

from typing import Any

import numpy as np
import pytest

import freebody as fb

PI = 3.1415927
CRANK, ROD, SIDE, DENSITY, MODULUS = 0.15, 0.30, 0.008, 7870.0, 2e11
MASS = DENSITY * SIDE**2 * ROD
# φ₂, x₃ and the coordinates q of the rod: the published state at 0 s and at 0.1 s; then φ̇₂, ẋ₃, q̇
START = np.array([0, 0.450016933, 0, 0, 0.103339863e-4, 0.169327969e-4])
START_RATES = np.array([-0.749957670e2, -0.268938672e-5, 0.444896105, 0.463434311e-2, -0.178591076e-5, -0.268938672e-5])
END = np.array(
    [
        -3.311734987910881e-01,
        1.697373326718410e-01,
        1.893192460247178e-04,
        2.375751865617931e-05,
        -5.323907988763734e-06,
        -8.363283141616840e-06,
    ]
)
END_RATES = np.array(
    [
        6.025346682645789e01,
        -8.753116989887888e00,
        -3.005536801092212e-02,
        -5.500488291932075e-03,
        4.978243404809343e-04,
        1.104933470696396e-03,
    ]
)
MULTIPLIERS = [-6.232893262533717e01, -1.637910131687472e02, 2.529853213732781e01]


def node(at: float) -> dict[str, Any]:
    shapes = np.zeros((3, 4))
    shapes[0, 2:] = 4 * at * (1 - at), at * (2 * at - 1)
    shapes[1, :2] = np.sin(np.pi * at), np.sin(2 * np.pi * at)
    return {"position": (at * ROD, 0, 0), "translations": shapes, "slopes": np.zeros((3, 4))}


def rod() -> fb.ModalIntegrals:
    mass = MASS * np.array([[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]])
    bending = PI**4 / 24 * (SIDE / ROD) ** 2
    K = np.array([[bending, 0, 0, 0], [0, 16 * bending, 0, 0], [0, 0, 16 / 3, -8 / 3], [0, 0, -8 / 3, 7 / 3]])
    E, F0, F1 = np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((3, 4, 4))
    J1, J2 = np.zeros((4, 3, 3)), np.zeros((4, 4, 3, 3))
    E[0, 2:], E[1, 0] = (2 / 3, 1 / 6), 2 / PI
    F0[2, :2] = ROD / PI, -ROD / (2 * PI)
    F1[2, 0, 2:], F1[2, 1, 3] = (16 / PI**3, 1 / PI - 8 / PI**3), -0.5 / PI  # u of one shape times v of the other
    F1[2] -= F1[2].T
    J1[2:, 2, 2] = 2 * ROD / 3, ROD / 3
    J2[:, :, 2, 2] = 2 * mass
    about_end = 0.0045339259
    return fb.ModalIntegrals(
        m=MASS,
        c0=(MASS * ROD / 2, 0, 0),
        J0=np.diag([1e-6, about_end, about_end]),
        E=MASS * E,
        F0=MASS * F0,
        F1=MASS * F1,
        J1=MASS * J1,
        J2=J2,
        M_ff=mass,
        K=MODULUS * SIDE**2 / ROD * K,
        nodes={"quarter": node(0.25), "middle": node(0.5), "end": node(1.0)},
    )


def slider_crank() -> fb.System:
    s = fb.System("slider-crank", gravity=(0, 0, 0))
    crank = s.body("crank", joint=fb.Revolute("z", motion="150*t"), mass=0.36, inertia=(0.002, 0.002, 0.002727))
    body = s.body("rod", on=crank, at=(CRANK, 0, 0), joint=fb.Revolute("z"), flexible=rod(), modes=4)
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=0.075552, inertia=(1e-4,) * 3)
    s.close(body.node("end"), slider, fb.Revolute("z"), name="pin")
    for name in ("quarter", "middle", "end"):
        deflection = s.deflection(body.node(name))
        s.output(f"{name} x", deflection.dot(body.x))
        s.output(f"{name} y", deflection.dot(body.y))
    s.output("torque", s.reaction_torque(crank).dot(crank.z))
    return s


def test_flexible_slider_crank_matches_the_published_solution() -> None:
    """The published initial state has nine digits, so that the solutions agree to 1e-10 m, not more."""
    s = slider_crank()
    shapes = {name: at.translations for name, at in rod().modal_data(4).nodes.items()}

    def coordinates(x: dict[str, Any]) -> np.ndarray:
        """q of the rod: amplitudes of the sines, axial displacements of middle and end."""
        first = x["middle"][1]
        return np.array([first, x["quarter"][1] - first * np.sin(np.pi / 4), x["middle"][0], x["end"][0]])

    of_modes, names = coordinates(shapes), [f"rod.m{k}" for k in range(1, 5)]
    q = {"rod": START[0], "slider": START[1], **dict(zip(names, np.linalg.solve(of_modes, START[2:]), strict=True))}
    rates = np.linalg.solve(of_modes, START_RATES[2:])
    u = {"rod": START_RATES[0] - 150, "slider": START_RATES[1], **dict(zip(names, rates, strict=True))}
    run = s.simulate([0, 0.1], q=q, u=u, rtol=1e-9, atol=1e-11)
    places = {name: np.array([run[f"{name} {axis}"][-1] for axis in "xy"]) for name in shapes}
    end = np.array([run["crank"][-1] + run["rod"][-1], run["slider"][-1], *coordinates(places)])
    assert np.abs(end - END).max() < 1e-10
    speeds = of_modes @ [run[f"u.{name}"][-1] for name in names]
    end_rates = np.array([run["u.crank"][-1] + run["u.rod"][-1], run["u.slider"][-1], *speeds])
    assert np.abs(end_rates - END_RATES).max() < 3e-7
    x, y = run["multiplier.pin.force.x"][-1], run["multiplier.pin.force.y"][-1]
    force = np.exp(1j * end[0]) * (x + 1j * y)
    assert [force.imag, -force.real, -run["torque"][-1]] == pytest.approx(MULTIPLIERS, rel=1e-5)
    assert max(run.drift) < 1e-13 and run.energy_error < 1e-9
