"""The diagram of a system: the tree of bodies and joints with their degrees of freedom, and constraints, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, isfinite
from pathlib import Path
from unicodedata import combining, east_asian_width

from freebody import files
from freebody.results import BodyInfo, ConstraintInfo
from freebody.tables import shorten
from freebody.viewer.diagram_layout import (
    MARGIN,
    SPINE,
    TITLE,
    DiagramEdge,
    DiagramLayout,
    DiagramNode,
    outline,
    tree,
    upright,
    with_constraints,
)

INK, SOFT, LINES, JOINT, DRIVEN, LOOP = "#333333", "#6b7780", "#98a2a9", "#0072B2", "#B84A00", "#00755A"
NAME, SMALL = 13.0, 10.5
BOLD = 1.15 * NAME
"""The size of a plain font that is as wide as the bold one of names."""
BEND = 9.0
"""How far the boxes of flexible bodies are bent."""
NARROWEST, WIDEST, LABEL = 84.0, 170.0, 190.0
ROW_WIDEST, ROW_LABEL = 290.0, 400.0
"""Of outlines: the largest widths of boxes and of labels."""
LARGEST = 700.0, 800.0
"""The width and the height of upright diagrams; larger ones are outlines."""
FONT = "Helvetica, Arial, sans-serif"
NARROW, WIDE = frozenset("iljtfrI.,:;|!'()[]{} ·"), frozenset("mwMW@%&—…")

_RAILS = '<path d="M-8 -9V9M8 -9V9"/>'
SYMBOLS = {
    "revolute": '<circle r="7"/><circle r="2" fill="currentColor"/>',
    "prismatic": f'{_RAILS}<rect x="-5" y="-6" width="10" height="12"/>',
    "cylindrical": f'{_RAILS}<circle r="5.5"/><circle r="1.5" fill="currentColor"/>',
    "screw": '<circle r="7"/><path d="M-4 3.5L-2 -3.5L0 3.5L2 -3.5L4 3.5" fill="none"/>',
    "universal": '<circle r="7"/><path d="M-5 -5L5 5M-5 5L5 -5"/>',
    "spherical": '<path d="M-6.9 -4A8 8 0 1 0 6.9 -4" fill="none"/><circle r="4.5" fill="currentColor"/>',
    "planar": '<path d="M-9 4.5H4L9 -4.5H-4Z"/><circle r="1.8" fill="currentColor"/>',
    "free": '<circle r="7" stroke-dasharray="2.5 2"/>',
    "weld": '<rect x="-4.5" y="-4.5" width="9" height="9" fill="currentColor"/>',
    "simple": '<circle r="7"/><path d="M-4 -4V4M4 -4V4M-4 0H4"/>',
    "compound": '<circle cx="-3" r="5.5" fill="none"/><circle cx="3" r="5.5" fill="none"/>',
    "custom": '<circle r="7"/><path d="M-4.5 2C-3 -5 1.5 5 4.5 -2" fill="none"/>',
    "building block": '<rect x="-6.5" y="-6.5" width="13" height="13"/><path d="M-6.5 0H6.5M0 -6.5V6.5"/>',
}
"""Symbols of joints around (0, 0), on a line that comes from above."""

OTHER = '<path d="M0 -8L8 0L0 8L-8 0Z"/>'
"""The symbol of a joint of any other kind."""


@dataclass(frozen=True, repr=False)
class Diagram:
    """A picture in SVG, and its width and height in pixels; notebooks show it."""

    svg: str
    size: tuple[float, float]

    def __repr__(self) -> str:
        return f"<diagram: {len(self.svg):,} characters of SVG; save('system.svg') writes it>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write it to a file (.svg)."""
        return files.write_text(files.target(path, "a diagram", (".svg",)), self.svg)


