"""Reduced bodies as files: NPZ, and beside model files"""

import pickle
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody import array_files
from freebody.array_files import write_arrays
from freebody.errors import FileError, ModelError
from freebody.io import loads
from freebody.model.structures import reduced_file
from tests.flexible.reduced_bodies import difference, random_reduced


def test_all_of_a_reduced_body_is_in_its_file(tmp_path: Path) -> None:
    body = random_reduced(1)
    body.save(tmp_path / "part.npz")
    again = fb.read_reduced(tmp_path / "part.npz")
    a, b = body.reduced, again.reduced
    assert difference(a.data, b.data) == 0 and a.digest == b.digest and a.record == b.record
    for key in ("points", "shapes", "lines", "triangles"):
        assert np.array_equal(getattr(a.mesh, key), getattr(b.mesh, key))
    assert b.response is not None and a.response is not None and b.response.labels == a.response.labels
    assert np.array_equal(a.response.full, b.response.full) and repr(body.modes) == repr(again.modes)
    first = (tmp_path / "part.npz").read_bytes()
    again.save(tmp_path / "part.npz")
    assert (tmp_path / "part.npz").read_bytes() == first
    large = random_reduced(1, points=4000)
    large.save(tmp_path / "large.npz")
    found = fb.read_reduced(tmp_path / "large.npz").reduced.mesh
    assert np.abs(found.shapes - large.reduced.mesh.shapes).max() < 1e-6  # single precision, half of the size
    assert (tmp_path / "large.npz").stat().st_size < 6 * large.reduced.mesh.shapes.size


def test_damping_and_preload_of_a_description_are_in_its_file(tmp_path: Path) -> None:
    options = {"damping": [0.1, 0.2, 0.3, 0.4], "rayleigh": (0.1, 0.01), "preload": [1, 2, 3, 4]}
    body = fb.ReducedBody(random_reduced(2).reduced, **options)
    body.save(tmp_path / "part.npz")
    assert difference(fb.read_reduced(tmp_path / "part.npz").modal_data(), body.modal_data()) < 1e-14
    loaded = fb.ReducedBody(body.reduced, loads={"p1": [1e-3, 0, 0]})
    with pytest.raises(ModelError, match="constant loads are part of a model"):
        loaded.save(tmp_path / "part.npz")


def system(*bodies: fb.ReducedBody) -> fb.System:
    """Bodies on hinges, with masses on their nodes."""
    s = fb.System("parts")
    on: object = s.ground
    for k, body in enumerate(bodies):
        part = s.body(f"part {k}", on=on, joint=fb.Revolute("y"), flexible=body, modes=3)
        on = part.node("p1")
    s.body("mass", on=on, mass=1.0, inertia=fb.sphere(1.0, 0.1))
    return s


def test_models_and_their_bodies_are_the_same_after_files(tmp_path: Path) -> None:
    one, other = random_reduced(3), random_reduced(4)
    s = system(one, other, one)
    s.save(tmp_path / "model.yaml")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"model.yaml", "model.part_0.npz", "model.part_1.npz"}  # a file for each content
    again = fb.load(tmp_path / "model.yaml")
    assert again.digest() == s.digest() == system(pickle.loads(pickle.dumps(one)), other, one).digest()
    q, u = np.random.default_rng(0).normal(size=(2, len(s.derive().q))) * 0.1
    assert np.array_equal(*(x.derive().compile("numpy").forward_dynamics(q, u) for x in (s, again)))
    again.save(tmp_path / "second.yaml")
    assert {path.name for path in tmp_path.iterdir()} == {*names, "second.yaml"}  # unchanged bodies keep their files
    assert (tmp_path / "second.yaml").read_text() == (tmp_path / "model.yaml").read_text()
    below = tmp_path / "below"
    below.mkdir()
    again.save(below / "model.yaml")
    assert fb.load(below / "model.yaml").digest() == s.digest()


