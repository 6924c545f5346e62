"""Flexible bodies given by nodes: computed modes, given shapes, nodal coordinates, and errors of wrong data."""

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import freebody as fb
from freebody.errors import FreebodyError
from tests.flexible.rigid_nodes import Array, bias, mass

K_NODES = 5


def frame_stiffness(positions: Array, EA: float = 1e5, EI: float = 50.0, GJ: float = 40.0) -> Array:
    """The stiffness matrix of a frame of beam elements along x, with six degrees of freedom per node."""
    k = len(positions)
    K = np.zeros((6 * k, 6 * k))
    for j in range(k - 1):
        h = positions[j + 1, 0] - positions[j, 0]
        element = np.zeros((12, 12))
        for (a, b), c in (((0, 6), EA / h), ((3, 9), GJ / h)):
            element[np.ix_([a, b], [a, b])] += c * np.array([[1, -1], [-1, 1]])
        for move, turn, sign in ((1, 5, 1), (2, 4, -1)):
            s = sign * h
            bend = (
                EI
                / h**3
                * np.array(
                    [
                        [12, 6 * s, -12, 6 * s],
                        [6 * s, 4 * h * h, -6 * s, 2 * h * h],
                        [-12, -6 * s, 12, -6 * s],
                        [6 * s, 2 * h * h, -6 * s, 4 * h * h],
                    ]
                )
            )
            at = [move, turn, 6 + move, 6 + turn]
            element[np.ix_(at, at)] += bend
        own = slice(6 * j, 6 * j + 12)
        K[own, own] += element
    return K


POSITIONS = np.column_stack([np.linspace(0.3, 2.3, K_NODES), np.full(K_NODES, 0.1), np.full(K_NODES, -0.2)])
RNG = np.random.default_rng(5)
SPREAD = RNG.normal(size=(K_NODES, 3, 3))
FRAME: dict[str, Any] = {
    "positions": POSITIONS, "masses": [0.5, 1.0, 2.0, 1.5, 0.7], "stiffness": frame_stiffness(POSITIONS),
    "inertias": 0.01 * (SPREAD @ SPREAD.swapaxes(1, 2) + np.eye(3)), "offsets": 0.05 * RNG.normal(size=(K_NODES, 3)),
    "names": ["base", "a", "b", "c", "end"], "frame": "base",
}  # fmt: skip


@pytest.mark.paper("004", "1", "2")
def test_computed_modes_are_those_of_the_nodes() -> None:
    """Frequencies of the matrices, M_ff = 1, K diagonal; all modes together move everything that is not the frame."""
    nodal = fb.FlexibleNodes(**FRAME, coordinates="nodal").modal_data()
    wanted = np.sqrt(eigh(nodal.K, nodal.M_ff, eigvals_only=True))
    data = fb.FlexibleNodes(**FRAME).modal_data(24)
    assert np.allclose([mode.frequency for mode in data.modes], wanted, rtol=1e-9)
    assert np.array_equal(data.M_ff, np.eye(24)) and np.array_equal(data.K, np.diag(np.diag(data.K)))
    assert np.array_equal(data.nodes["base"].position, np.zeros(3))
    assert not np.any(data.nodes["base"].translations)
    effective = sum(mode.effective_mass for mode in data.modes)
    assert np.allclose(effective[3:], data.m - 0.5, rtol=1e-9)


def test_modes_and_nodal_coordinates_describe_the_same_body() -> None:
    """In the basis of the modes, the data of nodal coordinates is that of the modes: M, b, and the paper's."""
    rng = np.random.default_rng(1)
    nodal = fb.FlexibleNodes(**FRAME, coordinates="nodal", rayleigh=(0.2, 0.01)).modal_data(paper=True)
    modal = fb.FlexibleNodes(**FRAME, rayleigh=(0.2, 0.01)).modal_data(6, paper=True)
    names = FRAME["names"][1:]
    T = np.concatenate([np.vstack([modal.nodes[name].translations, modal.nodes[name].slopes]) for name in names])
    turned = nodal.in_basis(T)
    eta, eta_dot, w = rng.normal(size=6), rng.normal(size=6), rng.normal(size=3)
    for a, b in (
        (mass(turned, eta), mass(modal, eta)),
        (bias(turned, eta, eta_dot, w), bias(modal, eta, eta_dot, w)),
        (turned.K, modal.K),
        (turned.D, modal.D),
    ):
        assert np.abs(a - b).max() < 1e-9 * np.abs(b).max()
    assert turned.paper is not None and modal.paper is not None
    assert np.allclose(turned.paper.bias(eta, eta_dot, w), modal.paper.bias(eta, eta_dot, w), rtol=1e-9, atol=1e-9)


