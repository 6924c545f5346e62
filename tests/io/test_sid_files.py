"""SID files: a round trip, and a file that is written here from the formulas of Schwertassek and Wallrapp"""

import warnings
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, FileWarning
from tests.flexible.reduced_bodies import difference, random_reduced

SAME = 1e-12


@pytest.mark.parametrize("n", [1, 3, 6])
def test_everything_that_sid_holds_is_the_same_after_a_file(n: int, tmp_path: Path) -> None:
    body = random_reduced(n, n)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no contradictions between redundant matrices
        again = fb.read_reduced(body.save(tmp_path / "part.SID"))
    assert difference(body.reduced.data, again.reduced.data) <= SAME
    assert again.reduced.record.method == "SID" and again.reduced.record.stiffening
    assert again.summary.startswith(f"source       part.SID (SID): {n} modes")
    assert again.save(tmp_path / "again.SID").read_text() == (tmp_path / "part.SID").read_text()


@pytest.mark.paper("004", "23")
def test_a_turning_beam_moves_the_same_after_a_file(tmp_path: Path) -> None:
    """Geometric stiffening is in the terms of first order."""
    beam = fb.Beam(length=8, EI=(1.4e4, 2e4), EA=2.8e7, density=1.2, polar_inertia=0.01)
    random = random_reduced(0).reduced
    reduced = type(random)(beam.modal_data({"bending y": 2, "bending z": 2}), random.mesh, random.record)
    fb.ReducedBody(reduced).save(tmp_path / "beam.SID")
    found = []
    sid = fb.read_reduced(tmp_path / "beam.SID")
    for description, modes in ((beam, {"bending y": 2, "bending z": 2}), (sid, 4)):
        s = fb.System()
        boom = s.body("boom", joint=fb.Free(), flexible=description, modes=modes)
        s.force({"in": "boom", "xyz": (1, 2, 3)}, at=boom.node("tip"))
        f = s.derive().compile("numpy")
        rng = np.random.default_rng(1)
        q, u = rng.normal(size=len(f.equations.q)), rng.normal(size=len(f.equations.u))
        q[3:7] /= np.linalg.norm(q[3:7])
        q[7:] *= 0.1
        found.append(f.forward_dynamics(q, u))
    assert np.abs(found[0] - found[1]).max() <= SAME * np.abs(found[0]).max()


# A file from the formulas of the book


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def omega_terms(left: np.ndarray, right: np.ndarray) -> list[float]:
    """The coefficients of leftᵀ ω~ ω~ right at ωx², ωy², ωz², ωx ωy, ωy ωz, ωx ωz."""
    A = np.outer(left, right) - np.dot(left, right) * np.eye(3)  # ω~ω~ = ω ωᵀ − ω² 1
    return [A[0, 0], A[1, 1], A[2, 2], A[0, 1] + A[1, 0], A[1, 2] + A[2, 1], A[0, 2] + A[2, 0]]


def taylor(name: str, m0: np.ndarray, m1: np.ndarray | None = None, structure: int = 3) -> str:
    """A matrix; m1 has the indices row, mode, column."""
    lines = [f"order = {int(m1 is not None)}", f"nrow = {m0.shape[0]}", f"ncol = {m0.shape[1]}", "nq = 2", "nqn = 0"]
    lines.append(f"structure = {structure}")
    lines += [f"m0({i + 1},{j + 1}) = {x:.17e}" for (i, j), x in np.ndenumerate(m0) if structure != 2 or j <= i]
    if m1 is not None:
        lines += [f"m1( {i + 1}, {s + 1}, {j + 1}) ={x: .17E}".replace("E", "D") for (i, s, j), x in np.ndenumerate(m1)]
    return "\n".join([name, *lines, f"end {name}"])


M = np.array([1.0, 2.0, 0.5])
R = np.array([[0.0, 0.1, 0.0], [1.0, 0.0, 0.2], [2.0, -0.3, 0.1]])
PHI = np.random.default_rng(4).normal(size=(3, 3, 2))
GAMMA = np.random.default_rng(5).normal(size=(3, 3, 2, 2))
GAMMA = 0.1 * (GAMMA + GAMMA.swapaxes(2, 3))
KE = np.array([[50.0, 4.0], [4.0, 90.0]])
GROUPED = {"axis": lambda a: a.reshape(len(a), -1), "mode": lambda a: a.swapaxes(1, 2).reshape(len(a), -1)}


