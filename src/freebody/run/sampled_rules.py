"""From sampled elements to rules of a hybrid system."""

from functools import cached_property
from typing import Any

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.hybrid.triggers import Every
from freebody.hybrid.updates import ProgramUpdate, Rule
from freebody.integrate.compiled_system import CompiledSystem
from freebody.model.sampled.base import SEED, Sampled, in_order, sample_number, sampled_programs
from freebody.numeric import as_integer
from freebody.run.arguments import shorten
from freebody.run.held_names import SEED_COLUMN
from freebody.run.initial import state_keys
from freebody.run.programs import RunPrograms
from freebody.scalar.expr import Expr
from freebody.scalar.random_numbers import normal

MOST = 2**48
"""Seeds are below this number."""


class RunSamples:
    """What a sampled element may use in its samples (see ``SampleView``)."""

    def __init__(self, e: Derivation, element: Sampled) -> None:
        self.e, self.graph, self.element = e, e.graph, element

    def scalar(self, value: Any) -> Expr:
        return self.e.tree.placed.scalar(value)

    def symbol(self, name: str) -> Expr:
        handle = self.graph.named(name)
        assert handle is not None, f"{name} is an input or a held value"
        return Expr(self.graph, handle)

    @property
    def t(self) -> Expr:
        return Expr(self.graph, self.e.tree.t)

    @cached_property
    def number(self) -> Expr:
        """The number of the sample."""
        return sample_number(self.element, self.t)

    def normal(self, stream: str) -> Expr:
        return normal(self.symbol(SEED), self.number, f"{self.element.name}.{stream}")


def sampled_rules(run: RunPrograms) -> tuple[Rule, ...]:
    """The rules of the sampled elements of a model, in the order in which they are applied at one instant."""
    e, rules = run.e, list[Rule]()
    places = {name: len(state_keys(e)) + k for k, name in enumerate(e.layout.inputs)}
    for element in in_order(e.tree.model.sampled):
        for program in sampled_programs(element, RunSamples(e, element)):
            nodes = [x.handle for x in program.values.values()]
            update = ProgramUpdate(run.update(program.name, nodes), tuple(places[name] for name in program.values))
            rules.append(Rule(program.name, Every(program.period, program.offset), (update,)))
    return tuple(rules)


def seeded(e: Derivation, seed: Any) -> dict[str, float]:
    """The held value of a seed; empty where none is given, and where nothing is random."""
    if seed is None:
        return {}
    number = float(whole_seed(seed))
    return {SEED: number} if SEED in e.layout.held else {}


def seed_place(compiled: CompiledSystem) -> int:
    """The place of the seed in d; systems that use no random numbers are refused."""
    place = compiled.system.row.index.get(SEED_COLUMN)
    if place is None:
        raise ArgumentError(f"{compiled.about.system} uses no random numbers: leave seed out")
    return place


def whole_seed(seed: Any) -> int:
    """A seed, checked."""
    number = int(seed) if isinstance(seed, float) and seed.is_integer() else as_integer(seed)
    if number is None or not 0 <= number < MOST:
        raise ArgumentError(f"seed is a whole number from 0 to 2⁴⁸ − 1, not {shorten(seed)}")
    return number


def writer(element: Sampled) -> str:
    """How an input is driven that an element writes, in words."""
    return f"written by {element.kind} '{element.name}' every {float(element.seconds):g} s"
