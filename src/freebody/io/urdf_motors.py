"""Motors of robots: one for each joint, with the limits of the file, driven by an input or holding a pose."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from freebody.errors import FileError, ModelError
from freebody.io.urdf_file import Robot, RobotJoint
from freebody.model.builder import ModelBuilder, finite_number
from freebody.model.kinds import suggest
from freebody.model.loads import Motor, Servo
from freebody.numeric import as_boolean

Hold = bool | Mapping[str, float]
ACTUATED = ("revolute", "continuous", "prismatic")
DEFLECTION = {"prismatic": 0.01}
"""The error of the position at which a joint that is held has its whole effort, in m; 0.1 rad of those that turn."""
RATE = 0.05
"""Damping of held joints by their stiffness, in s."""


def identifier(name: str) -> str:
    """A name as far as names in texts can have it."""
    word = "".join(c if f"a{c}".isidentifier() else "_" for c in name)
    return word if word.isidentifier() else f"_{word}"


def add_motors(system: ModelBuilder, robot: Robot, motors: bool, hold: Hold, file: str, coupled: bool) -> None:
    """Give the joints of a robot motors, except for joints that are coupled to others."""
    values = _held(robot, motors, hold)
    for joint in robot.joints.values():
        if not motors or not joint.moves or joint.kind not in ACTUATED or (coupled and joint.mimic is not None):
            continue
        word = identifier(joint.body)
        limits = dict[str, Any]()
        if joint.effort > 0 and isfinite(joint.effort):
            limits["max_torque"] = joint.effort
            if joint.velocity > 0 and isfinite(joint.velocity):
                limits["max_speed"] = joint.velocity
        force = "N" if joint.kind == "prismatic" else "N m"
        if values is None:
            command = system.input(f"command.{word}", force, f"torque of the motor of {joint.name}")
            system.add(Motor(joint.body, torque=command, **limits), f"motor.{word}")
            continue
        if "max_torque" not in limits:
            raise FileError(
                "it has no effort limit, from which its stiffness would follow where it is held; give it"
                " <limit effort=…>, or load without hold and add fb.Servo(…)",
                file,
                joint.line,
                0,
                f"joint '{joint.name}'",
            )
        _hold(system, joint, word, values.get(joint.name, 0.0), limits)


def _hold(system: ModelBuilder, joint: RobotJoint, word: str, value: float, limits: Mapping[str, Any]) -> None:
    """A servo whose position and gains are parameters."""
    unit, force = ("m", "N") if joint.kind == "prismatic" else ("rad", "N m")
    kp = joint.effort / DEFLECTION.get(joint.kind, 0.1)
    position = system.parameter(f"hold.{word}", value, unit, f"position at which {joint.name} is held")
    stiffness = system.parameter(f"hold.{word}.kp", kp, f"{force}/{unit}", f"stiffness of {joint.name}")
    damping = system.parameter(f"hold.{word}.kd", RATE * kp, f"{force} s/{unit}", f"damping of {joint.name}")
    servo = Servo(joint.body, position=position, kp=stiffness, kd=damping, **limits)
    system.add(servo, f"motor.{word}")


def _held(robot: Robot, motors: bool, hold: Hold) -> dict[str, float] | None:
    """The positions of joints that are held; None if motors have inputs."""
    switch = as_boolean(hold)
    if switch is False:
        return None
    if switch is None and not isinstance(hold, Mapping):
        raise ModelError(f"hold is True, or positions of joints by name such as {{'elbow': 0.5}}, not {hold!r}"[:300])
    if not motors:
        raise ModelError("hold needs motors; load with motors=True too")
    values = {} if switch else dict(hold)  # type: ignore[arg-type]
    for name in values:
        joint = robot.joints.get(name)
        if joint is None:
            raise ModelError(
                f"hold: '{name}' is not a joint of robot '{robot.name}'. {suggest(str(name), [*robot.joints])}"
            )
        if joint.kind not in ACTUATED or not joint.moves:
            raise ModelError(f"hold: joint '{name}' has no motor; it is {joint.kind if joint.moves else 'locked'}")
    return {name: finite_number(value, f"the value of hold '{name}'") for name, value in values.items()}
