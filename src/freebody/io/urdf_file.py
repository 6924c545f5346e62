"""URDF files to plain data: XML elements with line numbers, then links and joints, each checked.

The text is checked before the parser (expat, by defusedxml) reads it: its size and characters by ``limits``, and the
number of its tags. No DTD, no entities; depth and number of elements are bounded; numbers are read strictly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from math import cos, hypot, inf, isfinite, sin
from typing import Any, Literal

from freebody.errors import FileError
from freebody.io import limits
from freebody.io.other_formats import XACRO, format_of_root
from freebody.io.yaml_lines import DECIMAL
from freebody.model.kinds import suggest
from freebody.model.shapes import Box, Capsule, Cylinder, Mesh, Sphere

Number = int | float
Three = tuple[float, float, float]
Trio = tuple[Number, Number, Number]
Rows = tuple[Trio, Trio, Trio]
Shape = Box | Capsule | Cylinder | Sphere | Mesh
Color = tuple[Three | None, float]  # and opacity
ROUNDING = 1e-15  # of an entry of a rotation
OPEN = {"inf": inf, "+inf": inf, "-inf": -inf, "infinity": inf, "+infinity": inf, "-infinity": -inf}
TAGS = 100_000  # elements, comments and instructions
SEEN = 60  # characters of a wrong text that are shown
ZERO = (0.0, 0.0, 0.0)
RESERVED = ("ground", "t")  # names with another meaning in every system
JointKind = Literal["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]
KINDS: tuple[JointKind, ...] = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")
LOOP_KINDS = (*KINDS, "spherical", "cylindrical")
"""Types of joints that close loops."""


# XML


@dataclass(slots=True)
class XmlElement:
    """An element with its line, column (from 1) and path: ``joint 'elbow' origin``."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    column: int
    path: str
    children: "list[XmlElement]" = field(default_factory=list)

    def error(self, message: str, attribute: str = "") -> FileError:
        """An error here, or at an attribute."""
        return FileError(message, self.file, self.line, self.column, f"{self.path} {attribute}".strip())

    def all(self, tag: str) -> "list[XmlElement]":
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> "XmlElement | None":
        """The only child of a kind."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].error(f"<{tag}> is given twice; the first is in line {found[0].line}. Leave one")
        return found[0] if found else None

    def needed(self, tag: str) -> "XmlElement":
        found = self.one(tag)
        if found is None:
            raise self.error(f"<{tag}> is missing")
        return found

    def text(self, attribute: str) -> str:
        """An attribute that must be there."""
        if attribute not in self.attributes:
            raise self.error(f"the attribute '{attribute}' is missing")
        if "${" in self.attributes[attribute]:
            raise self.error(f"{self.attributes[attribute][:SEEN]!r}: {XACRO.text(self.file)}", attribute)
        return self.attributes[attribute]

    def name(self, attribute: str = "name") -> str:
        """A name that the library can hold."""
        found = self.text(attribute)
        if not found.strip() or len(found) > limits.NAME or not found.isprintable():
            raise self.error(f"a name has 1 to {limits.NAME} visible characters, not {found[:SEEN]!r}", attribute)
        return found

    def number(self, attribute: str, default: float | None = None) -> float:
        if attribute not in self.attributes and default is not None:
            return default
        return self.read_number(self.text(attribute).strip(), attribute)

    def limit(self, attribute: str, default: float) -> float:
        """A number, which may also be infinite."""
        text = self.attributes.get(attribute, "").strip().lower()
        return OPEN[text] if text in OPEN else self.number(attribute, default)

    def three(self, attribute: str, default: Three | None = None) -> Three:
        if attribute not in self.attributes and default is not None:
            return default
        words = self.text(attribute).split()
        if len(words) != 3:
            raise self.error(f"three numbers are needed, not {len(words)}", attribute)
        x, y, z = (self.read_number(word, attribute) for word in words)
        return x, y, z

    def read_number(self, text: str, attribute: str) -> float:
        """The number that a part of an attribute's text is."""
        if not DECIMAL.fullmatch(text):
            raise self.error(f"{text[:SEEN]!r} is not a number", attribute)
        value = float(text) + 0.0  # −0 is 0
        if not isfinite(value):
            raise self.error(f"{text[:SEEN]} is too large for a number with 64 bits", attribute)
        return value


