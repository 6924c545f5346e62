"""States that satisfy the constraints of a system: rough coordinates and speeds are made consistent, those that are
held stay as they are."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.names import Q, U
from freebody.results.about import About
from freebody.results.assembly import AssemblyResult
from freebody.run import arguments
from freebody.run.assembly_equations import assembly_equations
from freebody.run.assembly_path import BranchPoint
from freebody.run.assembly_problem import AssemblyProblem
from freebody.run.assembly_report import assembly_info, warn_of_branches
from freebody.run.bodies import body_infos
from freebody.run.initial import (
    InitialValues,
    default_state,
    given_states,
    initial_state,
    modal_states,
    state_keys,
    states_named,
    warn_of_degrees,
)
from freebody.run.inputs import named_inputs, parameter_values
from freebody.run.rolled_assembly import RolledAssembler
from freebody.run.switching import engaged_at_start
from freebody.tree.tree import quaternions

Array = NDArray[np.float64]
Held = Collection[int]
"""Indices in x of the coordinates and speeds that stay as they are."""

MODES = ("held", "free")
"""Whether flexible bodies keep their deformation in an assembly, or bend to satisfy the constraints."""

MANY = 100
"""From so many states on, machine code is compiled for their assembly."""

CHUNK = 1024
"""States that are inspected together."""


def assemble(
    e: Derivation,
    defaults: Mapping[str, float],
    q: InitialValues,
    u: InitialValues,
    t: Any,
    parameters: Mapping[str, float] | None,
    hold: Any,
    engaged: Any = None,
    modes: Any = "held",
    guess: InitialValues = None,
    inputs: Mapping[str, float] | None = None,
) -> AssemblyResult:
    """q and u that satisfy the constraints (see ``Equations.assemble``)."""
    if not isinstance(modes, str) or modes not in MODES:
        raise ArgumentError(f"modes must be 'held' or 'free', not {arguments.shorten(modes)}")
    values, time = parameter_values(e, defaults, parameters), arguments.number(t, "t")
    about = About(e.tree.model.name, "", body_infos(e, values), (), state_keys(e), quaternions(e.tree))
    if guess is not None and q is not None and not isinstance(q, Mapping):
        raise ArgumentError(
            "assemble: a whole vector q is the guess itself; pass either values by name and a guess,"
            " q={…}, guess=[…], or the vector with hold=…"
        )
    start = initial_state(about, default_state(e), q=guess)
    x, base = initial_state(about, start, q=q, u=u), base_state(about, start, q=q)
    for values_of_q in (guess, q):
        warn_of_degrees(e, about, values_of_q)
    held = given_states(about, **{group: v for group, v in (("q", q), ("u", u)) if isinstance(v, Mapping)})
    for name in arguments.names(hold, "hold"):
        groups = [g for g in (Q, U) if g.holds(name)] or [Q] + [U] * (u is not None)
        held |= {k for g in groups for k in states_named(about, g.letter, g.strip(name))}
    row_of_inputs = dict(zip(e.layout.inputs, e.layout.default_inputs, strict=True)) | engaged_at_start(e, engaged)
    row_of_inputs |= {n: arguments.number(v, f"input '{n}'") for n, v in named_inputs(e, inputs).items()}
    row, free = np.array(list(values.values())), modes == "free"
    state = Assembler(e).state(x, held, row, time, np.array([*row_of_inputs.values()]), bend=free, base=base)
    info = assembly_info(e, about, base, x, state.x, row, time, state.inputs, state.singular)
    warn_of_branches(about, info)
    n, m = len(e.layout.q), len(e.layout.u)
    return AssemblyResult(state.x[:n], state.x[n : n + m], e.layout.q, info)


def base_state(about: About, default: Array, **groups: InitialValues) -> Array:
    """The state from which values by name move: the default one, with the values of whole vectors, which are a
    guess."""
    return initial_state(about, default, **{g: v for g, v in groups.items() if not isinstance(v, Mapping)})


class AssembledCases(NamedTuple):
    """Initial states of cases, their inputs with captured poses, for each case why there is no state ("" where there is
    one), and whether it is the only one that its values mean."""

    x: Array
    inputs: Array
    refused: NDArray[np.object_]
    certain: NDArray[np.bool_]


def assemble_cases(
    e: Derivation, x: Array, held: Held, parameters: Array, inputs: Array, t: float, base: Array | None = None
) -> AssembledCases:
    """Initial states of many cases that satisfy the constraints. ``parameters`` and ``inputs`` are one row for all
    cases, or a row for each. Coordinates that are held move from their values in ``base`` to those in x."""
    refused, certain = np.full(len(x), "", object), np.zeros(len(x), bool)
    if not e.tree.model.constraints:
        return AssembledCases(x, inputs, refused, certain)
    if RolledAssembler.supports(e):
        return _assemble_rolled(e, x, held, parameters, inputs, t, base)

    def of(rows: Array, k: int | slice) -> Array:
        return np.asarray(rows[k] if rows.ndim == 2 else rows)

    states, equations = x.copy(), assembly_equations(e)
    parts = [slice(k, k + CHUNK) for k in range(0, len(x), CHUNK)]
    satisfied = [equations.satisfied(x[k], of(parameters, k), t, of(inputs, k)) for k in parts]
    others = np.flatnonzero(~np.concatenate([*satisfied, np.ones(0, bool)]))
    assembler, captures = Assembler(e, len(others), branches=False), bool(equations.pose_inputs)
    inputs = np.array(np.broadcast_to(inputs, (len(x), inputs.shape[-1]))) if captures else inputs
    for k in others.tolist():
        try:
            state = assembler.state(x[k], held, of(parameters, k), t, of(inputs, k), base=base)
        except ArgumentError as error:
            refused[k] = str(error)
            continue
        states[k], certain[k] = state.x, state.certain
        if captures:
            inputs[k] = state.inputs
    return AssembledCases(states, inputs, refused, certain)


def _assemble_rolled(
    e: Derivation, x: Array, held: Held, parameters: Array, inputs: Array, t: float, base: Array | None
) -> AssembledCases:
    """``assemble_cases`` of loops over bodies."""
    assembler, states, refused = Assembler(e), x.copy(), np.full(len(x), "", object)
    for k in range(len(x)):
        own = [np.asarray(rows[k] if rows.ndim == 2 else rows) for rows in (parameters, inputs)]
        try:
            states[k] = assembler.state(x[k], held, own[0], t, own[1], base=base).x
        except ArgumentError as error:
            refused[k] = str(error)
    return AssembledCases(states, inputs, refused, np.zeros(len(x), bool))


class AssembledState(NamedTuple):
    """A state x that satisfies the constraints, the inputs with the poses that were captured there, the singular
    positions that were passed on the way, and whether it is the only one that the given values mean
    (``FollowedPath.certain``)."""

    x: Array
    inputs: Array
    singular: tuple[BranchPoint, ...] = ()
    certain: bool = False


class Assembler:
    """Makes states consistent with the constraints of equations. ``count`` is the number of states to come;
    ``branches``: whether other branches are searched for at singular positions on the way."""

    def __init__(self, e: Derivation, count: int = 1, branches: bool = True) -> None:
        self.e, self.tree, self.branches = e, e.tree, branches
        self.n, self.m = len(e.layout.q), len(e.layout.u)
        self.rolled: RolledAssembler | None = None
        if e.tree.model.constraints and RolledAssembler.supports(e):
            self.rolled = e.memo.get("rolled assembly", lambda: RolledAssembler(e))
        dense = e.tree.model.constraints and self.rolled is None
        self.equations = assembly_equations(e) if dense else None
        self.backend = "llvm" if count >= MANY else "numpy"
        self.modal = modal_states(e)
        self.base: tuple[tuple[bytes, ...], tuple[Array, bool] | None] | None = None  # the last one, closed

    @np.errstate(invalid="ignore")  # steps that are tried may leave where the equations are defined
    def state(
        self,
        x: Array,
        held: Held,
        parameters: Array,
        t: float,
        inputs: Array | None = None,
        keep: Collection[str] = (),
        bend: bool = False,
        base: Array | None = None,
    ) -> AssembledState:
        """The state x = [q, u, z] moved to the constraints that are engaged, and its speeds changed as little as they
        require; raises an error that names a constraint if there is none with what is held. Closures that capture a
        pose do so at the assembled coordinates and do not change these, except those that ``keep`` their pose. Modal
        coordinates and speeds are held too unless flexible bodies may ``bend``. Held coordinates move to their values
        from those in the state ``base``, if it is passed."""
        equations = self.equations
        inputs = np.array(self.e.layout.default_inputs if inputs is None else inputs, float)
        modal = set[int]() if bend else self.modal.difference(held)
        if self.rolled is not None:
            return AssembledState(self.rolled.state(x, held, parameters, t, inputs, modal, base), inputs)
        if equations is None or equations.satisfied(x[None, :], parameters, t, inputs)[0]:
            return AssembledState(x, inputs)
        posed = {name for name in equations.pose_inputs if name not in keep}
        start = None if base is None else base[: self.n]
        problem = AssemblyProblem(self, equations, x, held, modal, parameters, t, inputs, posed, start)
        q, at = problem.coordinates()
        if posed:
            at = problem.capture(q, at)
        x = np.concatenate([q, problem.speeds(q, at), problem.z])
        if problem.path is None or problem.path.q is None:
            return AssembledState(x, inputs)
        return AssembledState(x, inputs, tuple(problem.path.singular), problem.path.certain)
