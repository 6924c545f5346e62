"""What notebooks and the interpreter show of objects that users get back: tables and formulas instead of addresses in
memory, quickly, with every name escaped."""

import inspect
import re
import time
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

import freebody as fb
from freebody.tables import CELL, FORMULA, MOST, TextTable, shorten

HOSTILE = '</script><b onload="x">"$y$"\0\n' + "ü" * 10_000
MATHML = "math mi mn mo mtext mfrac msub msup msubsup mover msqrt mrow mtable mtr mtd"
TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "div", "wbr", "iframe", *MATHML.split()}
SKIPPED = {"save", "plot", "report", "animate", "view", "show", "live"}
"""Methods that write files or open windows; those that convert to other libraries (to_…) are left out too."""


def pendulum(name: str = "double pendulum", upper: str = "upper", load: str = "pull") -> fb.System:
    s = fb.System(name)
    m, length = s.parameters(m=1.0, length=0.5)
    force = s.input("F", "N")
    fields: dict[str, Any] = {"mass": m, "com": (0, 0, -length / 2), "inertia": fb.rod(m, length, "z")}
    first = s.body(upper, joint=fb.Revolute("y", damping=0.1), **fields)
    second = s.body("lower", on=first, at=(0, 0, -length), joint=fb.Revolute("y"), **fields)
    s.force(force * s.ground.x, second, name=load)
    s.output("tip", s.position(second.point((0, 0, -length))))
    return s


def beam() -> fb.System:
    s = fb.System("beam")
    s.body("boom", joint=fb.Revolute("z"), flexible=fb.Beam(length=2.0, density=10.0, EI=(40.0, None)), modes=2)
    return s


def slider() -> fb.System:
    s = fb.System("slider")
    s.body("block", joint=fb.Prismatic("x", stiffness=s.parameter("k", 2.0)), mass=s.parameter("m", 1.0))
    return s


def results(s: fb.System) -> Iterator[tuple[str, Any]]:
    """Objects that users get back, with how they got them; the last walk covers all that needs no argument."""
    eq = s.derive()
    run = s.simulate(0.1, inputs={"F": 0.0})
    linear = s.linearize(trim=True)
    io = s.input_output({"y": "q.lower"})
    roots = {
        "s": s,
        "eq": eq,
        "f": eq.compile("numpy"),
        "run": run,
        "linear": linear,
        "io": io,
        "matrices": eq.matrices(),
        "body": s.bodies["lower"],
        "load": next(iter(s.loads.values())),
        "symbolic": s.linearize(symbolic=True),
        "operators": eq.operators([0.1, 0.2]),
        "barycentres": eq.barycentres([0.1, 0.2]),
        "modes": linear.modes(),
        "mode": linear.modes()[0],
        "io.at": io.at(),
        "equilibrium": s.equilibrium(),
        "body modes": beam().bodies["boom"].modes,
        "beam": beam().bodies["boom"].spec,
        "count": eq.count("bias"),
    }
    for name, root in roots.items():
        yield name, root
        for attribute in dir(root):
            if attribute.startswith(("_", "to_")) or attribute in SKIPPED:
                continue
            try:
                value = getattr(root, attribute)
                if inspect.ismethod(value):
                    needed = [p for p in inspect.signature(value).parameters.values() if p.default is p.empty]
                    if any(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in needed):
                        continue
                    value = value()
            except fb.errors.FreebodyError:
                continue
            first = next(iter(value.values() if isinstance(value, dict) else value), None) if _several(value) else None
            for one in (value, first):
                if type(one).__module__.startswith("freebody"):
                    yield f"{name}.{attribute}", one


def _several(value: Any) -> bool:
    return isinstance(value, list | tuple | dict)


def test_every_result_shows_itself() -> None:
    """Over all that a system and its results return without arguments: no address in memory, no wall of text, no error,
    quick; HTML of known elements alone."""
    seen = set[type]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for how, value in results(pendulum()):
            start = time.perf_counter()
            texts = {"repr": repr(value), **rich(value)}
            assert " at 0x" not in texts["repr"] and len(texts["repr"]) <= FORMULA + 200, f"{how}: {texts['repr']}"
            assert time.perf_counter() - start < 5.0, how
            check_html(how, texts.get("html", ""))
            seen.add(type(value))
    assert len(seen) > 45


def rich(value: Any) -> dict[str, str]:
    """What a notebook asks an object for."""
    kinds = ("html", "latex", "svg", "png")
    methods = {kind: getattr(value, f"_repr_{kind}_", None) for kind in kinds}
    texts = {kind: method() for kind, method in methods.items() if method is not None}
    return {kind: text for kind, text in texts.items() if text is not None}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags, self.texts, self.svg = list[str](), list[str](), 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.svg += tag == "svg"
        if not self.svg:
            self.tags.append(tag)
            assert not any(name.startswith("on") for name, _ in attrs)
            assert tag != "iframe" or ("sandbox", "allow-scripts") in attrs

    def handle_endtag(self, tag: str) -> None:
        self.svg -= tag == "svg"

    def handle_data(self, data: str) -> None:
        self.texts += [] if self.svg else [data]


