"""The smallest program of a quantity: candidates are built and counted, and the best is used.

A candidate says for u̇ which links condense (see ``recursive``) and which closures are exchanged (``RowForm``), and
for every quantity where the working frames lie (see ``tree.working_frames``) and which length counts as 1. The count
is that of the program that would be run; a division weighs three more, as it takes longer. The search is coordinate
descent from the tips inwards, over angles and offsets that make an entry of the geometry or of the inertia vanish;
the longest search is repeated from candidates nearby. The sums of the best program are factored (see
``program.factor``).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from typing import Any, Literal

from freebody.formulations import kane
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.model.constraints.closure import attachable
from freebody.model.model import Model
from freebody.program.count import count, operations
from freebody.program.factor import shortened
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import OPS
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import live
from freebody.spatial.vector import components
from freebody.tree.constraints import ClosureForms
from freebody.tree.independence import omitted_rows
from freebody.tree.motion import Motion
from freebody.tree.tree import Link, Tree, span
from freebody.tree.working_frames import (
    FrameOffset,
    FrameOffsets,
    Three,
    is_free,
    is_scalable,
    rounded_inertias,
    span_with_offsets,
)

Target = Literal["forward", "inverse", "mass"]
PROGRAMS: dict[Target, str] = {"forward": "forward_dynamics", "inverse": "inverse_dynamics", "mass": "mass_matrix"}
TARGETS: dict[str, Target] = {
    "state_dot": "forward", "project": "forward", **{name: target for target, name in PROGRAMS.items()},
}  # fmt: skip
EVALUATIONS = {0: 0, 1: 80, 2: 1_000, 3: 20_000}
"""Programs built by a search of each length, after the first few; a search that finds nothing more ends earlier."""

STARTS = {0: 0, 1: 0, 2: 0, 3: 24}
"""How often the search is repeated from near the best candidate."""

FINALISTS = {0: 1, 1: 1, 2: 8, 3: 32}
"""Candidates whose factored programs are compared."""

FACTORING = {0: 5_000, 1: 20_000, 2: 100_000, 3: 400_000}
"""Terms that factoring may write."""

DIVISION = 3
SMALL = 1e-12
TINY = 1e-9
Recall = Callable[[Target], "ProgramCandidate | None"]
Keep = Callable[[Target, "ProgramCandidate"], None]


@dataclass(frozen=True)
class ProgramCandidate:
    """How a program is built."""

    frame_offsets: FrameOffsets = field(default_factory=FrameOffsets)
    condensing: frozenset[str] = frozenset()
    exchanged: frozenset[str] = frozenset()
    attached: frozenset[tuple[str, str]] = frozenset()

    def formulation(self, model: Model) -> Recursive:
        tree = span_with_offsets(model, self.frame_offsets)
        forms = ClosureForms(self.exchanged, True, self.attached)
        return Recursive(tree, self.condensing, rounded_inertias(tree), self.frame_offsets.unit, forms)

    def frame_offset(self, name: str) -> FrameOffset:
        return self.frame_offsets.of.get(name, FrameOffset())

    def with_frame_offset(self, name: str, frame_offset: FrameOffset) -> "ProgramCandidate":
        return replace(
            self, frame_offsets=replace(self.frame_offsets, of={**self.frame_offsets.of, name: frame_offset})
        )

    def to_plain(self) -> dict[str, Any]:
        """Texts and numbers alone, for JSON."""
        frame_offsets = {name: [g.angle, g.shift, *g.origin] for name, g in self.frame_offsets.of.items()}
        return {
            "frame_offsets": frame_offsets,
            "unit": self.frame_offsets.unit,
            "condensing": sorted(self.condensing),
            "exchanged": sorted(self.exchanged),
            "attached": sorted(self.attached),
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "ProgramCandidate":
        frame_offsets = {name: FrameOffset(a, d, (x, y, z)) for name, (a, d, x, y, z) in plain["frame_offsets"].items()}
        return cls(
            FrameOffsets(frame_offsets, plain["unit"]),
            frozenset(plain["condensing"]),
            frozenset(plain["exchanged"]),
            frozenset((one, other) for one, other in plain["attached"]),
        )


def weigh(formulation: Recursive, target: Target) -> int:
    """Operations of the program of a target, divisions with their extra weight."""
    g, names = formulation.graph, formulation.tree.layout.u
    if target == "mass":
        nodes = list(formulation.mass.values())
    else:
        given = [g.symbol(f"given.{n}", Kind.INPUT) for n in names]
        nodes = formulation.forward(given).u_dot if target == "forward" else formulation.inverse(given)
    divisions = sum(g.mask[i] > PARAMETERS_ONLY and OPS[g.op[i]].cost == "div" for i in live(g, nodes))
    return operations(g, nodes) + DIVISION * divisions


class Search:
    """Coordinate descent over candidates; ``tell`` is called with the number of programs built and the smallest
    weight."""

    def __init__(
        self, model: Model, target: Target, length: int = 1, tell: Callable[[int, int], None] | None = None
    ) -> None:
        self.model, self.target, self.limit, self.tell = model, target, EVALUATIONS[length], tell
        self.starts, self.finalists, self.work = STARTS[length], FINALISTS[length], FACTORING[length]
        self.random = Random(0)
        self.known: dict[object, tuple[int, ProgramCandidate]] = {}
        self.tree = span_with_offsets(model, FrameOffsets())
        # Origins farther off than bodies can reach, where axes that are all but parallel come nearest, cost digits.
        specs = [link.body.spec for link in self.tree.links]
        lengths = [*(link.X.arm for link in self.tree.links), *([s.handle for s in r.com] for r in specs)]
        self.farthest = 2 * sum(math.hypot(*_floats(self.tree.graph, x)) for x in lengths)
        moves = target != "mass" or not any(len(link.u) == 6 for link in self.tree.links)
        closures = self.model.constraints.items() if target == "forward" else ()
        self.closures = [name for name, c in closures if c.joint is not None]
        self.groups = attachable(self.model.constraints, omitted_rows(self.model))
        self.scalable = is_scalable(self.tree) and moves  # M itself belongs to the user's speeds
        self.best = self.early = min(self._first(), key=self.weight)
        self.spent = 0

    def run(self) -> ProgramCandidate:
        """The best candidate."""
        self._descend()
        for _ in range(self.starts):
            known = self.best
            for link in self.random.sample(self.tree.links, k=min(3, len(self.tree.links))):
                moves = [*self._moves(link.name), *self._origins(link.name)]
                self.best = self.random.choice(moves) if moves else self.best
            self._descend()
            self.best = min(known, self.best, key=self.weight)
        return self._finest()

    def weight(self, candidate: ProgramCandidate) -> int:
        frame_offsets = frozenset(candidate.frame_offsets.of.items()), candidate.frame_offsets.unit
        key = frame_offsets, candidate.condensing, candidate.exchanged, candidate.attached
        if key not in self.known:
            self.known[key] = weigh(candidate.formulation(self.model), self.target), candidate
        return self.known[key][0]

    def _first(self) -> Iterator[ProgramCandidate]:
        """No link condenses; all do; those do that have at least so many links outboard."""
        yield ProgramCandidate()
        if self.target != "forward":
            return
        sizes = {link.name: 1 for link in self.tree.links}
        for link in reversed(self.tree.links):
            if link.parent is not None:
                sizes[link.parent.name] += sizes[link.name]
        for least in (1, 2, 3, 4):
            condensing = frozenset(name for name, size in sizes.items() if size >= least)
            yield ProgramCandidate(condensing=condensing)
            if self.closures:
                yield ProgramCandidate(condensing=condensing, exchanged=frozenset(self.closures))

    def _descend(self) -> None:
        """Passes over the links as long as they help: turns and shifts one after the other, then both at once."""
        for parts in (("angle", "shift"), ("both",)):
            better = True
            while better and self.spent < self.limit:
                before = self.weight(self.best)
                for name in self.closures:
                    self._try(self._loop_moves(name))
                for link in reversed(self.tree.links):
                    for part in parts:
                        self._try(self._moves(link.name, part))
                    self._try(self._origins(link.name))
                if self.scalable:
                    frame_offsets = self.best.frame_offsets
                    self._try(
                        [replace(self.best, frame_offsets=replace(frame_offsets, unit=x)) for x in self._lengths()]
                    )
                better = self.weight(self.best) < before

    def _try(self, moves: Sequence[ProgramCandidate]) -> None:
        for candidate in moves:
            if self.spent >= self.limit:
                return
            self.spent += 1
            if self.weight(candidate) < self.weight(self.best):
                self.best = candidate
            if self.spent <= EVALUATIONS[1]:
                self.early = self.best
            if self.tell is not None:
                self.tell(self.spent, self.weight(self.best))

    def _finest(self) -> ProgramCandidate:
        """Of the best candidates, two of each weight at most, the one whose factored program is smallest."""
        if self.finalists < 2:
            return self.best
        by_weight: dict[int, list[ProgramCandidate]] = {}
        for w, candidate in sorted(self.known.values(), key=lambda pair: pair[0]):
            by_weight.setdefault(w, []).append(candidate)

        def factored_weight(candidate: ProgramCandidate) -> int:
            program = Short(candidate.formulation(self.model), self.work).programs[PROGRAMS[self.target]]
            counted = count(stage(program).main)
            return counted.total + DIVISION * counted.div

        finalists = [self.best, self.early, *(c for equal in by_weight.values() for c in equal[:2])]
        return min(finalists[: self.finalists], key=factored_weight)

    # Moves

    def _loop_moves(self, name: str) -> list[ProgramCandidate]:
        """Changes at a closure: the body from which it takes its directions; and the origins of all links of its loop
        in one plane with it, along the axes of their hinges, where these are parallel."""
        best, closure = self.best, self.model.constraints[name]
        assert closure.ends is not None
        tree, level = span_with_offsets(self.model, best.frame_offsets), best
        motion, links = Motion(tree), {link.name: link for link in tree.links}
        paths = [links[b].path_to_root() if b in links else [] for b in closure.bodies()]
        common = next((link for link in paths[0] if link in paths[1]), None)
        for spec, path in zip(closure.ends, paths, strict=True):
            point, shift = motion.point(spec), 0.0
            arm = components(point.offset - path[0].shift, path[0].frame) if path else ()
            for link in path:
                if link.body.chain is None:
                    break
                shift += _floats(tree.graph, arm)[2]
                own = level.frame_offset(link.name)
                level = level.with_frame_offset(
                    link.name, replace(own, shift=best.frame_offset(link.name).shift + shift)
                )
                arm = link.X.arm
                if link is common or link.parent is None or not _parallel(link):
                    break
        moves = [replace(best, exchanged=best.exchanged ^ {name}), *self._attachments(name)]
        return moves if level == best else [level, replace(level, exchanged=best.exchanged ^ {name}), *moves]

    def _attachments(self, name: str) -> list[ProgramCandidate]:
        """Other closures at the same place to whose second end a closure can be attached, or none; with its directions
        from either end."""
        group, best, moves = next((g for g in self.groups if name in g), ()), self.best, list[ProgramCandidate]()
        others = frozenset(pair for pair in best.attached if pair[0] != name)
        for other in (None, *group):
            end, to = other, dict(others)
            while end is not None and end != name:
                end = to.get(end)
            attached = others if other is None else others | {(name, other)}
            if end is None and attached != best.attached:
                moves += [replace(best, attached=attached, exchanged=best.exchanged ^ x) for x in (set(), {name})]
        return moves

    def _link(self, name: str) -> tuple[Tree, Link]:
        """The tree of the best candidate, and a link of it."""
        tree = span_with_offsets(self.model, self.best.frame_offsets)
        return tree, next(k for k in tree.links if k.name == name)

    def _moves(self, name: str, part: str = "both") -> list[ProgramCandidate]:
        """Changes at a link: whether it condenses; of its working frame the angle, the shift, or both."""
        best, moves, (tree, link) = self.best, list[ProgramCandidate](), self._link(name)
        if self.target == "forward" and part != "shift":
            moves.append(replace(best, condensing=best.condensing ^ {name}))
        if link.body.chain is None:
            return moves
        own = best.frame_offset(name)
        angles, shifts = self._zeros(tree, link)
        shifts = [d for x in shifts if abs(own.shift + (d := x * best.frame_offsets.unit)) <= self.farthest]
        turned = [0.0, *angles] if part != "shift" else [0.0]
        shifted = [0.0, *shifts] if part != "angle" else [0.0]
        for a, d in product(turned, shifted):
            if a or d:
                moves.append(best.with_frame_offset(name, replace(own, angle=own.angle + a, shift=own.shift + d)))
        return moves

    def _zeros(self, tree: Tree, link: Link) -> tuple[list[float], list[float]]:
        """Angles about the axis and shifts along it that make an entry vanish: of the joint's position in the parent,
        of the children's positions and axes, of the inertia."""
        g, body = tree.graph, rounded_inertias(tree)[link.index]
        angles, shifts = list[float](), list[float]()
        h, S = (_floats(g, x) for x in (body.h, body.second))
        axis = components(link.body.placement.turns[0], link.base)
        for a, z in zip(_floats(g, link.X.arm), _floats(g, axis), strict=True):
            shifts += [-a / z] if abs(z) > TINY else []
        for child in (k for k in tree.links if k.parent is link):
            arm = _floats(g, child.X.arm)
            shifts.append(arm[2])
            angles.append(_angle(arm))
            angles += [_angle(_floats(g, components(t, link.frame))) for t in child.turns]
        shifts += [S[k] / x for k, x in ((4, h[0]), (5, h[1])) if x]
        angles += [_angle(h), 0.5 * math.atan2(2 * S[3], S[0] - S[1]) if S[3] else 0.0, _angle([S[4], S[5]])]
        own = self.best.frame_offset(link.name)
        return _different([*angles, -own.angle]), _different([*shifts, -own.shift / self.best.frame_offsets.unit])

    def _origins(self, name: str) -> list[ProgramCandidate]:
        """Origins of a free body at its children's joints and mass centre, or in line with them."""
        best, (tree, link) = self.best, self._link(name)
        if not (is_free(link.body) and link.parent is None and self.target != "mass"):
            return []
        g, unit, own = tree.graph, best.frame_offsets.unit, best.frame_offset(name)
        body = rounded_inertias(tree)[link.index]
        m = _floats(g, (body.m,))[0]
        points = [_floats(g, k.X.arm) for k in tree.links if k.parent is link]
        points += [[x / m for x in _floats(g, body.h)]] if m else []
        near: list[Three] = [(0.0, 0.0, 0.0)]
        for p in points:
            for along in product((0, 1), repeat=3):
                x, y, z = (o + k * a * unit for o, k, a in zip(own.origin, along, p, strict=True))
                near.append((x, y, z))
        origins = [own.origin]
        for origin in near:
            if all(math.dist(origin, other) > SMALL for other in origins):
                origins.append(origin)
        return [best.with_frame_offset(name, replace(own, origin=origin)) for origin in origins[1:]]

    def _lengths(self) -> list[float]:
        """Offsets that could count as 1."""
        tree, unit = span_with_offsets(self.model, self.best.frame_offsets), self.best.frame_offsets.unit
        lengths = {round(abs(x) * unit, 12) for k in tree.links for x in _floats(tree.graph, k.X.arm)}
        return sorted(x for x in lengths | {1.0} if x > TINY)


