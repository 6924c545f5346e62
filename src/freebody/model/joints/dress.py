"""A joint's options in their normal form, so that joints described alike are alike: what text, expressions and NumPy's
numbers say of a scalar becomes a number or an expression, what lists say becomes tuples."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from typing import Any

from freebody.errors import ModelError, within
from freebody.model.joints.base import Joint
from freebody.scalar.table import Table

Scalar = Callable[[Any, str], Any]  # (what was given, who asks) → a number or an expression
COMMON: Mapping[str, str] = {
    "stiffness": "scalar", "rest": "scalar", "damping": "scalar", "friction": "scalar", "armature": "scalar",
    "limits": "limits", "initial": "initial", "motion": "motion",
}  # fmt: skip
"""The options that every joint has, and what each is."""


def dressed(joint: Joint, name: str, scalar: Scalar) -> Joint:
    """The joint of body ``name`` with every option in its normal form."""
    who = f"joint of '{name}'"
    kinds = {**COMMON, **joint.options}
    made: dict[str, Any] = {}
    for k, kind in kinds.items():
        with within(k):
            made[k] = NORMAL[kind](getattr(joint, k), f"{who}: {k}", scalar)
    count = len(joint.coordinates)
    if made["initial"] is not None and len(made["initial"]) != count:
        raise ModelError(f"{who}: its {count} coordinates need as many initial values, not {len(made['initial'])}")
    return replace(joint, **made)


def own_names(joint: Joint) -> dict[str, Any]:
    """The names that a joint gives to its coordinates and speeds when nobody else does, where they are options."""
    named = [k for k in ("coordinates", "speeds") if joint.options.get(k) == "names"]
    usual = replace(joint, **dict.fromkeys(named)) if named else joint
    return {k: getattr(usual, k) for k in named}


def _scalar(given: Any, who: str, scalar: Scalar) -> Any:
    return scalar(given, who)


def _direction(given: Any, who: str, scalar: Scalar) -> Any:
    """A name such as "-z", or three scalars; anything else is left for ``direction`` to refuse."""
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 3:
        return given
    return tuple(scalar(v, who) for v in given)


def _directions(given: Any, who: str, scalar: Scalar) -> Any:
    return tuple(_direction(d, who, scalar) for d in given)


def _motion(given: Any, who: str, scalar: Scalar) -> Any:
    """None, one expression of t, or one (or None) for each of several coordinates."""
    several = given if isinstance(given, tuple | list) else (given,)
    if any(callable(m) or isinstance(m, Table) for m in several):
        raise ModelError(f"{who}: give a text or an expression of t ('sin(t)', lookup(table, s.t)), not {given!r}")
    if given is None or not isinstance(given, tuple | list):
        return None if given is None else scalar(given, who)
    made = tuple(None if m is None else scalar(m, who) for m in given)
    return None if all(m is None for m in made) else made[0] if len(made) == 1 else made


def _initial(given: Any, who: str, scalar: Scalar) -> Any:
    if given is None:
        return None
    values = given if hasattr(given, "__len__") and not isinstance(given, str) else (given,)
    return tuple(_number(v, who, scalar) for v in values)


def _limits(given: Any, who: str, scalar: Scalar) -> Any:
    """(low, high); None leaves a side open."""
    if given is None:
        return None
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 2:
        raise ModelError(f"{who} are two numbers, the lower first, not {given!r}")
    low, high = (
        end if v is None or v == end else _number(v, who, scalar) for v, end in zip(given, (-inf, inf), strict=True)
    )
    if not low <= high:
        raise ModelError(f"{who}: the lower one, {low:g}, is above the upper one, {high:g}")
    return low, high


def _number(given: Any, who: str, scalar: Scalar) -> float:
    made = scalar(given, who)
    if hasattr(made, "handle"):
        raise ModelError(f"{who} must be numbers; {made} has a value only when its symbols have")
    return float(made)


def _map(given: Any, who: str, scalar: Scalar) -> Any:
    return tuple(tuple(scalar(x, who) for x in row) for row in given)


def _parts(given: Any, who: str, scalar: Scalar) -> Any:
    """A compound joint's parts, each with its own options in their normal form."""
    kinds = ((part, part.options) for part in given)
    return tuple(
        replace(part, **{k: NORMAL[kind](getattr(part, k), f"{who}: {k}", scalar) for k, kind in options.items()})
        for part, options in kinds
    )


NORMAL: Mapping[str, Callable[[Any, str, Scalar], Any]] = {
    "scalar": _scalar, "direction": _direction, "directions": _directions, "motion": _motion, "initial": _initial,
    "limits": _limits, "sequence": lambda given, *_: given, "turns": lambda given, *_: tuple(given),
    "map": _map, "parts": _parts, "switch": lambda given, *_: bool(given),
    **dict.fromkeys(("names", "words", "curve", "curve turns", "curve rows", "definitions"), lambda given, *_: given),
}  # fmt: skip
