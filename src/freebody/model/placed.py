"""Bodies placed in a graph: what the names of bodies and frames in elements mean there."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from freebody.errors import ModelError
from freebody.model.body import Body, Ground, Point, Recipe, Reference, attach
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Vector, handle

if TYPE_CHECKING:
    from freebody.model.vectors import Components, PointSpec

Attach = Callable[[Recipe, Reference, int], Body]


class FrameAddress(NamedTuple):
    """The frame ``back`` turns before a body's own axes: 0 is its own, the last one on the way is its joint's zero."""

    body: str
    back: int


class PlacedBodies:
    """The ground and bodies on it, in one graph. Elements name bodies and frames; this says what the names mean."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.ground = graph, Ground(Frame("ground", graph))
        self.bodies: dict[str, Body] = {}  # parents first
        self._addresses: dict[Frame, FrameAddress] = {}
        self._unknown: list[Reference] = [self.ground]  # bodies whose frames have no address yet

    def add(self, recipe: Recipe, place: Attach = attach) -> Body:
        """Place a body on its parent; ``place`` makes a body of its recipe, its parent and its index."""
        body = self.bodies[recipe.name] = place(recipe, self.body(recipe.parent), len(self.bodies))
        self._unknown.append(body)
        return body

    def body(self, name: str) -> Reference:
        """The body of this name, or the ground."""
        return self.ground if name == "ground" else self.bodies[name]

    def scalar(self, value: Any) -> Expr:
        """A scalar of an element as an expression of this graph."""
        return Expr(self.graph, handle(self.graph, value, "a scalar is needed here"))

    def frame(self, address: FrameAddress) -> Frame:
        """The frame of an address, counted along the turns that the joint describes, however the body was placed."""
        body = self.body(address.body)
        return body.frame if address.back == 0 else next(islice(_frames(body), address.back, None))

    def vector(self, terms: "Sequence[Components]") -> Vector:
        """The sum of terms along the axes of frames. An axis of a frame may be (minus) one of another frame here."""
        g, parts = self.graph, dict[Unit, int]()
        for term in terms:
            for (sign, unit), x in zip(self.frame(term.frame).basis, term.xyz, strict=True):
                s = handle(g, x, "a scalar is needed here")
                if s != g.zero:
                    s = s if sign > 0 else g.neg(s)
                    parts[unit] = g.add(parts[unit], s) if unit in parts else s
        return Vector(g, parts)

    def point(self, place: "PointSpec") -> Point:
        """The point that an element describes."""
        return Point(self.body(place.body), self.vector(place.at), place.name)

    def address(self, frame: Frame) -> FrameAddress:
        """The address of a frame, by the first body that has it on its way to the ground."""
        for body in self._unknown:
            for back, one in enumerate(_upwards(body.frame)):
                if one in self._addresses:
                    break
                self._addresses[one] = FrameAddress(body.name, back)
        self._unknown.clear()
        found = self._addresses.get(frame)
        if found is None:
            raise ModelError(f"frame '{frame.name}' leads to no body of this system; use the axes of bodies")
        return found

    def frame_before(self, body: Reference, back: int) -> Frame:
        """The frame so many turns before a body's own, none before its parent's."""
        last = body.parent.frame if isinstance(body, Body) else body.frame
        frame = body.frame
        for done in range(back):
            if frame is last or frame.parent is None:
                raise ModelError(
                    f"'{body.name}' is {done} turns from its parent; there is no frame {back} turns before it"
                )
            frame = frame.parent
        return frame


def _upwards(frame: Frame | None) -> Iterator[Frame]:
    """A frame, its parent, and so on; an iterator, because chains are long."""
    while frame is not None:
        yield frame
        frame = frame.parent


def _frames(body: Reference) -> Iterator[Frame]:
    """The frames from a body's own to the ground's as joints describe them, those of a joint's stages one after
    another."""
    while isinstance(body, Body):
        for frame in body.chain or _upwards(body.frame):
            if frame is body.parent.frame:
                break
            yield frame
        body = body.parent
    yield body.frame
