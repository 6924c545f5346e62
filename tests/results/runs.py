"""Runs built from closed-form solutions, so that their values are known at every time without a simulation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.results import About, BodyInfo, Events, RunResult, Statistics, Variable
from freebody.results.interpolation import Knots
from freebody.results.trajectory import StateRecorder

Array = NDArray[np.float64]
XYZ = ("x", "y", "z")
POSE = (*XYZ, "qw", "qx", "qy", "qz")
HOSTILE = (
    "ω̇ é", "a/b/../c", "[x]{y}", "q\"uo'te", "$x_{1}^2$", "<b>&amp;</b>]]>", "=1+1", " lead and trail ", "_hidden",
    "line\nbreak\ttab", "nul\0end", "\ud800 half", "\u202eturned", "", ".", "日本語 🚀", "x" * 5000, "x" * 5000 + "y",
)  # fmt: skip
"""Names that break files, markup and formulas."""


@dataclass(frozen=True)
class FunctionRecorder(StateRecorder):
    """A recorder that is a function of times and states."""

    function: Callable[[Array, Array], Mapping[str, Array]]

    def __call__(self, t: Array, x: Array, *, held: Array | None = None) -> Mapping[str, Array]:
        return self.function(t, x)


def spring(t: Array, steps: Array | None = None) -> RunResult:
    """A mass on a spring, x = cos t, and a spinning body with the quaternion (cos t/2, 0, 0, sin t/2). ``steps`` are
    the times at which steps ended."""
    return RunResult(
        SPRING,
        t,
        spring_state(t),
        message="reached the end",
        recorder=RECORD,
        statistics=Statistics("dop853", 120, 3, 1480, 2, 4, 0.0123),
        knots=None if steps is None else knots(steps),
    )


def knots(t: Array) -> Knots:
    """The ends of the spring's steps."""
    return Knots(t, spring_state(t), record(t, spring_state(t))["x_dot"])


SPRING = About(
    "spring & spin", "d1g3st",
    (BodyInfo("mass", "ground", "prismatic", ("mass",), ("mass",), (), 2.0, (-np.inf, 3.5), {"box": (1, (2, 3))}),
     BodyInfo("top", "ground", "spherical", ("top.qw", "top.qx", "top.qy", "top.qz"), ("top.wx", "top.wy", "top.wz"))),
    (Variable("q", "mass", "m", "along z"), *(Variable("q", f"top.{p}") for p in POSE[3:]),
     Variable("u", "mass", "m/s"), *(Variable("u", f"top.w{p}", "rad/s") for p in XYZ),
     Variable("u_dot", "mass", "m/s²"), Variable("input", "motor", "N·m"),
     Variable("output", "tip", "m", "the tip", XYZ), Variable("output", "speed", "m/s"),
     *(Variable("energy", kind, "J") for kind in ("kinetic", "potential", "total")),
     Variable("pose", "top", "", "in the ground", POSE)),
    ("q.mass", "q.top.qw", "q.top.qx", "q.top.qy", "q.top.qz", "u.mass", "u.top.wx", "u.top.wy", "u.top.wz"),
    (1,), {"m": 2.0, "k": 2.0}, {"motor": "0"},
)  # fmt: skip


def spring_state(t: Array) -> Array:
    one, zero = np.ones_like(t), np.zeros_like(t)
    return np.stack([np.cos(t), np.cos(t / 2), zero, zero, np.sin(t / 2), -np.sin(t), zero, zero, one], axis=1)


def record(t: Array, x: Array) -> Mapping[str, Array]:
    """All recorded quantities as functions of the state, for m = k = 2."""
    p, v, zero = x[:, 0], x[:, 5], np.zeros(len(t))
    turning = np.stack([-x[:, 4], zero, zero, x[:, 1]], axis=1) / 2
    rates = np.column_stack([v, turning, -p, zero, zero, zero])
    return {
        "x_dot": rates,
        "u_dot.mass": -p,
        "input.motor": zero,
        "output.speed": np.abs(v),
        "output.tip": np.stack([p, p**2, zero], axis=1),
        "energy.kinetic": v**2,
        "energy.potential": p**2,
        "energy.total": v**2 + p**2,
        "pose.top": np.column_stack([zero, zero, zero, x[:, 1:5]]),
    }


