"""The roadmap of a system: bodies, joints, the index of each coordinate and speed, loads, constraints, parameters, as
tables."""

import math
from collections.abc import Mapping, Sequence

from freebody.formulations.derivation import Derivation
from freebody.model.flexible.mode_table import masses_and_inertias
from freebody.model.loads import Load
from freebody.model.sampled import in_order
from freebody.names import U
from freebody.quantities.redundancy import undetermined_reactions
from freebody.report.html import fold, note, table
from freebody.results import About, BodyInfo, ConstraintInfo
from freebody.scalar.expr import Expr
from freebody.tables import Html, TextTable, join, tag
from freebody.tree.inertia import link_inertia
from freebody.tree.tree import Link

Values = Mapping[str, float]
Rows = tuple[tuple[str, ...], ...]
BODIES = "Bodies and joints"
MODE_NUMBERS = (
    "rad/s", "Hz", "damping ratio", "mass x [kg]", "mass y", "mass z", "inertia x [kg·m²]", "inertia y", "inertia z",
)  # fmt: skip
"""Columns of the table of modes; masses and inertias are effective ones."""
NUMBERS = ("index", "value", "default", "mass [kg]", *MODE_NUMBERS)
NARROW = ("Coordinates q", "Speeds u", "Inputs", "Loads", "Outputs")
"""Tables that stand side by side."""

SEVERAL = 12
"""Nodes of a flexible body, or speeds of a constraint, that are listed."""

ON_SECOND_BODY = (
    "Multipliers of a joint that closes a loop act on its second body, along the axes of the joint's frame in the"
    " first."
)
FORCES_ON_SPEEDS = "Forces that act on speeds, not at points"

LARGEST = 30
"""Bodies of a system up to which reactions are examined."""

SIZES = {"large": 900.0, "medium": 340.0}
"""Widths beyond which a diagram may not fit the page, and that of a phone."""

LONG = 60
"""Rows beyond which a table is folded."""


def roadmap(
    e: Derivation, values: Values, constraints: Sequence[ConstraintInfo], elements: Sequence[BodyInfo] = ()
) -> list[TextTable]:
    """The tables of a system; empty ones are left out. ``elements`` are its bodies, for those that are flexible."""
    model, layout = e.tree.model, e.layout

    def symbol(name: str) -> tuple[str, str]:
        known = e.graph.symbol_named(name)
        return known.unit, known.description

    def indexed(letter: str, names: tuple[str, ...]) -> Rows:
        return tuple((str(k), n, symbol(f"{letter}.{n}")[0]) for k, n in enumerate(names))

    states = []
    for k, (name, state) in enumerate(model.states.items()):
        unit, meaning = symbol(name)
        rate = str(state.rate)
        states.append((str(k), name, unit, rate if "\n" not in rate else "a longer expression", meaning))
    inputs = tuple((str(k), n, *symbol(n)) for k, n in enumerate(layout.user_inputs))
    parameters = tuple((n, f"{values[n]:g}", *symbol(n)) for n in layout.parameters)
    outputs = tuple((n, "vector" if o.is_vector else "scalar", o.unit) for n, o in model.outputs.items())
    tables = [
        TextTable(BODIES, ("body", "on", "joint", "q", "u", "mass [kg]"), tuple(_body(e, b) for b in e.tree.bodies)),
        *_flexible_tables(elements),
        TextTable("Coordinates q", ("index", "name", "unit"), indexed("q", layout.q)),
        TextTable("Speeds u", ("index", "name", "unit"), indexed("u", layout.u)),
        TextTable("States z", ("index", "name", "unit", "rate", "meaning"), tuple(states)),
        TextTable("Inputs", ("index", "name", "unit", "meaning"), inputs),
        TextTable("Loads", ("name", "kind"), tuple((n, _load_kind(load)) for n, load in model.loads.items())),
        _constraint_table(constraints),
        _forces_on_speeds_table(e),
        _undetermined_table(e),
        TextTable("Parameters", ("name", "value", "unit", "meaning"), parameters),
        TextTable("Outputs", ("name", "kind", "unit"), outputs),
        _sampled_table(e),
    ]
    return [t for t in tables if t.rows]


def _sampled_table(e: Derivation) -> TextTable:
    """Sensors and controllers, in the order in which they are sampled at one instant."""
    rows = list[tuple[str, ...]]()
    for element in in_order(e.tree.model.sampled):
        held = ", ".join(value.name for value in element.own_values if value.shown)
        rows.append((element.name, element.kind, element.times, ", ".join(element.inputs) or "–", held or "–"))
    return TextTable("Sampled elements", ("name", "kind", "sampled", "writes", "holds"), tuple(rows))


