"""Collision shapes of robots as contacts with the ground."""

from collections.abc import Sequence
from typing import Any

from freebody.errors import FreebodyError, ModelError
from freebody.io.urdf_file import Robot, RobotLink
from freebody.model.builder import ModelBuilder
from freebody.model.contact.material import ContactMaterial
from freebody.model.contact.shape_on_body import ShapeOnBody
from freebody.model.kinds import suggest

FEET = ("foot", "feet", "toe", "sole", "ankle_roll")
"""Parts of names of links that are feet."""

SUNK = 1e-4
"""A robot of unknown material sinks in by this depth where one point carries its whole weight, in m."""

GRAVITY = 9.81


def add_contacts(system: ModelBuilder, robot: Robot, which: Any, material: Any, name: str) -> None:
    """Let collision shapes touch the plane z = 0: those of feet ("feet"), of all links ("all" or True), or of links by
    name."""
    if which is None or which is False:
        if material is not None:
            raise ModelError(f"{name}: material= is that of contacts; say which shapes touch: contacts='feet'")
        return
    links = _links(robot, which, name)
    shapes = [ShapeOnBody(link.body, shape) for link in links for shape in link.collisions]
    weight = GRAVITY * sum(float(link.inertial.mass) for link in robot.links.values())
    if material is None:
        material = ContactMaterial(weight / SUNK or 1e4, dissipation=0.5, friction=0.8, name="robot")
    try:
        system.contacts(shapes, [system.ground.plane()], material)
    except FreebodyError as error:
        raise ModelError(f"{name}: contacts={which!r}: {error}") from None


def _links(robot: Robot, which: Any, name: str) -> list[RobotLink]:
    touching = [link for link in robot.links.values() if link.collisions]
    parents = {joint.parent for joint in robot.joints.values()}
    if not touching:
        ends = [link for link in robot.links.values() if link.name not in parents]
        example = next((link for link in ends if _is_foot(link)), ends[-1])
        raise ModelError(
            f"{name}: contacts={which!r}, and no link of the file has a <collision> shape; load it without contacts="
            f" and add them in Python: s.contact(s.bodies[{example.body!r}].shape(fb.Sphere(0.02)), s.ground.plane(),"
            " material)"
        )
    if which is True or which == "all":
        return touching
    if which == "feet":
        feet = [link for link in touching if _is_foot(link)]
        return feet or [link for link in touching if link.name not in parents]
    if isinstance(which, str) or not isinstance(which, Sequence) or not all(isinstance(one, str) for one in which):
        raise ModelError(f"{name}: contacts is 'feet', 'all', or a list of names of links, not {which!r:.80}")
    known = {link.name: link for link in touching}
    for one in which:
        if one not in known:
            raise ModelError(f"{name}: contacts: no link '{one}' has a <collision> shape. {suggest(one, [*known])}")
    return [known[one] for one in which]


def _is_foot(link: RobotLink) -> bool:
    """Whether a link is called like a foot."""
    return any(part in link.name.lower() for part in FEET)
