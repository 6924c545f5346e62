"""Structures from files: NPZ, Matrix Market, CalculiX; units, masses, and files that are refused"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import mmread, mmwrite
from scipy.sparse import coo_matrix, csr_matrix, diags, random_array

import freebody as fb
from freebody import array_files
from freebody.errors import FileError, FileWarning, ModelError
from freebody.fem.structure import Structure
from freebody.io import calculix_files
from freebody.io.calculix_files import InputDeck, _read_input
from freebody.io.number_files import read_matrix_market
from freebody.io.other_formats import FEM_FORMATS

MASS = 4.5
EDGES = [(a, b) for a in range(8) for b in range(a) if bin(a ^ b).count("1") <= 2]
"""The edges and diagonals of the faces of a cube."""
SETS = {"left": np.array([0, 2, 4, 6]), "corner": np.array([7])}


def cube() -> Structure:
    """Bars along the edges and face diagonals of a box, each with its consistent mass."""
    x = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)]) * [0.1, 0.2, 0.3]
    K, M = np.zeros((24, 24)), np.zeros((24, 24))
    for a, b in EDGES:
        e = (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])
        at = np.r_[3 * a : 3 * a + 3, 3 * b : 3 * b + 3]
        K[np.ix_(at, at)] += 1e5 * np.kron([[1, -1], [-1, 1]], np.outer(e, e))
        M[np.ix_(at, at)] += MASS / len(EDGES) / 6 * np.kron([[2, 1], [1, 2]], np.eye(3))
    lines = np.array(EDGES, dtype=np.intp)
    return replace(Structure.from_nodes(x, csr_matrix(M), csr_matrix(K), lines=lines, name="box"), sets=SETS)


def assert_equal(a: Structure, b: Structure, precision: float = 0.0) -> None:
    """Equal up to the order of the unknowns."""
    assert np.array_equal(a.unknown >= 0, b.unknown >= 0) and a.sets.keys() == b.sets.keys()
    p, q = (s.unknown[s.unknown >= 0] for s in (a, b))
    for x, y in ((a.mass[p][:, p], b.mass[q][:, q]), (a.stiffness[p][:, p], b.stiffness[q][:, q])):
        assert abs(x - y).max() <= precision * abs(x).max()
    assert np.abs(a.positions - b.positions).max() <= precision
    assert all(np.array_equal(a.sets[name], b.sets[name]) for name in a.sets)


def test_a_structure_is_the_same_after_npz(tmp_path: Path) -> None:
    s = cube()
    s.save(tmp_path / "box.npz")
    again = fb.read_structure(tmp_path / "box.npz", total_mass=MASS)
    assert_equal(s, again)
    assert again.name == "box" and np.array_equal(again.lines, s.lines) and abs(again.total_mass - MASS) < 1e-12
    rng = np.random.default_rng(0)
    cross: Any = tuple(csr_matrix(random_array((24, 24), density=0.1, rng=rng)) for _ in range(3))
    component = np.where(s.component == 2, 6, s.component)
    other = replace(s, component=component, cross=cross, rigid=rng.normal(size=(24, 6)))
    other.save(tmp_path / "box.npz")
    again = fb.read_structure(tmp_path / "box.npz")
    assert again.rigid is not None and np.array_equal(again.rigid, other.rigid)
    assert all(abs(x - y).max() == 0 for x, y in zip(again.crosses, cross, strict=True))
    with pytest.warns(FileWarning, match="the geometric stiffness .* is not written; .* save the reduced body"):
        replace(s, geometric=lambda u: s.stiffness).save(tmp_path / "box.npz")


@pytest.mark.paper("004", "23")
def test_matrix_market_with_nodes_in_every_form(tmp_path: Path) -> None:
    s, numbers = replace(cube(), sets={}), np.array([11, 3, 7, 20, 1, 5, 6, 9])
    table = np.column_stack([numbers, s.positions])
    mmwrite(tmp_path / "K.mtx", s.stiffness, symmetry="symmetric", precision=17)
    mmwrite(tmp_path / "M.mtx", s.mass.toarray(), symmetry="general", precision=17)
    np.savetxt(tmp_path / "nodes.csv", s.positions, delimiter=",", header="x, y, z", comments="", fmt="%.17g")
    np.savetxt(tmp_path / "nodes.txt", table, header="number x y z", fmt="%.17g")
    np.save(tmp_path / "nodes.npy", table)
    files: dict[str, Any] = {"stiffness": tmp_path / "K.mtx", "mass": str(tmp_path / "M.mtx")}
    for nodes in (tmp_path / "nodes.csv", tmp_path / "nodes.txt", tmp_path / "nodes.npy", s.positions):
        assert_equal(fb.read_structure(**files, nodes=nodes), s, 1e-15)
    order = np.random.default_rng(1).permutation(24)[:20]  # four unknowns are supported
    K, M = s.stiffness[order][:, order], s.mass[order][:, order]
    unknowns = np.column_stack([numbers[s.node[order]], s.component[order] + 1])
    part = fb.read_structure(stiffness=K, mass=M, nodes=table, unknowns=unknowns, sets={"a": [3, 9]})
    assert np.array_equal(part.node, s.node[order]) and np.array_equal(part.component, s.component[order])
    assert np.array_equal(part.sets["a"], [1, 7])


# CalculiX

NUMBERS = [10, 20, 30, 40, 50, 60, 70, 81]


def write_job(folder: Path, s: Structure, kept: Any = None, frd: bool = False) -> Path:
    """The files that CalculiX writes, with its formats; ``kept`` are the unknowns that are not supported."""
    rng = np.random.default_rng(2)
    order = rng.permutation(np.arange(s.size) if kept is None else kept)
    for name, A in (("sti", s.stiffness), ("mas", s.mass)):
        # both files have the same pattern
        side = coo_matrix(np.triu(A[order][:, order].toarray()) + np.triu(np.full((len(order),) * 2, 1e-300)))
        lines = [f"{i + 1} {j + 1} {x:20.13e}" for i, j, x in zip(side.row, side.col, side.data, strict=True)]
        (folder / f"job.{name}").write_text("\n".join(lines) + "\n")
    unknowns = [f"{NUMBERS[s.node[k]]}.{s.component[k] + 1}" for k in order]
    (folder / "job.dof").write_text("\n".join(unknowns) + "\n")
    nodes = [f"{n}, {x!r}, {y:.15e}, {z}" for n, (x, y, z) in zip(NUMBERS, s.positions.tolist(), strict=True)]
    if frd:
        rows = [f" -1{n:10d}" + "".join(f"{v:12.5E}" for v in x) for n, x in zip(NUMBERS, s.positions, strict=True)]
        head = [f"    1C{'':66}", f"    2C{'':18}{8:12d}{'':37}1"]
        (folder / "job.frd").write_text("\n".join([*head, *rows, " -3", "    3C"]) + "\n")
        return folder / "job.sti"
    (folder / "mesh.inp").write_text("\n".join(["*NODE, NSET=all", *nodes]) + "\n")
    text = """** a box
