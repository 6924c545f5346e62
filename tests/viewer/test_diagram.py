"""Diagrams of trees: nothing overlaps, lines lead from parent to child, and any name is safe."""

import random
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from freebody.errors import ArgumentError, FileError
from freebody.results import BodyInfo, ConstraintInfo
from freebody.viewer import Diagram, diagram
from freebody.viewer.diagram import SYMBOLS, fitted, width
from tests.results.runs import HOSTILE

NS = "{http://www.w3.org/2000/svg}"
KINDS = [*SYMBOLS, "homemade"]
Rect = tuple[float, float, float, float]


def body(name: str, parent: str = "ground", joint: str = "revolute", mass: float = 1.0) -> BodyInfo:
    return BodyInfo(name, parent, joint, (name,), (name,), (), mass)


def suffixed(name: str, suffixes: str) -> tuple[str, ...]:
    return tuple(f"{name}.{s}" for s in suffixes.split())


SATELLITE = [
    BodyInfo("bus", "ground", "free", suffixed("bus", "x y z a1 a2 a3"), suffixed("bus", "wx wy wz vx vy vz"),
             mass=1200),
    body("clock", "bus", mass=12.5),
    BodyInfo("camera", "clock", "revolute", ("camera",), ("camera",), ("camera",), 8.25, (-1.0, 1.0)),
    body("e", "bus", mass=0.0),
    body("boom", "e", mass=30.0),
]  # fmt: skip
CHAIN = [body(f"link {k}", f"link {k - 1}" if k else "ground") for k in range(100)]
STAR = [body("hub"), *(body(f"arm {k}", "hub", KINDS[k % len(KINDS)], k % 3) for k in range(50))]


def random_tree(seed: int) -> list[BodyInfo]:
    """Bodies of all kinds with names of all lengths, some of them listed before their parents."""
    rng = random.Random(seed)
    names = [f"{'x' * rng.choice([1, 5, 30])}{k}" for k in range(rng.randint(1, 60))]
    reach = rng.choice([1, 3, 60])
    made = [
        body(
            n,
            "ground" if k == 0 or rng.random() < 0.1 else names[rng.randrange(max(0, k - reach), k)],
            rng.choice(KINDS),
            rng.choice([0.0, 1.0, 1e-9, 123456.7]),
        )
        for k, n in enumerate(names)
    ]
    rng.shuffle(made)
    return made


TREES = {
    "satellite": SATELLITE,
    "chain": CHAIN,
    "star": STAR,
    "one": [body("a")],
    "roots": [body(f"b{k}") for k in range(30)],
}
TREES |= {f"random {k}": random_tree(k) for k in range(12)}


@dataclass
class ParsedDiagram:
    """The parts of a diagram, read from its SVG."""

    root: ET.Element
    boxes: dict[int, Rect]
    lines: dict[int, list[tuple[float, float]]]
    parents: dict[int, int]
    labels: dict[int, list[Rect]]
    bar: list[tuple[float, float]]

    @property
    def size(self) -> tuple[float, float]:
        _, _, w, h = map(float, self.root.attrib["viewBox"].split())
        return w, h


def corners(path: str) -> list[tuple[float, float]]:
    points = (p.split() for p in path.removeprefix("M").split("L"))
    return [(float(x), float(y)) for x, y in points]


def rect_of(text: ET.Element) -> Rect:
    x, y = float(text.attrib["x"]), float(text.attrib["y"])
    return x, y - 8, x + width(text.text or "", 10.5), y + 2


def read(made: Diagram) -> ParsedDiagram:
    root = ET.fromstring(made.svg)
    seen = ParsedDiagram(root, {}, {}, {}, {}, [])
    for g in root.iter(f"{NS}g"):
        kind, number = g.get("class"), int(g.get("data-body", -1))
        if kind == "body":
            r = {k: float(v) for k, v in g.find(f"{NS}rect").attrib.items() if k in ("x", "y", "width", "height")}  # type: ignore[union-attr]
            seen.boxes[number] = (r["x"], r["y"], r["x"] + r["width"], r["y"] + r["height"])
        elif kind == "joint":
            seen.parents[number] = int(g.attrib["data-parent"])
            seen.lines[number] = corners(g.find(f"{NS}path").attrib["d"])  # type: ignore[union-attr]
            seen.labels[number] = [rect_of(text) for text in g.findall(f"{NS}text")]
        elif kind == "ground":
            seen.bar = corners(g.findall(f"{NS}path")[1].attrib["d"])
    return seen


