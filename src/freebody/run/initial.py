"""Initial states: defaults, and values by name or as vectors."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, choices, nearest
from freebody.formulations.derivation import Derivation
from freebody.model.angles import warn_of_initial_angle
from freebody.model.joints.flexible import Flexible
from freebody.names import Q, U, Z
from freebody.results.about import About
from freebody.run.arguments import numbers

Array = NDArray[np.float64]
InitialValues = Mapping[str, Any] | Sequence[float] | Array | None
NOUNS = {"q": "coordinate", "u": "speed", "z": "state"}
STIFF = 100.0
"""How much more than a joint the softest mode of a flexible body resists changes of coordinates, where both may
move."""

FAR = 1e-3
"""A quaternion whose length is further from 1 than this is an error; others are normalised."""


def state_keys(e: Derivation) -> tuple[str, ...]:
    """The names of x = [q, u, z]: "q.arm", …, "u.arm", …, "z.filter", …"""
    return (*Q.all(e.layout.q), *U.all(e.layout.u), *Z.all(e.layout.z))


def default_state(e: Derivation) -> Array:
    """x where no values are passed: the joints' initial values or zeros, speeds 0, extra states at theirs."""

    def compute() -> Array:
        q = dict.fromkeys(e.layout.q, 0.0)
        for link in e.tree.links:
            spec = link.body.spec
            joint = spec.joint
            start = joint.zero if joint.initial is None else np.atleast_1d(np.asarray(joint.initial, float))
            if len(start) != len(joint.coordinates):
                raise ArgumentError(
                    f"joint of '{link.described.name}': initial has {len(start)} values for {len(joint.coordinates)}"
                    " coordinates"
                )
            values = zip(spec.names[0], start, link.body.is_state, strict=True)
            q |= {n: float(v) for n, v, is_state in values if is_state}
        return np.array([*q.values(), *[0.0] * len(e.layout.u), *(s.initial for s in e.tree.model.states.values())])

    return e.memo.get("default state", compute).copy()


def modal_states(e: Derivation) -> set[int]:
    """The indices in x of the modal coordinates and speeds of flexible bodies."""
    keys, names = {key: k for k, key in enumerate(state_keys(e))}, set[str]()
    for q, u, _ in _modes(e):
        names |= {*Q.all(q), *U.all(u)}
    return {keys[name] for name in names}


def modal_stiffness(e: Derivation) -> Array:
    """K_kk of the modes of flexible bodies, by speed; 0 for the speeds of joints."""
    stiffness = dict.fromkeys(e.layout.u, 0.0)
    for _, u, joint in _modes(e):
        stiffness |= zip(u, joint.stiffnesses, strict=True)
    return np.array([*stiffness.values()], float)


def _modes(e: Derivation) -> Iterator[tuple[Sequence[str], Sequence[str], Flexible]]:
    """Of each flexible body the names of its modal coordinates and speeds, and its modes."""
    for spec in e.tree.model.bodies.values():
        if spec.internal is not None:
            count = len(spec.internal.coordinates)
            q, u = (names[len(names) - count :] for names in spec.names)
            yield q, u, spec.internal


def initial_state(about: About, default: Array, **groups: InitialValues) -> Array:
    """x = [q, u, z]: the default with the values passed for q, u and z, each a mapping by name (a body's name stands
    for all its coordinates or speeds) or a whole vector."""
    x = default.copy()
    for group, values in groups.items():
        if values is None:
            continue
        if isinstance(values, Mapping):
            for name, value in values.items():
                row = numbers(value, f"initial {NOUNS[group]} '{name}'")
                found = states_named(about, group, str(name), row.ndim == 0)
                if np.atleast_1d(row).shape != (len(found),):
                    keys = ", ".join(about.state[k][2:] for k in found)
                    raise ArgumentError(
                        f"{about.system}: {NOUNS[group]} '{name}' takes {len(found)} number(s) ({keys}), not {row.size}"
                    )
                x[found] = row
            continue
        indices = about.indices[group]
        row = np.atleast_1d(numbers(values, f"initial {group} of {about.system}"))
        if row.shape != (len(indices),):
            raise ArgumentError(
                f"{about.system}: {group} has {len(indices)} numbers ({', '.join(indices) or 'none'}), not {row.size};"
                f" give all of them in this order, or some by name: {group}={{name: value}}"
            )
        x[list(indices.values())] = row
    return normalise(about, x)


