"""Residuals of targets and their derivatives as programs, with the constraints of the system: what inverse kinematics
solves.

The residual of a position is p − p*, that of an orientation the rotation vector from the target to the body,
log(R R*ᵀ), that of a direction the shortest rotation from d to the body's axis a; all along the ground's axes. Their
derivatives along the speeds are J_v, J_ω and (1 − a aᵀ) J_ω. The last two are exact for small residuals only, but
Jᵀ r is the exact gradient of ½ |r|² for any: a rotation vector is left as it is by the matrix between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from freebody.backends import Bound, Function, compile
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.integrate.least_squares import LeastSquares, row_length
from freebody.program import assemble
from freebody.program.program import Program
from freebody.quantities.kinematics import Location, Weightless, placement
from freebody.run.initial import modal_states
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr, atan2, sqrt, where
from freebody.scalar.expr import max as largest
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.vector import components
from freebody.tree.assembly import angular_speeds
from freebody.tree.tree import quaternions

POSITION, ROTATION, AXIS = "position", "rotation", "axis"
INPUTS = {POSITION: 3, ROTATION: 9, AXIS: 3}
"""Numbers of a target: a position, a rotation matrix row by row, a direction."""

ROWS = 3
"""Residuals of each part of a target."""

SMALL, HALF_TURN = 1e-12, -0.9
"""Below this square of its sine, an angle is its sine; cosines below this are those of about half a turn."""

Vec3 = list[Expr]


@dataclass(frozen=True)
class TargetPart:
    """A part of a target: the position of a point, the rotation of its body, or the direction of an axis of the body
    (three numbers, of length 1)."""

    where: Location
    kind: str
    axis: tuple[float, float, float] = (0.0, 0.0, 0.0)


def dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Sequence[Expr], b: Sequence[Expr]) -> Vec3:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotation_vector(E: Sequence[Sequence[Expr]]) -> Vec3:
    """log E of a rotation matrix: the axis times the angle, 0 … π."""
    s = [(E[2][1] - E[1][2]) / 2, (E[0][2] - E[2][0]) / 2, (E[1][0] - E[0][1]) / 2]
    c, square = (E[0][0] + E[1][1] + E[2][2] - 1) / 2, dot(s, s)
    sine = sqrt(square)
    angle = atan2(sine, c)
    tiny = square < SMALL
    factor = where(tiny, 1 + square / 6, angle / where(tiny, 1, sine))
    # about half a turn s vanishes; (E + Eᵀ)/2 − c 1 = (1 − c) a aᵀ, whose longest column is along the axis a
    S = [[(E[i][j] + E[j][i]) / 2 - (c if i == j else 0) for j in range(3)] for i in range(3)]
    first = where(S[1][1] <= S[0][0], where(S[2][2] <= S[0][0], 1, 0), 0)
    second = where(S[2][2] <= S[1][1], 1, 0)
    column = [where(first, S[i][0], where(second, S[i][1], S[i][2])) for i in range(3)]
    size = dot(column, column)
    length = sqrt(where(size <= 0, 1, size))
    turned = where(dot(column, s) < 0, -angle, angle) / length
    return [where(c < HALF_TURN, turned * column[k], factor * s[k]) for k in range(3)]


def shortest_rotation(d: Sequence[Expr], a: Sequence[Expr]) -> Vec3:
    """The rotation vector of the shortest rotation from the direction d to the direction a."""
    n, c = cross(d, a), dot(d, a)
    square = dot(n, n)
    sine = sqrt(square)
    tiny = square < SMALL
    zero = Expr(a[0].graph, a[0].graph.zero)
    one = zero + 1
    others = cross(d, [one, zero, zero]), cross(d, [zero, one, zero])
    across = [where(abs(d[0]) < 0.6, x, y) for x, y in zip(*others, strict=True)]
    half = sqrt(dot(across, across))
    factor = where(tiny, 1, atan2(sine, c) / where(tiny, 1, sine))
    opposite = tiny * (c < 0)
    return [where(opposite, float(np.pi) * y / half, factor * x) for x, y in zip(n, across, strict=True)]


class TargetEquations:
    """The equations of some parts of targets, in order. ``columns`` are the speeds that may change: all but those of
    modes, which stay; ``index`` the coordinate whose rate each is, −1 of others."""

    def __init__(self, e: Derivation, parts: Sequence[TargetPart]) -> None:
        self.e, self.parts = e, tuple(parts)
        nq = len(e.layout.q)
        modal = {k - nq for k in modal_states(e)}
        self.columns = [k for k in range(len(e.layout.u)) if k not in modal]
        places = {h: k for k, h in enumerate(e.layout.q_handles)}
        rates = {u: places[q] for q, u in zip(e.layout.q_handles, e.layout.q_dot, strict=True)}
        self.index = [rates.get(e.layout.u_handles[k], -1) for k in self.columns]
        self.angular = angular_speeds(e.tree)[self.columns].astype(float)
        self.starts = np.cumsum([0, *(INPUTS[part.kind] for part in self.parts)]).tolist()
        own = e.constraints.corrections_by_constraint
        if own:
            raise ArgumentError(
                f"{e.tree.model.name}: constraint '{next(iter(own))}' has states of its own that follow coordinates,"
                " and inverse kinematics does not solve for them: use s.assemble(…) with a closure at the target"
            )
        self.holonomic = [k for k, row in enumerate(e.constraints.rows.values()) if row.residual is not None]

    @property
    def rows(self) -> int:
        return ROWS * len(self.parts)

    @cached_property
    def _targets(self) -> list[Node]:
        g = self.e.graph
        return [g.symbol(f"target.{k}", Kind.INPUT, "a number of a target") for k in range(self.starts[-1])]

    def _groups(self, *more: str) -> dict[str, list[Node]]:
        groups = self.e.groups()
        return {name: groups[name] for name in ("parameters", "t", "q", "inputs", *more)}

    def _placements(self) -> dict[Location, tuple[list[Vec3], Vec3]]:
        g, found = self.e.graph, dict[Location, tuple[list[Vec3], Vec3]]()
        for part in self.parts:
            if part.where not in found:
                R, p = placement(self.e, part.where)
                found[part.where] = [[Expr(g, h) for h in row] for row in R], [Expr(g, h) for h in p]
        return found

    @cached_property
    def program(self) -> Program:
        """``values``: J, G, r and φ, with J and G by rows that are padded to whole vectors."""
        e, g = self.e, self.e.graph
        zero, ln = g.zero, row_length(len(self.columns))
        padding = [zero] * (ln - len(self.columns))
        J, r = list[Node](), list[Node]()
        placements, columns = self._placements(), dict[Location, dict[int, list[Node]]]()
        for part, start in zip(self.parts, self.starts, strict=False):
            R, p = placements[part.where]
            target = [Expr(g, h) for h in self._targets[start : start + INPUTS[part.kind]]]
            if part.where not in columns:
                columns[part.where] = {k: list(c.c) for k, c in part.where.columns(e).items()}
            own = columns[part.where]
            take = slice(3, 6) if part.kind == POSITION else slice(0, 3)
            block = {k: [Expr(g, h) for h in c[take]] for k, c in own.items()}
            if part.kind == POSITION:
                residual = [x - y for x, y in zip(p, target, strict=True)]
            elif part.kind == ROTATION:
                rows = [target[0:3], target[3:6], target[6:9]]
                residual = rotation_vector([[dot(R[i], rows[j]) for j in range(3)] for i in range(3)])
            else:
                a = [dot(row, [Expr(g, g.const(x)) for x in part.axis]) for row in R]
                residual = shortest_rotation(target, a)
                for k, w in block.items():
                    along = dot(a, w)
                    block[k] = [x - along * y for x, y in zip(w, a, strict=True)]
            r += [x.handle for x in residual]
            for i in range(ROWS):
                J += [block[k][i].handle if k in block else zero for k in self.columns] + padding
        phi, every = e.residuals, e.jacobian
        G = [h for i in self.holonomic for h in ([every[i][k] for k in self.columns] + padding)]
        groups = {**self._groups(), "target": self._targets}
        return assemble.program("targets", g, groups, {"values": [*J, *G, *r, *(phi[i] for i in self.holonomic)]})

    @cached_property
    def moved(self) -> Program:
        """q ⊕ δ: q + N δ, with its quaternions at length 1."""
        e, g = self.e, self.e.graph
        N = jacobian(g, e.q_dot, e.layout.u_handles)
        delta = [g.symbol(f"delta.{n}", Kind.INPUT, f"change of {n}") for n in e.layout.u]
        q = [Expr(g, h) for h in e.layout.q_handles]
        for (i, k), node in sorted(N.items()):
            q[i] = q[i] + Expr(g, node) * Expr(g, delta[k])
        for k in quaternions(e.tree):
            length = sqrt(sum((x * x for x in q[k + 1 : k + 4]), q[k] * q[k]))
            q[k : k + 4] = [x / length for x in q[k : k + 4]]
        return assemble.program("move", g, {**self._groups(), "delta": delta}, {"moved": [x.handle for x in q]})

    @cached_property
    def check(self) -> Program:
        """``off``: by how much products of rows of the targets' rotations differ from those of rotations at most, and
        one more for each that mirrors."""
        g, off = self.e.graph, Expr(self.e.graph, self.e.graph.zero)
        for part, start in zip(self.parts, self.starts, strict=False):
            target = [Expr(g, h) for h in self._targets[start : start + INPUTS[part.kind]]]
            if part.kind == ROTATION:
                R = [target[0:3], target[3:6], target[6:9]]
                for i in range(3):
                    for j in range(i + 1):
                        off = largest(off, abs(dot(R[i], R[j]) - (1 if i == j else 0)))
                off = off + where(dot(R[0], cross(R[1], R[2])) < 0, 1, 0)
        return assemble.program("check_targets", g, {"target": self._targets}, {"off": [off.handle]})

    @cached_property
    def closures(self) -> list[tuple[str, Expr]]:
        """Names of closures with cosines of their angles, 1 where they are closed and −1 half a turn away, where their
        residuals are zero too; 1 while they are released."""
        g, found = self.e.graph, list[tuple[str, Expr]]()
        for name, constraint in self.e.tree.model.constraints.items():
            flag = constraint.flag(g)
            for cosine in constraint.cosines(self.e.formulation.motion):
                found.append((name, cosine if flag is None else where(flag, cosine, 1)))
        return found

    @cached_property
    def cosines(self) -> Program:
        cosines = [cosine.handle for _, cosine in self.closures]
        return assemble.program("closures", self.e.graph, self._groups(), {"cosines": cosines})

    @cached_property
    def functions(self) -> tuple[Function, Function]:
        return compile(self.program), compile(self.moved)

    def problem(self) -> LeastSquares:
        nq, nu = len(self.e.layout.q), len(self.e.layout.u)
        return LeastSquares((nq, nu, self.rows, len(self.holonomic)), self.columns, self.index, self.angular.tolist())

    def bound(self, parameters: dict[str, float]) -> tuple[Bound, Bound]:
        """Both functions with the parameters bound."""
        evaluate, move = self.functions
        return evaluate.bind(parameters), move.bind(parameters)

    @cached_property
    def rates(self) -> Function:
        """J of the parts at q (rows of ``columns``) and the rates of targets that do not depend on the unknowns: of
        positions and orientations at u = 0, and their accelerations at u̇ = 0; the same of all constraints, G, offset
        and γ. An axis has that part of ω and α which turns it."""
        e, g = self.e, self.e.graph
        motion, still = Weightless(e.tree, e.accelerations), e.formulation.motion
        J, velocity, acceleration = list[list[Node]](), list[Node](), list[Node]()
        placements = self._placements()
        at_rest = dict.fromkeys(e.layout.u_handles, g.zero)
        steady = dict.fromkeys(e.accelerations, g.zero)
        root = e.tree.root
        for part in self.parts:
            point = part.where.point(e)
            own = {k: list(c.c) for k, c in part.where.columns(e).items()}
            take = slice(3, 6) if part.kind == POSITION else slice(0, 3)
            block = {k: [Expr(g, h) for h in c[take]] for k, c in own.items()}
            if part.kind == POSITION:
                v = components(still.velocity(point), root)
                a = components(motion.acceleration_of(point), root)
            else:
                v = components(still.angular_velocity(point.body), root)
                a = components(motion.angular_acceleration(point.body), root)
            offset = [Expr(g, h) for h in substitute(g, list(v), at_rest)]
            drift = [Expr(g, h) for h in substitute(g, list(a), steady)]
            if part.kind == AXIS:
                R, _ = placements[part.where]
                axis = [dot(row, [Expr(g, g.const(x)) for x in part.axis]) for row in R]

                def across(w: Sequence[Expr], axis: Vec3 = axis) -> Vec3:
                    along = dot(axis, w)
                    return [x - along * y for x, y in zip(w, axis, strict=True)]

                block, offset, drift = {k: across(w) for k, w in block.items()}, across(offset), across(drift)
            velocity += [x.handle for x in offset]
            acceleration += [x.handle for x in drift]
            J += [[block[k][i].handle if k in block else g.zero for k in self.columns] for i in range(ROWS)]
        b = assemble.Assembly("target_rates", g, self._groups("u"))
        n, m = len(self.columns), len(e.jacobian)
        b.output("J", J, (self.rows, n))
        b.output("velocity", velocity)
        b.output("acceleration", acceleration)
        b.output("G", [[row[k] for k in self.columns] for row in e.jacobian], (m, n))
        b.output("offset", substitute(g, list(e.velocities), at_rest))
        b.output("gamma", list(e.gamma))
        return compile(b.program(), staged=False)
