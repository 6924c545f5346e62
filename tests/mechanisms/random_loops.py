"""Random trees with loops that are closed at a random state, and the solution of their complete linear system in NumPy.

A closure connects two random bodies by a random joint. Its frames are placed from the poses of the bodies at the state,
the cut joint at random coordinates. G and γ of the reference are derivatives of the residuals φ, and of the equations
for speeds; they use neither the wrenches nor the accelerations of the rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

import freebody as fb
from freebody.errors import FieldError
from freebody.model.constraints import Closure, Constraint, ExpressionConstraint
from freebody.model.joints import JOINTS, Joint
from freebody.names import Q, U
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import components, vector
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.motion import Motion
from freebody.tree.tree import Tree, span
from tests.mechanisms import build_system, random_couplings, random_trees

Array = np.ndarray
DEPENDENT, DISTINCT = 1e-9, 1e-3
"""Singular values of G, relative to the largest, that count as zero, and those that count as safely different from it;
states with values between them are not used."""


@cache
def closing_kinds() -> list[str]:
    """The kinds of joints that can close a loop and resist some motion."""
    kinds = []
    for kind in JOINTS:
        draw = random_trees.Draw(np.random.default_rng(1), extras=False)
        for joint in (joint_of(draw.hinge(kind)) for _ in range(5)):
            builder = fb.System("closing")
            builder.body("a", joint=fb.Free(), mass=1)
            try:
                builder.close("ground", "a", joint)
            except FieldError:  # more coordinates than speeds
                continue
            if ConstraintEquations(Motion(span(builder.freeze()))).rows:
                kinds.append(kind)
                break
    return kinds


def joint_of(hinge: random_trees.Hinge) -> Joint:
    """A joint from its plain data, all of it numbers."""
    builder = build_system.Builder(random_trees.Tree(0, (), symbolic=0.0))
    return builder._joint(hinge)


@dataclass
class Mechanism:
    """A system with constraints that hold at its state (t, q, u, z, inputs). ``cuts`` are the coordinates of joints
    that close loops, by name; those that are extra states follow the others in z."""

    system: fb.System
    held: dict[str, Array]
    cuts: dict[str, float] = field(default_factory=dict)
    count: int = 0  # of constraints that were tried

    @property
    def z(self) -> Array:
        """The extra states."""
        names = span(self.system.freeze()).layout.z[len(self.held["z"]) :]
        return np.concatenate([self.held["z"], [self.cuts[n] for n in names]])

    def numbers(self, spanned_tree: Tree, nodes: Sequence[Node], **more: Array) -> Array:
        """Values of nodes at the state; ``more`` has values for symbols by their prefix (``tau``, ``u_dot``)."""
        g, layout, h = spanned_tree.graph, spanned_tree.layout, {**self.held, **more}
        names = [*map(Q, layout.q), *map(U, layout.u), *layout.z, *layout.inputs, "t"]
        z = np.concatenate([h["z"], [self.cuts[n] for n in layout.z[len(h["z"]) :]]])
        known = dict(zip(names, np.concatenate([h["q"], h["u"], z, h["inputs"], h["t"]]), strict=True))
        known |= self.system.values
        for prefix in more.keys() - self.held.keys():
            known |= {f"{prefix}.{n}": x for n, x in zip(layout.u, more[prefix], strict=True)}
        at = {handle: float(x) for n, x in known.items() if (handle := g.named(n)) is not None}
        return np.array(values(g, list(nodes), at), float)

    @cached_property
    def tree(self) -> dict[str, Array]:
        """M and f of the tree by Kane's equations."""
        e, n = self.system.derive("kane").derivation, len(self.held["u"])
        M = self.numbers(e.tree, [x for row in e.full_mass() for x in row]).reshape(n, n)
        return {"M": M, "f": self.numbers(e.tree, e.force)}

    @cached_property
    def rows(self) -> dict[str, Any]:
        """Of all rows, those that follow from others included: φ, G, offset and γ, and the keys of the rows."""
        spanned_tree = span(self.system.freeze())
        g, layout = spanned_tree.graph, spanned_tree.layout
        equations = ConstraintEquations(Motion(spanned_tree))
        phi, velocities = equations.residuals, equations.velocities
        seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | {spanned_tree.t: g.one}
        seeds |= {state.symbol.handle: state.rate.handle for state in spanned_tree.model.states.values()}
        once = [v if p is None else jvp(g, [p], seeds)[0] for p, v in zip(phi, velocities, strict=True)]
        gradients = jacobian(g, once, layout.u_handles)
        zero, m, n = np.zeros(len(layout.u)), len(phi), len(layout.u)
        G = np.zeros((m, n))
        G[tuple(np.array(list(gradients), int).reshape(-1, 2).T)] = self.numbers(spanned_tree, list(gradients.values()))
        here = self.numbers(
            spanned_tree, [*(g.zero if p is None else p for p in phi), *velocities, *jvp(g, once, seeds)]
        )
        return {
            "phi": here[:m],
            "velocities": here[m : 2 * m],
            "gamma": -here[2 * m :],
            "G": G,
            "offset": self.numbers(spanned_tree, once, u=zero),
            "keys": list(equations.rows),
        }

    @property
    def is_consistent(self) -> bool:
        """Whether the rank of G is beyond doubt and equations that follow from others do not contradict them."""
        G, u = self.rows["G"], self.held["u"]
        if not len(G):  # the joint resists nothing
            return False
        sizes = np.linalg.svd(G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True), 1e-30))[1]
        doubtful = sizes[(sizes > DEPENDENT * sizes[0]) & (sizes < DISTINCT * sizes[0])]
        gamma = self.rows["gamma"]
        miss = G @ np.linalg.lstsq(G, gamma, rcond=DEPENDENT)[0] - gamma
        allowed = np.abs(G @ u + self.rows["offset"]).max() < 1e-9
        solvable = np.abs(miss).max() < 1e-8 * (1 + np.abs(gamma).max())
        return bool(not len(doubtful) and sizes[0] > 0 and allowed and solvable)

    def accept(self, *constraints: Constraint, coordinates: Array | None = None) -> bool:
        """Add constraints, closures with the ``coordinates`` of their joints, and change u to the nearest speeds that
        they allow. If they contradict others there, or leave the mechanism no freedom, nothing is changed, and False is
        returned."""
        s, names, u = self.system, list(self.system.constraints), self.held["u"]
        for constraint in constraints:
            self.count += 1
            added = s.add(constraint, f"{constraint.kind}{self.count}")
            if isinstance(added, Closure) and coordinates is not None:
                self.cuts |= dict(zip(added.names[0], coordinates, strict=False))
        self.__dict__.pop("rows", None)
        G = self.rows["G"]
        self.held["u"] = u - np.linalg.lstsq(G, G @ u + self.rows["offset"], rcond=DEPENDENT)[0]
        del self.rows
        if self.is_consistent and np.linalg.matrix_rank(self.rows["G"], DEPENDENT) < len(u):
            return True
        del self.rows
        self.held["u"] = u
        for name in [n for n in s.constraints if n not in names]:
            del s.constraints[name]
        return False

    def solution(self, tau: Array) -> Array:
        """u̇ of M u̇ − Gᵀλ = f + tau, G u̇ = γ, by least squares."""
        M, G, n = self.tree["M"], self.rows["G"], len(tau)
        scale = 1 / np.sqrt(np.diag(M))
        A, J = M * np.outer(scale, scale), G * scale
        whole = np.block([[A, -J.T], [J, np.zeros((len(J), len(J)))]])
        right = np.concatenate([scale * (self.tree["f"] + tau), self.rows["gamma"]])
        return np.asarray(scale * np.linalg.lstsq(whole, right, rcond=1e-12)[0][:n])


