"""``freebody info``: the roadmap of a model."""

from typing import Any

from freebody.api import Equations, System
from freebody.cli import models
from freebody.cli.options import Debug, Json, Model, Quiet
from freebody.cli.output import Output
from freebody.names import Q, U
from freebody.program.count import Operations
from freebody.tree.forest import Link


def info(model: Model, json: Json = False, quiet: Quiet = False, debug: Debug = False) -> None:
    """Show what a model is: bodies, joints, the places of q and u, loads, parameters, operation counts."""
    with Output("info", json, quiet, debug) as out:
        out.model = model
        system = models.load(model)
        equations = system.derive()
        cost = equations.operations["forward_dynamics"]
        out.tell(**facts(system, equations), operations={"forward_dynamics": operations(cost)})
        out.line(headline(system, equations))
        out.line()
        for table in equations.roadmap():
            out.table(table.title, table.columns, table.rows)
        out.line(f"Forward dynamics: {cost}")


def headline(system: System, equations: Equations) -> str:
    """The name and the sizes."""
    sizes = {
        "body": len(system.bodies), "degree of freedom": len(equations.u), "state": len(system.states),
        "input": len(system.inputs), "load": len(system.loads), "parameter": len(system.values),
        "output": len(system.outputs),
    }  # fmt: skip
    return f"{system.name}: " + ", ".join(_counted(n, word) for word, n in sizes.items() if n)


def _counted(n: int, word: str) -> str:
    plural = {"body": "bodies", "degree of freedom": "degrees of freedom"}
    return f"{n} {word if n == 1 else plural.get(word, word + 's')}"


def operations(cost: Operations) -> dict[str, Any]:
    """Counts as JSON has them."""
    return {"total": cost.total, "mul": cost.mul, "add": cost.add, "div": cost.div, "calls": cost.calls}


def facts(system: System, equations: Equations) -> dict[str, Any]:
    """What a model is, as JSON has it."""
    layout = equations.derivation.layout
    return {
        "system": system.name,
        "digest": system.digest(),
        "degrees_of_freedom": len(layout.u),
        "bodies": [_body(equations, stages[-1]) for stages in equations.derivation.forest.bodies],
        "coordinates": [_symbol(equations, Q(n), n) for n in layout.q],
        "speeds": [_symbol(equations, U(n), n) for n in layout.u],
        "states": [_symbol(equations, n, n) | {"initial": system.states[n].initial} for n in layout.z],
        "inputs": [_symbol(equations, n, n) for n in layout.inputs],
        "parameters": [_symbol(equations, n, n) | {"value": equations.values[n]} for n in layout.parameters],
        "loads": [{"name": n, "kind": load.kind} for n, load in system.loads.items()],
        "outputs": list(system.outputs),
    }


def _body(equations: Equations, link: Link) -> dict[str, Any]:
    recipe, layout = link.described, equations.derivation.layout
    return {
        "name": recipe.name, "on": recipe.parent, "joint": recipe.joint.kind, "mass": str(recipe.mass),
        "coordinates": [n for n in recipe.names[0] if n in layout.q],
        "speeds": [n for n in recipe.names[1] if n in layout.u],
        **({} if link.body.coupling is None else {"coupled": str(link.body.q[0])}),
    }  # fmt: skip


def _symbol(equations: Equations, name: str, shown: str) -> dict[str, Any]:
    symbol = equations.derivation.graph.symbol_named(name)
    return {"name": shown, "unit": symbol.unit, "description": symbol.description}
