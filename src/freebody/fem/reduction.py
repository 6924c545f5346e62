"""Reduction of a structure to a flexible body with few modes.

Craig–Bampton: modes of vibration with all interfaces held, and the static displacements by unit motions of each
interface. Craig–Chang: modes of the free structure, and the static displacements by unit forces at the interfaces.
Modal: modes with the frame held (or what is given), and if asked for static displacements by unit forces. All shapes
are then seen from the body's frame, and the modes of the reduced matrices are the orthonormal modes of the body.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError, describe, suggest
from freebody.fem.deformable_mesh import DeformableMesh
from freebody.fem.flexibility import DeterminateSupport, Flexibility, flexibility
from freebody.fem.frequency_response import compared_response
from freebody.fem.interfaces import (
    Interface,
    Sparse,
    TiedStructure,
    held_components,
    interfaces_of,
    tied,
)
from freebody.fem.modal_data import ModalData, ModalNode, cleaned
from freebody.fem.orthonormal import Damping, listed, positive_modes
from freebody.fem.reduced_data import ReducedData, ReductionRecord
from freebody.fem.structure import Structure
from freebody.fem.structure_integrals import modal_data, stiffened
from freebody.numeric import as_integer, as_number
from freebody.progress import Progress

Array = NDArray[np.float64]
METHODS = ("craig-bampton", "craig-chang", "modal")
MOST = 200
"""Modes of vibration that are computed at most."""
DEPENDENT = 1e-10
"""Combinations of shapes with unit mass each are dependent if their mass is smaller than this."""
NOISE = 1e-10
"""Entries of modal data that are smaller, relative to the largest of their array, are errors of the solutions."""
SMALL = 600
"""Unknowns up to which all modes are computed at once."""


@dataclass(frozen=True)
class ModeChoice:
    """Which modes of vibration are kept: a number of them, those below a frequency (rad/s), or as many as move this
    fraction of the mass along x, y and z if the interfaces are shaken."""

    count: int | None = None
    frequency: float | None = None
    effective_mass: float | None = None

    def __post_init__(self) -> None:
        if sum(limit is not None for limit in (self.count, self.frequency, self.effective_mass)) != 1:
            raise ModelError("give one of modes=…, frequency=… and effective_mass=… to choose modes of vibration")
        if self.count is not None:
            number = as_integer(self.count)
            if number is None or number < 0:
                raise ModelError(f"modes must be an integer that is not negative, not {self.count!r}")
            if self.count > MOST:
                raise ModelError(
                    f"modes: {self.count} modes are more than {MOST}; a few modes above the highest"
                    " frequency of interest are enough"
                )
        elif self.frequency is not None and not _positive(self.frequency):
            raise ModelError(f"frequency: a positive frequency in rad/s is needed, not {self.frequency!r}")
        elif self.effective_mass is not None and not (_positive(self.effective_mass) and self.effective_mass < 1):
            raise ModelError(f"effective_mass: a fraction between 0 and 1 is needed, not {self.effective_mass!r}")


def _positive(x: Any) -> bool:
    return 0 < (as_number(x) or 0.0) < np.inf


def reduce(
    structure: Structure,
    modes: int | None = None,
    *,
    interfaces: Mapping[str, Any] | None = None,
    frame: str = "",
    method: str = "",
    held: Mapping[str, Any] | None = None,
    static: Sequence[str] = (),
    frequency: float | None = None,
    effective_mass: float | None = None,
    stiffening: bool = True,
    check: float | None = None,
    progress: bool | None = None,
) -> ReducedData:
    """See ``Structure.reduce``."""
    frame, static = frame or "", [static] if isinstance(static, str) else list(static)
    if held is not None and not isinstance(held, Mapping):
        raise ModelError(f"held: components of interfaces are needed, {{'hinge': 'x y z rx ry'}}, not {describe(held)}")
    choice = ModeChoice(modes, frequency, effective_mass)
    if check is not None and not _positive(check):
        raise ModelError(f"check: a positive frequency in rad/s is needed, not {check!r}")
    _check_mass(structure)
    found = interfaces_of(structure, interfaces or {})
    method = method or ("craig-bampton" if found and not held else "modal")
    by_name = {i.name: i for i in found}
    _check_interfaces(structure, by_name, method, frame, held, static)
    # the frame comes first, because its unknowns make the best supports
    body = tied(structure, sorted(found, key=lambda i: i.name != frame))
    with Progress("factoring the stiffness matrix", 1.0, progress) as bar:
        support = DeterminateSupport(body, bar)
    with Progress("modes of vibration", 1.0, progress) as bar:
        normal, flexible = _normal_modes(body, support, _held(body, method, frame, held), choice, bar)
    shapes = _joined(body, normal, _static_shapes(body, flexible, method, frame, static))
    origin = by_name[frame].at if frame else np.zeros(3)
    if frame:
        motion = body.rigid_about(origin) @ (body.rows[frame] @ shapes.x)
    elif not held:  # the frame floats
        motion = support.motions @ (support.motions.T @ (body.mass @ shapes.x))
    else:
        motion = np.zeros_like(shapes.x)
    shapes, squares = _orthonormal(body, shapes, motion)
    u = np.asarray(body.T @ shapes.x)
    nodes = {i.name: _node(body, i, shapes.x, origin) for i in found}
    data = modal_data(structure, u, squares, origin, nodes)
    stiff = bool(stiffening) and structure.geometric is not None
    fixed = flexibility(support, _held(body, "modal", frame, None)) if stiff or check is not None else flexible
    if stiff:
        data = stiffened(data, structure, body, fixed, u, origin)
    record = ReductionRecord(
        source=structure.name,
        method=method,
        unknowns=structure.size,
        frame=frame,
        interfaces=tuple(by_name),
        normal_modes=normal.x.shape[1],
        mass=data.m,
        mass_centre=tuple((data.c0 / data.m + origin).tolist()),
        residuals=tuple(structure.residuals.tolist()),
        stiffening=stiff,
        **_free_frequencies(body, support, shapes),
    )
    data = listed(_without_noise(data), [""] * data.n, Damping())
    response = None if check is None else compared_response(body, fixed, data, frame, check)
    return ReducedData(data, _mesh(structure, u, origin), record, response)


def _check_interfaces(
    structure: Structure,
    interfaces: Mapping[str, Interface],
    method: str,
    frame: str,
    held: Mapping[str, Any] | None,
    static: Sequence[str],
) -> None:
    """Raise if the method, the frame and what is held or loaded do not suit the interfaces."""
    if method not in METHODS:
        raise ModelError(f"method: there is no reduction '{method}'. {suggest(str(method), [*METHODS])}")
    if method != "modal" and not interfaces:
        raise ModelError(
            f"the reduction '{method}' needs interfaces, at which joints and loads are attached:"
            " interfaces={'tip': 'name of a set of nodes'}; or use method='modal'"
        )
    for key, value in (("frame", [frame] if frame else []), ("held", [*(held or {})]), ("static", static)):
        for name in value:
            if name not in interfaces:
                hint = suggest(str(name), [*interfaces]) if interfaces else "Give interfaces={…}"
                raise ModelError(f"{key}: there is no interface {name!r}. {hint}")
    if method != "modal" and (held or static):
        raise ModelError(
            f"'{'held' if held else 'static'}' belongs to method='modal'; '{method}' holds and loads all interfaces"
        )
    if frame and not interfaces[frame].rotates:
        raise ModelError(
            f"frame: the node '{frame}' of a solid has no rotation, so it cannot carry the body's frame."
            " Tie a set of nodes to it: interfaces={'" + frame + "': fb.Tie(nodes)}"
        )
    if frame and structure.grounded:
        raise ModelError(
            f"frame: {structure.name} is held by supports in its stiffness matrix (a rigid motion causes elastic"
            f" forces, of {structure.residuals.max():.1g} of the size of their terms), so the frame is at its origin."
            " Leave 'frame' out, or export the matrices without supports"
        )


def _check_mass(structure: Structure) -> None:
    """Raise if translations along x, y and z do not move the same mass."""
    masses = np.diag(structure.rigid_mass)[:3]
    if not structure.grounded and np.ptp(masses) > 1e-3 * masses.max():
        shown = ", ".join(f"{m:.6g}" for m in masses)
        raise ModelError(
            f"{structure.name}: translations along x, y and z move different masses, {shown} kg. Check the"
            " order of the unknowns, and whether rows of the mass matrix are missing"
        )


@dataclass(frozen=True, eq=False)
class Shapes:
    """Displacements and the forces K x of each of them, both (n, m)."""

    x: Array
    forces: Array


def _held(body: TiedStructure, method: str, frame: str, held: Mapping[str, Any] | None) -> Sparse:
    """The combinations of unknowns that are zero in modes of vibration."""
    from scipy.sparse import csr_matrix, vstack

    if method == "craig-bampton":
        parts = [body.rows[i.name] for i in body.interfaces]
        _check_independent(body)
    elif method == "craig-chang":
        parts = []
    else:
        given = {frame: True} if held is None and frame else held or {}
        by_name = {i.name: i for i in body.interfaces}
        parts = [body.rows[name][held_components(by_name[name], what)] for name, what in given.items()]
    return vstack(parts).tocsr() if parts else csr_matrix((0, body.size))


def _check_independent(body: TiedStructure) -> None:
    """Raise if the motion of an interface follows from the motions of those before it."""
    from scipy.sparse import diags, vstack

    rows = vstack([body.rows[i.name] for i in body.interfaces]).tocsr()
    rows = diags(1 / np.sqrt(np.asarray(rows.power(2).sum(1)).ravel())) @ rows
    products, end = (rows @ rows.T).toarray(), 0
    for i in body.interfaces:
        end += len(i.components)
        if np.linalg.eigvalsh(products[:end, :end])[0] < DEPENDENT:
            raise ModelError(
                f"the motion of the interface '{i.name}' follows from those of others, with which it"
                " shares nodes; leave it out, or use method='modal'"
            )


def _normal_modes(
    body: TiedStructure, support: DeterminateSupport, W: Sparse, choice: ModeChoice, progress: Callable[[float], object]
) -> tuple[Shapes, Flexibility]:
    """Modes of vibration with W x = 0, and the flexibility."""
    flexible = flexibility(support, W)
    if choice.effective_mass is not None and support.motions.shape[1] and not W.shape[0]:
        raise ModelError(
            "effective_mass: modes of vibration of a free part have no effective mass; choose modes by their number"
            " or by frequency=…, or hold the frame"
        )
    free = body.size - W.shape[0] - flexible.loose.shape[1]
    if choice.count is not None and choice.count > free:
        raise ModelError(f"modes: the structure has {free} modes of vibration, not {choice.count}; ask for fewer")
    count = choice.count if choice.count is not None else min(10, free)
    while True:
        shapes, squares = lowest_modes(body.mass, flexible, count, free, progress)
        keep, enough = _kept(body, shapes.x, np.sqrt(squares), choice)
        if count == free and not enough and choice.effective_mass is not None:
            raise ModelError(
                f"effective_mass: all {free} modes together move less than {choice.effective_mass:g} of"
                " the mass, because the rest is at the interfaces; give a smaller fraction"
            )
        if enough or count == free:
            return Shapes(shapes.x[:, :keep], shapes.forces[:, :keep]), flexible
        if count == MOST:
            raise ModelError(
                f"{MOST} modes, up to {np.sqrt(squares[-1]):.4g} rad/s, are not enough; give a lower 'frequency' or"
                " 'effective_mass'"
            )
        count = min(2 * count, free, MOST)


def _kept(body: TiedStructure, x: Array, omega: Array, choice: ModeChoice) -> tuple[int, bool]:
    """How many of the modes are kept, and whether no further ones are needed."""
    if choice.frequency is not None:
        keep = int(np.sum(omega <= choice.frequency))
        return keep, keep < len(omega)
    if choice.effective_mass is not None:
        R = body.rigid[:, :3]
        share = np.cumsum((x.T @ (body.mass @ R)) ** 2, axis=0) / np.einsum("na,na->a", R, body.mass @ R)
        enough = np.flatnonzero((share >= choice.effective_mass).all(1))
        return (int(enough[0]) + 1, True) if len(enough) else (len(omega), False)
    return len(omega), True


def lowest_modes(
    mass: Sparse, flexible: Flexibility, count: int, free: int, progress: Callable[[float], object]
) -> tuple[Shapes, Array]:
    """The lowest modes with unit modal mass, and their ω²: the largest eigenvalues of G M, by Lanczos' method, or all
    of them for small structures."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = mass.shape[0]
    if count == 0:
        return Shapes(np.zeros((n, 0)), np.zeros((n, 0))), np.zeros(0)
    if n <= SMALL or count > free // 3:
        half = _root(flexible.solve(np.eye(n))[0])
        vectors = np.linalg.eigh(half.T @ (mass @ half))[1][:, ::-1][:, :count]
        found = half @ vectors
    else:
        calls = 0

        def apply(x: Array) -> Array:
            nonlocal calls
            calls += 1
            progress(calls / (calls + 3 * count))  # how many there will be is not known
            return flexible.solve(x)[0]

        inverse = LinearOperator((n, n), matvec=apply, dtype=float)
        start = apply(mass @ np.random.default_rng(0).standard_normal(n))
        found = eigsh(mass, count, mass, sigma=0.0, OPinv=inverse, v0=start, tol=1e-9)[1]
    # one more step of inverse iteration gives the forces, and accurate frequencies by the Rayleigh quotient
    x, forces = flexible.solve(np.asarray(mass @ found))
    M, K = x.T @ (mass @ x), x.T @ forces
    size = np.sqrt(np.diag(M))
    if positive_modes(M) is not None:
        raise ModelError(f"the structure has fewer than {count} modes that move a mass; ask for fewer")
    squares, V = eigh((K + K.T) / 2 / np.outer(size, size), (M + M.T) / 2 / np.outer(size, size))
    V = V / size[:, None]
    return Shapes(x @ V, forces @ V), squares


