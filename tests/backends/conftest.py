"""Tests of every engine leave C out on machines without a compiler."""

import pytest

from tests.backends.compiler import compiled


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if getattr(item, "callspec", None) and item.callspec.params.get("backend") == "c":  # type: ignore[attr-defined]
            item.add_marker(compiled)
