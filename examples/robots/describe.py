"""Robots as URDF text, from tables of published numbers. ``python -m examples.robots.describe`` writes the files."""

from collections.abc import Iterable, Sequence
from math import atan2, hypot, pi
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

Numbers = tuple[float, ...]


class Part(NamedTuple):
    """A link and the joint it hangs on. The inertia is xx, xy, xz, yy, yz, zz about the mass centre, along the link's
    axes; limits are lower, upper, effort and speed."""

    link: str
    parent: str = ""
    joint: str = ""
    kind: str = "fixed"
    xyz: Numbers = (0, 0, 0)
    rpy: Numbers = (0, 0, 0)
    axis: Numbers = (0, 0, 1)
    limits: Numbers = ()
    mimics: str = ""
    mass: float = 0
    com: Numbers = (0, 0, 0)
    inertia: Numbers = ()


def mirrored(part: Part, rename: tuple[str, str]) -> Part:
    """The part on the other side of the plane y = 0: turns about x and z change their sense."""
    old, new = rename
    x, y, z = part.xyz
    roll, pitch, yaw = part.rpy
    limits = part.limits
    if limits and (part.axis[0] or part.axis[2]):
        limits = (-limits[1], -limits[0], *limits[2:])
    inertia = part.inertia and tuple(v * s for v, s in zip(part.inertia, (1, -1, 1, 1, -1, 1), strict=True))
    return part._replace(
        link=part.link.replace(old, new),
        parent=part.parent.replace(old, new),
        joint=part.joint.replace(old, new),
        xyz=(x, -y, z),
        rpy=(-roll, pitch, -yaw),
        limits=limits,
        com=(part.com[0], -part.com[1], part.com[2]),
        inertia=inertia,
    )


def text(name: str, source: str, parts: Sequence[Part], radius: float) -> str:
    """The URDF of a robot; its shapes are rods from each link's origin to those of its children."""
    lines = ['<?xml version="1.0"?>', f"<!-- {source.strip()} -->", f"<robot name={quoteattr(name)}>"]
    for part in parts:
        ends = [p.xyz for p in parts if p.parent == part.link and any(p.xyz)]
        lines += [f"  {line}" for line in (*_link(part, ends, radius), *_joint(part))]
    return "\n".join([*lines, "</robot>", ""])


def _link(part: Part, ends: Iterable[Numbers], radius: float) -> list[str]:
    inside = [f"  <inertial>{_inertial(part)}</inertial>"] if part.inertia else []
    inside += [f"  <visual>{_rod(end, radius)}</visual>" for end in dict.fromkeys(ends)]
    head = f"link name={quoteattr(part.link)}"
    return [f"<{head}>", *inside, "</link>"] if inside else [f"<{head}/>"]


def _inertial(part: Part) -> str:
    moments = _said(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), part.inertia)
    return f'<origin xyz="{_three(part.com)}"/><mass value="{_number(part.mass)}"/><inertia {moments}/>'


def _rod(end: Numbers, radius: float) -> str:
    """A cylinder along the line from the origin to a point."""
    x, y, z = end
    across = hypot(x, y)
    rpy = 0, round(atan2(across, z), 6), round(atan2(y, x), 6)
    middle = [round(v / 2, 6) for v in end]
    size = f'radius="{radius}" length="{round(hypot(across, z), 6)}"'
    return f'<origin xyz="{_three(middle)}" rpy="{_three(rpy)}"/><geometry><cylinder {size}/></geometry>'


def _joint(part: Part) -> list[str]:
    if not part.joint:
        return []
    inside = [f'<origin xyz="{_three(part.xyz)}" rpy="{_three(part.rpy)}"/>']
    inside += [f"<parent link={quoteattr(part.parent)}/><child link={quoteattr(part.link)}/>"]
    if part.kind != "fixed":
        inside += [f'<axis xyz="{_three(part.axis)}"/>']
    if part.limits:
        inside += [f"<limit {_said(('lower', 'upper', 'effort', 'velocity'), part.limits)}/>"]
    inside += [f"<mimic joint={quoteattr(part.mimics)}/>"] if part.mimics else []
    return [f'<joint name={quoteattr(part.joint)} type="{part.kind}">', *(f"  {s}" for s in inside), "</joint>"]


def _said(words: Iterable[str], values: Numbers) -> str:
    return " ".join(f'{word}="{_number(v)}"' for word, v in zip(words, values, strict=True))


def _three(values: Iterable[float]) -> str:
    return " ".join(map(_number, values))


def _number(x: float) -> str:
    return str(int(x)) if x == int(x) else repr(float(x))


def quarter(turn: Sequence[Sequence[int]]) -> Numbers:
    """Roll of a rotation about x by −90°, 0 or 90°, as roll, pitch and yaw."""
    return turn[2][1] * pi / 2, 0, 0


def files() -> dict[str, str]:
    """The text of every robot's file."""
    from . import g1, panda, solo12, ur5

    robots = {"ur5": ur5, "panda": panda, "solo12": solo12, "g1": g1}
    return {f"{name}.urdf": text(name, m.__doc__ or "", m.parts(), m.RADIUS) for name, m in robots.items()}


if __name__ == "__main__":
    for file, content in files().items():
        (Path(__file__).parent / file).write_text(content)
