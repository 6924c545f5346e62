"""Mechanisms with closed loops for the comparison of solvers: families with parameters for the number of bodies and
loops, the length of loops, how loops are coupled, and the share of redundant equations.

A mechanism is plain data: bodies of a tree with their joints, joints that close loops, and a state that satisfies all
of them. ``system()`` builds it with freebody; ``exudyn_models.py`` builds the same with Exudyn. Poses, the Jacobian of
the loops and consistent speeds are computed here in NumPy, without the library.

    python benchmarks/mechanisms.py       # a table of the families
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

import freebody as fb

Array = np.ndarray
Triple = tuple[float, float, float]
SPEEDS = {"revolute": 1, "prismatic": 1, "spherical": 3, "free": 6}


@dataclass(frozen=True)
class Body:
    """A body on its parent (None: the ground). q: an angle, a displacement, a unit quaternion (w, x, y, z), or a
    position and a quaternion. The inertia is about the mass centre; its product moments are zero."""

    parent: str | None
    at: Triple
    joint: Literal["revolute", "prismatic", "spherical", "free"]
    axis: Triple
    q: tuple[float, ...]
    mass: float
    com: Triple
    inertia: Triple


@dataclass(frozen=True)
class Loop:
    """Two points of two bodies (None: the ground) that a joint, or a rod, connects. ``axis`` (of a revolute joint) is
    along the axes of the ground at the state."""

    one: str | None
    at: Triple
    other: str | None
    at_other: Triple
    joint: Literal["revolute", "spherical", "rod"]
    axis: Triple = (0, 1, 0)


@dataclass
class Mechanism:
    """Bodies in order, each after its parent, and loops."""

    name: str
    bodies: dict[str, Body] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    gravity: Triple = (0, 0, -9.81)

    def system(self) -> fb.System:
        """The mechanism in freebody. Initial coordinates are those of the state."""
        s = fb.System(self.name, gravity=self.gravity)
        for name, b in self.bodies.items():
            s.body(
                name,
                on=s.bodies[b.parent] if b.parent else s.ground,
                at=b.at,
                joint=_joint(b.joint, b.axis, b.q),
                mass=b.mass,
                com=b.com,
                inertia=b.inertia,
            )
        for k, loop in enumerate(self.loops):
            ends = [(s.bodies[n] if n else s.ground).point(at) for n, at in _ends(loop)]
            if loop.joint == "rod":
                s.rod(*ends, length=float(np.linalg.norm(np.subtract(*self.points(loop)))), name=f"loop{k}")
                continue
            R, R_other = self._rotation(loop.one), self._rotation(loop.other)
            axis, axis_other = R.T @ loop.axis, R_other.T @ loop.axis
            if loop.joint == "spherical" or np.abs(axis - axis_other).max() < 1e-14:
                s.close(*ends, _joint(loop.joint, tuple(axis)), name=f"loop{k}")
            else:
                s.close(*ends, _joint(loop.joint, loop.axis), orient=R.T, orient_to=R_other.T, name=f"loop{k}")
        return s

    # The state

    @property
    def q(self) -> Array:
        return np.concatenate([b.q for b in self.bodies.values()])

    @cached_property
    def u(self) -> Array:
        """Speeds that satisfy all loops, near random ones."""
        u = np.random.default_rng(len(self.bodies)).uniform(-1, 1, self.count)
        G = self.jacobian
        return u - np.linalg.lstsq(G, G @ u, rcond=1e-10)[0] if len(G) else u

    @cached_property
    def tau(self) -> Array:
        return np.random.default_rng(1 + len(self.bodies)).uniform(-1, 1, self.count)

    # Structure

    @property
    def count(self) -> int:
        """The number of speeds."""
        return sum(SPEEDS[b.joint] for b in self.bodies.values())

    @cached_property
    def rank(self) -> int:
        """Of the equations of all loops at the state."""
        return int(np.linalg.matrix_rank(self.jacobian, tol=1e-9)) if self.loops else 0

    @property
    def redundant(self) -> float:
        """The share of equations that follow from others."""
        return 1 - self.rank / len(self.jacobian) if self.loops else 0.0

    @cached_property
    def longest(self) -> int:
        """The number of bodies of the tree's longest loop, of those that each closing joint makes with the tree."""
        return max((len(set(self._path(x.one)) ^ set(self._path(x.other))) for x in self.loops), default=0)

    @cached_property
    def depth(self) -> int:
        return max(len(self._path(name)) for name in self.bodies)

    def _path(self, name: str | None) -> list[str]:
        """The body and those that carry it."""
        path = []
        while name is not None:
            path.append(name)
            name = self.bodies[name].parent
        return path

    # Kinematics

    @cached_property
    def poses(self) -> dict[str | None, tuple[Array, Array]]:
        """Rotation and origin of every body, in the ground."""
        poses: dict[str | None, tuple[Array, Array]] = {None: (np.eye(3), np.zeros(3))}
        for name, b in self.bodies.items():
            R, p = poses[b.parent]
            turn, shift = _motion(b)
            poses[name] = R @ turn, p + R @ (b.at + shift)
        return poses

    def _rotation(self, name: str | None) -> Array:
        return self.poses[name][0]

    def points(self, loop: Loop) -> tuple[Array, Array]:
        """The two points of a loop, in the ground."""
        first, second = (p + R @ at for (R, p), at in ((self.poses[n], np.array(at)) for n, at in _ends(loop)))
        return first, second

    @cached_property
    def jacobian(self) -> Array:
        """G of all loops: the resisted directions of ω and v of the second body relative to the first."""
        rows, columns, k = [], self._columns, self.count
        for loop in self.loops:
            first, second = self.points(loop)
            relative = np.zeros((6, k))
            for sign, end, point in ((-1, loop.one, first), (1, loop.other, second)):
                for name in self._path(end):
                    relative[:, columns[name]] += sign * self._twists(name, point)
            if loop.joint == "rod":
                rows.append((second - first)[None] @ relative[3:] / np.linalg.norm(second - first))
            else:
                rows.append(relative[3:])
            if loop.joint == "revolute":
                rows.append(np.linalg.svd(np.array(loop.axis)[None])[2][1:] @ relative[:3])
        return np.concatenate(rows) if rows else np.zeros((0, k))

    @cached_property
    def _columns(self) -> dict[str, slice]:
        """The speeds of each body's joint in u."""
        columns, k = dict[str, slice](), 0
        for name, b in self.bodies.items():
            columns[name] = slice(k, k + SPEEDS[b.joint])
            k += SPEEDS[b.joint]
        return columns

    def twist(self, name: str, point: Array) -> tuple[Array, Array]:
        """ω of a body and v of its point there, at the state."""
        both = sum((self._twists(n, point) @ self.u[self._columns[n]] for n in self._path(name)), np.zeros(6))
        return both[:3], both[3:]

    def _twists(self, name: str, point: Array) -> Array:
        """(ω, v) at a point that each speed of a body's joint produces."""
        b, (R, p) = self.bodies[name], self.poses[name]
        if b.joint == "prismatic":
            return np.concatenate([np.zeros(3), self._rotation(b.parent) @ b.axis])[:, None]
        w = (self._rotation(b.parent) @ b.axis)[:, None] if b.joint == "revolute" else R
        turning = np.concatenate([w, np.cross(w.T, point - p).T])
        return np.hstack([turning, np.concatenate([np.zeros((3, 3)), R])]) if b.joint == "free" else turning


