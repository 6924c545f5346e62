"""The smallest program of a quantity: candidates are built, counted, and the best is kept.

What is chosen: for u̇ which links condense (see ``recursive``); for every quantity where the working frames lie (see
``tree.gauge``) and which length counts as 1. The count is the real one, of the program that would be run; a
division weighs three more, as it takes longer. The search is coordinate descent from the tips inwards, over
angles and offsets that make an entry of the geometry or of the inertia vanish; the longest search begins anew
from places nearby. The sums of the program kept are factored (see ``scalar.factor``).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from typing import Any, Literal

from freebody.formulations import kane
from freebody.formulations.derivation import Catalogue, Derivation
from freebody.formulations.recursive import Recursive
from freebody.model.model import Model
from freebody.program.count import count, operations
from freebody.program.factor import shortened
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.scalar.graph import Graph
from freebody.scalar.ops import OPS
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import live
from freebody.spatial.vector import Vector, components
from freebody.tree.forest import Forest, Link, span
from freebody.tree.motion import move
from freebody.tree.working_frames import Gauge, Laying, Three, gauged, inertias, is_free, scalable

Target = Literal["forward", "inverse", "mass"]
EVALUATIONS = {0: 0, 1: 80, 2: 1_000, 3: 20_000}
"""Programs built by a search of each length, beside the first few; a search that finds nothing more ends earlier."""

STARTS = {0: 0, 1: 0, 2: 0, 3: 24}
"""How often the search begins anew near the best."""

FINALISTS = {0: 1, 1: 1, 2: 8, 3: 32}
"""Choices that are compared as they are when factored."""

FACTORING = {0: 5_000, 1: 20_000, 2: 100_000, 3: 400_000}
"""Terms that factoring may write."""

DIVISION = 3
SMALL = 1e-12
Recall = Callable[[Target], "Candidate | None"]
Keep = Callable[[Target, "Candidate"], None]


@dataclass(frozen=True)
class Candidate:
    """How a program is built."""

    laying: Laying = field(default_factory=Laying)
    condensing: frozenset[str] = frozenset()

    def formulation(self, model: Model) -> Recursive:
        forest = gauged(model, self.laying)
        return Recursive(forest, self.condensing, inertias(forest), self.laying.unit)

    def gauge(self, name: str) -> Gauge:
        return self.laying.gauges.get(name, Gauge())

    def with_gauge(self, name: str, gauge: Gauge) -> "Candidate":
        return replace(self, laying=replace(self.laying, gauges={**self.laying.gauges, name: gauge}))

    def with_unit(self, unit: float) -> "Candidate":
        return replace(self, laying=replace(self.laying, unit=unit))

    def to_plain(self) -> dict[str, Any]:
        """Texts and numbers alone."""
        gauges = {name: [g.angle, g.shift, *g.place] for name, g in self.laying.gauges.items()}
        return {"gauges": gauges, "unit": self.laying.unit, "condensing": sorted(self.condensing)}

    @classmethod
    def from_plain(cls, given: dict[str, Any]) -> "Candidate":
        gauges = {name: Gauge(a, d, (x, y, z)) for name, (a, d, x, y, z) in given["gauges"].items()}
        return cls(Laying(gauges, given["unit"]), frozenset(given["condensing"]))

    def toggled(self, name: str) -> "Candidate":
        return replace(self, condensing=self.condensing ^ {name})


def nodes(formulation: Recursive, quantity: Target) -> list[int]:
    """What the program of a quantity computes."""
    g, names = formulation.graph, formulation.forest.layout.u
    if quantity == "mass":
        return list(formulation.mass.values())
    given = [g.symbol(f"given.{n}", Kind.INPUT) for n in names]
    return formulation.forward(given) if quantity == "forward" else formulation.inverse(given)


def weight(g: Graph, roots: Sequence[int]) -> int:
    divisions = sum(g.mask[i] > PARAMETERS_ONLY and OPS[g.op[i]].cost == "div" for i in live(g, roots))
    return operations(g, roots) + DIVISION * divisions


class Search:
    """Coordinate descent over choices; ``tell`` hears how many programs were built and the smallest weight."""

    def __init__(
        self, model: Model, quantity: Target, length: int = 1, tell: Callable[[int, int], None] | None = None
    ) -> None:
        self.model, self.quantity, self.limit, self.tell = model, quantity, EVALUATIONS[length], tell
        self.starts, self.finalists, self.work = STARTS[length], FINALISTS[length], FACTORING[length]
        self.random = Random(0)
        self.known: dict[object, tuple[int, Candidate]] = {}
        self.forest = gauged(model, Laying())
        self.farthest = 2 * _reach(self.forest)
        moves = quantity != "mass" or not any(len(link.u) == 6 for link in self.forest.links)
        self.scalable = scalable(self.forest) and moves  # M itself belongs to the user's own speeds
        self.best = self.early = min(self._starts(), key=self.weight)
        self.spent = 0

    def run(self) -> Candidate:
        """The best choice found."""
        self._descend()
        for _ in range(self.starts):
            known = self.best
            self.best = self._elsewhere()
            self._descend()
            self.best = min(known, self.best, key=self.weight)
        return self._finest()

    def _descend(self) -> None:
        """Turns and shifts one after the other as long as that helps, then both at once."""
        for both in (False, True):
            while self.spent < self.limit and self._round(both):
                pass

    def _elsewhere(self) -> Candidate:
        """Random moves at some links."""
        found = self.best
        for link in self.random.sample(self.forest.links, k=min(3, len(self.forest.links))):
            moves = [*self._moves(link.name), *self._base_moves(link.name)]
            if moves:
                found = self.best = self.random.choice(moves)
        return found

    def weight(self, choice: Candidate) -> int:
        key = frozenset(choice.laying.gauges.items()), choice.laying.unit, choice.condensing
        if key not in self.known:
            made = choice.formulation(self.model)
            self.known[key] = weight(made.graph, nodes(made, self.quantity)), choice
        return self.known[key][0]

    def _finest(self) -> Candidate:
        """Of the best choices, two of each weight at most, the one whose program is smallest when it is factored."""
        if self.finalists < 2:
            return self.best
        by_weight: dict[int, list[Candidate]] = {}
        for w, choice in sorted(self.known.values(), key=lambda pair: pair[0]):
            by_weight.setdefault(w, []).append(choice)
        finalists = [self.best, self.early, *(c for equal in by_weight.values() for c in equal[:2])]
        return min(finalists[: self.finalists], key=self._finished)

    def _finished(self, choice: Candidate) -> int:
        """The weight of the program as it would be used."""
        program = Short(choice.formulation(self.model), self.work).programs[PROGRAMS[self.quantity]]
        found = count(stage(program).main)
        return found.total + DIVISION * found.div

    def _starts(self) -> Iterator[Candidate]:
        """Nothing condensed, everything, and what has at least so many links outboard."""
        yield Candidate()
        if self.quantity != "forward":
            return
        sizes = {link.name: 1 for link in self.forest.links}
        for link in reversed(self.forest.links):
            if link.parent is not None:
                sizes[link.parent.name] += sizes[link.name]
        for least in (1, 2, 3, 4):
            yield Candidate(condensing=frozenset(name for name, size in sizes.items() if size >= least))

    def _round(self, both: bool) -> bool:
        """One pass over the links; whether it found something."""
        before = self.weight(self.best)
        for link in reversed(self.forest.links):
            for gauge in ("both",) if both else ("angle", "shift"):
                self._take(self._moves(link.name, gauge))
            self._take(self._base_moves(link.name))
        if self.scalable:
            self._take([self.best.with_unit(x) for x in self._lengths()])
        return self.weight(self.best) < before

    def _take(self, moves: Sequence[Candidate]) -> None:
        for choice in moves:
            if self.spent >= self.limit:
                return
            self.spent += 1
            if self.weight(choice) < self.weight(self.best):
                self.best = choice
            if self.spent <= EVALUATIONS[1]:
                self.early = self.best
            if self.tell is not None:
                self.tell(self.spent, self.weight(self.best))

    # Moves

    def _moves(self, name: str, gauge: str = "both") -> list[Candidate]:
        """What can be changed at a link; of its working frame the angle, the shift, or both."""
        best = self.best
        found = [best.toggled(name)] if self.quantity == "forward" and gauge != "shift" else []
        forest = gauged(self.model, best.laying)
        link = next(k for k in forest.links if k.name == name)
        if link.body.chain is None:
            return found
        own = best.gauge(name)
        angles, shifts = self._candidates(forest, link)
        shifts = [d for x in shifts if abs(own.shift + (d := x * best.laying.unit)) <= self.farthest]
        turned = [0.0, *angles] if gauge != "shift" else [0.0]
        shifted = [0.0, *shifts] if gauge != "angle" else [0.0]
        for a, d in product(turned, shifted):
            if a or d:
                moved = best.with_gauge(name, replace(own, angle=own.angle + a, shift=own.shift + d))
                found.append(moved)
        return found

    def _candidates(self, forest: Forest, link: Link) -> tuple[list[float], list[float]]:
        """Angles about the axis and shifts along it that make something vanish: of the joint's place in the parent, of
        the children's places and axes, of the inertia."""
        g, body = forest.graph, inertias(forest)[link.index]
        angles, shifts = list[float](), list[float]()
        h, S = (_floats(g, x) for x in (body.h, body.second))
        parent = forest.root if link.parent is None else link.parent.frame
        for a, z in zip(_floats(g, link.arm), _floats(g, components(_axis(link), parent)), strict=True):
            shifts += [-a / z] if abs(z) > 1e-9 else []
        for child in (k for k in forest.links if k.parent is link):
            arm = _floats(g, child.arm)
            shifts.append(arm[2])
            angles.append(_angle(arm))
            angles += [_angle(_floats(g, components(t, link.frame))) for t in child.turns]
        shifts += [S[k] / x for k, x in ((4, h[0]), (5, h[1])) if x]
        angles += [_angle(h), 0.5 * math.atan2(2 * S[3], S[0] - S[1]) if S[3] else 0.0, _angle([S[4], S[5]])]
        own = self.best.gauge(link.name)
        return _different([*angles, -own.angle]), _different([*shifts, -own.shift / self.best.laying.unit])

    def _base_moves(self, name: str) -> list[Candidate]:
        """Origins of a free body at its children's places and mass centre, or in line with them."""
        best = self.best
        forest = gauged(self.model, best.laying)
        link = next(k for k in forest.links if k.name == name)
        if not (is_free(link.body) and link.parent is None and self.quantity != "mass"):
            return []
        g, unit, own = forest.graph, best.laying.unit, best.gauge(name)
        body = inertias(forest)[link.index]
        m = _floats(g, (body.m,))[0]
        points = [_floats(g, k.arm) for k in forest.links if k.parent is link]
        points += [[x / m for x in _floats(g, body.h)]] if m else []
        places = [own.place, (0.0, 0.0, 0.0)]
        for p in points:
            for kept in product((0, 1), repeat=3):
                x, y, z = (o + k * a * unit for o, k, a in zip(own.place, kept, p, strict=True))
                places.append((x, y, z))
        return [best.with_gauge(name, replace(own, place=place)) for place in _unlike(places)]

    def _lengths(self) -> list[float]:
        """Offsets that could count as 1."""
        forest, unit = gauged(self.model, self.best.laying), self.best.laying.unit
        found = {round(abs(x) * unit, 12) for k in forest.links for x in _floats(forest.graph, k.arm)}
        return sorted(x for x in found | {1.0} if x > 1e-9)


