"""The two passes over a tree, and the steps that only carry things: everything recursive is one of these.

A step outwards makes a link's value from its parent's; a step inwards says what a link hands to its parent, which is
added there. V is a twist (ω, v), F a wrench (n, f), φ the transform of a link (Rodriguez, Jain & Kreutz 1991, Eq 2.3).
"""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench, collected
from freebody.spatial.scalars import dot3
from freebody.tree.forest import Link

T = TypeVar("T")


class Sums(Protocol):
    """What can be added."""

    def __add__(self, other: Self, /) -> Self: ...


Total = TypeVar("Total", bound=Sums)
Dual = TypeVar("Dual", Wrench, RigidInertia, ArticulatedInertia)


def outwards(
    links: Iterable[Link], step: Callable[[Link, T], T], start: T, made: dict[int, T] | None = None
) -> dict[int, T]:
    """A value for each link, by its index, from its parent's (of a root: from ``start``). Links come parents first;
    those in ``made`` are known already."""
    found = {} if made is None else made
    for link in links:
        found[link.index] = step(link, start if link.parent is None else found[link.parent.index])
    return found


def inwards(links: Sequence[Link], own: Sequence[Total], step: Callable[[Link, Total], Total | None]) -> list[Total]:
    """Each link's own value with all that is handed to it by those that hang on it."""
    total = list(own)
    for link in reversed(links):
        handed = step(link, total[link.index])
        if link.parent is not None and handed is not None:
            total[link.parent.index] = total[link.parent.index] + handed
    return total


def unknown(link: Link, known: Container[int]) -> list[Link]:
    """The links on the way from the root to this one that are not known yet; chains are too long for recursion."""
    links: list[Link] = []
    one: Link | None = link
    while one is not None and one.index not in known:
        links.append(one)
        one = one.parent
    return links[::-1]


# Steps


def handed(link: Link, value: Dual) -> Dual | None:
    """φ F, φ I φᵀ: wrenches, momenta and inertias about the parent's origin."""
    return value.back(link.X) if link.parent is not None else None


def velocity(link: Link, V: Twist) -> Twist:
    """V = φᵀ V_P + H u (Kwatny & Blankenship Eq 47)"""
    w = V.angular
    around = [w.in_(arm.frame).cross(arm) for arm in link.place]  # ω passes there on its way to the link
    return Twist.of(w.in_(link.frame) + link.turning, collected(link.frame, [V.linear, *around, *link.sliding]))


class LinkPose(NamedTuple):
    """The axes of a root frame in a link's frame (the rows of R), and the link's origin from the root's."""

    axes: tuple[Vec, Vec, Vec]
    origin: Vec

    @classmethod
    def at(cls, root: Frame) -> "LinkPose":
        one, zero = root.S.one, root.S.zero
        x, y, z = (Vec(root, tuple(one if i == k else zero for i in range(3))) for k in range(3))
        return cls((x, y, z), Vec.zero(root))

    def of(self, v: Vec) -> Vec:
        """A vector of the link's frame along the root's axes."""
        v.check(self.axes[0].frame)
        return Vec(self.origin.frame, tuple(dot3(v.frame.S, axis.c, v.c) for axis in self.axes))


def pose(link: Link, P: LinkPose) -> LinkPose:
    """R_GB = R_GP R_PB, p_GB = p_GP + R_GP p"""
    x, y, z = (axis.in_(link.frame) for axis in P.axes)
    return LinkPose((x, y, z), P.origin + P.of(Vec(link.X.base, link.X.arm)))