def _joint(kind: str, axis: Sequence[float], q: Sequence[float] | None = None) -> Any:
    start = {} if q is None else {"initial": q[0] if len(q) == 1 else tuple(q)}
    match kind:
        case "revolute":
            return fb.Revolute(_plain(axis), **start)
        case "prismatic":
            return fb.Prismatic(_plain(axis), **start)
        case "spherical":
            return fb.Spherical(**start)
    return fb.Free(**start)


def _plain(axis: Sequence[float]) -> Triple:
    """Whole numbers stay exact, so that the equations of a planar mechanism do not contain 1.0 and 0.0."""
    x, y, z = (int(a) if a == int(a) else float(a) for a in np.round(np.asarray(axis, float), 15))
    return x, y, z


def _ends(loop: Loop) -> list[tuple[str | None, Triple]]:
    return [(loop.one, loop.at), (loop.other, loop.at_other)]


def _motion(b: Body) -> tuple[Array, Array]:
    """Rotation and displacement of a joint at its coordinates."""
    if b.joint == "revolute":
        K = _cross(np.array(b.axis, float))
        return np.eye(3) + np.sin(b.q[0]) * K + (1 - np.cos(b.q[0])) * K @ K, np.zeros(3)
    if b.joint == "prismatic":
        return np.eye(3), b.q[0] * np.array(b.axis, float)
    w, K = b.q[-4], _cross(np.array(b.q[-3:]))
    return np.eye(3) + 2 * w * K + 2 * K @ K, np.array(b.q[:3]) if b.joint == "free" else np.zeros(3)


def _cross(x: Array) -> Array:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


# Bars

Y: Triple = (0, 1, 0)


def bar(parent: str | None, at: Triple, angle: float, length: float = 1.0, axis: Triple = Y) -> Body:
    """A bar along its z axis on a revolute joint, 1 kg a metre, 6 cm thick."""
    across, along = length * (length**2 + 0.06**2) / 12, length * 0.06**2 / 6
    return Body(parent, at, "revolute", axis, (angle,), length, (0, 0, length / 2), (across, across, along))


