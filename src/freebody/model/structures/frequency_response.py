"""Frequency responses of a structure and of its reduced body: displacements of interfaces by unit forces there.

The response of the whole structure is computed in a Krylov space, of G F, G M G F, … for loads F, which grows until the
response does not change any more; then it is that of the unreduced matrices.
"""

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError
from freebody.model.flexible.modal_data import ModalData
from freebody.model.structures.flexibility import Flexibility
from freebody.model.structures.interfaces import COMPONENTS, TiedStructure
from freebody.model.structures.reduced_data import FrequencyResponse

Array = NDArray[np.float64]
LOSS = 0.02
"""Loss factor η of the stiffness K (1 + i η) in the response."""
SAME = 1e-7
"""Relative change of the response by further vectors that ends the computation."""
MOST = 60
"""Blocks of vectors."""
POINTS = 200
"""Frequencies of a response."""


def compared_response(
    body: TiedStructure, flexible: Flexibility, data: ModalData, frame: str, highest: float
) -> FrequencyResponse:
    """The responses up to a frequency; the frame is held, or forces are balanced by inertia if it floats. Without other
    interfaces the load is a unit acceleration of the frame, and the response the momentum."""
    names = [i.name for i in body.interfaces if i.name != frame]
    if names:
        loads = np.hstack([body.rows[name][:3].T.toarray() for name in names])
        reduced_loads = np.vstack([data.nodes[name].translations for name in names])
        labels = tuple(f"{name} {axis}" for name in names for axis in COMPONENTS[:3])
    elif frame:
        loads, reduced_loads = np.asarray(body.mass @ body.rigid[:, :3]), data.E
        labels = tuple(f"acceleration {axis}" for axis in COMPONENTS[:3])
    else:
        raise ModelError("check: a structure without interfaces has no response to compare")
    lowest = min(np.sqrt(data.K.diagonal().min(initial=highest**2)), highest)
    omega = np.geomspace(lowest / 10, highest, POINTS)
    full = _krylov_response(body, flexible, loads, omega)
    reduced = _response(data.K, reduced_loads.T, omega)
    return FrequencyResponse(omega, labels, np.abs(full), np.abs(reduced))


def _krylov_response(body: TiedStructure, flexible: Flexibility, loads: Array, omega: Array) -> NDArray[np.complex128]:
    V, forces = np.zeros((body.size, 0)), np.zeros((body.size, 0))
    x, f = flexible.solve(loads)
    last = np.zeros((len(omega), loads.shape[1]), dtype=complex)
    for _ in range(MOST):
        for _ in range(2):  # orthogonal to the others, twice against rounding errors
            part = V.T @ (body.mass @ x)
            x, f = x - V @ part, f - forces @ part
        M = x.T @ (body.mass @ x)
        size = np.sqrt(np.maximum(np.diag(M), np.finfo(float).tiny))
        values, vectors = np.linalg.eigh(M / np.outer(size, size))
        T = vectors[:, values > 1e-8] / np.sqrt(values[values > 1e-8]) / size[:, None]
        V, forces = np.hstack([V, x @ T]), np.hstack([forces, f @ T])
        response = _response(V.T @ forces, V.T @ loads, omega)
        if (
            np.abs(response - last).max() <= SAME * np.abs(response).max()
            and (np.abs(response - last) <= 1e3 * SAME * np.abs(response)).all()
        ):
            return response
        last = response
        x, f = flexible.solve(np.asarray(body.mass @ V[:, -T.shape[1] :]))
    raise ModelError("check: the response of the whole structure does not converge; check up to a lower frequency")


def _response(K: Array, loads: Array, omega: Array) -> NDArray[np.complex128]:
    """The displacement by each load in its own direction, at each frequency, for M = 1."""
    squares, vectors = np.linalg.eigh((K + K.T) / 2)
    shares = (vectors.T @ loads) ** 2
    return np.asarray((1 / (squares * (1 + LOSS * 1j) - omega[:, None] ** 2)) @ shares)
