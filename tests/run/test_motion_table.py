"""The table of poses: its values are the poses and residuals of the equations for every joint and constraint, its
slopes their derivatives, and following them keeps constraints closed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.results.motion_table import OPERATIONS, MotionTable
from freebody.run.display_state import DisplayState, display_state, poses_at
from freebody.run.motion_table import MovableModel, movable_model
from freebody.scalar.ops import BY_NAME
from tests.mechanisms import random_trees
from tests.mechanisms.build_system import Builder
from tests.model.test_constraint_elements import ELEMENTS, SKEW, Rows, branches
from tests.model.test_joints import CASES

Array = np.ndarray


def evaluate(table: MotionTable, q: Array) -> Array:
    """The values of all rows, as a viewer computes them."""
    values = np.zeros(len(table.op))
    for k, (op, *operands) in enumerate(zip(table.op, table.a, table.b, table.c, strict=True)):
        match OPERATIONS[op]:
            case "number":
                values[k] = table.numbers[operands[0]]
            case "input":
                values[k] = q[operands[0]]
            case name:
                rule = BY_NAME[name]
                assert rule.value is not None
                assert max(operands[: rule.arity]) < k
                values[k] = rule.value(*(float(values[i]) for i in operands[: rule.arity]))
    return values


def slopes(table: MotionTable, values: Array) -> Array:
    matrix = np.zeros((len(table.residuals), len(table.coordinates)))
    matrix[table.slopes[:, 0], table.slopes[:, 1]] = values[table.slopes[:, 2]]
    return matrix


def close(table: MotionTable, q: Array, held: int) -> Array:
    """The smallest changes, in units of the scales, of all coordinates but one that satisfy the residuals."""
    scales = np.array([c.scale for c in table.coordinates])
    scales[held] = 0.0
    for _ in range(30):
        values = evaluate(table, q)
        if np.abs(values[table.residuals]).max(initial=0.0) < 1e-11:
            break
        step = np.linalg.pinv(slopes(table, values) * scales, 1e-9) @ values[table.residuals]
        q = q - scales * step * min(1.0, 0.3 / max(float(np.abs(step).max(initial=0.0)), 0.3))
    return q


def movable(s: fb.System, **options: Any) -> tuple[DisplayState, MovableModel]:
    eq = s.derive()
    state = display_state(eq.derivation, eq.values, **options)
    return state, movable_model(state)


def start(table: MotionTable) -> Array:
    return np.array([c.initial for c in table.coordinates])


def rotations(turns: Array) -> Array:
    w, x, y, z = np.moveaxis(turns, -1, 0)
    R = [
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    ]
    return np.stack(R, axis=-1)


def test_poses_are_those_of_the_equations_for_every_joint() -> None:
    s, rng = fb.System("joints"), np.random.default_rng(2)
    s.parameter("l", 0.7)
    for k, joint in enumerate(CASES):
        on = s.bodies[f"b{k - 1}"] if k % 3 else s.ground
        s.body(f"b{k}", on=on, at=(0.1, "l", 0.2), orient=("x", "l"), joint=joint, mass=1, inertia=(1, 1, 1))
    state, (table, notes) = movable(s, parameters={"l": 0.9})
    assert table is not None and not notes
    q, f = state.q + rng.uniform(-0.5, 0.5, len(state.q)), s.derive().compile("numpy", {"l": 0.9})
    for k, c in enumerate(table.coordinates):
        assert c.low <= c.initial <= c.high and c.body in s.bodies
        if c.quaternion:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    values = evaluate(table, q)
    positions, turns = poses_at(state, np.array([state.q, q]))
    for k, body in enumerate(s.bodies):
        R, p = (np.asarray(x) for x in (f.pose(q, body).R, f.pose(q, body).p))
        assert np.allclose(values[table.poses[k]], [*R.ravel(), *p], atol=1e-12), body
        assert np.allclose([*rotations(turns)[1, k], *positions[1, k]], [*R.ravel(), *p], atol=1e-12)
    assert not len(table.residuals) and not len(table.slopes)


@pytest.mark.parametrize("seed", [0, 2])
def test_poses_are_the_recorded_ones(seed: int) -> None:
    """Of random trees with loads, motors, and prescribed motions, which stand at their value at t = 0."""
    s = Builder(random_trees.tree(seed, bodies=5), fb.System).system
    state, (table, _) = movable(s)
    assert table is not None
    run = s.simulate([0.0, 1e-3], q=state.q, inputs=dict.fromkeys(s.derive().derivation.layout.user_inputs, 0.0))
    values = evaluate(table, start(table))
    positions, turns = poses_at(state, state.q[None, :])
    for k, body in enumerate(run.about.elements):
        pose = run.recorded[f"pose.{body.name}"][0]
        assert np.allclose(values[table.poses[k, 9:]], pose[:3], atol=1e-12)
        assert np.allclose(values[table.poses[k, :9]], rotations(pose[3:]), atol=1e-12)
        assert np.allclose(positions[0, k], pose[:3], atol=1e-12) and abs(turns[0, k] @ pose[3:]) > 1 - 1e-12


CLOSING = (
    fb.Revolute("y"),
    fb.Cylindrical(SKEW),
    fb.Screw("z", 0.2),
    fb.Spherical(),
    fb.Universal("x", "y"),
    fb.Custom(("cos(s)", "2*sin(s)", "s"), [("z", "s")]),
)
KINDS = (
    "rod of changing length",
    "rod to a prescribed body",
    "skew plane",
    "skew line",
    "surface that a joint turns",
    "moving curve",
    "helix on a body",
    "disc on a body",
    "wheel with a tyre",
    "vector of positions",
    "knife edge",
)
CONSTRAINED: dict[str, Callable[[fb.System], Any]] = {name: ELEMENTS[name] for name in KINDS}
CONSTRAINED |= {f"{j.kind} closure": lambda s, j=j: s.close("a2", "b2", j) for j in CLOSING}  # type: ignore[misc]


@pytest.mark.parametrize("element", CONSTRAINED.values(), ids=list(CONSTRAINED))
def test_constraints_stay_closed(element: Callable[[fb.System], Any]) -> None:
    s = branches()
    element(s)
    state, (table, notes) = movable(s)
    assert table is not None and not notes and not state.notes
    q, n, h = start(table), len(state.q), 1e-6
    values = evaluate(table, q)
    assert np.abs(values[table.residuals]).max(initial=0.0) < 1e-9
    differences = [
        (evaluate(table, q + h * step) - evaluate(table, q - h * step))[table.residuals] / (2 * h)
        for step in np.eye(len(q))
    ]
    assert np.allclose(np.transpose(differences), slopes(table, values), atol=1e-8)
    free = [not (c.follows or c.unit == "") for c in table.coordinates]  # neither extra states nor quaternions
    held = int(np.argmax(np.abs(slopes(table, values)).max(axis=0, initial=0.0) * free))
    q[held] += 0.02
    moved, rows = close(table, q, held), Rows(s)
    handles = [*rows.tree.layout.q_handles, *rows.equations.state_corrections]
    rows.known |= {rows.tree.t: 0.0, **dict(zip(handles[n:], moved[n:].tolist(), strict=True))}
    holonomic = [phi for phi in rows.equations.residuals if phi is not None]
    assert moved[held] == q[held] and np.abs(rows.at(holonomic, moved[:n])).max(initial=0.0) < 1e-9
    assert np.abs(rows.at(holonomic, q[:n])).max(initial=0.0) > 1e-5 or not holonomic


def test_ranges_notes_and_what_has_no_slider() -> None:
    s = fb.System("ranges")
    wave = fb.callback("wave", lambda t: 0.25 + t, derivative=fb.callback("slope", lambda t: 1.0, derivative=abs))
    a = s.body("a", joint=fb.Revolute("z", limits=(-0.5, None), initial=0.2), at=(1, 0, 0), mass=1, inertia=(1, 1, 1))
    s.body("b", on=a, at=(1, 0, 0), joint=fb.Prismatic("x"), mass=1, inertia=(1, 1, 1))
    s.body("driven", joint=fb.Revolute("z", motion=fb.apply(wave, s.t)), mass=1, inertia=(1, 1, 1))
    s.body("twin", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.couple("twin", "a", 2, 0.1)
    beam = fb.Beam(length=10, EA=2.8e7, EI=(1.4e4, None), density=1.2)
    boom = s.body("boom", joint=fb.Free(), flexible=beam, modes=2)
    s.body("tip", on=boom.node("tip"), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    s.rod("a", "b", 1.2, name="latch", engaged=False)
    state, (table, notes) = movable(s)
    assert table is not None and not notes and not len(table.residuals)
    known = {c.name: c for c in table.coordinates}
    assert (known["a"].low, known["a"].high, known["a"].initial) == (-0.5, np.pi, 0.2)
    assert not {"driven", "twin"} & set(known)
    assert (known["b"].low, known["b"].high) == (-state.size, state.size) and 2 < state.size < 30
    assert [c.name for c in table.coordinates if c.quaternion] == ["boom.qw"]
    values = evaluate(table, start(table))
    for name, angle in (("driven", 0.25), ("twin", 2 * 0.2 + 0.1)):
        row = list(s.bodies).index(name)
        assert np.allclose(values[table.poses[row, [0, 3]]], [np.cos(angle), np.sin(angle)])
    bent = start(table)
    mode = [c.name for c in table.coordinates].index("boom.m1")
    bent[mode] = known["boom.m1"].high
    moves = evaluate(table, bent)[table.poses] - values[table.poses]
    names = [link.name for *_, link in state.e.tree.bodies]
    assert 0.5 < np.linalg.norm(moves[names.index("boom.tip"), 9:]) < 5  # of 10 m
    slope = fb.callback("slope", lambda x: 2 * x, derivative=lambda x: 2.0)
    track = fb.callback("track", lambda x: x**2, derivative=slope)
    s.constrain(fb.apply(track, s.bodies["b"].q[0]) - s.bodies["a"].q[0] + 0.2, name="follower")
    table, notes = movable(s)[1]
    assert table is not None and not len(table.residuals) and "'follower'" in notes[0] and "'track'" in notes[0]
    s.body("rider", joint=fb.Custom(lambda x: (x, fb.apply(track, x), 0)), mass=1, inertia=(1, 1, 1))
    table, notes = movable(s)[1]
    assert table is None and "no sliders" in notes[0] and "'track'" in notes[0]


def test_tables_of_coordinates_are_written_out() -> None:
    s = fb.System("cam")
    x, y = np.linspace(-2, 2, 7), np.random.default_rng(3).uniform(-1, 1, 7)
    cam = {method: fb.table(method, x.tolist(), y.tolist(), method) for method in ("linear", "cubic")}  # type: ignore[arg-type]
    place = fb.Custom(lambda x: (x, fb.lookup(cam["linear"], x), fb.lookup(cam["cubic"], x)), unit="m")
    s.body("a", joint=place, mass=1, inertia=(1, 1, 1))
    table, notes = movable(s)[1]
    assert table is not None and not notes
    for q in (*np.linspace(-2.3, 2.2, 41), *x):
        values = evaluate(table, np.array([q]))[table.poses[0, 9:]]
        assert np.allclose(values, [q, cam["linear"].value(q), cam["cubic"].value(q)], atol=1e-13)


def test_a_model_that_cannot_be_assembled_is_shown_as_it_is() -> None:
    s = fb.System("apart")
    s.body("a", joint=fb.Revolute("z"), at=(1, 0, 0), mass=1, inertia=(1, 1, 1))
    s.rod("a", s.ground.point((9, 0, 0)), 1.0, name="bar")
    state, (table, _) = movable(s, q={"a": 0.3})
    assert state.q.tolist() == [0.3] and "'bar'" in state.notes[0] and table is not None


def test_tables_grow_with_the_bodies_alone() -> None:
    rows = []
    for n in (20, 40):
        s = fb.System("chain")
        for k in range(n):
            on, at = (s.bodies[f"b{k - 1}"], (0, 0, "l")) if k else (s.ground, (0, 0, 0))
            s.parameter("l", 1.0) if not k else None
            s.body(f"b{k}", on=on, at=at, joint=fb.Revolute("xyz"[k % 3]), mass=1, inertia=(1, 1, 1))
        rows.append(len(movable(s)[1].table.op))  # type: ignore[union-attr]
    assert rows[1] - rows[0] <= 27 * 20


def test_coordinates_beyond_their_limits_are_named() -> None:
    s = fb.System("limited")
    arm = s.body("arm", joint=fb.Revolute("y", limits=(-0.5, 0.7)), mass=1.0, com=(1, 0, 0))
    s.body("slide", on=arm, joint=fb.Prismatic("x", limits=(0.0, 1.0)), mass=1.0)
    for values, note in (
        ({}, ()),
        ({"arm": 2.0}, ("Beyond its limits: arm.",)),
        ({"arm": -0.6, "slide": 3.0}, ("Beyond their limits: arm, slide.",)),
    ):
        _, (table, notes) = movable(s, q=values)
        assert notes == note and table is not None
        assert all(c.low <= c.initial <= c.high for c in table.coordinates)
