"""Continuation of flexible columns: dead loads at Euler's load and beyond, follower loads at Beck's."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import freebody as fb

EI, LENGTH, DENSITY = 100.0, 2.0, 1.5
EULER = np.pi**2 * EI / (4 * LENGTH**2)


def column(bodies: int, follower: bool = False, **options: Any) -> fb.System:
    """A clamped column with a force P at its tip, downwards or along the tip."""
    s, section = fb.System("column", gravity=(0, 0, 0)), {"EA": 1e7, "EI": (EI, 3 * EI), "GJ": 50.0}
    section |= {"density": DENSITY, "polar_inertia": 0.1}
    s.input("P", "N")
    tip: Any = s.ground
    for k in range(bodies):
        nodes = {"root": (0, 0, 0), "tip": (LENGTH / bodies, 0, 0)}
        members = [{"nodes": ["root", "tip"], "section": "tube"}]
        part = fb.SpaceFrame(nodes=nodes, sections={"tube": section}, members=members, static=["tip"], **options)
        up = {"orient": ("y", -np.pi / 2)} if k == 0 else {}
        tip = s.body(f"b{k}", on=tip, joint=fb.Weld(), flexible=part, modes=0, **up).node("tip")
    s.force(tip.vector(("-P", 0, 0)) if follower else s.ground.vector((0, 0, "-P")), at=tip.origin)
    s.output("tip", s.position(tip.origin))
    return s


def test_a_column_buckles_at_eulers_load_and_bends_as_the_elastica() -> None:
    s = column(2, damping=0.05)
    found = s.continuation("P", 0.98 * EULER, 1.02 * EULER)
    (point,) = found.bifurcations
    assert point.kind == "pitchfork" and point.value == pytest.approx(EULER, rel=1e-3)
    assert [branch.stability[-1] for branch in found.branches] == ["unstable", "stable", "stable"]
    assert found.branches[0].stability[0] == "stable"
    points = found.to_pandas()
    last = points[points["branch"] == 2].iloc[-1]
    end = s.equilibrium(q={n[2:]: last[n] for n in points if n.startswith("q.")}, inputs={"P": 1.02 * EULER})
    k = brentq(lambda k: (2 * ellipk(k * k) / np.pi) ** 2 - 1.02, 1e-3, 0.9)  # of the elastica
    x, _, z = np.abs(end.outputs["tip"][[1, 0, 2]])
    assert x == pytest.approx(2 * k * LENGTH / ellipk(k * k), rel=0.06)
    assert z == pytest.approx(LENGTH * (2 * ellipe(k * k) / ellipk(k * k) - 1), rel=0.01)


def test_a_follower_load_makes_the_column_flutter_at_becks_load() -> None:
    """20.05 EI/L² without damping, where two frequencies meet; about 10.94 with a little internal damping."""
    (point,) = column(2, follower=True).continuation("P", 0, 22 * EI / LENGTH**2, step=0.2).bifurcations
    assert point.kind == "hamiltonian hopf" and point.value * LENGTH**2 / EI == pytest.approx(20.05, rel=0.01)
    assert point.frequency == pytest.approx(11.016 * np.sqrt(EI / DENSITY) / LENGTH**2, rel=0.03)
    damped = column(2, follower=True, rayleigh=(0, 1e-5)).continuation("P", 0, 15 * EI / LENGTH**2, step=0.2)
    assert [one.kind for one in damped.bifurcations] == ["hopf"]
    assert damped.bifurcations[0].value * LENGTH**2 / EI == pytest.approx(10.94, rel=0.01)


def test_one_body_buckles_to_any_amplitude() -> None:
    """Equations of second order have no stiffness beyond Euler's load: the branch stays there, and has no folds."""
    s = fb.System("column", gravity=(0, 0, 0))
    s.input("P", "N")
    beam = fb.Beam(length=LENGTH, EI=(EI, None), density=DENSITY, damping=0.01)
    b = s.body("b", joint=fb.Weld(), orient=("y", -np.pi / 2), flexible=beam, modes=2)
    s.force(s.ground.vector((0, 0, "-P")), at=b.node("tip").origin)
    found = s.continuation("P", 0, 1.5 * EULER, points=30)
    assert [(one.kind, len(found.branches)) for one in found.bifurcations] == [("pitchfork", 3)]
    assert found.bifurcations[0].value == pytest.approx(EULER, rel=0.01)
    points = found.to_pandas()
    beyond = points[points["branch"] == 2]
    assert np.abs(beyond["P"] - found.bifurcations[0].value).max() < 1e-6 and beyond["q.b.m1"].abs().max() > 1