def diagram(bodies: Sequence[BodyInfo], title: str = "", constraints: Sequence[ConstraintInfo] = ()) -> Diagram:
    """The tree of bodies on the ground, from the top down; a large one as an outline with a row for each body, where
    single children are below their parents and several are indented.

    Boxes are bodies with their masses, pale where they have none, bent where they are flexible; dots are nodes of
    flexible bodies. Symbols are joints, on the lines or, in an outline, at the beginning of the boxes, with their
    degrees of freedom and the names of their coordinates and speeds; prescribed and coupled joints are marked. A
    constraint between two bodies is a dashed line with its name and joint; other constraints are listed below. Tooltips
    hold the full texts.
    """
    t, labels = tree(bodies), [_label(b) for b in bodies]
    sizes, top = [(max(width(text, SMALL) for text in lines), len(lines)) for lines in labels], TITLE if title else 0.0
    layout = upright(t, _box(bodies), sizes, top)
    if layout.width > LARGEST[0] or layout.height > LARGEST[1]:
        labels = [[_row_label(b, lines)] for b, lines in zip(bodies, labels, strict=True)]
        layout = outline(t, _row_box(bodies), [width(text, SMALL) for (text,) in labels], top)
    index = {b.name: k for k, b in enumerate(bodies)}
    drawn = {c.name: c for c in constraints if len(c.bodies) == 2 and any(n in index for n in c.bodies)}
    texts = [fitted(f"{c.name} · {c.joint or c.kind}", SMALL, LABEL) for c in drawn.values()]
    notes = [fitted(_note(c), SMALL, 2 * LABEL) for c in constraints if c.name not in drawn]
    ends = [(index.get(one, -1), index.get(other, -1)) for one, other in (c.bodies for c in drawn.values())]
    if constraints:
        widths = ([width(text, SMALL) for text in several] for several in (texts, notes))
        layout = with_constraints(t, layout, ends, *widths)
    rows = list(zip(bodies, layout.bodies, strict=True))
    parts = [_head(layout, title), _ground(layout, t.ground)]
    lines = zip(drawn.values(), layout.edges, texts, ends, strict=True)
    parts += [_constraint(c, edge, text, layout.is_outline, pair) for c, edge, text, pair in lines]
    parts += [_text(x, y, SOFT, note) for (x, y), note in zip(layout.notes, notes, strict=True)]
    for k, (b, node) in enumerate(rows):
        parts.append(_node(b, node, k, bool(t.children[k]), layout) if b.is_node else _body(b, node, k, layout))
    for k, (b, node) in enumerate(rows):
        parts.append(_joint(b, node, labels[k], f'data-body="{k}" data-parent="{t.parents[k]}"'))
    return Diagram("\n".join([*parts, "</g>", "</svg>", ""]), (layout.width, layout.height))


def _box(bodies: Sequence[BodyInfo]) -> float:
    """The width of a box with a name above the facts."""
    needs = [max(width(b.name, BOLD), width(_facts(b), SMALL)) + 24 for b in bodies if not b.is_node]
    return 2.0 * ceil(min(max([NARROWEST, *needs]), WIDEST) / 2)


def _row_box(bodies: Sequence[BodyInfo]) -> float:
    """The width of a box with the joint's symbol, a name and the facts side by side."""
    needs = [width(b.name, BOLD) + width(_facts(b), SMALL) + 2 * SPINE + 22 for b in bodies if not b.is_node]
    return float(ceil(min(max([NARROWEST, *needs]), ROW_WIDEST)))


def _row_label(b: BodyInfo, lines: Sequence[str]) -> str:
    """The label in one line; the name of a coordinate that is called as its body is left out."""
    return fitted(" · ".join(line for line in lines if line != f"q, u: {b.name}"), SMALL, ROW_LABEL)


def freedoms(b: BodyInfo) -> int:
    """The number of speeds that are neither prescribed nor coupled to others."""
    return max(0, len(b.u) - len(b.prescribed) - bool(b.coupled))


def _label(b: BodyInfo) -> list[str]:
    """The joint in a few short lines; a node has none."""
    if b.is_node:
        return [""]
    inside = () if b.flexible is None else b.flexible.coordinates
    speeds = b.u[: len(b.u) - len(inside)]
    q, u, prescribed = (
        ", ".join(n.removeprefix(f"{b.name}.") for n in names) for names in (b.joint_q, speeds, b.prescribed)
    )
    named = [("q, u", q)] if q == u else [("q", q), ("u", u)]
    lines = [f"{b.joint} · {freedoms(b) - len(inside)} dof" if speeds else b.joint]
    lines += [f"{what}: {text}" for what, text in (*named, ("prescribed", prescribed), ("coupled", b.coupled)) if text]
    return [fitted(line, SMALL, LABEL) for line in lines]


def _head(layout: DiagramLayout, title: str) -> str:
    wide, high = f"{layout.width:.0f}", f"{layout.height:.0f}"
    shown = escaped(fitted(title, 15, layout.width - 2 * MARGIN))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
        f' width="{wide}" height="{high}" role="img">\n'
        f"<title>{escaped(title)}</title>\n"
        f'<rect width="{wide}" height="{high}" fill="white"/>\n'
        f'<g font-family="{FONT}" font-size="{SMALL:g}" fill="{INK}">\n'
        f'<text x="{MARGIN:g}" y="{MARGIN + 14:g}" font-size="15" font-weight="bold">{shown}</text>'
    )


