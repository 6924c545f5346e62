"""Large systems: the default formulation depends on the size, and long derivations are announced."""

import warnings
from functools import cache

import numpy as np
import pytest

import freebody as fb
from freebody.api.derive import warn_of_size
from freebody.errors import SlowWarning
from freebody.formulations.rolled import MANY
from freebody.formulations.rolled.equations import Rolled
from freebody.formulations.table import FORMULATIONS
from freebody.model.model import Model
from freebody.run.build import build


def bodies(n: int, chain: bool = True) -> fb.System:
    s = fb.System("many")
    on = s.ground
    for k in range(n):
        solid = {"mass": 1.0, "com": (0, 0, -0.5), "inertia": (1, 1, 1)}
        made = s.body(f"b{k}", on=on, joint=fb.Revolute("y"), at=(0, 0, -1), **solid)
        on = made if chain else on
    return s


def test_default_formulation_depends_on_the_size() -> None:
    few, many = bodies(MANY), bodies(MANY + 1)
    assert few.derive().program().regions == few.derive("aba", rolled=False).program().regions
    assert bodies(4).derive().program().regions == bodies(4).derive("kane").program().regions
    assert isinstance(many.derive().derivation, Rolled) and isinstance(many.derive(rolled=True).derivation, Rolled)
    assert not isinstance(many.derive("aba", rolled=False).derivation, Rolled)
    assert not isinstance(many.derive("kane").derivation, Rolled)
    assert not isinstance(many.derive(small=["b0"]).derivation, Rolled)


@cache
def model(count: int, chain: bool = True) -> Model:
    return bodies(count, chain).freeze()


@pytest.mark.slow
def test_long_chains_are_derived_quickly() -> None:
    """Kane's equations took minutes and gigabytes; loops grow with the kinds of bodies, not with their number."""
    small, large = (sum(len(code) for code in bodies(n).derive().program().blocks) for n in (100, 1000))
    assert large < small + 20 * 900


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["kane", "crba", "sayers", "poincare", "cheapest"])
def test_long_derivations_are_announced(formulation: str) -> None:
    with pytest.warns(SlowWarning, match=f"deriving '{formulation}' for 1000 bodies, up to 1000 one on"):
        warn_of_size(model(1000), FORMULATIONS[formulation])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_size(model(1000, chain=False), FORMULATIONS["kane"])
        warn_of_size(model(40), FORMULATIONS[formulation])
        warn_of_size(model(1000), FORMULATIONS["aba"])


def test_runs_compute_only_nonzero_entries_of_the_mass_matrix() -> None:
    s = bodies(60, chain=False)
    p = build(s.derive("kane").derivation, {})
    mass = p.mechanics.programs.mass.value
    assert mass is not None and mass.program.outputs[0].size == 60
    assert np.allclose(p.mechanics.mass_matrix(0.0, np.zeros(120)), 1.25 * np.eye(60))
    q = np.linspace(-1, 1, 12)
    chain = bodies(6).derive("kane")
    M = build(chain.derivation, {}).mechanics.mass_matrix(0.0, q)
    assert np.allclose(M, chain.compile("numpy").mass_matrix(q[:6]), rtol=1e-12)
    rolled = build(bodies(6).derive("aba", rolled=True).derivation, {}).mechanics.mass_matrix(0.0, q)
    assert np.allclose(rolled, M, rtol=1e-12)