@pytest.mark.parametrize("first", ["x", "part 0"])
def test_files_that_other_bodies_keep_are_not_written_over(first: str, tmp_path: Path) -> None:
    """A body 'x' keeps the file model.part_0.npz of a loaded model; another body 'part 0' gets a file of its own."""
    system(random_reduced(3)).save(tmp_path / "model.yaml")
    old = fb.load(tmp_path / "model.yaml").bodies["part 0"].spec.flexible
    s = fb.System("other")
    for name in sorted(("x", "part 0"), key=lambda name: name != first):
        s.body(name, joint=fb.Revolute("y"), flexible=old if name == "x" else random_reduced(4))
    s.save(tmp_path / "model.yaml")
    assert fb.load(tmp_path / "model.yaml").digest() == s.digest()


def test_digests_are_of_contents_not_of_names(tmp_path: Path) -> None:
    body = random_reduced(5)
    body.save(tmp_path / "a.npz")
    (tmp_path / "b.npz").write_bytes((tmp_path / "a.npz").read_bytes())
    random_reduced(6).save(tmp_path / "c.npz")
    (tmp_path / "b.SID").write_bytes(body.save(tmp_path / "x.SID").read_bytes())
    text = "bodies: {{part: {{joint: revolute, flexible: {{type: reduced, file: {}}}}}}}"
    digests = []
    for name in ("a.npz", "b.npz", "b.SID", "c.npz"):
        (tmp_path / "model.yaml").write_text(text.format(name))
        digests.append(fb.load(tmp_path / "model.yaml").digest())
    assert digests[0] == digests[1] == digests[2] != digests[3]


def test_text_of_a_model_has_no_files() -> None:
    with pytest.raises(FileError, match=r"'part 0'.flexible.file: a reduced body is stored in a file .* system.save"):
        system(random_reduced(7)).to_yaml()
    with pytest.raises(FileError, match=r"read from text has no folder in which 'p.npz' could lie"):
        loads("bodies: {part: {flexible: {type: reduced, file: p.npz}}}", fb.System)


@pytest.mark.parametrize(("name", "message"), [
    ("../part.npz", "must lie in the folder of the model file"),
    ("below/../../part.npz", "must lie in the folder of the model file"),
    ("/tmp/part.npz", "must lie in the folder of the model file"),
    ("C:part.npz", "must lie in the folder of the model file"),
    ("'below\\part.npz'", "must lie in the folder of the model file"),
    ("part.pkl", "is not a file of a reduced body"),
    ("missing.npz", "there is no such file"),
    ("link.npz", "is a link to a file outside the folder"),
    ("[1]", "in a file the name of a file"),
])  # fmt: skip
def test_files_outside_the_folder_are_refused(name: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    random_reduced(8).save(tmp_path / "part.npz")
    (folder / "link.npz").symlink_to(tmp_path / "part.npz")
    (folder / "model.yaml").write_text(f"bodies: {{part: {{flexible: {{type: reduced, file: {name}}}}}}}")
    with pytest.raises(FileError, match=rf"bodies.part.flexible.file: .*{message}"):
        fb.load(folder / "model.yaml")


def changed(**arrays: object) -> Callable[[Path], None]:
    """Writes a file with some arrays changed; None leaves one out."""

    def write(path: Path) -> None:
        whole = {**reduced_file.to_arrays(random_reduced(9).reduced), **arrays}
        write_arrays(path, {key: x for key, x in whole.items() if x is not None})

    return write


def with_pickle(path: Path) -> None:
    np.savez(path, format=np.array(reduced_file.FORM), m=np.array([{}], dtype=object))


def with_false_header(path: Path) -> None:
    """An array whose header announces more numbers than there are."""
    file = BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**11,)})
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("K.npy", file.getvalue() + bytes(80))


def truncated(path: Path) -> None:
    changed()(path)
    path.write_bytes(path.read_bytes()[:-500])


def compressed_bomb(path: Path) -> None:
    """A small file that unpacks to fewer bytes than are read, but to very many for its size."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("K.npy", bytes(1_500_000))


def with_header(header: str) -> Callable[[Path], None]:
    """Writes a file whose array has this header."""

    def write(path: Path) -> None:
        text = header.encode("latin-1") + b"\n"
        with zipfile.ZipFile(path, "w") as out:
            out.writestr("K.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\xff\xff\xff\x7f")

    return write


def bomb(path: Path) -> None:
    """A small file with a large array."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("K.npy", bytes(3_000_000))


