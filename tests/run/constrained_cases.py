"""Constrained systems in redundant coordinates as programs written by hand: ẋ of the multipliers' equations, and one
mass-weighted Newton correction of coordinates and speeds."""

from collections.abc import Sequence

import numpy as np

from freebody.hybrid.system import HybridSystem, known
from freebody.hybrid.triggers import Crossing
from freebody.hybrid.updates import ProgramUpdate, Rule
from freebody.hybrid.variables import Variable, VariableRow
from freebody.integrate.compiled import StateFunction
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.manifold import Manifold
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.results.about import About
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind
from tests.run.ode_cases import field, program

# A pendulum: a particle at (x0, x1) with x0² + x1² = 1, gravity g downwards along x1. λ keeps (x, ẍ) = −ẋ².

_TENSION = "(x2**2 + x3**2 - g*x1)/(x0**2 + x1**2)"
PARTICLE = ("x2", "x3", f"-x0*{_TENSION}", f"-g - x1*{_TENSION}")
PARTICLE_SPEEDS = (2, 3)
LEFT = (-1.0, 0.0, 0.0, 0.0)
GRAVITY = 9.81
PERIOD = 2.3678419475762373
AT = {1.0: (0.9862917511318754, -0.165010853125541), 10.0: (-0.275087462576117, -0.961419205099125)}
"""The period from rest at ``LEFT``, and positions at two times, exact (IFToMM benchmark A01, elliptic functions)."""


def circle(square: str = "1") -> tuple[str, ...]:
    """The correction towards x0² + x1² = square, by −Gᵀ(GGᵀ)⁻¹φ with φ half the difference and G = (x0, x1)."""
    q = f"(x0**2 + x1**2 - ({square}))/(2*(x0**2 + x1**2))"
    u = "(x0*x2 + x1*x3)/(x0**2 + x1**2)"
    return f"x0 - x0*{q}", f"x1 - x1*{q}", f"x2 - x0*{u}", f"x3 - x1*{u}"


def particle(g: float = GRAVITY) -> StateFunction:
    return field(*PARTICLE, g=g)


def on_circle(square: str = "1", rtol: float = 1e-9, atol: float = 1e-9) -> Manifold:
    return Manifold(field(*circle(square), g=GRAVITY), PARTICLE_SPEEDS, (), rtol, atol)


def drift(x: np.ndarray) -> tuple[float, float]:
    """The largest residuals of positions and speeds along rows of states."""
    return float(np.abs(np.hypot(x[..., 0], x[..., 1]) - 1).max()), float(np.abs(_along(x)).max())


def _along(x: np.ndarray) -> np.ndarray:
    return x[..., 0] * x[..., 2] + x[..., 1] * x[..., 3]


# A free body (x0 … x3 a quaternion, x4 … x6 the angular velocity in the body, moments a, b, c) whose axis 3 has a fixed
# angle to the vertical: k3 = cos ¼. k is the vertical in the body, k̇ = k × ω, so G = (−k2, k1, 0) in G ω = 0.