def _ground(layout: DiagramLayout, name: str) -> str:
    """A bar with hatches above, and its name."""
    x, y, right, low = layout.bar
    hatch = "".join(f"M{x + 8 * k:.1f} {y:.1f}l7 -7" for k in range(int((right - x) // 8)))
    return (
        f'<g class="ground"><title>{escaped(name)}</title>'
        f'<path d="{hatch}" stroke="{SOFT}" stroke-width="1" fill="none"/>'
        f'<path d="M{x:.1f} {y:.1f}L{right:.1f} {low:.1f}" stroke="{INK}" stroke-width="2.5"/>'
        f'<text x="{x:.1f}" y="{y - 12:.1f}" fill="{SOFT}">{escaped(fitted(name, SMALL, 80))}</text></g>'
    )


def _joint(b: BodyInfo, node: DiagramNode, label: Sequence[str], numbers: str) -> str:
    """The line from the parent, the symbol and the label: its first line dark, the last one coloured
    where the joint is prescribed or coupled."""
    driven = bool(b.prescribed or b.coupled)
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in node.line)
    dashes = ' stroke-dasharray="5 4"' if b.joint == "free" else ""
    colours = [INK, *[SOFT] * (len(label) - 1)]
    if driven:
        colours[-1] = DRIVEN
    texts = zip(node.label, colours, label, strict=True)
    lines = "".join(_text(x, y, c, text) for (x, y), c, text in texts)
    limits = "" if b.limits is None else f"; limits {b.limits[0]:g} … {b.limits[1]:g}"
    lists = (("coordinates", b.q), ("speeds", b.u), ("prescribed", b.prescribed))
    names = "".join(f"; {word} {escaped(', '.join(held), 2000)}" for word, held in lists if held)
    coupled = f"; coupled: q = {escaped(b.coupled, 2000)}" if b.coupled else ""
    about = f"{escaped(b.joint)} of {escaped(b.name)} on {escaped(b.parent)}: {freedoms(b)} dof{names}{coupled}{limits}"
    return (
        f'<g class="joint" {numbers}><title>{about}</title>'
        f'<path class="line" d="{line}" fill="none" stroke="{LINES}" stroke-width="2"{dashes}/>'
        f'<g transform="translate({node.symbol[0]:.1f} {node.symbol[1]:.1f})"'
        f' color="{DRIVEN if driven else JOINT}" stroke="currentColor" stroke-width="1.5" fill="white">'
        f"{'' if b.is_node else SYMBOLS.get(b.joint, OTHER)}</g>{lines}</g>"
    )


def _note(c: ConstraintInfo) -> str:
    """A constraint in one line."""
    restricts = ", ".join(c.bodies) or "; ".join(f"{text} = 0" for text in c.expressions)
    return f"{c.name} · {c.kind}{f': {restricts}' if restricts else ''}"


def _constraint(c: ConstraintInfo, edge: DiagramEdge, label: str, beside: bool, ends: tuple[int, int]) -> str:
    """The dashed line between two bodies with the symbol and the label of a constraint, below the tree or beside it."""
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in edge.line)
    omitted = f"; left out: {escaped(', '.join(c.omitted), 2000)}" if c.omitted else ""
    multipliers = f"; multipliers {escaped(', '.join(c.marked_multipliers), 2000)}" if c.marked_multipliers else ""
    kind = escaped(f"{c.name}: {c.kind} by {c.joint}" if c.joint else f"{c.name}: {c.kind}")
    about = f"{kind} between {escaped(c.bodies[0])} and {escaped(c.bodies[1])}{multipliers}{omitted}"
    turned = " rotate(-90)" if beside is (edge.ground is not None) else ""
    ground = ""
    if edge.ground is not None:
        x, y, right, low = edge.ground
        marks = ((x, y + 8 * k) if beside else (x + 8 * k, y) for k in range(1, 4))
        hatch = "".join(f"M{a:.1f} {b:.1f}{'l6 -6' if beside else 'l-6 6'}" for a, b in marks)
        ground = (
            f'<path d="{hatch}" stroke="{SOFT}" stroke-width="1" fill="none"/>'
            f'<path d="M{x:.1f} {y:.1f}L{right:.1f} {low:.1f}" stroke="{INK}" stroke-width="2"/>'
        )
    return (
        f'<g class="constraint" data-ends="{ends[0]} {ends[1]}"><title>{about}</title>'
        f'<path class="line" d="{line}" fill="none" stroke="{LOOP}" stroke-width="1.6" stroke-dasharray="6 4"/>{ground}'
        f'<g transform="translate({edge.symbol[0]:.1f} {edge.symbol[1]:.1f}){turned}"'
        f' color="{LOOP}" stroke="currentColor" stroke-width="1.5" fill="white">'
        f"{SYMBOLS.get(c.joint, OTHER)}</g>{_text(*edge.label, LOOP, label)}</g>"
    )


def _facts(b: BodyInfo) -> str:
    """The mass, and the number of modes of a flexible body."""
    mass = "massless" if b.mass == 0 else f"{b.mass:.4g} kg" if isfinite(b.mass) else "mass unknown"
    if b.flexible is None:
        return mass
    count, modal = len(b.flexible.coordinates), {mode.name for mode in b.flexible.modes} == {*b.flexible.coordinates}
    return f"{mass} · {count} {'dof' if not modal else 'mode' if count == 1 else 'modes'}"


def _body(b: BodyInfo, node: DiagramNode, number: int, layout: DiagramLayout) -> str:
    """The box with the name and the mass; that of a flexible body is bent."""
    pale, (wide, high) = b.mass == 0, layout.box
    fill, edge, ink = ("#fbfbfb", "#b9c3ca", SOFT) if pale else ("#e9f1f8", "#4a6b86", INK)
    style = f'fill="{fill}" stroke="{edge}" stroke-width="1.3"' + (' stroke-dasharray="3 3"' if pale else "")
    about, (x, y) = _facts(b), (node.x, node.y)
    contour = f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:g}" rx="7" {style}/>'
    kind = ""
    if b.flexible is not None:
        third, bend = wide / 3, BEND * (0.5 if layout.is_outline else 1.0)
        contour = (
            f'<path class="flexible" d="M{x:.1f} {y:.1f}c{third:.1f} {-bend:g} {2 * third:.1f} {bend:g} {wide:.1f} 0'
            f'v{high:g}c{-third:.1f} {bend:g} {-2 * third:.1f} {-bend:g} {-wide:.1f} 0z" {style}/>'
        )
        kind = f", flexible ({escaped(b.flexible.description)}, {escaped(b.flexible.order)})"
    if layout.is_outline:
        room = wide - 2 * SPINE - 22 - width(about, SMALL)
        name = f'x="{x + 2 * SPINE:.1f}" y="{y + 18.5:.1f}"'
        facts = f'x="{x + wide - 10:.1f}" y="{y + 18:.1f}" text-anchor="end"'
    else:
        room = wide - 16
        name, facts = (f'x="{x + wide / 2:.1f}" y="{y + down:.1f}" text-anchor="middle"' for down in (18, 33))
    return (
        f'<g class="body" data-body="{number}">'
        f"<title>{escaped(b.name)}, {about}, on {escaped(b.parent)}{kind}</title>{contour}"
        f'<text {name} font-size="{NAME:g}" font-weight="bold" fill="{ink}">'
        f"{escaped(fitted(b.name, BOLD, room))}</text>"
        f'<text {facts} fill="{SOFT}">{escaped(about)}</text></g>'
    )