@pytest.mark.parametrize(("write", "message"), [
    (with_pickle, r"array 'm' is of another type \(\|O\); only numbers, .* are read, never Python objects"),
    (with_false_header, "has the shape .* which disagree; the file is truncated or damaged"),
    (truncated, "cannot be read as NPZ: .* truncated, or not an NPZ file"),
    (bomb, "its arrays have 3000000 bytes; at most 2000000 are read"),
    (compressed_bomb, "bytes unpack to 1500[0-9]+, more than 50 times as many; write it without compression"),
    (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,"), "array 'K': its header cannot be read"),
    (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (True,), }"), "array 'K': its header cannot be"),
    (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2**9,), }"), "array 'K': its header cannot be"),
    (with_header("{'descr': '<U0', 'fortran_order': False, 'shape': (1,), }"), "array 'K' is of another type"),
    (with_header("{'descr': '<U1', 'fortran_order': False, 'shape': (), }"), "holds numbers that are not characters"),
    (lambda path: path.write_bytes(b"PK\3\4"), "cannot be read as NPZ"),
    (changed(format=None), "it has no array 'format' with the text 'freebody reduced body 1'; it holds m, c0"),
    (changed(format=np.array("freebody structure 1")), "it holds a structure; read it with fb.read_structure"),
    (changed(K=np.full((4, 4), np.nan)), "array 'K' has entries that are not finite numbers"),
    (changed(J2=np.zeros((4, 4, 3, 2))), r"array 'J2' has the shape \(4, 4, 3, 2\); 4 × 4 × 3 × 3 is needed"),
    (changed(E=None), "the array 'E' is missing"),
    (changed(mesh_lines=np.array([[0, -1]])), "array 'mesh_lines' has the index -1; indices are from 0 to 4"),
    (changed(mesh_triangles=np.array([[0, 1, 5]])), "array 'mesh_triangles' has the index 5"),
    (changed(M_ff=2 * np.eye(4)), "its modes are not orthonormal"),
    (changed(K=np.diag([0.0, 1, 2, 3])), "a mode has no stiffness"),
    (changed(m=np.array(-1.0)), "its mass is -1; a body needs a positive mass"),
    (changed(node_names=np.array(["p1", "p1", "p3"])), "two of its nodes have the same name"),
    (changed(record=np.array('{"source": 3}')), "its record of the reduction cannot be read: 'source' cannot be 3"),
    (changed(record=np.array("[" * 100_000)), "its record of the reduction cannot be read"),
])  # fmt: skip
def test_damaged_and_hostile_files_are_refused(
    write: Callable[[Path], None], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduced_file, "LARGEST", 2_000_000)
    monkeypatch.setattr(array_files, "SMALL", 1_000_000)
    write(tmp_path / "part.npz")
    with pytest.raises(FileError, match=message) as error:
        fb.read_reduced(tmp_path / "part.npz")
    assert str(tmp_path / "part.npz") in str(error.value)


IMPOSSIBLE: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "no inertia": ("J0", lambda x: 0 * x),
    "unsymmetric inertia": ("J0", lambda x: x + np.triu(np.full((3, 3), 9.0), 1)),
    "negative inertia": ("J0", lambda x: -x), "heavy modes": ("E", lambda x: 1e3 + x),
    "a distant mass centre": ("c0", lambda x: x + 1e3),
    "unsymmetric second derivatives": ("C", lambda x: x + np.arange(16.0).reshape(4, 4)),
    "negative damping": ("D", lambda x: -x), "unsymmetric damping": ("D", lambda x: x + np.triu(np.ones((4, 4)), 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_bodies_are_refused(name: str, tmp_path: Path) -> None:
    key, change = IMPOSSIBLE[name]
    arrays = reduced_file.to_arrays(random_reduced(9).reduced)
    write_arrays(tmp_path / "part.npz", {**arrays, key: change(arrays[key])})
    with pytest.raises(FileError, match=r"part.npz: .*(positive|symmetric|finite)"):
        fb.read_reduced(tmp_path / "part.npz")
