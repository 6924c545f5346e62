"""A system as a picture: the tree of bodies and joints with their freedoms, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from pathlib import Path

from freebody import files
from freebody.results import BodyInfo
from freebody.viewer.layout import tree
from freebody.viewer.lettering import escaped, fitted, width
from freebody.viewer.plan import HEIGHT, MARGIN, Plan, Size, Spot, plan
from freebody.viewer.symbols import symbol

INK, SOFT, LINES, JOINT, GIVEN = "#333333", "#6b7780", "#98a2a9", "#0072B2", "#B84A00"
NAME, SMALL = 13.0, 10.5
NARROWEST, WIDEST, LABEL = 84.0, 170.0, 190.0
FONT = "Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Diagram:
    """A picture in SVG; notebooks show it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write it to a file (.svg)."""
        return files.write_text(files.target(path, "a diagram", (".svg",)), self.svg)


def diagram(elements: Sequence[BodyInfo], title: str = "") -> Diagram:
    """The tree of bodies on the ground, from the top down, or sideways where that would be too wide.

    Boxes are bodies with their masses, pale where they have none. Symbols on the lines are joints, with their freedoms
    and the names of their coordinates and speeds; what is prescribed or tied is marked. Tooltips say all of it in full.
    """
    t = tree(elements)
    box = min(max([NARROWEST, *(width(e.name, NAME) + 24 for e in elements)]), WIDEST)
    labels = [_label(e) for e in elements]
    sizes = [Size(2 * ceil(box / 2), max(width(text, SMALL) for text in lines), len(lines)) for lines in labels]
    made = plan(t, sizes)
    parts = [_head(made, title), _ground(made, t.ground)]
    for k, (e, spot) in enumerate(zip(elements, made.spots, strict=True)):
        parts += [_joint(e, spot, labels[k], made.sideways, f'data-body="{k}" data-parent="{t.parents[k]}"')]
    parts += [_body(e, spot, sizes[k].box, k) for k, (e, spot) in enumerate(zip(elements, made.spots, strict=True))]
    return Diagram("\n".join([*parts, "</g>", "</svg>", ""]))


def freedoms(e: BodyInfo) -> int:
    """Speeds that are neither prescribed nor tied to others."""
    return max(0, len(e.u) - len(e.prescribed) - bool(e.tied))


def _label(e: BodyInfo) -> list[str]:
    """The joint in a few short lines."""
    count = freedoms(e)
    lines = [f"{e.joint} · {count} dof" if e.u else e.joint]
    q, u = (", ".join(n.removeprefix(f"{e.name}.") for n in names) for names in (e.q, e.u))
    lines += [f"q, u: {q}"] if q and q == u else [f"{name}: {text}" for name, text in (("q", q), ("u", u)) if text]
    if e.prescribed:
        lines.append(f"prescribed: {', '.join(n.removeprefix(f'{e.name}.') for n in e.prescribed)}")
    if e.tied:
        lines.append(f"tied: {e.tied}")
    return [fitted(line, SMALL, LABEL) for line in lines]


def _head(made: Plan, title: str) -> str:
    wide, high = f"{made.width:.0f}", f"{made.height:.0f}"
    shown = escaped(fitted(title, 15, made.width - 2 * MARGIN))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
        f' width="{wide}" height="{high}" role="img">\n'
        f"<title>{escaped(title)}</title>\n"
        f'<rect width="{wide}" height="{high}" fill="white"/>\n'
        f'<g font-family="{FONT}" font-size="{SMALL:g}" fill="{INK}">\n'
        f'<text x="{MARGIN:g}" y="{MARGIN + 14:g}" font-size="15" font-weight="bold">{shown}</text>'
    )


def _ground(made: Plan, name: str) -> str:
    """A bar with hatches on the far side, and its name."""
    x, y, right, low = made.bar
    count = int(max(right - x, low - y) // 8)
    steps = (((x, y + 8 * (k + 1)) if made.sideways else (x + 8 * k, y)) for k in range(count))
    hatch = "".join(f"M{a:.1f} {b:.1f}{'l-7 -7' if made.sideways else 'l7 -7'}" for a, b in steps)
    place = (x - 8, y - 6) if made.sideways else (x, y - 12)
    return (
        f'<g class="ground"><title>{escaped(name)}</title>'
        f'<path d="{hatch}" stroke="{SOFT}" stroke-width="1" fill="none"/>'
        f'<path d="M{x:.1f} {y:.1f}L{right:.1f} {low:.1f}" stroke="{INK}" stroke-width="2.5"/>'
        f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" fill="{SOFT}">{escaped(fitted(name, SMALL, 80))}</text></g>'
    )


def _joint(e: BodyInfo, spot: Spot, label: Sequence[str], sideways: bool, numbers: str) -> str:
    """The line from the parent, the symbol on it and the label beside."""
    colour = GIVEN if e.prescribed or e.tied else JOINT
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spot.line)
    dashes = ' stroke-dasharray="5 4"' if e.joint == "free" else ""
    turned = " rotate(-90)" if sideways else ""
    place = f"translate({spot.symbol[0]:.1f} {spot.symbol[1]:.1f}){turned}"
    return (
        f'<g class="joint" {numbers}><title>{_about_joint(e)}</title>'
        f'<path class="line" d="{line}" fill="none" stroke="{LINES}" stroke-width="2"{dashes}/>'
        f'<g transform="{place}" color="{colour}" stroke="currentColor" stroke-width="1.5" fill="white">'
        f"{symbol(e.joint)}</g>{_lines(e, label, spot.label)}</g>"
    )


def _lines(e: BodyInfo, label: Sequence[str], places: Sequence[tuple[float, float]]) -> str:
    """The label: the first line dark, what is prescribed or tied (the last) in its colour."""
    colours = [INK, *[SOFT] * (len(label) - 1)]
    if e.prescribed or e.tied:
        colours[-1] = GIVEN
    texts = zip(places, colours, label, strict=True)
    return "".join(f'<text x="{x:.1f}" y="{y:.1f}" fill="{c}">{escaped(text)}</text>' for (x, y), c, text in texts)


def _body(e: BodyInfo, spot: Spot, box: float, number: int) -> str:
    """The box with the name and the mass."""
    pale = e.mass == 0
    fill, edge, ink = ("#fbfbfb", "#b9c3ca", SOFT) if pale else ("#e9f1f8", "#4a6b86", INK)
    dashes = ' stroke-dasharray="3 3"' if pale else ""
    middle = spot.x + box / 2
    return (
        f'<g class="body" data-body="{number}" text-anchor="middle"><title>{_about_body(e)}</title>'
        f'<rect x="{spot.x:.1f}" y="{spot.y:.1f}" width="{box:.1f}" height="{HEIGHT:g}" rx="7" fill="{fill}"'
        f' stroke="{edge}" stroke-width="1.3"{dashes}/>'
        f'<text x="{middle:.1f}" y="{spot.y + 18:.1f}" font-size="{NAME:g}" font-weight="bold" fill="{ink}">'
        f"{escaped(fitted(e.name, NAME, box - 16))}</text>"
        f'<text x="{middle:.1f}" y="{spot.y + 33:.1f}" fill="{SOFT}">{escaped(_mass(e))}</text></g>'
    )


def _mass(e: BodyInfo) -> str:
    return "massless" if e.mass == 0 else f"{e.mass:.4g} kg" if isfinite(e.mass) else "mass unknown"


def _about_body(e: BodyInfo) -> str:
    return f"{escaped(e.name)}, {_mass(e)}, on {escaped(e.parent)}"


def _about_joint(e: BodyInfo) -> str:
    """The joint in full."""
    limits = "" if e.limits is None else f"; limits {e.limits[0]:g} … {e.limits[1]:g}"
    lists = (("coordinates", e.q), ("speeds", e.u), ("prescribed", e.prescribed))
    names = "".join(f"; {word} {escaped(', '.join(held), 2000)}" for word, held in lists if held)
    tied = f"; tied: q = {escaped(e.tied, 2000)}" if e.tied else ""
    return f"{escaped(e.joint)} of {escaped(e.name)} on {escaped(e.parent)}: {freedoms(e)} dof{names}{tied}{limits}"
