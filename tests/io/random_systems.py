"""Random systems for round trips: trees over every joint with loads and all other elements of a file, random
expressions as outputs, and the numbers that must be equal."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import freebody as fb
from freebody.errors import ExpressionError
from freebody.model.builder import ModelBuilder
from freebody.scalar import Expr, ops
from freebody.scalar.functions import Table
from freebody.scalar.node import Node
from freebody.scalar.walk import require_finite
from freebody.tree.motion import Motion
from freebody.tree.tree import Tree
from tests.mechanisms import build_system, random_trees
from tests.scalar import random_expressions

NUMBERS = (0, 1, 2, 3, -1, Fraction(1, 3), Fraction(-7, 12), 0.5, 2.0, 1e-5, 1e22, -0.0, 0.0, 12345678901234567, 1e-300)
CODES = [o.code for o in ops.OPS if o.code not in (ops.CONST, ops.SYMBOL, ops.CALL)]
CODES += [ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.NEG] * 4


def decorated(seed: int) -> tuple[random_trees.Tree, ModelBuilder]:
    """A random tree with tables, states, inputs, shapes, outputs, vectors in every frame, and constraints."""
    tree = random_trees.tree(seed)
    s, rng = build_system.system(tree), Random(seed)
    x, v = next((b.q[0], b.u[0]) for b in s.bodies.values() if b.q)
    curve = fb.table(f"curve {seed}", [-1, 0, 2], [0.5, 0, 3], rng.choice(("linear", "cubic")))
    other = Table("lines", (0.0, 1.0), (0.0, 0.0, 1.0), ((0.0, 0.5), (0.25, 1 / 3), (0.0, -1.0)))
    valve = s.input("valve", "V", "opens\nthe valve")
    s.state("flow", fb.lookup(curve, x) - 0.5 * valve, rng.random(), "m3/s")
    s.body(
        "tail",
        on=rng.choice([*s.bodies]),
        mass=Fraction(1, 3),
        inertia=(1, 1, 1),
        at=("p0/3" if s.values else 1, 0, 0),
        shape=(fb.Box(1, "1/2", 2), fb.Mesh("tail.stl")),
    )
    motion = Motion(Tree.of(s.described, s.placed))
    for k, body in enumerate(list(s.bodies.values())[:4]):
        s.output(f"place {k}", motion.position(s.ground.origin, body.point((0.1, x * 0.2, 0))))
        s.output(f"motion {k}", motion.velocity(body.origin))
        frame: Any = body.frame
        while frame is not None:
            s.force(type(body.x)(s.graph, {frame.basis[k % 3][1]: (v * 0.1 + valve).handle}), at=body)
            frame = frame.parent
    s.output("table's slope", fb.lookup(curve.derivative, v) + fb.lookup(other, x) * fb.lookup(curve, v))
    corner = s.ground.point((9, 9, 9))
    s.force_between(s.bodies["tail"].origin, corner, lambda d, r: fb.lookup(other, d) + r * valve, "rope")
    first, last = next(iter(s.bodies.values())), s.bodies["tail"]
    if first is not last:
        slope = rng.random()
        joint = rng.choice((fb.Spherical(), fb.Revolute((1, slope, 0)), fb.Prismatic("y"), fb.Universal("x", "z")))
        end = s.ground.point((0, 0.1, 1))
        s.close(last.point((0.1, "p0" if s.values else 2, 0)), end, joint, ("x", 0.3), [("y", rng.random())], "loop")
    s.constrain(fb.lookup(curve, x) - 0.1 * s.t, unit="m", name="on the curve")
    s.constrain(v * fb.cos(x) - s.t**2, x * v, name="rolls")
    return tree, s


def forward(s: ModelBuilder, tree: random_trees.Tree, flow: float) -> np.ndarray:
    """u̇ at the random state of the tree."""
    at = random_trees.state(tree)
    f = fb.System.derive(s, "kane").compile("numpy")  # type: ignore[arg-type]
    return f.forward_dynamics(at.q, at.u, t=at.t, z=[at.z, flow], inputs=[at.motor, 0.3])


def formulas(seed: int, size: int) -> fb.System:
    """A pendulum with random expressions of its coordinate, speed, input and parameters as outputs."""
    s = fb.System("formulas")
    p, r = s.parameters(p=1.0, r=2.0)
    motor = s.input("motor")
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0, 0, 1))
    symbols = {"x": a.q[0], "y": motor, "v": a.u[0], "p": p, "r": r}
    g, made = s.graph, list[Node]()
    for step in random_expressions.spec(Random(seed), size, NUMBERS, CODES).steps:
        operands = [made[k] for k in step.operands]
        if isinstance(step.data, str):
            made.append(symbols[step.data].handle)
        elif isinstance(step.data, Table):
            made.append(g.table(step.data, operands[0]))
        else:
            made.append(g.const(step.data) if step.code == ops.CONST else g.build[step.code](*operands))
    for k, h in enumerate(made[-12:]):
        if _finite(s, h):
            s.output(f"o{k}", Expr(g, h))
    return s


def _finite(s: ModelBuilder, h: Node) -> bool:
    """Whether it has a value; an undefined branch cannot be written."""
    if s.graph.broken:
        return False
    try:
        require_finite(s.graph, [h])
    except ExpressionError:
        return False
    return True
