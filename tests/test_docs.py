"""The pages of the documentation work as written."""

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(("page", "left"), [("simulation.md", {".nc", ".png"}), ("control.md", set())])
def test_a_page_works_as_written(page: str, left: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL):
        exec(block, space)
    assert {p.suffix for p in tmp_path.iterdir()} == left


@pytest.mark.parametrize("page", ["closed-forms.md", "poincare.md"])
def test_a_page_prints_what_it_says(page: str) -> None:
    """Each block of Python prints the block of text that follows it."""
    space: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", (DOCS / page).read_text(), re.DOTALL)
    assert blocks
    for block, expected in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(block, space)
        assert printed.getvalue() == expected
