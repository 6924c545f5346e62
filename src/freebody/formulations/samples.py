"""What sampled elements compute at their samples, in the graph of a derivation."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from freebody.model.accelerations import acceleration_symbol
from freebody.model.body import Reference
from freebody.model.sampled.base import (
    SEED,
    Sampled,
    SampledProgram,
    in_order,
    sample_number,
    sampled_programs,
)
from freebody.model.vectors import reaction
from freebody.names import Q, U
from freebody.scalar.expr import Expr
from freebody.scalar.random_numbers import normal
from freebody.spatial.vector import Vector
from freebody.tree.motion import Motion

if TYPE_CHECKING:
    from freebody.formulations.derivation import Derivation


def programs_of_samples(e: "Derivation") -> dict[str, list[SampledProgram]]:
    """What each sampled element of a model does, by its name, in the order in which they are sampled at one instant."""
    if not e.tree.model.sampled:
        return {}
    motion = Motion(e.tree, [acceleration_symbol(e.graph, name) for name in e.tree.layout.u])
    return {one.name: sampled_programs(one, DerivedSamples(e, one, motion)) for one in in_order(e.tree.model.sampled)}


class DerivedSamples:
    """What a sampled element may use in its samples (see ``SampleView``). ``motion`` has accelerations, in symbols of
    the model's u̇."""

    def __init__(self, e: "Derivation", element: Sampled, motion: Motion) -> None:
        self.e, self.graph, self.element, self.motion = e, e.graph, element, motion

    def scalar(self, value: Any) -> Expr:
        return self.e.tree.placed.scalar(value)

    def symbol(self, name: str) -> Expr:
        handle = self.graph.named(name)
        assert handle is not None, f"{name} is an input or a held value"
        return Expr(self.graph, handle)

    @property
    def t(self) -> Expr:
        return Expr(self.graph, self.e.tree.t)

    @property
    def gravity(self) -> Vector:
        return self.e.tree.gravity

    def joint_variable(self, name: str) -> Expr:
        for link in self.e.tree.links:
            names, body = link.body.spec.names, link.body
            variables = *zip(Q.all(names[0]), body.q, strict=True), *zip(U.all(names[1]), body.u, strict=True)
            for own, value in variables:
                if own == name:
                    return value
        for closure in self.e.tree.model.constraints.values():
            both = (*Q.all(closure.names[0]), *U.all(closure.names[1])) if closure.joint is not None else ()
            if name in both and (cut := closure.cut(self.motion)) is not None:
                return Expr(self.graph, (*cut.coordinates, *cut.speeds)[both.index(name)])
        return self.symbol(name)

    def reaction(self, name: str, kind: str) -> tuple[Vector, Reference]:
        point = self.e.tree.model.reaction_point(name, self.e.tree.placed)
        assert point is not None, f"{name} has a reaction, or its sensor was refused"
        return reaction(point.body.frame, name, kind), point.body

    @cached_property
    def number(self) -> Expr:
        """The number of the sample."""
        return sample_number(self.element, self.t)

    def normal(self, stream: str) -> Expr:
        return normal(self.symbol(SEED), self.number, f"{self.element.name}.{stream}")
