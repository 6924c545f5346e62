"""Tables beyond their ends: "hold" (the default), "extrapolate" and "error" mean the same for functions and inputs, in
every engine and in files."""

import shutil
from contextlib import nullcontext
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ExpressionError, FileError, SimulationWarning
from freebody.io import loads
from freebody.scalar.functions import OUTSIDE

X, Y = [0.0, 0.5, 2.0], [1.0, 2.0, 0.5]
AT = (-1.0, 0.0, 0.25, 2.0, 3.0)
VALUES = {"hold": (1, 1, 1.5, 0.5, 0.5), "extrapolate": (-1, 1, 1.5, 0.5, -0.5), "error": (nan, 1, 1.5, 0.5, nan)}
SLOPES = {"hold": (0, 0), "extrapolate": (2, -1), "error": (nan, nan)}
ENGINES = ["llvm", "numpy", *(["c"] if shutil.which("cc") else [])]


def slider(outside: str | None, method: str = "linear") -> fb.System:
    """u̇ is the table at q; outputs are the table and its slope."""
    s = fb.System("slider", gravity=(0, 0, 0))
    body = s.body("a", joint=fb.Prismatic("x"), mass=1)
    curve: Any = fb.table("curve", X, Y, method, *([] if outside is None else [outside]))  # type: ignore[arg-type]
    s.joint_force(body, fb.lookup(curve, body.q[0]))
    s.output("slope", fb.lookup(curve.derivative, body.q[0]))
    return s


@pytest.mark.parametrize("outside", [None, *OUTSIDE])
def test_functions_beyond_their_ends_in_every_engine_and_in_files(outside: str | None, tmp_path: Path) -> None:
    q, u = np.array(AT)[:, None], np.zeros((5, 1))
    for method in ("linear", "cubic"):
        s, key = slider(outside, method), outside or "hold"
        s.save(tmp_path / "s.yaml")
        assert fb.load(tmp_path / "s.yaml").digest() == s.digest()
        assert (f"outside: {key}" in s.to_yaml()) is (key != "hold")
        eq = s.derive()
        for engine in ENGINES if method == "linear" else ["numpy"]:
            found = eq.compile(engine).forward_dynamics(q, u)[:, 0]
            if method == "linear":
                assert np.allclose(found, VALUES[key], atol=1e-14, equal_nan=True)
            assert [isnan(x) for x in found] == [key == "error", False, False, False, key == "error"]
            slopes = eq.compile(engine).outputs(q, u)["slope"]
            assert np.allclose(slopes[[0, -1]], SLOPES[key], equal_nan=True) or method == "cubic"


@pytest.mark.parametrize("outside", OUTSIDE)
def test_inputs_beyond_their_ends_are_tables_of_time(outside: str) -> None:
    """The end of a run may be the last point."""
    s = fb.System("pushed", gravity=(0, 0, 0))
    s.joint_force(s.body("a", joint=fb.Prismatic("x"), mass=1), s.input("push"))
    kind: Any = outside
    pushes = (fb.table("push", X, Y, outside=kind), (X, Y, outside), *([(X, Y)] if outside == "hold" else []))
    for push in pushes:
        assert s.simulate(2.0, inputs={"push": push}).success
        with pytest.warns(SimulationWarning) if outside == "error" else nullcontext():
            run = s.simulate(3.0, inputs={"push": push})
        assert run.success is (outside != "error")
        if outside == "error":
            assert run.t[-1] == pytest.approx(2.0, abs=1e-6) and "push' from 0 to 2" in run.message
            assert "tables with outside='error' have values in their range only:" in run.message
        else:
            assert run["input.push"][-1] == pytest.approx(VALUES[outside][-1])


def test_the_former_name_and_wrong_ones_are_refused_with_the_present_ones() -> None:
    with pytest.raises(ExpressionError, match=r"'hold', 'extrapolate' or 'error'\. 'extend' is now 'extrapolate'"):
        fb.table("t", X, Y, outside="extend")  # type: ignore[arg-type]
    text = slider("extrapolate").to_yaml().replace("outside: extrapolate", "outside: extend")
    with pytest.raises(FileError, match="'extend' is now 'extrapolate'"):
        loads(text, fb.System)
    s = fb.System("pushed")
    s.joint_force(s.body("a", joint=fb.Prismatic("x"), mass=1), s.input("push"))
    for wrong, text in (
        ((X, Y, "wrap"), "outside is 'hold', 'extrapolate' or 'error'"),
        ((X, Y, "hold", 1), r"is not \(times, values\)"),
    ):
        with pytest.raises(ArgumentError, match=text):
            s.simulate(1.0, inputs={"push": wrong})
