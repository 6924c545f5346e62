"""The bodies of a forest by kinds, with what blocks must tell their steps: loads, efforts, prescribed motions."""

from functools import cached_property

from freebody.errors import ModelError
from freebody.formulations.rolled.cell import Cell, probe
from freebody.formulations.rolled.kinds import PATTERNS, Kind, Scalars, Shape, described, gather, laid_out, settled
from freebody.model.loads import Effort
from freebody.scalar.graph import Graph
from freebody.tree.forest import Forest, Link
from freebody.tree.motion import Motion
from freebody.tree.newton import body_wrenches


class Bodies:
    """``kinds`` of bodies, and the number ``of`` each body's."""

    def __init__(self, forest: Forest) -> None:
        self.forest, self.links = forest, forest.links
        self.graph: Graph = forest.graph
        self._probes: dict[Shape, Cell] = {}
        self.kinds = self._kinds()
        self.of = [0] * len(self.links)
        for k, kind in enumerate(self.kinds):
            for link in kind.links:
                self.of[link.index] = k

    @cached_property
    def scalars(self) -> Scalars:
        return laid_out(self.graph, self.kinds, len(self.links))

    # Shapes

    def _kinds(self) -> list[Kind]:
        told = [described(link) for link in self.links]
        patterns: dict[object, set[object]] = {}
        for joint, options, exact, _ in told:
            patterns.setdefault((joint, options), set()).add(exact)
        shapes, skewed = list[Shape](), list[bool]()
        for link, (joint, options, exact, scalars) in zip(self.links, told, strict=True):
            if exact is not None and len(patterns[joint, options]) > PATTERNS:
                exact = (None,) * 9
            skew = link.parent is not None and skewed[link.parent.index]
            given = tuple(given is not None for given in link.body.given)
            shapes.append(Shape(joint, options, exact, given, skew, *self._loads(link), *self._place(link)))
            skewed.append(self._probe(shapes[-1], len(scalars)).skewed)
        return gather(self.links, settled(shapes), [scalars for *_, scalars in told])

    def _loads(self, link: Link) -> tuple[bool, tuple[int, ...]]:
        return link.index in self.pushes, tuple(k for k in link.free if k in self.efforts.get(link.index, {}))

    def _place(self, link: Link) -> tuple[bool, bool, bool]:
        """Whether it is a root, a leaf, its parent's only child."""
        alone = link.parent is not None and self.children[link.parent.index] == 1
        return link.parent is None, not self.children[link.index], alone

    @cached_property
    def children(self) -> list[int]:
        """How many bodies hang on each."""
        count = [0] * len(self.links)
        for link in self.links:
            if link.parent is not None:
                count[link.parent.index] += 1
        return count

    def _probe(self, shape: Shape, scalars: int) -> Cell:
        if shape not in self._probes:
            self._probes[shape] = probe(shape, scalars)
        return self._probes[shape]

    def cell(self, kind: Kind) -> Cell:
        """A body of this kind, made of symbols."""
        return self._probe(kind.shape, len(kind.scalars[0]))

    # What blocks compute

    @cached_property
    def pushes(self) -> dict[int, list[int]]:
        """Torque and force of loads on links, along the body's axes at its origin, where there are any."""
        if all(isinstance(load, Effort) for load in self.forest.system.loads.values()):
            return {}
        every = {k: list(F.c) for k, F in enumerate(body_wrenches(Motion(self.forest)))}
        return {k: six for k, six in every.items() if any(x != self.graph.zero for x in six)}

    @cached_property
    def efforts(self) -> dict[int, dict[int, int]]:
        """Efforts on links, by place among the joint's speeds."""
        total: dict[int, dict[int, int]] = {}
        for load in self.forest.system.loads.values():
            if isinstance(load, Effort):
                link, k = self.forest.speeds[load.speed_name]
                own = total.setdefault(link.index, {})
                own[k] = self.graph.add(own.get(k, self.graph.zero), load.amount.handle)
        return total

    @cached_property
    def driven(self) -> dict[int, list[int]]:
        """Of links with prescribed motions: each one's value, rate and acceleration."""
        found: dict[int, list[int]] = {}
        for link in self.links:
            body = link.body
            for k, given in enumerate(body.given):
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
            if link.u and not resists[link.index]:
                raise ModelError(
                    f"joint '{body}' ({body} on {parent}): its inertia is 0, for {body} and its outboard bodies have"
                    f" neither mass nor inertia. Give {body} some, or use Weld."
                )
            if link.parent is not None:
                resists[link.parent.index] |= resists[link.index]