*INCLUDE, INPUT=mesh.inp
*Nset, nset=LEFT, generate
10, 70, 20
*NSET, NSET=corner
 81
*NSET, NSET=both
left, corner,
*ELEMENT, TYPE=C3D8R, ELSET=e
1, 10, 20, 40, 30, 50,
60, 81, 70
*STEP
*FREQUENCY, SOLVER=MATRIXSTORAGE
*END STEP
"""
    (folder / "job.inp").write_text(text)
    return folder / "job.sti"


def test_calculix_with_its_input_file(tmp_path: Path) -> None:
    s = cube()
    found = fb.read_structure(write_job(tmp_path, s), total_mass=MASS)
    sets = {"all": np.arange(8), "LEFT": SETS["left"], "corner": SETS["corner"], "both": np.array([0, 2, 4, 6, 7])}
    assert_equal(found, replace(s, sets=sets), 1e-12)
    assert len(found.triangles) == 12 and set(np.ravel(found.triangles)) == set(range(8))
    kept = np.flatnonzero(s.node > 1)
    part = fb.read_structure(write_job(tmp_path, s, kept))  # two nodes are supported
    assert part.size == 18 and np.all(part.unknown[:2] == -1)
    assert abs(part.stiffness - replace(part, stiffness=part.stiffness.T).stiffness).max() == 0


def test_calculix_with_its_result_file(tmp_path: Path) -> None:
    s = cube()
    assert_equal(fb.read_structure(write_job(tmp_path, s, frd=True)), replace(s, sets={}), 1e-6)


def test_included_files_are_in_the_folder_of_the_deck_or_in_named_ones(tmp_path: Path) -> None:
    """Also through links; an error shows no text of a file."""
    s, deck, other = cube(), tmp_path / "deck", tmp_path / "other"
    deck.mkdir()
    other.mkdir()
    job = write_job(deck, s)
    (deck / "mesh.inp").rename(other / "nodes.inp")
    (other / "secret.inp").write_text("*NODE\npassword 12345\n")
    (deck / "link.inp").symlink_to(other / "nodes.inp")
    text = (deck / "job.inp").read_text()
    for name in ("../other/nodes.inp", str(other / "nodes.inp"), "link.inp", "../other/none.inp"):
        (deck / "job.inp").write_text(text.replace("mesh.inp", name))
        with pytest.raises(FileError, match=r"job.inp:2: the included file '.*' is outside of the folders"):
            fb.read_structure(job)
        if "none" not in name:
            found = fb.read_structure(job, folders=[other])
            assert np.array_equal(found.sets["LEFT"], SETS["left"])
    (deck / "job.inp").write_text(text.replace("mesh.inp", "secret.inp"))
    with pytest.raises(FileError) as error:
        fb.read_structure(job, folders=other)
    assert "secret.inp:2: this line is not a node" in str(error.value) and "12345" not in str(error.value)
    with pytest.raises(FileError, match="there is no such folder"):
        fb.read_structure(job, folders=["nowhere"])


BOMBS: dict[str, tuple[str, str]] = {
    "a set in itself": ("*NODE\n1,0,0,0\n*NSET,NSET=A\n1\n" + ",".join(["A"] * 34) + "\n", ""),
    "sets of sets": ("*NSET,NSET=A0\n1\n" + "".join(f"*NSET,NSET=A{k + 1}\n{f'A{k},' * 10}\n" for k in range(30)), ""),
    "long numbers": ("*NSET,NSET=A\n" + "9" * 5000 + "\n", "neither a node nor a set"),
    "long elements": ("*ELEMENT,TYPE=C3D8\n" + "9" * 5000 + ",1,2\n", "not an element"),
    "separators of records": ("*ELEMENT,TYPE=C3D8\n1,\x1e8,2\n", "not an element"),
    "endless lines": ("*ELEMENT,TYPE=C3D8\n" + "1,\n" * 1000, "more than 100 lines of data"),
    "ranges": ("*NODE\n1,0,0,0\n*NSET,NSET=A,GENERATE\n" + "1,999999999999\n" * 1000, ""),
    "infinite positions": ("*NODE\n1,1e999,0,0\n", "is not a node"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_decks_are_read_in_little_memory(name: str, tmp_path: Path) -> None:
    text, message = BOMBS[name]
    (tmp_path / "job.inp").write_text(text)
    deck = InputDeck()
    if message:
        with pytest.raises(FileError, match=message):
            _read_input(tmp_path / "job.inp", deck, [])
        return
    _read_input(tmp_path / "job.inp", deck, [])
    assert sum(len(numbers) + len(ranges) for numbers, ranges in deck.sets.values()) < 100


def test_sets_of_decks_together_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculix_files, "MEMBERS", 50)
    (tmp_path / "job.inp").write_text("*NSET,NSET=A\n1,2,3,4,5,6,7,8,9\n" + "*NSET,NSET=B\nA\n" * 6)
    with pytest.raises(FileError, match=r"job.inp:12: its sets and elements have more than 50 nodes together"):
        _read_input(tmp_path / "job.inp", InputDeck(), [])


@pytest.mark.parametrize("seed", range(4))
def test_matrix_market_files_are_those_that_scipy_writes(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    A = random_array((9, 9), density=0.3, rng=rng).toarray()
    for matrix, symmetry in ((A, "general"), (A + A.T, "symmetric")):
        for form in (matrix, coo_matrix(matrix)):
            mmwrite(tmp_path / "A.mtx", form, "a comment", symmetry=symmetry, precision=17)
            found = read_matrix_market(tmp_path / "A.mtx", "stiffness").toarray()
            assert np.array_equal(found, matrix)
            assert np.array_equal(found, csr_matrix(mmread(tmp_path / "A.mtx")).toarray())


# Units and masses


@pytest.mark.parametrize(("units", "length", "mass", "time"), [
    ("mm-t-s", 1e-3, 1e3, 1.0), ("mm-kg-ms", 1e-3, 1.0, 1e-3), ("in-lbf-s", 0.0254, 175.12683524647635, 1.0),
])  # fmt: skip
def test_units_are_converted(units: str, length: float, mass: float, time: float) -> None:
    """Frequencies and energies of the converted structure are those of the original one in its units."""
    rng = np.random.default_rng(3)
    A, B = (x @ x.T + 24 * np.eye(24) for x in rng.normal(size=(2, 24, 24)))
    original = Structure.from_nodes(rng.normal(size=(4, 3)), csr_matrix(A), csr_matrix(B))  # with rotations
    found = fb.read_structure(stiffness=B, mass=A, nodes=original.positions, units=units)
    turns = np.where(original.component < 3, length, 1.0)  # from displacements in the units of the file
    u = rng.normal(size=24)
    for name, energy in (("stiffness", mass * length**2 / time**2), ("mass", mass * length**2)):
        old, new = (u @ (getattr(original, name) @ u)) * energy, (turns * u) @ (getattr(found, name) @ (turns * u))
        assert abs(new / old - 1) < 1e-14
    assert abs(found.positions - length * original.positions).max() < 1e-15
    assert abs(found.total_mass / (mass * original.total_mass) - 1) < 1e-14


def test_a_mass_matrix_in_other_units_is_named() -> None:
    s = cube()
    arguments: Any = {"stiffness": s.stiffness / 1e3, "mass": s.mass / 1e3, "nodes": s.positions * 1e3}
    message = r"add up to 0.0045, 0.0045 and 0.0045, to 3 × 0.0045 kg, and total_mass is 4.5 kg. .* units='mm-t-s'"
    with pytest.raises(FileError, match=message):
        fb.read_structure(**arguments, total_mass=MASS)
    right = fb.read_structure(**arguments, units="mm-t-s", total_mass=MASS)
    assert abs(right.stiffness - s.stiffness).max() < 1e-9 * abs(s.stiffness).max()
    with pytest.raises(FileError, match="Check the units, the density"):
        fb.read_structure(**arguments, units="mm-t-s", total_mass=7.0)
    with pytest.raises(FileError, match="unknowns of supported nodes are missing, or the order of the unknowns"):
        fb.read_structure(stiffness=s.stiffness, mass=diags([1.0, 1.0, 0.0] * 8), nodes=s.positions, total_mass=8)
    with pytest.raises(ModelError, match="units must be one of m-kg-s, mm-t-s"):
        fb.read_structure(**arguments, units="mm")
    with pytest.raises(ModelError, match="total_mass: a positive mass in kg is needed, not -1"):
        fb.read_structure(**arguments, total_mass=-1)


# Wrong files


@pytest.mark.parametrize("suffix", [*FEM_FORMATS, ".xyz", ""])
def test_other_formats_are_refused_with_what_to_export(suffix: str, tmp_path: Path) -> None:
    for read in (fb.read_structure, fb.read_reduced):
        with pytest.raises(FileError, match=r"fb.read_structure|Matrix Market|SID|fb.solid_structure"):
            read(tmp_path / f"part{suffix}")


def matrix_market(text: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        (folder / "K.mtx").write_text(f"%%MatrixMarket matrix {text}")
        return fb.read_structure(stiffness=folder / "K.mtx", mass=np.eye(3), nodes=[[0, 0, 0]])

    return read


def npz(**arrays: Any) -> Callable[[Path], Any]:
    """A file with some arrays changed."""

    def read(folder: Path) -> Any:
        cube().save(folder / "box.npz")
        array_files.write_arrays(folder / "box.npz", {**array_files.read_arrays(folder / "box.npz"), **arrays})
        return fb.read_structure(folder / "box.npz")

    return read


def job(suffix: str, change: Callable[[str], str]) -> Callable[[Path], Any]:
    """The files of a job, one of them changed."""

    def read(folder: Path) -> Any:
        path = write_job(folder, cube())
        file = path.with_suffix(suffix)
        file.write_text(change(file.read_text()))
        return fb.read_structure(path)

    return read


def nodes(text: str, name: str = "nodes.csv") -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        (folder / name).write_text(text)
        return fb.read_structure(stiffness=np.eye(6), mass=np.eye(6), nodes=folder / name)

    return read


@pytest.mark.parametrize(("read", "message"), [
    (matrix_market("coordinate real general\n3 3 4\n1 1 1\n2 2 1\n3 3"),
     r"K.mtx:5: the stiffness matrix: this line has 2 numbers, not 3; the file is truncated"),
    (matrix_market("coordinate real general\n3 3 99999999999\n1 1 1\n"),
     "K.mtx:2: its header announces 99999999999 entries, more than the 6 bytes"),
    (matrix_market("array real general\n99999999 99999999\n1\n"), "announces .* entries, more than the 2 bytes"),
    (matrix_market("coordinate real general\n3 3 3\n1 1 1\n2 2 nan\n3 3 1\n"),
     "K.mtx:4: .* has an entry that is not a finite number"),
    (matrix_market("coordinate real general\n3 3 3\n1 1 1\n-2 2 1\n3 3 1\n"),
     "rows and columns are whole numbers from 1 to 3; entry 2 has others"),
    (matrix_market("coordinate real general\n3 3 4\n1 1 1\n2 2 1\n3 3 1\n1 2 5\n"),
     r"not symmetric: its entries \(1, 2\)"),
    (matrix_market("coordinate complex general\n1 1 1\n1 1 1 0\n"), "the stiffness matrix is complex and general"),
    (matrix_market("coordinate real skew-symmetric\n2 2 1\n2 1 1\n"),
     "the stiffness matrix is real and skew-symmetric"),
    (matrix_market("coordinate real general\n3 3 2\n1 1 1.0E"), "K.mtx:3: the stiffness matrix: this line has an"),
    (matrix_market("coordinate real general\n1000000000 1000000000 1\n1 1 1.0\n"),
     "its header announces 1000000000 rows, too many for the 8 bytes behind it"),
    (matrix_market("coordinate real symmetric\n2 2 3\n1 1 1\n1 2 1\n2 1 1\n"),
     "entries on both sides of its diagonal"),
    (matrix_market("coordinate real general\n3 4 1\n1 1 1\n"),
     "the stiffness matrix has 3 × 4 entries; it must be square"),
    (matrix_market("coordinate real general\n4 4 1\n1 1 1\n"), "has 4 rows; 1 nodes have 3 displacements, or 6"),
    (matrix_market("nonsense\n"), "it is not a Matrix Market file; its first line must be such as"),
    (lambda folder: fb.read_structure(folder / "K.mtx"),
     "a structure needs two matrices and its nodes: fb.read_structure"),
    (lambda folder: fb.read_structure(stiffness=np.eye(3), nodes=[[0, 0, 0]]), "mass is missing: fb.read_structure"),
    (lambda folder: fb.read_structure(folder / "a.npz"), "a.npz: there is no such file"),
    (nodes("x,y,z\n1,2\n3,4\n"), "a table of x, y, z, or of number, x, y, z is needed, not of 2 columns"),
    (nodes("1,2,3\n3,4\n"), "nodes.csv:2: nodes: this line has 2 numbers, not 3"),
    (nodes("1,2,3\n3,4,inf\n"), "nodes.csv:2: nodes: this line has an entry that is not a finite number"),
    (nodes("1 2 3", "nodes.dat"), "nodes are read from .csv, .txt or .npy, not from '.dat'"),
    (nodes("1,0,0,0\n1,1,0,0\n"), "two nodes have the same number"),
    (lambda folder: fb.read_structure(stiffness=np.eye(3), mass=np.eye(3), nodes=[[0, 0, 0]], sets={"tip": ["a"]}),
     r"sets: 'tip': numbers of nodes are needed, not \['a'\]"),
    (lambda folder: fb.read_structure(stiffness=np.eye(3), mass=np.eye(3), nodes=[[0, 0, 0]], unknowns=[[1, 2]] * 3),
     "two rows have the same node and component"),
    (npz(mass_indices=np.full(168, 99)), "array 'mass_indices' has the index 99; indices are from 0 to 23"),
    (npz(node=np.full(24, -1)), "array 'node' has the index -1"),
    (npz(stiffness_data=np.zeros(3)), "array 'stiffness_indptr' has the index"),
    (npz(format=np.array("freebody reduced body 1")), "it holds a reduced body; read it with fb.read_reduced"),
    (npz(set_0=np.array([8])), "array 'set_0' has the index 8"),
    (job(".sti", lambda text: text[:-20]), "a file of a matrix: .*truncated or damaged"),
    (job(".sti", lambda text: "\n".join(text.split("\n")[:-20])),
     "of its 24 diagonal entries are there; it is truncated"),
    (job(".mas", lambda text: text.split("\n", 2)[0] + "\n" + text.split("\n", 2)[2]),
     "of the same pattern; one of them"),
    (job(".mas", lambda text: text.replace("1 1 ", "1 -1 ", 1)), "its indices must be from 1 to 24"),
    (job(".mas", lambda text: text + "2 1 0.0\n"), "entries on both sides of the diagonal"),
    (job(".sti", lambda text: text.replace("e+0", "x", 1)),
     "a file of a matrix: this line has an entry that is not a finite number"),
    (job(".dof", lambda text: text.replace(".1\n", ".0\n", 1)), "is not a node and a direction from 1 to 3"),
    (job(".dof", lambda text: text + "10.1\n"), "an unknown is listed twice"),
    (job(".inp", lambda text: text.replace("mesh", "mash")), "the included file 'mash.inp' is missing"),
    (job(".inp", lambda text: text.replace("*INCLUDE, INPUT=mesh.inp", "*NODE\n10, a, 0, 0")),
     "job.inp:3: this line is not a node: number, x, y, z"),
    (job(".inp", lambda text: text.replace("*INCLUDE, INPUT=mesh.inp", "*NODE\n81, 0, 0, 0")),
     "node 10 has no position"),
    (job(".inp", lambda text: text.replace("mesh.inp", "job.inp")), "it includes more than 20 files"),
    (job(".inp", lambda text: text.replace("left, corner", "right")),
     "job.inp:8: an entry of this line is neither a node"),
    (lambda folder: fb.read_structure(folder / "x.sti"),
     "the file of the stiffness matrix is missing. CalculiX writes x.sti"),
])  # fmt: skip
def test_wrong_files_are_refused(read: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=message):
        read(tmp_path)
