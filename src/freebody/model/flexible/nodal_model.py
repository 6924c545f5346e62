"""From nodes with mode shapes to modal data: the frame is moved to its node, the modes are made orthonormal."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from freebody.errors import FieldError
from freebody.model.flexible.base import FlexibleDescription
from freebody.model.flexible.modal_data import Array, ModalData
from freebody.model.flexible.nodal_data import NodalData, integrals
from freebody.model.flexible.orthonormal import orthonormal


def nodal_model(
    nodes: NodalData, stiffness: Array, kinds: Sequence[str], frame: str, loads: Mapping[str, Sequence[float]],
    description: FlexibleDescription, count: int | None = None, damping: Array | None = None, outline: int = 0,
) -> ModalData:  # fmt: skip
    """The modal data of nodes with the ``count`` lowest modes; the last ``outline`` nodes are those for drawing."""
    n = nodes.n
    if frame:
        nodes = nodes.seen_from(frame)
    preload, geometric = nodal_loads(nodes, loads)
    K = stiffness + geometric
    if np.any(geometric) and np.linalg.eigvalsh(K)[0] <= 0:
        raise FieldError("the body buckles under these loads: its stiffness with them is not positive", "loads")
    k = len(nodes.masses)
    named = [j for j, name in enumerate(nodes.names) if name]
    data = integrals(nodes, K, np.zeros((n, n)) if damping is None else damping, preload, named)
    data = replace(data, outline=tuple(nodes.node(j) for j in range(k - outline, k)))
    data = orthonormal(data, kinds, description.damping_law, count)
    return replace(data, preload=data.preload + description.modal_preload(data.n))


def nodal_loads(nodes: NodalData, loads: Mapping[str, Sequence[float]]) -> tuple[Array, Array]:
    """The generalised forces Πᵀ f of constant loads, and the stiffness −f·Γ of their forces."""
    preload, K = np.zeros(nodes.n), np.zeros((nodes.n, nodes.n))
    for name, load in loads.items():
        node, f, t = nodes.node(list(nodes.names).index(name)), np.array(load[:3]), np.array(load[3:])
        preload = preload + f @ node.translations
        K = K - np.tensordot(f, node.second, 1)
        if len(t):
            if node.slopes is None:
                raise FieldError(f"the rotation of node '{name}' is not known: it takes no torque", "loads", name)
            preload = preload + t @ node.slopes
    return preload, K
