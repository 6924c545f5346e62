"""Random trees of flexible and rigid bodies, well posed: chains of bare beams have mass matrices of condition 1e10."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import freebody as fb
from freebody.fem.modal_data import ModalData
from freebody.fem.nodal_data import NodalData, integrals, modal_mass
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.joints.modal import Modal
from tests.flexible.rigid_nodes import Array, random_nodes

SIZE, PUSH = 0.15, (1.0, -2.0, 0.5)


def nodes_of(
    rng: np.random.Generator, n: int, kind: str = "cantilever", point_masses: bool = False, one_turn: bool = True
) -> NodalData:
    """Nodes with orthonormal modes: "cantilever" modes, which leave the frame at rest, or "free" modes, whose frame is
    moved to the node of the hinge. Slopes of the nodes that carry hinges are about z, so that their rotation is one
    turn, or about all axes."""
    nodes = random_nodes(rng, 6 + n // 5, n, point_masses)
    slopes = SIZE * nodes.slopes
    if one_turn:
        slopes[[0, -2, -1], :2] = 0
    nodes = replace(
        nodes,
        translations=SIZE * nodes.translations,
        slopes=slopes,
        second=SIZE**2 * nodes.gamma2(),
        masses=nodes.masses / 0.09,
        inertias=nodes.inertias / 0.09,
    )
    if kind == "free":
        nodes = nodes.seen_from("n0")
    return in_basis(nodes, 0.3 * np.linalg.inv(np.linalg.cholesky(0.09 * modal_mass(nodes))).T)


def in_basis(nodes: NodalData, T: Array) -> NodalData:
    """The same nodes for the coordinates ξ of η = T ξ."""
    return replace(nodes, translations=nodes.translations @ T, slopes=nodes.slopes @ T, second=T.T @ nodes.gamma2() @ T)


def modal_data(rng: np.random.Generator, nodes: NodalData, stiffness: float = 1.0) -> ModalData:
    """The modal data of nodes, with a random diagonal stiffness and damping."""
    n, listed = nodes.n, range(len(nodes.masses) - 2, len(nodes.masses))
    K, D = np.diag(rng.uniform(1, 9, n)), np.diag(rng.uniform(0, 0.1, n))
    data = integrals(nodes, stiffness * K, D, rng.normal(size=n), listed, paper=True)
    names = dict(zip(("side", "tip"), data.nodes, strict=True))
    return replace(data, nodes={name: data.nodes[key] for name, key in names.items()})


def flexible_tree(
    seed: int,
    order: str = "full",
    modes: Sequence[int] = (3, 9, 4),
    point_masses: bool = False,
    lossless: bool = False,
    described: dict[str, NodalData] | None = None,
    one_turn: bool | None = None,
) -> fb.System:
    """A rigid base, flexible bodies with both kinds of modes on each other's nodes, two children on nodes of one body,
    rigid bodies, hinges of several kinds, an armature, a spring, and a force at a node. ``lossless`` leaves out damping
    and the force; ``described`` receives the nodes of the flexible bodies. At order "paper" nodes that carry hinges
    have slopes about all axes, unless ``one_turn``."""
    rng = np.random.default_rng(seed)
    s = fb.System("flexible tree", gravity=(0.3, 0.2, -9.81))

    def solid() -> dict[str, Any]:
        return {
            "mass": rng.uniform(1, 2),
            "com": tuple(rng.normal(size=3) / 5),
            "inertia": tuple(rng.uniform(1, 1.5, 3)),
        }

    def flexible(name: str, on: Any, n: int, kind: str) -> dict[str, Any]:
        nodes = nodes_of(rng, n, kind, point_masses, order != "paper" if one_turn is None else one_turn)
        data = modal_data(rng, nodes)
        data = replace(data, D=np.zeros((n, n))) if lossless else data
        if described is not None:
            described[name] = nodes
        body = s.body(name, on=on, orient=("y", 0.4), joint=Modal(data, order), **solid())
        return {node: s.body(f"{name}.{node}", on=body, joint=NodeAttachment(node)) for node in ("tip", "side")}

    base = s.body("base", joint=fb.Revolute((0.6, 0, 0.8)), **solid())
    first = flexible("first", base, modes[0], "free")
    elbow = s.body("elbow", on=first["tip"], orient=("x", 0.7), joint=fb.Revolute("y", armature=0.3), **solid())
    second = flexible("second", elbow, modes[1], "cantilever")
    s.body("hand", on=second["tip"], at=(0.1, 0, 0.2), joint=fb.Spherical("123"), **solid())
    slider = s.body("slider", on=first["side"], joint=fb.Prismatic("x", stiffness=2.0), **solid())
    third = flexible("third", slider, modes[2], "free")
    s.body("ball", on=third["tip"], joint=fb.Revolute("z"), **solid())
    if not lossless:
        s.force(second["side"].vector(PUSH), at=second["side"].origin, name="push")
    return s


def state_of(seed: int, n: int, size: float = 0.2) -> tuple[Array, Array, Array]:
    """Coordinates, speeds and generalised forces."""
    q, u, tau = np.random.default_rng(seed + 100).normal(size=(3, n))
    return size * q, u, tau