def apart(a: Rect, b: Rect) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def on_edge(point: tuple[float, float], box: Rect) -> bool:
    """Whether the point is on one of the four sides."""
    x, y, (left, top, right, low) = *point, box
    inside = left - 0.11 < x < right + 0.11 and top - 0.11 < y < low + 0.11
    return inside and min(abs(x - left), abs(x - right), abs(y - top), abs(y - low)) < 0.11


@pytest.mark.parametrize("elements", TREES.values(), ids=TREES)
def test_nothing_overlaps(elements: list[BodyInfo]) -> None:
    seen = read(diagram(elements, "tree"))
    boxes = list(seen.boxes.values())
    labels = [label for several in seen.labels.values() for label in several]
    assert len(boxes) == len(elements)
    for k, line in seen.lines.items():  # lines of the tree cross no box
        for a, b in pairwise(line):
            segment = min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])
            assert all(apart(segment, box) for n, box in seen.boxes.items() if n not in (k, seen.parents[k]))
    for k, box in enumerate(boxes):
        assert all(apart(box, other) for other in boxes[:k])
        assert all(apart(box, label) for label in labels)
    for k, label in enumerate(labels):
        assert all(apart(label, other) for other in labels[:k])


@pytest.mark.parametrize("elements", TREES.values(), ids=TREES)
def test_lines_lead_from_parent_to_child(elements: list[BodyInfo]) -> None:
    seen = read(diagram(elements, "tree"))
    places = {e.name: k for k, e in enumerate(elements)}
    for k, line in seen.lines.items():
        assert seen.parents[k] == places.get(elements[k].parent, -1)
        assert on_edge(line[-1], seen.boxes[k])
        if seen.parents[k] >= 0:
            assert on_edge(line[0], seen.boxes[seen.parents[k]])
        else:
            (x, y), ((left, top), (right, low)) = line[0], seen.bar
            assert left <= x <= right and top <= y <= low
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(line))


@pytest.mark.parametrize("elements", [*TREES.values(), []], ids=[*TREES, "empty"])
def test_everything_is_inside_the_frame(elements: list[BodyInfo]) -> None:
    seen = read(diagram(elements, "a title"))
    wide, high = seen.size
    rects = [*seen.boxes.values(), *(label for several in seen.labels.values() for label in several)]
    rects += [(*seen.bar[0], *seen.bar[1])]
    assert all(x >= 0 and y >= 0 and right <= wide and low <= high for x, y, right, low in rects)


def test_satellite_diagram_has_its_bodies_and_joints() -> None:
    made = diagram(SATELLITE, "satellite")
    seen, texts = read(made), [t.text for t in ET.fromstring(made.svg).iter(f"{NS}text")]
    assert {
        "bus",
        "1200 kg",
        "free · 6 dof",
        "q: x, y, z, a1, a2, a3",
        "u: wx, wy, wz, vx, vy, vz",
        "revolute · 1 dof",
        "q, u: clock",
        "revolute · 0 dof",
        "prescribed: camera",
        "massless",
        "ground",
        "satellite",
    } <= set(texts)
    tops = [seen.boxes[k][1] for k in range(5)]
    assert tops[0] < tops[1] == tops[3] < tops[2] == tops[4]
    assert "limits -1 … 1" in made.svg and "stroke-dasharray" in made.svg


def test_large_trees_are_outlines() -> None:
    """A row for each body, narrow enough for a page. Single children are below their parents, several are indented."""
    chain, star = read(diagram(CHAIN)), read(diagram(STAR))
    assert chain.size[0] < 400 and len({box[0] for box in chain.boxes.values()}) == 1
    assert star.size[0] < 700 and {star.boxes[k][0] - star.boxes[0][0] for k in range(1, 51)} == {30.0}
    for seen in (chain, star):
        tops = sorted(box[1] for box in seen.boxes.values())
        assert {round(b - a) for a, b in pairwise(tops)} == {36}


