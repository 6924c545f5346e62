"""The minimal set of freedoms of arms that hold one object (Rodriguez, Jain & Kreutz 1991, section 2.3)."""

import numpy as np
import pytest

import freebody as fb


def arms(count: int, held: bool = True) -> fb.System:
    s = fb.System("arms")
    base = s.body("base", joint=fb.Free(), mass=30.0, inertia=(3, 3, 3))
    thing = s.body("object", joint=fb.Free(), mass=4.0, inertia=(0.3, 0.4, 0.5))
    for k in range(count):
        x, y = np.cos(2 * np.pi * k / count), np.sin(2 * np.pi * k / count)
        on, at = base, (0.4 * x, 0.4 * y, 0.1)
        for n, joint in enumerate((fb.Spherical(), fb.Revolute((-y, x, 0)), fb.Spherical())):
            name = f"arm{k}{n}"
            on = s.body(name, on, joint, at, mass=1.5, com=(0, 0, 0.2), inertia=(0.03, 0.03, 0.004))
            at = (0.0, 0.0, 0.4)
        if held:
            s.close(on.point(at), thing.point((0.1 * x, 0.1 * y, -0.05)), fb.Spherical(), name=f"grip{k}")
    return s


@pytest.mark.paper("003", "13")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_freedoms_are_speeds_less_equations_and_suffice_for_the_motion(count: int) -> None:
    """The rank of G is 3 for each grip; u = E u_i + c by the independent speeds, and M on their motions gives u̇."""
    s = arms(count)
    eq = s.derive("kane")
    guess = {"object.z": 1.2} | {f"arm{k}1": 0.4 for k in range(count)}
    q = eq.assemble(guess=guess).q
    f = eq.compile("numpy")
    u = f.project(0.0, [*q, *np.random.default_rng(1).normal(size=len(eq.u)) * 0.3])[len(q) :]
    G = f.constraint(q, u)["G"]
    free = len(eq.u) - np.linalg.matrix_rank(G)
    assert eq.degrees_of_freedom == free == 12 + 7 * count - 3 * count
    null = np.linalg.svd(G)[2][np.linalg.matrix_rank(G) :].T
    M, u_dot = f.mass_matrix(q), f.forward_dynamics(q, u)
    other = s.derive(solver="independent").compile("numpy").forward_dynamics(q, u)
    assert np.abs(other - u_dot).max() < 1e-8 * np.abs(u_dot).max()
    without = arms(count, held=False).derive("kane").compile("numpy").forward_dynamics(q, u)
    assert np.abs(null.T @ M @ (u_dot - without)).max() < 1e-9 * np.abs(M @ u_dot).max()
