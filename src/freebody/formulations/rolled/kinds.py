"""Bodies sorted into kinds: those that one traced step serves, told apart by numbers alone.

What a body's description holds besides numbers is its ``Shape``; the numbers are its scalars, in a fixed order. Bodies
of one shape are a kind. A scalar that all of a kind share stands in the step as a number; the others are read from a
table, or where parameters decide them from an array that a block fills.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from freebody.model.joints.base import AXES, Joint, scalar
from freebody.model.joints.curve import Law
from freebody.model.joints.dress import COMMON
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.spatial.triples import PAIRS
from freebody.tree.forest import Link

PATTERNS = 8
"""Orientations whose exact entries (0, ±1) differ are kinds of their own, up to so many for joints of one shape."""

FEW = 8
"""Roots and leaves are kinds of their own where they are more than one in so many of their shape."""

SCALAR = ...
"""Stands for a scalar in a joint's options."""

NAMES = {direction: name for name, direction in AXES.items()}
EXACT = (0, 1, -1)
UNTOLD = ("limits", "initial", "motion", "names", "definitions")
"""Options that change nothing of a joint's motion."""


@dataclass(frozen=True)
class Shape:
    """What bodies of a kind have in common. ``orient``: the exact entries of the joint's orientation in the parent,
    None where it has none; ``given``: which speeds are prescribed; ``skewed``: the parent's axes are not its working
    frame's; ``pushed``: loads act on it; ``efforts``: the speeds with efforts; ``root``: it hangs on the ground;
    ``leaf``: nothing hangs on it; ``alone``: nothing else hangs on its parent."""

    joint: type[Joint]
    options: tuple[tuple[str, Any], ...]
    orient: tuple[int | None, ...] | None
    given: tuple[bool, ...]
    skewed: bool
    pushed: bool
    efforts: tuple[int, ...]
    root: bool = False
    leaf: bool = False
    alone: bool = False

    def dressed(self, scalars: Iterator[Expr]) -> Joint:
        """The joint with these scalars in its options."""
        return self.joint(**{name: _filled(value, scalars) for name, value in self.options})


