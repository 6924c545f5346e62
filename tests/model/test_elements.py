"""Elements are defined once: a joint and a load known only to this file have all features, and the bushing's forces
match those computed by hand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FieldError, FileError
from freebody.io import dumps, loads
from freebody.model.element import Element, field, fields_of, help_text, normal_form, schema_of, split
from freebody.model.joints import JOINTS, Joint, Placement
from freebody.model.joints.axes import direction, move_along, rotation_about
from freebody.model.joints.base import scalar
from freebody.model.kinds import Constant, Direction, Scalar
from freebody.model.loads import LOADS, Bushing, Load, LoadWrench, MotionView
from freebody.model.placed import SystemScope
from freebody.model.vectors import BodyField
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector

FORMULATIONS: list[dict[str, Any]] = [
    {"formulation": "kane"}, {"formulation": "crba"}, {"formulation": "aba", "rolled": False},
    {"formulation": "aba", "rolled": True}, {"formulation": "cheapest", "search": 0}, {"formulation": "sayers"},
    {"formulation": "poincare"},
]  # fmt: skip


@dataclass(frozen=True)
class Crank(Joint):
    """A hinge with a geared coordinate."""

    axis: Any = field(Direction(), "fixed in both bodies", default="z")
    ratio: Any = field(Constant, "turn for each unit of q", default=1, unit="rad")
    kind: ClassVar[str] = "crank"
    aliases: ClassVar = ("geared hinge",)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("",)

    def place(self, parent: Frame, name: str, q: Any, u: Any) -> Placement:
        g = parent.graph
        screw = rotation_about(g, direction(parent, self.axis, "axis"), g.zero)
        return move_along(parent, name, replace(screw, angle=scalar(g, self.ratio)), q[0], u[0])


@dataclass(frozen=True, eq=False)
class Fan(Load):
    """A torque against the angular velocity."""

    on: Any = field(BodyField(), "the body that it slows")
    gain: Any = field(Scalar(), "torque for each rad/s", unit="N·m·s/rad")
    kind: ClassVar[str] = "fan"

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        yield LoadWrench(motion.body(self.on), None, None, self.value(motion))

    def value(self, motion: MotionView) -> Vector:
        return motion.angular_velocity(motion.body(self.on)) * -motion.scalar(self.gain)

    def unit(self, motion: MotionView) -> str:
        return "N·m"


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    """Adds one line to each table."""
    JOINTS.add(Crank)
    LOADS.add(Fan)
    yield
    del JOINTS["crank"], LOADS["fan"]


TEXT = """
name: fanned
parameters: {l: 0.4, k: 0.3}
bodies:
  a: {joint: {type: geared hinge, axis: y, ratio: 5*l, damping: k}, mass: 1, com: [0, 0, -l], inertia: [0.1, 0.2, 0.15]}
  b:
    {on: a, at: [0, 0, -1], joint: {type: crank, axis: [1, 2, 0]}, mass: 2, com: [0.1, 0, -l],
     inertia: [0.1, 0.2, 0.15]}
  c:
    {on: b, at: [0, 0, -1], joint: {type: crank, axis: [0, 2, 1], ratio: 0.5}, mass: 2, com: [0, 0, -l],
     inertia: [0.1, 0.1, 0.1]}
loads:
  wind: {fan: {on: b, gain: k*(1 + q.a**2)}}
"""


def fanned() -> fb.System:
    s = fb.System("fanned")
    l, k = s.parameters(l=0.4, k=0.3)
    a = s.body("a", joint=Crank("y", 5 * l, damping=k), mass=1, com=(0, 0, -l), inertia=(0.1, 0.2, 0.15))
    b = s.body("b", on=a, at=(0, 0, -1), joint=Crank((1, 2, 0)), mass=2, com=(0.1, 0, -l), inertia=(0.1, 0.2, 0.15))
    s.body("c", on=b, at=(0, 0, -1), joint=Crank((0, 2, 1), 0.5), mass=2, com=(0, 0, -l), inertia=(0.1,) * 3)
    s.add(Fan(b, "k*(1 + q.a**2)"), "wind")
    return s


def plain() -> fb.System:
    """The same system with the library's elements: hinges without gears, a torque vector."""
    s = fb.System("plain")
    l, k = s.parameters(l=0.4, k=0.3)
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0, 0, -l), inertia=(0.1, 0.2, 0.15))
    b = s.body(
        "b", on=a, at=(0, 0, -1), joint=fb.Revolute((1, 2, 0)), mass=2, com=(0.1, 0, -l), inertia=(0.1, 0.2, 0.15)
    )
    s.body("c", on=b, at=(0, 0, -1), joint=fb.Revolute((0, 2, 1)), mass=2, com=(0, 0, -l), inertia=(0.1,) * 3)
    s.torque(s.angular_velocity(b) * -(k * (1 + (a.q[0] / (5 * l)) ** 2)), on=b)
    s.joint_force(a, -k * a.u[0] / (5 * l) ** 2)
    return s