def parse_xml(text: str, file: str) -> XmlElement:
    """The root element of a text."""
    limits.check(text, file)
    tags = text.count("<") - text.count("</")
    if tags > TAGS:
        raise FileError(f"it has {tags} elements; a URDF file has at most {TAGS}", file)
    from xml.sax import SAXParseException
    from xml.sax.xmlreader import InputSource

    from defusedxml.common import DefusedXmlException
    from defusedxml.expatreader import create_parser

    builder, source = _TreeBuilder(file), InputSource()
    source.setCharacterStream(StringIO(text))
    parser = create_parser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(builder)
    try:
        parser.parse(source)
    except DefusedXmlException:
        where = parser.getLineNumber(), parser.getColumnNumber() + 1
        raise FileError("a DTD (<!DOCTYPE …>) and entities are not read; files are data", file, *where) from None
    except SAXParseException as error:
        where = error.getLineNumber() or 0, (error.getColumnNumber() or 0) + 1
        hint = "; a model file in YAML ends in .yaml" if where == (1, 1) else ""
        raise FileError(f"this is not XML: {error.getMessage()}{hint}", file, *where) from None
    assert builder.root is not None, "expat refuses a text without an element"
    return builder.root


class _TreeBuilder:
    """The SAX handler that builds the elements; events that it does not use do nothing."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self.locator = locator

    def startElement(self, tag: str, attributes: Any) -> None:
        line, column = self.locator.getLineNumber(), self.locator.getColumnNumber() + 1
        path = f"{tag[:SEEN]} '{attributes['name'][:SEEN]}'" if "name" in attributes and self.open else tag[:SEEN]
        if len(self.open) > 1:
            path = f"{self.open[-1].path} {path}"[:200]
        element = XmlElement(tag, dict(attributes), self.file, line, column, path)
        if len(self.open) >= limits.DEPTH:
            raise FileError(f"more than {limits.DEPTH} elements are nested", self.file, line, column)
        if tag.startswith("xacro:"):
            raise element.error(XACRO.text(self.file))
        long = [key for key, value in element.attributes.items() if len(value) > limits.TEXT]
        if long:
            raise element.error(f"a text has more than {limits.TEXT} characters", long[0][:SEEN])
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def endElement(self, tag: str) -> None:
        self.open.pop()

    def _ignore(self, *event: Any) -> None:
        """Texts, instructions, the start and end of the document."""

    startDocument = endDocument = characters = ignorableWhitespace = processingInstruction = _ignore
    startPrefixMapping = endPrefixMapping = skippedEntity = _ignore


# Rotations in plain numbers. Those whose axes lie along each other are exact, so that frames share them.


@dataclass(frozen=True)
class FixedPose:
    """A frame in another: R (components here to components there) and the position p of its origin."""

    R: Rows = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    p: Trio = (0, 0, 0)

    def then(self, other: "FixedPose") -> "FixedPose":
        """The pose of a frame that lies at ``other`` in this one."""
        x, y, z = (plain(a + b) for a, b in zip(self.p, times(self.R, other.p), strict=True))
        return FixedPose(clean(product(self.R, other.R)), (x, y, z))


def plain(x: Number) -> Number:
    """A whole number as an exact one."""
    return int(x) if isinstance(x, float) and x.is_integer() and abs(x) < 2**53 else x


def trio(values: Sequence[Number]) -> Trio:
    x, y, z = map(plain, values)
    return x, y, z


def times(A: Rows, v: Sequence[Number]) -> Trio:
    x, y, z = (sum(a * b for a, b in zip(row, v, strict=True)) for row in A)
    return x, y, z


def product(A: Rows, B: Rows) -> Rows:
    return transposed(tuple(times(A, column) for column in transposed(B)))


def transposed(A: Sequence[Sequence[Number]]) -> Rows:
    x, y, z = ((r[0], r[1], r[2]) for r in zip(*A, strict=True))
    return x, y, z


def clean(R: Sequence[Sequence[Number]]) -> Rows:
    """R with entries that only rounding keeps from 0 set to 0."""
    x, y, z = (_exact_axis(row, ROUNDING) or trio([0 if abs(v) <= ROUNDING else v for v in row]) for row in R)
    return x, y, z


def _exact_axis(row: Sequence[Number], near: float) -> Trio | None:
    """The axis that a unit vector lies along within ``near``, else None."""
    large = [k for k, v in enumerate(row) if abs(v) > near]
    if len(large) != 1:
        return None
    x, y, z = (0 if k != large[0] else 1 if row[k] > 0 else -1 for k in range(3))
    return x, y, z


def rotation_from_rpy(rpy: Sequence[float], snap: float) -> Rows:
    """R of roll, pitch and yaw about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll); angles within ``snap`` of quarter
    turns are taken as exact."""
    (cr, sr), (cp, sp), (cy, sy) = (circle(a, snap) for a in rpy)
    R = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return clean(R)


def circle(angle: float, snap: float) -> tuple[Number, Number]:
    """cos and sin, exact within ``snap`` of a quarter turn."""
    c, s = cos(angle), sin(angle)
    if abs(c) <= snap:
        return 0, 1 if s > 0 else -1
    return (1 if c > 0 else -1, 0) if abs(s) <= snap else (c, s)


def rotation_about(axis: Sequence[float], angle: float, snap: float) -> Rows:
    """R of a rotation by an angle about a unit vector (Rodrigues)."""
    x, y, z = axis
    c, s = circle(angle, snap)
    d = 1 - c
    R = (
        (c + d * x * x, d * x * y - s * z, d * x * z + s * y),
        (d * x * y + s * z, c + d * y * y, d * y * z - s * x),
        (d * x * z - s * y, d * y * z + s * x, c + d * z * z),
    )
    return clean(R)


def unit(axis: Sequence[float], snap: float) -> Trio | None:
    """The direction with length 1, exactly along an axis where it is within ``snap``; None if its length is 0."""
    length = hypot(*axis)
    if length == 0:
        return None
    direction = [v / length for v in axis]
    return _exact_axis(direction, snap) or trio(direction)


def rotate_inertia(R: Rows, J: Rows) -> Rows:
    """R J Rᵀ, symmetric to the last bit."""
    M = product(product(R, J), transposed(R))
    xx, yy, zz, xy, xz, yz = (plain(M[i][j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


# What a file holds


@dataclass(frozen=True)
class Mimic:
    """q of this joint = multiplier · q of another + offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class LinkInertia:
    """Mass, mass centre and inertia about it, along the link's axes."""

    mass: float = 0
    com: Trio = (0, 0, 0)
    inertia: Rows = ((0, 0, 0), (0, 0, 0), (0, 0, 0))

    @property
    def zero(self) -> bool:
        return self.mass == 0 and all(v == 0 for row in self.inertia for v in row)


