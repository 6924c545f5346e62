"""The variables of what sampled elements hold."""

from freebody.formulations.derivation import Derivation
from freebody.hybrid.variables import Variable
from freebody.model.model import Model
from freebody.model.sampled.base import SEED
from freebody.names import INPUT

SEED_COLUMN = f"held.{SEED}"
"""The column of the seed of random numbers."""


def sampled_variables(model: Model) -> dict[str, Variable]:
    """The variables of what sampled elements hold, by the name in texts. Those that runs do not record are in the group
    "held"."""
    variables = {SEED: Variable("held", SEED, steps=True)} if model.sampled else {}
    for element in model.sampled.values():
        shown = {value.name: value for value in element.own_values if value.shown}
        for name in element.held:
            value = shown.get(name)
            if value is None:
                variables[name] = Variable("held", name, steps=True)
            else:
                unit = model.graph.symbol_named(name).unit
                variables[name] = Variable(element.group, name, unit, value.description, steps=True)
    return variables


def recorded_samples(model: Model) -> list[Variable]:
    """Those of them that runs record."""
    return [v for v in sampled_variables(model).values() if v.group != "held"] if model.sampled else []


def held_columns(e: Derivation) -> dict[str, str]:
    """The names of the columns of held values in runs, of inputs that sampled elements write too, by the name in
    texts."""
    model = e.tree.model
    variables, inputs = sampled_variables(model), {name: INPUT(name) for name in model.controlled}
    return inputs | {name: variables[name].key if name in variables else name for name in e.layout.held}
