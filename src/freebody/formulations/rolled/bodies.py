"""The bodies of a forest by kinds, with what blocks must tell their steps: loads, joint forces, prescribed motions."""

from collections.abc import Sequence
from functools import cached_property

from freebody.errors import ModelError
from freebody.formulations.rolled.cell import Cell, probe
from freebody.formulations.rolled.kinds import (
    OUTER,
    PATTERNS,
    BodyKind,
    ScalarTable,
    Shape,
    clustered,
    described,
    gather,
    laid_out,
    settled,
)
from freebody.model.loads import JointForce
from freebody.scalar.graph import Graph
from freebody.tree.forest import Forest, Link
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import body_wrenches


class BodyKinds:
    """``kinds`` of bodies, and the number ``of`` each body's."""

    def __init__(self, forest: Forest) -> None:
        self.forest, self.links = forest, forest.links
        self.graph: Graph = forest.graph
        self.clusters = clustered(forest)
        self.cluster = {link.index: cluster for cluster in self.clusters for link in cluster}
        self._probes: dict[tuple[Shape, ...], Cell] = {}
        self.shapes: list[Shape] = []
        self.kinds = self._kinds()
        self.of = [0] * len(self.links)
        for k, kind in enumerate(self.kinds):
            for first in kind.links:
                for link in self.cluster[first.index]:
                    self.of[link.index] = k

    @property
    def first(self) -> list[Link]:
        """The first links of the clusters."""
        return [cluster[0] for cluster in self.clusters]

    @cached_property
    def scalars(self) -> ScalarTable:
        return laid_out(self.graph, self.kinds, len(self.links))

    # Shapes

    def _kinds(self) -> list[BodyKind]:
        told = [described(link) for link in self.links]
        patterns: dict[object, set[object]] = {}
        for joint, options, exact, _ in told:
            patterns.setdefault((joint, options), set()).add(exact)
        shapes, skewed = dict[int, Shape](), dict[int, bool]()
        for cluster in self.clusters:
            for link in cluster:
                joint, options, exact, _ = told[link.index]
                if exact is not None and len(patterns[joint, options]) > PATTERNS:
                    exact = (None,) * 9
                inner = link.parent is not None and link.parent.index in self._numbers(cluster)
                skew = not inner and link.parent is not None and skewed[link.parent.index]
                given = tuple(given is not None for given in link.body.prescribed)
                shapes[link.index] = Shape(
                    joint, options, exact, given, skew, *self._loads(link), *self._place(link), *self._within(link)
                )
            whole, counts = (tuple(some) for some in zip(*(
                (shapes[link.index], len(told[link.index][-1])) for link in cluster
            ), strict=True))  # fmt: skip
            probed = self._probe(whole, counts)
            skewed |= {link.index: probed.is_skewed(k) for k, link in enumerate(cluster)}
        single = [len(self.cluster[k]) == 1 for k in range(len(self.links))]
        self.shapes = settled([shapes[k] for k in range(len(self.links))], single)
        return gather(self.clusters, self.shapes, [scalars for *_, scalars in told])

    def _numbers(self, cluster: Sequence[Link]) -> dict[int, int]:
        """By the index of a link, its number in its cluster."""
        return {link.index: k for k, link in enumerate(cluster)}

    def _within(self, link: Link) -> tuple[int, int]:
        """The numbers in its cluster of what it hangs on, and of what it is coupled to."""
        numbers = self._numbers(self.cluster[link.index])
        parent = OUTER if link.parent is None else numbers.get(link.parent.index, OUTER)
        coupling = link.body.coupling
        if coupling is None:
            return parent, OUTER
        return parent, next(numbers[k.index] for k in self.links if k.name == coupling.to)

    def _loads(self, link: Link) -> tuple[bool, tuple[int, ...]]:
        return link.index in self.pushes, tuple(k for k in link.free if k in self.joint_forces.get(link.index, {}))

    def _place(self, link: Link) -> tuple[bool, bool, bool]:
        """Whether it is a root, a leaf, its parent's only child; children in its own cluster do not count."""
        alone = link.parent is not None and self.children[link.parent.index] == 1
        return link.parent is None, not self.children[link.index], alone

    @cached_property
    def children(self) -> list[int]:
        """How many bodies of other clusters hang on each."""
        count = [0] * len(self.links)
        for link in self.links:
            if link.parent is not None and link.parent.index not in self._numbers(self.cluster[link.index]):
                count[link.parent.index] += 1
        return count

    def _probe(self, shapes: tuple[Shape, ...], scalars: Sequence[int]) -> Cell:
        if shapes not in self._probes:
            self._probes[shapes] = probe(shapes, scalars)
        return self._probes[shapes]

    def cell(self, kind: BodyKind) -> Cell:
        """A cluster of this kind, made of symbols."""
        return self._probe(kind.shapes, kind.counts)

    # What blocks compute

    @cached_property
    def pushes(self) -> dict[int, list[int]]:
        """Torque and force of loads on links, along the body's axes at its origin, where there are any."""
        if all(isinstance(load, JointForce) for load in self.forest.model.loads.values()):
            return {}
        every = {k: list(F.c) for k, F in enumerate(body_wrenches(Motion(self.forest)))}
        return {k: six for k, six in every.items() if any(x != self.graph.zero for x in six)}

    @cached_property
    def joint_forces(self) -> dict[int, dict[int, int]]:
        """Joint forces of loads on links, by place among the joint's speeds."""
        total: dict[int, dict[int, int]] = {}
        for link, k, force in self.forest.joint_force_loads():
            own = total.setdefault(link.index, {})
            own[k] = self.graph.add(own.get(k, self.graph.zero), force)
        return total

    @cached_property
    def driven(self) -> dict[int, list[int]]:
        """Of links with prescribed motions: each one's value, rate and acceleration."""
        found: dict[int, list[int]] = {}
        for link in self.links:
            body = link.body
            for k, given in enumerate(body.prescribed):
                if given is not None:
                    found.setdefault(link.index, []).extend((body.q[k].handle, body.u[k].handle, given.handle))
        return found

    # What must not be

    def require_inertia(self) -> None:
        """Refuse a joint on which nothing has mass or inertia."""
        resists = [False] * len(self.links)
        for link in reversed(self.links):
            recipe, body, parent = link.body.recipe, link.described.name, link.described.parent
            said = (recipe.mass, *(x for row in recipe.inertia for x in row))
            resists[link.index] |= any(s.handle != self.graph.zero for s in said) or recipe.joint.armature != 0
            resists[link.index] |= link.inside is not None
            if link.u and not resists[link.index]:
                raise ModelError(
                    f"joint '{body}' ({body} on {parent}): its inertia is 0, for {body} and its outboard bodies have"
                    f" neither mass nor inertia. Give {body} some, or use Weld."
                )
            if link.parent is not None:
                resists[link.parent.index] |= resists[link.index]