@pytest.mark.paper("004", "3")
def test_given_shapes_of_a_free_body_are_seen_from_the_frame() -> None:
    """Free modes of the matrices, without the six of a rigid body, seen from a node: with all of them, the frequencies
    of the body with this node fixed."""
    vectors = free_modes()
    shapes, slopes = vectors[:, :3], vectors[:, 3:]
    fixed = fb.FlexibleNodes(**FRAME).modal_data(24)
    moved = fb.FlexibleNodes(**FRAME, shapes=shapes, slopes=slopes).modal_data()
    assert np.allclose([m.frequency for m in moved.modes], [m.frequency for m in fixed.modes], rtol=1e-8)
    assert not np.any(moved.nodes["base"].translations)
    few = fb.FlexibleNodes(**FRAME, shapes=shapes, slopes=slopes).modal_data(3)
    assert [m.frequency for m in few.modes] == [m.frequency for m in moved.modes[:3]]


def mass_matrix() -> Array:
    """Of all degrees of freedom, by definition: the kinetic energy of each node."""
    M = np.zeros((6 * K_NODES, 6 * K_NODES))
    for j in range(K_NODES):
        m, p, J = FRAME["masses"][j], FRAME["offsets"][j], FRAME["inertias"][j]
        P = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
        own = slice(6 * j, 6 * j + 6)
        M[own, own] = np.block([[m * np.eye(3), -m * P], [m * P, J - m * P @ P]])
    return M


def free_modes() -> Array:
    """Shapes (node, direction, mode) of the deforming modes of the free body."""
    return eigh(FRAME["stiffness"], mass_matrix())[1][:, 6:].reshape(K_NODES, 6, -1)