def _node(b: BodyInfo, node: DiagramNode, number: int, carries: bool, layout: DiagramLayout) -> str:
    """A dot with the name of a node, on the line from its body to the bodies that it carries."""
    (wide, high), name = layout.box, b.name.removeprefix(f"{b.parent}.")
    x, y = node.x + (SPINE if layout.is_outline else wide / 2), node.y + high / 2
    end = node.y + high if carries else y
    start = f"M{node.x:.1f} {y:.1f}H{x:.1f}" if layout.is_outline and len(node.line) == 3 else f"M{x:.1f} {node.y:.1f}"
    room = wide - 2 * SPINE if layout.is_outline else wide / 2 - 12
    return (
        f'<g class="node" data-body="{number}"><title>node {escaped(name)} of {escaped(b.parent)}</title>'
        f'<path d="{start}V{end:.1f}" stroke="{LINES}" stroke-width="2" fill="none"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="#4a6b86"/>'
        f"{_text(x + 10, y + 4, INK, fitted(name, SMALL, room))}</g>"
    )


# Text


def _text(x: float, y: float, colour: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{escaped(text)}</text>'


def escaped(text: str, longest: int = 400) -> str:
    """The text for XML, on one line."""
    return escape(shorten(text, longest))


def width(text: str, size: float) -> float:
    """The approximate width of a text in a sans-serif font of that size."""

    def of(c: str) -> float:
        if combining(c):
            return 0.0
        if east_asian_width(c) in "WF":
            return 1.05
        return 0.32 if c in NARROW else 0.9 if c in WIDE else 0.7 if c.isupper() else 0.58

    return size * sum(map(of, text))


def fitted(text: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as fits into the room, with an ellipsis."""
    text = shorten(text, 400)
    if width(text, size) <= room:
        return text
    left, count = room - width("…", size), 0
    while count < len(text) and left >= width(text[count], size):
        left -= width(text[count], size)
        count += 1
    return f"{text[:count].rstrip()}…"
