"""Elements and attributes of URDF files that are not read. They are named in one warning, each kind once with its line;
those that would change the motion are refused.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from freebody.errors import FileWarning, ModelError, warn
from freebody.io.urdf_file import SEEN, XmlElement


@dataclass(frozen=True)
class Content:
    """What is read of an element: its attributes, and the elements in it."""

    attributes: tuple[str, ...] = ()
    elements: "dict[str, Content]" = field(default_factory=dict)


AXIS, ORIGIN, FRAME = Content(("xyz",)), Content(("xyz", "rpy")), Content(("link", "xyz", "rpy"))
DYNAMICS, LIMIT = Content(("damping", "friction")), Content(("lower", "upper", "effort", "velocity"))
MATERIAL = Content(("name",), {"color": Content(("rgba",))})
ROUND = Content(("radius", "length"))
GEOMETRY = Content(
    (),
    {
        "box": Content(("size",)),
        "cylinder": ROUND,
        "capsule": ROUND,
        "sphere": Content(("radius",)),
        "mesh": Content(("filename", "scale")),
    },
)
VISUAL = Content(("name",), {"origin": ORIGIN, "geometry": GEOMETRY, "material": MATERIAL})
MOMENTS = Content(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
INERTIAL = Content((), {"origin": ORIGIN, "mass": Content(("value",)), "inertia": MOMENTS})
ENDS = {"parent": Content(("link",)), "child": Content(("link",))}
FIXED = Content(("name", "type"), {"origin": ORIGIN, **ENDS, "axis": AXIS})
MIMIC = Content(("joint", "multiplier", "offset"))
ENDLESS = {"limit": Content(("effort", "velocity")), "dynamics": DYNAMICS, "mimic": MIMIC}
MOVING = Content(FIXED.attributes, FIXED.elements | ENDLESS)
LIMITED = Content(FIXED.attributes, MOVING.elements | {"limit": LIMIT})
JOINTS = {
    "fixed": FIXED, "continuous": MOVING, "planar": MOVING, "floating": MOVING, "revolute": LIMITED,
    "prismatic": LIMITED,
}  # fmt: skip
"""What is read of joints by their type; only two types have limits."""
LOOP = Content(("name", "type"), {"link1": FRAME, "link2": FRAME, "axis": AXIS, "dynamics": DYNAMICS})
LINK = Content(("name",), {"inertial": INERTIAL, "visual": VISUAL})
ROBOT = Content(("name", "version"), {"link": LINK, "joint": LIMITED, "loop_joint": LOOP, "material": MATERIAL})

REFUSED = {
    "loop": "it closes a loop (URDF+), and loops are read from <loop_joint> only. Close it by close={…}, and load with"
    " ignore=['loop']",
    "coupling": "it couples joints (URDF+), which is not read. Use <mimic> or s.couple(…), and load with"
    " ignore=['coupling']",
}
"""Elements that change the motion."""
USUAL = ("collision", "gazebo", "transmission", "texture", "safety_controller", "calibration", "sensor", "ros2_control")
"""Elements for other programs."""
SHOWN = 12
"""Kinds of elements and attributes that a warning names."""


def report_unused(root: XmlElement, ignore: Any, reads_collisions: bool = False) -> None:
    """Warn about what is not read of a robot, except for the elements and attributes whose names are in ``ignore``;
    raise if it would change the motion."""
    names = _ignored(ignore)
    kinds = dict[tuple[bool, str], list[int]]()
    for label, name, element, usual in _unused(root, ROBOT):
        if name in names or (reads_collisions and name == "collision"):
            continue
        if name in REFUSED and element.tag == name:
            raise element.error(f"{REFUSED[name]} to leave it out")
        kinds.setdefault((usual, label), []).append(element.line)
    if not kinds:
        return
    shown = [f"{label} ({_lines(lines)})" for (_, label), lines in sorted(kinds.items(), key=lambda kind: kind[0][0])]
    more = f", and {len(shown) - SHOWN} other kinds" if len(shown) > SHOWN else ""
    warn(
        f"{root.file}: these parts of the file are not read and have no effect: {', '.join(shown[:SHOWN])}{more}."
        " Check that none of them is needed; ignore=['NAME', …] omits names from this warning",
        FileWarning,
    )


def _ignored(ignore: Any) -> Sequence[str]:
    several = isinstance(ignore, Sequence | Set) and not isinstance(ignore, str)
    if not several or not all(isinstance(name, str) for name in ignore):
        raise ModelError(
            f"ignore must be a list of names of elements and attributes, such as ['loop'], not {ignore!r:.80}"
        )
    read = next((name for name in ignore if name in ROBOT.elements), None)
    if read is not None:
        raise ModelError(f"ignore: <{read}> is read and cannot be left out; ignore names what is not read")
    return list(ignore)


def _lines(lines: Sequence[int]) -> str:
    return f"line {lines[0]}" + (f" and {len(lines) - 1} more" if len(lines) > 1 else "")


def _unused(element: XmlElement, content: Content) -> Iterator[tuple[str, str, XmlElement, bool]]:
    """What is not read of an element: in words, its name, where it is, and whether it is usual."""
    if element.tag == "joint":
        content = JOINTS.get(element.attributes.get("type", ""), content)
    tag = _shown(element.tag)
    for name in element.attributes:
        if name not in content.attributes and not name.startswith("xmlns"):
            yield f"the attribute '{_shown(name)}' of <{tag}>", name, element, name in LIMIT.attributes
    shapes = 0
    for child in element.children:
        shapes += element.tag == "geometry" and child.tag in GEOMETRY.elements
        inside = content.elements.get(child.tag)
        if inside is None or shapes > 1:
            fixed = element.tag == "joint" and child.tag in ENDLESS
            usual = child.tag in USUAL or fixed
            of = " of fixed joints" if fixed else "" if usual else f" in <{tag}>"
            yield f"<{_shown(child.tag)}>{of}", child.tag, child, usual
        else:
            yield from _unused(child, inside)


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[:SEEN])
