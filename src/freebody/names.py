"""Names of variables with the prefix of their group: "q.arm", "u.arm", "z.filter", "tau.arm", "u_dot.arm";
and of the inputs that switch constraints: "engaged.latch", "captured.latch.x"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class VariableGroup:
    """Variables that share a prefix. ``Q("arm")`` is "q.arm", ``Q.strip("q.arm")`` is "arm"."""

    letter: str

    def __call__(self, name: str) -> str:
        return f"{self.letter}.{name}"

    def all(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names with the prefix."""
        return tuple(f"{self.letter}.{name}" for name in names)

    def holds(self, name: str) -> bool:
        """Whether the name has this group's prefix."""
        return name.startswith(f"{self.letter}.")

    def strip(self, name: str) -> str:
        """The name without the prefix; a name of another group is returned as it is."""
        return name.removeprefix(f"{self.letter}.")


Q, U, Z, TAU, U_DOT, LOAD = map(VariableGroup, ("q", "u", "z", "tau", "u_dot", "load"))
POSE_OF, MULTIPLIER, INPUT = map(VariableGroup, ("pose", "multiplier", "input"))
ENGAGED, CAPTURED, CONTACT, STOP = map(VariableGroup, ("engaged", "captured", "contact", "stop"))
GRIPPING, SLIPPING = map(VariableGroup, ("gripping", "slipping"))
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""The components of a pose: a position, and a unit quaternion."""

RATE, ACCELERATION, SINCE = "rate", "acceleration", "since"
"""What follows the name of an input with rates: those of its rate, of its acceleration, and of the time from which
numbers of all three hold."""

COMPONENT = re.compile(r"(.+)\.([vwq]?)[wxyz]", re.DOTALL)
"""The name of a component of a vector or a quaternion."""


def companions(name: str) -> tuple[str, str, str]:
    """The inputs that belong to an input with rates."""
    return f"{name}.{RATE}", f"{name}.{ACCELERATION}", f"{name}.{SINCE}"


def vector_name(name: str) -> str:
    """The name of the vector or the quaternion of which a name is a component: "bus" of "bus.x", "bus.w" of "bus.wx",
    "bus.q" of "bus.qw"; empty for other names."""
    match = COMPONENT.fullmatch(name)
    if match is None or (name[-1] == "w" and match[2] != "q"):
        return ""
    return f"{match[1]}.{match[2]}" if match[2] else match[1]
