"""Laws of all descriptions of flexible bodies: given integrals, frames, files, schemas and digests."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import freebody as fb
from freebody.errors import FreebodyError
from freebody.fem.modal_data import ModalData
from freebody.io import dumps, loads
from freebody.io.model_writer import Out
from freebody.model.element import from_data, help_text, normal_form, schema_of, to_data
from freebody.model.flexible import FLEXIBLE, FlexibleDescription
from freebody.model.joints.base import GraphScope
from freebody.model.model import _Digester
from freebody.scalar.graph import Graph
from tests.flexible.rigid_nodes import Array, bias, mass
from tests.flexible.test_flexible_nodes import FRAME, free_modes

TENSORS = ("m", "c0", "E", "C", "F0", "F1", "J0", "J1", "J2", "M_ff", "K", "D")
SECTION = {"EI": (900.0, 1300.0), "GJ": 400.0, "EA": 3e4, "density": 1.5, "polar_inertia": 0.05}


def integrals_of(data: ModalData, **changed: Any) -> fb.ModalIntegrals:
    """The same body, given by its integrals."""
    nodes = {
        name: {
            "position": node.position,
            "translations": node.translations,
            "slopes": node.slopes,
            "second": np.array(node.second),
        }
        for name, node in data.nodes.items()
    }
    arrays = {name: np.array(getattr(data, name)) for name in TENSORS if name != "m"}
    return fb.ModalIntegrals(**{"m": data.m, **arrays, "nodes": nodes, **changed})


def test_integrals_describe_the_body_that_they_come_from() -> None:
    """In another basis too: the modes are made orthonormal again."""
    data = fb.Beam(3.0, **SECTION, axial=1, torsion=1, damping=0.03).modal_data(4)
    again = integrals_of(data).modal_data()
    for name in TENSORS:
        assert np.array_equal(getattr(data, name), getattr(again, name)), name
    T = np.random.default_rng(2).normal(size=(6, 6))
    mixed = integrals_of(data.in_basis(T)).modal_data()
    assert np.allclose(np.diag(mixed.K), np.diag(data.K), rtol=1e-9)
    signs = np.diag(np.sign(np.einsum("ar,ar->r", mixed.F0, data.F0) + np.einsum("ar,ar->r", mixed.E, data.E)))
    for name in ("C", "F1", "J1", "J2", "D"):
        wanted = getattr(data.in_basis(signs), name)
        assert np.abs(getattr(mixed, name) - wanted).max() < 1e-8 * np.abs(wanted).max(), name
    assert integrals_of(data).modal_data(2).n == 2


@pytest.mark.parametrize("ends", ["pinned", "free"])
def test_free_vibrations_do_not_depend_on_the_frame(ends: str) -> None:
    """A free body has the same frequencies whichever node is its frame; those of free modes are the modes' own."""

    def free(frame: str) -> Array:
        beam = fb.Beam(3.0, **SECTION, ends=ends, frame=frame, nodes={"mid": 1.2}, torsion=1, axial=1)
        data = beam.modal_data(4)
        K = np.zeros((data.n + 6, data.n + 6))
        K[: data.n, : data.n] = data.K
        return eigh(K, mass(data, np.zeros(data.n)), eigvals_only=True)[6:]

    floating = free("floating")
    for frame in ("root", "mid", "tip"):
        assert np.allclose(free(frame), floating, rtol=1e-9)
    if ends == "free":
        data = fb.Beam(3.0, **SECTION, ends=ends, frame="floating", torsion=1, axial=1).modal_data(4)
        assert np.allclose(floating, np.diag(data.K), rtol=1e-9)


def test_power_balances_in_a_moved_frame() -> None:
    """b of the data of a moved frame belongs to its M: their power is the rate of the energy."""
    shapes = free_modes()
    data = fb.FlexibleNodes(**FRAME, shapes=shapes[:, :3, :5], slopes=shapes[:, 3:, :5]).modal_data()
    rng = np.random.default_rng(4)
    eta, eta_dot, w = rng.normal(size=5), rng.normal(size=5), rng.normal(size=3)
    V = np.concatenate([eta_dot, w, np.zeros(3)])
    rate = (mass(data, eta + 1e-5 * eta_dot) - mass(data, eta - 1e-5 * eta_dot)) / 2e-5
    assert V @ bias(data, eta, eta_dot, w) == pytest.approx(0.5 * V @ rate @ V, rel=1e-8)


def test_no_modes_is_the_rigid_body() -> None:
    """Mass, mass centre and inertia of the undeformed body, in every description."""
    beam = fb.Beam(3.0, **SECTION)
    for data in (beam.modal_data(0), integrals_of(beam.modal_data(2)).modal_data(0)):
        assert data.n == 0 and data.modes == () and data.J2.shape == (0, 0, 3, 3)
        assert data.m == pytest.approx(4.5) and np.allclose(data.c0, (6.75, 0, 0))
        assert np.allclose(data.J0, np.diag([0.15, 13.5, 13.5]))
        assert data.nodes["tip"].translations.shape == (3, 0)
    a, b = (fb.FlexibleNodes(**FRAME).modal_data(n) for n in (0, 3))
    assert a.n == 0 and a.m == b.m and np.array_equal(a.J0, b.J0)


