"""``freebody info``: tables of a model's elements."""

from dataclasses import asdict
from typing import Any

from freebody.api import Equations, System
from freebody.cli import models
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import CommandOutput
from freebody.names import Q, U
from freebody.program.count import Operations
from freebody.run.bodies import body_infos
from freebody.scalar.expr import Expr
from freebody.tree.inertia import link_inertia
from freebody.tree.tree import Link


def info(
    model: Model, physical: Physical = True, json: Json = False, quiet: Quiet = False, debug: Debug = False
) -> None:
    """Show a model: bodies, joints, the indices of q and u, loads, constraints, parameters, operation counts."""
    with CommandOutput("info", json, quiet, debug) as out:
        out.model = model
        system = models.load(model, physical)
        equations = system.derive()
        cost = equations.operations["forward_dynamics"]
        bodies = body_infos(equations.derivation, equations.values)
        out.add(**facts(system, equations))
        out.add(operations={"forward_dynamics": operations(cost)}, formulation=equations.derivation.choice)
        sizes = {
            "body": sum(not body.is_node for body in bodies),
            "node": sum(body.is_node for body in bodies),
            "degree of freedom": equations.degrees_of_freedom,
            "state": len(system.extra_states),
            "input": len(system.inputs),
            "load": len(system.loads),
            "constraint": len(system.constraints),
            "parameter": len(system.values),
            "output": len(system.outputs),
            "sampled element": len(system.sampled),
        }
        plurals = {"body": "bodies", "degree of freedom": "degrees of freedom"}
        counts = (f"{n} {word if n == 1 else plurals.get(word, word + 's')}" for word, n in sizes.items() if n)
        out.line(f"{system.name}: {', '.join(counts)}")
        out.line()
        for table in equations.roadmap():
            out.table(table.title, table.columns, table.rows)
            if table.note:
                out.line(table.note)
                out.line()
        if system.constraints:
            rows = sum(len(c.multipliers) for c in equations.constraints)
            left = equations.degrees_of_freedom
            note = "" if left else ": the constraints leave no motion free"
            independent = len(equations.u) - left
            among = f" ({independent} independent)" if independent < rows else ""
            count = f"{len(equations.u)} speeds, {rows} equations of constraints{among}, {left} left"
            out.line(f"Degrees of freedom: {count}{note}")
            if equations.determined_speeds and left:
                out.line(f"Speeds that the constraints determine: {', '.join(equations.determined_speeds)}")
            out.line()
        if equations.unused_coordinates:
            out.line(f"Coordinates that nothing depends on: {', '.join(equations.unused_coordinates)}")
            out.line()
        out.line(f"Forward dynamics: {cost}")
        out.line(f"Formulation: {equations.derivation.choice}")


def operations(cost: Operations) -> dict[str, Any]:
    """Counts as JSON."""
    return {"total": cost.total, "mul": cost.mul, "add": cost.add, "div": cost.div, "calls": cost.calls}


def facts(system: System, equations: Equations) -> dict[str, Any]:
    """A model as JSON."""
    layout, states = equations.derivation.layout, equations.derivation.tree.model.states
    infos = body_infos(equations.derivation, equations.values)
    flexible = {body.name: body.flexible for body in infos if body.flexible is not None}

    def symbol(name: str, key: str = "", **more: Any) -> dict[str, Any]:
        found = equations.derivation.graph.symbol_named(key or name)
        return {"name": name, "unit": found.unit, "description": found.description, **more}

    def body(link: Link) -> dict[str, Any]:
        spec = link.described
        return {
            "name": spec.name,
            "on": spec.parent,
            "joint": spec.joint.kind,
            "mass": str(Expr(link.graph, link_inertia(link).m)),
            "coordinates": [n for n in spec.names[0] if n in layout.q],
            "speeds": [n for n in spec.names[1] if n in layout.u],
            **({} if link.body.coupling is None else {"coupled": str(link.body.q[0])}),
            **({"flexible": asdict(flexible[spec.name])} if spec.name in flexible else {}),
        }

    return {
        "system": system.name,
        "digest": system.digest(),
        "degrees_of_freedom": equations.degrees_of_freedom,
        "bodies": [body(stages[-1]) for stages in equations.derivation.tree.bodies],
        "coordinates": [symbol(n, Q(n)) for n in layout.q],
        "speeds": [symbol(n, U(n)) for n in layout.u],
        "states": [symbol(n, initial=states[n].initial) for n in layout.z],
        "inputs": [symbol(n) for n in layout.user_inputs],
        "parameters": [symbol(n, value=equations.values[n]) for n in layout.parameters],
        "loads": [{"name": n, "kind": load.kind} for n, load in system.loads.items()],
        "constraints": [asdict(c) for c in equations.constraints],
        "undetermined_reactions": equations.undetermined_reactions,
        "determined_speeds": equations.determined_speeds,
        "unused_coordinates": equations.unused_coordinates,
        "outputs": [
            {"name": n, "kind": "vector" if o.is_vector else "scalar", "unit": o.unit}
            for n, o in system.outputs.items()
        ],
        "sampled": [
            {
                "name": n,
                "kind": one.kind,
                "period": float(one.seconds),
                "offset": float(one.first),
                "writes": [*one.inputs],
                "holds": [value.name for value in one.own_values if value.shown],
            }
            for n, one in system.sampled.items()
        ],
    }
