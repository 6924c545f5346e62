"""What an assembly moved and stored, and warnings where this may not be what the user wants."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.errors import SimulationWarning, warn
from freebody.formulations.derivation import Derivation
from freebody.model.joints.modal import Modal
from freebody.results.about import About, AssemblyInfo, SingularPosition
from freebody.results.trajectory import RunResult
from freebody.run.assembly_equations import assembly_equations
from freebody.run.assembly_path import BranchPoint
from freebody.run.model_size import model_size, values_of_symbols
from freebody.tree.assembly import lengths

Array = NDArray[np.float64]

ROUNDING = 1e-9
"""Changes below this, relative to 1 + |q|, are not reported."""

TURNED, SHIFTED = 0.2, 0.05
"""Changes of coordinates without a value about which a run warns: in rad, and as a fraction of the model's size."""

STORED = 0.01
"""The energy that springs have stored at the start about which a run warns, as a fraction of the largest of its kinetic
energy and the range of its potential energy."""

NAMED = 6
"""The number of coordinates that a warning names."""

ROWS = 200
"""Saved states of a run at which its energies are compared with that of springs."""

PASS_ALL = (
    "If this state is meant, pass all of it: q, u = s.assemble(…), then q=q, u=u; if not, pass values of these"
    " coordinates or another guess"
)


def assembly_info(
    e: Derivation,
    about: About,
    base: Array,
    before: Array,
    after: Array,
    parameters: Array,
    t: float,
    inputs: Array,
    singular: Sequence[BranchPoint] = (),
) -> AssemblyInfo:
    """What changed between a state with the user's values and the assembled one; ``base`` is the guess without these
    values."""
    n = len(e.layout.q)
    if np.array_equal(before[:n], after[:n]):
        return AssemblyInfo()
    places = (SingularPosition(_named(e, at.q), tuple(_named(e, q) for q in at.others)) for at in singular)
    moved = _moved(e, about, before[:n], after[:n])
    return AssemblyInfo(moved, _stored(e, (base, before, after), parameters, t, inputs), tuple(places))


def _named(e: Derivation, q: Array) -> dict[str, float]:
    return dict(zip(e.layout.q, q.tolist(), strict=True))


def _moved(e: Derivation, about: About, before: Array, after: Array) -> dict[str, float]:
    changes, moved = after - before, dict[str, float]()
    in_quaternions = {k + i: k for k in about.quaternions for i in range(4)}
    for k, name in enumerate(e.layout.q):
        if k not in in_quaternions:
            moved[name] = float(changes[k]) if abs(changes[k]) > ROUNDING * (1 + abs(before[k])) else 0.0
        elif in_quaternions[k] == k:
            cosine = abs(float(before[k : k + 4] @ after[k : k + 4]))
            turn = 2 * float(np.arccos(min(1.0, cosine)))
            moved[f"{name.rpartition('.')[0]}.turn"] = turn if turn > 1e-7 else 0.0
    return {name: x for name, x in moved.items() if x}


def _stored(e: Derivation, states: tuple[Array, ...], parameters: Array, t: float, inputs: Array) -> dict[str, float]:
    """The energy that springs and flexible bodies gained from the guess to the assembled state, without those to which
    the assembly made no difference."""
    n, m = len(e.layout.q), len(e.layout.u)
    springs, values = assembly_equations(e).springs, {"parameters": parameters, "t": np.array([t]), "inputs": inputs}
    names, energies = list[str](), np.zeros((3, 0))
    if springs is not None:
        names += springs.names
        energies = np.array([springs.at({**values, "z": x[n + m :]}, x[:n])[0] for x in states])
    for name, K, indices in _flexible(e):
        eta = np.array([x[indices] for x in states])
        names.append(f"flexible body '{name}'")
        energies = np.column_stack([energies, np.einsum("kr,rs,ks->k", eta, K, eta) / 2])
    base, before, after = energies
    least = ROUNDING * max(1e-300, float(np.abs(energies).max(initial=0.0)))
    gained = np.where(np.abs(after - before) > least, after - base, 0.0)
    return {name: float(x) for name, x in zip(names, gained, strict=True) if x > least}


def _flexible(e: Derivation) -> Iterator[tuple[str, Array, list[int]]]:
    """The flexible bodies with their stiffness and the indices of their modal coordinates in q."""
    indices = {name: k for k, name in enumerate(e.layout.q)}
    for name, spec in e.tree.model.bodies.items():
        modal = spec.modal if spec.modal is not None else spec.joint
        if isinstance(modal, Modal) and modal.data.n:
            yield name, modal.data.K, [indices[q] for q in spec.names[0][-modal.data.n :]]


# Warnings