DESCRIPTIONS: dict[str, FlexibleDescription] = {
    "beam": fb.Beam(3.0, **SECTION, damping=(0.1, 0.2), nodes={"mid": 1.0}, masses={"mid": 2, "tip": {"mass": 1,
                    "inertia": (1, 2, 3)}}, loads={"mid": (1, 2, 3)}),
    "segments": fb.Beam(segments=[{"length": 1, "EI": ["2*pi", None], "density": 1},
                                  {"length": 2, "EI": (3, None), "density": 1}]),
    "nodes": fb.FlexibleNodes(**FRAME, rayleigh=(0.1, 0.2)),
    "shapes": fb.FlexibleNodes(**FRAME, shapes=free_modes()[:, :3, :2], slopes=free_modes()[:, 3:, :2]),
    "integrals": integrals_of(fb.Beam(3.0, **SECTION).modal_data(2)),
    "frame": fb.SpaceFrame(nodes={"a": (0, 0, 0), "b": (1, 0, 0)}, members=[{"nodes": ["a", "b"], "elements": 3}],
                      sections={"tube": {"EA": 1e4, "EI": (3, 2), "GJ": 1, "density": 1, "polar_inertia": 1e-3}}),
}  # fmt: skip


GIVEN_MODES = {"shapes", "integrals"}
"""Those with the modes that they are given, so that a number of them cannot be chosen."""


def normal(description: FlexibleDescription) -> FlexibleDescription:
    return normal_form(description, GraphScope(Graph()), late=False)


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_data_of_files(name: str) -> None:
    """What is written reads back as the same description: equal digests, equal modal data."""
    element = normal(DESCRIPTIONS[name])
    written = to_data(element, Out([], (), None, {}, None))  # type: ignore[arg-type]
    again = normal(from_data(type(element), written))
    digests = [_Digester(Graph()).plain(one) for one in (element, again, normal(again))]
    assert digests[0] == digests[1] == digests[2]
    assert set(written) <= set(schema_of(type(element))["properties"])
    assert element.kind in help_text(type(element))
    count = None if name in GIVEN_MODES else 2
    a, b = element.modal_data(count), again.modal_data(count)
    assert all(np.array_equal(getattr(a, key), getattr(b, key)) for key in TENSORS)


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_model_files(name: str) -> None:
    """A system with this body reads back from a model file with an equal digest; another number is another digest."""
    s = fb.System("file")
    count = None if name in GIVEN_MODES else 2
    s.body("arm", joint=fb.Revolute("z"), flexible=DESCRIPTIONS[name], modes=count)
    assert loads(dumps(s), fb.System).digest() == s.digest()
    other = fb.System("file")
    other.body("arm", joint=fb.Revolute("z"), flexible=replace(DESCRIPTIONS[name], rayleigh=(0, 1e-9)), modes=count)
    assert other.digest() != s.digest()


def test_every_entry_of_an_array_is_in_the_digest() -> None:
    """Also in the middle of an array that is too large to be shown whole."""
    element = fb.FlexibleNodes(
        positions=np.zeros((500, 3)),
        masses=np.ones(500),
        modal_stiffness=np.eye(2),
        shapes=np.random.default_rng(0).normal(size=(500, 3, 2)),
    )
    masses = np.ones(500)
    masses[250] += 1e-15
    digests = {repr(_Digester(Graph()).plain(normal(one))) for one in (element, replace(element, masses=masses))}
    assert len(digests) == 2
    with pytest.raises(ValueError, match="read-only"):
        normal(element).masses[0] = 2.0  # type: ignore[attr-defined]


GOOD = integrals_of(fb.Beam(3.0, **SECTION).modal_data(2))
WRONG: list[tuple[dict[str, Any], Any, str]] = [
    ({"E": np.zeros((2, 3))}, None, "E: 3 × 3 numbers are needed, not 2 × 3"),
    ({"C": np.zeros((3, 2, 1))}, None, "C: 3 × 2 × 2 numbers are needed, not 3 × 2 × 1"),
    ({"K": np.eye(3)}, None, "K: 2 × 2 numbers are needed, or 2 on the diagonal"),
    ({"K": -np.eye(2)}, None, "K: the stiffness matrix is indefinite"),
    ({"K": np.diag([1.0, 0.0])}, None, "K: the stiffness matrix is singular"),
    ({"M_ff": np.array([[1.0, 0.5], [0.2, 1.0]])}, None, "M_ff: it must be symmetric in its indices 1 and 2"),
    ({"E": 10 * GOOD.E}, None, "m: the mass matrix of the undeformed body is not positive"),
    ({"m": -1.0}, None, "m: the mass matrix of the undeformed body is not positive"),
    ({"kinds": ["a"]}, None, "kinds: there are 2 modes and 1 kinds"),
    ({"nodes": {"tip": {"position": [1, 2], "translations": np.zeros((3, 2))}}}, None,
     "nodes.tip.position: 3 numbers are needed, not 2"),
    ({"loads": {"end": (1, 2, 3)}}, None, "loads.end: there is no node 'end'"),
    ({}, 3, "modes: there are integrals of 2 modes, not of 3"),
    ({}, {"axial": 1}, "modes: kinds of modes are known for beams only"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "modes", "text"), WRONG, ids=[text[:30] for *_, text in WRONG])
def test_wrong_integrals_have_clear_errors(fields: dict[str, Any], modes: Any, text: str) -> None:
    with pytest.raises(FreebodyError) as error:
        replace(GOOD, **fields).modal_data(modes)
    assert str(error.value).removeprefix("ModalIntegrals.").startswith(text)


def test_all_descriptions_are_in_the_family() -> None:
    assert {type(one).kind for one in DESCRIPTIONS.values()} == set(FLEXIBLE) - {"reduced"}  # test_reduced_files.py
    names = "Beam", "SpaceFrame", "FlexibleNodes", "ReducedBody"
    assert all(getattr(fb, name) in FLEXIBLE.values() for name in names)
