"""URDF files to systems: ``read_urdf("robot.urdf", System, floating=True)``.

Every link becomes a body of the same name, and a joint's coordinates have the name of its child. Links behind fixed
joints become parts of the moving link, so that they cost nothing; the pose of every link can still be computed.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, Unpack

from freebody.errors import FieldError, FileError, FreebodyError, ModelError
from freebody.files import folders_of
from freebody.io import limits
from freebody.io.readers import UrdfOptions
from freebody.io.urdf_contacts import add_contacts
from freebody.io.urdf_file import (
    FixedPose,
    Robot,
    RobotJoint,
    RobotLink,
    RobotLoop,
    Trio,
    parse_xml,
    plain,
    read_robot,
    rotation_about,
)
from freebody.io.urdf_motors import Hold, add_motors, identifier
from freebody.io.urdf_unused import report_unused
from freebody.model.builder import ModelBuilder, finite_number
from freebody.model.joints import Cylindrical, Free, Joint, Planar, Prismatic, Revolute, Spherical, Weld
from freebody.model.kinds import AXES, suggest
from freebody.names import Q, U
from freebody.numeric import as_boolean

Built = TypeVar("Built", bound=ModelBuilder)
Mimicry = Literal["couple", "lock", "free"]
MIMICRY: tuple[Mimicry, ...] = ("couple", "lock", "free")
Loops = Mapping[str, Sequence[Any]]
Locked = Mapping[str, float] | Sequence[str]
SNAP = 1e-11  # rad: π/2 written with 11 decimals is 5e-12 away
NAMES: dict[tuple[float, ...], str] = {xyz: name for name, xyz in AXES.items()}
JOINTS: dict[str, Callable[[Any], Joint]] = {
    "planar": Planar, "prismatic": Prismatic, "revolute": Revolute, "continuous": Revolute, "cylindrical": Cylindrical,
}  # fmt: skip
"""Joints with an axis, by their type in files."""
OTHER_JOINTS: dict[str, type[Joint]] = {"fixed": Weld, "floating": Free, "spherical": Spherical}
EXAMPLE = "{'pin': ('rod', ('slider', (0, 0, 0.1)), fb.Revolute('z'))}"
MOMENTS = (("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2))


def read_urdf(
    path: "str | os.PathLike[str]", make: Callable[[str], Built], **options: Unpack[UrdfOptions]
) -> tuple[Built, Robot]:
    """The system of a URDF file and what the file says besides; options as in ``loads_urdf``."""
    return loads_urdf(limits.contents(path), make, os.fspath(path), folder=Path(path).parent, **options)


def read(path: "str | os.PathLike[str]", make: Callable[[str], Built], **options: Unpack[UrdfOptions]) -> Built:
    """The system of a URDF file, which has what the file says besides as ``robot``."""
    system, robot = read_urdf(path, make, **options)
    system.robot = robot
    return system


def loads_urdf(
    text: str,
    make: Callable[[str], Built],
    name: str = "<text>",
    *,
    floating: bool = False,
    lock: Locked = (),
    mimic: Mimicry = "couple",
    dynamics: bool = True,
    parameters: bool = False,
    physical: bool = True,
    snap: float = SNAP,
    close: Loops | None = None,
    meshes: Sequence[Any] = (),
    ignore: Sequence[str] = (),
    motors: bool = False,
    hold: Hold = False,
    contacts: str | bool | Sequence[str] | None = None,
    material: Any = None,
    folder: Path | None = None,
) -> tuple[Built, Robot]:
    """The system of a URDF's text; errors call the text ``name``.

    ``floating``: the root link moves freely, else it is fixed to the ground. ``lock``: names of joints that are held at
    0, or values by name. ``mimic``: joints that mimic a moving one are coupled to it ("couple"), held at their offsets
    ("lock"), or move independently ("free"). ``dynamics``: damping and friction, as parameters with the file's values.
    ``parameters``: masses, mass centres and inertias as parameters too. ``physical=False`` accepts inertias that no
    body can have. ``snap``: rotations this near to a quarter turn are taken as exact quarter turns. ``close``: joints
    that close loops, beside those of the file, by name: {name: (link, link, joint)}, with (link, (x, y, z)) for a point
    of a link. ``meshes``: folders in which its meshes are searched for when it is drawn, beside the ``folder`` of the
    file. What is not read is named in a warning, except for elements and attributes whose names are in ``ignore``;
    ``<loop>`` and ``<coupling>`` raise an error unless they are named there. ``motors``: each joint has a motor with
    the file's limits of effort and velocity, driven by an input, ``command.BODY``. ``hold``: the motors hold the joints
    at zero (True), or at values by name, by PD control instead. ``contacts``: the collision shapes that touch the plane
    z = 0: those of "feet" (links with foot, toe or sole in their names, else the last links), "all", or those of links
    by name; ``material``: what they are made of, by default rubber with which one point sinks in by 0.1 mm under
    the robot.
    """
    flags = {"floating": floating, "dynamics": dynamics, "parameters": parameters, "physical": physical}
    flags["motors"] = motors
    for word, value in flags.items():
        if as_boolean(value) is None:
            raise ModelError(f"{word} is True or False, not {value!r}")
    if finite_number(snap, "snap") < 0:
        raise ModelError(f"snap must be an angle that is not negative, not {snap!r}")
    folders = [str(one.resolve()) for one in (*([] if folder is None else [folder]), *folders_of(meshes))]
    root = parse_xml(text, name)
    collides = contacts is not None and contacts is not False
    report_unused(root, ignore, collides)
    robot = _hold_joints(read_robot(root, floating, snap, folders, collides), lock, mimic, name)
    system = make(robot.name)
    builder = _SystemBuilder(system, robot, name, dynamics, parameters, physical, snap)
    builder.build()
    for joint in robot.joints.values():
        if mimic == "couple" and joint.moves and joint.mimic is not None:
            law = joint.mimic
            try:
                system.couple(joint.body, robot.joints[law.joint].body, plain(law.multiplier), plain(law.offset))
            except ModelError as error:
                raise _mimic_error(name, joint, f"{error}; load with mimic='free' or mimic='lock'") from None
    builder.close_loops({} if close is None else close)
    add_motors(system, robot, motors, hold, name, mimic == "couple")
    add_contacts(system, robot, contacts, material, name)
    return system, robot


class LoopEnd(NamedTuple):
    """The frame in a link of a joint that closes a loop."""

    link: str
    pose: FixedPose


class _SystemBuilder:
    """Adds the links of a robot to a system, from the root outwards."""

    def __init__(
        self,
        system: ModelBuilder,
        robot: Robot,
        file: str,
        dynamics: bool,
        parameters: bool,
        physical: bool,
        snap: float,
    ) -> None:
        self.system, self.robot, self.file, self.snap = system, robot, file, snap
        self.dynamics, self.parameters, self.physical = dynamics, parameters, physical
        self.above = {joint.child: joint for joint in robot.joints.values()}
        self.carriers: dict[str, tuple[str, FixedPose]] = {}
        """Of each link the moving body that it is part of, and its pose there."""
        self.names = {link.body for link in robot.links.values()}

    def build(self) -> None:
        self._require_mass()
        for link in self.robot.links.values():
            on, at, joint = self._attach(link)
            mass, com, inertia = self._inertia(link)
            orient = None if at.R == FixedPose().R else at.R
            shape = None if not link.shapes else link.shapes[0] if len(link.shapes) == 1 else link.shapes
            try:
                self.system.body(
                    link.body,
                    on=on,
                    joint=joint,
                    at=at.p,
                    orient=orient,
                    mass=mass,
                    com=com,
                    inertia=inertia,
                    shape=shape,
                    physical=self.physical,
                )
            except FieldError as error:
                error.path = error.path[2:]  # the link is named already
                raise self._error(str(error), link) from None
            except ModelError as error:
                raise self._error(str(error), link) from None
            except (FreebodyError, ArithmeticError, ValueError):
                raise self._error("the numbers here are too large to be computed with", link) from None

    def close_loops(self, more: Loops) -> None:
        """Close the loops of the file, and those of the option ``close``."""
        for loop in self.robot.loops.values():
            joint = self._with_dynamics(self._library_joint(loop.kind, loop.axis), loop, loop.name)
            one, other = (LoopEnd(link, pose) for link, pose in zip(loop.links, loop.poses, strict=True))
            try:
                self._close(loop.name, one, other, joint)
            except ModelError as error:
                raise FileError(_message(error), self.file, loop.line, 0, f"loop_joint '{loop.name}'") from None
        if not isinstance(more, Mapping):
            raise ModelError(f"close is loops by name, such as {EXAMPLE}, not {more!r}"[:300])
        for name, loop_ends in more.items():
            try:
                if not isinstance(loop_ends, tuple | list) or len(loop_ends) != 3:
                    raise FieldError(f"a loop is (link, link, joint), such as {EXAMPLE}, not {loop_ends!r}"[:300])
                start, end, closing = loop_ends
                self._close(name, self._end(start), self._end(end), closing)
            except ModelError as error:
                raise ModelError(f"close '{name}': {_message(error)}") from None

    def _end(self, value: Any) -> LoopEnd:
        """An end of the option ``close``: a link, or a point of a link."""
        link, at = value if isinstance(value, tuple | list) and len(value) == 2 else (value, (0, 0, 0))
        if not isinstance(link, str):
            raise FieldError(f"an end is a link or (link, (x, y, z)), not {value!r}"[:300])
        if link not in self.robot.links:
            hint = suggest(link, list(self.robot.links))
            raise FieldError(f"there is no link '{link}' in robot '{self.robot.name}'. {hint}")
        return LoopEnd(link, FixedPose(p=at))

    def _close(self, name: str, one: LoopEnd, other: LoopEnd, joint: Joint | str) -> None:
        if self.carriers[one.link][0] == self.carriers[other.link][0]:
            raise FieldError(
                f"links '{one.link}' and '{other.link}' do not move relative to each other, so they cannot close a loop"
            )
        if not isinstance(joint, Joint | str):
            raise FieldError(f"a joint is needed, such as fb.Revolute('z'), not {joint!r}"[:300])
        A, B = (self.system.bodies[self.robot.links[end.link].body].point(end.pose.p) for end in (one, other))
        orient, orient_to = (None if end.pose.R == FixedPose().R else end.pose.R for end in (one, other))
        self.system.close(A, B, joint, orient, orient_to, name)

    def _error(self, message: str, link: RobotLink) -> FileError:
        return FileError(message, self.file, link.line, 0, f"link '{link.name}'")

    def _require_mass(self) -> None:
        """Every joint that moves has something to move."""
        loaded = {name for name, link in self.robot.links.items() if not link.inertial.zero}
        for joint in reversed(self.robot.joints.values()):
            if joint.child in loaded:
                loaded.add(joint.parent)
        if self.robot.floating and self.robot.root not in loaded:
            root = self.robot.links[self.robot.root]
            raise self._error("it floats, but nothing of the robot has mass or inertia. Give it an <inertial>", root)
        for joint in self.robot.joints.values():
            if joint.moves and joint.child not in loaded:
                raise self._error(
                    f"it moves (joint '{joint.name}'), but neither it nor anything that hangs on it has mass or"
                    f" inertia. Give it an <inertial>, make the joint fixed, or load with lock=['{joint.name}']",
                    self.robot.links[joint.child],
                )

    def _attach(self, link: RobotLink) -> tuple[str, FixedPose, Joint]:
        """The body that a link hangs on, the pose of its joint there, and the joint."""
        joint = self.above.get(link.name)
        if joint is None:
            on, at, moves = "ground", FixedPose(), self.robot.floating
        else:
            on, inside = self.carriers[joint.parent]
            at, moves, value = inside.then(joint.origin), joint.moves, joint.locked
            if value is not None and joint.kind == "prismatic":
                x, y, z = (value * v for v in joint.axis)
                at = at.then(FixedPose(p=(x, y, z)))
            elif value is not None and joint.kind in ("revolute", "continuous"):
                at = at.then(FixedPose(rotation_about(joint.axis, value, self.snap)))
        self.carriers[link.name] = (link.body, FixedPose()) if moves else (on, at)
        return on, at, self._joint(joint) if moves else Weld()

    def _joint(self, joint: RobotJoint | None) -> Joint:
        """The library's joint, with its limits, damping and friction."""
        if joint is None:
            return Free()
        library = self._library_joint(joint.kind, joint.axis)
        if isfinite(joint.lower) or isfinite(joint.upper):
            library = replace(library, limits=(joint.lower, joint.upper))
        return self._with_dynamics(library, joint, joint.body)

    def _library_joint(self, kind: str, axis: Trio) -> Joint:
        return OTHER_JOINTS[kind]() if kind in OTHER_JOINTS else JOINTS[kind](NAMES.get(axis, axis))

    def _with_dynamics(self, library: Joint, joint: RobotJoint | RobotLoop, owner: str) -> Joint:
        """The joint with the damping and friction of the file, as parameters with the name of their owner."""
        options: dict[str, Any] = {}
        units = ("N s/m", "N") if joint.kind == "prismatic" else ("N m s/rad", "N m")
        for what, value, unit in zip(("damping", "friction"), (joint.damping, joint.friction), units, strict=True):
            if self.dynamics and value:
                options[what] = self._parameter(owner, what, value, unit)
        return replace(library, **options)

    def _inertia(self, link: RobotLink) -> tuple[Any, Any, Any]:
        """Mass, mass centre and inertia, as numbers or parameters."""
        inertial = link.inertial
        if not self.parameters or inertial.zero:
            return inertial.mass, inertial.com, inertial.inertia
        mass = self._parameter(link.body, "mass", inertial.mass, "kg")
        com = [self._parameter(link.body, f"com.{k}", v, "m") for k, v in zip("xyz", inertial.com, strict=True)]
        J: list[list[Any]] = [[0] * 3 for _ in range(3)]
        for word, i, j in MOMENTS:
            J[i][j] = J[j][i] = self._parameter(link.body, f"inertia.{word}", inertial.inertia[i][j], "kg m2")
        return mass, com, J

    def _parameter(self, body: str, what: str, value: float, unit: str) -> Any:
        """A parameter with the name of its body, as far as names of parameters can have it: ``forearm.mass``."""
        name = f"{identifier(body)}.{what}"
        while name in self.names or Q.holds(name) or U.holds(name):
            name = f"_{name}"
        self.names.add(name)
        return self.system.parameter(name, value, unit, f"{what} of {body}")


