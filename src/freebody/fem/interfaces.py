"""Interfaces of structures: where joints, loads and sensors are attached.

An interface is a single node, or a set of nodes that is tied to a reference point. A rigid tie (RBE2) lets the nodes
move with the point as a rigid body, which makes the structure stiffer; an averaging tie (RBE3) makes the motion of the
point the mean motion of the nodes, by least squares, and adds no stiffness.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError, describe, join_or, suggest
from freebody.fem.structure import Structure, node_indices, rigid_rows
from freebody.keywords import hint_keywords

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Sparse = Any
COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")
FLAT = 1e-9
"""Nodes of a tie determine its motion if the squares of all displacements by rigid motions are larger than this,
relative to the largest."""


@hint_keywords
@dataclass(frozen=True, eq=False)
class Tie:
    """A set of nodes that is tied to a reference point: by its name or by indices of nodes. ``kind`` is "rigid" or
    "average"; ``at`` is the point, the mean of the nodes by default."""

    nodes: Any
    kind: str = "rigid"
    at: Any = None


@dataclass(frozen=True, eq=False)
class Interface:
    """An interface: its point, its nodes, and which components of its motion exist."""

    name: str
    at: Array  # (3)
    nodes: Indices
    tie: str  # "rigid", "average", or "" for a single node
    components: tuple[int, ...]  # those of its motion: six, or the first three for the node of a solid

    @property
    def rotates(self) -> bool:
        """Whether its rotation is known."""
        return len(self.components) == 6


def interfaces_of(structure: Structure, given: Mapping[str, Any]) -> list[Interface]:
    """The interfaces that a user describes: names with nodes, sets of nodes or ties."""
    if not isinstance(given, Mapping):
        raise ModelError(
            f"interfaces must be a dictionary of names and nodes, such as {{'tip': 'right face'}}, not"
            f" {describe(given)}"
        )
    found = [_interface(structure, name, one) for name, one in given.items()]
    rigid = [i for i in found if i.tie != "average"]
    for k, one in enumerate(rigid):
        for other in rigid[:k]:
            if len(np.intersect1d(one.nodes, other.nodes)):
                raise ModelError(
                    f"the interfaces '{other.name}' and '{one.name}' share nodes, which cannot follow both"
                    " rigidly; give separate sets, or tie one of them with kind='average'"
                )
    return found


def _interface(structure: Structure, name: str, given: Any) -> Interface:
    if not isinstance(name, str) or not name:
        raise ModelError(f"the name of an interface must be text, not {name!r}")
    tie = given if isinstance(given, Tie) else Tie(given)
    if tie.kind not in ("rigid", "average"):
        raise ModelError(f"interface '{name}': the kind of a tie must be 'rigid' or 'average', not {tie.kind!r}")
    nodes = _nodes(structure, name, tie.nodes)
    if len(nodes) == 1 and tie.at is None:
        node = int(nodes[0])
        components = tuple(c for c in range(6) if structure.unknown[node, c] >= 0)
        if components not in ((0, 1, 2), (0, 1, 2, 3, 4, 5)):
            missing = [COMPONENTS[c] for c in range(6) if c not in components]
            raise ModelError(
                f"interface '{name}': the node has no unknowns for {', '.join(missing)}; give several"
                " nodes, which determine the motion together"
            )
        return Interface(name, structure.positions[node], nodes, "", components)
    x = structure.positions[nodes]
    try:
        at = x.mean(0) if tie.at is None else np.array(tie.at, dtype=float)
    except (TypeError, ValueError):
        at = np.zeros(0)
    if at.shape != (3,) or not np.isfinite(at).all():
        raise ModelError(f"interface '{name}': 'at' must be a point (x, y, z), not {tie.at!r}")
    if not _determine_motion(structure, nodes):
        raise ModelError(
            f"interface '{name}': its nodes lie on a line, so that its rotation about this"
            " line is not known. Give three or more nodes that are not on a line"
        )
    return Interface(name, at, nodes, tie.kind, tuple(range(6)))


def _determine_motion(structure: Structure, nodes: Indices) -> bool:
    """Whether no rigid motion leaves the displacements and rotations of nodes zero: the nodes are not on a line, or
    rotations about it are unknowns."""
    unknowns = np.flatnonzero(np.isin(structure.node, nodes) & (structure.component < 6))
    centre = structure.positions[nodes].mean(0)
    size = np.linalg.norm(structure.positions[nodes] - centre, axis=1).max() or 1.0
    R = _about(structure, unknowns, centre)
    R[structure.component[unknowns] >= 3] *= size
    R[:, 3:] /= size
    values = np.linalg.svd(R, compute_uv=False)
    return len(values) == 6 and bool(values[5] ** 2 > FLAT * values[0] ** 2)


def _nodes(structure: Structure, name: str, given: Any) -> Indices:
    if isinstance(given, str):
        if given not in structure.sets:
            hint = suggest(given, [*structure.sets]) if structure.sets else "The structure has no named sets."
            raise ModelError(f"interface '{name}': there is no set of nodes '{given}'. {hint}")
        return structure.sets[given]
    return node_indices(given, len(structure.positions), f"interface '{name}'")


@dataclass(frozen=True, eq=False)
class TiedStructure:
    """A structure with rigid ties built in: its unknowns are those of nodes that are not tied rigidly, and the six of
    each rigid interface. All displacements are u = T x."""

    structure: Structure
    interfaces: Sequence[Interface]
    T: Sparse  # (N, n)
    mass: Sparse  # (n, n)
    stiffness: Sparse
    rigid: Array  # (n, 6)
    group: Indices  # a node for each unknown; those of rigid interfaces come after the structure's nodes
    points: Array  # of all these nodes
    rows: Mapping[str, Sparse]  # of each interface: its motion is rows @ x, (3 or 6, n)

    @property
    def size(self) -> int:
        """The number of unknowns."""
        return len(self.group)

    def rigid_about(self, at: Array) -> Array:
        """The rigid motions (n, 6), with rotations about a point."""
        return np.asarray(self.rigid @ shift(at))

    @property
    def hubs(self) -> Indices:
        """The nodes that stand for rigid interfaces."""
        return np.arange(len(self.structure.positions), len(self.points))


def tied(structure: Structure, interfaces: Sequence[Interface]) -> TiedStructure:
    """The structure with its rigid ties built in."""
    from scipy.sparse import block_array, csr_matrix, eye_array

    rigid = [i for i in interfaces if i.tie == "rigid"]
    slave = np.zeros(len(structure.positions), dtype=bool)
    for i in rigid:
        slave[i.nodes] = True
    kept = np.flatnonzero(~slave[structure.node])
    N = structure.size
    columns = [eye_array(N, format="csc")[:, kept]]
    for i in rigid:
        unknowns = np.flatnonzero(np.isin(structure.node, i.nodes))
        dense = _about(structure, unknowns, i.at)
        at = np.nonzero(dense)
        columns.append(csr_matrix((dense[at], (unknowns[at[0]], at[1])), shape=(N, 6)))
    T = columns[0].tocsr() if not rigid else block_array([columns]).tocsr()
    n, k = T.shape[1], len(structure.positions)
    group = np.concatenate([structure.node[kept], k + np.repeat(np.arange(len(rigid)), 6)])
    points = np.vstack([structure.positions, *(i.at for i in rigid)])
    rows, hub = dict[str, Sparse](), len(kept)
    position = np.full(N, -1, dtype=np.intp)
    position[kept] = np.arange(len(kept))
    for i in interfaces:
        if i.tie == "rigid":
            rows[i.name] = eye_array(n, format="csr")[hub : hub + 6]
            hub += 6
        elif i.tie == "average":
            rows[i.name] = (_mean_motion(structure, i) @ T).tocsr()
        else:
            unknowns = structure.unknown[int(i.nodes[0]), list(i.components)]
            rows[i.name] = eye_array(n, format="csr")[position[unknowns]]
    R = structure.rigid_motions
    stacked = np.vstack([R[kept], *(rigid_rows(np.tile(i.at, (6, 1)), np.arange(6)) for i in rigid)])
    return TiedStructure(
        structure,
        interfaces,
        T,
        (T.T @ structure.mass @ T).tocsr(),
        (T.T @ structure.stiffness @ T).tocsr(),
        stacked,
        group,
        points,
        rows,
    )


def _about(structure: Structure, unknowns: Indices, at: Array) -> Array:
    """The rigid motions of unknowns, with rotations about a point."""
    return np.asarray(structure.rigid_motions[unknowns] @ shift(at))


def shift(at: Array) -> Array:
    """Rigid motions with rotations about a point, in those about the origin: e_a × (x − p) = e_a × x − e_a × p."""
    out = np.eye(6)
    for a in range(3):
        out[:3, 3 + a] = -np.cross(np.eye(3)[a], at)
    return out


def _mean_motion(structure: Structure, i: Interface) -> Sparse:
    """The motion of a point (6, N) that fits the displacements of the nodes by least squares."""
    from scipy.sparse import csr_matrix

    unknowns = np.flatnonzero(np.isin(structure.node, i.nodes) & (structure.component < 3))
    R = _about(structure, unknowns, i.at)
    weights = np.linalg.pinv(R) if np.linalg.matrix_rank(R) == 6 else None
    if weights is None:  # rotations about the line of the nodes are the mean of their own
        unknowns = np.flatnonzero(np.isin(structure.node, i.nodes) & (structure.component < 6))
        weights = np.linalg.pinv(_about(structure, unknowns, i.at))
    rows = np.repeat(np.arange(6), len(unknowns))
    return csr_matrix((weights.ravel(), (rows, np.tile(unknowns, 6))), shape=(6, structure.size))


def held_components(interface: Interface, given: Any) -> list[int]:
    """Components of an interface's motion by names: "x y rz" or a list of names; True for all of them."""
    if given is True:
        return list(range(len(interface.components)))
    names = given.split() if isinstance(given, str) else given
    if not isinstance(names, Iterable):
        raise ModelError(
            f"interface '{interface.name}': held components must be names such as 'x y z rx', not {given!r}"
        )
    known = [COMPONENTS[c] for c in interface.components]
    for name in (names := list(names)):
        if name not in known:
            raise ModelError(f"interface '{interface.name}': there is no component {name!r}; use {join_or(known)}")
    return sorted({known.index(name) for name in names})
