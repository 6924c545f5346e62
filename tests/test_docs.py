"""The pages of the documentation work as written."""

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