def test_python_and_files_define_the_same_system() -> None:
    wanted = fanned()
    found = loads(TEXT, fb.System)
    assert found.digest() == wanted.digest()
    text = dumps(wanted)
    assert "type: crank" in text and "fan:" in text
    assert loads(text, fb.System).digest() == wanted.digest()


@pytest.mark.parametrize("how", FORMULATIONS, ids=lambda how: " ".join(map(str, how.values())))
def test_every_formulation_gives_the_same_motion(how: dict[str, Any]) -> None:
    ratios, q, u = np.array([2.0, 1.0, 0.5]), np.array([0.2, 0.5, -0.3]), np.array([0.7, -0.4, 1.1])
    wanted = plain().derive().compile("numpy").forward_dynamics(ratios * q, ratios * u) / ratios
    found = fanned().derive(**how).compile("numpy").forward_dynamics(q, u)
    assert np.allclose(found, wanted, rtol=1e-11, atol=1e-12)


def test_bodies_that_differ_only_in_numbers_are_one_rolled_kind() -> None:
    numbers: list[Any] = []
    patterns = {split(Crank((1, x, 0), 0.5 + x), numbers) for x in (1, 2, 3)}
    assert len(patterns) == 1 and len(numbers) == 12
    (pattern,) = patterns
    assert pattern.fill(iter(numbers[:4])) == split(Crank((1, 1, 0), 1.5), []).fill(iter(numbers[:4]))
    assert split(Crank("z", 2), numbers) not in patterns


def test_listing_run_and_report_contain_the_element(tmp_path: Path) -> None:
    s = fanned()
    assert "q.b" in str(s.derive())
    run = s.simulate(0.1, q={"a": 0.2})
    assert run["load.wind"].shape[-1] == 3 and "load.wind" in run
    page = s.report(tmp_path / "page.html").read_text()
    assert "wind" in page and "fan" in page and "crank" in page


def test_field_descriptions_appear_in_errors_schema_and_help() -> None:
    for old, new, text in (
        ("ratio: 5*l", "ratoi: 5*l", "bodies.a.joint.ratoi: there is no key 'ratoi' here. Did you mean ratio?"),
        ("ratio: 5*l", "ratio: 5*q.b", "bodies.a.joint.ratio: 'q.b' is not declared"),
        ("ratio: 5*l", "ratio: 5*t", "bodies.a.joint.ratio: it may depend on numbers and parameters only, not on 5*t"),
        ("axis: y", "axis: w", "bodies.a.joint.axis: 'w' is not a direction"),
        ("on: b, gain", "on: bb, gain", "loads.wind.fan.on: 'bb' is not a body. Did you mean b"),
        ("fan: {on: b, gain: k*(1 + q.a**2)}", "fan: {on: b}", "loads.wind.fan: the key 'gain' is missing"),
    ):
        with pytest.raises(FileError) as error:
            loads(TEXT.replace(old, new), fb.System)
        assert text in str(error.value)
    assert schema_of(Crank)["properties"]["ratio"]["description"] == "turn for each unit of q (rad)"
    assert "| `ratio` | constant | rad | 1 | turn for each unit of q |" in help_text(Crank)


def test_normal_forms_are_idempotent() -> None:
    s = fanned()
    for element in [*(b.spec.joint for b in s.bodies.values()), *s.loads.values()]:
        again = normal_form(normal_form(element, SystemScope(s), late=False), SystemScope(s), late=True)
        assert {f.name: getattr(again, f.name) for f in fields_of(type(again))} == {
            f.name: getattr(element, f.name) for f in fields_of(type(element))
        }


def test_fields_without_a_kind_are_refused() -> None:
    @dataclass(frozen=True)
    class Odd(Element):
        x: int = 0

    with pytest.raises(TypeError, match=r"Odd.x: declare fields of elements with element.field"):
        fields_of(Odd)


def test_every_element_describes_its_fields() -> None:
    for family in (JOINTS, LOADS):
        for element in family.values():
            assert all(f.text or f.unit or f.derived for f in fields_of(element)), element


# Bushings

K, C = (30.0, 40.0, 50.0, 500.0, 600.0, 700.0), (0.3, 0.4, 0.5, 5.0, 6.0, 7.0)
BASE, MOUNT = np.array([0.1, 0.2, -0.1]), np.array([-0.2, 0.1, 0.3])
J = {"a": np.array([0.3, 0.4, 0.5]), "b": np.array([0.2, 0.25, 0.3])}
M = {"a": 2.0, "b": 3.0}


def mounted(stiffness: Any = K, damping: Any = C) -> fb.System:
    s = fb.System("mounted", gravity=(0, 0, 0))
    a, b = (s.body(n, joint=fb.Free(), mass=M[n], inertia=tuple(J[n])) for n in "ab")
    s.add(Bushing(a.point(tuple(BASE)), b.point(tuple(MOUNT)), stiffness, damping), "rubber")
    return s