def _axis(link: Link) -> Vector:
    """Of a hinge."""
    return link.body.placement.turns[0]


def _reach(forest: Forest) -> float:
    """How far bodies lie from the ground at most. Origins further off, where axes that are all but parallel come
    nearest to each other, cost digits."""
    recipes = [link.body.recipe for link in forest.links]
    lengths = [*(link.arm for link in forest.links), *([s.handle for s in r.com] for r in recipes)]
    return sum(math.hypot(*_floats(forest.graph, x)) for x in lengths)


def _floats(g: Graph, handles: Sequence[int]) -> list[float]:
    """Numbers; what is none counts as 0."""
    return [float(g.number(h) or 0.0) for h in handles]


def _angle(v: Sequence[float]) -> float:
    """That of a vector's first two components, where neither vanishes."""
    return math.atan2(v[1], v[0]) if abs(v[0]) > 1e-9 and abs(v[1]) > 1e-9 else 0.0


def _different(values: Sequence[float]) -> list[float]:
    found: list[float] = []
    for x in values:
        if abs(x) > SMALL and all(abs(x - y) > SMALL for y in found):
            found.append(x)
    return found


def _unlike(places: Sequence[Three]) -> list[Three]:
    """The places but the first, each once."""
    found = [places[0]]
    for p in places[1:]:
        if all(math.dist(p, q) > SMALL for q in found):
            found.append(p)
    return found[1:]