def _parallel(link: Link) -> bool:
    """Whether the axis of a hinge is the third axis of its parent's working frame."""
    axis = _floats(link.graph, components(link.body.placement.turns[0], link.base))
    return abs(axis[0]) <= TINY and abs(axis[1]) <= TINY and axis[2] > 0


def _floats(g: Graph, handles: Sequence[Node]) -> list[float]:
    """Numbers; what is not a number counts as 0."""
    return [float(g.number(h) or 0.0) for h in handles]


def _angle(v: Sequence[float]) -> float:
    """The angle of a vector's first two components, 0 if one of them vanishes."""
    return math.atan2(v[1], v[0]) if abs(v[0]) > TINY and abs(v[1]) > TINY else 0.0


def _different(values: Sequence[float]) -> list[float]:
    """The values that are not 0, each once."""
    result: list[float] = []
    for x in values:
        if abs(x) > SMALL and all(abs(x - y) > SMALL for y in result):
            result.append(x)
    return result


class Short(Derivation):
    """Equations whose sums are factored."""

    def __init__(self, formulation: Recursive, work: int) -> None:
        super().__init__(formulation)
        self.work = work

    def finish(self, program: Program) -> Program:
        return shortened(program, self.work)


class Cheapest(Derivation):
    """Equations whose u̇, tau and M each come from the smallest program of a search, each in a graph of its own; all
    else is Kane's. ``recall`` may return a candidate of an earlier search, and ``keep`` is called with new ones."""

    def __init__(
        self,
        model: Model,
        small: Sequence[str] = (),
        search: int = 1,
        recall: Recall | None = None,
        keep: Keep | None = None,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:
        super().__init__(kane.derive(span(model)), small)
        self.search, self._recall, self._keep, self._tell = search, recall, keep, tell
        self._parts: dict[Target, Derivation] = {}

    def part(self, target: Target) -> Derivation:
        """The equations in which a target is smallest."""
        if target not in self._parts:
            model, best = self.tree.model, None if self._recall is None else self._recall(target)
            if best is None:
                best = Search(model, target, self.search, self._tell).run()
                if self._keep is not None:
                    self._keep(target, best)
            self._parts[target] = Short(best.formulation(model), FACTORING[self.search])
        return self._parts[target]

    def derive(self, name: str) -> Program:
        if name in TARGETS and not self.small:
            return self._like_this(self.part(TARGETS[name])).programs[name]
        return super().derive(name)

    @property
    def fastest(self) -> Derivation:
        return self if self.small else self._like_this(self.part("forward"))

    def _like_this(self, part: Derivation) -> Derivation:
        """A part, stabilised if these equations are."""
        return part if self.formulation.stabilisation is None else part.stabilised