@dataclass(eq=False)
class Kind:
    """The bodies of one shape, and where their scalars are found: a number, or ("numbers" | "given", column)."""

    shape: Shape
    links: list[Link] = field(default_factory=list)
    scalars: list[list[int]] = field(default_factory=list)
    places: list[Number | tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Scalars:
    """What the kinds read: nodes that are numbers, nodes that a block computes, and where each body's begin."""

    numbers: list[int]
    nodes: list[int]
    starts: Mapping[str, list[int]]


def described(link: Link) -> tuple[type[Joint], tuple[tuple[str, Any], ...], tuple[int | None, ...] | None, list[int]]:
    """A body's joint, its options without their scalars, the exact entries of its orientation, and its scalars: place,
    mass, mass centre, inertia, orientation, the joint's."""
    g, recipe = link.graph, link.body.recipe
    inertia = [recipe.inertia[i][j] for i, j in PAIRS]
    found = [s.handle for s in (*recipe.at, recipe.mass, *recipe.com, *inertia)]
    turned = [s.handle for s in chain(*recipe.orient)] if recipe.orient is not None else []
    exact = tuple(_exact(g, h) for h in turned) if turned else None
    if exact == (1, 0, 0, 0, 1, 0, 0, 0, 1):
        exact, turned = None, []
    kinds, joint = {**COMMON, **recipe.joint.options}, recipe.joint
    kinds = {name: what for name, what in {**kinds, **joint.derived}.items() if what not in UNTOLD}
    found += turned
    options = tuple((name, _structure(g, getattr(joint, name), what, found)) for name, what in kinds.items())
    return type(joint), options, exact, found


def _exact(g: Graph, handle: int) -> int | None:
    value = g.number(handle)
    return int(value) if value in EXACT else None


def _structure(g: Graph, value: Any, what: str, found: list[int]) -> Any:
    """An option with its scalars taken out; what is 0, or lies along an axis, does so for the whole kind."""
    if what == "scalar":
        if not isinstance(value, Expr) and value == 0:
            return 0
        found.append(scalar(g, value))
        return SCALAR
    if what == "directions":
        return tuple(_structure(g, v, "direction", found) for v in value)
    if what == "map":
        return tuple(tuple(_told(x, found) for x in row) for row in value)
    if what == "curve turns" and value is not None:
        return tuple((_structure(g, axis, "direction", found), _curve(angle, found)) for axis, angle in value)
    if what.startswith("curve"):
        return _curve(value, found)
    if what == "parts":
        return tuple(_part(g, part, found) for part in value)
    if what != "direction" or value is None or isinstance(value, str):
        return value
    if not any(isinstance(v, Expr) for v in value) and sum(v != 0 for v in value) == 1:
        x, y, z = (int(v > 0) - int(v < 0) for v in value)
        return NAMES[x, y, z]
    found += [scalar(g, v) for v in value]
    return (SCALAR,) * 3


def _told(x: Any, found: list[int]) -> Any:
    """An entry of a joint's map: a number is one for the whole kind, what parameters decide is a scalar."""
    if not isinstance(x, Expr):
        return x
    found.append(x.handle)
    return SCALAR


def _curve(value: Any, found: list[int]) -> Any:
    """Functions of a joint's coordinates: their parameters are scalars."""
    if isinstance(value, tuple):
        return tuple(_curve(v, found) for v in value)
    if not isinstance(value, Expr):
        return value
    law = Law.of(value)
    found += law.parameters
    return law


@dataclass(frozen=True)
class Part:
    """A part of a compound joint without its scalars."""

    joint: type[Joint]
    options: tuple[tuple[str, Any], ...]


def _part(g: Graph, part: Joint, found: list[int]) -> Part:
    kinds = {name: what for name, what in {**part.options, **part.derived}.items() if what not in UNTOLD}
    return Part(type(part), tuple((k, _structure(g, getattr(part, k), what, found)) for k, what in kinds.items()))


def _filled(value: Any, scalars: Iterator[Expr]) -> Any:
    if value is SCALAR:
        return next(scalars)
    if isinstance(value, Law):
        return value.told([next(scalars) for _ in value.parameters])
    if isinstance(value, Part):
        return value.joint(**{name: _filled(v, scalars) for name, v in value.options})
    return tuple(_filled(v, scalars) for v in value) if isinstance(value, tuple) else value


def settled(shapes: Sequence[Shape]) -> list[Shape]:
    """The shapes with few roots or leaves among many bodies that are alike taken for what these are: roots hang on a
    row of the ground's then, leaves find rows of zeros; a step more to trace costs more than it saves."""
    groups: dict[Shape, list[int]] = {}
    for k, shape in enumerate(shapes):
        groups.setdefault(replace(shape, root=False, leaf=False, alone=False), []).append(k)
    made = list(shapes)
    for members in groups.values():
        own = [shapes[k] for k in members]
        few = {what: 0 < sum(getattr(s, what) for s in own) * FEW <= len(own) for what in ("root", "leaf")}
        alone = all(s.alone or s.root for s in own)
        for k in members:
            s = shapes[k]
            made[k] = replace(s, root=s.root and not few["root"], leaf=s.leaf and not few["leaf"], alone=alone)
    return made


def gather(links: Sequence[Link], shapes: Sequence[Shape], scalars: Sequence[list[int]]) -> list[Kind]:
    """The kinds of some links, in the order in which they first appear."""
    kinds: dict[Shape, Kind] = {}
    for link, shape, own in zip(links, shapes, scalars, strict=True):
        kind = kinds.setdefault(shape, Kind(shape))
        kind.links.append(link)
        kind.scalars.append(own)
    return list(kinds.values())


def laid_out(g: Graph, kinds: Sequence[Kind], bodies: int) -> Scalars:
    """Places for the scalars of all kinds; bodies with equal ones share a row."""
    made = Scalars([], [], {"numbers": [0] * bodies, "given": [0] * bodies})
    for kind in kinds:
        columns: dict[str, list[int]] = {"numbers": [], "given": []}
        for k, column in enumerate(zip(*kind.scalars, strict=True)):
            values = {g.number(h) for h in set(column)}
            if len(values) == 1 and None not in values:
                kind.places.append(_plain(values.pop()))
                continue
            where = "given" if None in values else "numbers"
            kind.places.append((where, len(columns[where])))
            columns[where].append(k)
        for where, store in (("numbers", made.numbers), ("given", made.nodes)):
            _fill(kind, columns[where], store, made.starts[where])
    return made


def _plain(value: Number | None) -> Number:
    assert value is not None
    return int(value) if value in EXACT else value


def _fill(kind: Kind, columns: Sequence[int], store: list[int], starts: list[int]) -> None:
    known: dict[tuple[int, ...], int] = {}
    for link, own in zip(kind.links, kind.scalars, strict=True):
        row = tuple(own[k] for k in columns)
        if row not in known:
            known[row] = len(store)
            store += row
        starts[link.index] = known[row]