RECORD = FunctionRecorder(record)
FALL = About(
    "ball", "b0", (BodyInfo("ball", "ground", "prismatic", ("ball",), ("ball",), (), 1.0),),
    (Variable("q", "ball", "m"), Variable("u", "ball", "m/s"), Variable("energy", "kinetic", "J"),
     Variable("energy", "potential", "J"), Variable("energy", "total", "J")), ("q.ball", "u.ball"),
)  # fmt: skip
G, BOUNCE, TOP = 9.81, 0.8, 1.0


def ball(t: Array) -> RunResult:
    """A ball dropped from 1 m that keeps 0.8 of its speed at each bounce."""
    before, after = _bounces(6)
    when = before[:, 0]
    inside = (when >= t.min()) & (when <= t.max()) if len(t) else when < 0
    n = int(inside.sum())
    events = Events(("floor", "never"), when[inside], np.zeros(n, np.int64), before[inside, 1:], after[inside, 1:])
    return RunResult(FALL, t, ball_state(t), events=events, recorder=FALLING, message="reached the end")


def _bounces(count: int) -> tuple[Array, Array]:
    """Rows of time, height, and speed before and after each bounce."""
    t, speed, rows = np.sqrt(2 * TOP / G), np.sqrt(2 * G * TOP), []
    for _ in range(count):
        rows.append((t, 0.0, speed))
        speed *= BOUNCE
        t += 2 * speed / G
    when, height, fast = np.array(rows).T
    return np.stack([when, height, -fast], axis=1), np.stack([when, height, BOUNCE * fast], axis=1)


def ball_state(t: Array) -> Array:
    """Height and speed; at a bounce, those after it."""
    _, after = _bounces(6)
    starts = np.vstack([(0.0, TOP, 0.0), after])
    start = starts[np.searchsorted(after[:, 0], t, side="right")]
    s = t - start[:, 0]
    return np.stack([start[:, 1] + start[:, 2] * s - G * s**2 / 2, start[:, 2] - G * s], axis=1)


def fall(t: Array, x: Array) -> Mapping[str, Array]:
    kinetic, potential = x[:, 1] ** 2 / 2, G * x[:, 0]
    rates = np.stack([x[:, 1], np.full(len(t), -G)], axis=1)
    energies = {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}
    return {"x_dot": rates} | {f"energy.{name}": values for name, values in energies.items()}


FALLING = FunctionRecorder(fall)


def hostile(names: tuple[str, ...] = HOSTILE) -> RunResult:
    """A run in which every name is hostile."""
    t, n = np.linspace(0.0, 1.0, 5), len(names)
    variables = [Variable("q", name, name, name) for name in names]
    variables += [Variable("output", name, name, name, (name, "x", *names[:k])) for k, name in enumerate(names)]
    about = About(
        names[0] + names[-4],
        names[3],
        tuple(BodyInfo(name, "ground", name, (name,), (), (), 1.0) for name in names),
        tuple(variables),
        tuple(f"q.{name}" for name in names),
        (),
        dict.fromkeys(names, 0.1),
        dict(zip(names, names, strict=True)),
    )
    x = np.random.default_rng(1).normal(size=(5, n))
    recorded = {"x_dot": 2 * x} | {v.key: x[:, : len(v.parts)] * 3 for v in variables if v.group == "output"}
    recorded |= {v.key: np.resize(recorded[v.key], (5, len(v.parts))) for v in variables if v.group == "output"}
    events = Events(names, t[1:3], np.array([1, n - 1]), x[1:3], x[2:4])
    sides = {key: np.repeat(values[1:3], 2, axis=0) for key, values in recorded.items()}
    return RunResult(about, t, x, status=-1, message="".join(names), events=events, recorded=recorded, sides=sides)
