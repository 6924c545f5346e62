"""A load that is defined in this file alone has a picture, files, a digest, energies, and every formulation."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.drawing import Anchor, DrawnArrow, DrawnLoad
from freebody.model.element import Given, field
from freebody.model.kinds import Scalar, ScalarValue
from freebody.model.loads import LOADS, Load, LoadWrench, MotionView
from freebody.model.loads.base import coinciding_point
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Vector
from freebody.tree.tree import span
from tests.extending.checks import FORMULATIONS, in_files, picture
from tests.formulations.test_every_lane import agree
from tests.mechanisms.general_position import At, random_state, two_bodies


@dataclass(frozen=True, eq=False)
class Buoy(Load):
    """A point is pushed up in proportion to its depth below the ground's origin."""

    at: Given[PointValue] = field(PointField(), "point at which it acts")
    stiffness: Given[ScalarValue] = field(Scalar(), "upward force by depth", unit="N/m")
    kind: ClassVar[str] = "buoy"

    def _depth(self, motion: MotionView) -> Expr:
        ground = motion.body("ground")
        return -ground.z.dot(motion.position(ground.origin, motion.point(self.at)))

    def value(self, motion: MotionView) -> Vector:
        return motion.body("ground").z * (motion.scalar(self.stiffness) * self._depth(motion))

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        at, ground, force = motion.point(self.at), motion.body("ground"), self.value(motion)
        yield LoadWrench(at.body, at, force, None)
        yield LoadWrench(ground, coinciding_point(at, ground, motion), -force, None)

    def potential(self, motion: MotionView) -> Expr:
        depth = self._depth(motion)
        return motion.scalar(self.stiffness) * depth * depth / 2

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        return iter(())

    def drawn(self, picture: Picture) -> DrawnLoad:
        at = picture.anchor(self.at, f"buoy '{self.name}'")
        arrows = () if at is None else (DrawnArrow("force", at, self.variable),)
        return replace(super().drawn(picture), arrows=arrows)


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """The line in the table."""
    LOADS.add(Buoy)
    yield
    del LOADS["buoy"]


def system() -> fb.System:
    s = two_bodies(5)
    s.add(Buoy(s.bodies["b"].point((0.1, 0.2, 0.3)), "k"), "float")
    return s


def test_every_formulation_has_it() -> None:
    """And it has the accelerations and the energy of the force that it is."""
    s = system()
    at = At(s, *random_state(span(s.freeze()), np.random.default_rng(5)))
    agree(at, FORMULATIONS, every=True)
    other = two_bodies(5)
    point = other.bodies["b"].point((0.1, 0.2, 0.3))
    depth = -other.position(point).dot(other.ground.z)
    other.force(other.ground.z * (3.0 * depth), at=point)
    f, g = (one.derive("kane").compile("numpy") for one in (s, other))
    rates = [one.forward_dynamics(at.q, at.u, at.tau, at.t) for one in (f, g)]
    assert np.allclose(rates[0], rates[1], rtol=1e-12, atol=1e-12)
    height = f.pose(at.q, "b", at.t, (0.1, 0.2, 0.3)).p[2]
    stored = f.energies(at.q, at.u, at.t)["potential"] - g.energies(at.q, at.u, at.t)["potential"]
    assert stored == pytest.approx(3.0 * height**2 / 2)


def test_files_and_digest() -> None:
    s, other = system(), two_bodies(5)
    in_files(s, "buoy")
    assert s.digest() != other.digest()


def test_it_is_drawn_and_recorded() -> None:
    facts, _ = picture(system())
    (load,) = facts.loads
    assert load.arrows == (DrawnArrow("force", Anchor("b", (0.1, 0.2, 0.3)), "load.float"),)
    run = system().simulate([0, 0.01])
    assert run["load.float"].shape == (2, 3)