@dataclass(frozen=True)
class RobotLink:
    """A link; ``body`` is its name in the system."""

    name: str
    body: str
    inertial: LinkInertia
    shapes: tuple[Shape, ...]
    line: int
    collisions: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class RobotJoint:
    """A joint; ``body`` is the name of its child in the system, and so of its coordinates. ``locked`` is the value at
    which it is held, None if it moves."""

    name: str
    kind: JointKind
    parent: str
    child: str
    body: str
    origin: FixedPose
    axis: Trio
    lower: float = -inf
    upper: float = inf
    effort: float = inf
    velocity: float = inf
    damping: float = 0
    friction: float = 0
    mimic: Mimic | None = None
    locked: float | None = None
    line: int = 0

    @property
    def moves(self) -> bool:
        return self.kind != "fixed" and self.locked is None


@dataclass(frozen=True)
class RobotLoop:
    """A joint that closes a loop: the names of its two links, and its frame in each of them; the axis is along its
    frame in the first link."""

    name: str
    kind: str
    links: tuple[str, str]
    poses: tuple[FixedPose, FixedPose]
    axis: Trio
    damping: float = 0
    friction: float = 0
    line: int = 0


@dataclass(frozen=True)
class Robot:
    """A robot's links and joints by their names in the file, parents first; ``root`` is the link that has no parent.
    ``loops`` are the joints that close loops."""

    name: str
    root: str
    floating: bool
    links: dict[str, RobotLink] = field(default_factory=dict)
    joints: dict[str, RobotJoint] = field(default_factory=dict)
    loops: dict[str, RobotLoop] = field(default_factory=dict)


# Robots


def read_robot(
    root: XmlElement, floating: bool, snap: float, folders: Sequence[str] = (), collisions: bool = False
) -> Robot:
    """The robot of a file's root element, its links and joints in order from the root outwards. Its meshes are searched
    for in the folders."""
    if root.tag != "robot":
        other = format_of_root(root.tag)
        why = "" if other is None else f"; {other.text(root.file)}"
        raise root.error(f"a URDF file begins with <robot>, not with <{root.tag[:40]}>{why}")
    materials: dict[str, Color] = {}
    for e in (root, *(visual for link in root.all("link") for visual in link.all("visual"))):
        for material in e.all("material"):  # also those that a visual defines have names for all
            if material.all("color"):
                materials.setdefault(material.attributes.get("name", ""), _color(material, {}))
    links = {name: _link(e, snap, materials, folders, collisions) for name, e in _named(root, "link").items()}
    if not links:
        raise root.error("there are no links; a robot has at least one")
    if len(links) > limits.BODIES:
        raise root.error(f"there are {len(links)} links; a robot has at most {limits.BODIES}")
    elements = _named(root, "joint")
    joints = {name: _joint(e, links, snap) for name, e in elements.items()}
    loops = {name: _loop(e, links, snap) for name, e in _named(root, "loop_joint").items()}
    order = _outwards(root, elements, joints, links)
    name = root.name() if "name" in root.attributes else "robot"
    by_child = {joint.child: joint for joint in joints.values()}
    ordered = {by_child[link].name: by_child[link] for link in order[1:]}
    return Robot(name, order[0], floating, {link: links[link] for link in order}, ordered, loops)


