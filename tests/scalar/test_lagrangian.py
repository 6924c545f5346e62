"""Equations of a double pendulum derived from its Lagrangian with the graph's derivatives. Two point masses on
massless links; both angles are measured from the downward vertical."""

import numpy as np

from freebody.backends import compile
from freebody.program import Assembly, Program, count, stage
from freebody.scalar import Expr, Graph, Kind, gradient, jacobian, jvp, symbol
from freebody.scalar.expr import cos, sin


def forward_dynamics() -> Program:
    """u̇ and the total energy as functions of parameters, q and u. With L = T − V the equations are M u̇ = ∂L/∂q −
    (∂/∂q ∂L/∂u) u, M = ∂²L/∂u²."""
    g = Graph()
    m1, m2 = (symbol(g, f"m{k}", Kind.PARAMETER, f"mass {k}", "kg") for k in (1, 2))
    l1, l2 = (symbol(g, f"l{k}", Kind.PARAMETER, f"length of link {k}", "m") for k in (1, 2))
    gravity = symbol(g, "g", Kind.PARAMETER, "gravity", "m/s2")
    q = [symbol(g, f"q{k}", Kind.COORDINATE, f"angle of link {k} from straight down", "rad") for k in (1, 2)]
    u = [symbol(g, f"u{k}", Kind.SPEED, f"rate of q{k}", "rad/s") for k in (1, 2)]

    x = [l1 * sin(q[0]), l1 * sin(q[0]) + l2 * sin(q[1])]
    z = [-l1 * cos(q[0]), -l1 * cos(q[0]) - l2 * cos(q[1])]
    square = [rate(g, x[k], q, u) ** 2 + rate(g, z[k], q, u) ** 2 for k in range(2)]
    kinetic = (m1 * square[0] + m2 * square[1]) / 2
    potential = gravity * (m1 * z[0] + m2 * z[1])

    qs, us = [s.handle for s in q], [s.handle for s in u]
    momentum = gradient(g, kinetic.handle, us)
    mass = jacobian(g, momentum, us)
    pull = gradient(g, (kinetic - potential).handle, qs)
    drift = jvp(g, momentum, dict(zip(qs, us, strict=True)))
    force = [g.sub(a, b) for a, b in zip(pull, drift, strict=True)]
    for (i, j), entry in mass.items():
        g.label(entry, f"M{i + 1}{j + 1}", f"mass matrix, row {i + 1}, column {j + 1}")
    for k, f in enumerate(force):
        g.label(f, f"f{k + 1}", f"generalised force on u{k + 1}")

    a = Assembly("double_pendulum", g, {"parameters": [s.handle for s in (m1, m2, l1, l2, gravity)], "q": qs, "u": us})
    a.output("u_dot", a.solve("u_dot", {(i, j): entry for (i, j), entry in mass.items() if i >= j}, force))
    a.output("energy", (kinetic + potential).handle)
    return a.program()


def rate(g: Graph, x: Expr, q: list[Expr], u: list[Expr]) -> Expr:
    """dx/dt along q̇ = u."""
    return Expr(g, jvp(g, [x.handle], {a.handle: b.handle for a, b in zip(q, u, strict=True)})[0])


def test_double_pendulum_matches_the_published_state() -> None:
    """Masses 1, links 1, g = 9.81, from rest at (π/2, π/2), at t = 2 s; reference computed independently to 1e-11."""
    program = forward_dynamics()
    f = compile(program).bind([1, 1, 1, 1, 9.81])
    x, h = np.array([np.pi / 2, np.pi / 2, 0.0, 0.0]), 5e-4

    def x_dot(x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[2:], f(x[:2], x[2:])["u_dot"]])  # type: ignore[call-overload]

    for _ in range(4000):
        a = x_dot(x)
        b = x_dot(x + h / 2 * a)
        c = x_dot(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + x_dot(x + h * c))
    assert np.allclose(x, [-0.48297153425, -1.32404871230, 3.06528819207, 2.94927154757], atol=1e-10)
    assert count(stage(program).main).total <= 118
