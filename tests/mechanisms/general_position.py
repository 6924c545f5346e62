"""Systems in general position for laws over all lanes: random orientations, oblique axes, coordinates away from zero,
and a tip whose joint turns and slides along one oblique column."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.formulations.table import FORMULATIONS, SOLVERS
from freebody.model.joints import Joint
from freebody.tree.motion import Motion
from freebody.tree.tree import Tree, span
from tests.mechanisms.random_loops import placed
from tests.model.test_loop_closures import pose

Array = np.ndarray
OBLIQUE, OTHER = (1.0, 2.0, -2.0), (0.3, -2.0, 1.0)
COLUMN = (1.4, -0.09, 0.92, 0.2, 0.3, 0.4)
INERTIA = ((0.3, 0.02, 0.01), (0.02, 0.4, 0.03), (0.01, 0.03, 0.5))
JOINTS: dict[str, Joint] = {
    "weld": fb.Weld(),
    "revolute": fb.Revolute(OBLIQUE),
    "prismatic": fb.Prismatic(OBLIQUE),
    "cylindrical": fb.Cylindrical(OBLIQUE),
    "screw": fb.Screw(OBLIQUE, -0.3, initial=2.0),
    "planar": fb.Planar(OTHER),
    "universal": fb.Universal(OBLIQUE, OTHER),
    "spherical": fb.Spherical(),
    "spherical with angles": fb.Spherical("313"),
    "free": fb.Free("123"),
    "building block": fb.BuildingBlock(
        translations=((0.2, 0.5, 1), (0, 1, 1)), rotations=(3,), axis=OBLIQUE, initial=(1.0, -2.0, 0.7)
    ),
    "building block with angles": fb.BuildingBlock(translations=(OBLIQUE,), rotations=(1, 2, 3)),
    "simple": fb.Simple(COLUMN, initial=0.7),
    "simple with three": fb.Simple([[0, 0, 0], [1, 0, 0], [0, 0, 0], [0.3, 1, 0], [0, 0, 0], [0.1, 0, 2]]),
    "compound": fb.Compound(fb.Revolute(OBLIQUE), fb.Prismatic(OTHER)),
    "compound of four": fb.Compound(fb.Cylindrical("x"), fb.Cylindrical("y"), initial=(-0.85, -1.61, 0.96, 0.6)),
    "compound of a sphere": fb.Compound(fb.Prismatic("z"), fb.Spherical("123")),
    "rail": fb.Custom(("x", "x**2", 0), coordinates=("x",), initial=1.26),
    "circular rail": fb.Custom(("cos(s)", "sin(s)", 0), initial=-1.62),
    "rail with an end": fb.Custom(("sqrt(s)", "s", 0), initial=1.0),
    "oblique helix": fb.Custom(("0.3*s", "0.2*s", "-0.1*s"), turns=[((0.3, 0.2, -0.1), "0.5*s")]),
    "custom": fb.Custom(position=("a", "0.3*sin(b)", "a*b"), turns=[(OTHER, "b")], coordinates=("a", "b")),
}

_EVERY_LANE: dict[str, dict[str, Any]] = {
    **{name: {"formulation": name} for name in ("crba", "poincare", "sayers")},
    "aba": {"formulation": "aba", "rolled": False},
    "aba rolled": {"formulation": "aba", "rolled": True},
    "sparse rolled": {"solver": "sparse", "rolled": True},
    **{f"solver {name}": {"solver": name, "rolled": False} for name in SOLVERS},
    **{f"kane by {name}": {"formulation": "kane", "solver": name} for name in ("hinge-forces", "null-space")},
    "rotations of bodies": {"formulation": "gauss", "solver": "tree"},
}
LANES = {
    lane: options
    for lane, options in _EVERY_LANE.items()
    if options.get("formulation", "kane") in FORMULATIONS and options.get("solver", "tree") in SOLVERS
}
"""Options of ``derive``; ``derive("kane")`` is the lane with which these are compared. Those of wings that are not
installed are missing."""


@dataclass(frozen=True)
class At:
    """A system with a state."""

    system: fb.System
    q: Array
    u: Array
    z: Sequence[float] | Array = ()
    inputs: Sequence[float] = ()
    t: float = 0.4

    @property
    def tau(self) -> Array:
        return np.random.default_rng(9).normal(size=len(self.u))


def orientation(seed: int) -> Array:
    return np.asarray(Rotation.random(random_state=seed).as_matrix())


def random_state(tree: Tree, rng: np.random.Generator) -> tuple[Array, Array]:
    """Coordinates near the initial ones of joints that have some, and speeds."""
    q, u = rng.uniform(-1, 1, len(tree.layout.q)), rng.uniform(-1, 1, len(tree.layout.u))
    at = {name: k for k, name in enumerate(tree.layout.q)}
    for spec in tree.model.bodies.values():
        own = [at[name] for name in spec.names[0]]
        initial = spec.freedoms.initial
        q[own] = spec.freedoms.normalise(q[own] if initial is None else np.array(initial) + 0.1 * q[own])
    return q, u


def two_bodies(seed: int) -> fb.System:
    """Two free bodies, and a tip on the second one."""
    s = fb.System("general")
    s.parameters(c=0.7, k=3.0, r=0.2)
    s.body(
        "a",
        at=(0.1, 0.2, 0.3),
        orient=orientation(seed),
        joint=fb.Free("123"),
        mass=2.0,
        com=(0.1, -0.3, 0.2),
        inertia=INERTIA,
    )
    b = s.body("b", joint=fb.Free(), mass=1.1, com=(-0.2, 0.1, 0.3), inertia=INERTIA)
    tip = fb.Simple(COLUMN, stiffness="k", rest=0.1, damping="c")
    s.body(
        "tip",
        on=b,
        at=(0.3, 0.1, -0.2),
        orient=orientation(seed + 1),
        joint=tip,
        mass=0.7,
        com=(0.1, 0.2, -0.1),
        inertia=INERTIA,
    )
    return s


def closed(joint: Joint, options: dict[str, Any], first: str, engaged: bool | None = None, seed: int = 7) -> At:
    """Body b is closed to body a or to the ground by a joint with options, at random coordinates of the joint."""
    s, rng = two_bodies(seed), np.random.default_rng(seed)
    tree = span(s.freeze())
    q, u = random_state(tree, rng)
    motion, layout, g = Motion(tree), tree.layout, tree.graph
    numbers = {h: x for n, x in s.values.items() if (h := g.named(n)) is not None}
    state = numbers | dict(zip((*layout.q_handles, *layout.u_handles), (*q, *u), strict=True)) | {tree.t: 0.4}
    (R_a, p_a), (R_b, p_b) = (pose(motion, name, state) for name in (first, "b"))
    at, axes = rng.uniform(-0.3, 0.3, 3), orientation(seed + 2)
    coordinates = np.asarray(joint.sample(rng.uniform(-1, 1, len(joint.speeds))), float)
    if joint.initial is not None:
        coordinates = 0.1 + np.array(joint.initial, float).reshape(-1)
    turn, slide = placed(joint, coordinates)
    there = R_b.T @ (p_a + R_a @ (at + axes @ slide) - p_b)
    start = s.ground if first == "ground" else s.bodies[first]
    s.close(
        start.point(at),
        s.bodies["b"].point(there),
        replace(joint, **options),
        orient=axes,
        orient_to=R_b.T @ R_a @ axes @ turn,
        name="loop",
        engaged=engaged,
    )
    states = span(s.freeze()).layout.z
    return At(s, q, u, coordinates[: len(states)], () if engaged is None else (float(engaged),))


def chain(joint: Joint, options: dict[str, Any], seed: int = 11) -> At:
    """Body b is on body a by a joint with options; the joints of the other bodies are oblique, and a rod holds the
    tip. The rod's equation need not hold at the state: every term counts."""
    s, rng = fb.System("chain"), np.random.default_rng(seed)
    s.parameters(c=0.7, k=3.0, r=0.2)
    a = s.body(
        "a",
        at=(0.1, 0.2, 0.3),
        orient=orientation(seed),
        mass=2.0,
        com=(0.1, -0.3, 0.2),
        inertia=INERTIA,
        joint=fb.Compound(fb.Revolute(OBLIQUE), fb.Prismatic(OTHER)),
    )
    b = s.body(
        "b",
        on=a,
        at=(0.2, -0.1, 0.3),
        orient=orientation(seed + 5),
        joint=replace(joint, **options),
        mass=1.1,
        com=(-0.2, 0.1, 0.3),
        inertia=INERTIA,
    )
    tip = s.body(
        "tip",
        on=b,
        at=(0.3, 0.1, -0.2),
        orient=orientation(seed + 1),
        joint=fb.Revolute(OTHER),
        mass=0.7,
        com=(0.1, 0.2, -0.1),
        inertia=INERTIA,
    )
    s.rod(s.ground.point((1, 2, 0.3)), tip.point((0.2, 0.1, 0.3)), 2.0, name="rod")
    return At(s, *random_state(span(s.freeze()), rng))