def _closed(m: Mechanism, one: str, at: Triple, other: str | None, **more: Any) -> None:
    """Connect a point of a body to the point of another one (or the ground) that is at the same place now."""
    R, p = m.poses[one]
    R_other, p_other = m.poses[other]
    at_other = R_other.T @ (p + R @ at - p_other)
    m.loops.append(Loop(one, at, other, tuple(_tidy(at_other)), **more))


def _tidy(x: Array) -> list[float]:
    """Coordinates without the rounding of a rotation, so that 1 is not 0.9999999999999999."""
    near = np.round(x, 12)
    kept = np.where(np.abs(x - near) < 1e-14, near, x)
    return [int(a) if a == int(a) else float(a) for a in kept]


def _again(m: Mechanism) -> None:
    """Poses anew after bodies were added."""
    m.__dict__.pop("poses", None)


# Families


def separate(loops: int, length: int = 3, closed_by: str = "revolute") -> Mechanism:
    """Planar loops of ``length`` bars on the ground, not coupled to each other. A revolute joint has two equations of
    five that are needed, a spherical one two of three."""
    m, rng = Mechanism(f"{loops} separate loops of {length}"), np.random.default_rng(length)
    for k in range(loops):
        angles = rng.uniform(0.3, 0.6, length) * np.where(np.arange(length), 1.0, -1.5)
        for i in range(length):
            on = f"b{k}.{i - 1}" if i else None
            m.bodies[f"b{k}.{i}"] = bar(on, (0, 0, 1) if i else (3 * k, 0, 0), float(angles[i]))
        _again(m)
        _closed(m, f"b{k}.{length - 1}", (0, 0, 1), None, joint=closed_by)
    return m


def row(loops: int, angle: float = 0.4, closed_by: str = "revolute") -> Mechanism:
    """Four-bars in a row that share their rockers (IFToMM's benchmark A02 with bars of a small thickness)."""
    m = Mechanism(f"{loops} four-bars in a row" + (", spherical pins" if closed_by == "spherical" else ""))
    m.bodies["crank"] = bar(None, (0, 0, 0), angle)
    left = "crank"
    for k in range(loops):
        coupler = bar(left, (0, 0, 1), float(np.pi / 2) - angle)
        m.bodies[f"coupler{k}"] = coupler
        m.bodies[f"rocker{k}"] = bar(None, (k + 1, 0, 0), angle)
        m.loops.append(Loop(f"coupler{k}", (0, 0, 1), f"rocker{k}", (0, 0, 1), closed_by))
        left = f"rocker{k}"
    return m


def ladder(loops: int, closed_by: str = "revolute") -> Mechanism:
    """Two chains of bars upwards, side by side, with a rung between the ends of each pair of bars: every loop is a
    four-bar on the rung below, and the tree's loop k contains 2 k + 1 bodies."""
    m = Mechanism(f"ladder of {loops} rungs")
    left = right = None
    for k in range(loops):
        angle = 0.3 * (-1) ** k
        m.bodies[f"left{k}"] = bar(left, (0, 0, 1) if k else (0, 0, 0), angle if k == 0 else 2 * angle)
        m.bodies[f"right{k}"] = bar(right, (0, 0, 1) if k else (1, 0, 0), angle if k == 0 else 2 * angle)
        left, right = f"left{k}", f"right{k}"
        m.bodies[f"rung{k}"] = bar(left, (0, 0, 1), float(np.pi / 2) - angle)
        m.loops.append(Loop(f"rung{k}", (0, 0, 1), right, (0, 0, 1), closed_by))
    return m


