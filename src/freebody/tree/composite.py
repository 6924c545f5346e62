"""The `composite` rewrite: which bodies move with their parents, and what is lumped there (Sayers 1991, Eqs 15–19).

A body whose mass centre is fixed in its parent hands the parent its mass as a point; a rotor's inertia dyadic is
written in its parent's basis. The result is again a set of physical bodies, each with a mass, a mass centre and an
inertia dyadic about it, all constant. Categories are decided by the structure of vectors and parameters, not by values.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from freebody.scalar.graph import Graph
from freebody.spatial.scalars import PAIRS, Six, Triple, full
from freebody.spatial.vector import Dyadic, Vector, components, dot, dyadic, vector
from freebody.tree.forest import Forest, Link
from freebody.tree.inertia import carry, six


class Category(StrEnum):
    """How a body is treated in translation (Table 5) or in rotation (Table 6)."""

    NONRECURSIVE = "nonrecursive"
    FIXED = "fixed"
    ROTOR = "rotor"
    RECURSIVE = "recursive"


@dataclass(frozen=True)
class Composite:
    """A link with the point masses of its fixed children: categories, m^Bc, r^B₀B* and I^Bc* (Table 2)."""

    link: Link
    translation: Category
    rotation: Category
    mass: int
    centre: Vector
    inertia: Dyadic
    children: tuple[Link, ...]

    @property
    def fixed(self) -> bool:
        """Whether its mass counts with its parent's."""
        return self.translation is Category.FIXED

    @property
    def reference(self) -> Vector:
        """From B₀ to the point that stands for the body: B*, or B₀ itself if the body is fixed (Table 9, footnote)."""
        return Vector(self.link.graph, {}) if self.fixed else self.centre


@dataclass(frozen=True)
class Lump:
    """A point mass at a place in a link's working frame."""

    m: int
    x: Triple


def composite(forest: Forest) -> list[Composite]:
    """The composite bodies of a forest, by link, made from the tips inwards."""
    fixed: dict[int, list[Composite]] = defaultdict(list)
    made: list[Composite] = []
    for link in reversed(forest.links):
        made.append(_composed(forest, link, fixed[link.index][::-1]))
        if link.parent is not None and made[-1].fixed:
            fixed[link.parent.index].append(made[-1])
    return made[::-1]


def _composed(forest: Forest, link: Link, children: Sequence[Composite]) -> Composite:
    lumps = [_own(link), *(_handed(link, child) for child in children)]
    mass, x = _mass(link.graph, lumps), _centre(link.graph, lumps)
    J = _spread(link, lumps, x)
    centre = vector(link.frame, x)
    rotation = _rotation(link, J)
    inertia = _laid(link, J) if rotation is Category.ROTOR else dyadic(link.frame, full(J))
    return Composite(
        link, _translation(link, centre), rotation, mass, centre, inertia, tuple(c.link for c in children)
    )  # fmt: skip


# Eqs 15–17


def _own(link: Link) -> Lump:
    recipe = link.body.recipe
    return Lump(recipe.mass.handle, components(link.body.centre.offset, link.frame))


def _handed(link: Link, child: Composite) -> Lump:
    """A fixed child as a point mass in its parent."""
    return Lump(child.mass, components(child.link.position + child.centre, link.frame))


def _mass(g: Graph, lumps: Sequence[Lump]) -> int:
    """Σ m (Eq 15)"""
    total = g.zero
    for lump in lumps:
        total = g.add(total, lump.m)
    return total


def _centre(g: Graph, lumps: Sequence[Lump]) -> Triple:
    """Σ m x / Σ m (Eq 16); one mass alone stays where it is, and none at all is at the origin."""
    heavy = [lump for lump in lumps if lump.m != g.zero]
    if len(heavy) < 2:
        return heavy[0].x if heavy else (g.zero,) * 3
    total = _mass(g, heavy)
    x, y, z = (g.div(_mass(g, [Lump(g.mul(p.m, p.x[k]), p.x) for p in heavy]), total) for k in range(3))
    return x, y, z


