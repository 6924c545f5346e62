"""Flexible bodies on joints that leave their frames free, whose modes take nearly all of their inertia there."""

import warnings
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import SimulationWarning
from freebody.fem.modal_data import ModalData
from freebody.io import dumps, loads
from freebody.model.joints.modal import Modal
from tests.flexible.flexible_trees import nodes_of
from tests.flexible.random_modal_data import random_modal_data
from tests.flexible.rigid_nodes import Array, mass, poincare, tilde
from tests.flexible.test_modal_data import data_of

PLANAR: dict[str, Any] = {"length": 1.0, "EI": (None, 5.0), "density": 0.5}
SPATIAL: dict[str, Any] = {
    "length": 1.0,
    "EI": (6.0, 5.0),
    "GJ": 4.0,
    "density": 0.5,
    "polar_inertia": 0.002,
    "rotary_inertia": 0.001,
    "torsion": 1,
}


def terms_up_to(order: int, f: Any, eta: Array) -> Array:
    """A polynomial of degree 4 in η without the terms of higher orders."""
    s = np.arange(-2.0, 3.0)
    coefficients = np.tensordot(np.linalg.inv(np.vander(s, increasing=True)), np.array([f(x * eta) for x in s]), 1)
    return np.asarray(coefficients[: order + 1].sum(axis=0))


def squares_mass(data: ModalData, D: Array, eta: Array) -> Array:
    """M(η) of ½ m |v_c|² + ½ ω_F·J_c ω_F + ω_F·X η̇ + ½ η̇ᵀ N η̇ with ω_F = ω + A η̇ in the order (η̇, ω, v), from M(η) of
    the integrals; Dᵀ X = 0 to first order, and J_c A + X is that of the integrals."""
    n, m = data.n, data.m

    def central(x: Array) -> Array:
        """The rows and columns of (η̇, ω) about the mass centre, which moves by P (η̇, ω, v)/m."""
        M = mass(data, x)
        return np.asarray(M[: n + 3, : n + 3] - M[: n + 3, n + 3 :] @ M[n + 3 :, : n + 3] / m)

    rest = central(0 * eta)
    J, F = (terms_up_to(k, central, eta)[n:, cut] for k, cut in ((2, np.s_[n:]), (1, np.s_[:n])))

    def along(momentum: Array) -> Array:
        """The rates about the directions D that have the same angular momentum about them."""
        return np.asarray(D @ np.linalg.solve(D.T @ rest[n:, n:] @ D, D.T @ momentum))

    A0 = along(rest[n:, :n])
    more = along(F - terms_up_to(1, lambda x: central(x)[n:, n:] @ A0, eta))
    A, X0 = A0 + more, rest[n:, :n] - rest[n:, n:] @ A0
    X = F - terms_up_to(1, lambda x: central(x)[n:, n:] @ A0, eta) - rest[n:, n:] @ more
    N = rest[:n, :n] - A0.T @ rest[n:, n:] @ A0 - A0.T @ X0 - X0.T @ A0
    turn = np.hstack([A, np.eye(3)])
    total = turn.T @ J @ turn
    total[:, :n] = total[:, :n] + turn.T @ X
    total[:n] = total[:n] + X.T @ turn
    total[:n, :n] = total[:n, :n] + N
    c = data.c0 + data.E @ eta + 0.5 * data.C @ eta @ eta
    P = np.hstack([data.E + data.C @ eta, -tilde(c), m * np.eye(3)])
    return np.asarray(np.pad(total, (0, 3)) + P.T @ P / m)


def free_body(data: ModalData, directions: Any) -> Any:
    s = fb.System("free", gravity=(0, 0, 0))
    frame = s.body("frame", joint=fb.Free())
    s.body("body", on=frame, joint=Modal(data, "full", directions))
    return s.derive("aba").compile("numpy")


@pytest.mark.parametrize("directions", [(), ((0.0, 0.6, 0.8),), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))])
@pytest.mark.parametrize("kind", ["random", "cantilever", "free"])
def test_equations_are_those_of_the_sum_of_squares(kind: str, directions: Any) -> None:
    """M, and the bias by Poincaré's equations, of data in general position; T agrees with the usual one to first order
    in η."""
    rng, n = np.random.default_rng(5), 4
    data = random_modal_data(rng, n, damping=0.0) if kind == "random" else data_of(nodes_of(rng, n, kind))
    f, D = free_body(data, directions), np.reshape(directions, (-1, 3)).T
    eta, eta_dot, w = (size * rng.normal(size=k) for size, k in ((0.2, n), (1.0, n), (1.0, 3)))
    order = [*range(6, 6 + n), *range(6)]
    names = f.equations.u
    assert names[6:] == tuple(f"body.m{k + 1}" for k in range(n))
    q, u = np.concatenate([np.eye(7)[3], eta]), np.zeros(n + 6)
    u[6:], u[:3] = eta_dot, w
    M = f.mass_matrix(q)[np.ix_(order, order)]
    expected = squares_mass(data, D, eta)
    assert np.abs(M - expected).max() < 1e-12 * np.abs(expected).max()
    assert np.abs(squares_mass(data, D, 0 * eta) - mass(data, 0 * eta)).max() < 1e-12
    small = [np.abs(squares_mass(data, D, x * eta) - mass(data, x * eta))[n:, n:].max() for x in (1e-2, 1e-3)]
    assert small[1] < 2e-3 * small[0] + 1e-13
    b = f.inverse_dynamics(q, u, np.zeros(n + 6))[order]
    wanted = poincare(lambda x: squares_mass(data, D, x), eta, eta_dot, w)
    wanted[:n] += data.K @ eta - data.preload
    assert np.abs(b - wanted).max() < 1e-11 * np.abs(wanted).max()


