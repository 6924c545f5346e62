"""The equations of a system as numbers, computed step by step: span, motion, Kane, program, compile."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.backends import compile
from freebody.formulations.kane import Kane
from freebody.formulations.solve import solve_symmetric
from freebody.model.builder import ModelBuilder
from freebody.program import program
from freebody.tree.inertia import link_inertia
from freebody.tree.tree import span
from tests.mechanisms.random_trees import State

Array = np.ndarray


class Unmoved(Kane):
    """Kane's equations with every body's own inertia, without the `base` rewrite."""

    @property
    def inertias(self) -> list[Any]:
        return [link_inertia(link) for link in self.tree.links]


@dataclass
class Numbers:
    """M, f, q̇ and u̇ at a state."""

    M: Array
    f: Array
    q_dot: Array
    u_dot: Array


class Equations:
    """M, f, q̇ and u̇ of a system as one compiled function."""

    def __init__(self, system: ModelBuilder, kane: type[Kane] = Kane, backend: str = "numpy") -> None:
        self.tree = span(system.freeze())
        g, layout = self.tree.graph, self.tree.layout
        self.kane = kane(self.tree)
        M, f = self.kane.mass, self.kane.force
        self.entries, self.n = list(M), len(f)
        groups: dict[str, Any] = {
            "parameters": _named(g, layout.parameters),
            "t": _named(g, ["t"]),
            "q": list(layout.q_handles),
            "u": list(layout.u_handles),
            "z": _named(g, layout.z),
            "inputs": _named(g, layout.inputs),
        }
        outputs: dict[str, Any] = {
            "M": list(M.values()),
            "f": f,
            "q_dot": list(layout.q_dot),
            "u_dot": solve_symmetric(g, M, f),
        }
        self.program = program("equations", g, groups, outputs)
        self.function = compile(self.program, backend)
        self.values = list(system.values.values())
        self.sizes = len(layout.z), len(layout.inputs)

    def __call__(self, state: State) -> Numbers:
        z, inputs = [state.z] * self.sizes[0], [state.motor] * self.sizes[1]
        out: Any = self.function(self.values, [state.t], state.q, state.u, z, inputs)
        M = np.zeros((self.n, self.n))
        for (i, j), value in zip(self.entries, out["M"], strict=True):
            M[i, j] = M[j, i] = value
        return Numbers(M, out["f"], out["q_dot"], out["u_dot"])


def _named(g: Any, names: Sequence[str]) -> list[int]:
    handles = [g.named(name) for name in names]
    assert None not in handles
    return handles


def error(a: Array, b: Array) -> float:
    """The difference of two arrays relative to the largest entry of the larger one (at least 1)."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if not a.size and a.shape == b.shape:
        return 0.0
    return float(np.max(np.abs(a - b)) / max(1.0, np.max(np.abs(a)), np.max(np.abs(b))))