def _root(G: Array) -> Array:
    """A matrix B with B Bᵀ = G, for a positive semidefinite G."""
    values, vectors = np.linalg.eigh((G + G.T) / 2)
    keep = values > 1e-15 * values[-1]
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))


def _static_shapes(
    body: TiedStructure, flexible: Flexibility, method: str, frame: str, static: Sequence[str]
) -> Shapes:
    """Static displacements: by unit motions of the interfaces (Craig–Bampton), or by unit forces."""
    from scipy.sparse import vstack

    if method == "craig-bampton":
        motions = np.eye(flexible.W.shape[0])
        if frame:  # its motions are rigid motions less those of the other interfaces
            motions = motions[:, 6:]
        return Shapes(*flexible.solve(np.zeros((body.size, motions.shape[1])), motions))
    loaded = [i.name for i in body.interfaces] if method == "craig-chang" else list(static)
    if not loaded:
        return Shapes(np.zeros((body.size, 0)), np.zeros((body.size, 0)))
    return Shapes(*flexible.solve(vstack([body.rows[name] for name in loaded]).T.toarray()))


def _joined(body: TiedStructure, normal: Shapes, static: Shapes) -> Shapes:
    """Modes of vibration, and static shapes without their part in these modes."""
    part = normal.x.T @ (body.mass @ static.x)
    x, forces = static.x - normal.x @ part, static.forces - normal.forces @ part
    return Shapes(np.hstack([normal.x, x]), np.hstack([normal.forces, forces]))


