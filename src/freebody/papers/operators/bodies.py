"""The numbers that spatial operators are made of, for every body at one state, the program that computes them, and the
articulated-body recursion.

Everything is at the body's origin (its inboard joint) along the body's own axes, angular part first. Bodies come
parents first. A prescribed speed is not a degree of freedom: it enters the velocity offset and the acceleration
remainder.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from freebody.errors import ModelError
from freebody.papers.operators.closures import CLOSURE, ClosureNumbers, ClosureProgram, ClosureShape
from freebody.papers.operators.linear_maps import Array, slices
from freebody.program import assemble
from freebody.program.program import Program
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, components
from freebody.tree.forest import Forest, Link
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import body_wrenches


@dataclass(frozen=True)
class TreeShape:
    """The tree: parents by index (−1 is the ground) and by name, free speeds by joint and by name; and closures."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    on: tuple[str, ...]
    freedoms: tuple[int, ...]
    speeds: tuple[str, ...]
    closures: ClosureShape

    @classmethod
    def of(cls, forest: Forest, closures: ClosureShape) -> "TreeShape":
        links = forest.links
        parents = tuple(-1 if link.parent is None else link.parent.index for link in links)
        on = tuple(link.body.parent.name for link in links)
        names, freedoms = tuple(link.name for link in links), tuple(len(link.u) for link in links)
        return cls(names, parents, on, freedoms, forest.layout.u, closures)


@dataclass(frozen=True)
class BodyNumbers:
    """The numbers at one state: for each body R (its axes to the parent's), p (its origin in the parent), mass, mass
    centre, inertia about it; ``offset`` and ``remainder``, the parts of velocity and acceleration relative to the
    parent without free u and free u̇; ``wrench`` of loads on the body; for each speed its row of H, ``joint_force`` and
    ``armature``; and the numbers of ``closures``."""

    tree: TreeShape
    R: Array
    p: Array
    H: Array
    mass: Array
    com: Array
    inertia: Array
    offset: Array
    remainder: Array
    wrench: Array
    joint_force: Array
    armature: Array
    gravity: Array
    u: Array
    closures: ClosureNumbers

    @classmethod
    def of(cls, tree: TreeShape, outputs: Mapping[str, Array], u: Array) -> "BodyNumbers":
        """From the outputs of ``program``."""
        shape = {"R": (-1, 3, 3), "inertia": (-1, 3, 3), "H": (-1, 6)}
        own = {k: v.reshape(shape.get(k, v.shape)) for k, v in outputs.items() if not k.startswith(CLOSURE)}
        return cls(tree, u=u, closures=ClosureNumbers.of(tree.closures, outputs), **own)

    @cached_property
    def phi(self) -> Array:
        """φ(parent, k) = [R, p̃R; 0, R]: a force at k's origin as one at the parent's (n, 6, 6)."""
        return rigid(self.R, self.p)

    @cached_property
    def M(self) -> Array:
        """φ(c) diag(J, m) φ*(c) = [J − m c̃c̃, m c̃; −m c̃, m]: spatial inertia about the origin (n, 6, 6)."""
        centre = np.zeros((len(self.mass), 6, 6))
        centre[:, :3, :3], centre[:, 3:, 3:] = self.inertia, self.mass[:, None, None] * np.eye(3)
        phi = rigid(np.broadcast_to(np.eye(3), self.R.shape), self.com)
        return phi @ centre @ phi.transpose(0, 2, 1)

    @cached_property
    def rows(self) -> list[slice]:
        """The speeds of each joint."""
        return slices(self.tree.freedoms)


def rigid(R: Array, l: Array) -> Array:
    """φ(l) = [I, l̃; 0, I] after the turn R of the axes (…, 6, 6)."""
    phi = np.zeros((*l.shape[:-1], 6, 6))
    phi[..., :3, :3] = phi[..., 3:, 3:] = R
    phi[..., :3, 3:] = np.cross(l[..., None, :], R.swapaxes(-1, -2)).swapaxes(-1, -2)  # l × the columns of R
    return phi


def program(motion: Motion, closures: ClosureProgram) -> Program:
    """The outputs that ``BodyNumbers`` holds, as functions of parameters, t, q, u, z and inputs."""
    forest, g = motion.forest, motion.graph
    armature = armatures(forest)
    parts = [_body(link, forest.root) for link in forest.links]
    outputs: dict[str, Any] = {name: [part[name] for part in parts] for name in parts[0]}
    outputs["H"] = [
        _six(link, turn, slide) for link in forest.links for turn, slide in zip(link.turns, link.slides, strict=True)
    ]
    outputs["wrench"] = [list(F.c) for F in body_wrenches(motion)]
    outputs["joint_force"] = joint_forces(forest)
    outputs["armature"] = [armature.get(k, g.zero) for k in range(len(forest.layout.u))]
    outputs["gravity"] = list(components(forest.gravity, forest.root))
    outputs |= closures.outputs
    layout = forest.layout
    parameters, z, inputs = (
        [h for n in names if (h := g.named(n)) is not None] for names in (layout.parameters, layout.z, layout.inputs)
    )
    groups = {
        "parameters": parameters, "t": [forest.t], "q": list(layout.q_handles),
        "u": list(layout.u_handles), "z": z, "inputs": inputs,
    }  # fmt: skip
    return assemble.program("spatial_operators", g, groups, outputs)


