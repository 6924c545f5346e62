"""The formats that are read, each with a small valid file and the function that reads it."""

import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import mmwrite

import freebody as fb
from freebody.errors import FileError
from freebody.io import mesh_reader
from freebody.io.calculix_files import InputDeck, _read_input, _read_results
from freebody.io.element_meshes import _as_meshio, _from_meshio
from freebody.io.number_files import read_matrix_market, read_table
from freebody.mesh_files import MeshError, read_mesh
from freebody.results import files, stored_arrays
from freebody.results.seal import is_sealed
from freebody.viewer.meshes import mesh_parts
from tests.flexible.reduced_bodies import random_reduced
from tests.io.test_structure_files import cube
from tests.results.runs import spring
from tests.viewer.test_meshes import MTL, dae, glb, gltf, obj, stl, stl_text

OF_MESHIO = (".msh", ".vtk", ".vtu", ".inp", ".bdf", ".mesh", ".meshb", ".avs", ".su2", ".xml")
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
ROBOT = f"""<robot name="r"><link name="a">{MASS}</link>
<link name="b">{MASS}<visual><origin xyz="0 0 1" rpy="0 1.5 0"/><geometry><box size="1 2 3"/></geometry>
<material name="m"><color rgba="1 0 0 1"/></material></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="9"/><dynamics damping="0.1"/></joint></robot>"""


@dataclass(frozen=True)
class Format:
    """A format: its name, the suffix of its files, a valid file, and the reader."""

    name: str
    suffix: str
    data: bytes
    read: Callable[[Path], Any]


def picture_mesh(path: Path) -> Any:
    try:
        return mesh_parts(read_mesh(path, [path.parent]), 200)
    except MeshError as error:
        raise FileError(str(error)) from None


def finite_element_mesh(path: Path) -> Any:
    """As the child process reads it. What meshio raises is a message there; only its arrays are checked here."""
    printed = StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            arrays = mesh_reader.read(str(path))
    except (Exception, SystemExit) as error:
        raise FileError(f"meshio: {type(error).__name__}") from None
    return _from_meshio(_as_meshio(arrays), "mesh")


def run(path: Path) -> Any:
    """A run without its seal, as a child process reads it; the facts are mutated, and the arrays are not."""
    stored = stored_arrays.read(str(path.parent / "run.nc"), str(2**30))
    stored["freebody"] = np.frombuffer(path.read_bytes(), np.uint8)
    try:
        loaded = files.rebuild(fb.Trajectory, *files.read_netcdf(stored))
    except Exception as error:
        raise FileError(str(error)) from None
    return loaded.summary(), loaded.energy_error, loaded.at(loaded.t[:2])


def sealed_run(path: Path) -> Any:
    """Files without a seal are read in a child process, each of which takes too long here."""
    if not is_sealed(path):
        raise FileError("it has no seal", str(path))
    return fb.Trajectory.load(path)


def deck(path: Path) -> Any:
    _read_input(path, InputDeck(), [])


def results(path: Path) -> Any:
    _read_results(path, {})


def formats(folder: Path) -> Iterator[Format]:
    """All formats; files beside them, and the valid files, are written to a folder."""
    s, reduced = cube(), random_reduced(1, 2)
    mmwrite(folder / "K.mtx", s.stiffness, precision=6)
    mmwrite(folder / "D.mtx", np.arange(9.0).reshape(3, 3))
    table = "number x y z\n" + "\n".join(f"{k} {x[0]} {x[1]} {x[2]}" for k, x in enumerate(s.positions))
    np.save(folder / "nodes.npy", s.positions)
    s.save(folder / "s.npz")
    reduced.save(folder / "r.npz")
    reduced.save(folder / "r.SID")
    (folder / "colors.mtl").write_bytes(MTL)
    (folder / "part.bin").write_bytes(gltf("part.bin")[1])
    data = spring(np.linspace(0.0, 1.0, 3)).save(folder / "run.nc").read_bytes()
    facts = bytes(stored_arrays.read(str(folder / "run.nc"), str(2**30))["freebody"])
    nodes = "\n".join(f"{k + 1}, {x[0]}, {x[1]}, {x[2]}" for k, x in enumerate(s.positions))
    text = f"*NODE, NSET=all\n{nodes}\n*NSET, NSET=a, GENERATE\n1, 8, 2\n*NSET, NSET=b\na, 3, 4,\n*ELEMENT, TYPE=C3D8\n"
    (folder / "other.inp").write_text(f"*NODE\n{nodes}\n")
    text += "1, 1, 2, 3, 4,\n5, 6, 7, 8\n*INCLUDE, INPUT=other.inp\n"
    rows = "\n".join(f" -1{k + 1:10d}" + "".join(f"{v:12.5E}" for v in x) for k, x in enumerate(s.positions))
    frd = f"    1C\n    2C{'':18}{8:12d}{'':37}1\n{rows}\n -3\n"

    def matrix(path: Path) -> Any:
        return read_matrix_market(path, "stiffness")

    yield Format("matrix market", ".mtx", (folder / "K.mtx").read_bytes(), matrix)
    yield Format("dense matrix market", ".mtx", (folder / "D.mtx").read_bytes(), matrix)
    yield Format("table", ".csv", table.replace(" ", ",").encode(), lambda path: read_table(path, "nodes"))
    yield Format("text table", ".txt", table.encode(), lambda path: read_table(path, "nodes"))
    yield Format("npy", ".npy", (folder / "nodes.npy").read_bytes(), lambda path: read_table(path, "nodes"))
    yield Format("structure", ".npz", (folder / "s.npz").read_bytes(), fb.read_structure)
    yield Format("reduced body", ".npz", (folder / "r.npz").read_bytes(), fb.read_reduced)
    yield Format("sid", ".sid", (folder / "r.SID").read_bytes(), fb.read_reduced)
    yield Format("calculix deck", ".inp", text.encode(), deck)
    yield Format("calculix results", ".frd", frd.encode(), results)
    yield Format("sealed run", ".nc", data, sealed_run)
    yield Format("facts of a run", ".json", facts, run)
    yield Format("stl", ".stl", stl(), picture_mesh)
    yield Format("stl text", ".stl", stl_text(), picture_mesh)
    yield Format("obj", ".obj", obj(), picture_mesh)
    yield Format("glb", ".glb", glb(), picture_mesh)
    yield Format("gltf", ".gltf", json.dumps(gltf("part.bin")[0]).encode(), picture_mesh)
    yield Format("dae", ".dae", dae(), picture_mesh)
    yield Format("urdf", ".urdf", ROBOT.encode(), fb.load)
    model = fb.System("arm")
    on = model.body("a", joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.body("b", on=on, at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    yield Format("yaml", ".yaml", model.to_yaml().encode(), fb.load)
    yield from _of_meshio(folder)


def _of_meshio(folder: Path) -> Iterator[Format]:
    import meshio

    points = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], float)
    tetra = np.array([[0, 1, 2, 4], [1, 2, 3, 7], [1, 4, 5, 7], [2, 4, 6, 7], [1, 2, 4, 7]])
    mesh = meshio.Mesh(points, [("tetra", tetra)])
    for suffix in OF_MESHIO:
        path = folder / f"mesh{suffix}"
        form = {"file_format": "gmsh", "binary": False} if suffix == ".msh" else {}
        mesh.write(path, **form)
        yield Format(f"mesh {suffix}", suffix, path.read_bytes(), finite_element_mesh)