def ring(length: int, spatial: bool = True) -> Mechanism:
    """A chain of bars whose end is on the ground: one long loop. Spatial: the axes are in all directions and a
    spherical joint closes the loop; planar: a revolute joint closes it."""
    m, rng = Mechanism(f"{'spatial' if spatial else 'planar'} ring of {length}"), np.random.default_rng(length)
    for i in range(length):
        axis = _axes(i) if spatial else Y
        turn = float(rng.uniform(0.2, 0.5)) * (-1) ** (i // 2)
        m.bodies[f"b{i}"] = bar(f"b{i - 1}" if i else None, (0, 0, 1) if i else (0, 0, 0), turn, axis=axis)
    _closed(m, f"b{length - 1}", (0, 0, 1), None, joint="spherical" if spatial else "revolute")
    return m


def _axes(k: int) -> Triple:
    x, y, z = np.roll((1, 0, 0), k % 2)
    return int(x), int(y), int(z)


def curtain(chains: int, links: int, rods: int = 1) -> Mechanism:
    """Chains that hang side by side from the ground, in space; rods connect neighbours at every second link. With
    ``rods`` = 2 every rod is doubled: half of the equations are redundant."""
    m, rng = Mechanism(f"curtain of {chains} × {links}, {rods} rods"), np.random.default_rng(links)
    for c in range(chains):
        for i in range(links):
            turn = float(rng.uniform(0.1, 0.4)) + (np.pi if i == 0 else 0.0)
            on, at = (f"b{c}.{i - 1}", (0, 0, 1)) if i else (None, (c, 0, 0))
            m.bodies[f"b{c}.{i}"] = bar(on, at, turn, axis=_axes(i))
    for c in range(chains - 1):
        for i in range(1, links, 2):
            m.loops += [Loop(f"b{c}.{i}", (0, 0, 1), f"b{c + 1}.{i}", (0, 0, 1), "rod")] * rods
    return m


def platform(legs: int) -> Mechanism:
    """A platform on legs of three bars, two hinges at the hip, one at the knee and a spherical joint at the platform,
    which keeps its six freedoms."""
    m = Mechanism(f"platform on {legs} legs")
    m.bodies["platform"] = Body(
        None,
        (0, 0, 0),
        "free",
        (0, 0, 1),
        (0.05, -0.1, 1.4, *_quaternion((0.1, 0.05, 0.2))),
        5.0,
        (0.01, 0.02, 0.05),
        (0.5, 0.6, 1.0),
    )
    for k in range(legs):
        turn = 2 * np.pi * k / legs
        radial, tangential = (np.cos(turn), np.sin(turn), 0.0), (-np.sin(turn), np.cos(turn), 0.0)
        m.bodies[f"hip{k}"] = bar(None, radial, 0.1, 0.2, axis=radial)
        m.bodies[f"lower{k}"] = bar(f"hip{k}", (0, 0, 0.2), 0.4 + 0.02 * k, axis=tangential)
        m.bodies[f"upper{k}"] = bar(f"lower{k}", (0, 0, 1), -0.9, axis=tangential)
        _again(m)
        _closed(m, f"upper{k}", (0, 0, 1), "platform", joint="spherical")
    return m


def _quaternion(turn: Triple) -> tuple[float, ...]:
    angle = np.linalg.norm(turn)
    return float(np.cos(angle / 2)), *(float(x) for x in np.sin(angle / 2) * np.array(turn) / angle)


def parallel_bars(bars: int, angle: float = 0.4) -> Mechanism:
    """A beam on parallel bars of one length, of which two are enough: with revolute joints, `bars` of 5 (bars − 1)
    equations are needed."""
    m = Mechanism(f"beam on {bars} parallel bars")
    m.bodies["bar0"] = bar(None, (0, 0, 0), angle)
    m.bodies["beam"] = bar("bar0", (0, 0, 1), float(np.pi / 2) - angle, float(bars - 1))
    for k in range(1, bars):
        m.bodies[f"bar{k}"] = bar(None, (k, 0, 0), angle)
        m.loops.append(Loop(f"bar{k}", (0, 0, 1), "beam", (0, 0, k), "revolute"))
    return m


def small() -> list[Mechanism]:
    """At most 30 bodies: for every solver, unrolled."""
    return [
        row(1),
        row(4),
        row(9),
        row(4, closed_by="spherical"),
        ladder(2),
        ladder(4),
        ladder(9),
        separate(1, 4),
        separate(1, 8),
        separate(4, 3),
        separate(9, 3),
        separate(3, 8),
        ring(6),
        ring(12),
        ring(24),
        ring(5, spatial=False),
        ring(12, spatial=False),
        curtain(2, 4),
        curtain(3, 6),
        curtain(5, 6),
        curtain(3, 6, rods=2),
        platform(3),
        platform(9),
        parallel_bars(3),
        parallel_bars(6),
    ]


def large() -> list[Mechanism]:
    """Up to 1000 bodies and 300 loops: for solvers whose programs loop over bodies."""
    return [
        row(30),
        row(100),
        row(300),
        ladder(30),
        separate(30, 3),
        separate(300, 3),
        separate(30, 10),
        ring(100),
        ring(1000),
        ring(100, spatial=False),
        curtain(10, 10),
        curtain(13, 50),
        platform(20),
        parallel_bars(40),
    ]


def main() -> None:
    print(f"{'mechanism':32} bodies speeds loops longest depth  rows  rank redundant")
    for m in (*small(), *large()):
        sizes = f"{len(m.bodies):6} {m.count:6} {len(m.loops):5} {m.longest:7} {m.depth:5}"
        print(f"{m.name:32} {sizes} {len(m.jacobian):5} {m.rank:5} {m.redundant:8.0%}")


if __name__ == "__main__":
    main()
