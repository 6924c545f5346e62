"""Whether the usual kinetic energy of a flexible body can become negative on its joint, and the directions about which
the joint lets the body turn."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from freebody.errors import ExpressionError
from freebody.fem.modal_data import Array, ModalData
from freebody.fem.paper_integrals import cross_matrix
from freebody.model.body import Body
from freebody.model.joints import Weld
from freebody.model.joints.base import scalar, zero_vector
from freebody.scalar.node import Node
from freebody.scalar.walk import somewhere, values
from freebody.spatial.vector import Vector, components

Rows = tuple[tuple[float, ...], ...]
SLOPE, LARGE, SHAPES = 0.3, 0.1, 12
"""How far bodies are deformed to see whether their mass matrix stays positive: slopes in rad, or where none are known
the root mean square of the displacements as a fraction of that of the distances from the origin; and the number of
shapes, which are static deflections by random forces."""
POSITIVE = 1e-9
"""The smallest eigenvalue, scaled to a diagonal of ones, that counts as positive."""
NONE = 1e-9
"""Inertia below this fraction of the largest is none."""
POSITIONS = 0.0, 0.7
"""Positions of the joints that are examined: speeds that lead there from the initial ones in unit time."""


def free_directions(body: Body) -> tuple[tuple[float, ...], ...] | None:
    """The directions (unit vectors along the body's axes) about which a flexible body can turn, if its usual mass
    matrix is not positive definite for all deformations that modes describe well; otherwise None. A body that is welded
    to others, or whose parent has no mass, moves with their joints too. Inertias that are not numbers may be zero.

    Displacements of first order alone (C = 0) have a kinetic energy that is never negative, and need no directions."""
    modal = body.spec.modal
    if modal is None or not np.any(modal.data.C):
        return None
    data, links, rotors = modal.data, _links(body), list[float]()
    for link in links:
        rotors += [_number(link, link.spec.joint.armature)] * len(_free(link))
    turns = list[Array]()
    enough = True
    for position in POSITIONS:
        try:
            twists = _twists(links, position)
        except (ArithmeticError, ValueError, ExpressionError):  # an expression of a joint has no value there
            continue
        if not twists[0].size:
            return None
        if not all(np.isfinite(H).all() for H in twists):
            continue
        held = np.diag(rotors) + sum(H.T @ _solid_inertia(k) @ H for H, k in zip(twists, links, strict=True))
        enough = enough and _stays_positive(data, *(tuple(map(tuple, x.tolist())) for x in (twists[0], held)))
        turns.append(twists[0][:3])
    if enough:
        return None
    axes = _axes(np.hstack(turns))
    axes = axes[np.einsum("ka,ab,kb->k", axes, data.J0, axes) > NONE * np.trace(data.J0)]
    return tuple((x, y, z) for x, y, z in axes.tolist())


@lru_cache(64)
def _stays_positive(data: ModalData, columns: Rows, held: Rows) -> bool:
    """Whether the mass matrix of the modes and of the speeds that move the body's frame along ``columns`` (6 × k) stays
    positive in all shapes; ``held`` (k × k) is the inertia of what else moves with these speeds."""
    H, shapes = np.array(columns), np.random.default_rng(0).normal(size=(SHAPES, data.n))
    for shape in np.linalg.solve(data.K, shapes.T).T:
        if len(data.turns):
            size = SLOPE / np.linalg.norm(data.turns @ shape, axis=1).max()
        else:
            size = LARGE * np.sqrt(np.trace(data.J0) / 2 / (shape @ data.M_ff @ shape))
        M = _mass_matrix(data, size * shape, H)
        M[data.n :, data.n :] += held
        scale = np.sqrt(np.maximum(np.diag(M), 0.0))
        moving = scale > 0
        scaled = M[np.ix_(moving, moving)] / np.outer(scale[moving], scale[moving])
        if np.linalg.eigvalsh(scaled)[0] < POSITIVE or np.any(np.diag(M) < 0):
            return False
    return True


def _mass_matrix(data: ModalData, eta: Array, H: Array) -> Array:
    """The usual M(η) of the modes and of speeds that move the body's frame along the columns of H."""
    c = cross_matrix(data.c0 + data.E @ eta + 0.5 * data.C @ eta @ eta)
    J = data.J0 + np.einsum("rab,r->ab", data.J1, eta) + 0.5 * np.einsum("rsab,r,s->ab", data.J2, eta, eta)
    coupling = np.vstack([data.F0 + data.F1 @ eta, data.E + data.C @ eta]).T @ H
    return np.block([[data.M_ff, coupling], [coupling.T, H.T @ np.block([[J, c], [-c, data.m * np.eye(3)]]) @ H]])


def _links(body: Body) -> list[Body]:
    """The body and its parents, as long as they are rigid, and welded together or without mass."""
    links = [body]
    while isinstance(parent := links[-1].parent, Body) and parent.spec.modal is None:
        massless = _number(parent, parent.spec.mass) == 0
        if parent.spec.is_node or not (massless or isinstance(links[-1].spec.joint, Weld)):
            break
        links.append(parent)
    return links


def _number(body: Body, value: object) -> float:
    """A scalar of a body if it is a number, else 0."""
    return float(body.graph.number(scalar(body.graph, value)) or 0)


def _free(body: Body) -> list[int]:
    """The speeds of its joint that are not prescribed."""
    count = len(body.spec.joint.speeds)
    return [k for k, rate in enumerate(body.prescribed[:count]) if rate is None]


def _solid_inertia(body: Body) -> Array:
    """The inertia of the rigid part about the body's origin (6 × 6), zero if it does not consist of numbers."""
    spec = body.spec
    numbers = [body.graph.number(x.handle) for x in (spec.mass, *spec.com, *chain.from_iterable(spec.inertia))]
    if None in numbers:
        return np.zeros((6, 6))
    m, *rest = np.array(numbers, float)
    c = cross_matrix(np.array(rest[:3]))
    return np.block([[np.reshape(rest[3:], (3, 3)) - m * c @ c, m * c], [-m * c, m * np.eye(3)]])


def _twists(links: Sequence[Body], position: float) -> list[Array]:
    """For each link its twists about its origin along its axes (6 × k), for each free speed of the joints of all links;
    columns of joints that do not move it are zero."""
    g, known, nodes = links[0].graph, dict[Node, float](), list[Node]()
    for k, link in enumerate(links):
        joint = link.spec.joint
        at = joint.sample(np.array([position * (1 + 0.3 * i) for i in range(len(joint.speeds))]))
        known |= {x.handle: float(value) for x, value in zip(link.q, at, strict=False)}
        known |= {x.handle: 0.0 for x in link.q[len(at) :]}
        arm = zero_vector(g)
        for n, moved in enumerate(links):
            for speed in _free(moved):
                turn, slide = moved.placement.turns[speed], moved.placement.slides[speed]
                twist = (turn, slide + turn.cross(arm)) if n >= k else (zero_vector(g),) * 2
                nodes += [x for v in twist for x in components(v, link.frame)]
            if n >= k:
                arm = arm + _from_parent(moved)
    numbers = np.array(values(g, nodes, known, somewhere(0)), float)
    return [x.reshape(-1, 6).T for x in np.split(numbers, len(links))]


def _from_parent(body: Body) -> Vector:
    """From the origin of its parent to its own."""
    return body.offset + body.placement.position


def _axes(turns: Array) -> Array:
    """The directions (rows) of turns (columns): the one that they all have, three axes, or an orthonormal basis."""
    sizes = np.linalg.norm(turns, axis=0)
    unit = turns[:, sizes > NONE] / sizes[sizes > NONE]
    U, s, _ = np.linalg.svd(unit)
    rank = int(np.sum(s > 1e-6))
    if rank == 3:
        return np.eye(3)
    return unit[:, :1].T if rank == 1 else U[:, :rank].T
