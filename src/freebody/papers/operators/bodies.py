"""The numbers that spatial operators are made of, for every body at one state, the program that computes them, and the
articulated-body recursion.

Everything is at the body's origin (its inboard joint) along the body's own axes: of a flexible body first its modes,
then the angular and the linear part. Bodies come parents first. A prescribed speed is not a degree of freedom: it
enters the velocity offset and the acceleration remainder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from freebody.errors import ModelError
from freebody.model.joints.base import Placement
from freebody.papers.operators.closures import CLOSURE, ClosureNumbers, ClosureProgram, ClosureShape
from freebody.papers.operators.linear_maps import Array, slices
from freebody.papers.operators.modes import MODES, ModeLayout, ModeNumbers, mode_outputs
from freebody.program import assemble
from freebody.program.program import Program
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Vector, components
from freebody.tables import ShortRepr
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import body_wrenches
from freebody.tree.tree import Link, Tree, input_groups


@dataclass(frozen=True)
class TreeShape:
    """The tree: parents by index (−1 is the ground) and by name, free speeds by joint and by name; modes; closures."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    on: tuple[str, ...]
    freedoms: tuple[int, ...]
    speeds: tuple[str, ...]
    modes: ModeLayout
    closures: ClosureShape

    @classmethod
    def of(cls, tree: Tree, closures: ClosureShape) -> "TreeShape":
        first, last = ([links[k] for links in tree.bodies] for k in (0, -1))
        names = tuple(link.name for link in last)
        parents = tuple(-1 if link.parent is None else names.index(link.parent.name) for link in first)
        on = tuple(link.body.parent.name for link in first)
        freedoms = tuple(sum(len(link.u) for link in links) for links in tree.bodies)
        return cls(names, parents, on, freedoms, tree.layout.u, ModeLayout.of(last), closures)

    @property
    def sizes(self) -> list[int]:
        """The sizes of the bodies' blocks: six, and the number of modes."""
        return [n + 6 for n in self.modes.own]


@dataclass(frozen=True, repr=False)
class BodyNumbers(ShortRepr):
    """The numbers at one state: for each body R (its axes to the parent's), p (its origin in the parent), mass, mass
    centre, inertia about it; its angular velocity w; ``offset`` and ``remainder``, the parts of velocity and
    acceleration relative to the parent without free u and free u̇; ``wrench`` of loads on the body; for each speed its
    row of H without modes, ``joint_force`` and ``armature``; and the numbers of ``modes`` and ``closures``. ``moves``
    is 0 for a node whose deformation is neglected in velocities (order "ruthless"), else 1."""

    tree: TreeShape
    R: Array
    p: Array
    H: Array
    mass: Array
    com: Array
    inertia: Array
    w: Array
    offset: Array
    remainder: Array
    moves: Array
    wrench: Array
    joint_force: Array
    armature: Array
    gravity: Array
    u: Array
    modes: ModeNumbers
    closures: ClosureNumbers

    @classmethod
    def of(cls, tree: TreeShape, outputs: Mapping[str, Array], u: Array) -> "BodyNumbers":
        """From the outputs of ``program``."""
        shape = {"R": (-1, 3, 3), "inertia": (-1, 3, 3), "H": (-1, 6)}
        own = {k: v.reshape(shape.get(k, v.shape)) for k, v in outputs.items() if not k.startswith((CLOSURE, MODES))}
        modes = ModeNumbers.of(tree.modes, tree.parents, outputs)
        return cls(tree, u=u, modes=modes, closures=ClosureNumbers.of(tree.closures, outputs), **own)

    @cached_property
    def phi(self) -> list[Array]:
        """Φ(parent, k): a force of k as one of the parent. Between rigid bodies φ = [R, p̃R; 0, R]; modes of k pass
        nothing on, and a node acts on the modes of its parent by Π* (Eqs 3.14, 3.17)."""
        blocks = list[Array]()
        for k, (p, phi) in enumerate(zip(self.tree.parents, rigid(self.R, self.p), strict=True)):
            n, above = self.tree.modes.own[k], self.tree.modes.own[p] if p >= 0 else 0
            block = np.zeros((above + 6, n + 6))
            block[above:, n:] = phi
            if k in self.modes.Pi:
                block[:above] = self.modes.Pi[k].T
            blocks.append(block)
        return blocks

    @cached_property
    def solids(self) -> Array:
        """φ(c) diag(J, m) φ*(c) = [J − m c̃c̃, m c̃; −m c̃, m]: spatial inertia about the origin, of a flexible body
        that of its rigid part (n, 6, 6)."""
        centre = np.zeros((len(self.mass), 6, 6))
        centre[:, :3, :3], centre[:, 3:, 3:] = self.inertia, self.mass[:, None, None] * np.eye(3)
        phi = rigid(np.broadcast_to(np.eye(3), self.R.shape), self.com)
        return np.asarray(phi @ centre @ phi.transpose(0, 2, 1))

    @cached_property
    def M(self) -> list[Array]:
        """Spatial inertias about the origins; M_m of flexible bodies."""
        blocks = list(self.solids)
        for k, modal in self.modes.mass.items():
            blocks[k] = modal.copy()
            blocks[k][-6:, -6:] += self.solids[k]
        return blocks

    @cached_property
    def joint_maps(self) -> list[Array]:
        """𝓗(k): the row of a mode is that of the identity (Eq 3.15; the body's frame is at its hinge, Π^d = 0)."""
        maps = list[Array]()
        for n, rows in zip(self.tree.modes.own, self.rows, strict=True):
            H = self.H[rows]
            maps.append(np.hstack([np.vstack([np.zeros((len(H) - n, n)), np.eye(n)]), H]))
        return maps

    @cached_property
    def rows(self) -> list[slice]:
        """The speeds of each joint, then of the modes."""
        return slices(self.tree.freedoms)

    @cached_property
    def places(self) -> list[slice]:
        """The part of each body in a stacked vector."""
        return slices(self.tree.sizes)

    def stacked(self, six: Array) -> Array:
        """Spatial vectors of all bodies (n, 6) as a stacked vector, with zeros for the modes."""
        x = np.zeros(sum(self.tree.sizes))
        for place, value in zip(self.places, six, strict=True):
            x[place][-6:] = value
        return x

    @cached_property
    def relative(self) -> Array:
        """Velocities relative to the parents (n, 6), as Coriolis accelerations contain them."""
        velocity = self.offset.copy()
        for k, (p, rows) in enumerate(zip(self.tree.parents, self.rows, strict=True)):
            velocity[k] += self.H[rows].T @ self.u[rows]
            if k in self.modes.Pi:
                own = self.u[self.rows[p]]
                velocity[k] += self.moves[k] * self.modes.Pi[k] @ own[len(own) - self.tree.modes.own[p] :]
        return velocity


