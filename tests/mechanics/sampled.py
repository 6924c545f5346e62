"""Parameters of tests of which some are tested in every run, and the others by ``make test-long``."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], every: int = 3) -> list[Any]:
    """All values; those that are not at a multiple of ``every`` are marked as long."""
    return [value if k % every == 0 else pytest.param(value, marks=pytest.mark.long) for k, value in enumerate(values)]
