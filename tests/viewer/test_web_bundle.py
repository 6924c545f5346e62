"""The viewer in the package is what `make web` builds from its sources."""

import re
from hashlib import sha256
from pathlib import Path

import freebody.viewer

WEB = Path(freebody.viewer.__file__).parent / "web"


def test_the_bundle_is_built_from_the_sources_that_are_here() -> None:
    digest = sha256()
    names = sorted(path.name for path in (WEB / "source").iterdir())
    for name in ["build.mjs", "package-lock.json", *(f"source/{name}" for name in names)]:
        digest.update(f"{name}\n".encode() + (WEB / name).read_bytes())
    found = re.match(r"/\* sources ([0-9a-f]{64}) \*/", (WEB / "viewer.js").read_text("utf-8"))
    assert found and found[1] == digest.hexdigest(), "viewer.js is older than its sources: run `make web` and commit it"


def test_the_bundle_is_small_loads_nothing_and_makes_no_code_from_text() -> None:
    code = (WEB / "viewer.js").read_text("utf-8")
    assert len(code.encode()) <= 700_000
    assert not re.findall(r"\beval\(|new Function|importScripts|new Worker\(|innerHTML|insertAdjacentHTML", code)
    licence = (WEB / "LICENSE.three").read_text("utf-8").strip()
    assert "three.js authors" in licence and licence in code  # pages hold the code, so they hold its licence
