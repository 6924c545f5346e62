"""Runs that continue with another system: bodies that joined or left. States are mapped by their names; momenta and
energy are compared across the change (Rodriguez, Jain & Kreutz 1991: constituent bodies that change)."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.names import Q, U
from freebody.results.about import About, BodyInfo, JoinInfo
from freebody.results.trajectory import RunResult
from freebody.tables import listed

Array = NDArray[np.float64]


def joined_state(about: About, default: Array, start: RunResult, given: Collection[int]) -> tuple[Array, JoinInfo]:
    """The state in which a system goes on from the end of a run of another one: what both have by name is that of the
    run, and what is new must be ``given``, indices in x; ``default`` is the state where nothing is passed."""
    before, x = dict(zip(start.about.state, start.x[-1].tolist(), strict=True)), default.copy()
    context = f"{about.system}: the run of '{start.about.system}' cannot be continued"
    taken = [k for k, key in enumerate(about.state) if key in before and k not in given]
    missing = [key for k, key in enumerate(about.state) if key not in before and k not in given]
    if missing and set(missing) & {*Q.all(start.about.omitted)}:
        raise ArgumentError(
            f"{context}: it has no {listed(missing, 6)}, because these coordinates were omitted; pass"
            " start=run.integrate_omitted()"
        )
    if missing:
        raise ArgumentError(
            f"{context}: it has no {listed(missing, 6)}. These states are new; give them, such as"
            f" {missing[0][0]}={{'{missing[0][2:]}': …}}"
        )
    _refuse_clashes(about, start.about, [about.state[k] for k in taken], context)
    for k in taken:
        x[k] = before[about.state[k]]
    names = tuple(about.state[k] for k in taken)
    left = tuple(key for key in before if key not in about.state)
    changed = {
        name: (float(start.about.parameters[name]), float(value))
        for name, value in about.parameters.items()
        if start.about.parameters.get(name, value) != value
    }
    return x, JoinInfo(
        start.about.system,
        names,
        tuple(about.state[k] for k in sorted(given)),
        left,
        changed,
        tuple(start["momentum.linear"][-1].tolist()),
        tuple(start["momentum.angular"][-1].tolist()),
        float(start["energy.kinetic"][-1]),
        float(start["energy.potential"][-1]),
    )


def _refuse_clashes(about: About, before: About, taken: Collection[str], context: str) -> None:
    """Refuse states of one name that mean different things: of a joint of another kind or on another body, or of
    another unit."""
    for body in about.elements:
        was = before.bodies.get(body.name)
        own = {*map(Q, body.q), *map(U, body.u)}
        if was is None or not own.intersection(taken):
            continue
        if (was.joint, was.parent) != (body.joint, body.parent):
            raise ArgumentError(
                f"{context}: '{body.name}' is on {_place(body)} in this system and on {_place(was)} in the run, so"
                f" that its coordinates have another meaning; {WAY}"
            )
    units = {v.key: v.unit for v in before.variables}
    for v in about.variables:
        if v.key in taken and units.get(v.key, v.unit) != v.unit:
            raise ArgumentError(
                f"{context}: the unit of {v.key} is {v.unit or '1'} in this system and {units[v.key] or '1'} in the"
                f" run; {WAY}"
            )


WAY = "give its q and u"


def _place(body: BodyInfo) -> str:
    return f"'{body.parent}' by a {body.joint} joint"