def mechanism(seed: int, kinds: list[str]) -> Mechanism:
    """A random tree of joints of every kind (for every third seed one with couplings) with loops; one of them closed
    by the joint kinds[seed]. Some are closed twice by the same joint, some have equations of coordinates or speeds."""
    rng = np.random.default_rng([seed, 5])
    for attempt in range(40):
        m = coupled(seed + 1000 * attempt) if seed % 3 == 2 else uncoupled(seed + 13 * attempt)
        if len(m.held["u"]) < 5:
            continue
        wanted = [kinds[seed % len(kinds)], *rng.choice(kinds, size=int(rng.integers(0, 2)))]
        if all(_close(m, kind, rng) for kind in wanted):
            if seed % 4 == 1:
                _constrain(m, rng)
            return m
    raise AssertionError(f"no mechanism for seed {seed}")


def uncoupled(seed: int) -> Mechanism:
    tree = random_trees.tree(seed, bodies=4)
    state, s = random_trees.state(tree), build_system.Builder(tree, fb.System).system
    held = {
        "t": np.array([state.t]),
        "q": state.q,
        "u": state.u,
        "z": np.array([state.z]),
        "inputs": np.array([state.motor]),
    }
    return Mechanism(s, held)  # type: ignore[arg-type]


def coupled(seed: int) -> Mechanism:
    pair = random_couplings.pair(seed, bodies=6)
    q, u, _, _ = random_couplings.state(pair, seed)
    held = {"t": np.array([0.0]), "q": q, "u": u, "z": np.zeros(0), "inputs": np.zeros(0)}
    return Mechanism(pair.coupled, held)


