"""Random trees with coupled joints and the same trees uncoupled, with the matrix T and offsets between them as
numbers computed from the couplings."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import freebody as fb
from freebody.tree.tree import StateLayout, span

Array = np.ndarray
HINGES = (fb.Revolute, fb.Prismatic, fb.Screw)
DRAGS = ("stiffness", "damping", "friction", "armature", "rest")


@dataclass
class Pair:
    """A system with its couplings and without; full values are those of the uncoupled system."""

    coupled: fb.System
    free: fb.System
    laws: dict[str, tuple[str, float, float]] = field(default_factory=dict)

    def value(self, name: str, own: dict[str, float], offset: float) -> float:
        """A coordinate (offset 1) or a speed (0) of any body according to its couplings."""
        if name not in self.laws:
            return own[name]
        to, ratio, more = self.laws[name]
        return ratio * self.value(to, own, offset) + offset * more

    @cached_property
    def names(self) -> tuple[StateLayout, StateLayout]:
        """The layouts of both."""
        return span(self.coupled.freeze()).layout, span(self.free.freeze()).layout

    def q(self, q: Array) -> Array:
        own = dict(zip(self.names[0].q, q, strict=True))
        return np.array([self.value(name, own, 1.0) for name in self.names[1].q])

    @cached_property
    def T(self) -> Array:
        """Full speeds per unit of each independent speed."""
        names = self.names[0].u
        own = [dict(zip(names, row, strict=True)) for row in np.eye(len(names))]
        return np.array([[self.value(name, one, 0.0) for one in own] for name in self.names[1].u])

    @cached_property
    def kane(self) -> tuple[fb.Compiled, fb.Compiled]:
        """The equations of both."""
        return self.coupled.derive().compile("numpy"), self.free.derive().compile("numpy")


def pair(seed: int, bodies: int = 7, couplings: int = 3, drags: bool = True, base: bool = True) -> Pair:
    """A random tree of one-coordinate joints on a ball joint or a free body and on the ground, some of them coupled:
    across branches, along a branch, in chains, and to later joints."""
    made = Pair(_tree(seed, bodies, drags, base), _tree(seed, bodies, drags, base))
    rng, names = np.random.default_rng(seed + 1000), [f"b{k}" for k in range(bodies)]
    made.coupled.parameter("gear", -1.3)
    order = list(rng.permutation(names))
    for k, name in enumerate(order[:couplings]):
        to = order[int(rng.integers(k + 1, len(order)))]
        ratio, offset = (float(x) for x in rng.uniform(-2, 2, 2))
        made.laws[name] = to, (-1.3 if k == 0 else ratio), offset
        made.coupled.couple(name, to, "gear" if k == 0 else ratio, offset)
    return made


def _tree(seed: int, bodies: int, drags: bool, base: bool) -> fb.System:
    rng = np.random.default_rng(seed)
    s = fb.System(f"tree {seed}")
    parents: list[Any] = [s.ground]
    if base:
        root = fb.Spherical() if seed % 2 else fb.Free()
        parents.append(s.body("root", joint=root, **_mass(rng)))
    for k in range(bodies):
        axis = "xyz"[int(rng.integers(3))] if rng.random() < 0.5 else tuple(rng.normal(size=3))
        kind: Any = HINGES[int(rng.integers(3))]
        options: dict[str, Any] = {
            name: float(rng.uniform(0, 0.5)) for name in ("stiffness", "damping", "friction", "armature", "rest")
        }
        more: dict[str, Any] = {"pitch": 0.2} if kind is fb.Screw else {}
        joint = kind(axis, **(options if drags and k % 2 else {}), **more)
        on, at = parents[int(rng.integers(len(parents)))], tuple(rng.normal(size=3) / 3)
        parents.append(s.body(f"b{k}", on=on, at=at, joint=joint, **_mass(rng)))
    if drags:
        _loads(s, rng)
    return s


def _mass(rng: np.random.Generator) -> dict[str, Any]:
    moments = rng.uniform(0.3, 0.5, 3)
    return {"mass": float(rng.uniform(0.5, 2)), "com": tuple(rng.normal(size=3) / 4), "inertia": tuple(moments)}


def _loads(s: fb.System, rng: np.random.Generator) -> None:
    """Loads of every kind in coordinates and speeds that a coupling may replace."""
    bodies = [b for b in s.bodies.values() if b.name != "root"]
    s.spring(bodies[0].point((0.1, 0.2, 0)), bodies[-1].point((0, 0.1, 0.3)), stiffness=3, free_length=0.2, damping=0.4)
    for k, body in enumerate(bodies):
        s.joint_force(body, f"0.3*q.{body.name} - 0.2*u.{bodies[k - 1].name}*u.{body.name}")
    s.force(bodies[1].vector((1, f"q.{bodies[2].name}", 2)), bodies[1].point(tuple(rng.normal(size=3))))
    tip = bodies[-1].point((0.3, 0.1, f"sin(q.{bodies[0].name})"))
    s.output("slip", s.velocity(tip))
    s.output("swing", "q.b0 + 2*u.b1")


def state(made: Pair, seed: int) -> tuple[Array, Array, Array, Array]:
    """q, u, u̇ and tau of the coupled system, unit quaternions included."""
    layout, rng = made.names[0], np.random.default_rng(seed)
    q, (u, rates, tau) = rng.normal(size=len(layout.q)), rng.normal(size=(3, len(layout.u)))
    for k in (k for k, name in enumerate(layout.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, u, rates, tau