def _orthonormal(body: TiedStructure, shapes: Shapes, motion: Array) -> tuple[Shapes, Array]:
    """Orthonormal modes spanned by the shapes less the rigid motion of each, and their ω²."""
    size = np.sqrt(np.maximum(np.einsum("na,na->a", shapes.x, body.mass @ shapes.x), np.finfo(float).tiny))
    shapes = Shapes(shapes.x - motion, shapes.forces)
    M, K = shapes.x.T @ (body.mass @ shapes.x), shapes.x.T @ shapes.forces
    values, vectors = np.linalg.eigh((M + M.T) / 2 / np.outer(size, size))
    T = vectors[:, values > DEPENDENT] / np.sqrt(values[values > DEPENDENT]) / size[:, None]
    squares, V = np.linalg.eigh(T.T @ ((K + K.T) / 2) @ T)
    T = T @ V
    x = shapes.x @ T
    T = T * np.where(x[np.argmax(np.abs(x), axis=0), range(x.shape[1])] < 0, -1.0, 1.0)
    return Shapes(shapes.x @ T, shapes.forces @ T), squares


def _node(body: TiedStructure, interface: Interface, x: Array, origin: Array) -> ModalNode:
    """The node of an interface; its second-order displacements are added with the geometric stiffening."""
    motion, n = np.asarray(body.rows[interface.name] @ x), x.shape[1]
    return ModalNode(interface.at - origin, motion[:3], motion[3:] if interface.rotates else None, np.zeros((3, n, n)))