def _close(m: Mechanism, kind: str, rng: np.random.Generator) -> bool:
    """Close a loop at the mechanism's state by a joint of a kind; whether a pair of bodies was found for it."""
    spanned_tree = span(m.system.freeze())
    motion, names = Motion(spanned_tree), ["ground", *m.system.bodies]
    draw = random_trees.Draw(rng, extras=False)
    for _ in range(3):
        one, other = (str(n) for n in rng.choice(names, size=2, replace=False))
        joint = joint_of(draw.hinge(kind))
        (R_a, p_a), (R_b, p_b) = (pose(m, motion, name) for name in (one, other))
        A_p, A_R = rng.uniform(-0.3, 0.3, 3), np.linalg.qr(rng.normal(size=(3, 3)))[0]
        A_R *= np.linalg.det(A_R)
        coordinates = joint.sample(rng.uniform(-0.6, 0.6, len(joint.speeds)))
        turn, slide = placed(joint, coordinates)
        B_p, B_R = R_b.T @ (p_a + R_a @ (A_p + A_R @ slide) - p_b), R_b.T @ R_a @ A_R @ turn
        ends = [m.system.ground if n == "ground" else m.system.bodies[n] for n in (one, other)]
        points = ends[0].point(A_p), ends[1].point(B_p)
        repeats = 1 + int(rng.random() < 0.3)
        elements = [Closure(*points, joint, A_R, B_R) for _ in range(repeats)]
        try:
            if m.accept(*elements, coordinates=coordinates):
                return True
        except FieldError:  # the joint's columns are dependent near its zero
            continue
    return False


def _constrain(m: Mechanism, rng: np.random.Generator) -> None:
    """An equation of coordinates that holds at the state, and one of speeds, both with time; as far as possible."""
    layout = span(m.system.freeze()).layout
    t, q = m.held["t"][0], m.held["q"]
    for _ in range(2):
        a, b, c, d = rng.normal(size=4)
        i, (j, k) = rng.integers(len(layout.q)), rng.integers(len(layout.u), size=2)
        value = a * np.sin(q[i]) + b * q[-1] * (t + 1)
        m.accept(ExpressionConstraint((f"{a}*sin(q.{layout.q[i]}) + {b}*q.{layout.q[-1]}*(t + 1) - ({value})",)))
        m.accept(ExpressionConstraint((f"{c}*u.{layout.u[j]} + q.{layout.q[i]}*u.{layout.u[k]} - ({d})*cos(t)",)))


def pose(m: Mechanism, motion: Motion, name: str) -> tuple[Array, Array]:
    """R and p of a body in the ground."""
    spanned_tree, body = motion.tree, motion.body(name)
    position = motion.position(spanned_tree.placed.ground.origin, body.origin)
    columns = [components(v, spanned_tree.root) for v in (body.axis(0), body.axis(1), body.axis(2), position)]
    four = m.numbers(spanned_tree, [x for c in columns for x in c]).reshape(4, 3)
    return four[:3].T, four[3]


def placed(joint: Joint, q: Array) -> tuple[Array, Array]:
    """Rotation and translation of the child by a joint at coordinates q."""
    g = Graph()
    parent = Frame("parent", g)
    at = joint.place(parent, "child", [g.const(float(x)) for x in q], [g.zero] * len(joint.speeds))
    axes = [vector(at.frame, [g.one if i == k else g.zero for i in range(3)]) for k in range(3)]
    columns = [components(v, parent) for v in (*axes, at.position)]
    four = np.array(values(g, [x for c in columns for x in c], {}), float).reshape(4, 3)
    return four[:3].T, four[3]


def closures(m: Mechanism) -> Iterator[Closure]:
    yield from (c for c in m.system.constraints.values() if isinstance(c, Closure))
