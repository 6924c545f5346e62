"""Listings compared with golden files: at most 100 columns wide, every variable described. `FREEBODY_UPDATE=1 pytest
tests/formulations/test_listings.py` writes them again; review the difference before committing it."""

import os
import re
import sys
from pathlib import Path

import pytest

import freebody as fb

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "examples"))


def double_pendulum() -> fb.System:
    s = fb.System("double pendulum")
    m, l = s.parameters(m=1.0, l=1.0)
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"))
    s.body("lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l))
    return s


def satellite() -> fb.System:
    import satellite

    return satellite.system()  # type: ignore[no-any-return]


@pytest.mark.parametrize("build", [double_pendulum, satellite])
def test_listings_match_the_golden_files(build: object) -> None:
    found = str(build().derive("kane"))  # type: ignore[operator]
    golden = HERE / "golden" / f"{build.__name__}.txt"  # type: ignore[attr-defined]
    if os.environ.get("FREEBODY_UPDATE"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found)
    assert found == golden.read_text()
    assert max(map(len, found.splitlines())) <= 100
    lines = [x for x in found.splitlines() if re.match(r"\S+ = ", x)]
    assert lines and not [x for x in lines if "#" not in x and not x.startswith("u_dot")]