def _spread(link: Link, lumps: Sequence[Lump], centre: Triple) -> Six:
    """I_ii + Σ m (d_j² + d_k²), I_ij − Σ m d_i d_j over the body itself and its fixed children (Eq 17, corrected)."""
    g, recipe = link.graph, link.body.recipe
    J = list(carry(link.body.frame, link.frame, six([recipe.inertia[i][j].handle for i, j in PAIRS])))
    for lump in lumps:
        d = [g.sub(a, b) for a, b in zip(lump.x, centre, strict=True)]
        for place, (i, j) in enumerate(PAIRS):
            J[place] = g.add(J[place], g.mul(lump.m, _arm(g, d, i, j))) if lump.m != g.zero else J[place]
    return six(J)


def _arm(g: Graph, d: Sequence[int], i: int, j: int) -> int:
    """d_j² + d_k² on the diagonal, −d_i d_j off it"""
    if i != j:
        return g.neg(g.mul(d[i], d[j]))
    a, b = (d[k] for k in range(3) if k != i)
    return g.add(g.mul(a, a), g.mul(b, b))


# Eqs 18, 19


def _laid(link: Link, J: Six) -> Dyadic:
    """A rotor's inertia in its parent's basis (Eq 19). Its turn does not change the matrix, which therefore is the same
    in the frame before the turn."""
    still = link.frame.line()[1]
    if turns(link) and still.up is not None and still.up.axis is not None and still.parent is not None:
        still = still.parent
    return dyadic(still, full(J)).within(link.base)


# Tables 5, 6


def turns(link: Link) -> list[Vector]:
    """The joint's axes of rotation, each once."""
    placement, found = link.body.placement, list[Vector]()
    for t in placement.turns:
        if t and not any(t in (known, -known) for known in found):
            found.append(t)
    return found


def translations(link: Link) -> list[int]:
    """Which of the link's free speeds are translations only."""
    return [k for k, (t, s) in enumerate(zip(link.turns, link.slides, strict=True)) if s and not t]


def _rotation(link: Link, J: Six) -> Category:
    axes = turns(link)
    if len(axes) > 1:
        own, columns = [link.body.axis(k) for k in range(3)], [t for t in link.turns if t]
        free = len(axes) == len(columns) == 3 and all(a in own for a in columns)
        return Category.NONRECURSIVE if free else Category.RECURSIVE
    return Category.ROTOR if not axes or _symmetric(link, axes[0], J) else Category.RECURSIVE


def _symmetric(link: Link, axis: Vector, J: Six) -> bool:
    """Diagonal, with equal moments about the two axes normal to the spin axis."""
    place = link.frame.axis_of(next(iter(axis.parts))) if len(axis.parts) == 1 else None
    if place is None:
        return False
    i, j = ((place[0] + k) % 3 for k in (1, 2))
    return J[3:] == (link.graph.zero,) * 3 and J[i] == J[j]


def _translation(link: Link, centre: Vector) -> Category:
    placement = link.body.placement
    if not any(placement.slides) and not any(t.cross(centre) for t in placement.turns):
        return Category.FIXED
    apart = not any(t and s for t, s in zip(placement.turns, placement.slides, strict=True))
    return Category.NONRECURSIVE if apart and (_roams(link) or plane(link) is not None) else Category.RECURSIVE


def _roams(link: Link) -> bool:
    """Whether three translations, none of them in the plane of the others, take the body anywhere."""
    found = [link.slides[k] for k in translations(link)]
    return len(found) == 3 and dot(found[0].cross(found[1]), found[2]) != link.graph.zero


def plane(link: Link) -> int | None:
    """The axis of the link's frame along which nothing ever moves, if two translations carry the body in a plane:
    ω^B × n = 0 and v · n = 0 whatever the joints do (Table 5, second criterion)."""
    found = translations(link)
    if len(found) != 2:
        return None
    n = link.slides[found[0]].cross(link.slides[found[1]])
    place = link.frame.axis_of(next(iter(n.parts))) if len(n.parts) == 1 else None
    return place[0] if place is not None and all(_stays(each, n) for each in link.line()) else None


def _stays(link: Link, n: Vector) -> bool:
    """Whether a joint turns about n only and never slides along it."""
    placement, zero = link.body.placement, link.graph.zero
    return not any(t.cross(n) for t in placement.turns) and all(dot(s, n) == zero for s in placement.slides)