def check_html(how: str, html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    assert set(reader.tags) <= TAGS, f"{how}: {set(reader.tags) - TAGS}"
    own = html.split("<svg")[0].split("<iframe")[0]  # the frame of a 3D view has colours of its own
    assert not re.search(r"(?<![-a-z])(color|background)\s*:", own), f"{how}: fixed colours"
    return reader


def test_hostile_names_are_text() -> None:
    """Names with tags, quotes, NUL and 10 000 characters stay text in every table, and are shortened."""
    name = HOSTILE.replace("\0", "").replace("\n", "")[:9_000]  # names of bodies cannot have these
    s = pendulum(HOSTILE, name, name + "!")
    eq = s.derive()
    for value in (
        s,
        eq,
        eq.operations,
        eq.compile("numpy"),
        s.topology(),
        s.linearize(),
        s.equilibrium(),
        *eq.roadmap(),
    ):
        reader = check_html(str(type(value)), rich(value)["html"])
        assert all(len(text) < 3000 for text in reader.texts), type(value)
        assert len(repr(value)) < 6000, type(value)
    assert "</script><b" in "".join(check_html("system", rich(s)["html"]).texts)


def test_display_formatter_of_ipython() -> None:
    """The formats that a notebook receives."""
    formatters = pytest.importorskip("IPython.core.formatters")
    formatter, s = formatters.DisplayFormatter(), pendulum()
    eq = s.derive()
    expected = {
        "text/html": (s, eq, eq.operations, s.linearize(), s.linearize().modes(), s.equilibria(), s.symmetries()),
        "text/latex": (eq.closed_form(), eq.matrices(), eq.matrices().M, s.gravity, slider().linearize(symbolic=True)),
        "image/svg+xml": (s.diagram(),),
    }
    for kind, values in expected.items():
        for value in values:
            data, _ = formatter.format(value)
            assert kind in data and data["text/plain"] == repr(value), f"{kind} {type(value)}: {list(data)}"


def test_large_systems_are_shown_without_their_equations() -> None:
    """Showing a chain of 300 bodies derives nothing."""
    s, parent = fb.System("chain"), None
    for k in range(300):
        parent = s.body(f"b{k}", on=parent, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.1), at=(0, 0, -0.2))
    eq = s.derive()
    html = {name: rich(value)["html"] for name, value in (("s", s), ("eq", eq), ("counts", eq.operations))}
    assert "240 more rows" in html["s"] and "<svg" not in html["s"] and "<math" not in html["eq"]
    assert "b19 and 280 more" in html["eq"] and "15 other quantities" in html["counts"]
    assert not any(eq.derivation.programs.is_derived(name) for name in eq.operations)


def test_long_formulas_are_cut() -> None:
    """A formula too long to be read is shown as text that ends early and tells what returns the whole."""
    s = fb.System()
    x = sum((k * p for k, p in enumerate(s.parameters(**{f"parameter_{k}": 1.0 for k in range(300)}), 2)), s.t)
    assert x._repr_latex_() is None and len(repr(x)) < FORMULA + 100 < len(str(x))
    assert repr(x).endswith("str(…) returns all of them)")
    for k in range(12_000):
        x = fb.sin(x) + k
    assert re.fullmatch(r"<expression of [\d,]+ nodes>", repr(x)) and x._repr_latex_() is None


def test_tables() -> None:
    """Numbers are set to the right, texts to the left; long cells and tables are cut; empty ones have only a title."""
    table = TextTable("title", ("name", "value"), (("a", "1"), ("long name", "-2.5e-3")), "a note")
    assert str(table) == "title\n  name         value\n  a                1\n  long name  -2.5e-3\na note"
    cells = re.findall(r'<td style="text-align:(\w+)">([^<]*)', table._repr_html_())
    assert cells == [("left", "a"), ("right", "1"), ("left", "long name"), ("right", "-2.5e-3")]
    long = TextTable("", ("x",), tuple((str(k) * 200,) for k in range(100)))
    assert max(map(len, str(long).splitlines())) == CELL and f"{100 - MOST} more rows are not shown." in str(long)
    assert TextTable("nothing", (), ())._repr_html_().count("<") == 2 and str(TextTable("nothing", (), ())) == "nothing"
    assert shorten("a" * 10_000 + "z", 10) == "aaaaaa…aaz" and shorten("a\0\nb", 10) == "a  b"
