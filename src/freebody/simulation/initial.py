"""Initial values by name: from what a user says to one row of numbers."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.results.about import About

Array = NDArray[np.float64]
Given = Mapping[str, Any] | Sequence[float] | Array | None
WORDS = {"q": "coordinate", "u": "speed", "z": "state"}
FAR = 1e-3
"""A quaternion whose length is further from 1 than this is a mistake; nearer ones are made unit."""


def initial_state(about: About, default: Array, **given: Given) -> Array:
    """x = [q, u, z]: the default with what is given for q, u and z, each a mapping by name (a body's name stands for
    all its coordinates or speeds) or a whole vector."""
    x = default.copy()
    for group, values in given.items():
        places = {key[2:]: k for k, key in enumerate(about.state) if key.startswith(f"{group}.")}
        if values is None:
            continue
        if isinstance(values, Mapping):
            for name, value in values.items():
                _put(about, x, places, group, str(name), value)
        else:
            x[list(places.values())] = _row(about, values, places, group)
    return _whole(about, x)


def _row(about: About, values: Any, places: Mapping[str, int], group: str) -> Array:
    row = _numbers(values, f"{group} of {about.system}")
    if row.shape != (len(places),):
        raise ArgumentError(
            f"{about.system}: {group} has {len(places)} numbers ({', '.join(places) or 'none'}), not {row.size};"
            f" give all of them in this order, or some by name: {group}={{name: value}}"
        )
    return row


def _put(about: About, x: Array, places: Mapping[str, int], group: str, name: str, value: Any) -> None:
    """One name's value, or a body's several."""
    numbers = _numbers(value, f"{WORDS[group]} '{name}'")
    if name in places and numbers.shape == ():
        x[places[name]] = numbers
        return
    several = [getattr(e, group) for e in about.elements if e.name == name and group in "qu"]
    inside = [n for n in several[0] if n in places] if several else []
    if not inside and name not in places:
        raise ArgumentError(_unknown(about, places, group, name))
    if numbers.shape != (len(inside),):
        raise ArgumentError(
            f"{about.system}: {WORDS[group]} '{name}' takes {len(inside) or 1} number(s)"
            f" ({', '.join(inside) or name}), not {numbers.size}"
        )
    x[[places[n] for n in inside]] = numbers


def _unknown(about: About, places: Mapping[str, int], group: str, name: str) -> str:
    prescribed = [n for e in about.elements for n in e.prescribed if n == name]
    if prescribed:
        return f"{about.system}: {WORDS[group]} '{name}' is prescribed as a function of time; it takes no initial value"
    near = get_close_matches(name, list(places), n=1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return f"{about.system} has no {WORDS[group]} '{name}'{hint}; there are {', '.join(places) or 'none'}"


def _numbers(value: Any, who: str) -> Array:
    try:
        made = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError(f"initial {who}: {value!r} is no number") from None
    if not np.all(np.isfinite(made)):
        raise ArgumentError(f"initial {who}: {value!r} is not finite")
    return made


def _whole(about: About, x: Array) -> Array:
    """Quaternions at unit length."""
    for k in about.quaternions:
        length = float(np.linalg.norm(x[k : k + 4]))
        if abs(length - 1) > FAR:
            names = ", ".join(key[2:] for key in about.state[k : k + 4])
            raise ArgumentError(
                f"{about.system}: the quaternion ({names}) has length {length:.4g}, not 1; give all four numbers of a"
                " unit quaternion (w, x, y, z)"
            )
        x[k : k + 4] /= length
    return x
