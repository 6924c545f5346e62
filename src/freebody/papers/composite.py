"""The `composite` rewrite: which bodies move with their parents, and the masses lumped there (Sayers 1991, Eqs 15–19).

A body whose mass centre is fixed in its parent passes its mass to the parent as a point mass; a rotor's inertia dyadic
is written in its parent's basis. The result is again a set of physical bodies, each with a mass, a mass centre and an
inertia dyadic about it, all constant. Categories are decided by the structure of vectors and parameters, not by values.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from freebody.scalar.node import Node
from freebody.spatial.scalars import PAIRS, Six, full
from freebody.spatial.vector import Dyadic, Vector, components, dot, dyadic, vector
from freebody.tree.inertia import six, turn_symmetric
from freebody.tree.tree import Link, Tree


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
    mass: Node
    centre: Vector
    inertia: Dyadic
    children: tuple[Link, ...]

    @property
    def fixed(self) -> bool:
        """Whether its mass counts with its parent's."""
        return self.translation is Category.FIXED

    @property
    def reference(self) -> Vector:
        """From B₀ to the reference point of the body: B*, or B₀ itself if the body is fixed (Table 9, footnote)."""
        return Vector(self.link.graph, {}) if self.fixed else self.centre


def composite(tree: Tree) -> list[Composite]:
    """The composite bodies of a tree, by link, formed from the tips inwards."""
    fixed: dict[int, list[Composite]] = defaultdict(list)
    bodies: list[Composite] = []
    for link in reversed(tree.links):
        bodies.append(_compose(link, fixed[link.index][::-1]))
        if link.parent is not None and bodies[-1].fixed:
            fixed[link.parent.index].append(bodies[-1])
    return bodies[::-1]


def _compose(link: Link, children: Sequence[Composite]) -> Composite:
    """m = Σ m, x = Σ m x / Σ m, J_ii + Σ m (d_j² + d_k²), J_ij − Σ m d_i d_j over the body and its fixed children (Eqs
    15–17, the last corrected); one mass alone stays where it is, and no mass at all is at the origin."""
    g, frame, spec = link.graph, link.frame, link.body.spec
    lumps = [(spec.mass.handle, components(link.body.centre.offset, frame))]
    lumps += [(child.mass, components(child.link.position + child.centre, frame)) for child in children]
    mass = reduce(g.add, [m for m, _ in lumps])
    heavy = [(m, x) for m, x in lumps if m != g.zero]
    x = heavy[0][1] if heavy else (g.zero,) * 3
    if len(heavy) > 1:
        a, b, c = (g.div(reduce(g.add, [g.mul(m, p[k]) for m, p in heavy]), mass) for k in range(3))
        x = a, b, c
    J = list(turn_symmetric(link.body.frame, frame, six([spec.inertia[i][j].handle for i, j in PAIRS])))
    for m, p in lumps:
        d = [g.sub(a, b) for a, b in zip(p, x, strict=True)]
        for n, (i, j) in enumerate(PAIRS if m != g.zero else ()):
            y, z = (d[k] for k in range(3) if k != i)
            moment = g.add(g.mul(y, y), g.mul(z, z)) if i == j else g.neg(g.mul(d[i], d[j]))
            J[n] = g.add(J[n], g.mul(m, moment))
    centre, rotation = vector(frame, x), _rotation(link, six(J))
    if rotation is Category.ROTOR:  # Eq 19; the rotor's turn does not change the matrix: it is the same before the turn
        still = frame.line()[1]
        if turns(link) and still.up is not None and still.up.axis is not None and still.parent is not None:
            still = still.parent
        inertia = dyadic(still, full(six(J))).within(link.base)
    else:
        inertia = dyadic(frame, full(six(J)))
    translation = _translation(link, centre)
    return Composite(link, translation, rotation, mass, centre, inertia, tuple(c.link for c in children))


# Tables 5, 6


def turns(link: Link) -> list[Vector]:
    """The joint's axes of rotation, each once."""
    axes: list[Vector] = []
    for t in link.body.placement.turns:
        if t and not any(t in (known, -known) for known in axes):
            axes.append(t)
    return axes


def translations(link: Link) -> list[int]:
    """Which of the link's free speeds are translations only."""
    return [k for k, (t, s) in enumerate(zip(link.turns, link.slides, strict=True)) if s and not t]


def _rotation(link: Link, J: Six) -> Category:
    """A rotor turns about one axis at most, with a diagonal inertia and equal moments about the two other axes."""
    axes = turns(link)
    if len(axes) > 1:
        own, columns = [link.body.axis(k) for k in range(3)], [t for t in link.turns if t]
        free = len(axes) == len(columns) == 3 and all(a in own for a in columns)
        return Category.NONRECURSIVE if free else Category.RECURSIVE
    if not axes:
        return Category.ROTOR
    along = link.frame.axis_of(next(iter(axes[0].parts))) if len(axes[0].parts) == 1 else None
    if along is None:
        return Category.RECURSIVE
    i, j = ((along[0] + k) % 3 for k in (1, 2))
    return Category.ROTOR if J[3:] == (link.graph.zero,) * 3 and J[i] == J[j] else Category.RECURSIVE


def _translation(link: Link, centre: Vector) -> Category:
    """Nonrecursive: three independent translations, or two in a plane that the body never leaves."""
    placement = link.body.placement
    if not any(placement.slides) and not any(t.cross(centre) for t in placement.turns):
        return Category.FIXED
    if any(t and s for t, s in zip(placement.turns, placement.slides, strict=True)):
        return Category.RECURSIVE
    d = [link.slides[k] for k in translations(link)]
    anywhere = len(d) == 3 and dot(d[0].cross(d[1]), d[2]) != link.graph.zero
    return Category.NONRECURSIVE if anywhere or plane(link) is not None else Category.RECURSIVE


def plane(link: Link) -> int | None:
    """The axis n of the link's frame along which nothing ever moves, if two translations move the body in a plane:
    ω^B × n = 0 and v · n = 0 whatever the joints do (Table 5, second criterion)."""
    both = translations(link)
    if len(both) != 2:
        return None
    n = link.slides[both[0]].cross(link.slides[both[1]])
    along = link.frame.axis_of(next(iter(n.parts))) if len(n.parts) == 1 else None
    placements = [each.body.placement for each in link.path_to_root()]
    if along is not None and all(
        not any(t.cross(n) for t in p.turns) and all(dot(s, n) == link.graph.zero for s in p.slides) for p in placements
    ):
        return along[0]
    return None
