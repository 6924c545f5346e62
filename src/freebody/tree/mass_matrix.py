"""The mass matrix by composite bodies: column k of M is the wrench that u̇_k = 1 alone requires, passed inwards.

Symmetric matrices are mappings from (i, j), i ≥ j, to scalars; entries that are structurally zero are absent.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from types import MappingProxyType

from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Wrench
from freebody.spatial.scalars import Scalar, Scalars
from freebody.tree.joint_forces import armatures
from freebody.tree.passes import inwards, to_parent
from freebody.tree.tree import Link, Tree

Entries = dict[tuple[int, int], Scalar]
UNREACHED = -1e308
"""No pivot is below this number."""


def composites(tree: Tree, inertias: Sequence[RigidInertia]) -> list[RigidInertia]:
    """Σ φ I φᵀ: the inertia of each composite body about its link's origin."""
    return inwards(tree.links, inertias, to_parent)


def mass_matrix(tree: Tree, inertias: Sequence[RigidInertia], by_trace: bool = False) -> Entries:
    """M_jk = h_j · φ … φ I h_k, I the composite inertia of the link of k, and the blocks of bodies' own speeds."""
    g, entries = tree.graph, Entries()
    for link, composite in zip(tree.links, composites(tree, inertias), strict=True):
        for c in link.columns:
            _add_column(g, entries, link, c.speed, composite.apply(c.twist, by_trace), inner=False)
        if link.internal_dynamics is not None:
            for speed, F in zip(link.u, link.internal_dynamics.fr, strict=True):
                _add_column(g, entries, link, speed, F, inner=True)
            for (i, j), value in link.internal_dynamics.ff.items():
                add_entry(g, entries, link.u[i], link.u[j], value)
    for speed, value in armatures(tree).items():
        add_entry(g, entries, speed, speed, value)
    return {key: value for key, value in sorted(entries.items()) if not g.vanishes(value)}


def mass_diagonal(tree: Tree, inertias: Sequence[RigidInertia]) -> set[tuple[int, int]]:
    """The entries of M's diagonal that do not vanish."""
    g, speeds = tree.graph, set(armatures(tree))
    for link, composite in zip(tree.links, composites(tree, inertias), strict=True):
        speeds |= {c.speed for c in link.columns if not g.vanishes(c.twist.dot(composite.apply(c.twist)))}
        speeds |= {
            link.u[i] for i, j in (() if link.internal_dynamics is None else link.internal_dynamics.ff) if i == j
        }
    return {(speed, speed) for speed in speeds}


def _add_column(S: Scalars, entries: Entries, link: Link, speed: int, F: Wrench, inner: bool) -> None:
    """h_j · F on the way of F to the ground. At the link itself (not ``inner``) entries above the diagonal are left
    out; further in the product of two columns of one speed counts twice."""
    while True:
        for row, H, *_ in link.columns:
            if inner or row <= speed:
                value = H.dot(F)
                add_entry(S, entries, speed, row, S.mul(S.const(2), value) if inner and row == speed else value)
        if link.parent is None:
            return
        F, link, inner = F.back(link.X), link.parent, True


def entry(i: int, j: int) -> tuple[int, int]:
    """The key of a pair in the lower triangle."""
    return (i, j) if i >= j else (j, i)


def add_entry(S: Scalars, entries: Entries, i: int, j: int, value: Scalar) -> None:
    """Add to an entry, where links that share a speed meet."""
    key = entry(i, j)
    entries[key] = S.add(entries[key], value) if key in entries else value


def guarded_inverse(S: Scalars, d: Scalar, scale: Scalar, flag: Scalar | None = None) -> Scalar:
    """1/d of the pivot of a multiplier, d ≤ 0; 0 where the row vanishes or depends on those of multipliers eliminated
    before, so that d is only what rounding leaves of ``scale``, and where the ``flag`` of its constraint is 0. Then the
    multiplier is 0."""
    if S.vanishes(d):
        return S.zero
    smallest = S.zero if S.same(d, scale) else S.mul(S.const(PIVOT_TOLERANCE), scale)
    if flag is not None:  # beside the pivot, on which all that follows waits
        smallest = S.where(flag, smallest, S.const(UNREACHED))
    return S.where(S.less(d, smallest), S.div(S.one, d), S.zero)


def strict_inverse(S: Scalars, d: Scalar, scale: Scalar, flag: Scalar | None = None) -> Scalar:
    """1/d of the pivot of a multiplier that must not vanish: infinite where d is only what rounding leaves of
    ``scale``, so that results are not finite there instead of wrong; 0 where the ``flag`` of its constraint is 0."""
    smallest = S.mul(S.const(PIVOT_TOLERANCE), scale)
    inverse = S.div(S.one, d if S.same(d, scale) else S.where(S.less(d, smallest), d, S.zero))
    return inverse if flag is None else S.where(flag, inverse, S.zero)


InvertPivot = Callable[[Scalars, Scalar, Scalar, Scalar | None], Scalar]
"""Returns the inverse of a multiplier's pivot from the pivot, its scale and its flag."""


def eliminate_row(
    S: Scalars,
    entries: Entries,
    j: int,
    later: Sequence[int],
    right: dict[int, Scalar] | None = None,
    scale: dict[int, Scalar] | None = None,
    related: Mapping[int, Collection[int]] = MappingProxyType({}),
    flags: Mapping[int, Scalar] = MappingProxyType({}),
    invert: InvertPivot = guarded_inverse,
) -> tuple[Scalar, dict[int, Scalar]]:
    """One step of M = L D Lᵀ: returns 1/d_j and l_kj of the ``later`` rows k that have an entry with row j. Their
    entries lose l d lᵀ, and their right sides, where given, l_kj times that of j. ``scale`` has a key for each
    multiplier, with the value zero at first: the sum of what the elimination of speeds adds to its diagonal entry.
    ``related`` are the rows, itself among them, whose sum is the scale of a multiplier: those of one constraint in the
    same unit, since the row along one direction may vanish where the others do not. ``flags`` are 0 for multipliers of
    constraints that are released: then 1/d_j is 0, and the other rows stay as they are. ``invert`` computes 1/d
    of multipliers."""
    sub, mul, scale = S.sub, S.mul, {} if scale is None else scale
    if j in scale:
        total = reduce(S.add, [scale[k] for k in related.get(j, (j,))])
        d = invert(S, entries.get((j, j), S.zero), total, flags.get(j))
    else:
        d = S.div(S.one, entries[j, j])
    rows = [k for k in later if entry(j, k) in entries]
    ratio = {k: mul(entries[entry(j, k)], d) for k in rows}
    for n, k in enumerate(rows):
        for other in rows[n:]:
            key, product = entry(k, other), mul(ratio[k], entries[entry(j, other)])
            entries[key] = sub(entries[key], product) if key in entries else S.neg(product)
            if k == other and k in scale and j not in scale:
                scale[k] = sub(scale[k], product)
        if right is not None:
            right[k] = sub(right[k], mul(ratio[k], right[j]))
    return d, ratio
