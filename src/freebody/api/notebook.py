"""What notebooks show of systems, equations and compiled functions: tables, the diagram, and formulas in MathML."""

import re
from typing import TYPE_CHECKING

from freebody.algebra import one_line
from freebody.errors import FreebodyError
from freebody.printing import mathml
from freebody.program.count import count
from freebody.program.stage import stage
from freebody.scalar.expr import Expr
from freebody.tables import CELL, PLAIN, Html, TextTable, counted, join, listed, shorten, side_by_side, tag

if TYPE_CHECKING:
    from freebody.api.compiled import Compiled
    from freebody.api.equations import Equations
    from freebody.api.system import System
    from freebody.model.body import Body

DRAWN = 40
"""Bodies up to which the diagram of a system is drawn."""

SPEEDS, OPERATIONS, LINES = 40, 3000, 40
"""Equations of more speeds or operations are not listed; of others at most so many lines."""


def system_html(s: "System") -> str:
    """The bodies with their joints, what else there is, the diagram, and the model in 3D."""
    rows = tuple(
        (name, body.spec.parent, body.spec.joint.kind, ", ".join(body.spec.names[0]), _mass(body))
        for name, body in s.bodies.items()
    )
    bodies = TextTable(_title(s), ("body", "on", "joint", "coordinates", "mass [kg]") if rows else (), rows)
    others = {
        "parameters": [f"{name} = {value:g}" for name, value in s.values.items()],
        "inputs": s.inputs,
        "states": s.extra_states,
        "loads": [f"{name} ({load.kind})" for name, load in s.loads.items()],
        "constraints": [f"{name} ({c.kind})" for name, c in s.constraints.items()],
        "outputs": s.outputs,
        "sampled elements": [f"{name} ({element.kind}, {element.times})" for name, element in s.sampled.items()],
    }
    facts = tuple((what, listed(names, 12)) for what, names in others.items() if names)
    tables = bodies._repr_html_() + (TextTable("", (), facts)._repr_html_() if facts else "")
    return side_by_side(tables, _drawing(s)) + _view(s)


def _mass(body: "Body") -> str:
    return one_line(body.spec.mass) if isinstance(body.spec.mass, Expr) else str(body.spec.mass)


def _title(s: "System") -> str:
    speeds = sum(len(body.u) for body in s.bodies.values())
    return f"{shorten(s.name, CELL)}: {counted(len(s.bodies), 'body', 'bodies')}, {counted(speeds, 'speed')}"


def _view(s: "System") -> str:
    """The model in 3D with sliders, under the same conditions as the diagram."""
    from freebody.report.model_scene import model_scene
    from freebody.viewer.scene_file import frame_element

    if not 0 < len(s.bodies) <= DRAWN:
        return ""
    try:
        eq = s.derive()
        return frame_element(model_scene(eq.derivation, eq.values))
    except FreebodyError:
        return ""


def _drawing(s: "System") -> str:
    """The diagram; nothing of a large system, or of one that is not complete yet."""
    if not 0 < len(s.bodies) <= DRAWN:
        return ""
    try:
        return s.diagram().svg
    except FreebodyError:
        return ""


def equations_html(eq: "Equations") -> str:
    """Coordinates, speeds and cost, and the formulas of u̇ where they are not too long."""
    e, name = eq.derivation, eq.derivation.tree.model.name
    rows = [("coordinates q", listed(eq.q, 20)), ("speeds u", listed(eq.u, 20))]
    rows += [("states z", listed(e.layout.z, 20)), ("inputs", listed(e.layout.user_inputs, 20))]
    rows.append(("constraints", listed([f"{n} ({c.kind})" for n, c in e.tree.model.constraints.items()], 20)))
    rows.append(("formulation", e.choice))
    whole = "print(eq) lists the equations, eq.to_latex() returns them as LaTeX, eq.operations counts them."
    title, formulas = f"Equations of {shorten(name, CELL)}", Html("")
    if eq.u and len(eq.u) <= SPEEDS:
        program = eq.program("forward_dynamics")
        number = count(stage(program).main)
        rows.append(("operations", f"{number.total:,} for u̇"))
        if number.total <= OPERATIONS:
            rates = {f"u_dot[{k}]": f"rate of speed {n}" for k, n in enumerate(eq.u)}
            listing = re.sub("<(td|th)>", r'<\1 style="text-align:left">', mathml.emit(program, rates, LINES))
            formulas = tag("div", Html(listing.replace("<math>", '<math displaystyle="true">')), class_=PLAIN)
    facts = TextTable(title, (), tuple((n, text) for n, text in rows if text))._repr_html_()
    return join([Html(facts), formulas, tag("p", whole)], "")


def functions_html(f: "Compiled") -> str:
    """Backend, parameters, and what can be called."""
    from freebody.quantities import countable

    name = f.equations.derivation.tree.model.name
    rows = [("backend", f.backend), ("parameters", listed([f"{n} = {v:g}" for n, v in f.values.items()], 20))]
    rows.append(("functions", listed([f"{n}(…)" for n in countable(f.equations.derivation)], 20)))
    table = TextTable(f"Compiled functions of {shorten(name, CELL)}", (), tuple((n, text) for n, text in rows if text))
    return table._repr_html_()
