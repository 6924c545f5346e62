"""Which joints do not move: those a user locks, and those that mimic one that is held; which follow others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from freebody.errors import FileError, ModelError
from freebody.io.urdf_robot import Robot, RobotJoint
from freebody.model.builder import ModelBuilder, finite_number

Mimicry = Literal["couple", "lock", "free"]
MIMICRY: tuple[Mimicry, ...] = ("couple", "lock", "free")
Locked = Mapping[str, float] | Sequence[str]


def held(robot: Robot, lock: Locked, mimic: Mimicry, file: str) -> Robot:
    """The robot with every held joint's value: those of ``lock``, those that mimic a held one or with multiplier 0, and
    by ``mimic="lock"`` those that mimic a moving one or one that does not exist (at its zero). By ``mimic="free"`` no
    joint mimics another."""
    if not isinstance(mimic, str) or mimic not in MIMICRY:
        raise ModelError(f"mimic='{mimic}' means nothing; there are {', '.join(MIMICRY)}")
    values = _locked(robot, lock)
    joints = {name: replace(j, locked=_value(robot, j, values, mimic, file)) for name, j in robot.joints.items()}
    return replace(robot, joints=joints)


def _locked(robot: Robot, lock: Locked) -> dict[str, float]:
    """The values of what the user locks: 0 where only names are given."""
    names = [lock] if isinstance(lock, str) else lock
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"lock is names of joints, or values by name such as {{'elbow': 0.5}}, not {lock!r}")
    values = lock if isinstance(lock, Mapping) else dict.fromkeys(names, 0.0)
    given = {name: finite_number(value, f"the value of lock '{name}'") for name, value in values.items()}
    for name, value in given.items():
        if name not in robot.joints:
            from freebody.model.kinds import suggest

            raise ModelError(f"'{name}' cannot be locked: it is not a joint of robot '{robot.name}'."
                             f" {suggest(name, list(robot.joints))}")  # fmt: skip
        if value != 0 and robot.joints[name].kind in ("planar", "floating"):
            kind = robot.joints[name].kind
            raise ModelError(f"joint '{name}' is {kind}; it can be locked at 0 alone, not at {value}")
    return given


def _value(robot: Robot, joint: RobotJoint, values: Mapping[str, float], mimic: Mimicry, file: str) -> float | None:
    """Where a joint is held; None if it moves. Its leaders are asked one after the other, until one is known."""
    scale, offset, one, seen = 1.0, 0.0, joint, {joint.name}
    while one.name not in values and one.mimic is not None and one.kind != "fixed" and mimic != "free":
        law = one.mimic
        scale, offset = scale * law.multiplier, offset + scale * law.offset
        if law.joint in seen:
            raise _unled(file, one, f"it mimics '{law.joint}', which mimics it in turn; load with mimic='free'")
        if law.joint not in robot.joints:
            if mimic == "lock":
                return offset
            raise _unled(file, one, f"it mimics '{law.joint}', which is not a joint of this robot; correct the name, or"
                                    " load with mimic='free' or mimic='lock'")  # fmt: skip
        one = robot.joints[law.joint]
        seen.add(one.name)
    if one.name in values or one.kind == "fixed":
        return None if joint.kind == "fixed" else scale * values.get(one.name, 0.0) + offset
    return offset if one is not joint and (mimic == "lock" or scale == 0) else None


def _unled(file: str, joint: RobotJoint, message: str) -> FileError:
    return FileError(message, file, joint.line, 0, f"joint '{joint.name}' mimic")


def _whole(value: float) -> float:
    """A whole number exactly, so that products with ±1 vanish."""
    return int(value) if value.is_integer() else value


def couple(system: ModelBuilder, robot: Robot, file: str) -> None:
    """Couple the joints that mimic moving ones."""
    for joint in robot.joints.values():
        if joint.moves and joint.mimic is not None:
            law = joint.mimic
            try:
                system.couple(joint.body, robot.joints[law.joint].body, _whole(law.multiplier), _whole(law.offset))
            except ModelError as error:
                raise _unled(file, joint, f"{error}; load with mimic='free' or mimic='lock'") from None
