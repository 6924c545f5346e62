"""Comparison of a system loaded from URDF with another library's dynamics."""

from typing import Any

import numpy as np

import freebody as fb
from tests.robots.reference_libraries import Array, Pinocchio, Referee, error


def state(system: fb.System, seed: int = 0) -> tuple[Array, Array, Array]:
    """Random q, u and u̇ with unit quaternions."""
    rng, bodies = np.random.default_rng(seed), [b for b in system.bodies.values() if b.q]
    q = [b.spec.joint.normalise(rng.uniform(-1, 1, len(b.q))) for b in bodies if b.spec is not None]
    n = sum(len(b.u) for b in bodies)
    return np.concatenate(q), rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)


def agrees(system: fb.System, referee: Referee, tight: float, seed: int = 0) -> None:
    """Compare M, inverse and forward dynamics, and the pose of every link, to ``tight`` relative; the tolerance of
    accelerations is multiplied by the condition of M."""
    asked = dict(placed(system))
    f = system.derive().compile("numpy")
    to = fb.layout(system, referee.library, model=referee.model)
    q, u, u_dot = state(system, seed)
    theirs = to.q_to(q)
    M, tau, a = referee.answers(theirs, to.v_to(q, u), to.a_to(q, u, u_dot))
    assert error(to.mass_to(q, f.mass_matrix(q)), M) < tight
    assert error(to.tau_to(q, f.inverse_dynamics(q, u, u_dot)), tau) < tight
    got = f.forward_dynamics(q, u, to.tau_from(theirs, tau))
    assert error(to.a_to(q, u, got), a) < tight * max(1.0, np.linalg.cond(M) * 1e-4)
    found = f.outputs(q, u)
    for link, keys in asked.items():
        R, p = referee.pose(link)
        assert np.abs(found[keys[0]] - p).max() < tight * 10
        assert np.abs(np.stack([found[k] for k in keys[1:]], axis=-1) - R).max() < tight * 10
    if isinstance(referee, Pinocchio):
        sums_agree(f, referee, (q, u, theirs, to.v_to(q, u)), tight)


def placed(system: fb.System) -> Any:
    """Outputs for the position and the axes of each link that is a body with its own name."""
    assert system.robot is not None
    for link in system.robot.links.values():
        body = system.bodies[link.body]
        values = {"at": system.position(body), "x": body.x, "y": body.y, "z": body.z}
        for word, value in values.items():
            system.output(f"{link.name}: {word}", value)
        yield link.name, [f"{link.name}: {word}" for word in values]


def sums_agree(f: fb.Compiled, referee: Pinocchio, at: tuple[Array, ...], tight: float) -> None:
    """Compare momenta and energies; links fixed to the ground have a potential energy here, but not in Pinocchio."""
    q, u, theirs, v = at
    linear, angular, kinetic, _ = referee.momenta_and_energies(theirs, v)
    momenta, energies = f.momenta(q, u), f.energies(q, u)
    assert error(momenta["linear"], linear) < tight and error(momenta["angular"], angular) < tight
    assert abs(energies["kinetic"] - kinetic) < tight * kinetic
