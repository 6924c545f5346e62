"""A constraint that is defined in this file alone has a picture, files, a digest, and every formulation."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.drawing import Anchor, DrawnConstraint
from freebody.model.constraints import CONSTRAINTS, Constraint, ConstraintMotionView, ConstraintRow, RowForm
from freebody.model.element import Given, field
from freebody.model.kinds import Constant, ScalarValue
from freebody.model.loads.base import LoadWrench, coinciding_point
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue
from freebody.tree.tree import span
from tests.extending.checks import FORMULATIONS, in_files, picture
from tests.formulations.test_every_lane import agree
from tests.mechanisms.general_position import At, random_state, two_bodies


@dataclass(frozen=True, eq=False)
class Altitude(Constraint):
    """A point stays at a height above the ground. The multiplier is the upward force on its body, in N."""

    point: Given[PointValue] = field(PointField(), "point, fixed in its body")
    height: Given[ScalarValue] = field(Constant, "height above the ground's origin", default=0, unit="m")
    kind: ClassVar[str] = "altitude"

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, "ground"

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        point, ground = motion.point(self.point), motion.body("ground")
        up, below = ground.z, coinciding_point(point, ground, motion)
        residual = up.dot(motion.position(ground.origin, point)) - motion.scalar(self.height)
        wrenches = LoadWrench(point.body, point, up, None), LoadWrench(ground, below, -up, None)
        a = motion.carried_acceleration(point) - motion.carried_acceleration(below)
        return [ConstraintRow("", wrenches, residual, up.dot(a), "m")]

    def drawn(self, picture: Picture) -> DrawnConstraint:
        start = picture.anchor(self.point, f"constraint '{self.name}'")
        (height,) = picture.numbers([self.height])
        end = Anchor("ground", (0, 0, height))
        return replace(super().drawn(picture), symbol="plane", start=start, end=end, direction=(0, 0, 1))


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """The line in the table."""
    CONSTRAINTS.add(Altitude)
    yield
    del CONSTRAINTS["altitude"]


def system(constraint: Any = None) -> fb.System:
    s = two_bodies(5)
    point = s.bodies["b"].point((0.1, 0.2, 0.3))
    s.add(Altitude(point, "r") if constraint is None else constraint, "level")
    return s


def test_every_formulation_has_it() -> None:
    """And it has the accelerations of the plane that it is."""
    s = system()
    at = At(s, *random_state(span(s.freeze()), np.random.default_rng(5)))
    agree(at, FORMULATIONS, every=True)
    plane = two_bodies(5)
    plane.point_on_plane(plane.bodies["b"].point((0.1, 0.2, 0.3)), plane.ground.point((0, 0, "r")), name="level")
    rates = [one.derive("kane").compile("numpy").forward_dynamics(at.q, at.u, at.tau, at.t) for one in (s, plane)]
    assert np.allclose(rates[0], rates[1], rtol=1e-12, atol=1e-12)


def test_files_digest_and_reference() -> None:
    s = system()
    in_files(s, "altitude")
    assert s.digest() != system(Altitude(s.bodies["b"].name)).digest()


def test_it_is_drawn() -> None:
    facts, scene = picture(system())
    (drawn,) = facts.constraints
    assert drawn.symbol == "plane"
    assert drawn.start == Anchor("b", (0.1, 0.2, 0.3))
    assert drawn.end == Anchor("ground", (0, 0, 0.2))
    assert any(line.layer == "constraints" for line in scene.lines)
    assert not any("level" in note for note in scene.notes)


def test_runs_keep_it_and_arguments_are_checked() -> None:
    s = fb.System("ball")
    s.body("ball", joint=fb.Free("123"), mass=1, inertia=(1, 1, 1))
    s.add(Altitude("ball"), "level")
    run = s.simulate([0, 0.5], u={"ball.vx": 1.0})
    assert np.abs(run.poses["ball"][:, 2]).max() < 1e-8
    assert np.allclose(run["multiplier.level"], 9.81)
    with pytest.raises(fb.FreebodyError, match="highness"):
        Altitude("ball", highness=2)  # type: ignore[call-arg]
