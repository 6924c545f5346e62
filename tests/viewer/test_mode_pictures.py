"""Pictures of mode shapes"""

from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.viewer.mode_pictures import AMPLITUDE, TURN, body_size, drawn_scale
from tests.flexible.reduced_bodies import random_reduced

BEAM = fb.Beam(length=2, EI=(100, 80), GJ=50, EA=1e5, density=1.0, polar_inertia=0.01)
KINDS = {"bending y": 1, "bending z": 1, "axial": 1, "torsion": 1}


def test_prisms_show_the_displacements_and_turns_of_beams() -> None:
    """The mean of four corners is the node's displacement, and their differences its rotation."""
    data = BEAM.modal_data(KINDS)
    mesh = data.drawing
    for k in (0, len(data.outline) - 1):
        node, at = data.outline[k], slice(4 * k, 4 * k + 4)
        assert np.abs(mesh.shapes[at].mean(0) - node.translations).max() < 1e-14
        for corner, moved in zip(mesh.points[at], mesh.shapes[at], strict=True):
            expected = node.translations + np.cross(node.slopes, corner - node.position, axis=0)
            assert np.abs(moved - expected).max() < 1e-14
    assert mesh.triangles.max() == len(mesh.points) - 1 and len(mesh.triangles) == 8 * (len(data.outline) - 1)


def test_displacements_are_drawn_within_limits() -> None:
    s = fb.System()
    table = s.body("boom", flexible=BEAM, modes=KINDS).modes
    shapes = {mode.kind: shape for mode, shape in zip(table, table.shapes(), strict=True)}
    for kind, shape in shapes.items():
        drawn = drawn_scale(shape) * shape.displacements
        assert np.linalg.norm(drawn, axis=1).max() <= AMPLITUDE * body_size(shape) * (1 + 1e-12)
        ends = drawn[shape.lines]
        length = np.linalg.norm(np.diff(shape.points[shape.lines], axis=1)[:, 0], axis=1)
        assert (np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / length).max() <= TURN * (1 + 1e-12)
        assert kind in shape.title and "Hz" in shape.title
    assert (
        abs(
            np.linalg.norm(drawn_scale(shapes["bending y"]) * shapes["bending y"].displacements, axis=1).max()
            - AMPLITUDE * body_size(shapes["bending y"])
        )
        < 1e-9
    )


@pytest.mark.parametrize("name", ["shapes.png", "shapes.pdf"])
def test_figures_are_written(name: str, tmp_path: Path) -> None:
    figure = random_reduced(2).modes.plot(tmp_path / name, modes=3)
    assert len(figure.axes) == 3 and (tmp_path / name).stat().st_size > 1000
    factors = [f"× {drawn_scale(shape):.3g}" for shape in random_reduced(2).modes.shapes(3)]
    assert [ax.texts[0].get_text() for ax in figure.axes] == factors
    for modes in (0, -1, "3"):
        with pytest.raises(ModelError, match="number of modes to draw is a positive integer"):
            random_reduced(2).modes.plot(modes=modes)  # type: ignore[arg-type]
    nodes = fb.FlexibleNodes([[0, 0, 0], [1, 0, 0]], [1.0, 1.0], stiffness=_spring(), frame="1")
    assert len(nodes.modal_data(2).drawing.points) == 2
    assert len(fb.System().body("a", flexible=nodes, modes=2).modes.plot().axes) == 2


def _spring() -> np.ndarray:
    K = np.zeros((12, 12))
    for k in range(6):
        K[k, k] = K[k + 6, k + 6] = 10.0 + k
        K[k, k + 6] = K[k + 6, k] = -10.0 - k
    return K


def test_a_body_without_points_is_named() -> None:
    data = BEAM.modal_data(1)
    body = fb.ModalIntegrals(data.m, data.c0, data.J0, data.E, data.F0, data.K)
    with pytest.raises(ModelError, match="the body has no points to draw"):
        fb.System().body("a", flexible=body).modes.plot()
