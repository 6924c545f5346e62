"""A model with one more load: a force that pulls at any point of any of its bodies, chosen while a simulation runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, NamedTuple

from freebody.model.element import Given, field, map_expressions
from freebody.model.kinds import ListOf, Scalar, ScalarsValue, Text
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.model import Model
from freebody.model.vectors import THREE
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import Kind
from freebody.spatial.vector import Vector, components, vector


@dataclass(frozen=True, eq=False)
class Pull(Load):
    """A force along the ground's axes. ``shares`` of it act on the bodies, all at the same point ``at`` along the axes
    of each: 1 for the body that is pulled and 0 for the others."""

    bodies: Given[Sequence[str]] = field(ListOf(Text()), "bodies on which it may act")
    shares: Given[ScalarsValue] = field(ListOf(Scalar()), "share of the force on each body")
    force: Given[ScalarsValue] = field(THREE, "force along the ground's axes", unit="N")
    at: Given[ScalarsValue] = field(THREE, "point along the axes of the body", unit="m")
    kind: ClassVar[str] = "pull"

    def value(self, motion: MotionView) -> Vector:
        return vector(motion.body("ground").frame, [motion.scalar(x).handle for x in self.force])

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        g, force, at = motion.graph, self.value(motion), [motion.scalar(x).handle for x in self.at]
        for name, share in zip(self.bodies, self.shares, strict=True):
            body, part = motion.body(name), motion.scalar(share).handle
            # the force is resolved before it is multiplied: all bodies on a path share its components
            xyz = [g.mul(part, x) for x in components(force, body.frame)]
            yield LoadWrench(body, body.point(vector(body.frame, at)), vector(body.frame, xyz), None)


class PullInputs(NamedTuple):
    """The names of the inputs of a pull: the force along the ground's axes, the point along the body's axes, and the
    share of each body, in the order of the model's bodies."""

    force: Sequence[str]
    at: Sequence[str]
    shares: Sequence[str]


def with_pull(model: Model) -> tuple[Model, PullInputs]:
    """The model with a pull, and the names of its inputs, which follow those of the model."""
    g, bodies = model.graph.fork(), tuple(model.bodies)
    taken = {s.name for s in g.symbols} | {*model.loads}
    name = next(n for k in count(1) if not any(t == (n := f"pull{k}") or t.startswith(f"{n}.") for t in taken))
    names = PullInputs(
        [f"{name}.force.{c}" for c in "xyz"],
        [f"{name}.at.{c}" for c in "xyz"],
        [f"{name}.share.{k}" for k in range(len(bodies))],
    )
    symbols = {n: Expr(g, g.symbol(n, Kind.INPUT)) for part in names for n in part}
    shares, force, at = (tuple(symbols[n] for n in part) for part in (names.shares, names.force, names.at))
    pull = Pull(bodies, shares, force, at, name=name)
    gravity, inputs, states, own_bodies, loads, constraints, outputs, sampled = (
        map_expressions(part, lambda x: Expr(g, x.handle))
        for part in (
            model.gravity,
            model.inputs,
            model.states,
            model.bodies,
            model.loads,
            model.constraints,
            model.outputs,
            model.sampled,
        )
    )
    pulled = Model(
        model.name,
        g,
        gravity,
        model.parameters,
        {**inputs, **symbols},
        states,
        own_bodies,
        {**loads, name: pull},
        constraints,
        outputs,
        sampled,
    )
    return pulled.frozen(cut=False), names
