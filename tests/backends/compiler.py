"""The C compiler of this machine, and the mark of tests that need one."""

import pytest

from freebody.backends.c import find_compiler
from freebody.errors import BackendError


def _command() -> list[str]:
    try:
        return find_compiler("tests")
    except BackendError:
        return []


COMPILER = _command()
compiled = pytest.mark.skipif(not COMPILER, reason="no C compiler on this machine (looked for $CC, cc, gcc, clang)")
