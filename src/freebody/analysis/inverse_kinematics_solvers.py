"""The solvers of inverse kinematics that were made for some equations, which later calls find again."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from freebody.analysis.inverse_kinematics import InverseKinematics
from freebody.analysis.targets import POSE_PARTS, PoseTarget, read_targets
from freebody.formulations.derivation import Derivation
from freebody.quantities.kinematics import Location

KEPT = 16
"""Solvers that are kept, those used last."""


class Solvers:
    """The solvers that were made for some equations, and places of targets that were read."""

    def __init__(self) -> None:
        self.places: dict[Any, tuple[str, Location]] = {}
        self.solvers: OrderedDict[Hashable, InverseKinematics] = OrderedDict()
        self.plain: dict[tuple[Any, ...], InverseKinematics] = {}  # by bodies and points, for poses of all of them


def find_solver(
    e: Derivation, defaults: Mapping[str, float], targets: Mapping[Any, Any], weighted: bool = False
) -> tuple[InverseKinematics, list[PoseTarget] | None]:
    """The solver for targets, and these targets as they are read; None if the solver has loaded them, which is faster,
    and not done if they are ``weighted``."""
    kept: Solvers = e.memo.get("inverse kinematics", Solvers)
    plain = tuple(targets) if isinstance(targets, Mapping) else ()
    known = None if weighted else kept.plain.get(plain)
    if known is not None and known.defaults == defaults and known.load(targets):
        return known, None
    read = read_targets(e, targets, kept.places)
    solver = solver_of(e, defaults, read)
    if all(list(target.parts) == POSE_PARTS for target in read):
        solver.plain.add(plain)
        kept.plain[plain] = solver
    return solver, read


def solver_of(e: Derivation, defaults: Mapping[str, float], read: Sequence[PoseTarget]) -> InverseKinematics:
    """The solver for targets that were read; one that was made for targets of the same kind is found again."""
    kept: Solvers = e.memo.get("inverse kinematics", Solvers)
    key = tuple((target.where, *target.parts) for target in read), tuple(defaults.items())
    if key not in kept.solvers:
        parts = tuple(part for target in read for part in target.key)
        names = tuple(target.name for target in read for _ in target.parts)
        kept.solvers[key] = InverseKinematics(e, defaults, names, parts, key[0], kept.places)
        if len(kept.solvers) > KEPT:
            kept.solvers.popitem(last=False)
            kept.plain.clear()  # one of them may be of the solver that is dropped
    kept.solvers.move_to_end(key)
    return kept.solvers[key]