def rigid(R: Array, l: Array) -> Array:
    """φ(l) = [I, l̃; 0, I] after the turn R of the axes (…, 6, 6)."""
    phi = np.zeros((*l.shape[:-1], 6, 6))
    phi[..., :3, :3] = phi[..., 3:, 3:] = R
    phi[..., :3, 3:] = np.cross(l[..., None, :], R.swapaxes(-1, -2)).swapaxes(-1, -2)  # l × the columns of R
    return phi


def program(motion: Motion, closures: ClosureProgram) -> Program:
    """The outputs that ``BodyNumbers`` holds, as functions of parameters, t, q, u, z and inputs."""
    tree, g = motion.tree, motion.graph
    armature, last = armatures(tree), [links[-1] for links in tree.bodies]
    parts = [_body(motion, links) for links in tree.bodies]
    outputs: dict[str, Any] = {name: [part[name] for part in parts] for name in parts[0] if name != "H"}
    outputs["H"] = [row for part in parts for row in part["H"]]
    wrenches = body_wrenches(motion)
    outputs["wrench"] = [list(wrenches[link.index].c) for link in last]
    outputs["joint_force"] = joint_forces(tree)
    outputs["armature"] = [armature.get(k, g.zero) for k in range(len(tree.layout.u))]
    outputs["gravity"] = list(components(tree.gravity, tree.root))
    outputs |= mode_outputs(motion, last) | closures.outputs
    return assemble.program("spatial_operators", g, input_groups(tree, tree.layout), outputs)


def _body(motion: Motion, links: Sequence[Link]) -> dict[str, Any]:
    """The numbers of a body; its links are the stages of its joint, of which the last one is the body."""
    first, link = links[0], links[-1]
    body, spec = link.body, link.body.spec
    parent = motion.tree.root if first.parent is None else first.body.parent.frame
    placement, free, rates, driven = _placement(links)
    position = first.body.offset + (placement.position if placement.undeformed is None else placement.undeformed)
    axes = [components(body.axis(k), parent) for k in range(3)]
    prescribed = [k for k in range(len(rates)) if k not in free]
    turns, slides = placement.turns, placement.slides

    def along(columns: list[Vector], values: list[Any]) -> Vector:
        """Σ columnᵢ · valueᵢ over the prescribed speeds."""
        return sum((columns[k] * values[k] for k in prescribed), Vector(motion.graph, {}))

    return {
        "R": [axes[c][r] for r in range(3) for c in range(3)],
        "p": list(components(position, parent)),
        "mass": spec.mass.handle,
        "com": [s.handle for s in spec.com],
        "inertia": [s.handle for row in spec.inertia for s in row],
        "w": list(motion.of(link).w.in_(body.frame).c),
        "H": [_six(link, turns[k], slides[k]) for k in free],
        "offset": _six(link, along(turns, rates), along(slides, rates)),
        "remainder": _six(
            link, placement.turn_remainder + along(turns, driven), placement.slide_remainder + along(slides, driven)
        ),
        "moves": motion.graph.one if placement.undeformed is None else motion.graph.zero,
    }


