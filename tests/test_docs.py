"""The pages of the documentation run as written."""

import contextlib
import importlib.util
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
BY_BROWSER = {"report.png", "viewer.png", "sliders.png", "ghosts.png", "deformation.png"}
"""Pictures of web pages, which are not created by the blocks of Python."""


@pytest.mark.parametrize(
    ("page", "left"),
    [
        ("../README.md", {"", ".html", ".png"}), ("constraints.md", set()), ("control.md", set()),
        ("six-bodies.md", set()), ("multi-arm.md", set()),
        ("operators.md", set()), ("quantities.md", set()), ("vectors.md", set()), ("simulation.md", set()),
        ("constrained-runs.md", set()), ("events.md", set()), ("results.md", {".nc", ".png"}), ("simulators.md", set()),
        ("controllers.md", set()), ("sensors.md", {".png"}), ("sweeps.md", {".png"}), ("gym.md", set()),
        ("blocks.md", set()), ("components.md", set()), ("contact_steps.md", set()),
    ],
)  # fmt: skip
def test_pages_run_as_written(page: str, left: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL):
        exec(block, space)
    assert {p.suffix for p in tmp_path.iterdir()} == left


@pytest.mark.parametrize(
    "page",
    [
        "actuators.md",
        "bifurcations.md",
        "closed-forms.md",
        "equations.md",
        "finite_elements.md",
        "flexible.md",
        "flexible_manipulator.md",
        "flexible-systems.md",
        "inverse_kinematics.md",
        "poincare.md",
        "robots.md",
        "sayers.md",
        "seeing.md",
        "tutorial.md",
    ],
)
def test_pages_show_the_printed_output(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block of Python prints the block of text that follows it, and creates the pictures that are shown."""
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", (DOCS / page).read_text(), re.DOTALL)
    assert blocks
    for block, expected in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(block, space)
        assert printed.getvalue() == expected
    shown = set(re.findall(r"\(images/(\w+\.png)\)", (DOCS / page).read_text())) - BY_BROWSER
    assert shown == {p.name for p in tmp_path.glob("*.png")}


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings on its web page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", h.replace("`", "").lower()).strip()) for h in headings}


PAGES = [DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_have_targets(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        other = page.parent / name if name else page
        assert other.exists(), target
        assert not anchor or anchor in anchors(other), target


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": ([\w-]+\.md)$", (DOCS.parent / "mkdocs.yml").read_text(), re.MULTILINE))
    assert listed == {page.name for page in DOCS.glob("*.md")}


@pytest.mark.wings
def test_map_matches_the_modules() -> None:
    """``python docs/make_map.py`` writes the map: every package and module once, with the packages it imports."""
    spec = importlib.util.spec_from_file_location("make_map", DOCS / "make_map.py")
    assert spec is not None and spec.loader is not None
    make_map = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_map)
    assert (DOCS / "map.md").read_text() == make_map.page()
