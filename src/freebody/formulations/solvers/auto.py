"""``solver="auto"``: the solver that is expected to be the fastest, from the structure of a model
(docs/decisions/024-choice-of-solver.md)."""

from collections.abc import Sequence

from freebody.formulations.entries import LIMIT, Solver, body_count
from freebody.formulations.rolled import MANY_CLOSED
from freebody.formulations.table import SOLVERS
from freebody.model.body import BodySpec
from freebody.model.model import Model
from freebody.tree.independence import dependence

CROWDED = 5
"""Above this mean number of pending multipliers a body, planar bodies on their own cost less than the tree: ladders
cross over between 4.7 and 5.3."""

CROWDED_PATHS = 15
"""Above this mean number of multipliers that pass a body on their ways to the ground, loops over many bodies cost less
with one sparse system than with the compliance of the tree: ladders cross over at 10, nets of chains in space at 20."""

MODES, PLANAR_MODES = 3, 2
"""From this mean number of modes on, flexible bodies with others on their nodes cost less with one sparse system, in
which modes are eliminated before these others are attached: in space, and in planar mechanisms."""

SHORT = 5
"""Planar chains of up to this many bodies cost least with augmented bodies, where that solver is installed."""


def choose_solvers(model: Model) -> Sequence[Solver]:
    """Solvers for a model with constraints, the first that accepts it is to be taken; the last one accepts all.

    The tree's elimination carries a multiplier along the loop of its constraint; at a body with p multipliers on their
    way this costs p² operations. Where many loops overlap, absolute coordinates are cheaper: each body
    meets only those equations that act on it. In space these need twice as many operations as the tree to begin with,
    and no mechanism of few bodies was found for which they pay; loops over many bodies are another matter
    (``is_crowded``). Modes of a flexible body are coupled by the bodies on its nodes if these are attached first, as
    the tree does where multipliers pass."""
    tree = SOLVERS["tree"]
    if is_crowded(model):
        return SOLVERS["sparse"], tree
    inner = _inner_flexible_bodies(model)
    if inner and body_count(model) <= LIMIT:
        modes = sum(len(spec.modal.coordinates) for spec in inner if spec.modal is not None)
        if modes >= (PLANAR_MODES if is_planar(model) else MODES) * len(inner):
            return SOLVERS["sparse"], tree
    if not is_planar(model):
        return (tree,)
    pending = pending_multipliers(model)
    if sum(pending.values()) > CROWDED * len(pending):
        return SOLVERS["sparse"], tree
    short = len(model.bodies) <= LIMIT and max(len(_path(model, name)) for name in model.bodies) <= SHORT
    return (SOLVERS["barycentric"], tree) if short and "barycentric" in SOLVERS else (tree,)


def is_crowded(model: Model) -> bool:
    """Whether so many bodies have constraints that they are loops, and these meet so often on their ways to the ground
    that one sparse system costs less than the compliance of the tree."""
    if len(model.bodies) <= MANY_CLOSED:
        return False
    return sum(pending_multipliers(model, to_ground=True).values()) > CROWDED_PATHS * len(model.bodies)


def pending_multipliers(model: Model, to_ground: bool = False) -> dict[str, int]:
    """For each body, the number of equations of constraints whose loop passes through the joint that carries it; with
    ``to_ground`` also through those of bodies that carry both ends."""
    rows = dict.fromkeys(model.constraints, 0)
    result = dependence(model)
    for key in result.names.keys() - result.omitted.keys():
        rows[key.constraint] += 1
    pending = dict.fromkeys(model.bodies, 0)
    for name, constraint in model.constraints.items():
        loop = set[str]()
        for end in constraint.bodies():
            path = set(_path(model, end))
            loop = loop | path if to_ground else loop ^ path
        for body in loop:
            pending[body] += rows[name]
    return pending


def is_planar(model: Model) -> bool:
    """Whether all joints of the tree turn about one axis."""
    specs = [spec for spec in model.bodies.values() if not spec.is_node]
    hinges = [None if spec.orient is not None else spec.joint.hinge_axis for spec in specs]
    return None not in hinges and len({str(axis).lstrip("-") for axis in hinges}) == 1


def _inner_flexible_bodies(model: Model) -> list[BodySpec]:
    """The flexible bodies inside of loops: the loop of a constraint passes through the joint of a body on their
    nodes."""
    inner = set[str]()
    for constraint in model.constraints.values():
        loop = set[str]()
        for end in constraint.bodies():
            loop ^= set(_path(model, end))
        for name in loop:
            spec = model.bodies[name]
            node = model.bodies.get(spec.parent)
            if node is not None and node.is_node and not spec.is_node:
                inner.add(node.parent)
    return [spec for name, spec in model.bodies.items() if name in inner]


def _path(model: Model, body: str) -> list[str]:
    """A body and those that carry it, up to the ground."""
    path = []
    while body in model.bodies:
        path.append(body)
        body = model.bodies[body].parent
    return path
