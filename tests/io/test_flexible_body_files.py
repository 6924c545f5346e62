"""Bodies with internal dynamics in model files: a body type defined only in a test is written and read by its fields,
as joints and loads are."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError
from freebody.io import dumps, json_schema, loads
from freebody.model.joints import JOINTS
from freebody.model.joints.flexible import NodeAttachment
from tests.mechanics.flexible_bodies import Pieces, carrier, flexible, twins

CLOSE = 1e-12
BASES = {"revolute": fb.Revolute("y"), "free": fb.Free()}


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    """Adds one line to each table."""
    JOINTS.add(Pieces)
    JOINTS.add(NodeAttachment)
    yield
    del JOINTS["pieces"], JOINTS["node"]


def accelerations(s: fb.System) -> np.ndarray:
    """u̇ at a fixed random state."""
    f = s.derive().compile("numpy")
    rng, eq = np.random.default_rng(3), f.equations
    q, u, inputs = rng.uniform(0.3, 1, len(eq.q)), rng.normal(size=len(eq.u)), rng.normal(size=len(s.inputs))
    for k, name in enumerate(eq.q):
        if name.endswith(".qw"):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return f.forward_dynamics(q, u, t=0.4, z=[state.initial for state in s.extra_states.values()], inputs=inputs)


@pytest.mark.parametrize("turning", [False, True], ids=["sliding", "turning"])
@pytest.mark.parametrize("base", BASES)
def test_round_trip_of_a_body_with_two_internal_speeds(base: str, turning: bool) -> None:
    s = flexible(BASES[base], turning)
    text = dumps(s)
    assert "type: pieces" in text and "joint: {type: node, node: p1}" in text
    again = loads(text, fb.System)
    assert again.digest() == s.digest() and dumps(again) == text
    found, referee = accelerations(again), accelerations(carrier(BASES[base], turning))
    assert np.array_equal(found, accelerations(s))
    assert np.max(np.abs(found - referee)) <= CLOSE * np.max(np.abs(referee))


RANDOM = [twins(seed)[0] for seed in range(3)]
"""Made before the tables are longer, for they draw their joints from these."""


@pytest.mark.parametrize("s", RANDOM, ids=range(3))
def test_round_trip_of_random_mechanisms(s: fb.System) -> None:
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest()
    assert np.array_equal(accelerations(again), accelerations(s))


def test_schema_contains_the_fields() -> None:
    assert '"springs"' in json_schema() and '"their stiffnesses"' in json_schema()


@pytest.mark.parametrize(("joint", "message"), [
    ("{type: pieces, places: [[0, 0, 1]], axes: [[1, 0, 0]], masses: [1]}", "b.joint: the key 'springs' is missing"),
    ("{type: pieces, places: [[0, 0]], axes: [[1, 0, 0]], masses: [1], springs: [1]}",
     "b.joint.places[0]: a list of 3 is needed, not of 2"),
    ("{type: node, node: p3}", "bodies.b.joint: body 'b' on node 'p3': 'ground' has no nodes"),
])  # fmt: skip
def test_wrong_fields_are_located(joint: str, message: str) -> None:
    with pytest.raises(FileError) as error:
        loads(f"bodies: {{b: {{joint: {joint}}}}}", fb.System)
    assert message in str(error.value)


def test_texts_may_use_internal_coordinates() -> None:
    """Also in bodies listed before it."""
    s: Any = loads(
        """
bodies:
  base: {joint: {type: revolute, damping: 1 + q.core.m1**2}, mass: 1, inertia: [1, 1, 1]}
  core:
    on: base
    joint: {type: pieces, places: [[0, 0, 1]], axes: [[1, 0, 0]], masses: [2], springs: [30]}
outputs: {stretch: 30*q.core.m1}
""",
        fb.System,
    )
    assert s.derive().q == ("base", "core.m1")
    assert loads(dumps(s), fb.System).digest() == s.digest()
