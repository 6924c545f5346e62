"""Whether the modes of a flexible body take nearly all of the inertia that its joint leaves free, and the directions
about which the joint lets it turn."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from freebody.model.body import Body
from freebody.model.flexible.modal_data import Array
from freebody.model.flexible.paper_integrals import cross_matrix
from freebody.model.joints import Weld
from freebody.model.joints.base import scalar, zero_vector
from freebody.model.joints.flexible import Node
from freebody.scalar.walk import somewhere, values
from freebody.spatial.vector import Vector, components

LEFT = 0.05
"""Modes take nearly all inertia in a motion of which less than this fraction is left."""
OWN = 0.5
"""Directions about which modes take less than this fraction are not those of rotations by modes."""
NONE = 1e-9
"""Inertia below this fraction of the largest is none."""
POSITIONS = 0.0, 0.7
"""Positions of the joints that are examined: speeds that lead there from the initial ones in unit time."""


def free_directions(body: Body) -> tuple[tuple[float, ...], ...] | None:
    """The directions (unit vectors along the body's axes) about which a flexible body can turn and its modes take its
    inertia, if they leave less than 5 % of it in some motion of the joint; otherwise None. A body that is welded to
    others, or whose parent has no mass, moves with their joints too. Inertias that are not numbers may be zero.

    Displacements of first order alone (C = 0) have a kinetic energy that is never negative, and need no directions."""
    modal = body.recipe.modal
    if modal is None or not np.any(modal.data.C):
        return None
    links = _links(body)
    inertias, rotors = [_solid_inertia(link) for link in links], list[float]()
    for link in links:
        rotors += [_number(link, link.recipe.joint.armature)] * len(_free(link))
    c, shapes = cross_matrix(modal.data.c0), np.vstack([modal.data.F0, modal.data.E])
    own = np.block([[modal.data.J0, c], [-c, modal.data.m * np.eye(3)]])
    taken = shapes @ np.linalg.lstsq(modal.data.M_ff, shapes.T, rcond=None)[0]
    inertias[0] += own
    turns = list[Array]()
    enough = True
    for position in POSITIONS:
        twists = _twists(links, position)
        if not twists[0].size:
            return None
        whole = np.diag(rotors) + sum(H.T @ J @ H for H, J in zip(twists, inertias, strict=True))
        enough &= _least(whole - twists[0].T @ taken @ twists[0], whole) >= LEFT
        turns.append(twists[0][:3])
    if enough:
        return None
    axes = _axes(np.hstack(turns))
    inertia, by_modes = (np.einsum("ka,ab,kb->k", axes, J[:3, :3], axes) for J in (own, taken))
    axes = axes[(by_modes > OWN * inertia) & (inertia > NONE * np.trace(own[:3, :3]))]
    return tuple((x, y, z) for x, y, z in axes.tolist())


def _links(body: Body) -> list[Body]:
    """The body and its parents, as long as they are rigid, and welded together or without mass."""
    links = [body]
    while isinstance(parent := links[-1].parent, Body) and parent.recipe.modal is None:
        massless = _number(parent, parent.recipe.mass) == 0
        if isinstance(parent.recipe.joint, Node) or not (massless or isinstance(links[-1].recipe.joint, Weld)):
            break
        links.append(parent)
    return links


def _number(body: Body, value: object) -> float:
    """A scalar of a body if it is a number, else 0."""
    return float(body.graph.number(scalar(body.graph, value)) or 0)


def _free(body: Body) -> list[int]:
    """The speeds of its joint that are not prescribed."""
    count = len(body.recipe.joint.speeds)
    return [k for k, rate in enumerate(body.prescribed[:count]) if rate is None]


def _solid_inertia(body: Body) -> Array:
    """The inertia of the rigid part about the body's origin (6 × 6), zero if it does not consist of numbers."""
    recipe = body.recipe
    numbers = [body.graph.number(x.handle) for x in (recipe.mass, *recipe.com, *chain.from_iterable(recipe.inertia))]
    if None in numbers:
        return np.zeros((6, 6))
    m, *rest = np.array(numbers, float)
    c = cross_matrix(np.array(rest[:3]))
    return np.block([[np.reshape(rest[3:], (3, 3)) - m * c @ c, m * c], [-m * c, m * np.eye(3)]])


def _twists(links: Sequence[Body], position: float) -> list[Array]:
    """For each link its twists about its origin along its axes (6 × k), for each free speed of the joints of all links;
    columns of joints that do not move it are zero."""
    g, known, nodes = links[0].graph, dict[int, float](), list[int]()
    for k, link in enumerate(links):
        joint = link.recipe.joint
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


def _least(left: Array, whole: Array) -> float:
    """The smallest fraction of an inertia that is left; motions without any inertia do not count."""
    sizes = np.diag(whole)
    scale = 1 / np.sqrt(np.maximum(sizes, NONE * sizes.max(initial=0.0)) + np.finfo(float).tiny)
    squares, vectors = np.linalg.eigh(whole * np.outer(scale, scale))
    basis = scale[:, None] * vectors[:, squares > NONE] / np.sqrt(squares[squares > NONE])
    return float(np.linalg.eigvalsh(basis.T @ left @ basis)[0]) if basis.size else 1.0


def _axes(turns: Array) -> Array:
    """The directions (rows) of turns (columns): the one that they all have, three axes, or an orthonormal basis."""
    sizes = np.linalg.norm(turns, axis=0)
    unit = turns[:, sizes > NONE] / sizes[sizes > NONE]
    U, s, _ = np.linalg.svd(unit)
    rank = int(np.sum(s > 1e-6))
    if rank == 3:
        return np.eye(3)
    return unit[:, :1].T if rank == 1 else U[:, :rank].T