def _body(link: Link, root: Frame) -> dict[str, int | list[int]]:
    recipe, body = link.body.recipe, link.body
    parent = root if link.parent is None else body.parent.frame
    axes = [components(body.axis(k), parent) for k in range(3)]
    driven = [body.u[k] if given is not None else 0 for k, given in enumerate(body.prescribed)]
    rates = [given if given is not None else 0 for given in body.prescribed]
    turns, slides = body.placement.turns, body.placement.slides
    remainders = (
        body.placement.turn_remainder + _along(link, turns, rates),
        body.placement.slide_remainder + _along(link, slides, rates),
    )  # fmt: skip
    return {
        "R": [axes[c][r] for r in range(3) for c in range(3)], "p": list(components(link.position, parent)),
        "mass": recipe.mass.handle, "com": [s.handle for s in recipe.com],
        "inertia": [s.handle for row in recipe.inertia for s in row],
        "offset": _six(link, _along(link, turns, driven), _along(link, slides, driven)),
        "remainder": _six(link, *remainders),
    }  # fmt: skip


def _along(link: Link, columns: list[Vector], rates: list[Any]) -> Vector:
    """Σ columnᵢ · rateᵢ."""
    return sum((c * r for c, r in zip(columns, rates, strict=True)), Vector(link.graph, {}))


def _six(link: Link, angular: Vector, linear: Vector) -> list[int]:
    """A spatial vector along the body's axes."""
    frame = link.body.frame
    return [*components(angular, frame), *components(linear, frame)]


# The articulated-body recursion (Eq A.1) and the joints at which it stops

LOST = 1e-13
"""Hinge inertia below this part of that with all outboard joints locked is rounding."""


@dataclass(frozen=True)
class Articulated:
    """For each body P, its inertia while all outboard joints are free; D = H P H* + armature, its hinge inertia;
    G = P H* D⁻¹, the Kalman gain of the recursion."""

    P: list[Array]
    D: list[Array]
    G: list[Array]


def articulate(bodies: BodyNumbers) -> Articulated:
    """From the tips inwards: P(k) = M(k) + Σ φ(k, m) [τ̄ P τ̄* + G A G*](m) φ*(k, m) over the children m.

    Without armatures A this is A.1's ψ P ψ* + M. An armature stands where a Kalman filter has the noise of a
    measurement, and with it Eqs 3.1–3.10 hold for 𝓜 = H φ M φ* H* + A. In exact arithmetic the bracket is
    P − P H* D⁻¹ H P, but what that form leaves unsymmetric by rounding grows inwards without bound: by 70 bodies of a
    random chain to 3e-7, by 200 to nonsense. This form keeps to 1e-15 over 1000.
    """
    P, locked = [m.copy() for m in bodies.M], [m.copy() for m in bodies.M]
    D, G = list[Array](P), list[Array](P)
    for k in reversed(range(len(P))):
        H, armature = bodies.H[bodies.rows[k]], np.diag(bodies.armature[bodies.rows[k]])
        D[k] = H @ P[k] @ H.T + armature
        _require_inertia(bodies, k, D[k], np.diag(H @ locked[k] @ H.T + armature))
        G[k] = np.linalg.solve(D[k], H @ P[k]).T
        p, phi = bodies.tree.parents[k], bodies.phi[k]
        if p >= 0:
            tau_bar = np.eye(6) - G[k] @ H
            P[p] += phi @ (tau_bar @ P[k] @ tau_bar.T + G[k] @ armature @ G[k].T) @ phi.T
            locked[p] += phi @ locked[k] @ phi.T
    return Articulated(P, D, G)


def _require_inertia(bodies: BodyNumbers, k: int, D: Array, locked: Array) -> None:
    """Raises for a joint without hinge inertia, relative to that with all outboard joints locked."""
    size = np.sqrt(np.where(locked > 0, locked, 1.0))
    values, vectors = np.linalg.eigh(D / np.outer(size, size))
    if not values.size or values[0] > LOST:
        return
    direction = bodies.H[bodies.rows[k]].T @ (vectors[:, 0] / size)
    name, turn, slide = bodies.tree.names[k], direction[:3], direction[3:]
    turning = bool(np.linalg.norm(turn) > 1e-9 * np.linalg.norm(direction))
    what = f"about {_axis(turn)}" if turning else f"along {_axis(slide)}"
    allowed, missing = ("rotation", "inertia") if turning else ("translation", "mass")
    raise ModelError(
        f"joint '{name}' ({name} on {bodies.tree.on[k]}): hinge inertia is 0. It allows {allowed} {what}, but {name}"
        f" has no {missing} {what} and its outboard bodies pass none on. Give {name} a non-zero {missing}, or use Weld."
    )


def _axis(v: Array) -> str:
    """A direction along the body's axes: a letter, or three numbers."""
    v = v / np.linalg.norm(v)
    k = int(np.argmax(np.abs(v)))
    return "xyz"[k] if abs(v[k]) > 1 - 1e-9 else f"({', '.join(f'{x:.3g}' for x in v)})"