def _load_kind(load: Load) -> str:
    """The kind of a load, and the radii of gears and pulleys."""
    return f"{load.kind}, {load.summary}" if load.summary else load.kind


def _flexible_tables(elements: Sequence[BodyInfo]) -> list[TextTable]:
    """The flexible bodies, and their modes."""
    bodies, modes = list[tuple[str, ...]](), list[tuple[str, ...]]()
    for body in elements:
        about = body.flexible
        if about is None:
            continue
        frequencies = [mode.frequency for mode in about.modes]
        ends = f"{min(frequencies):.4g} … {max(frequencies):.4g}" if frequencies else "–"
        nodes = ", ".join(about.nodes[:SEVERAL]) + (" …" if len(about.nodes) > SEVERAL else "")
        bodies.append((body.name, about.description, about.order, str(len(about.coordinates)), ends, nodes or "–"))
        masses = masses_and_inertias([mode.effective_mass for mode in about.modes])
        for mode, moved in zip(about.modes, masses, strict=True):
            numbers = mode.frequency, mode.frequency / (2 * math.pi), mode.damping, *moved
            modes.append((body.name, mode.name, mode.kind or "–", *(f"{x:.4g}" for x in numbers)))
    return [
        TextTable("Flexible bodies", ("body", "description", "order", "coordinates", "rad/s", "nodes"), tuple(bodies)),
        TextTable("Modes", ("body", "mode", "kind", *MODE_NUMBERS), tuple(modes)),
    ]


def _constraint_table(constraints: Sequence[ConstraintInfo]) -> TextTable:
    rows = []
    for c in constraints:
        by_reason = dict[str, list[str]]()
        for some, suffix in ((c.omitted, ""), (c.redundant, ", kept for positions or lengths where it does not")):
            for name, reason in some.items():
                by_reason.setdefault(f"{reason}{suffix}", []).append(name.removeprefix(f"{c.name}."))
        omitted = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in by_reason.items())
        restricts = ", ".join(c.bodies) or "; ".join(f"{text} = 0" for text in c.expressions)
        kind = ", ".join(text for text in (c.kind, c.joint, c.details) if text)
        kind += "" if c.engaged is None else f", {'engaged' if c.engaged else 'released'} at the start"
        rows.append((c.name, kind, restricts, ", ".join(c.marked_multipliers), omitted))
    axes = ON_SECOND_BODY if any(c.joint and c.multipliers for c in constraints) else ""
    columns = "name", "kind", "restricts", "multipliers", "redundant equations"
    return TextTable("Constraints", columns, tuple(rows), axes)


def _forces_on_speeds_table(e: Derivation) -> TextTable:
    """The forces of expressions and couplings, which act on speeds and not at points, and where reactions have them; of
    large systems they are not listed."""
    rows, model, on_speeds = list[tuple[str, str, str]](), e.tree.model, dict[str, set[int]]()
    if len(model.bodies) > LARGEST:
        return TextTable(FORCES_ON_SPEEDS, ("of", "on the speeds", "where"), ())
    for key, row in e.named_constraints.rows.items():
        if not row.wrenches:
            forces = e.named_constraints.forces_of(row)
            speeds = {k for k, x in forces.items() if not e.graph.vanishes(x)}
            on_speeds[key.constraint] = on_speeds.get(key.constraint, set()) | speeds
    for name, indices in on_speeds.items():
        names = ", ".join(U(e.layout.u[k]) for k in sorted(indices)[:SEVERAL])
        more = " …" if len(indices) > SEVERAL else ""
        rows.append((name, names + more, "reactions of their joints, along the speeds"))
    for *_, link in e.tree.bodies:
        if link.body.coupling is not None:
            names = ", ".join(U.all(link.described.names[1]))
            rows.append((f"{link.name}, coupled to {link.body.coupling.to}", names, "drive_force, not in bearings"))
    return TextTable(FORCES_ON_SPEEDS, ("of", "on the speeds", "where"), tuple(rows))


def _undetermined_table(e: Derivation) -> TextTable:
    """The reactions that the motion does not determine, joint by joint; of large systems they are not computed here."""
    small = len(e.tree.model.bodies) <= LARGEST
    joints = undetermined_reactions(e) if small else {}
    rows = tuple((joint, ", ".join(components)) for joint, components in joints.items())
    return TextTable("Reactions that the motion does not determine", ("joint or constraint", "components"), rows)


