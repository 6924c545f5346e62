"""Small systems with known motions as compiled functions."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from freebody.backends import Bound, Function, compile
from freebody.integrate.compiled import StateFunction
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind


@cache
def program(
    rates: tuple[str, ...], n: int | None = None, parameters: tuple[str, ...] = (), inputs: tuple[str, ...] = ()
) -> Program:
    """A program of ẋ (or other functions) given as text in t, x0, x1, …, the parameters and the inputs."""
    g = Graph()
    groups = {
        "parameters": [g.symbol(p, Kind.PARAMETER) for p in parameters],
        "t": [g.symbol("t", Kind.TIME)],
        "x": [g.symbol(f"x{k}", Kind.COORDINATE) for k in range(n or len(rates))],
        "inputs": [g.symbol(u, Kind.INPUT) for u in inputs],
    }
    a = Assembly("rates", g, groups)
    a.output("x_dot", [parse(g, r) for r in rates])
    return a.program()


@cache
def compiled(*given: object) -> Function:
    return compile(program(*given))


def bound(rates: Sequence[str], n: int | None = None, inputs: Sequence[str] = (), **parameters: float) -> Bound:
    made = compiled(tuple(rates), n, tuple(parameters), tuple(inputs))
    return made.bind(parameters) if parameters else Bound(made, {})


def field(
    *rates: str, n: int | None = None, inputs: dict[str, float] | None = None, **parameters: float
) -> StateFunction:
    inputs = inputs or {}
    return StateFunction(bound(rates, n, tuple(inputs), **parameters), list(inputs.values()))


FALL = ("x1", "-9.81")
SPRING = ("x1", "-x0")
PENDULUM = ("x1", "-k*sin(x0)")
CURVES = ("-2*t*x0**2", "x1*(1 - x1)", "x1*x2")
"""Nonlinear, with and without t. From (1, ½, 1) at t = 0 it goes to (1/(1 + t²), 1/(1 + e⁻ᵗ), (1 + eᵗ)/2)."""

TOP = (
    "-(x1*x4 + x2*x5 + x3*x6)/2", "(x0*x4 + x2*x6 - x3*x5)/2", "(x0*x5 + x3*x4 - x1*x6)/2", "(x0*x6 + x1*x5 - x2*x4)/2",
    "(b - c)/a*x5*x6", "(c - a)/b*x6*x4", "(a - b)/c*x4*x5",
)  # fmt: skip
"""A free body: quaternion and angular velocity, moments of inertia a, b, c (Euler's equations)."""
TOP_START = (1.0, 0.0, 0.0, 0.0, 0.3, 4.0, 0.2)
TOP_MOMENTS = {"a": 1.0, "b": 2.0, "c": 3.0}


def curves(t: np.ndarray) -> np.ndarray:
    """The motion of ``CURVES``."""
    return np.stack([1 / (1 + t**2), 1 / (1 + np.exp(-t)), (1 + np.exp(t)) / 2], -1)
