"""Vectors as short sums of ``Vec``s in the frames along one transform, resolved where that costs least."""

from collections.abc import Sequence

from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Vec
from freebody.spatial.scalars import Scalar

Terms = tuple[Vec, ...]


def collected(frame: Frame, parts: Sequence[Vec]) -> Vec:
    """A sum in one frame. What lies farthest is turned first and meets the others on its way, so that turns are
    shared."""
    waiting: dict[Frame, Vec] = {}
    for v in parts:
        if not v.is_zero:
            waiting[v.frame] = waiting[v.frame] + v if v.frame in waiting else v
    if len(waiting) < 2:
        return next(iter(waiting.values())).in_(frame) if waiting else Vec.zero(frame)
    routes = {home: home.path(frame) for home in waiting}
    while len(waiting) > 1 or frame not in waiting:
        far = max(waiting, key=lambda f: (len(routes[f]), f.depth, f.name))
        following = routes[far][1]
        routes.setdefault(following, routes[far][1:])
        moved = Vec(following, far.step(following, waiting.pop(far).xyz))
        waiting[following] = waiting[following] + moved if following in waiting else moved
    return waiting[frame]


def meeting(parts: Sequence[Vec]) -> Frame:
    """The frame among these vectors' own in which all are had with the fewest turns."""
    return min({v.frame: None for v in parts}, key=lambda frame: (sum(v.turns(frame) for v in parts), -frame.depth))


def dotted(parts: Terms, v: Vec) -> Scalar:
    """A sum's product with a vector, where the fewest turns are needed."""
    where = meeting((v, *parts))
    return collected(where, parts).dot(v.in_(where))