def _body(e: Derivation, stages: list[Link]) -> tuple[str, ...]:
    body = stages[-1].body
    spec = body.spec.described
    how = ", prescribed" if sum(len(link.free) for link in stages) < len(spec.names[1]) else ""
    joint = joint_text(spec.joint.kind, spec.parent, spec.modal is not None)
    joint += how if body.coupling is None else f", coupled to {body.coupling.to}"
    indices = _range(e.layout.q, spec.names[0]), _range(e.layout.u, spec.names[1])
    return (spec.name, spec.parent, joint, *indices, str(Expr(e.graph, link_inertia(stages[-1]).m)))


def joint_text(joint: str, parent: str, flexible: bool) -> str:
    """The joint of a body in a table of bodies."""
    return f"node of {parent}" if joint == "node" else f"{joint}, flexible" if flexible else joint


def _range(names: Sequence[str], of_body: Sequence[str]) -> str:
    """The indices of a body's names, first and last."""
    indices = [k for k, n in enumerate(names) if n in of_body]
    return "–" if not indices else str(indices[0]) if len(indices) == 1 else f"{indices[0]}–{indices[-1]}"


def roadmap_of_file(about: About) -> list[TextTable]:
    """The tables of a system whose equations are unknown, as those of a run from a file."""
    bodies = tuple(
        (
            b.name,
            b.parent,
            joint_text(b.joint, b.parent, b.flexible is not None),
            ", ".join(b.q) or "–",
            ", ".join(b.u) or "–",
            f"{b.mass:g}",
        )
        for b in about.elements
    )
    values = tuple((n, f"{v:g}") for n, v in about.parameters.items())
    titles = {"q": "Coordinates q", "u": "Speeds u", "z": "States z", "output": "Outputs"}
    columns = ("index", "name", "unit")

    def indexed(group: str) -> Rows:
        return tuple((str(k), v.name, v.unit) for k, v in enumerate(v for v in about.variables if v.group == group))

    tables = [
        TextTable(BODIES, ("body", "on", "joint", "q", "u", "mass [kg]"), bodies),
        *_flexible_tables(about.elements),
        *(TextTable(title, columns, indexed(group)) for group, title in titles.items()),
        _constraint_table(about.constraints),
        TextTable("Parameters", ("name", "value"), values),
    ]
    return [t for t in tables if t.rows]


def with_defaults(shown: TextTable, values: Values, defaults: Values) -> TextTable:
    """The table of parameters with a column of defaults, where some have another value; any other table as it is."""
    other = {n for n in values if n in defaults and values[n] != defaults[n]}
    if shown.title != "Parameters" or not other:
        return shown
    rows = tuple((*row[:2], f"{defaults[row[0]]:g}" if row[0] in other else "", *row[2:]) for row in shown.rows)
    return TextTable(shown.title, (*shown.columns[:2], "default", *shown.columns[2:]), rows)


def as_html(tables: Sequence[TextTable]) -> Html:
    """All tables but that of the bodies, narrow ones side by side."""
    narrow = [_titled(t) for t in tables if t.title in NARROW]
    wide = [_titled(t) for t in tables if t.title not in (*NARROW, BODIES)]
    return join([tag("div", join(narrow), class_="pair"), *wide])


def _titled(shown: TextTable) -> Html:
    content = table(shown.columns, shown.rows, NUMBERS)
    if len(shown.rows) > LONG:
        content = fold(f"{len(shown.rows):,} rows", content)
    below = [note(shown.note)] if shown.note else []
    return tag("div", tag("h3", shown.title), content, *below)


def tree_section(
    elements: Sequence[BodyInfo], constraints: Sequence[ConstraintInfo], tables: Sequence[TextTable]
) -> Html:
    """The tree of bodies and joints with its constraints, and the table of them beside it where there is room. The tree
    has its natural size in a box that scrolls; readers may fit it to the width of the box."""
    from freebody.viewer.diagram import diagram

    tree = diagram(elements, constraints=constraints)
    size = next((kind for kind, width in SIZES.items() if tree.size[0] > width), "small")
    choice = Html('<input type="checkbox" id="fit-tree"><label for="fit-tree">fit to the width</label>')
    drawn = tag("div", choice, tag("div", Html(tree.svg), class_="diagram"), class_=f"tree {size}")
    listed = [_titled(t) for t in tables if t.title == BODIES]
    return tag("div", drawn, *listed, class_="beside")