def _named(root: XmlElement, tag: str) -> dict[str, XmlElement]:
    elements: dict[str, XmlElement] = {}
    for element in root.all(tag):
        name = element.name()
        if name in elements:
            raise element.error(f"there is another {tag} '{name}' in line {elements[name].line}; choose another name")
        elements[name] = element
    return elements


def _link(
    e: XmlElement, snap: float, materials: Mapping[str, Color], folders: Sequence[str], collides: bool
) -> RobotLink:
    name, inertial, inertia = e.name(), e.one("inertial"), LinkInertia()
    if inertial is not None:
        mass, moments, pose = inertial.needed("mass"), inertial.needed("inertia"), _pose(inertial, snap)
        m = plain(mass.number("value"))
        if m < 0:
            raise mass.error(f"a mass cannot be negative, as {m:g} is", "value")
        xx, xy, xz, yy, yz, zz = (moments.number(f"i{k}") for k in ("xx", "xy", "xz", "yy", "yz", "zz"))
        inertia = LinkInertia(m, pose.p, rotate_inertia(pose.R, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))))
    shapes = [_shape(visual, materials, folders) for visual in e.all("visual")]
    collisions = [_shape(collision, {}, folders) for collision in (e.all("collision") if collides else ())]
    body = f"{name} link" if name in RESERVED else name
    return RobotLink(name, body, inertia, tuple(s for s in shapes if s), e.line, tuple(s for s in collisions if s))


def _pose(e: XmlElement, snap: float) -> FixedPose:
    origin = e.one("origin")
    return FixedPose() if origin is None else _place(origin, snap)


def _place(e: XmlElement, snap: float) -> FixedPose:
    """The pose of the attributes xyz and rpy."""
    return FixedPose(rotation_from_rpy(e.three("rpy", ZERO), snap), trio(e.three("xyz", ZERO)))


def _shape(visual: XmlElement, materials: Mapping[str, Color], folders: Sequence[str]) -> Shape | None:
    """The shape of a visual; None for kinds that the library does not have."""
    origin, geometry, material = visual.one("origin"), visual.needed("geometry"), visual.one("material")
    at, rpy = (ZERO, ZERO) if origin is None else (origin.three("xyz", ZERO), origin.three("rpy", ZERO))
    color, opacity = (None, 1.0) if material is None else _color(material, materials)
    for e in geometry.children:
        shape: Shape | None = None
        if e.tag == "box":
            shape = Box(*trio(e.three("size")))
        elif e.tag == "cylinder":
            shape = Cylinder(e.number("radius"), e.number("length"))
        elif e.tag == "capsule":
            shape = Capsule(e.number("radius"), e.number("length"))
        elif e.tag == "sphere":
            shape = Sphere(e.number("radius"))
        elif e.tag == "mesh":
            scale = trio(e.three("scale", (1.0, 1.0, 1.0)))
            shape = Mesh(e.text("filename"), scale[0] if len({*scale}) == 1 else scale, folders=tuple(folders))
        if shape is not None:
            name = visual.attributes.get("name", "")[: limits.NAME]
            return replace(shape, at=trio(at), rpy=trio(rpy), color=color, opacity=opacity, name=name)
    return None


def _color(material: XmlElement, materials: Mapping[str, Color]) -> Color:
    """The colour and opacity of a material: its own, or those of the robot's material of this name. One with a texture
    alone, or that is defined nowhere, has none."""
    color = material.one("color")
    if color is None:
        return materials.get(material.attributes.get("name", ""), (None, 1.0))
    words = color.text("rgba").split()
    if len(words) != 4:
        raise color.error(f"four numbers are needed, not {len(words)}", "rgba")
    r, g, b, opacity = (min(max(color.read_number(word, "rgba"), 0.0), 1.0) for word in words)
    return (r, g, b), opacity