def _without_noise(data: ModalData) -> ModalData:
    """The data with zeros in place of what the solutions of the structure leave there: symmetric structures have
    integrals with many zeros, which cost nothing."""

    def clean(a: Array) -> Array:
        return cleaned(a, NOISE)

    nodes = {
        name: ModalNode(
            node.position,
            clean(node.translations),
            None if node.slopes is None else clean(node.slopes),
            clean(node.second),
        )
        for name, node in data.nodes.items()
    }
    return replace(
        data,
        nodes=nodes,
        c0=clean(data.c0),
        E=clean(data.E),
        C=clean(data.C),
        F0=clean(data.F0),
        F1=clean(data.F1),
        J0=clean(data.J0),
        J1=clean(data.J1),
        J2=clean(data.J2),
    )


def _free_frequencies(body: TiedStructure, support: DeterminateSupport, shapes: Shapes) -> dict[str, Any]:
    """Frequencies of the six rigid motions, and the lowest elastic one of the free structure, in reduced matrices."""
    from scipy.linalg import eigh

    R = support.motions
    if not R.shape[1] or not shapes.x.shape[1]:
        return {}
    rigid = np.sqrt(np.abs(np.einsum("na,na->a", R, body.stiffness @ R)))
    x = shapes.x - R @ (R.T @ (body.mass @ shapes.x))
    lowest = eigh(shapes.x.T @ shapes.forces, x.T @ (body.mass @ x), eigvals_only=True, subset_by_index=(0, 0))
    return {"rigid_frequencies": tuple(rigid.tolist()), "elastic_frequency": float(np.sqrt(lowest[0]))}


def _mesh(structure: Structure, u: Array, origin: Array) -> DeformableMesh:
    """The nodes that are drawn, with their displacements."""
    used = np.unique(np.concatenate([structure.lines.ravel(), structure.triangles.ravel()]))
    if len(used) == 0:
        used = np.arange(len(structure.positions))
    place = np.full(len(structure.positions), -1, dtype=np.intp)
    place[used] = np.arange(len(used))
    shapes = np.zeros((len(used), 3, u.shape[1]))
    for c in range(3):
        at = structure.unknown[used, c]
        shapes[at >= 0, c] = u[at[at >= 0]]
    points = structure.positions[used] - origin
    return DeformableMesh(points, shapes, place[structure.lines], place[structure.triangles])