class Short(Derivation):
    """Equations whose sums are factored."""

    def __init__(self, formulation: Recursive, work: int) -> None:
        super().__init__(formulation)
        self.work = work

    def finish(self, program: Program) -> Program:
        return shortened(program, self.work)


class Cheapest(Derivation):
    """Equations whose u̇, tau and M each come from the smallest program found, every one in a graph of its own; all else
    is Kane's. ``recall`` may give a choice made before, and ``keep`` hears of those made now."""

    def __init__(
        self, model: Model, small: Sequence[str] = (), search: int = 1, recall: Recall | None = None,
        keep: Keep | None = None, tell: Callable[[int, int], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(kane.derive(move(span(model))), small)
        self.search, self._recall, self._keep, self._tell = search, recall, keep, tell
        self._parts: dict[Target, Derivation] = {}
        if not small:
            self.programs = _Chosen(self)

    def part(self, quantity: Target) -> Derivation:
        """The equations in which a quantity is smallest."""
        if quantity not in self._parts:
            self._parts[quantity] = Short(self._choice(quantity).formulation(self.forest.model), FACTORING[self.search])
        return self._parts[quantity]

    @property
    def fastest(self) -> Derivation:
        """The equations to move with."""
        return self if self.small else self.part("forward")

    def _choice(self, quantity: Target) -> Candidate:
        found = self._recall(quantity) if self._recall is not None else None
        if found is None:
            found = Search(self.forest.model, quantity, self.search, self._tell).run()
            if self._keep is not None:
                self._keep(quantity, found)
        return found


PROGRAMS: dict[Target, str] = {
    "forward": "forward_dynamics", "inverse": "inverse_dynamics", "mass": "mass_matrix",
}  # fmt: skip
PARTS: dict[str, Target] = {
    "forward_dynamics": "forward", "state_dot": "forward", "inverse_dynamics": "inverse", "mass_matrix": "mass",
}  # fmt: skip


class _Chosen(Catalogue):
    """The catalogue of ``Cheapest``."""

    def __getitem__(self, name: str) -> Program:
        if name not in PARTS:
            return super().__getitem__(name)
        assert isinstance(self.equations, Cheapest)
        return self.equations.part(PARTS[name]).programs[name]