def warn_of_degrees(e: Derivation, about: About, q: InitialValues) -> None:
    """Warn of an initial angle of the user that is probably in degrees, the first one; ``q`` as in
    ``initial_state``."""
    if q is None:
        return
    units = {n: u for b in e.tree.model.bodies.values() for n, u in zip(b.names[0], b.joint.units[0], strict=False)}
    named = isinstance(q, Mapping)
    for name, value in q.items() if isinstance(q, Mapping) else [("q", q)]:
        indices = states_named(about, "q", str(name), np.ndim(value) == 0) if named else [*about.indices["q"].values()]
        for k, x in zip(indices, np.atleast_1d(value).tolist(), strict=True):
            where = f"{{'{name}': …}}" if named else f"[…], {about.state[k]}"
            if units.get(Q.strip(about.state[k])) == "rad" and warn_of_initial_angle(f"{about.system}: q = {where}", x):
                return


def given_states(about: About, **groups: InitialValues) -> set[int]:
    """The indices in x of the values that ``initial_state`` is passed."""
    given = set[int]()
    for group, values in groups.items():
        if isinstance(values, Mapping):
            for name, value in values.items():
                given |= set(states_named(about, group, str(name), np.ndim(value) == 0))
        elif values is not None:
            given |= set(about.indices[group].values())
    return given


def states_named(about: About, group: str, name: str, single: bool = False) -> list[int]:
    """The indices in x of the states of one name, or of a body. Where a name is that of a state and of a body, it
    stands for the state if ``single``."""
    indices, context = about.indices[group], f"{NOUNS[group]} '{name}'"
    if name not in indices and name not in about.bodies and name.startswith(f"{group}."):
        name = name.removeprefix(f"{group}.")
    body = about.bodies.get(name) if group in "qu" else None
    of_body = [n for n in ((body.q if group == "q" else body.u) if body else ()) if n in indices]
    if not of_body and name not in indices:
        if any(name in e.prescribed for e in about.elements):
            raise ArgumentError(
                f"{about.system}: {context} is prescribed as a function of time; it takes no initial value"
            )
        if body and body.coupled:
            raise ArgumentError(
                f"{about.system}: {context} is coupled (q = {body.coupled}); give an initial value to the coordinate"
                " that it follows"
            )
        if name in about.omitted or (body and set(body.q) & set(about.omitted)):
            raise ArgumentError(
                f"{about.system}: {context} is omitted; give its initial value to run.integrate_omitted(q={{…}})"
            )
        near = nearest(name.removeprefix(f"{group}."), indices, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise ArgumentError(f"{about.system} has no {context}{hint}; {choices(list(indices))}")
    found = [name] if name in indices and single else of_body or [name]
    return [indices[n] for n in found]


def full_names(name: str, known: Sequence[str]) -> str:
    """A question about a name that is none of the known ones: those that it is without their group, as "arm" for
    "q.arm", or that are spelled alike; empty if there are none."""
    near = [key for key in known if key.endswith(f".{name}")][:2] or nearest(name, known, 1)
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""


def normalise(about: About, x: Array, context: str = "") -> Array:
    """A state, or a row for each case, with its quaternions at unit length; one that is far from it is refused."""
    for k in about.quaternions:
        length = np.linalg.norm(x[..., k : k + 4], axis=-1, keepdims=True)
        far = np.ravel(length)[np.ravel(np.abs(length - 1)) > FAR]
        if len(far):
            names = ", ".join(key[2:] for key in about.state[k : k + 4])
            raise ArgumentError(
                f"{about.system}: {context}the quaternion ({names}) has length {far[0]:.4g}, not 1; give all four"
                " numbers of a unit quaternion (w, x, y, z)"
            )
        x[..., k : k + 4] /= length
    return x