_K1, _K2, _K3 = "(2*(x1*x3 - x0*x2))", "(2*(x2*x3 + x0*x1))", "(x0**2 - x1**2 - x2**2 + x3**2)"
_RATE1, _RATE2 = f"({_K2}*x6 - {_K3}*x5)", f"({_K3}*x4 - {_K1}*x6)"
_G1, _G2 = f"(-{_K2})", _K1
_WEIGHT = f"({_G1}**2/a + {_G2}**2/b)"
_TORQUES = ("((b - c)*x5*x6)", "((c - a)*x6*x4)", "((a - b)*x4*x5)")
_GAMMA = f"({_RATE2}*x4 - {_RATE1}*x5)"
_LAMBDA = f"(({_GAMMA} - {_G1}*{_TORQUES[0]}/a - {_G2}*{_TORQUES[1]}/b)/{_WEIGHT})"
SPINNING = (
    "-(x1*x4 + x2*x5 + x3*x6)/2", "(x0*x4 + x2*x6 - x3*x5)/2", "(x0*x5 + x3*x4 - x1*x6)/2", "(x0*x6 + x1*x5 - x2*x4)/2",
    f"({_TORQUES[0]} + {_G1}*{_LAMBDA})/a", f"({_TORQUES[1]} + {_G2}*{_LAMBDA})/b", f"{_TORQUES[2]}/c",
)  # fmt: skip
_TURN = f"(-({_K3} - cos(1/4))/{_WEIGHT})"
_D1, _D2 = f"({_G1}*{_TURN}/a)", f"({_G2}*{_TURN}/b)"
_PUSH = f"(({_G1}*x4 + {_G2}*x5)/{_WEIGHT})"
TILTED = (
    f"x0 - (x1*{_D1} + x2*{_D2})/2", f"x1 + (x0*{_D1} - x3*{_D2})/2", f"x2 + (x0*{_D2} + x3*{_D1})/2",
    f"x3 + (x1*{_D2} - x2*{_D1})/2", f"x4 - {_G1}*{_PUSH}/a", f"x5 - {_G2}*{_PUSH}/b", "x6",
)  # fmt: skip
SPINNING_SPEEDS = (4, 5, 6)
MOMENTS = {"a": 1.0, "b": 2.0, "c": 3.0}


def spinning_start() -> np.ndarray:
    """Tilted about axis 1 by ¼: k = (0, sin ¼, cos ¼), and ω without a component along G."""
    return np.array([np.cos(1 / 8), np.sin(1 / 8), 0.0, 0.0, 0.0, 1.5, 4.0])


def tilt(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The residuals of k3 and its rate along rows of states."""
    w, x1, y, z = (x[..., k] for k in range(4))
    k1, k2, k3 = 2 * (x1 * z - w * y), 2 * (y * z + w * x1), w**2 - x1**2 - y**2 + z**2
    return k3 - np.cos(0.25), k1 * x[..., 5] - k2 * x[..., 4]


# Systems


def _record(rates: Sequence[str], parameters: Sequence[str]) -> Program:
    g, n = Graph(), len(rates)
    groups = {
        "parameters": [g.symbol(p, Kind.PARAMETER) for p in parameters],
        "t": [g.symbol("t", Kind.TIME)],
        "x": [g.symbol(f"x{k}", Kind.COORDINATE) for k in range(n)],
        "inputs": [],
    }
    a = Assembly("record", g, groups)
    a.output("x_dot", [parse(g, r) for r in rates])
    for name, shape in (("poses", (0, 12)), ("slots", (0,)), ("energy", (2,)), ("momentum", (6,))):
        a.output(name, [g.zero] * int(np.prod(shape)), shape)
    return a.program()


def pendulum_system(
    *, square: str = "1", projected: bool = True, event: str = "", reset: Sequence[str] = (), terminal: bool = False
) -> CompiledSystem:
    """The pendulum as a run knows it, with one event that stops or resets the state if there is one."""
    state = ("q.x", "q.y", "u.x", "u.y")
    variables = tuple(Variable(key[0], key[2:]) for key in state)
    condition, rules = None, tuple[Rule, ...]()
    if event:
        condition = program((event,), 4, ("g",))
        updates = (ProgramUpdate(program(tuple(reset), None, ("g",))),) if reset else ()
        rules = (Rule("hit", Crossing(0, terminal=terminal), updates),)
    system = HybridSystem(
        "pendulum",
        ("g",),
        VariableRow(),
        VariableRow(),
        VariableRow(variables),
        (),
        known(program(PARTICLE, None, ("g",))),
        known(_record(PARTICLE, ("g",))),
        variables,
        conditions=condition,
        rules=rules,
        project=known(program(circle(square), None, ("g",)) if projected else None),
    )
    about = About("pendulum", "0", (), variables, state, (), {"g": GRAVITY})
    return CompiledSystem(system, about, {"g": GRAVITY}, ())
