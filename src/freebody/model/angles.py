"""Angles that look as if they were in degrees: a warning that shows them in radians.

An angle beyond a full turn is suspicious, unless it is a multiple of π/12 or a text with pi, as angles of several turns
that are meant are. Limits may be large, so only multiples of 15 from 30 to 720 are suspicious there; of the
initial values of a run, which may continue another one, those that are whole numbers and multiples of 5.
"""

from collections.abc import Mapping
from math import pi
from typing import Any

from freebody.errors import UnitsWarning, warn
from freebody.model.joints.base import Joint
from freebody.model.orientation import AxisAngle
from freebody.numeric import as_number

TURN, PART, CLOSE = 2 * pi, pi / 12, 1e-6
LIMIT, STEP = 30.0, 15.0
"""Limits of joints from LIMIT on that are multiples of STEP are those that people write in degrees."""


WHOLE = 5.0
"""Initial values of runs that are multiples of this are those that people write in degrees."""


def _number(value: Any) -> float | None:
    """A number, also one that is a text; None for other values."""
    if not isinstance(value, str):
        return as_number(value)
    try:
        return float(value)
    except ValueError:
        return None


def is_suspicious(value: Any) -> bool:
    """Whether an angle is probably in degrees."""
    angle = _number(value)
    if angle is None or not TURN < abs(angle) < 1e6:
        return False
    parts = angle / PART
    return abs(parts - round(parts)) > CLOSE * abs(parts)


def _is_suspicious_limit(value: Any) -> bool:
    angle = _number(value)
    return angle is not None and LIMIT <= abs(angle) <= 2 * 360 and angle % STEP == 0


def _warn(context: str, value: Any) -> None:
    angle = float(_number(value) or 0.0)
    warn(
        f"{context}: {angle:g} rad are {abs(angle) / TURN:.3g} turns; angles are in radians. If degrees are meant,"
        f" write math.radians({angle:g}) = {angle * pi / 180:.6g}, or '{angle:g}*pi/180' in texts. If not, write it as"
        f" a multiple of pi in a text, '{angle / pi:.12g}*pi', or ignore warnings of freebody.errors.UnitsWarning",
        UnitsWarning,
    )


def warn_of_rotation(context: str, orient: Any) -> None:
    """Warn of rotations about an axis, or a list of them, with an angle beyond a turn."""
    several = isinstance(orient, list | tuple) and _angle(orient) is None
    for rotation in orient if several else [orient]:
        if is_suspicious(angle := _angle(rotation)):
            _warn(f"{context}: orient", angle)


def _angle(rotation: Any) -> Any:
    """The angle of (axis, angle) or of its data; None for other values."""
    if isinstance(rotation, AxisAngle):
        return rotation.angle
    pair = isinstance(rotation, list | tuple) and len(rotation) == 2 and not isinstance(rotation[1], list | tuple)
    return rotation.get("angle") if isinstance(rotation, Mapping) else rotation[1] if pair else None


def warn_of_initial_angle(context: str, angle: Any) -> None:
    """Warn of an initial value of a rotation in a run that is probably in degrees."""
    number = _number(angle)
    if number is not None and TURN < abs(number) <= 2 * 360 and number % WHOLE == 0:
        _warn(f"{context}", number)


def warn_of_joint(context: str, joint: Joint) -> None:
    """Warn of initial values, limits and rest positions of rotations that are probably in degrees."""
    coordinates: Any = joint.coordinates
    if not isinstance(coordinates, tuple) or joint.quaternions:
        return
    rotates = [unit == "rad" for unit in joint.units[0]]
    for key in ("initial", "rest", "limits"):
        value = joint.__dict__[key]
        if key == "limits":
            wrong = next((x for x in value or () if _is_suspicious_limit(x)), None) if all(rotates) else None
        else:
            values = value if isinstance(value, list | tuple) else [value] * len(rotates)
            wrong = next((x for x, turns in zip(values, rotates, strict=False) if turns and is_suspicious(x)), None)
        if wrong is not None:
            _warn(f"{context}: {key} of its {joint.kind} joint", wrong)
