"""The Python functions that a plant's programs call: what makes it slow, and unfit to be known by its digest."""

from collections.abc import Iterator

from freebody.integrate.plant import Plant
from freebody.program.program import Program
from freebody.scalar.functions import Callback


def programs(plant: Plant) -> dict[str, Program]:
    """All programs of a plant that decide its motion and what is recorded of it, by name."""
    found = {"state_dot": plant.state_dot, "record": plant.record, "bodies": plant.bodies}
    found |= {} if plant.jacobian is None else {"jacobian": plant.jacobian}
    if plant.watch is not None:
        resets = zip(plant.watch.names, plant.watch.resets, strict=True)
        found["events"] = plant.watch.program
        found |= {f"reset of {name}": made for name, made in resets if made is not None}
    return found


def functions(plant: Plant) -> list[Callback]:
    """The users' functions that these programs call, each once."""
    return list(dict.fromkeys(_called(plant)))


def _called(plant: Plant) -> Iterator[Callback]:
    for program in programs(plant).values():
        for code in program.blocks:
            yield from (function for function, _ in code.calls)