def _message(error: ModelError) -> str:
    """The message of an error, without the path of an element."""
    return error.message if isinstance(error, FieldError) else str(error)


# Joints that are held or follow others


def _hold_joints(robot: Robot, lock: Locked, mimic: Mimicry, file: str) -> Robot:
    """The robot with the value of every held joint: those of ``lock``, those that mimic a held one or have multiplier
    0, and by ``mimic="lock"`` those that mimic a moving one or one that does not exist (at its zero). By
    ``mimic="free"`` no joint mimics another."""
    if not isinstance(mimic, str) or mimic not in MIMICRY:
        raise ModelError(f"mimic must be {', '.join(map(repr, MIMICRY[:-1]))} or {MIMICRY[-1]!r}, not {mimic!r}")
    names = [lock] if isinstance(lock, str) else lock
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise ModelError(
            f"lock must be a list of names of joints, or values by name such as {{'elbow': 0.5}}, not {lock!r}"
        )
    values: dict[str, float] = {}
    for name, text in (lock if isinstance(lock, Mapping) else dict.fromkeys(names, 0.0)).items():
        values[name] = value = finite_number(text, f"the value of lock '{name}'")
        if name not in robot.joints:
            hint = suggest(name, list(robot.joints))
            raise ModelError(f"'{name}' cannot be locked: it is not a joint of robot '{robot.name}'. {hint}")
        kind = robot.joints[name].kind
        if value != 0 and kind in ("planar", "floating"):
            raise ModelError(f"joint '{name}' is {kind}; it can be locked at 0 alone, not at {value}")
    joints = {name: replace(j, locked=_held_value(robot, j, values, mimic, file)) for name, j in robot.joints.items()}
    return replace(robot, joints=joints)


