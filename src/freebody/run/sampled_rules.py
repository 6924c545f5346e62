"""From sampled elements to rules of a hybrid system."""

from typing import Any

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.samples import programs_of_samples
from freebody.hybrid.triggers import Every
from freebody.hybrid.updates import ProgramUpdate, Rule
from freebody.integrate.compiled_system import CompiledSystem
from freebody.model.sampled.base import SEED, Sampled
from freebody.numeric import as_integer
from freebody.run.arguments import shorten
from freebody.run.held_names import SEED_COLUMN
from freebody.run.initial import state_keys
from freebody.run.programs import RunPrograms

MOST = 2**48
"""Seeds are below this number."""


def sampled_rules(run: RunPrograms) -> tuple[Rule, ...]:
    """The rules of the sampled elements of a model, in the order in which they are applied at one instant."""
    e, rules = run.e, list[Rule]()
    places = {name: len(state_keys(e)) + k for k, name in enumerate(e.layout.inputs)}
    for program in (program for programs in programs_of_samples(e).values() for program in programs):
        nodes = [x.handle for x in program.values.values()]
        update = ProgramUpdate(run.update(program.name, nodes), tuple(places[name] for name in program.values))
        rules.append(Rule(program.name, Every(program.period, program.offset), (update,)))
    return tuple(rules)


def seeded(e: Derivation, seed: Any) -> dict[str, float]:
    """The held value of a seed; empty where none is given. Systems that use no random numbers are refused."""
    if seed is None:
        return {}
    number = float(whole_seed(seed))
    if SEED not in e.layout.held:
        raise _nothing_random(e.tree.model.name)
    return {SEED: number}


def seed_place(compiled: CompiledSystem) -> int:
    """The place of the seed in d; systems that use no random numbers are refused."""
    place = compiled.system.row.index.get(SEED_COLUMN)
    if place is None:
        raise _nothing_random(compiled.about.system)
    return place


def _nothing_random(system: str) -> ArgumentError:
    return ArgumentError(f"{system} uses no random numbers: leave seed out")


def whole_seed(seed: Any) -> int:
    """A seed, checked."""
    number = int(seed) if isinstance(seed, float) and seed.is_integer() else as_integer(seed)
    if number is None or not 0 <= number < MOST:
        raise ArgumentError(f"seed is a whole number from 0 to 2⁴⁸ − 1, not {shorten(seed)}")
    return number


def writer(element: Sampled) -> str:
    """How an input is driven that an element writes, in words."""
    return f"written by {element.kind} '{element.name}' every {float(element.seconds):g} s"
