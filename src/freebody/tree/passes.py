"""The two passes over a tree, outwards and inwards, and the steps that only transform from link to link.

A step outwards computes a link's value from its parent's; a step inwards returns what a link passes to its parent,
where it is added. V is a twist (ω, v), F a wrench (n, f), φ a link's transform (Rodriguez, Jain & Kreutz 1991, Eq 2.3).
"""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench, collected
from freebody.spatial.scalars import dot3
from freebody.tree.tree import Link

T = TypeVar("T")


class Addable(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


Total = TypeVar("Total", bound=Addable)
Dual = TypeVar("Dual", Wrench, RigidInertia, ArticulatedInertia)


def outwards(
    links: Iterable[Link], step: Callable[[Link, T], T], start: T, known: dict[int, T] | None = None
) -> dict[int, T]:
    """A value for each link, by its index, from its parent's (of a root from ``start``). Links come parents first;
    ``known`` holds the values of other links, and gains these."""
    values = {} if known is None else known
    for link in links:
        values[link.index] = step(link, start if link.parent is None else values[link.parent.index])
    return values


def inwards(links: Sequence[Link], own: Sequence[Total], step: Callable[[Link, Total], Total | None]) -> list[Total]:
    """For each link the sum of its own value and what its children pass to it; ``step`` computes that from their
    sums."""
    totals = list(own)
    for link in reversed(links):
        passed = step(link, totals[link.index])
        if link.parent is not None and passed is not None:
            totals[link.parent.index] = totals[link.parent.index] + passed
    return totals


def path_to(link: Link, known: Container[int]) -> list[Link]:
    """The links from the root to this one without those that are known; chains are too long for recursion."""
    links: list[Link] = []
    one: Link | None = link
    while one is not None and one.index not in known:
        links.append(one)
        one = one.parent
    return links[::-1]


def to_parent(link: Link, value: Dual) -> Dual | None:
    """φ F, φ I φᵀ: a wrench, momentum or inertia about the parent's origin; None on the ground."""
    return value.back(link.X) if link.parent is not None else None


def velocity(link: Link, V: Twist) -> Twist:
    """V = φᵀ V_P + H u (Kwatny & Blankenship Eq 47)"""
    w = V.angular
    around = [w.in_(arm.frame).cross(arm) for arm in link.position_terms]  # ω passes there on its way to the link
    return Twist.of(w.in_(link.frame) + link.w_PB, collected(link.frame, [V.linear, *around, *link.v_PB]))


class LinkPose(NamedTuple):
    """The axes of the root frame G in a link's frame (the rows of R_GB), and p_GB."""

    axes: tuple[Vec, Vec, Vec]
    origin: Vec

    @classmethod
    def at(cls, root: Frame) -> "LinkPose":
        one, zero = root.S.one, root.S.zero
        x, y, z = (Vec(root, tuple(one if i == k else zero for i in range(3))) for k in range(3))
        return cls((x, y, z), Vec.zero(root))

    def to_root(self, v: Vec) -> Vec:
        """R_GB v"""
        v.check(self.axes[0].frame)
        return Vec(self.origin.frame, tuple(dot3(v.frame.S, axis.c, v.c) for axis in self.axes))


def pose(link: Link, P: LinkPose) -> LinkPose:
    """R_GB = R_GP R_PB, p_GB = p_GP + R_GP p_PB"""
    x, y, z = (axis.in_(link.frame) for axis in P.axes)
    return LinkPose((x, y, z), P.origin + P.to_root(link.p_PB))
