"""Elements of a URDF file to plain data: every joint, link and solid, checked one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from freebody.io import limits
from freebody.io.urdf_pose import Pose, Trio, conjugated, trio, turned, unit
from freebody.io.urdf_robot import KINDS, Inertial, Mimic, Robot, RobotJoint, RobotLink
from freebody.io.urdf_xml import Element
from freebody.model.shapes import Box, Cylinder, Mesh, Sphere

ZERO = (0.0, 0.0, 0.0)
TAKEN = ("ground", "t")  # names that mean something else in every system
Shape = Box | Cylinder | Sphere | Mesh


def robot(root: Element, floating: bool, snap: float) -> Robot:
    """The robot of a file's root element, its links and joints in order from the root outwards."""
    if root.tag != "robot":
        raise root.error(f"a URDF file begins with <robot>, not with <{root.tag[:40]}>")
    links = {name: _link(e, snap) for name, e in _named(root, "link").items()}
    if not links:
        raise root.error("there are no links; a robot has at least one")
    if len(links) > limits.BODIES:
        raise root.error(f"there are {len(links)} links; a robot has at most {limits.BODIES}")
    elements = _named(root, "joint")
    joints = {name: _joint(e, links, snap) for name, e in elements.items()}
    first, order = _outwards(root, elements, joints, links)
    name = root.name() if "name" in root.attributes else "robot"
    by_child = {joint.child: joint for joint in joints.values()}
    ordered = {by_child[link].name: by_child[link] for link in order if link != first}
    return Robot(name, first, floating, {link: links[link] for link in order}, ordered)


def _named(root: Element, tag: str) -> dict[str, Element]:
    made: dict[str, Element] = {}
    for element in root.all(tag):
        name = element.name()
        if name in made:
            raise element.error(f"there is another {tag} '{name}' in line {made[name].line}; choose another name")
        made[name] = element
    return made


# Links


def _link(e: Element, snap: float) -> RobotLink:
    name, inertial = e.name(), e.one("inertial")
    own = Inertial() if inertial is None else _inertial(inertial, snap)
    shapes = [shape for visual in e.all("visual") if (shape := _shape(visual)) is not None]
    return RobotLink(name, f"{name} link" if name in TAKEN else name, own, tuple(shapes), e.line)


def _inertial(e: Element, snap: float) -> Inertial:
    mass, moments, place = e.needed("mass"), e.needed("inertia"), _pose(e, snap)
    m = trio([mass.number("value"), 0, 0])[0]
    if m < 0:
        raise mass.error(f"a mass cannot be negative, as {m:g} is", "value")
    xx, xy, xz, yy, yz, zz = (moments.number(f"i{k}") for k in ("xx", "xy", "xz", "yy", "yz", "zz"))
    return Inertial(m, place.p, conjugated(place.R, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))))


def _pose(e: Element, snap: float) -> Pose:
    origin = e.one("origin")
    if origin is None:
        return Pose()
    return Pose(turned(origin.three("rpy", ZERO), snap), trio(origin.three("xyz", ZERO)))


def _shape(visual: Element) -> Shape | None:
    """A visual; one of another kind than the library has is left out."""
    origin, geometry = visual.one("origin"), visual.needed("geometry")
    at, rpy = (ZERO, ZERO) if origin is None else (origin.three("xyz", ZERO), origin.three("rpy", ZERO))
    made = next((SHAPES[e.tag](e) for e in geometry.children if e.tag in SHAPES), None)
    return None if made is None else replace(made, at=trio(at), rpy=trio(rpy))


def _box(e: Element) -> Shape:
    return Box(*trio(e.three("size")))


def _cylinder(e: Element) -> Shape:
    return Cylinder(e.number("radius"), e.number("length"))


def _sphere(e: Element) -> Shape:
    return Sphere(e.number("radius"))


def _mesh(e: Element) -> Shape:
    scale = trio(e.three("scale", (1.0, 1.0, 1.0)))
    return Mesh(e.text("filename"), scale[0] if len({*scale}) == 1 else scale)


