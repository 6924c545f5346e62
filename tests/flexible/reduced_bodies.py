"""Reduced bodies of no structure in particular, for tests of files."""

from dataclasses import replace

import numpy as np

import freebody as fb
from freebody.fem.deformable_mesh import DeformableMesh
from freebody.fem.modal_data import ModalData
from freebody.fem.orthonormal import Damping, orthonormal
from freebody.fem.reduced_data import FrequencyResponse, ReducedData, ReductionRecord
from tests.flexible.random_modal_data import random_modal_data

ARRAYS = ("c0", "E", "C", "F0", "F1", "J0", "J1", "J2", "M_ff", "K", "D", "preload")


def random_reduced(seed: int, n: int = 4, points: int = 5) -> fb.ReducedBody:
    """A body with all that a reduced body can have; the rotation of its node p2 is not known."""
    rng = np.random.default_rng(seed)
    data = random_modal_data(rng, n, nodes=3, damping=0.05)
    data.nodes["p2"] = replace(data.nodes["p2"], slopes=None)  # type: ignore[index]
    data = orthonormal(replace(data, preload=rng.normal(size=n)), ["bending y", *[""] * (n - 1)], Damping())
    mesh = DeformableMesh(
        rng.normal(size=(points, 3)), rng.normal(size=(points, 3, n)), np.array([[0, 1], [1, 2]]), np.array([[0, 1, 4]])
    )
    centre, residuals = (0.1, 0.0, 0.2), (0.0,) * 6
    record = ReductionRecord("part", "craig-bampton", 99, "root", ("p1", "p2"), n, data.m, centre, residuals)
    response = FrequencyResponse(np.array([1.0, 2.0]), ("p1 y by p1 y",), np.ones((2, 1)), np.ones((2, 1)) * 1.01)
    return fb.ReducedBody(ReducedData(data, mesh, record, response))


def difference(a: ModalData, b: ModalData) -> float:
    """The largest difference of two bodies relative to the size of each array, nodes included; their lists of modes and
    nodes are equal."""
    assert [*a.nodes] == [*b.nodes] and [m.kind for m in a.modes] == [m.kind for m in b.modes]
    pairs = [(np.array(a.m), np.array(b.m)), *((getattr(a, key), getattr(b, key)) for key in ARRAYS)]
    for x, y in zip(a.nodes.values(), b.nodes.values(), strict=True):
        assert (x.slopes is None) == (y.slopes is None)
        pairs += [(x.position, y.position), (x.translations, y.translations), (x.second, y.second)]
        pairs += [] if x.slopes is None or y.slopes is None else [(x.slopes, y.slopes)]
    return max(float(np.abs(x - y).max(initial=0.0)) / (float(np.abs(x).max(initial=0.0)) or 1.0) for x, y in pairs)
