"""The variables of what sampled elements hold."""

from collections.abc import Mapping

from freebody.formulations.derivation import Derivation
from freebody.hybrid.variables import Variable
from freebody.model.sampled.base import SEED, Sampled
from freebody.names import INPUT

SEED_COLUMN = f"held.{SEED}"
"""The column of the seed of random numbers."""


def sampled_variables(elements: Mapping[str, Sampled]) -> dict[str, Variable]:
    """The variables of what sampled elements hold, by the name in texts. Those that runs do not record are in the group
    "held"."""
    variables = {SEED: Variable("held", SEED, steps=True)} if elements else {}
    for element in elements.values():
        shown = {value.name: value for value in element.own_values if value.shown}
        for name in element.held:
            value = shown.get(name)
            if value is None:
                variables[name] = Variable("held", name, steps=True)
            else:
                variables[name] = Variable(element.group, name, value.unit, value.description, steps=True)
    return variables


def recorded_samples(elements: Mapping[str, Sampled]) -> list[Variable]:
    """Those of them that runs record."""
    return [v for v in sampled_variables(elements).values() if v.group != "held"] if elements else []


def held_columns(e: Derivation) -> dict[str, str]:
    """The names of the columns of held values in runs, of inputs that sampled elements write too, by the name in
    texts."""
    model = e.tree.model
    variables, inputs = sampled_variables(model.sampled), {name: INPUT(name) for name in model.controlled}
    return inputs | {name: variables[name].key if name in variables else name for name in e.layout.held}
