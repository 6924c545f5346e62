"""Layouts of other libraries: laws that can be tested without these libraries."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError
from freebody.io.layouts import LIBRARIES
from tests.robots import random_robots
from tests.robots.compare_dynamics import state
from tests.robots.reference_libraries import loaded

LAYOUTS = pytest.mark.parametrize("library", LIBRARIES)
EPS = 1e-13


def robot(seed: int = 1) -> fb.System:
    """A floating robot with revolute, continuous, prismatic and planar joints."""
    return loaded(random_robots.robot(seed, kinds=(*random_robots.HINGES, "planar")), floating=True)


def ball() -> fb.System:
    s = fb.System("ball")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, 1), inertia=(1, 1, 1))
    s.body("ball", on="arm", joint=fb.Spherical(), mass=1, com=(0, 0, 1), inertia=(1, 1, 1))
    s.body("nut", on="ball", joint=fb.Screw("z", 0.1), mass=1, inertia=(1, 1, 1))
    return s


@LAYOUTS
@pytest.mark.parametrize("seed", range(5))
def test_conversion_forth_and_back_is_the_identity(library: str, seed: int) -> None:
    system = robot(seed)
    to, (q, u, u_dot) = fb.layout(system, library), state(system, seed)
    theirs, v = to.q_to(q), to.v_to(q, u)
    assert theirs.shape == (to.nq,) and v.shape == (to.nv,)
    for got, wanted in (
        (to.q_from(theirs), q),
        (to.v_from(theirs, v), u),
        (to.a_from(theirs, v, to.a_to(q, u, u_dot)), u_dot),
        (to.tau_from(theirs, to.tau_to(q, u_dot)), u_dot),
    ):
        assert np.abs(got - wanted).max() < EPS


@LAYOUTS
def test_layouts_preserve_power_and_kinetic_energy(library: str) -> None:
    system = robot()
    to, f, (q, u, tau) = fb.layout(system, library), system.derive().compile("numpy"), state(system)
    v, M = to.v_to(q, u), f.mass_matrix(q)
    assert abs(v @ to.tau_to(q, tau) - u @ tau) < EPS
    assert abs(v @ to.mass_to(q, M) @ v - u @ M @ u) < EPS * (u @ M @ u)


@LAYOUTS
def test_accelerations_are_the_rates_of_velocities(library: str) -> None:
    """Compared with finite differences along a motion."""
    system, h = robot(), 1e-5
    to, f, (q, u, u_dot) = fb.layout(system, library), system.derive().compile("numpy"), state(system)
    rate = f.q_dot(q, u)
    ahead, behind = (to.v_to(q + s * rate + s * s / 2 * _bend(f, q, u, u_dot), u + s * u_dot) for s in (h, -h))
    assert np.abs((ahead - behind) / (2 * h) - to.a_to(q, u, u_dot)).max() < 1e-8


def _bend(f: fb.Compiled, q: Any, u: Any, u_dot: Any) -> Any:
    """q̈ by finite differences of q̇."""
    h = 1e-6
    rate = f.q_dot(q, u)
    return (f.q_dot(q + h * rate, u + h * u_dot) - f.q_dot(q - h * rate, u - h * u_dot)) / (2 * h)


@LAYOUTS
def test_batches_are_converted_row_by_row(library: str) -> None:
    system = robot()
    to = fb.layout(system, library)
    q, u, u_dot = (np.stack(rows) for rows in zip(*(state(system, k) for k in range(6)), strict=True))
    M = system.derive().compile("numpy").mass_matrix(q)
    got = to.q_to(q), to.v_to(q, u), to.a_to(q, u, u_dot), to.mass_to(q, M)
    back = to.q_from(got[0]), to.v_from(got[0], got[1]), to.a_from(*got[:3])
    for k in range(6):
        assert np.abs(got[0][k] - to.q_to(q[k])).max() == 0
        assert np.abs(got[1][k] - to.v_to(q[k], u[k])).max() < EPS
        assert np.abs(got[2][k] - to.a_to(q[k], u[k], u_dot[k])).max() < EPS
        assert np.abs(got[3][k] - to.mass_to(q[k], M[k])).max() < EPS * 10
        assert all(np.abs(a[k] - b[k]).max() < EPS for a, b in zip(back, (q, u, u_dot), strict=True))


def test_component_orders_of_a_free_body() -> None:
    """At a half turn about z, where every order differs."""
    system = fb.System("one")
    system.body("b", joint=fb.Free(), mass=1, inertia=(1, 2, 2))
    q, u = [1, 2, 3, 0, 0, 0, 1], [4, 5, 6, 7, 8, 9]
    expected = {
        "pinocchio": ([1, 2, 3, 0, 0, 1, 0], [7, 8, 9, 4, 5, 6]),
        "mujoco": ([1, 2, 3, 0, 0, 0, 1], [-7, -8, 9, 4, 5, 6]),
        "drake": ([0, 0, 0, 1, 1, 2, 3], [-4, -5, 6, -7, -8, 9]),
    }
    for library, (their_q, v) in expected.items():
        to = fb.layout(system, library)
        assert np.array_equal(to.q_to(q), their_q) and np.allclose(to.v_to(q, u), v, rtol=0, atol=EPS)


def test_systems_without_a_file_have_layouts() -> None:
    system = ball()
    q, u, _ = state(system)
    pinocchio, mujoco = (fb.layout(system, library) for library in ("pinocchio", "mujoco"))
    assert pinocchio.joints == mujoco.joints == ("arm", "ball", "nut")
    assert np.array_equal(pinocchio.q_to(q), q[[0, 2, 3, 4, 1, 5]]) and np.array_equal(mujoco.q_to(q), q)
    assert np.array_equal(pinocchio.v_to(q, u), u)
    assert fb.layout(system, "mujoco", order=["nut", "ball", "arm"]).joints == ("nut", "ball", "arm")
    with pytest.raises(ModelError, match="drake has no ball joint with a quaternion; use three hinges"):
        fb.layout(system, "drake")


@pytest.mark.parametrize("at", [(0, 0, 0), (0.0, 0.0, 0.0), np.zeros(3), -np.zeros(3)])
def test_free_bodies_at_the_origin_have_layouts(at: Any) -> None:
    system = fb.System()
    system.body("b", joint=fb.Free(), mass=1, inertia=(1, 2, 2), at=at)
    assert fb.layout(system, "mujoco").joints == ("b",)


def test_orders_may_list_joints_or_bodies() -> None:
    system = robot()
    names = list(fb.layout(system, "mujoco").joints)
    assert system.robot is not None and names[0] == system.robot.links[system.robot.root].body
    anything = ["root_joint", *names[:0:-1]]
    assert list(fb.layout(system, "mujoco", order=anything).joints) == [names[0], *names[:0:-1]]
    bodies = [names[0], *(system.robot.joints[n].body for n in names[1:])]
    assert list(fb.layout(system, "mujoco", order=bodies).joints) == names


def test_wrong_layouts_are_refused() -> None:
    system = robot()
    names = list(fb.layout(system, "mujoco").joints)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"order": names[:-1]}, f"name every joint once; joint '{names[-1]}' is missing"),
        ({"order": [*names, names[0]]}, "a joint is named twice"),
        ({"order": [*names[:-1], "elbow"]}, "'elbow' is not a joint here; choose from"),
        ({"model": object()}, r"object is not a model of Pinocchio, MuJoCo or Drake; give order=\[joints' names\]"),
    ]
    for options, message in cases:
        with pytest.raises(ArgumentError, match=message):
            fb.layout(system, "mujoco", **options)
    with pytest.raises(ModelError, match="there is no layout 'bullet'; choose from pinocchio, mujoco, drake"):
        fb.layout(system, "bullet")
    to = fb.layout(system, "pinocchio")
    with pytest.raises(ArgumentError, match=rf"q has {len(state(system)[0])} numbers along its last axis"):
        to.q_to([1.0])
    with pytest.raises(ArgumentError, match=rf"pinocchio's q has {to.nq} numbers"):
        to.q_from([1.0])


@pytest.mark.parametrize(("joint", "options", "library", "message"), [
    (fb.Free("123"), {}, "mujoco", "mujoco has quaternions where this has angles; leave the sequence out"),
    (fb.Revolute("z", motion="t"), {}, "drake", "its motion is prescribed, which drake does not have"),
    (fb.Planar("x"), {}, "pinocchio", "has other directions in the plane unless its normal is z"),
    (fb.Free(), {"at": (1, 0, 0)}, "mujoco", "MuJoCo describes a free body in the world's frame"),
])  # fmt: skip
def test_joints_without_counterpart_are_refused(joint: Any, options: Any, library: str, message: str) -> None:
    system = fb.System("one")
    system.body("b", joint=joint, mass=1, com=(0, 1, 0), inertia=(1, 2, 2), **options)
    with pytest.raises(ModelError, match=f"joint of 'b': .*{message}"):
        fb.layout(system, library)
