"""Initial values by name: from what a user says to one row of numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, nearest
from freebody.results.about import About
from freebody.run.numbers import numbers

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
    return whole(about, x)


def _row(about: About, values: Any, places: Mapping[str, int], group: str) -> Array:
    row = np.atleast_1d(numbers(values, f"initial {group} of {about.system}"))
    if row.shape != (len(places),):
        raise ArgumentError(
            f"{about.system}: {group} has {len(places)} numbers ({', '.join(places) or 'none'}), not {row.size};"
            f" give all of them in this order, or some by name: {group}={{name: value}}"
        )
    return row


def _put(about: About, x: Array, places: Mapping[str, int], group: str, name: str, value: Any) -> None:
    """One name's value, or a body's several."""
    given = numbers(value, f"initial {WORDS[group]} '{name}'")
    inside = [n for n in _of_body(about, name, group) if n in places]
    if not inside and name not in places:
        raise ArgumentError(_unknown(about, places, group, name))
    wanted = [name] if name in places and given.shape == () else inside or [name]
    if np.atleast_1d(given).shape != (len(wanted),):
        raise ArgumentError(
            f"{about.system}: {WORDS[group]} '{name}' takes {len(wanted)} number(s) ({', '.join(wanted)}), not"
            f" {given.size}"
        )
    x[[places[n] for n in wanted]] = given


def _of_body(about: About, name: str, group: str) -> tuple[str, ...]:
    """The coordinates or speeds of a body."""
    bodies = [e for e in about.elements if e.name == name] if group in "qu" else []
    return tuple(n for e in bodies for n in (e.q if group == "q" else e.u))


def _unknown(about: About, places: Mapping[str, int], group: str, name: str) -> str:
    prescribed = [n for e in about.elements for n in e.prescribed if n == name]
    if prescribed:
        return f"{about.system}: {WORDS[group]} '{name}' is prescribed as a function of time; it takes no initial value"
    coupled = [e.coupled for e in about.elements if e.coupled and e.name == name and group in "qu"]
    if coupled:
        return (f"{about.system}: {WORDS[group]} '{name}' is coupled (q = {coupled[0]}); give an initial value to what"
                " it follows")  # fmt: skip
    near = nearest(name, places, 1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return f"{about.system} has no {WORDS[group]} '{name}'{hint}; there are {', '.join(places) or 'none'}"


def whole(about: About, x: Array, who: str = "") -> Array:
    """A state, or a row for each case, with its quaternions at unit length; one that is far from it is refused."""
    for k in about.quaternions:
        length = np.linalg.norm(x[..., k : k + 4], axis=-1, keepdims=True)
        far = np.ravel(length)[np.ravel(np.abs(length - 1)) > FAR]
        if len(far):
            names = ", ".join(key[2:] for key in about.state[k : k + 4])
            raise ArgumentError(
                f"{about.system}: {who}the quaternion ({names}) has length {far[0]:.4g}, not 1; give all four numbers"
                " of a unit quaternion (w, x, y, z)"
            )
        x[..., k : k + 4] /= length
    return x
