"""Writes docs/papers.md from docs/papers-*.csv and from the markers of the tests: python docs/make_papers.py

A row of docs/papers-*.csv is an item of a paper: what it is, the call that has it, and what a reader should know, such
as a misprint. Tests that show that it works carry ``@pytest.mark.paper("004", "24")``: the paper and the items.
The tests on the page are those that carry the marker; the column ``test`` names those to read first.
"""

import ast
import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DOCS, TESTS = ROOT / "docs", ROOT / "tests"
COLUMNS = ["paper", "number", "item", "call", "test", "note"]

PAPERS = {
    "000": (
        "Sayers",
        "M. W. Sayers, *Symbolic vector/dyadic multibody formalism for tree-topology systems*, Journal of"
        " Guidance, Control, and Dynamics 14 (1991)",
    ),
    "001": (
        "Mufti",
        "I. H. Mufti, *Equations of motion for rigid multibody systems*, National Research Council of Canada, DM-3"
        " (1983)",
    ),
    "002": (
        "Kwatny and Blankenship",
        "H. G. Kwatny and G. L. Blankenship, *Symbolic construction of models for multibody dynamics*, IEEE"
        " Transactions on Robotics and Automation 11 (1995)",
    ),
    "003": (
        "Rodriguez, Jain and Kreutz",
        "G. Rodriguez, A. Jain and K. Kreutz, *Spatial operator algebra framework for multibody system dynamics*, Third"
        " Annual Conference on Aerospace Computational Control (1989)",
    ),
    "004": (
        "Jain and Rodriguez",
        "A. Jain and G. Rodriguez, *Recursive dynamics for flexible multibody systems using spatial operators*, JPL"
        " Publication 90-26 (1990)",
    ),
}
"""By number: the authors, and where the paper is."""

COUNTS = {"000": 39, "001": 32, "002": 36, "003": 25, "004": 32}
"""How many items each paper has."""

HEAD = """# The papers

Much of freebody follows five papers. The tables of this page list what can be computed, shown or decided in each of
them, in its order: the call that does it, with the page that describes it; the tests that compare it with printed
numbers or with an independent computation, in the folder `tests`; and notes, such as misprints. This page is written by
`python docs/make_papers.py` from `docs/papers-*.csv` and from the markers `@pytest.mark.paper(…)` of the tests.
"""


class Item(NamedTuple):
    """A row of the table."""

    paper: str
    number: str
    item: str
    call: str
    test: str
    note: str

    @property
    def key(self) -> tuple[str, str]:
        return self.paper, self.number


def items() -> list[Item]:
    """The rows of all files, papers and numbers in order."""
    rows = list[Item]()
    for path in sorted(DOCS.glob("papers-*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            assert reader.fieldnames == COLUMNS, f"{path.name}: the columns are {reader.fieldnames}, not {COLUMNS}"
            for row in reader:
                assert None not in row and None not in row.values(), f"{path.name}: item {row['number']} is incomplete"
                rows.append(Item(*(row[name].strip() for name in COLUMNS)))
    return sorted(rows, key=lambda row: (row.paper, int(row.number)))


class Marked(NamedTuple):
    """A marker: its item, and the test that carries it."""

    key: tuple[str, str]
    file: str
    test: str


@cache
def markers() -> list[Marked]:
    """The markers ``paper`` of all tests, from their source."""
    return [mark for path in sorted(TESTS.rglob("test_*.py")) for mark in _markers_of(path)]


def _markers_of(path: Path) -> Iterator[Marked]:
    text = path.read_text(encoding="utf-8")
    if "paper(" not in text:
        return
    file = path.relative_to(TESTS).as_posix()

    def visit(body: list[ast.stmt], inherited: list[ast.expr]) -> Iterator[Marked]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from visit(node.body, [*inherited, *node.decorator_list])
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                calls = [call for x in (*inherited, *node.decorator_list) for call in ast.walk(x) if _is_marker(call)]
                for call in calls:
                    assert isinstance(call, ast.Call)
                    paper, *numbers = (_text(argument, path) for argument in call.args)
                    assert numbers, f"{path}: the marker of {node.name} names no items"
                    for number in numbers:
                        yield Marked((paper, number), file, node.name)

    yield from visit(ast.parse(text).body, [])


def _is_marker(node: ast.AST) -> bool:
    """Whether it is ``pytest.mark.paper(…)``, or ``paper(…)`` where that is its name."""
    if not isinstance(node, ast.Call):
        return False
    return getattr(node.func, "attr", None) == "paper" or getattr(node.func, "id", None) == "paper"


def _text(argument: ast.expr, path: Path) -> str:
    assert isinstance(argument, ast.Constant), f"{path}: line {argument.lineno}: markers name items by constants"
    return str(argument.value)


def page() -> str:
    """The text of docs/papers.md."""
    rows, tests = items(), dict[tuple[str, str], dict[str, list[str]]]()
    for mark in markers():
        tests.setdefault(mark.key, {}).setdefault(mark.file, []).append(mark.test)
    lines = [HEAD]
    for paper in sorted({row.paper for row in rows}):
        authors, where = PAPERS[paper]
        lines += [
            f"## {authors}",
            "",
            f"{where}.",
            "",
            "| | in the paper | call | tests | note |",
            "|---|---|---|---|---|",
        ]
        for row in rows:
            if row.paper == paper:
                cells = row.number, row.item, row.call, _shown(tests.get(row.key, {})), row.note
                lines.append("| " + " | ".join(map(_cell, cells)) + " |")
        lines.append("")
    return "\n".join(lines)


def _shown(tests: dict[str, list[str]]) -> str:
    return "; ".join(
        f"`{file}`: " + ", ".join(f"`{name}`" for name in sorted(set(names))) for file, names in tests.items()
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\|", "|").replace("|", "\\|")


if __name__ == "__main__":
    (DOCS / "papers.md").write_text(page(), encoding="utf-8")
