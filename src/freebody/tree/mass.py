"""The mass matrix by composite bodies: each speed's column is a wrench handed inwards.

The column of a speed is the wrench that u̇ = 1 alone needs; a link with all that hangs on it moves as one body then.
"""

from collections.abc import Sequence

from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Wrench
from freebody.spatial.scalars import Scalar, Scalars
from freebody.tree.forest import Forest, Link
from freebody.tree.joint_forces import armatures
from freebody.tree.passes import handed, inwards

Entries = dict[tuple[int, int], Scalar]


def composites(forest: Forest, inertias: Sequence[RigidInertia]) -> list[RigidInertia]:
    """Each link with all that hangs on it, about its own origin."""
    return inwards(forest.links, inertias, handed)


def mass(forest: Forest, inertias: Sequence[RigidInertia], by_trace: bool = False) -> Entries:
    """M's lower triangle; entries that are structurally zero are absent."""
    g, entries = forest.graph, Entries()
    for link, composite in zip(forest.links, composites(forest, inertias), strict=True):
        for c in link.columns:
            _column(g, entries, link, c.speed, composite.apply(c.twist, by_trace), inner=False)
        if link.inside is not None:
            for speed, F in zip(link.u, link.inside.fr, strict=True):
                _column(g, entries, link, speed, F, inner=True)
            for (i, j), value in link.inside.ff.items():
                gather(g, entries, link.u[i], link.u[j], value)
    for speed, value in armatures(forest).items():
        gather(g, entries, speed, speed, value)
    return {key: value for key, value in sorted(entries.items()) if not g.vanishes(value)}


def _column(S: Scalars, entries: Entries, link: Link, speed: int, F: Wrench, inner: bool) -> None:
    """The rows of a column: of the link itself (above the diagonal they are not wanted), then of those it hangs on.
    What two columns of one speed are to each other counts both ways."""
    while True:
        for row, H, *_ in link.columns:
            if inner or row <= speed:
                value = H.dot(F)
                gather(S, entries, speed, row, S.mul(S.const(2), value) if inner and row == speed else value)
        if link.parent is None:
            return
        F, link, inner = F.back(link.X), link.parent, True


# Symmetric matrices by their lower triangles


def eliminated(
    S: Scalars, entries: Entries, j: int, later: Sequence[int], right: dict[int, Scalar] | None = None
) -> tuple[Scalar, dict[int, Scalar]]:
    """One step of M = L D Lᵀ: the inverse pivot of row j, and its ratios to the rows that come later and have an entry
    with it, whose entries lose l d lᵀ and whose right sides, where given, lose l times that of j."""
    sub, mul, d = S.sub, S.mul, S.div(S.one, entries[j, j])
    rows = [k for k in later if entry(j, k) in entries]
    ratio = {k: mul(entries[entry(j, k)], d) for k in rows}
    for n, k in enumerate(rows):
        for other in rows[n:]:
            key, product = entry(k, other), mul(ratio[k], entries[entry(j, other)])
            entries[key] = sub(entries[key], product) if key in entries else S.neg(product)
        if right is not None:
            right[k] = sub(right[k], mul(ratio[k], right[j]))
    return d, ratio


def entry(i: int, j: int) -> tuple[int, int]:
    """Where the lower triangle has a pair."""
    return (i, j) if i >= j else (j, i)


def gather(S: Scalars, entries: Entries, i: int, j: int, value: Scalar) -> None:
    """Add to an entry of a symmetric matrix's lower triangle: links that share a speed meet in one entry."""
    key = entry(i, j)
    entries[key] = S.add(entries[key], value) if key in entries else value