def _joint(e: XmlElement, links: Mapping[str, RobotLink], snap: float) -> RobotJoint:
    name, kind = e.name(), next((k for k in KINDS if k == e.text("type")), None)
    if kind is None:
        raise e.error(f"there is no joint of type {e.text('type')[:40]!r}; the types are {', '.join(KINDS)}", "type")
    parent, child = _two_links(e, ("parent", "child"), links)
    axis = _axis(e, kind, snap)
    more: dict[str, Any] = _limits(e, kind) | _dynamics(e)
    if (mimic := e.one("mimic")) is not None:
        more["mimic"] = Mimic(mimic.text("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
    return RobotJoint(name, kind, parent, child, links[child].body, _pose(e, snap), axis, line=e.line, **more)


def _loop(e: XmlElement, links: Mapping[str, RobotLink], snap: float) -> RobotLoop:
    """A ``<loop_joint>``: its frame in each link is in the attributes xyz and rpy of ``<link1>`` and ``<link2>``."""
    name, kind, ends = e.name(), e.text("type"), ("link1", "link2")
    if kind not in LOOP_KINDS:
        raise e.error(f"a joint of type {kind[:40]!r} cannot close a loop; choose from {', '.join(LOOP_KINDS)}", "type")
    for tag in ("mimic", "origin"):
        if (element := e.one(tag)) is not None:
            raise element.error(f"a joint that closes a loop has no <{tag}>; leave it out")
    if (limit := e.one("limit")) is not None and {"lower", "upper"} & limit.attributes.keys():
        raise limit.error("limits of a joint that closes a loop are not supported; leave out 'lower' and 'upper'")
    first, second = (_place(e.needed(end), snap) for end in ends)
    one, other = _two_links(e, ends, links)
    return RobotLoop(name, kind, (one, other), (first, second), _axis(e, kind, snap), line=e.line, **_dynamics(e))


def _two_links(e: XmlElement, ends: tuple[str, str], links: Mapping[str, RobotLink]) -> tuple[str, str]:
    """The two links that a joint connects."""
    names = []
    for end in ends:
        element = e.needed(end)
        names.append(link := element.text("link"))
        if link not in links:
            raise element.error(f"there is no link '{link[:60]}'. {suggest(link, list(links))}", "link")
    if names[0] == names[1]:
        raise e.error(f"it joins link '{names[1]}' to itself")
    return names[0], names[1]


def _axis(e: XmlElement, kind: str, snap: float) -> Trio:
    """The direction of a joint's axis; kinds without one have (1, 0, 0)."""
    axis, direction = e.one("axis"), (1.0, 0.0, 0.0)
    if axis is not None:
        direction = axis.three("xyz", direction)
    exact = unit(direction, snap)
    if exact is None and kind in ("fixed", "floating", "spherical"):
        exact = (1, 0, 0)
    if exact is None:
        raise (axis or e).error("a direction must not have length 0", "xyz")
    return exact


def _dynamics(e: XmlElement) -> dict[str, Number]:
    """Damping and friction."""
    dynamics = e.one("dynamics")
    return {} if dynamics is None else {k: plain(dynamics.number(k, 0.0)) for k in ("damping", "friction")}


def _limits(e: XmlElement, kind: str) -> dict[str, float]:
    """Limits. If one of a pair is missing it is 0, as the format defines; if both are missing there is no limit."""
    limit = e.one("limit")
    if limit is None:
        return {}
    values = {k: limit.limit(k, inf) for k in ("effort", "velocity")}
    if kind in ("revolute", "prismatic") and {"lower", "upper"} & limit.attributes.keys():
        values |= {k: limit.limit(k, 0.0) for k in ("lower", "upper")}
        if values["lower"] > values["upper"]:
            raise limit.error(f"the lower limit {values['lower']:g} is above the upper limit {values['upper']:g}")
    return values


def _outwards(
    root: XmlElement,
    elements: Mapping[str, XmlElement],
    joints: Mapping[str, RobotJoint],
    links: Mapping[str, RobotLink],
) -> list[str]:
    """The links from the root outwards: each branch to its end, children in the file's order."""
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
        raise root.error(
            f"{len(roots)} links hang on nothing ({', '.join(roots[:6])}); join all but one to the tree"
            if roots
            else "every link hangs on another, in a ring; a URDF is a tree with one root"
        )
    order, todo = list[str](), roots[:]
    while todo:
        order.append(todo.pop())
        todo += reversed(children[order[-1]])
    if len(order) < len(links):
        lost = next(name for name in links if name not in {*order})
        raise elements[above[lost].name].error(f"link '{lost}' hangs on itself in a ring; a URDF is a tree")
    return order