def _placement(links: Sequence[Link]) -> tuple[Placement, list[int], list[Expr], list[Expr | None]]:
    """The placement of a body on its parent by all stages of its joint; the indices of its free speeds; the values of
    all speeds and the prescribed accelerations. A node has no speeds of its own."""
    bodies = [link.body for link in links]
    speeds, driven = [s for b in bodies for s in b.u], [s for b in bodies for s in b.prescribed]
    placement, count = bodies[0].placement, len(bodies[0].u)
    for b in bodies[1:]:
        count += len(b.u)
        placement = placement.then(b.placement, [s.handle for s in speeds[:count]])
    return placement, [k for k, given in enumerate(driven) if given is None], speeds, driven


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


def composites(bodies: BodyNumbers) -> list[Array]:
    """R(k) = M(k) + Σ Φ(k, m) R(m) Φ*(k, m) over the children m, from the tips inwards."""
    R = [m.copy() for m in bodies.M]
    for k, p in reversed(list(enumerate(bodies.tree.parents))):
        if p >= 0:
            R[p] += bodies.phi[k] @ R[k] @ bodies.phi[k].T
    return R


def articulate(bodies: BodyNumbers) -> Articulated:
    """From the tips inwards: P(k) = M(k) + Σ φ(k, m) [τ̄ P τ̄* + G A G*](m) φ*(k, m) over the children m.

    Without armatures A this is A.1's ψ P ψ* + M. An armature stands where a Kalman filter has the noise of a
    measurement, and with it Eqs 3.1–3.10 hold for 𝓜 = H φ M φ* H* + A. In exact arithmetic the bracket is
    P − P H* D⁻¹ H P, but what that form leaves unsymmetric by rounding grows inwards without bound: by 70 bodies of a
    random chain to 3e-7, by 200 to nonsense. This form keeps to 1e-15 over 1000.
    """
    P, locked = [m.copy() for m in bodies.M], composites(bodies)
    D, G = list[Array](P), list[Array](P)
    for k in reversed(range(len(P))):
        H, armature = bodies.joint_maps[k], np.diag(bodies.armature[bodies.rows[k]])
        D[k] = H @ P[k] @ H.T + armature
        _require_inertia(bodies, k, D[k], np.diag(H @ locked[k] @ H.T + armature))
        G[k] = np.asarray(np.linalg.solve(D[k], H @ P[k]).T, dtype=float)
        p, phi = bodies.tree.parents[k], bodies.phi[k]
        if p >= 0:
            tau_bar = np.eye(len(P[k])) - G[k] @ H
            P[p] += phi @ (tau_bar @ P[k] @ tau_bar.T + G[k] @ armature @ G[k].T) @ phi.T
    return Articulated(P, D, G)


def _require_inertia(bodies: BodyNumbers, k: int, D: Array, locked: Array) -> None:
    """Raises for a joint without hinge inertia, relative to that with all outboard joints locked."""
    size = np.sqrt(np.where(locked > 0, locked, 1.0))
    values, vectors = np.linalg.eigh(D / np.outer(size, size))
    if not values.size or values[0] > LOST:
        return
    direction = bodies.joint_maps[k].T @ (vectors[:, 0] / size)
    name, mode, turn, slide = bodies.tree.names[k], direction[:-6], direction[-6:-3], direction[-3:]
    if np.linalg.norm(mode) > 1e-9 * np.linalg.norm(direction):
        speed = bodies.tree.speeds[bodies.rows[k].stop - len(mode) + int(np.argmax(np.abs(mode)))]
        raise ModelError(
            f"body '{name}': its mass matrix is not positive for a motion that contains '{speed}'. Either"
            f" its modes move no mass there, or {name} is deformed more than equations of second order"
            " allow: reduce the deformation, or use order='ruthless'."
        )
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
