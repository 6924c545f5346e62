"""Elimination of a flexible body's modes before the bodies on its nodes are attached: each node is a port.

With M_ff = 1, A the acceleration of the body's frame, f the wrench that the bodies on a node require, right sides ρ:

    η̈ = ρ − M_fr A − Πᵀ f      x = N A + x̂ − S f      N = φᵀ − Π M_fr      S = Π Πᵀ      x̂ = c + Π ρ

x is the acceleration of the node and c its part that depends on neither A nor η̈. Bodies on the node require
f = T x + z, so that they act on the body as the inertia Nᵀ T (1 + S T)⁻¹ N, besides M_rr − M_rf M_fr. No matrix has the
size of the number of modes. All ports of a body are stacked, six rows each.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.model.flexible.modal_data import cleaned
from freebody.model.joints.base import scalar
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ENTRIES, ArticulatedInertia, flat, shifted
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar, Scalars, dot
from freebody.spatial.turns import MatrixTurn
from freebody.spatial.vector import components
from freebody.tree.inertia import solid_inertia
from freebody.tree.tree import Link

Array = NDArray[np.float64]
Row = list[Scalar]
DIRECTIONS = 3, 4, 5, 0, 1, 2
"""All six directions, translations first."""

CONDITION = 1e8
"""Compliances of ports whose condition number is larger are not inverted."""


class Port:
    """A body on a node, or the node with what is fixed to it: T and z that it requires, free of its joint; the columns
    of the node in factors, the part c of its acceleration, and φ to it from the flexible body.

    Moments and angular accelerations are along the axes of a frame in which T has no entries in the directions in which
    the joint leaves the body free: those of the node are turned, so that such directions would not stay along axes.
    Forces are along the axes of the node, or of that frame too where this costs nothing or the body can slide. All are
    about the origin of the body, or of the node if the body slides along it. T is known to have positive pivots if
    ``definite``.
    """

    def __init__(
        self, link: Link, inertia: ArticulatedInertia, force: Wrench, jump: Twist, pivots: Sequence[int]
    ) -> None:
        node = link if link.is_port else link.parent
        assert node is not None and node.parent is not None
        shapes = node.body.placement.shapes
        assert shapes is not None
        self.link, self.node, self.S, self.body = link, node, link.frame.S, node.parent.frame
        here, g = node.frame, link.graph
        self.arm, self.rest = Vec.zero(here), Vec.zero(here)  # to the port, and on to the body
        if link is not node:
            self.arm = Vec(here, link.X.arm)
        if _numbers(g, [self.arm.c]) is None and not any(c.angular for c in link.columns):
            inertia, force = _about(self.arm.in_(link.frame), inertia, force)
            self.arm, self.rest = Vec.zero(here), self.arm
        free = {i for i in range(6) if all(link.graph.vanishes(inertia.entry(i, j)) for j in range(6))}
        self.directions = [i for i in DIRECTIONS if i not in free]
        self.idle = sorted(free)
        self.definite = set(self.directions) == set(pivots)
        self.turning = _last_frame(link.frame, here, free)
        constant = all(isinstance(turn, MatrixTurn) and turn.numbers is not None for turn in here.route(self.turning))
        self.sliding = self.turning if constant or len(free.intersection((3, 4, 5))) in (1, 2) else here
        self.T, self.z = self._resolved(inertia, force)
        self.slopes, self.shapes = shapes.slopes, shapes.shapes
        none = Vec.zero(here)
        axes = [Vec(here, components(axis, here)) if axis else none for axis in shapes.axes]
        self.axes = [components(axis, self.turning) if axis else none.c for axis in shapes.axes]
        self.around = [axis.cross(self.arm).in_(self.sliding).c for axis in axes]
        turning, sliding = jump.angular, jump.linear + jump.angular.cross(self.arm)
        self.c = [*turning.in_(self.turning).c, *sliding.in_(self.sliding).c]
        units = [Vec(self.body, tuple(g.one if i == k else g.zero for i in range(3))) for k in range(3)]
        self.R = [unit.in_(self.turning).c for unit in units]  # by columns

    def _resolved(self, inertia: ArticulatedInertia, force: Wrench) -> tuple[list[Row], Row]:
        J, H, M = inertia.parts
        n, f = force.halves
        for turn in self.link.frame.route(self.turning):
            J, H, M, n, f = turn.symmetric(J), turn.matrix(H), turn.symmetric(M), turn.vector(n), turn.vector(f)
        for turn in self.turning.route(self.sliding):
            x, y, z = H
            H = turn.vector(x), turn.vector(y), turn.vector(z)
            M, f = turn.symmetric(M), turn.vector(f)
        there = ArticulatedInertia(self.turning, flat(J, H, M))
        return [[there.entry(i, j) for j in range(6)] for i in range(6)], [*n, *f]

    @property
    def weights(self) -> list[Sequence[Scalar]]:
        """The columns of the node by turns and slides: rows for each, one entry for each mode."""
        return [*self.slopes, *self.shapes]

    def factor(self, six: Sequence[Scalar]) -> Row:
        """From turns about the axes and slides to a twist."""
        S = self.S
        moved = Vec(self.node.frame, tuple(six[3:])).in_(self.sliding).c
        turned = [dot(S, [axis[i] for axis in self.axes], six[:3]) for i in range(3)]
        around = [dot(S, [axis[i] for axis in self.around], six[:3]) for i in range(3)]
        return turned + [S.add(a, b) for a, b in zip(moved, around, strict=True)]

    def factor_dual(self, six: Sequence[Scalar]) -> Row:
        """From a wrench to torques about the axes and forces."""
        S = self.S
        turned = [dot(S, (*axis, *around), six) for axis, around in zip(self.axes, self.around, strict=True)]
        return [*turned, *Vec(self.sliding, tuple(six[3:])).in_(self.node.frame).c]

    def carried(self) -> list[Row]:
        """φᵀ: the rows of the matrix from accelerations of the body to those of the port."""
        zero, g = self.S.zero, self.link.graph
        units = [Vec(self.body, tuple(g.one if i == k else g.zero for i in range(3))) for k in range(3)]
        moved, arm = [unit.in_(self.node.frame) for unit in units], self._whole_arm()
        around = [unit.cross(arm).in_(self.sliding).c for unit in moved]
        along = [unit.in_(self.sliding).c for unit in moved]
        turning = [[column[i] for column in self.R] + [zero] * 3 for i in range(3)]
        return turning + [[c[i] for c in around] + [c[i] for c in along] for i in range(3)]

    def carry(self, A: Sequence[Scalar]) -> Row:
        """φᵀ A"""
        S = self.S
        w, v = (Vec(self.body, tuple(half)).in_(self.node.frame) for half in (A[:3], A[3:]))
        turned = [dot(S, [column[i] for column in self.R], A[:3]) for i in range(3)]
        return [*turned, *(v + w.cross(self._whole_arm())).in_(self.sliding).c]

    def _whole_arm(self) -> Vec:
        return Vec(self.node.frame, self.node.arm_in_frame) + self.arm

    def to_link(self, x: Sequence[Scalar]) -> Twist:
        """The acceleration of the body on the port, without that of its joint."""
        frame = self.link.frame
        w, v = Vec(self.turning, tuple(x[:3])).in_(frame), Vec(self.sliding, tuple(x[3:])).in_(frame)
        return Twist.of(w, v + w.cross(self.rest.in_(frame)))


def _about(p: Vec, inertia: ArticulatedInertia, force: Wrench) -> tuple[ArticulatedInertia, Wrench]:
    """Inertia and force about a point from which the origin lies at p, along the same axes."""
    there = ArticulatedInertia(inertia.frame, shifted(p.frame.S, *inertia.parts, p.xyz))
    return there, Wrench.of(force.angular + p.cross(force.linear), force.linear)


def _last_frame(start: Frame, end: Frame, free: set[int]) -> Frame:
    """The last frame on the way to another where some of the six axes are still axes, or all turns about a point."""
    parts = {i for i in free if i < 3}, {i - 3 for i in free if i > 2}
    last = start
    for frame in start.path(end):
        turns = start.route(frame)
        if all(part in (set(), {turn.axis}, {0, 1, 2}) for turn in turns for part in parts):
            last = frame
    return last


class ModalRows(NamedTuple):
    """The modes of a body: the columns M_fr and right sides of their rows."""

    fr: Sequence[Wrench]
    right: Sequence[Scalar]

    def rows(self) -> list[Row]:
        """M_rf by rows."""
        return [[F.c[i] for F in self.fr] for i in range(6)]


class PortElimination(ABC):
    """The modes of a body eliminated, then the bodies on its nodes attached. ``inertia`` and ``force`` are those of the
    body with all of them."""

    ports: Sequence[Port]
    inertia: ArticulatedInertia
    force: Wrench

    @abstractmethod
    def expand(self, A: Twist) -> tuple[Row, list[Row]]:
        """η̈ and the acceleration of each port, from that of the body."""


# At any deformation


class Attachment(NamedTuple):
    """A mass d in a direction of one port, attached. The direction has the coefficient 1 in the first of the rows
    ``along``, and ``u`` in the others. g = S u in the later rows, ν = Nᵀ u, χ = u·x, and ρ = d/(1 + d u·S u)."""

    along: Sequence[int]
    u: Sequence[Scalar]
    g: Sequence[Scalar]
    nu: Row
    chi: Scalar
    rho: Scalar


class AttachedPorts(PortElimination):
    """T = Σ d u uᵀ (L D Lᵀ): one mass in one direction after another is attached, with pivots 1 + d u·S u ≥ 1. Forces
    in directions without inertia are known, and act on the modes from the start."""

    def __init__(
        self, S: Scalars, ports: Sequence[Port], modes: ModalRows, inertia: ArticulatedInertia, force: Wrench
    ) -> None:
        self.S, self.ports, self.fr, M = S, ports, modes.fr, modes.rows()
        self.rows = [(k, i) for k, port in enumerate(ports) for i in port.directions]
        carried, p = [port.carried() for port in ports], list(force.c)
        for port, rows in zip(ports, carried, strict=True):
            for i in port.idle:
                p = [S.add(a, S.mul(b, port.z[i])) for a, b in zip(p, rows[i], strict=True)]
        known = [[x if i in port.idle else S.zero for i, x in enumerate(port.z)] for port in ports]
        self.right = self._less_forces(modes.right, known)
        z = [ports[k].z[i] for k, i in self.rows]
        P = [[S.sub(inertia.entry(i, j), dot(S, M[i], M[j])) if i <= j else S.zero for j in range(6)] for i in range(6)]
        p = [S.add(x, dot(S, row, self.right)) for x, row in zip(p, M, strict=True)]
        pushed = [[port.factor([dot(S, w, row) for w in port.weights]) for row in M] for port in ports]
        N = [[S.sub(carried[k][i][j], pushed[k][j][i]) for j in range(6)] for k, i in self.rows]
        free = [port.factor([dot(S, row, self.right) for row in port.weights]) for port in ports]
        x = [S.add(ports[k].c[i], free[k][i]) for k, i in self.rows]
        C = self._compliance()
        p = [S.add(a, dot(S, [row[i] for row in N], z)) for i, a in enumerate(p)]
        x = [S.sub(a, dot(S, row, z)) for a, row in zip(x, C, strict=True)]
        self.z, self.steps = z, list[Attachment]()
        T = self._masses()
        for r in range(len(self.rows)):
            self.steps.append(self._attach(r, T, C, N, x))
        for step in self.steps:
            ratio = [S.mul(a, step.rho) for a in step.nu]
            for i in range(6):
                p[i] = S.add(p[i], S.mul(ratio[i], step.chi))
                for j in range(i, 6):
                    P[i][j] = S.add(P[i][j], S.mul(ratio[i], step.nu[j]))
        self.inertia = ArticulatedInertia(inertia.frame, tuple([P[i][j] for i, j in ENTRIES]))
        self.force = Wrench(force.frame, tuple(p))

    def _less_forces(self, right: Sequence[Scalar], forces: Sequence[Sequence[Scalar]]) -> Row:
        """The right sides less Πᵀ f of forces on the ports."""
        S, result = self.S, list(right)
        for port, f in zip(self.ports, forces, strict=True):
            dual = port.factor_dual(f)
            result = [
                S.sub(a, dot(S, column, dual))
                for a, column in zip(result, zip(*port.weights, strict=True), strict=True)
            ]
        return result

    def _masses(self) -> list[Row]:
        """T of all ports in the directions that have inertia."""
        zero = self.S.zero
        return [[self.ports[k].T[i][j] if k == other else zero for other, j in self.rows] for k, i in self.rows]

    def _compliance(self) -> list[Row]:
        """S = Π Πᵀ of all ports in the directions that have inertia."""
        S, blocks = self.S, dict[tuple[int, int], list[Row]]()
        for a, one in enumerate(self.ports):
            for b, other in enumerate(self.ports[a:], a):
                weights = [[dot(S, v, w) for w in other.weights] for v in one.weights]
                left = zip(*(one.factor(column) for column in zip(*weights, strict=True)), strict=True)
                blocks[a, b] = [other.factor(row) for row in left]

        def entry(one: tuple[int, int], other: tuple[int, int]) -> Scalar:
            (a, i), (b, j) = min(one, other), max(one, other)
            return blocks[a, b][i][j]

        return [[entry(one, other) for other in self.rows] for one in self.rows]

    def _attach(self, r: int, T: list[Row], C: list[Row], N: list[Row], x: Row) -> Attachment:
        """Attach the mass that direction r has after those before it; T, C, N and x of later directions change."""
        S, port, later = self.S, self.rows[r][0], range(r + 1, len(self.rows))
        own = [k for k in later if self.rows[k][0] == port]
        inverse = S.div(S.one, T[r][r])
        u = [S.mul(T[k][r], inverse) for k in own]
        for n, i in enumerate(own):
            for j in own[n:]:
                T[i][j] = T[j][i] = S.sub(T[i][j], S.mul(u[n], T[j][r]))
        along, one = [r, *own], [S.one, *u]
        g = {k: dot(S, one, [C[k][i] for i in along]) for k in (r, *later)}
        rho = S.div(S.one, S.add(inverse, dot(S, one, [g[k] for k in along])))
        nu = [dot(S, one, [N[k][j] for k in along]) for j in range(6)]
        chi = dot(S, one, [x[k] for k in along])
        for k in later:
            moved = S.mul(rho, g[k])
            x[k] = S.sub(x[k], S.mul(moved, chi))
            N[k] = [S.sub(a, S.mul(moved, b)) for a, b in zip(N[k], nu, strict=True)]
            for j in later[k - r - 1 :]:
                C[k][j] = C[j][k] = S.sub(C[k][j], S.mul(moved, g[j]))
        return Attachment(along, u, [g[k] for k in later], nu, chi, rho)

    def expand(self, A: Twist) -> tuple[Row, list[Row]]:
        S = self.S
        f = [S.zero] * len(self.rows)
        for r in range(len(self.rows) - 1, -1, -1):
            step = self.steps[r]
            value = S.sub(S.add(dot(S, step.nu, A.c), step.chi), dot(S, step.g, f[r + 1 :]))
            value = S.mul(step.rho, value)
            for k, u in zip(step.along, (S.one, *step.u), strict=True):
                f[k] = S.add(f[k], S.mul(u, value))
        forces = [[S.zero] * 6 for _ in self.ports]
        for (k, i), a, b in zip(self.rows, f, self.z, strict=True):
            forces[k][i] = S.add(a, b)
        rates = [S.sub(a, dot(S, F.c, A.c)) for a, F in zip(self.right, self.fr, strict=True)]
        rates = self._less_forces(rates, forces)
        moved = list[Row]()
        for port in self.ports:
            own = port.factor([dot(S, row, rates) for row in port.weights])
            moved.append([S.add(S.add(a, b), c) for a, b, c in zip(port.carry(A.c), own, port.c, strict=True)])
        return rates, moved


# Without deformation


class ConstantPorts(PortElimination):
    """Where the columns of modes and ports are numbers: X = T + S⁻¹ in the directions f that move with the modes and
    have inertia, with S⁻¹ and all that depends on no T computed in advance. Of the other directions, those with inertia
    (k) are moved by A alone, and in those without (o) the force is known. With G = S_ff⁻¹ N_f

        X x_f = (G − T_fk N_k) A + S_ff⁻¹ (x̂_f − S_fo z_o) − T_fk x̂_k − z_f
    """

    def __init__(
        self,
        S: Scalars,
        ports: Sequence[Port],
        numbers: "PortNumbers",
        modes: ModalRows,
        inertia: ArticulatedInertia,
        force: Wrench,
    ) -> None:
        self.S, self.modes, self.ports, self.numbers = S, modes, ports, numbers
        f, k, o, N, M, Pi = numbers.moving, numbers.still, numbers.idle, numbers.N, numbers.M, numbers.Pi
        stiffness = np.asarray(np.linalg.inv(Pi[f] @ Pi[f].T), float)
        G, known = stiffness @ N[f], stiffness @ (Pi[f] @ Pi[o].T)
        T, z, c = self._stacked()
        zf, zk, zo, cf, ck = ([some[i] for i in rows] for some, rows in ((z, f), (z, k), (z, o), (c, f), (c, k)))
        right = modes.right
        X = [self._sum([T[i][j] for j in f], row) for i, row in zip(f, self._const(stiffness), strict=True)]
        Tfk, Nk = [[T[i][j] for j in k] for i in f], self._const(N[k])
        columns = [self._less(row, self._times(t, Nk)) for row, t in zip(self._const(G), Tfk, strict=True)]
        TN = [self._times([T[i][j] for j in k], Nk) for i in k]
        constant = self._const(N[f].T @ G - M @ M.T)
        P = [
            [
                S.add(
                    S.add(inertia.entry(i, j), constant[i][j]), dot(S, [row[i] for row in Nk], [row[j] for row in TN])
                )
                for j in range(6)
            ]
            for i in range(6)
        ]
        v = self._sum(self._apply(stiffness, cf), self._apply(stiffness @ Pi[f], right))
        v = self._less(self._less(v, self._apply(known, zo)), zf)
        v = self._less(v, [dot(S, row, ck) for row in Tfk])
        p = self._sum(force.c, self._apply(M + G.T @ Pi[f], right), self._apply(G.T, cf))
        p = self._sum(p, self._apply(N[o].T - G.T @ (Pi[f] @ Pi[o].T), zo))
        held = self._sum([dot(S, [T[i][j] for j in k], ck) for i in k], zk)
        p = self._sum(p, [dot(S, [row[i] for row in Nk], held) for i in range(6)])
        self.pivots = list[tuple[Scalar, Row]]()
        for r in range(len(f)):
            inverse, below = S.div(S.one, X[r][r]), range(r + 1, len(f))
            self.pivots.append((inverse, [X[a][r] for a in below]))
            for a in below:
                ratio = S.mul(X[a][r], inverse)
                columns[a] = self._less(columns[a], [S.mul(ratio, value) for value in columns[r]])
                v[a] = S.sub(v[a], S.mul(ratio, v[r]))
                for b in range(r + 1, a + 1):
                    X[a][b] = X[b][a] = S.sub(X[a][b], S.mul(ratio, X[b][r]))
            ratios = [S.mul(value, inverse) for value in columns[r]]
            p = self._less(p, [S.mul(value, v[r]) for value in ratios])
            for i in range(6):
                for j in range(i, 6):
                    P[i][j] = S.sub(P[i][j], S.mul(ratios[i], columns[r][j]))
        self.columns, self.v, self.T, self.z, self.c, self.ck = columns, v, T, z, c, ck
        self.inertia = ArticulatedInertia(inertia.frame, tuple([P[i][j] for i, j in ENTRIES]))
        self.force = Wrench(force.frame, tuple(p))

    def _stacked(self) -> tuple[list[Row], Row, Row]:
        """T, z and c of all ports."""
        count = 6 * len(self.ports)
        T: list[Row] = [[self.S.zero] * count for _ in range(count)]
        for k, port in enumerate(self.ports):
            for i in range(6):
                T[6 * k + i][6 * k : 6 * k + 6] = port.T[i]
        return T, list(chain(*(port.z for port in self.ports))), list(chain(*(port.c for port in self.ports)))

    def _const(self, matrix: Array) -> list[Row]:
        return [[self.S.const(int(x) if x.is_integer() else x) for x in row] for row in cleaned(matrix).tolist()]

    def _apply(self, matrix: Array, x: Sequence[Scalar]) -> Row:
        return [dot(self.S, row, x) for row in self._const(matrix)]

    def _times(self, row: Row, matrix: Sequence[Row]) -> Row:
        return [dot(self.S, row, [line[j] for line in matrix]) for j in range(6)]

    def _sum(self, *rows: Sequence[Scalar]) -> Row:
        total = list(rows[0])
        for row in rows[1:]:
            total = [self.S.add(a, b) for a, b in zip(total, row, strict=True)]
        return total

    def _less(self, some: Sequence[Scalar], more: Sequence[Scalar]) -> Row:
        return [self.S.sub(a, b) for a, b in zip(some, more, strict=True)]

    def expand(self, A: Twist) -> tuple[Row, list[Row]]:
        S, n = self.S, self.numbers
        y = [S.add(v, dot(S, row, A.c)) for v, row in zip(self.v, self.columns, strict=True)]
        for r in range(len(y) - 1, -1, -1):
            inverse, below = self.pivots[r]
            y[r] = S.mul(inverse, S.sub(y[r], dot(S, below, y[r + 1 :])))
        x: dict[int, Scalar] = dict(zip(n.moving, y, strict=True))
        for i, row, c in zip(n.still, self._const(n.N[n.still]), self.ck, strict=True):
            x[i] = S.add(dot(S, row, A.c), c)
        f = [S.add(dot(S, [self.T[i][j] for j in x], list(x.values())), z) for i, z in enumerate(self.z)]
        rates = [S.sub(a, b) for a, b in zip(self.modes.right, self._apply(n.M.T, A.c), strict=True)]
        rates = self._less(rates, self._apply(n.Pi.T, f))
        carried, own = chain(*(port.carry(A.c) for port in self.ports)), self._apply(n.Pi, rates)
        every = [S.add(S.add(a, b), c) for a, b, c in zip(carried, own, self.c, strict=True)]
        whole = [x.get(i, value) for i, value in enumerate(every)]
        return rates, [whole[k : k + 6] for k in range(0, len(whole), 6)]


class PortNumbers(NamedTuple):
    """M_rf, and Π and N of all ports where they are numbers; the stacked directions that move with the modes and have
    inertia, those that have inertia alone, and those that have none."""

    M: Array
    Pi: Array
    N: Array
    moving: list[int]
    still: list[int]
    idle: list[int]

    @classmethod
    def of(cls, S: Scalars, fr: Sequence[Wrench], ports: Sequence[Port]) -> "PortNumbers | None":
        """None if something is not a number, or if the compliance of the moving directions is nearly singular."""
        M = _numbers(S, [[F.c[i] for F in fr] for i in range(6)])
        columns = [[port.factor(column) for column in zip(*port.weights, strict=True)] for port in ports]
        Pi = _numbers(S, [[column[i] for column in some] for some in columns for i in range(6)])
        carried = _numbers(S, list(chain(*(port.carried() for port in ports))))
        if M is None or Pi is None or carried is None:
            return None
        Pi = cleaned(Pi)
        idle = [6 * k + i for k, port in enumerate(ports) for i in port.idle]
        moving = [i for i in range(len(Pi)) if i not in idle and Pi[i].any()]
        still = [i for i in range(len(Pi)) if i not in idle and i not in moving]
        rows = Pi[moving]
        scale = np.linalg.norm(rows, axis=1)[:, None]
        if len(moving) > Pi.shape[1] or (moving and np.linalg.cond(rows / scale) ** 2 > CONDITION):
            return None
        return cls(M, Pi, cleaned(carried - Pi @ M.T), moving, still, idle)


def _numbers(S: Scalars, rows: Sequence[Sequence[Scalar]]) -> Array | None:
    """The entries of a matrix, if all of them are numbers."""
    values = [S.number(x) for row in rows for x in row] if isinstance(S, Graph) else [None]
    return None if None in values else np.array([float(v or 0) for v in values]).reshape(len(rows), -1)


FEW_MODES = 6
"""The modes of a deformed body that has no more of them for each port are eliminated one by one, which is shorter."""


def ports_pay(modes: int, ports: int, deformed: bool) -> bool:
    """Whether modes may be eliminated with so many ports in fewer operations than one by one."""
    return modes > FEW_MODES * ports if deformed else modes >= ports


PortMethod = Callable[[ModalRows, ArticulatedInertia, Wrench], PortElimination]
"""Eliminates modes from the inertia and the force of a body without them."""


def port_method(S: Scalars, fr: Sequence[Wrench], ports: Sequence[Port]) -> PortMethod | None:
    """How modes are eliminated with ports; None if that is not known to be stable, or longer than mode by mode."""
    numbers = PortNumbers.of(S, fr, ports)
    if numbers is not None:
        return partial(ConstantPorts, S, ports, numbers)
    if ports_pay(len(fr), len(ports), deformed=True) and all(port.definite for port in ports):
        return partial(AttachedPorts, S, ports)
    return None


def resting_links(links: Sequence[Link]) -> set[int]:
    """The indices of the links that have no acceleration at u̇₀, the reference of the elimination: flexible bodies, so
    that no products with the columns of their modes are needed, and the links before and behind them."""
    resting = set[int]()
    for link in links:
        if link.parent is not None and (link.is_flexible or link.is_port):
            resting |= {link.index, link.parent.index} if link.parent.parent is not None else {link.index}
    return resting


# Pivots


DEFINITE = 1e-10
"""The smallest eigenvalue of an inertia, scaled to a diagonal of ones, that counts as positive."""


def known_pivots(link: Link) -> Sequence[int]:
    """All directions, if the inertia of a body is known to be positive definite, less that of its modes."""
    solid = solid_inertia(link).articulated()
    matrix = _numbers(link.graph, [[solid.entry(i, j) for j in range(6)] for i in range(6)])
    if link.internal_dynamics is not None:
        residual = link.internal_dynamics.residual_inertia()
        matrix = residual if residual is None or matrix is None else residual + matrix
    if matrix is None or min(np.diag(matrix)) <= 0:
        return ()
    scale = 1 / np.sqrt(np.diag(matrix))
    return DIRECTIONS if np.linalg.eigvalsh(matrix * scale * scale[:, None])[0] > DEFINITE else ()


def common_pivots(some: Sequence[int], more: Sequence[int], no_inertia: bool, no_more: bool) -> Sequence[int]:
    """The pivots of a sum of inertias."""
    if no_inertia or no_more:
        return more if no_inertia else some
    return DIRECTIONS if DIRECTIONS in (some, more) else ()


def left_pivots(link: Link, pivots: Sequence[int]) -> Sequence[int]:
    """The pivots that are left after the speeds of a link's joint are eliminated: those in other directions than the
    joint's axes; all where a rotor resists the motion."""
    if any(c.speed not in link.axes for c in link.columns):
        rotor = link.graph.number(scalar(link.graph, link.body.spec.joint.armature))
        return DIRECTIONS if pivots == DIRECTIONS and rotor is not None and rotor > 0 else ()
    along = {axis for axis, _ in link.axes.values()}
    return tuple(i for i in pivots if i not in along)


def moved_pivots(link: Link, pivots: Sequence[int]) -> Sequence[int]:
    """The pivots of a link's inertia in the frame of its parent: known if all directions have inertia, or if those
    without it stay along axes."""
    free = {i for i in DIRECTIONS if i not in pivots}
    if link.parent is None or not pivots or not free:
        return pivots
    return pivots if _last_frame(link.frame, link.parent.frame, free) is link.parent.frame else ()