def passive(joint: Joint) -> dict[str, Any]:
    """Springs, dampers and friction by numbers and parameters, as far as a joint may have them."""
    losses = {"damping": "c", "friction": 0.4} if joint.speeds else {}
    return losses | ({"stiffness": "k", "rest": "r"} if joint.rates and joint.speeds else {})


def varying(joint: Joint) -> dict[str, Any]:
    """The same by functions of the state and of time."""
    losses = {"damping": "0.5 + q.a.a1**2", "friction": "0.2 + t"} if joint.speeds else {}
    return losses | ({"stiffness": "3 + sin(t) + q.a.a1", "rest": "0.1*t"} if joint.rates and joint.speeds else {})


def driven(joint: Joint) -> dict[str, Any]:
    """A prescribed motion of the last coordinate, beside springs and dampers."""
    if not joint.rates or not joint.coordinates:
        return {}
    law, n = "0.3 + 0.4*t + 0.5*t**2", len(joint.coordinates)
    return passive(joint) | {"motion": law if n == 1 else (*(None,) * (n - 1), law)}


def quantities(e: fb.Equations, at: At, every: bool) -> dict[str, Array]:
    """u̇, multipliers and, if ``every``, all else that depends on the forces of joints and constraints."""
    f, t, z, inputs, tau = e.compile("numpy"), at.t, at.z, at.inputs, at.tau
    result = {"u_dot": f.forward_dynamics(at.q, at.u, tau, t, z, inputs)}
    model = e.derivation.tree.model
    if model.constraints:
        result["multipliers"] = f.multipliers(at.q, at.u, tau, t, z, inputs)
    if not every:
        return result
    result["bias"] = f.bias(at.q, at.u, t, z, inputs)
    result["mass_matrix"] = f.mass_matrix(at.q, t)
    result["inverse_dynamics"] = f.inverse_dynamics(at.q, at.u, np.cos(np.arange(len(at.u))), t, z, inputs)
    reactions = f.reactions(at.q, at.u, result["u_dot"], t, z, inputs, multipliers=result.get("multipliers"))
    x = np.concatenate([at.q, at.u, at.z])
    result |= {**f.energies(at.q, at.u, t, z, inputs), **reactions, "state_dot": f.state_dot(t, x, inputs)}
    if model.constraints:
        result |= f.constraint(at.q, at.u, t, z, inputs)
        beside, start = x + 1e-3 * np.random.default_rng(0).normal(size=len(x)), 0
        for spec in model.bodies.values():
            own = slice(start, start + len(spec.names[0]))
            beside[own], start = spec.freedoms.normalise(beside[own]), own.stop
        result["project"] = f.project(t, beside, inputs)
    return result