def state(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q, u = rng.normal(size=14) * 0.3, rng.normal(size=12)
    for k in (3, 10):
        q[k] += 1.5
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, u


def rotation(x: np.ndarray) -> np.ndarray:
    w, v = x[0], x[1:]
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def by_hand(q: np.ndarray, u: np.ndarray, k: Any = K, c: Any = C) -> tuple[np.ndarray, float]:
    """u̇ and the stored energy, in axes of the ground and without the library."""
    R = {n: rotation(q[i : i + 4]) for n, i in (("a", 3), ("b", 10))}
    p = {"a": q[0:3], "b": q[7:10]}
    w = {n: R[n] @ u[i : i + 3] for n, i in (("a", 0), ("b", 6))}
    v = {n: R[n] @ u[i : i + 3] for n, i in (("a", 3), ("b", 9))}
    r = {"a": R["a"] @ BASE, "b": R["b"] @ MOUNT}
    A = R["a"]
    gap = p["b"] + r["b"] - p["a"] - r["a"]
    at = {n: v[n] + np.cross(w[n], r[n]) for n in "ab"}
    d, d_dot = A.T @ gap, A.T @ (at["b"] - at["a"] - np.cross(w["a"], gap))
    T = A.T @ R["b"]
    theta = 0.5 * np.array([T[2, 1] - T[1, 2], T[0, 2] - T[2, 0], T[1, 0] - T[0, 1]])
    spin = A.T @ (w["b"] - w["a"])
    k, c = np.array(k), np.array(c)
    m = k[:3] * theta
    turned = -0.5 * sum(np.cross(T[:, i], np.cross(m, np.eye(3)[i])) for i in range(3))
    f, n = A @ -(k[3:] * d + c[3:] * d_dot), A @ (turned - c[:3] * spin)
    force, torque = {"a": -f, "b": f}, {"a": -n - np.cross(r["a"] + gap, f), "b": n + np.cross(r["b"], f)}
    made = []
    for name, i in (("a", 0), ("b", 6)):
        wb, vb = u[i : i + 3], u[i + 3 : i + 6]
        made += [(R[name].T @ torque[name] - np.cross(wb, J[name] * wb)) / J[name]]
        made += [R[name].T @ force[name] / M[name] - np.cross(wb, vb)]
    return np.concatenate(made), float(k[:3] @ theta**2 + k[3:] @ d**2) / 2


@pytest.mark.parametrize("how", FORMULATIONS, ids=lambda how: " ".join(map(str, how.values())))
def test_bushing_matches_forces_computed_by_hand(how: dict[str, Any]) -> None:
    f = mounted().derive(**how).compile("numpy")
    for seed in range(3):
        q, u = state(seed)
        wanted, energy = by_hand(q, u)
        scale = np.abs(wanted).max()
        assert np.abs(f.forward_dynamics(q, u) - wanted).max() < 1e-12 * scale
        assert f.energies(q, u)["potential"] == pytest.approx(energy, rel=1e-12)


def test_bushing_without_damping_conserves_energy() -> None:
    s = mounted(damping=(0,) * 6)
    q, u = state()
    run = s.simulate(0.5, q=q, u=u, rtol=1e-11, atol=1e-12)
    total = np.asarray(run["energy.total"])
    stored = np.asarray(run["energy.potential"])
    assert np.ptp(total) < 1e-8 * total[0] and np.ptp(stored) > 0.1 * total[0]


def test_bushing_forces_are_the_gradient_of_its_energy() -> None:
    """n δφ + f δp = −δV for any small motion of the mount."""
    q, _ = state()
    none = np.zeros(12)
    wanted, _ = by_hand(q, none, c=(0,) * 6)
    for i in range(6):
        h, delta = 1e-6, np.zeros(12)
        delta[6 + i] = 1.0
        ends = []
        for sign in (1, -1):
            moved_q = q.copy()
            x, w = q[10:14], sign * h * delta[6:9] / 2
            moved_q[10:14] = x + np.array([-x[1:] @ w, *(x[0] * w + np.cross(x[1:], w))])
            moved_q[10:14] /= np.linalg.norm(moved_q[10:14])
            moved_q[7:10] += rotation(x) @ (sign * h * delta[9:12])
            ends.append(by_hand(moved_q, none)[1])
        inertia = np.concatenate([J["b"], np.full(3, M["b"])])
        assert -(ends[0] - ends[1]) / (2 * h) == pytest.approx(wanted[6 + i] * inertia[i], rel=1e-6, abs=1e-6)


def test_round_trip_of_a_bushing() -> None:
    text = dumps(mounted())
    assert "bushing:" in text
    assert loads(text, fb.System).digest() == mounted().digest()
    with pytest.raises(FileError, match=r"loads.rubber.bushing.stiffness: a list of 6 is needed, not of 3"):
        loads(text.replace("[30.0, 40.0, 50.0, 500.0, 600.0, 700.0]", "[1, 2, 3]"), fb.System)
    s = mounted()
    with pytest.raises(FieldError, match=r"Bushing.damping: a list of 6 is needed, not of 2"):
        s.add(Bushing(s.bodies["a"], s.ground, damping=(1, 2)), "other")
