"""Every item of the papers has a test that shows it, and the page of the papers lists them as they are."""

import importlib.util
import re
import unicodedata
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"


@pytest.fixture(scope="module")
def make_papers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_papers", DOCS / "make_papers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_items_of_a_paper_are_listed_once(make_papers: ModuleType) -> None:
    numbers = dict[str, list[str]]()
    for item in make_papers.items():
        numbers.setdefault(item.paper, []).append(item.number)
        assert item.item and (item.call or item.key in make_papers.LATER), (
            f"{item.key}: what it is and its call are needed"
        )
    assert numbers
    for paper, found in numbers.items():
        assert found == [str(k + 1) for k in range(make_papers.COUNTS[paper])], paper


def test_every_item_is_shown_by_a_test(make_papers: ModuleType) -> None:
    known, marked = {item.key for item in make_papers.items()}, {mark.key for mark in make_papers.markers()}
    assert not known - marked - set(make_papers.LATER), "items without a test that carries their marker"
    assert not marked - known, "markers of items that docs/papers-*.csv do not list"


def code_of(call: str) -> list[str]:
    return re.findall(r"`([^`]*)`", call)


def names_in(code: str) -> set[str]:
    """What a call reads or calls: names behind a dot or before a parenthesis, or the code itself if it is a name."""
    found = re.findall(r"\b([A-Za-z_]\w*)(?=\()|\.([A-Za-z_]\w*)|^([A-Za-z_]\w*)$", code)
    return {name for names in found for name in names if name} - {"print", "freebody", "papers"}


def test_names_of_calls_are_found() -> None:
    assert names_in("eq.absolute(q, u).eq10.solve()") == {"absolute", "eq10", "solve"}
    assert names_in("o.mass") == {"mass"} and names_in("mass_orders") == {"mass_orders"}


def test_marked_tests_name_the_call(make_papers: ModuleType) -> None:
    """All names in the code of a call are in the files of the tests that show it."""
    files = dict[tuple[str, str], set[str]]()
    for mark in make_papers.markers():
        files.setdefault(mark.key, set()).add(mark.file)
    for item in make_papers.items():
        if item.key in make_papers.LATER:
            continue
        words = {word for file in files[item.key] for word in re.findall(r"\w+", (TESTS / file).read_text())}
        names = {name for code in code_of(item.call) for name in names_in(code)}
        assert code_of(item.call), f"{item.key}: the call has no code"
        assert not names - words, f"{item.key}: its tests do not contain {sorted(names - words)}"


def test_tests_to_read_first_carry_the_marker(make_papers: ModuleType) -> None:
    marked = dict[tuple[str, str], set[str]]()
    for mark in make_papers.markers():
        marked.setdefault(mark.key, set()).add(f"tests/{mark.file}::{mark.test}")
    for item in make_papers.items():
        assert item.key in make_papers.LATER or item.test, f"{item.key}: no test is named"
        assert set(item.test.split()) <= marked.get(item.key, set()), f"{item.key}: a named test has no marker of it"


def test_markers_are_written_once(make_papers: ModuleType) -> None:
    assert [mark for mark, count in Counter(make_papers.markers()).items() if count > 1] == []


def test_markers_are_found_in_every_form(
    make_papers: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_forms.py").write_text(
        "paper = pytest.mark.paper\n"
        "@pytest.mark.paper('004', '1', '2')\n"
        "@pytest.mark.parametrize('x', [1])\n"
        "def test_a(x): ...\n"
        "@paper('003', 7)\n"
        "class TestB:\n"
        "    def test_c(self): ...\n"
        "    def helper(self): paper('000', '1')\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.paper('002', '5'))])\n"
        "def test_d(x): ...\n"
    )
    monkeypatch.setattr(make_papers, "TESTS", tmp_path)
    make_papers.markers.cache_clear()
    found = [(*mark.key, mark.test) for mark in make_papers.markers()]
    make_papers.markers.cache_clear()
    assert found == [("004", "1", "test_a"), ("004", "2", "test_a"), ("003", "7", "test_c"), ("002", "5", "test_d")]


def test_the_page_of_the_papers_is_up_to_date(make_papers: ModuleType) -> None:
    """``python docs/make_papers.py`` writes it."""
    assert (DOCS / "papers.md").read_text(encoding="utf-8") == make_papers.page()


def test_calls_are_three_links_from_the_readme(make_papers: ModuleType) -> None:
    """README → the papers → the section of a page that describes a call: each row has such a link, and its heading
    exists."""
    assert "(docs/papers.md)" in (DOCS.parent / "README.md").read_text()
    assert "(papers.md)" in (DOCS / "index.md").read_text()
    for item in make_papers.items():
        links = re.findall(r"\]\(([\w-]+\.md)(?:#([^)]*))?\)", item.call)
        assert item.key in make_papers.LATER or links, f"{item.key}: no page describes the call"
        for page, anchor in links:
            headings = re.findall(r"^#+ (.*)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
            assert not anchor or anchor in map(slugify, headings), f"{item.key}: {page} has no heading '{anchor}'"


def slugify(heading: str) -> str:
    """The anchor of a heading on web pages."""
    text = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())