# Where it is taken


JOINTS = {
    "hinge": fb.Revolute("z"),
    "oblique": fb.Revolute((0.8, 0.4, 0.3)),
    "ball": fb.Spherical(),
    "free": fb.Free(),
    "universal": fb.Universal("y", "z"),
}


def directions(s: fb.System, name: str = "body") -> Any:
    return s.bodies[name].spec.modal.directions


def on_joint(joint: Any, modes: Any = 4, **more: Any) -> fb.System:
    s = fb.System("one", gravity=(0, 0, -9.81))
    beam, solid = {**SPATIAL, **more.pop("beam", {})}, more
    s.body("body", joint=joint, flexible=fb.Beam(**beam), modes=modes, **solid)
    return s


@pytest.mark.parametrize("ends", ["cantilever", "pinned", "free"])
@pytest.mark.parametrize("joint", JOINTS)
def test_mass_matrices_are_positive_up_to_slopes_of_a_third(joint: str, ends: str) -> None:
    """In random shapes, with and without torsion modes, in the frame of the root and in a floating one."""
    rng = np.random.default_rng(3)
    for torsion in (0, 2):
        for frame in ("root", "floating") if ends != "cantilever" else ("root",):
            s = on_joint(JOINTS[joint], 6, beam={"ends": ends, "frame": frame, "torsion": torsion})
            data, f = s.bodies["body"].spec.modal.data, s.derive().compile("numpy")
            for _ in range(10):
                shape = np.linalg.solve(data.K, rng.normal(size=data.n))
                q = np.array([float(name.endswith("qw")) for name in f.equations.q])
                q[-data.n :] = 0.3 * shape / np.linalg.norm(data.turns @ shape, axis=1).max()
                M = f.mass_matrix(q)
                scale = np.sqrt(np.diag(M))
                assert np.linalg.eigvalsh(M / np.outer(scale, scale))[0] > 0, (torsion, frame)


def test_bodies_with_enough_inertia_keep_the_usual_terms() -> None:
    """A joint that leaves nothing free, a rotor, a hub, displacements without terms of second order, other orders; and
    bodies on a hinge by way of bodies without mass, which do not."""
    flat = {"torsion": 0}
    hinge = fb.Revolute("z")
    assert directions(on_joint(hinge)) == ((0.0, 0.0, 1.0),)
    for joint, more in (
        (fb.Weld(), {}),
        (fb.Revolute("z", motion="0.1*t"), {}),
        (hinge, {"order": "ruthless"}),
        (hinge, {"order": "paper"}),
        (fb.Revolute("z", armature=0.1), {"beam": flat}),
        (hinge, {"beam": flat, "mass": 1.0, "inertia": (0.1,) * 3}),
    ):
        assert directions(on_joint(joint, **more)) is None, (joint, more)
    hubs = ({}, True), ({"mass": 1e-3, "inertia": (1e-4,) * 3}, True), ({"mass": 1.0, "inertia": (0.1,) * 3}, False)
    for hub, free in hubs:
        s = fb.System("hub")
        first = s.body("first", joint=fb.Revolute("y"))
        carrier = s.body("carrier", on=first, joint=hinge, **hub)
        s.body("body", on=carrier, orient=("z", 0.3), flexible=fb.Beam(**{**SPATIAL, **flat}), modes=4)
        assert (directions(s) is not None) == free, hub
    s = fb.System("parameter")
    s.parameters(rotor=0.1)
    s.body("body", joint=fb.Revolute("z", armature="rotor"), flexible=fb.Beam(**{**SPATIAL, **flat}), modes=4)
    assert directions(s) == ((0.0, 0.0, 1.0),)  # the parameter may be zero


# Motion


TIMES = np.linspace(0, 0.5, 11)


def pendulum(modes: Any, flexible: Any = None, joint: Any = None, **beam: Any) -> fb.System:
    s = fb.System("pendulum", gravity=(0, 0, -9.81))
    flexible = fb.Beam(**{**PLANAR, **beam}) if flexible is None else flexible
    body = s.body("body", joint=joint or fb.Revolute("y"), flexible=flexible, modes=modes)
    s.output("tip", s.position(body.node("tip").origin))
    return s