def warn_of_start(
    e: Derivation, about: About, x: Array, inputs: Array, t: float, info: AssemblyInfo, certain: bool
) -> None:
    """Warn where coordinates without a value moved far, unless the values that were given leave no doubt
    (``certain``), and where other branches begin."""
    far = [] if certain else _far(e, about, x, inputs, t, info)
    more = f" and {len(far) - NAMED} more" if len(far) > NAMED else ""
    moved = ", ".join(far[:NAMED]) + more
    if any(place.branches for place in info.singular):
        warn_of_branches(about, info, moved)
    elif far:
        warn(
            f"{about.system}: at the start, coordinates without a value moved far to satisfy the constraints:"
            f" {moved}. {PASS_ALL}",
            SimulationWarning,
        )


def warn_of_cases(
    e: Derivation, about: About, held: Collection[int], before: Array, after: Array, doubtful: NDArray[np.bool_]
) -> None:
    """Warn once where coordinates without a value moved far in cases of a sweep that are ``doubtful``."""
    n, angles = len(e.layout.q), ~lengths(e.tree)
    free = np.array([k not in held for k in range(n)]) & angles
    turns = np.where(free & doubtful[:, None], np.abs(after[:, :n] - before[:, :n]), 0.0)
    far = np.asarray(np.max(turns, axis=1, initial=0.0) > TURNED)
    if far.any():
        case, k = np.unravel_index(int(np.argmax(turns)), turns.shape)
        warn(
            f"{about.system}: {np.count_nonzero(far)} of {len(turns)} cases satisfy the constraints only after a large"
            f" change of coordinates without a value: in case {case} {e.layout.q[k]} by"
            f" {after[case, k] - before[case, k]:.3g} rad."
            " Look at a case by s.assemble(…); pass values of these coordinates if another state is meant",
            SimulationWarning,
        )


def _far(e: Derivation, about: About, x: Array, inputs: Array, t: float, info: AssemblyInfo) -> list[str]:
    is_length = dict(zip(e.layout.q, lengths(e.tree).tolist(), strict=True))
    far = [f"{n} by {a:.3g} rad" for n, a in info.moved.items() if not is_length.get(n, False) and abs(a) > TURNED]
    slid = {n: a for n, a in info.moved.items() if is_length.get(n, False)}
    if slid:
        size = model_size(e, values_of_symbols(e, np.array([*about.parameters.values()]), x, inputs, t))
        far += [f"{n} by {a:.3g} m" for n, a in slid.items() if abs(a) > SHIFTED * size]
    return far


def warn_of_branches(about: About, info: AssemblyInfo, moved: str = "") -> None:
    """Warn of singular positions that an assembly passed, and of what it ``moved`` far."""
    far = f"coordinates without a value moved far ({moved}), and " if moved else ""
    for place in info.singular:
        if not place.branches:
            continue
        there = _texts(place.q)
        others = "; ".join(_texts(branch) for branch in place.branches[:3])
        warn(
            f"{about.system}: {far}on the way to this state the mechanism passes a singular position ({there}), where"
            f" branches meet. It went straight on, or at the start on the branch with the least change; another branch"
            f" leads to {others}. To take that one, give it as a guess: q, u = s.assemble({{…}}, guess=[…])",
            SimulationWarning,
        )


def _texts(q: Mapping[str, float], most: int = 8) -> str:
    return ", ".join(f"{name} = {x:.4g}" for name, x in list(q.items())[:most]) + (", …" if len(q) > most else "")


def warn_of_springs(e: Derivation, run: RunResult, info: AssemblyInfo) -> None:
    """Warn where springs have stored much of the energy of a run by the assembly of its start."""
    if not info.stored or not len(run.t):
        return
    rows = np.unique(np.linspace(0, len(run.t) - 1, min(ROWS, len(run.t))).astype(int))
    kinetic, potential = _energies(e, run, rows)
    largest = max(float(kinetic.max()), float(np.ptp(potential)))
    much = [f"{x:.3g} J in {n}" for n, x in info.stored.items() if x > STORED * largest]
    if much:
        warn(
            f"{run.about.system}: closing the loops at the start has stored energy in springs: {', '.join(much)}; the"
            f" largest of the kinetic energy and the range of the potential energy is {largest:.3g} J. {PASS_ALL}",
            SimulationWarning,
        )


def _energies(e: Derivation, run: RunResult, rows: NDArray[np.int64]) -> tuple[Array, Array]:
    """The kinetic and potential energy at saved states."""
    program, n, m = e.programs["energies"], len(e.layout.q), len(e.layout.u)
    x, count = run.x[rows], len(rows)
    values = {
        "parameters": np.array([*run.about.parameters.values()]),
        "t": run.t[rows, None],
        "q": x[:, :n],
        "u": x[:, n : n + m],
        "z": x[:, n + m :],
    }
    groups = (values.get(g.name, np.zeros(g.size)) for g in program.groups)
    at = compile(program, "numpy", staged=False)(*(np.broadcast_to(row, (count, row.shape[-1])) for row in groups))
    energies = cast(dict[str, Array], at)
    return np.ravel(energies["kinetic"]), np.ravel(energies["potential"])