def test_preload_of_nodal_loads_is_the_static_deflection() -> None:
    load = (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
    data = fb.FlexibleNodes(**FRAME, loads={"end": load}).modal_data(24)
    eta = np.linalg.solve(data.K, data.preload)
    wanted = np.linalg.solve(FRAME["stiffness"][6:, 6:], np.concatenate([np.zeros(18), load]))
    end = data.nodes["end"]
    assert np.allclose(end.translations @ eta, wanted[18:21], rtol=1e-9)
    assert np.allclose(end.slopes @ eta, wanted[21:], rtol=1e-9)  # type: ignore[operator]


def test_damping_of_nodes() -> None:
    """Damping ratios and a damping matrix give the same D in modal and in nodal coordinates."""
    matrix = 0.01 * FRAME["stiffness"]
    ratios = tuple(0.01 * (1 + k) for k in range(24))
    for given in ({"damping": 0.03}, {"damping": ratios}, {"damping_matrix": matrix}):
        modal = fb.FlexibleNodes(**FRAME, **given).modal_data(24)
        nodal = fb.FlexibleNodes(**FRAME, **given, coordinates="nodal").modal_data()
        shapes = [np.vstack([modal.nodes[name].translations, modal.nodes[name].slopes]) for name in FRAME["names"][1:]]
        wanted = nodal.in_basis(np.concatenate(shapes)).D
        assert np.abs(modal.D - wanted).max() < 1e-7 * np.abs(wanted).max()
        omega = np.array([mode.frequency for mode in modal.modes])
        zeta = np.broadcast_to(given["damping"], 24) if "damping" in given else 0.005 * omega
        assert np.allclose([mode.damping for mode in modal.modes], zeta, rtol=1e-7)


def test_nodes_without_inertia_follow_statically() -> None:
    """Point masses on a frame with rotations: as many modes as displacements with mass."""
    frame = {key: value for key, value in FRAME.items() if key not in ("inertias", "offsets")}
    data = fb.FlexibleNodes(**frame).modal_data(12)
    K = FRAME["stiffness"][6:, 6:]
    moves = np.flatnonzero(np.arange(24) % 6 < 3)
    turns = np.flatnonzero(np.arange(24) % 6 >= 3)
    reduced = K[np.ix_(moves, moves)] - K[np.ix_(moves, turns)] @ np.linalg.solve(
        K[np.ix_(turns, turns)], K[np.ix_(turns, moves)]
    )
    wanted = np.sqrt(eigh(reduced, np.diag(np.repeat(FRAME["masses"][1:], 3)), eigvals_only=True))
    assert np.allclose([mode.frequency for mode in data.modes], wanted, rtol=1e-8)
    with pytest.raises(FreebodyError, match="only 12 modes of the nodes move a mass, not 13"):
        fb.FlexibleNodes(**frame).modal_data(13)


SHAPES = free_modes()
RIGID = np.zeros((K_NODES, 6, 1))
RIGID[:, 1] = 1.0
GIVEN = {"shapes": SHAPES[:, :3, :3], "slopes": SHAPES[:, 3:, :3]}


def with_mode(extra: Array) -> dict[str, Any]:
    both = np.concatenate([SHAPES[:, :, :3], extra], axis=2)
    return {"shapes": both[:, :3], "slopes": both[:, 3:]}


BROKEN = FRAME["stiffness"].copy()
BROKEN[7, 7] *= -1
NAN = np.array(POSITIONS)
NAN[2, 1] = np.nan
WRONG: list[tuple[dict[str, Any], Any, str]] = [
    (with_mode(RIGID), None, "stiffness: the whole body moves without deformation in mode 4. Leave modes of"),
    (with_mode(SHAPES[:, :, :1] - 2 * SHAPES[:, :, 1:2]), None,
     "shapes: mode 1, mode 2, mode 4 are linearly dependent; leave one of them out"),
    (with_mode(0 * RIGID), None, "shapes: mode 4 is zero at all nodes"),
    ({"stiffness": BROKEN}, 2, "stiffness: the stiffness matrix is indefinite"),
    ({"stiffness": -FRAME["stiffness"], **GIVEN}, None, "stiffness: the stiffness matrix is indefinite"),
    ({"frame": ""}, 2, "stiffness: the whole body can move without deformation (along x"),
    ({"masses": [0.5, 1.0, 0.0, 1.5, 0.7], "inertias": None, "offsets": None, "coordinates": "nodal"}, None,
     "masses: nodal coordinates need a mass for every displacement and an inertia for every rotation; without are: a"),
    ({"masses": np.zeros(5), "inertias": None, "offsets": None, **GIVEN}, None, "masses: mode 1 moves no mass"),
    ({"frame": "bass"}, 2, "frame: there is no node 'bass'. Did you mean base"),
    ({"loads": {"tip": (1, 2, 3)}}, 2, "loads.tip: there is no node 'tip'"),
    ({"positions": POSITIONS[:4]}, 2, "positions: 5 × 3 numbers are needed for 5 nodes, not 4 × 3"),
    ({"positions": NAN}, 2, "positions: its entry [2, 1] is nan; all entries must be finite numbers"),
    ({"positions": [[0, 0, 0], [1, 0]]}, 2, "positions: an array needs rows of equal lengths"),
    ({"masses": ["a", "b"]}, 2, "masses: an array of real numbers is needed"),
    ({"stiffness": np.eye(7)}, 2, "stiffness: 30 × 30 or 15 × 15 numbers are needed for 5 nodes, not 7 × 7"),
    ({"stiffness": None}, 2, "stiffness: give the stiffness of the nodes"),
    ({"stiffness": FRAME["stiffness"] + np.eye(30, k=1)}, 2, "stiffness: the stiffness matrix is not symmetric"),
    ({"slopes": GIVEN["slopes"]}, 2, "slopes: slopes belong to given mode shapes; give 'shapes' too"),
    ({"shapes": GIVEN["shapes"]}, 2, "inertias: nodes with inertias or offsets rotate; give the 'slopes'"),
    ({"masses": []}, 2, "masses: a body needs at least one node"),
    ({"names": ["a", "a", "b", "c", "d"]}, 2, "names: 5 different names are needed, one for each node"),
    ({"masses": [1, 1, -1, 1, 1]}, 2, "masses: the mass of node 'b' is negative"),
    (GIVEN, 4, "modes: there are 3 mode shapes, not 4"),
    ({}, None, "modes: give the number of modes that are computed"),
    ({}, {"axial": 1}, "modes: kinds of modes are known for beams only"),
    ({"coordinates": "nodal"}, 3, "modes: with coordinates='nodal' every displacement is a coordinate"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "modes", "text"), WRONG, ids=[text[:40] for *_, text in WRONG])
def test_wrong_nodes_have_clear_errors(fields: dict[str, Any], modes: Any, text: str) -> None:
    with pytest.raises(FreebodyError) as error:
        fb.FlexibleNodes(**{**FRAME, **fields}).modal_data(modes)
    assert str(error.value).removeprefix("FlexibleNodes.").startswith(text)
