"""What every kind of element goes through without further code: files, digest, schema, page of elements, picture."""

import json

import numpy as np

import freebody as fb
from freebody.drawing import Drawing
from freebody.io import dumps, loads
from freebody.io.format import json_schema
from freebody.io.reference import elements_page
from freebody.report.model_scene import model_scene
from freebody.results.drawing_data import from_plain, to_plain
from freebody.run.display_state import display_state, run_through
from freebody.viewer.scene import Scene

FORMULATIONS = (
    "crba",
    "poincare",
    "sayers",
    "aba",
    "aba rolled",
    "sparse rolled",
    "solver sparse",
    "solver null-space",
)
"""Lanes of ``tests.mechanisms.general_position`` in which each new kind is compared with Kane's equations."""


def in_files(s: fb.System, kind: str) -> fb.System:
    """The system that its model file describes: with the same text and digest. The schema and the page of elements know
    the kind."""
    text = dumps(s)
    again = loads(text, fb.System)
    assert dumps(again) == text
    assert again.digest() == s.digest()
    assert f"{kind}:" in text or f"type: {kind}" in text
    assert f'"{kind}"' in json.dumps(json.loads(json_schema()))
    assert f"### {kind}" in elements_page()
    return again


def picture(s: fb.System) -> tuple[Drawing, Scene]:
    """The facts of a picture, which a file of a run can hold, and the scene."""
    eq = s.derive("kane")
    state = display_state(eq.derivation, eq.values)
    facts, about = state.drawing, run_through(state, np.zeros(1), state.q[None, :]).about
    stored = from_plain(json.loads(json.dumps(to_plain(facts))), about)
    assert stored.constraints == facts.constraints
    assert [load.name for load in stored.loads] == [load.name for load in facts.loads]
    return facts, model_scene(eq.derivation, eq.values)
