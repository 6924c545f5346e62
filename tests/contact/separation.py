"""The independent route to contact of convex shapes: their support functions.

Along a direction n the second shape ends at max n·b and the first begins at min n·a; the separation s(n) is the
difference. The signed distance of two convex shapes is the largest s(n), and its direction is the normal.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.backends import compile
from freebody.model.contact.candidate import RelativePose
from freebody.model.contact.pairs import candidates_of
from freebody.program.assemble import program
from freebody.scalar.derivative import gradient
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind

Array = NDArray[np.float64]
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}


def support(shape: Any, n: Array) -> Array:
    """max n·a over the points a of a shape on its body."""
    R = Rotation.from_euler("xyz", shape.rpy).as_matrix()
    local = n @ R
    if isinstance(shape, fb.Box | fb.Plate):
        edges = (shape.x, shape.y, shape.thickness if isinstance(shape, fb.Plate) else shape.z)
        widest = np.abs(local) @ np.array(edges, float) / 2
    elif isinstance(shape, fb.Sphere):
        widest = shape.radius * np.linalg.norm(local, axis=-1)
    else:
        along = local @ np.array(AXES[shape.axis], float)
        across = np.sqrt(np.maximum((local**2).sum(-1) - along**2, 0))
        radial = across if isinstance(shape, fb.Cylinder) else np.linalg.norm(local, axis=-1)
        widest = shape.radius * radial + shape.length / 2 * np.abs(along)
    return n @ np.array(shape.at, float) + widest


def separation(first: Any, second: Any, R: Array, origin: Array, n: Array) -> Array:
    """s(n) for placements R (…, 3, 3), whose columns are the axes of the first body, and origins (…, 3)."""
    ours = np.einsum("...ij,...i->...j", R, n)
    return (n * origin).sum(-1) - support(first, -ours) - support(second, n)


@dataclass
class Traced:
    """The meetings of a pair as functions of (R, origin), many at once."""

    graph: Graph
    symbols: list[Expr]
    meetings: list[Any]
    labels: list[str]
    swapped: bool

    @classmethod
    def of(cls, first: Any, second: Any, points: int | None = None, graph: Graph | None = None) -> "Traced":
        g = Graph() if graph is None else graph
        s = [Expr(g, g.symbol(f"p{k}", Kind.COORDINATE)) for k in range(12)]
        axes = (s[0], s[1], s[2]), (s[3], s[4], s[5]), (s[6], s[7], s[8])
        pair = candidates_of(first, second, points)
        meetings = [c.meet(RelativePose(axes, (s[9], s[10], s[11]))) for c in pair.candidates]
        return cls(g, s, meetings, [c.label for c in pair.candidates], pair.swapped)

    @property
    def roots(self) -> list[Node]:
        rows = ([m.penetration, *m.normal, *m.tangents[0], *m.tangents[1], *m.point] for m in self.meetings)
        return [x.handle for row in rows for x in row]

    def evaluate(self, R: Array, origin: Array) -> dict[str, Array]:
        """x (…, candidates), and n, t1, t2, k (…, candidates, 3)."""
        result = self._values(self.roots, R, origin).reshape(*origin.shape[:-1], len(self.meetings), 13)
        rows = {"n": slice(1, 4), "t1": slice(4, 7), "t2": slice(7, 10), "k": slice(10, 13)}
        return {"x": result[..., 0], **{name: result[..., where] for name, where in rows.items()}}

    def slopes(self, R: Array, origin: Array) -> Array:
        """∂x/∂origin (…, candidates, 3)."""
        wrt = [x.handle for x in self.symbols[9:]]
        roots = [h for m in self.meetings for h in gradient(self.graph, m.penetration.handle, wrt)]
        return self._values(roots, R, origin).reshape(*origin.shape[:-1], len(self.meetings), 3)

    def _values(self, roots: list[Node], R: Array, origin: Array) -> Array:
        f = compile(program("meeting", self.graph, {"p": self.symbols}, {"out": roots}), "numpy")
        inputs = np.concatenate([np.swapaxes(R, -1, -2).reshape(*origin.shape[:-1], 9), origin], -1)
        return np.asarray(f(inputs.reshape(-1, 12)))


def project(shape: Any, R: Array, origin: Array, p: Array) -> Array:
    """The points of placed shapes that are nearest to points p; of spheres and capsules, those of their axes."""
    axes = R @ Rotation.from_euler("xyz", shape.rpy).as_matrix()
    centre = origin + np.einsum("nij,j->ni", R, np.array(shape.at, float))
    q = np.einsum("nij,ni->nj", axes, p - centre)
    if isinstance(shape, fb.Box):
        half = np.array([shape.x, shape.y, shape.z]) / 2
        q = np.clip(q, -half, half)
    elif isinstance(shape, fb.Sphere):
        q = np.zeros_like(q)
    else:
        axis = np.array(AXES[shape.axis], float)
        z = q @ axis
        radial = q - z[:, None] * axis
        size = np.linalg.norm(radial, axis=1, keepdims=True)
        shorter = 0.0 if isinstance(shape, fb.Capsule) else np.minimum(1, shape.radius / np.maximum(size, 1e-300))
        q = radial * shorter + np.clip(z, -shape.length / 2, shape.length / 2)[:, None] * axis
    return np.asarray(centre + np.einsum("nij,nj->ni", axes, q))


def distances(first: Any, second: Any, R: Array, origin: Array, steps: int) -> tuple[Array, Array]:
    """The distances of placed shapes that are apart, and the normals: by projections in turns on one and the other,
    which find the nearest points of convex sets (Cheney & Goldstein 1959)."""
    ground, nowhere, p = np.broadcast_to(np.eye(3), R.shape), np.zeros_like(origin), origin.copy()
    for _ in range(steps):
        q = project(second, ground, nowhere, p)
        p = project(first, R, origin, q)
    radii = sum(s.radius for s in (first, second) if isinstance(s, fb.Sphere | fb.Capsule))
    length = np.linalg.norm(p - q, axis=1)
    return length - radii, (p - q) / length[:, None]


def turns(rng: np.random.Generator, count: int) -> Array:
    return Rotation.random(count, rng=rng).as_matrix()


def directions(rng: np.random.Generator, count: int) -> Array:
    n = rng.normal(size=(count, 3))
    return n / np.linalg.norm(n, axis=1, keepdims=True)
