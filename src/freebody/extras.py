"""How an extra, a group of libraries that freebody can use but does not need, is added to this installation."""

import json
import shlex
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "freebody"
SPECIAL = frozenset('"$`\\!')
"""Characters with a meaning for a shell between double quotes."""


def install_command(extra: str) -> str:
    """The command that installs an extra: from where freebody was installed, as its metadata say (PEP 610): a folder
    such as a clone, an archive, a repository, or else an index. If they say nothing, both usual forms."""
    try:
        known = distribution(NAME)
        source = _source(known, extra)
    except (PackageNotFoundError, LookupError, TypeError, ValueError, AttributeError):
        return (
            f'pip install "{NAME}[{extra}]" where {NAME} is installed from an index, or pip install ".[{extra}]" in a'
            " clone of its repository"
        )
    uv = (known.read_text("INSTALLER") or "").strip() == "uv"
    return f"{'uv ' if uv else ''}pip install {source}"


def _source(known: Distribution, extra: str) -> str:
    """What is installed again, with an extra, and quoted for a shell; a LookupError if its folder does not exist."""
    text = known.read_text("direct_url.json")
    if text is None:
        return _quote(f"{NAME}[{extra}]")
    origin: dict[str, Any] = json.loads(text)
    if "dir_info" in origin:
        folder = Path(url2pathname(urlsplit(origin["url"]).path))
        if not (folder / "pyproject.toml").is_file():
            raise LookupError(folder)
        return ("-e " if origin["dir_info"].get("editable") else "") + _quote(f"{folder}[{extra}]")
    url, vcs = origin["url"], origin.get("vcs_info")
    if vcs is not None:
        url = f"{vcs['vcs']}+{url}@{vcs.get('requested_revision') or vcs['commit_id']}"
    part = f"#subdirectory={origin['subdirectory']}" if "subdirectory" in origin else ""
    return _quote(f"{NAME}[{extra}] @ {url}{part}")


def _quote(text: str) -> str:
    return f'"{text}"' if SPECIAL.isdisjoint(text) else shlex.quote(text)
