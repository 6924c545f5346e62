"""URDF files to systems: ``read_urdf("robot.urdf", System, floating=True)``.

Every link becomes a body of its name, and a joint's coordinates are called like its child. What hangs on fixed joints
hangs on the moving link behind them, so that they cost nothing; all links are bodies whose poses can be asked.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from typing import Any, TypeVar

from freebody.errors import FieldError, FileError, FreebodyError, ModelError
from freebody.io import limits
from freebody.io.urdf_held import Locked, Mimicry, couple, held
from freebody.io.urdf_pose import Pose, about
from freebody.io.urdf_read import robot as robot_of
from freebody.io.urdf_robot import Robot, RobotJoint, RobotLink
from freebody.io.urdf_xml import parse
from freebody.model.builder import ModelBuilder, finite_number
from freebody.model.joints import Free, Joint, Planar, Prismatic, Revolute, Weld
from freebody.model.kinds import AXES
from freebody.names import Q, U

Made = TypeVar("Made", bound=ModelBuilder)
SNAP = 1e-11  # rad: π/2 written with 11 decimals is 5e-12 away
NAMES: dict[tuple[float, ...], str] = {xyz: name for name, xyz in AXES.items()}
JOINTS: dict[str, Callable[[Any], Joint]] = {
    "planar": Planar, "prismatic": Prismatic, "revolute": Revolute, "continuous": Revolute,
}  # fmt: skip
MOMENTS = (("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2))


def read_urdf(path: "str | os.PathLike[str]", make: Callable[[str], Made], **options: Any) -> tuple[Made, Robot]:
    """The system of a URDF file and what the file says besides; options as in ``loads_urdf``."""
    return loads_urdf(limits.contents(path), make, os.fspath(path), **options)


def loads_urdf(
    text: str, make: Callable[[str], Made], name: str = "<text>", *, floating: bool = False, lock: Locked = (),
    mimic: Mimicry = "couple", dynamics: bool = True, parameters: bool = False, physical: bool = True,
    snap: float = SNAP,
) -> tuple[Made, Robot]:  # fmt: skip
    """The system of a URDF's text; errors call the text ``name``.

    ``floating``: the root link moves freely, else it is fixed to the ground. ``lock``: names of joints that are held at
    0, or values by name. ``mimic``: what becomes of joints that mimic a moving one: "couple" makes both one freedom,
    "lock" holds them at their offsets, "free" lets them move on their own.
    ``dynamics``: damping and friction, as parameters with the file's values. ``parameters``: masses, mass centres and
    inertias as parameters too. ``physical=False`` takes inertias that no body can have. ``snap``: rotations this near
    to a quarter turn are taken for one, exactly.
    """
    switches = {"floating": floating, "dynamics": dynamics, "parameters": parameters, "physical": physical}
    for word, value in switches.items():
        if not isinstance(value, bool):
            raise ModelError(f"{word} is True or False, not {value!r}")
    if finite_number(snap, "snap") < 0:
        raise ModelError(f"snap is an angle from 0 on, not {snap!r}")
    root = parse(text, name)
    robot = held(robot_of(root, floating, snap), lock, mimic, name)
    system = make(robot.name)
    _Builder(system, robot, name, dynamics, parameters, physical, snap).build()
    if mimic == "couple":
        couple(system, robot, name)
    return system, robot


class _Builder:
    """A robot told to a system, link by link from the root outwards."""

    def __init__(
        self, system: ModelBuilder, robot: Robot, file: str, dynamics: bool, parameters: bool, physical: bool,
        snap: float,
    ) -> None:  # fmt: skip
        self.system, self.robot, self.file, self.snap = system, robot, file, snap
        self.dynamics, self.parameters, self.physical = dynamics, parameters, physical
        self.above = {joint.child: joint for joint in robot.joints.values()}
        self.carriers: dict[str, tuple[str, Pose]] = {}  # for each link the moving body it is part of, and where in it
        self.taken = {link.body for link in robot.links.values()}

    def build(self) -> None:
        self._require_mass()
        for link in self.robot.links.values():
            on, at, joint = self._placed(link)
            try:
                self._body(link, on, at, joint)
            except FieldError as error:
                error.path = error.path[2:]  # the link is named already
                raise self._error(str(error), link) from None
            except ModelError as error:
                raise self._error(str(error), link) from None
            except (FreebodyError, ArithmeticError, ValueError):
                raise self._error("the numbers here are too large to be computed with", link) from None

    def _error(self, message: str, link: RobotLink) -> FileError:
        return FileError(message, self.file, link.line, 0, f"link '{link.name}'")

    def _require_mass(self) -> None:
        """Every joint that moves has something to move."""
        loaded = {name for name, link in self.robot.links.items() if not link.inertial.nothing}
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
                )  # fmt: skip

    # Where links are

    def _placed(self, link: RobotLink) -> tuple[str, Pose, Joint]:
        """The body that a link hangs on, the pose of its joint there, and the joint."""
        joint = self.above.get(link.name)
        if joint is None:
            on, at = "ground", Pose()
            moves = self.robot.floating
        else:
            on, inside = self.carriers[joint.parent]
            at, moves = inside.then(joint.origin), joint.moves
            at = at if joint.locked is None else at.then(self._held(joint, joint.locked))
        self.carriers[link.name] = (link.body, Pose()) if moves else (on, at)
        return on, at, self._joint(joint) if moves else Weld()

    def _held(self, joint: RobotJoint, value: float) -> Pose:
        """What a joint does to its child at a value."""
        if joint.kind == "prismatic":
            x, y, z = (value * v for v in joint.axis)
            return Pose(p=(x, y, z))
        return Pose(about(joint.axis, value, self.snap)) if joint.kind in ("revolute", "continuous") else Pose()

    def _joint(self, joint: RobotJoint | None) -> Joint:
        """The library's joint, with its limits, damping and friction."""
        if joint is None:
            return Free()
        made = Free() if joint.kind == "floating" else JOINTS[joint.kind](NAMES.get(joint.axis, joint.axis))
        ends = (joint.lower, joint.upper)
        made = replace(made, limits=ends) if any(map(isfinite, ends)) else made
        said = {"damping": joint.damping, "friction": joint.friction}
        return replace(made, **{k: self._drag(joint, k, v) for k, v in said.items() if self.dynamics and v})

    def _drag(self, joint: RobotJoint, what: str, value: float) -> Any:
        units = {"damping": {"prismatic": "N s/m"}, "friction": {"prismatic": "N"}}[what]
        usual = {"damping": "N m s/rad", "friction": "N m"}[what]
        return self._parameter(joint.body, what, value, units.get(joint.kind, usual))

    # What they weigh

    def _body(self, link: RobotLink, on: str, at: Pose, joint: Joint) -> None:
        orient = None if at.R == Pose().R else at.R
        shape = None if not link.shapes else link.shapes[0] if len(link.shapes) == 1 else link.shapes
        mass, com, inertia = self._weight(link)
        self.system.body(
            link.body, on=on, joint=joint, at=at.p, orient=orient, mass=mass, com=com, inertia=inertia, shape=shape,
            physical=self.physical,
        )  # fmt: skip

    def _weight(self, link: RobotLink) -> tuple[Any, Any, Any]:
        own = link.inertial
        if not self.parameters or own.nothing:
            return own.mass, own.com, own.inertia
        mass = self._parameter(link.body, "mass", own.mass, "kg")
        com = [self._parameter(link.body, f"com.{k}", v, "m") for k, v in zip("xyz", own.com, strict=True)]
        J: list[list[Any]] = [[0] * 3 for _ in range(3)]
        for word, i, j in MOMENTS:
            J[i][j] = J[j][i] = self._parameter(link.body, f"inertia.{word}", own.inertia[i][j], "kg m2")
        return mass, com, J

    def _parameter(self, body: str, what: str, value: float, unit: str) -> Any:
        """A parameter called like its body, as far as a word can be: ``forearm.mass``."""
        word = "".join(c if f"a{c}".isidentifier() else "_" for c in body)
        name = f"{word if word.isidentifier() else f'_{word}'}.{what}"
        while name in self.taken or Q.holds(name) or U.holds(name):
            name = f"_{name}"
        self.taken.add(name)
        return self.system.parameter(name, value, unit, f"{what} of {body}")
