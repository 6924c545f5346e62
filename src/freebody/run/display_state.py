"""States in which systems are shown without a run, and motions through given coordinates as runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function, compile
from freebody.drawing import Drawing
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.hybrid.variables import Variable
from freebody.names import ENGAGED, POSE, POSE_OF, Q
from freebody.results.about import About
from freebody.results.trajectory import RunResult
from freebody.run.assembly import Assembler, base_state
from freebody.run.bodies import body_infos, constraint_infos
from freebody.run.drawing import drawing
from freebody.run.initial import InitialValues, default_state, given_states, initial_state, state_keys, warn_of_degrees
from freebody.run.inputs import parameter_values
from freebody.run.model_size import model_size, values_of_symbols
from freebody.run.programs import body_poses
from freebody.run.switching import switchable
from freebody.scalar.node import Node
from freebody.spatial.quaternions import quaternions as quaternions_of
from freebody.tree.tree import quaternions

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DisplayState:
    """The state in which a model is shown, at a time: the values of its parameters, x = [q, u, z], and its inputs.
    ``notes`` says what is not as it should be."""

    e: Derivation
    parameters: Mapping[str, float]
    x: Array
    inputs: Array
    t: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def q(self) -> Array:
        return self.x[: len(self.e.layout.q)]

    @property
    def z(self) -> Array:
        return self.x[len(self.e.layout.q) + len(self.e.layout.u) :]

    @cached_property
    def symbols(self) -> dict[Node, float]:
        """The values of all symbols of the equations, by their nodes."""
        return values_of_symbols(self.e, np.array([*self.parameters.values()]), self.x, self.inputs, self.t)

    @cached_property
    def drawing(self) -> Drawing:
        """What pictures need to know of the system."""
        return drawing(self.e, self.parameters)

    @cached_property
    def size(self) -> float:
        """A typical length of the model (``model_size``)."""
        return model_size(self.e, self.symbols)


def display_state(
    e: Derivation, defaults: Mapping[str, float], q: InitialValues = None, parameters: Mapping[str, float] | None = None
) -> DisplayState:
    """The initial state with the values passed for q, moved to the constraints. Where these cannot be satisfied it is
    left as it is, with a note."""
    values, inputs = parameter_values(e, defaults, parameters), np.array(e.layout.default_inputs, float)
    about = About(e.tree.model.name, "", body_infos(e, values), (), state_keys(e), quaternions(e.tree))
    x = initial_state(about, default_state(e), q=q)
    warn_of_degrees(e, about, q)
    held = given_states(about, q=q) if isinstance(q, Mapping) else set[int]()
    try:
        base = base_state(about, default_state(e), q=q)
        state = Assembler(e).state(x, held, np.array(list(values.values())), 0.0, base=base)
    except ArgumentError as error:
        note = f"The constraints are not satisfied, and loops are shown open: {error}"
        return DisplayState(e, values, x, inputs, notes=(note,))
    return DisplayState(e, values, state.x, state.inputs)


def poses_at(state: DisplayState, q: Array) -> tuple[Array, Array]:
    """The positions (n, bodies, 3) and quaternions (n, bodies, 4) of all bodies at rows of coordinates; parameters,
    extra states and inputs are those of the state. Quaternions of a body do not change their sign from row to row."""
    e = state.e

    def pose_function() -> Function:
        a, rows = e.assembly("poses"), body_poses(e.tree)
        a.output("poses", rows, (len(rows), 12))
        return compile(a.program(), "numpy", staged=False)

    f, n = e.memo.get("poses", pose_function), len(q)
    groups = {"parameters": np.array(list(state.parameters.values())), "q": q, "z": state.z, "inputs": state.inputs}
    groups["t"] = np.array([state.t])
    rows = (np.broadcast_to(groups.get(g.name, np.zeros(g.size)), (n, g.size)) for g in f.groups)
    poses = np.asarray(f(*rows)).reshape(n, -1, 12)
    turns = quaternions_of(poses[..., :9].reshape(-1, 3, 3)).reshape(n, -1, 4)
    flips = np.where(np.sum(turns[1:] * turns[:-1], axis=-1) < 0, -1.0, 1.0)
    turns[1:] *= np.cumprod(flips, axis=0)[..., None]
    return poses[..., 9:], turns


def run_through(state: DisplayState, t: Array, q: Array) -> RunResult:
    """A motion through rows of coordinates as a run at rest: it has the coordinates and the poses, and what pictures
    need."""
    e, keys, variables = state.e, state_keys(state.e), list[Variable]()
    for key in Q.all(e.layout.q):
        variables.append(Variable("q", Q.strip(key), e.graph.symbol_named(key).unit))
    names, recorded = [link.name for *_, link in e.tree.bodies], dict[str, Array]()
    flags = dict(zip(e.layout.inputs, state.inputs.tolist(), strict=True))
    for name in switchable(e):
        variables.append(Variable("engaged", name, "", "1 while it is engaged"))
        recorded[ENGAGED(name)] = np.full(len(t), flags[ENGAGED(name)])
    variables += [Variable("pose", name, "", "position and orientation in the ground", POSE) for name in names]
    about = About(
        e.tree.model.name,
        e.tree.model.digest,
        body_infos(e, state.parameters),
        tuple(variables),
        keys,
        quaternions(e.tree),
        state.parameters,
        constraints=constraint_infos(e),
    )
    positions, turns = poses_at(state, q)
    poses = np.concatenate([positions, turns], axis=-1)
    x = np.tile(state.x, (len(t), 1))
    x[:, : q.shape[1]] = q
    recorded |= {POSE_OF(name): poses[:, k] for k, name in enumerate(names)}
    return RunResult(about, t, x, recorded=recorded, drawing=state.drawing)