@pytest.mark.parametrize("name", ["chain", "star", "roots", "random 3"])
def test_texts_of_outlines_do_not_shrink(name: str) -> None:
    """However large the tree is, texts have their usual size, and the width of the picture fits a page."""
    made = diagram(TREES[name])
    assert made.size == pytest.approx(read(made).size, abs=0.5) and made.size[0] <= 800
    sizes = {float(e.attrib["font-size"]) for e in ET.fromstring(made.svg).iter() if "font-size" in e.attrib}
    assert min(sizes) >= 10.5


def test_parents_are_above_their_children() -> None:
    seen = read(diagram(SATELLITE))
    middles = {k: (box[0] + box[2]) / 2 for k, box in seen.boxes.items()}
    assert middles[0] == pytest.approx((middles[1] + middles[3]) / 2, abs=1)
    assert middles[2] == middles[1] and middles[4] == middles[3]


def loops(elements: list[BodyInfo], seed: int) -> list[ConstraintInfo]:
    """Constraints between random bodies, some of them with the ground, and some without bodies."""
    rng, names = random.Random(seed), [b.name for b in elements]
    count = min(len(names) // 2, 8) + 1
    pairs = [rng.sample([*names, "ground"], 2) for _ in range(count)]
    between = [
        ConstraintInfo(f"loop {k}", "close", rng.choice(KINDS), tuple(pair), (), (f"loop {k}.force.x",))
        for k, pair in enumerate(pairs)
    ]
    return [*between, ConstraintInfo("gear", "expression", expressions=("q.a - 2*q.b",), multipliers=("gear",))]


def parts(made: Diagram, kind: str) -> list[ET.Element]:
    return [g for g in ET.fromstring(made.svg).iter(f"{NS}g") if g.get("class") == kind]


@pytest.mark.parametrize("name", [n for n in TREES if n != "one"])
def test_constraints_are_dashed_lines_between_their_bodies(name: str) -> None:
    """Lines begin and end at the sides of the two boxes, or at the ground; labels overlap no other and no box; all is
    in the frame; and the tree is drawn as without constraints."""
    elements = TREES[name]
    for seed in range(3):
        constraints = loops(elements, seed)
        made, without = diagram(elements, "tree", constraints), read(diagram(elements, "tree"))
        seen, index = read(made), {b.name: k for k, b in enumerate(elements)}
        assert (seen.boxes, seen.lines, seen.bar) == (without.boxes, without.lines, without.bar)
        drawn, labels = parts(made, "constraint"), list[Rect]()
        assert len(drawn) == len(constraints) - 1
        for g, c in zip(drawn, constraints, strict=False):
            path = g.find(f"{NS}path")
            assert path is not None and "stroke-dasharray" in path.attrib
            line = corners(path.attrib["d"])
            assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(line))
            bodies = [seen.boxes[index[n]] for n in c.bodies if n in index]
            ends = line if len(bodies) == 2 else line[:1]
            for box in bodies:
                touching = [(x, y) for x, y in (ends[0], ends[-1]) if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
                assert touching, (name, c)
            (text,) = g.findall(f"{NS}text")
            assert (text.text or "").startswith(c.name) and c.joint[:3] in (text.text or "")
            labels.append(rect_of(text))
        wide, high = seen.size
        assert all(x >= 0 and y >= 0 and right <= wide and low <= high for x, y, right, low in labels)
        boxes = [*seen.boxes.values(), *(label for several in seen.labels.values() for label in several)]
        for k, label in enumerate(labels):
            assert all(apart(label, other) for other in [*labels[:k], *boxes])
        texts = [t.text for t in ET.fromstring(made.svg).iter(f"{NS}text")]
        assert "gear · expression: q.a - 2*q.b = 0" in texts


def test_lines_of_constraints_do_not_coincide() -> None:
    """One body above the other, both with a line: they leave at different places."""
    chain = [body("crank"), body("coupler", "crank"), body("rocker")]
    pairs = ("coupler", "rocker"), ("crank", "ground"), ("crank", "rocker")
    made = diagram(chain, "", [ConstraintInfo(f"c{k}", "close", "weld", pair) for k, pair in enumerate(pairs)])
    lines = [corners(g.find(f"{NS}path").attrib["d"]) for g in parts(made, "constraint")]  # type: ignore[union-attr]
    ports = [x for line in lines for x in {line[0][0], line[-1][0]}]
    assert min(abs(a - b) for k, a in enumerate(ports) for b in ports[:k]) >= 4.9


@pytest.mark.parametrize("kind", KINDS)
def test_each_joint_has_its_symbol(kind: str) -> None:
    made = [diagram([body("a", joint=k)]).svg for k in KINDS]
    assert len(set(made)) == len(KINDS)
    ET.fromstring(diagram([body("a", joint=kind)]).svg)


def test_hostile_names_are_escaped() -> None:
    bad = [*HOSTILE, '"/><script>alert(1)</script>', "</title><image href='http://x'/>", "&#0;", "\ufffe"]
    elements = [
        BodyInfo(n, bad[k - 1] if k else "\x01<&", n, (n,), (n, n), (n,) * (k % 2), 1.0) for k, n in enumerate(bad)
    ]
    constraints = [ConstraintInfo(n, n, n, (n, bad[0]), (n,), (n,), {n: n}) for n in bad[1:]]
    constraints.append(ConstraintInfo(bad[0], bad[0], expressions=(bad[0],)))
    made = diagram(elements, "".join(bad), constraints)
    root = ET.fromstring(made.svg.encode("utf-8"))
    tags = {e.tag.removeprefix(NS) for e in root.iter()}
    assert tags <= {"svg", "title", "g", "rect", "path", "circle", "text"}
    attributes = {name for e in root.iter() for name in e.attrib}
    assert not {a for a in attributes if a.startswith("on") or "href" in a} and "style" not in attributes
    assert not any("http" in value for e in root.iter() for value in e.attrib.values())
    titles = " ".join(t.text or "" for t in root.iter(f"{NS}title"))
    assert "<script>alert(1)</script>" in titles and "日本語 🚀" in titles


def test_long_names_are_truncated_and_complete_in_titles() -> None:
    name = "an unusually long name for such a small body"
    root = ET.fromstring(diagram([body(name)]).svg)
    texts, titles = ([t.text or "" for t in root.iter(f"{NS}{tag}")] for tag in ("text", "title"))
    assert name not in texts and any(t.startswith("an unusually") and t.endswith("…") for t in texts)
    assert any(name in t for t in titles)


@pytest.mark.parametrize("text", ["", "short", "w" * 16, "日本語" * 3, "x" * 1000])
def test_texts_are_truncated_to_the_available_width(text: str) -> None:
    cut = fitted(text, 10, 60)
    assert width(cut, 10) <= 60
    assert cut == text if width(text, 10) <= 60 else cut.endswith("…") and text.startswith(cut[:-1])


@pytest.mark.parametrize("mass", [float("nan"), float("inf"), -1.0])
def test_invalid_masses_are_drawn(mass: float) -> None:
    ET.fromstring(diagram([body("a", mass=mass)]).svg)


def test_cycles_and_equal_names_are_refused() -> None:
    with pytest.raises(ArgumentError, match="'a' is its own parent, directly or through other bodies"):
        diagram([body("a", "b"), body("b", "a"), body("c")])
    with pytest.raises(ArgumentError, match="two bodies are called 'a'; give each its own name"):
        diagram([body("a"), body("b"), body("a")])


def test_long_chains_need_no_recursion() -> None:
    seen = read(diagram([body(f"{k}", f"{k - 1}" if k else "ground") for k in range(3000)]))
    assert len(seen.boxes) == 3000


def test_diagrams_are_shown_and_saved(tmp_path: Path) -> None:
    made = diagram(SATELLITE, "ω <satellite>")
    assert made._repr_svg_() == made.svg
    path = made.save(tmp_path / "satellite.svg")
    assert path.read_text(encoding="utf-8") == made.svg
    with pytest.raises(FileError, match=r"a diagram is written as \.svg, not as '\.png'"):
        made.save(tmp_path / "satellite.png")
    with pytest.raises(FileError, match=r"it cannot be written: there is no folder .*nowhere; create it first"):
        made.save(tmp_path / "nowhere" / "satellite.svg")