def sid_text(grouped: str = "axis", **changed: str) -> str:
    """Three point masses with two modes that are not orthonormal."""
    n, points = 2, range(3)
    Ct0 = np.einsum("k,kar->ra", M, PHI)
    Ct1 = np.einsum("k,kars->rsa", M, GAMMA)
    Cr0 = np.array([sum(M[k] * np.cross(R[k], PHI[k, :, r]) for k in points) for r in range(n)])
    Cr1 = np.array(
        [
            [
                sum(M[k] * (np.cross(PHI[k, :, s], PHI[k, :, r]) + np.cross(R[k], GAMMA[k, :, r, s])) for k in points)
                for s in range(n)
            ]
            for r in range(n)
        ]
    )
    C4 = np.array([sum(M[k] * skew(R[k]) @ skew(PHI[k, :, r]) for k in points) for r in range(n)])
    J0 = -sum(M[k] * skew(R[k]) @ skew(R[k]) for k in points)
    J1 = -C4 - C4.transpose(0, 2, 1)
    Oe0 = np.array([sum(M[k] * np.array(omega_terms(PHI[k, :, r], R[k])) for k in points) for r in range(n)])
    Oe1 = np.array(
        [
            [
                sum(
                    M[k] * (np.array(omega_terms(PHI[k, :, r], PHI[k, :, s])) + omega_terms(GAMMA[k, :, r, s], R[k]))
                    for k in points
                )
                for s in range(n)
            ]
            for r in range(n)
        ]
    )
    Gr, Ge = (-2 * C4).transpose(1, 2, 0), (Cr1 - Cr1.swapaxes(0, 1)).transpose(0, 2, 1)
    blocks = {
        "mdCM": taylor("mdCM", (M @ R)[:, None], Ct0.T[:, :, None]),
        "J": taylor("J", J0, J1.transpose(1, 0, 2), 2),
        "Ct": taylor("Ct", Ct0, Ct1),
        "Cr": taylor("Cr", Cr0, Cr1),
        "Me": taylor("Me", np.einsum("k,kar,kas->rs", M, PHI, PHI), None, 2),
        "Gr": taylor("Gr", GROUPED[grouped](Gr)),
        "Ge": taylor("Ge", GROUPED[grouped](Ge)),
        "Oe": taylor("Oe", Oe0, Oe1),
        "ksigma": taylor("ksigma", np.zeros((2, 1)), None, 0),
        "Ke": taylor("Ke", KE, None, 2),
        "De": taylor("De", 0.01 * KE, None, 2),
    }
    nodes = "\n".join(
        f"new node = {10 * k + 10}\nrframe = body ref\n{taylor('origin', R[k][:, None], PHI[k][:, :, None])}\n"
        f"{taylor('phi', PHI[k], GAMMA[k].swapaxes(1, 2))}\nend node"
        for k in points
    )
    modes = "ielastq ( 1) = bending y 1 : 1.0 Hz\nielastq ( 2) = Eigen Mode 2"
    whole = {"refmod": f"refmod\nmass = {M.sum()}D+00\nnelastq = 2\n{modes}\nend refmod"}
    whole |= {"frame": f"frame\n{nodes}\nend frame"} | blocks | changed
    title = "  3 2 :No. nodes, No. modes: by hand"
    return "\n".join([title, "part", "new modal =", *whole.values(), "end modal", "end part"])


def of_masses() -> fb.FlexibleNodes:
    """The same body as nodes with masses."""
    names = ["10", "20", "30"]
    return fb.FlexibleNodes(R, M, shapes=PHI, second=GAMMA, modal_stiffness=KE, rayleigh=(0, 0.01), names=names)


