"""Random trees with their quantities as functions, and the reference implementation."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from freebody.api.compiled import Compiled
from freebody.api.equations import Equations
from freebody.formulations.derivation import Derivation
from freebody.formulations.kane import derive
from freebody.model.builder import ModelBuilder
from freebody.tree.tree import span
from tests.mechanisms.build_system import system
from tests.mechanisms.newton_euler_reference import Moving, Referee, motions
from tests.mechanisms.random_trees import State, Tree, state, tree

Array = np.ndarray
SEEDS = range(10)
"""Each of the ten kinds of joints has its turn."""
EXACT = 1e-12
"""Relative to the largest number of the same kind; measured: below 5e-14."""
STEP = 1e-6
DIFFERENCED = 1e-7
"""What central differences over STEP leave; measured: below 2e-8."""


@dataclass(frozen=True)
class Case:
    """A tree at a state with accelerations, its quantities and its reference."""

    tree: Tree
    state: State
    u_dot: Array
    equations: Equations
    f: Compiled

    @property
    def time(self) -> dict[str, Any]:
        return {"t": self.state.t}

    @property
    def rest(self) -> dict[str, object]:
        """Time, states and inputs."""
        return {"t": self.state.t, "z": [self.state.z], "inputs": [self.state.motor]}

    @property
    def names(self) -> list[str]:
        return [f"b{i}" for i in range(len(self.tree.twigs))]

    @property
    def bodies(self) -> list[Moving]:
        return motions(self.tree, self.state, self.state.u, self.u_dot)

    @property
    def referee(self) -> Referee:
        return Referee(self.tree, self.state)

    def tangent(self) -> Array:
        """N, with a row for each free speed."""
        s, f = self.state, self.f
        still = f.q_dot(s.q, np.zeros_like(s.u), **self.time)
        return np.array([f.q_dot(s.q, e, **self.time) - still for e in np.eye(len(s.u))]).reshape(len(s.u), len(s.q))


def equations(made: ModelBuilder) -> Equations:
    derivation = Derivation(derive(span(made.freeze())))
    return Equations(derivation, made.values, [s.initial for s in made.extra_states.values()])


@cache
def case(seed: int, loads: bool = True) -> Case:
    """Three bodies on joints with all options, with all kinds of loads or none."""
    drawn = tree(seed, bodies=3)
    made = drawn if loads else replace(drawn, pushes=(), coils=(), joint_forces=())
    s, eq = state(made), equations(system(made))
    return Case(made, s, np.random.default_rng([seed, 7]).normal(size=len(s.u)), eq, eq.compile("numpy"))


def slope(function: object, step: float = STEP) -> Array:
    """The derivative of a function of one number at 0, by central differences."""
    return (function(step) - function(-step)) / (2 * step)  # type: ignore[operator]