SHAPES = {"box": _box, "cylinder": _cylinder, "sphere": _sphere, "mesh": _mesh}


# Joints


def _joint(e: Element, links: Mapping[str, RobotLink], snap: float) -> RobotJoint:
    name, kind = e.name(), next((k for k in KINDS if k == e.text("type")), None)
    if kind is None:
        raise e.error(f"there is no joint of type {e.text('type')[:40]!r}; there are {', '.join(KINDS)}", "type")
    parent, child = (_ends(e.needed(end), links) for end in ("parent", "child"))
    made = RobotJoint(name, kind, parent, child, links[child].body, _pose(e, snap), _axis(e, snap), line=e.line)
    if parent == child:
        raise e.error(f"it joins link '{child}' to itself")
    more: dict[str, Any] = {**_limits(e, kind), **_dynamics(e)}
    return replace(made, mimic=_mimic(e), **more)


def _ends(e: Element, links: Mapping[str, RobotLink]) -> str:
    link = e.text("link")
    if link not in links:
        from freebody.model.kinds import suggest

        raise e.error(f"there is no link '{link[:60]}'. {suggest(link, list(links))}", "link")
    return link


def _axis(e: Element, snap: float) -> Trio:
    axis = e.one("axis")
    given = (1.0, 0.0, 0.0) if axis is None else axis.three("xyz", (1.0, 0.0, 0.0))
    found = unit(given, snap)
    if found is None and e.text("type") in ("fixed", "floating"):
        return 1, 0, 0
    if found is None:
        raise (axis or e).error("a direction of length 0 points nowhere", "xyz")
    return found


def _limits(e: Element, kind: str) -> dict[str, float]:
    """Limits; one that is left out of a pair is 0, as the format has it, and where both are there is none."""
    limit = e.one("limit")
    if limit is None:
        return {}
    made = {k: limit.limit(k, inf) for k in ("effort", "velocity")}
    if kind in ("revolute", "prismatic") and {"lower", "upper"} & limit.attributes.keys():
        made |= {k: limit.limit(k, 0.0) for k in ("lower", "upper")}
        if made["lower"] > made["upper"]:
            raise limit.error(f"the lower one, {made['lower']:g}, is above the upper one, {made['upper']:g}")
    return made


def _dynamics(e: Element) -> dict[str, float]:
    found = e.one("dynamics")
    return {} if found is None else {k: trio([found.number(k, 0.0), 0, 0])[0] for k in ("damping", "friction")}


def _mimic(e: Element) -> Mimic | None:
    found = e.one("mimic")
    if found is None:
        return None
    return Mimic(found.text("joint"), found.number("multiplier", 1.0), found.number("offset", 0.0))


# The tree


def _outwards(
    root: Element, elements: Mapping[str, Element], joints: Mapping[str, RobotJoint], links: Mapping[str, RobotLink]
) -> tuple[str, list[str]]:
    """The root, and the links from there outwards: each branch to its end, children in the file's order."""
    above: dict[str, RobotJoint] = {}
    children: dict[str, list[str]] = {name: [] for name in links}
    for joint in joints.values():
        if joint.child in above:
            raise elements[joint.name].error(
                f"link '{joint.child}' hangs on '{above[joint.child].parent}' already (joint"
                f" '{above[joint.child].name}'); a URDF is a tree, where each link has one parent"
            )
        above[joint.child] = joint
        children[joint.parent].append(joint.child)
    roots = [name for name in links if name not in above]
    if len(roots) != 1:
        raise root.error(_rootless(roots))
    order, todo = list[str](), roots[:]
    while todo:
        order.append(todo.pop())
        todo += reversed(children[order[-1]])
    if len(order) < len(links):
        lost = next(name for name in links if name not in {*order})
        raise elements[above[lost].name].error(f"link '{lost}' hangs on itself in a ring; a URDF is a tree")
    return roots[0], order


def _rootless(roots: Sequence[str]) -> str:
    if not roots:
        return "every link hangs on another, in a ring; a URDF is a tree with one root"
    return f"{len(roots)} links hang on nothing ({', '.join(roots[:6])}); join all but one to the tree"