@pytest.mark.parametrize("grouped", GROUPED)
def test_a_file_by_hand_is_the_body_of_its_masses(grouped: str, tmp_path: Path) -> None:
    (tmp_path / "masses.SID_FEM").write_text(sid_text(grouped))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fb.read_reduced(tmp_path / "masses.SID_FEM").modal_data()
    expected = of_masses().modal_data()
    assert [mode.kind for mode in found.modes] == ["", ""] and found.nodes["20"].slopes is None
    for key in ("c0", "E", "C", "F0", "F1", "J0", "J1", "J2", "K", "D"):
        a, b = getattr(found, key), getattr(expected, key)
        assert np.abs(a - b).max() <= SAME * np.abs(b).max(), key
    for a, b in zip(found.nodes.values(), expected.nodes.values(), strict=True):
        assert np.abs(a.translations - b.translations).max() <= SAME * np.abs(b.translations).max()
        assert np.abs(a.second - b.second).max() <= SAME * np.abs(b.second).max()


def test_contradictions_and_unread_data_are_named(tmp_path: Path) -> None:
    unsymmetric = taylor("Oe", np.zeros((2, 6)), np.arange(24.0).reshape(2, 2, 6))
    text = sid_text(Gr=taylor("Gr", np.ones((3, 6))), Oe=unsymmetric)
    (tmp_path / "masses.SID").write_text(text)
    with pytest.warns(FileWarning) as caught:
        fb.read_reduced(tmp_path / "masses.SID")
    shown = str(caught[0].message)
    assert "Gr contradicts J and Cr, from which it follows; J and Cr are used" in shown
    assert "Oe.m1 is not symmetric in its modes" in shown


@pytest.mark.parametrize(("text", "message"), [
    (lambda: "\n".join(sid_text().split("\n")[:100]), r"the block '\w+' of line \d+ has no end; the file is truncated"),
    (lambda: sid_text(Ct=""), "the block 'Ct' is missing"),
    (lambda: sid_text(refmod="refmod\nmass = 1\nnelastq = 2000000000\nend refmod"),
     "'nelastq' is 2000000000; at most 500"),
    (lambda: sid_text(refmod="refmod\nmass = heavy\nnelastq = 2\nend refmod"), "'heavy' is not a number"),
    (lambda: sid_text(Ke=taylor("Ke", np.array([[1.0, np.nan], [0.0, 1.0]]))), "'nan' is not a finite number"),
    (lambda: sid_text(Ke=taylor("Ke", np.array([[1.0, 5.0], [0.0, 1.0]]))), "the stiffness matrix is not symmetric"),
    (lambda: sid_text(Ke=taylor("Ke", -np.eye(2))), "the stiffness matrix is indefinite"),
    (lambda: sid_text(Ct=taylor("Ct", np.zeros((2, 4)))), "Ct: it has 2 × 4 entries; 2 × 3 are needed"),
    (lambda: sid_text(Ct=taylor("Ct", np.zeros((2, 3)), np.zeros((2, 2, 4)))), "in the order row, mode, column"),
    (lambda: sid_text(mdCM=taylor("mdCM", np.full((3, 1), 99.0))),
     "the mass matrix of the undeformed body is not positive"),
    (lambda: sid_text().replace("end Ct", "end Cr"), "'end Cr' does not end the block 'Ct'"),
    (lambda: sid_text().replace("m0(1,1)", "m0(1 1,1)"), r"the indices of m0\(1 1,1\) are not in 3 × 1"),
    (lambda: sid_text().replace("nrow = 3", "nrow = ++3"), r"'nrow' must be an integer, not '\+\+3'"),
    (lambda: sid_text().replace("m0(1,1)", "m0(0,1)"), r"the indices of m0\(0,1\) are not in 3 × 1"),
    (lambda: "part\n" * 50, "too many blocks"),
    (lambda: "nothing", "it has no line 'part'"),
    (lambda: "part\0", "it is not a text file"),
])  # fmt: skip
def test_wrong_files_are_refused(text: "object", message: str, tmp_path: Path) -> None:
    (tmp_path / "part.sid").write_text(text())  # type: ignore[operator]
    with pytest.raises(FileError, match=message) as error:
        fb.read_reduced(tmp_path / "part.sid")
    assert str(tmp_path / "part.sid") in str(error.value)
