"""The arrays of a mesh file, as meshio reads it. It runs alone in a child process; it imports nothing of freebody.

A format is chosen by the suffix and by how the file begins, and meshio is asked for this format alone.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HDF5 = b"\x89HDF\r\n\x1a\n"
MEDIT = (b"\x01\0\0\0", b"\0\0\0\x01")
LINKS = 100_000
"""Groups and datasets of an HDF5 file."""


class UnreadableMesh(Exception):
    """A file that is not read; the text completes "it cannot be read:"."""


def begins(*starts: bytes) -> Callable[[bytes], bool]:
    """Whether a file begins with one of these, after spaces."""
    return lambda head: head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(starts)


def xml(tag: bytes) -> Callable[[bytes], bool]:
    """Whether a file is XML with this element near its beginning."""
    return lambda head: head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<") and b"<" + tag in head


def is_text(head: bytes) -> bool:
    return b"\0" not in head


FORMATS: dict[str, tuple[str, str, Callable[[bytes], bool]]] = {
    ".msh": ("gmsh", "a mesh of Gmsh, which begins with $MeshFormat", begins(b"$MeshFormat", b"$Comments")),
    ".vtk": ("vtk", "a VTK file, which begins with '# vtk DataFile'", begins(b"# vtk DataFile")),
    ".vtu": ("vtu", "XML with <VTKFile>", xml(b"VTKFile")),
    ".xdmf": ("xdmf", "XML with <Xdmf>", xml(b"Xdmf")),
    ".inp": ("abaqus", "an input file of Abaqus, whose first line begins with *", begins(b"*")),
    **dict.fromkeys((".bdf", ".nas", ".fem"), ("nastran", "a text", is_text)),
    ".mesh": ("medit", "a mesh of Medit as text", is_text),
    ".meshb": ("medit", "a binary mesh of Medit", lambda head: head.startswith(MEDIT)),
    **{suffix: (suffix[1:], "an HDF5 file", begins(HDF5)) for suffix in (".med", ".cgns", ".h5m")},
    **{suffix: ("exodus", "a NetCDF file", begins(HDF5, b"CDF")) for suffix in (".e", ".exo")},
    ".avs": ("avsucd", "a text", is_text),
    ".su2": ("su2", "a text", is_text),
    ".ugrid": ("ugrid", "a mesh of UGRID", lambda head: True),
    ".xml": ("dolfin-xml", "XML with <dolfin>", xml(b"dolfin")),
}
"""By suffix the format of meshio, how a file of it begins in words, and a test of its first bytes."""


def read(path: str, *hdf5_files: str) -> dict[str, Any]:
    """The arrays of the mesh in a file: points, cells, sets of points and cells, and the physical groups of Gmsh. The
    ``hdf5_files`` are those that an XDMF file names."""
    suffix = Path(path).suffix.lower()
    form, begin, fits = FORMATS[suffix]
    with open(path, "rb") as file:
        head = file.read(4096)
    if not fits(head):
        raise UnreadableMesh(f"a file '{suffix}' must be {begin}; this one is not. Convert it with 'meshio convert'")
    for other in (*hdf5_files, *([path] if head.startswith(HDF5) else [])):
        check_hdf5(other)
    import meshio

    return plain_arrays(meshio.read(path, file_format=form))


def check_hdf5(path: str) -> None:
    """Refuse links to other files, and data that lie in other files."""
    import h5py

    count = 0
    with h5py.File(path, "r") as file:
        todo: list[Any] = [file]
        while todo:
            group = todo.pop()
            for name in group:
                count += 1
                link = group.get(name, getlink=True)
                if isinstance(link, h5py.ExternalLink):
                    raise UnreadableMesh("it has links to other files, which are not followed")
                if count > LINKS:
                    raise UnreadableMesh(f"it has more than {LINKS} groups and arrays")
                item = group[name] if isinstance(link, h5py.HardLink) else None
                if isinstance(item, h5py.Group):
                    todo.append(item)
                elif isinstance(item, h5py.Dataset) and (item.external or item.is_virtual):
                    raise UnreadableMesh("it has arrays that lie in other files, which are not read")


def plain_arrays(mesh: Any) -> dict[str, Any]:
    """A mesh of meshio as arrays with a list of their names."""
    blocks = [(block.type, np.asarray(block.data)) for block in mesh.cells]
    plain = [not kind.startswith(("poly", "VTK_")) and nodes.dtype.kind in "iu" for kind, nodes in blocks]
    used = [k for k, is_plain in enumerate(plain) if is_plain]
    arrays = {"points": numeric(mesh.points)} | {f"cells_{j}": blocks[k][1] for j, k in enumerate(used)}
    names: dict[str, Any] = {"cells": [blocks[k][0] for k in used], "point_sets": [], "cell_sets": [], "groups": []}
    for name, indices in (mesh.point_sets or {}).items():
        arrays[f"points_{len(names['point_sets'])}"] = whole(indices)
        names["point_sets"].append(str(name))
    for name, parts in (mesh.cell_sets or {}).items():
        if not str(name).startswith("gmsh:"):
            for j, k in enumerate(used):
                arrays[f"set_{len(names['cell_sets'])}_{j}"] = whole(parts[k])
            names["cell_sets"].append(str(name))
    tags = (mesh.cell_data or {}).get("gmsh:physical")
    if tags is not None:
        arrays |= {f"physical_{j}": whole(tags[k]) for j, k in enumerate(used)}
        names["groups"] = [[str(name), int(tag), int(dim)] for name, (tag, dim) in (mesh.field_data or {}).items()]
    return {**arrays, "names": np.array(json.dumps(names))}


def numeric(values: Any) -> Any:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise UnreadableMesh("its points are not numbers")
    return array


def whole(values: Any) -> Any:
    """Indices as integers."""
    array = np.asarray([] if values is None else values)
    if array.dtype.kind not in "iu" and array.size:
        raise UnreadableMesh("a set has members that are not indices")
    return array.astype(np.int64)
