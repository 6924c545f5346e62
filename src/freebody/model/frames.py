"""Names for the frames of a system: every frame is a body's own, or so many turns before it."""

from collections.abc import Iterable
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.model.body import Body, Reference
from freebody.spatial.frame import Frame


class Address(NamedTuple):
    """The frame ``back`` turns before a body's own axes: 0 is its own, the last one on the way is its joint's zero."""

    body: str
    back: int


def addresses(bodies: Iterable[Reference]) -> dict[Frame, Address]:
    """The address of every frame that leads to these bodies, by the first body that has it on its way."""
    found: dict[Frame, Address] = {}
    for body in bodies:
        frame: Frame | None = body.frame
        back = 0
        while frame is not None and frame not in found:
            found[frame] = Address(body.name, back)
            frame, back = frame.parent, back + 1
    return found


def frame_before(body: Reference, back: int) -> Frame:
    """The frame so many turns before a body's own, none before its parent's."""
    last = body.parent.frame if isinstance(body, Body) else body.frame
    frame = body.frame
    for done in range(back):
        if frame is last or frame.parent is None:
            raise ModelError(f"'{body.name}' is {done} turns from its parent; there is no frame {back} turns before it")
        frame = frame.parent
    return frame