def chain(n: int) -> fb.System:
    """A pendulum of n rigid segments between two halves, joined by springs of stiffness EI/h."""
    s, h = fb.System("chain", gravity=(0, 0, -9.81)), 1.0 / n
    place: dict[str, Any] = {"joint": fb.Revolute("y")}
    for k in range(n + 1):
        part = h / 2 if k in (0, n) else h
        mass = PLANAR["density"] * part
        body = s.body(f"s{k}", **place, mass=mass, com=(part / 2, 0, 0), inertia=fb.rod(mass, part, "x"))
        place = {"on": body, "at": (part, 0, 0), "joint": fb.Revolute("y", stiffness=PLANAR["EI"][1] / h)}
    s.output("tip", s.position(body.point((part, 0, 0))))
    return s


def tip(s: Any, method: str = "dop853") -> Array:
    run = s.simulate(TIMES, rtol=1e-7, atol=1e-9, method=method, max_steps=200000)
    assert run.success and run.energy_error < 1e-7
    return np.asarray(run["tip"])


def test_pendulums_of_all_modes_and_frames_are_the_limit_of_rigid_segments() -> None:
    """Released horizontally, with slopes of 0.04 rad. Before, the modes of a frame at the root left too little inertia
    for the terms that were kept."""
    rough, fine = tip(chain(8)), tip(chain(16))
    limit = (4 * fine - rough) / 3
    for modes, where in (
        (4, {}),
        (8, {}),
        (8, {"ends": "pinned"}),
        (8, {"ends": "free"}),
        (8, {"ends": "pinned", "frame": "floating"}),
    ):
        assert np.abs(tip(pendulum(modes, **where)) - limit).max() < 2e-4, where
    assert np.abs(tip(pendulum(6), "radau") - limit).max() < 2e-4


def test_joints_that_hold_the_mean_of_a_free_beam_warn() -> None:
    """No section rests there: the tip of the pendulum is off by 0.6 % of its length at slopes of 0.04 rad, with any
    number of modes."""
    expected = tip(pendulum(8))
    for modes in (4, 8):
        with pytest.warns(SimulationWarning, match="frame='floating'"):
            loose = pendulum(modes, ends="free", frame="floating")
        run = loose.simulate(TIMES, rtol=1e-8, atol=1e-10)
        assert np.abs(np.asarray(run["tip"]) - expected).max() == pytest.approx(5.5e-3, rel=0.02)
    with pytest.warns(
        SimulationWarning, match=r"'body': with frame='floating' its revolute joint .*frame='root'.*'pinned'"
    ):
        on_joint(fb.Revolute("y"), beam={"ends": "free", "frame": "floating"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        on_joint(fb.Free(), beam={"ends": "free", "frame": "floating"})
        for ends, frame in (("free", "root"), ("free", "tip"), ("pinned", "floating"), ("cantilever", "floating")):
            on_joint(fb.Revolute("y"), beam={"ends": ends, "frame": frame})


def test_formulations_and_rolled_programs_agree() -> None:
    """A chain of bare beams on hinges about two axes, and a ball joint, with torsion modes."""
    s, on = fb.System("chain", gravity=(0, 0, -9.81)), None
    for k, joint in enumerate((fb.Revolute("z"), fb.Revolute((0.3, 1, 0.2)), fb.Universal("y", "z"), fb.Revolute("z"))):
        on = s.body(f"l{k}", on=on, joint=joint, orient=("x", 0.3), flexible=fb.Beam(**SPATIAL), modes=3).node("tip")
    assert all(directions(s, f"l{k}") for k in range(4))
    rng, expected = np.random.default_rng(2), None
    for formulation, options in (("kane", {}), ("crba", {}), ("aba", {}), ("poincare", {}), ("aba", {"rolled": True})):
        f = s.derive(formulation, **options).compile("numpy")
        if expected is None:
            q, u = 0.03 * rng.normal(size=len(f.equations.q)), rng.normal(size=len(f.equations.u))
        u_dot = f.forward_dynamics(q, u)
        expected = u_dot if expected is None else expected
        assert np.abs(u_dot - expected).max() < 1e-7 * np.abs(expected).max(), (formulation, options)
        assert np.abs(f.inverse_dynamics(q, u, u_dot)).max() < 1e-9 * np.abs(expected).max(), (formulation, options)


def test_bodies_from_files_have_the_same_motion(tmp_path: Any) -> None:
    """A frame with static shapes, and the same as a reduced body, from an NPZ file and from a SID file."""
    bar = {"EI": (6.0, 5.0), "GJ": 4.0, "EA": 1e4, "density": 0.5, "polar_inertia": 0.002}
    frame = fb.SpaceFrame(
        nodes={"root": (0, 0, 0), "tip": (1, 0, 0)},
        sections={"bar": bar},
        members=[["root", "tip"]],
        frame="root",
        static=["tip"],
    )
    reduced, joint = frame.reduce(6), fb.Revolute((0.2, 0.6, 0.3))
    expected = tip(pendulum(6, frame, joint))
    for name in ("part.npz", "part.SID"):
        reduced.save(tmp_path / name)
        s = pendulum(None, fb.read_reduced(tmp_path / name), joint)
        assert directions(s) is not None
        assert np.abs(tip(s) - expected).max() < 1e-5, name
    text = loads(dumps(pendulum(4)), fb.System)
    assert directions(text) == ((0.0, 1.0, 0.0),) and np.array_equal(tip(text), tip(pendulum(4)))