def _held_value(
    robot: Robot, joint: RobotJoint, values: Mapping[str, float], mimic: Mimicry, file: str
) -> float | None:
    """Where a joint is held; None if it moves. Follows the joints that it mimics until the value of one is known."""
    scale, offset, leader, seen = 1.0, 0.0, joint, {joint.name}
    while leader.name not in values and leader.mimic is not None and leader.kind != "fixed" and mimic != "free":
        law = leader.mimic
        scale, offset = scale * law.multiplier, offset + scale * law.offset
        if law.joint in seen:
            message = f"it mimics '{law.joint}', which mimics it in turn; load with mimic='free'"
            raise _mimic_error(file, leader, message)
        if law.joint not in robot.joints:
            if mimic == "lock":
                return offset
            message = f"it mimics '{law.joint}', which is not a joint of this robot; correct the name, or load with"
            raise _mimic_error(file, leader, f"{message} mimic='free' or mimic='lock'")
        leader = robot.joints[law.joint]
        seen.add(leader.name)
    if leader.name in values or leader.kind == "fixed":
        return None if joint.kind == "fixed" else scale * values.get(leader.name, 0.0) + offset
    return offset if leader is not joint and (mimic == "lock" or scale == 0) else None


def _mimic_error(file: str, joint: RobotJoint, message: str) -> FileError:
    return FileError(message, file, joint.line, 0, f"joint '{joint.name}' mimic")
