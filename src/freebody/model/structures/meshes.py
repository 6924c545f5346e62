"""Meshes for finite elements: read from files by meshio, or taken from meshio and scikit-fem, with named sets of nodes
and cells."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.errors import BackendError, FileError, FunctionError, ModelError
from freebody.extras import install_command
from freebody.guarded_read import read_guarded
from freebody.model.structures.mesh_reader import FORMATS
from freebody.numeric import as_number

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
NodeSets = Mapping[str, "Callable[[Array], Any] | Any"]
"""Sets of nodes by name: indices of nodes of the mesh, or functions of positions (k × 3) that return k truth values."""

INCLUDES = 20
"""Files that an input file may include."""
LARGEST_FILE = 512 * 2**20
"""Size in bytes above which a mesh file is not read."""
DIMENSIONS = {"vertex": 0, "line": 1, "triangle": 2, "quad": 2, "tetra": 3, "hexahedron": 3, "wedge": 3, "pyramid": 3}
CORNERS = {"triangle": 3, "quad": 4, "tetra": 4, "hexahedron": 8, "wedge": 6}
PHYSICAL = ("point", "curve", "surface", "volume")


@dataclass(frozen=True, eq=False)
class ElementMesh:
    """Points and groups of cells of one type each, numbered as VTK and meshio number them."""

    positions: Array  # (k, 3)
    cells: tuple[tuple[str, Indices], ...]  # meshio's name of the type, nodes of each cell
    node_sets: dict[str, Indices] = field(default_factory=dict)
    cell_sets: dict[str, list[Indices]] = field(default_factory=dict)  # indices of cells in each group
    name: str = "mesh"

    def nodes_of(self, name: str) -> Indices:
        """The nodes of a set of nodes or of cells."""
        parts = [self.node_sets[name]] if name in self.node_sets else []
        for (_, nodes), chosen in zip(self.cells, self.cell_sets.get(name, []), strict=False):
            parts.append(np.unique(nodes[chosen]))
        return np.unique(np.concatenate(parts)).astype(np.intp)

    @property
    def set_names(self) -> list[str]:
        return list(dict.fromkeys([*self.node_sets, *self.cell_sets]))


def require_fem(what: str) -> None:
    """An error that says what to install, if scikit-fem or meshio is missing."""
    try:
        import meshio  # noqa: F401
        import skfem  # noqa: F401
    except ImportError:
        raise BackendError(f"{what} needs scikit-fem and meshio: {install_command('fem')}") from None


def load_mesh(mesh: Any, scale: float, name: str = "", folders: Any = ()) -> ElementMesh:
    """The mesh in a file, or of an object of meshio or scikit-fem, its positions multiplied by a scale. Files that the
    file names are in its folder or in the ``folders``."""
    import meshio
    import skfem

    if not 0 < (as_number(scale) or 0.0) < np.inf:
        raise ModelError(f"scale is a positive number, not {scale!r}: 1e-3 for a mesh in millimetres")
    if isinstance(mesh, str | os.PathLike):
        path = files.path_of(mesh)
        out = _from_meshio(_read_file(path, [path.parent, *files.folders_of(folders)]), name or path.stem)
    elif isinstance(mesh, meshio.Mesh):
        out = _from_meshio(mesh, name or "mesh")
    elif isinstance(mesh, skfem.Mesh):
        out = _from_skfem(mesh, name or "mesh")
    else:
        raise ModelError(f"a mesh is the path of a file, a meshio.Mesh or a mesh of scikit-fem, not {mesh!r:.80}")
    return ElementMesh(out.positions * scale, out.cells, out.node_sets, out.cell_sets, out.name)


def _read_file(path: Path, folders: Sequence[Path]) -> Any:
    """The mesh in a file, with the attributes of a meshio.Mesh; files that it names are in the folders."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise FileError(
            f"meshes are read from files {', '.join(FORMATS)}, not '{path.suffix}'. Convert it with"
            " 'meshio convert', or pass a meshio.Mesh",
            str(path),
        )
    try:
        with files.open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise FileError(f"the mesh cannot be read: {error.strerror or error}", str(path)) from error
    if size > LARGEST_FILE:
        raise FileError(
            f"the mesh has {size / 2**20:.0f} MiB; at most {LARGEST_FILE >> 20} MiB are read. Mesh the part"
            " more coarsely, or pass a meshio.Mesh",
            str(path),
        )
    script = Path(__file__).with_name("mesh_reader.py")
    with TemporaryDirectory(prefix="freebody-") as temporary:
        source = _without_includes(path, folders, Path(temporary, "mesh.inp")) if suffix == ".inp" else path
        others = _hdf5_files(path, folders) if suffix == ".xdmf" else []
        arrays = read_guarded(script, path, [str(source), *map(str, others)], 8 * LARGEST_FILE)
    return _as_meshio(arrays)


def _hdf5_files(path: Path, folders: Sequence[Path]) -> list[Path]:
    """The files that an XDMF file names for its data, each in one of the folders."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(path.read_bytes(), forbid_dtd=True)
    except DefusedXmlException:
        raise FileError("it has a DTD or entities (<!DOCTYPE …>), which are not read", str(path)) from None
    except (ParseError, ValueError, LookupError):
        raise FileError("it is not XML, or is truncated", str(path)) from None
    found = dict[str, Path]()
    for item in root.iter("DataItem"):
        form, text = item.get("Format", "XML"), (item.text or "").strip()
        if form == "XML" or "Reference" in item.attrib:
            continue
        name, _, inside = text.partition(":")
        if form != "HDF" or not inside:
            raise FileError("data are read from Format='XML', and Format='HDF' with FILE:/ARRAY only", str(path))
        try:
            found[name] = files.find_inside(name, [path.parent], folders)
        except FileError as error:
            raise FileError(f"its file of data {error.message}", str(path)) from None
    return [*found.values()]


def _without_includes(path: Path, folders: Sequence[Path], target: Path) -> Path:
    """A copy of an input file, with the files that it includes in the place of each *INCLUDE."""
    size = 0
    with target.open("wb") as copy:
        for line in _lines(path, folders, []):
            size += copy.write(line if line.endswith(b"\n") else line + b"\n")
            if size > LARGEST_FILE:
                raise FileError(f"it and the files that it includes have more than {LARGEST_FILE >> 20} MiB", str(path))
    return target


def _lines(path: Path, folders: Sequence[Path], read: list[Path]) -> Iterator[bytes]:
    """The lines of an input file and of those that it includes; ``read`` are those so far."""
    read.append(path)
    if len(read) > INCLUDES:
        raise FileError(f"it includes more than {INCLUDES} files", str(read[0]))
    with files.open_regular(path) as file:
        for number, line in enumerate(file, 1):
            if line.lstrip()[:8].upper() != b"*INCLUDE":
                yield line
                continue
            name = line.decode("latin-1").partition("=")[2].split(",")[0].strip().strip("\"'")
            try:
                included = files.find_inside(name, [path.parent, *folders], folders)
            except FileError as error:
                raise FileError(f"the included file {error.message}", str(path), number) from None
            yield from _lines(included, folders, read)


def _as_meshio(arrays: Mapping[str, Any]) -> Any:
    """What ``mesh_reader`` returned, with the attributes of a meshio.Mesh."""
    names = json.loads(str(arrays["names"]))
    count = range(len(names["cells"]))
    cells = [SimpleNamespace(type=kind, data=arrays[f"cells_{j}"]) for j, kind in enumerate(names["cells"])]
    physical = {"gmsh:physical": [arrays[f"physical_{j}"] for j in count]} if "physical_0" in arrays else {}
    return SimpleNamespace(
        points=arrays["points"],
        cells=cells,
        cell_data=physical,
        field_data={name: (tag, dim) for name, tag, dim in names["groups"]},
        point_sets={name: arrays[f"points_{k}"] for k, name in enumerate(names["point_sets"])},
        cell_sets={name: [arrays[f"set_{k}_{j}"] for j in count] for k, name in enumerate(names["cell_sets"])},
    )


def _from_meshio(mesh: Any, name: str) -> ElementMesh:
    positions = np.asarray(mesh.points)
    if positions.ndim != 2 or positions.shape[1] not in (2, 3) or positions.dtype.kind not in "fiu":
        raise ModelError(
            f"{name}: points of a mesh are an array (k × 3) of numbers, not {positions.dtype} of shape"
            f" {positions.shape}"
        )
    positions = positions.astype(float)
    if positions.shape[1] == 2:
        positions = np.pad(positions, ((0, 0), (0, 1)))
    if not np.isfinite(positions).all():
        raise ModelError(f"{name}: positions of nodes are not finite numbers")
    k = len(positions)
    blocks = [
        (i, block.type, np.asarray(block.data))
        for i, block in enumerate(mesh.cells)
        if not block.type.startswith(("poly", "VTK_"))
    ]
    for _, kind, nodes in blocks:
        if nodes.ndim != 2 or nodes.dtype.kind not in "iu" or (nodes.size and (nodes.min() < 0 or nodes.max() >= k)):
            raise ModelError(
                f"{name}: the nodes of '{kind}' cells are whole numbers from 0 to {k - 1}; the mesh has others"
            )
        plain = kind.rstrip("0123456789")
        count = int(kind[len(plain) :]) if plain != kind else CORNERS.get(plain, nodes.shape[1])
        if nodes.shape[1] != count:
            raise ModelError(f"{name}: '{kind}' cells have {count} nodes each, not {nodes.shape[1]}")
    cells = tuple((kind, nodes.astype(np.intp)) for _, kind, nodes in blocks)
    node_sets = {str(key): _indices(value, k, f"{name}: the set '{key}'") for key, value in mesh.point_sets.items()}
    cell_sets = {
        str(key): [_indices(v[i], len(nodes), f"{name}: the set '{key}'") for i, _, nodes in blocks]
        for key, v in mesh.cell_sets.items()
        if not str(key).startswith("gmsh:")
    }
    cell_sets |= _physical_groups(mesh, blocks, cell_sets, name)
    return ElementMesh(positions, cells, node_sets, cell_sets, name)


def _physical_groups(
    mesh: Any, blocks: list[tuple[int, str, Any]], known: Mapping[str, Any], mesh_name: str
) -> dict[str, list[Indices]]:
    """The physical groups of Gmsh, those without a name as "physical surface 3"."""
    tags = mesh.cell_data.get("gmsh:physical")
    if tags is None:
        return {}
    names = {(int(dim), int(tag)): str(key) for key, (tag, dim) in mesh.field_data.items()}
    groups: dict[str, list[Indices]] = {}
    for position, (i, kind, nodes) in enumerate(blocks):
        dimension = DIMENSIONS.get(kind.rstrip("0123456789"))
        if dimension is None:
            continue
        if len(tags) <= i or np.shape(tags[i]) != (len(nodes),):
            raise ModelError(f"{mesh_name}: its '{kind}' cells do not have one physical group each")
        for tag in np.unique(tags[i]):
            key = names.get((dimension, int(tag)), f"physical {PHYSICAL[dimension]} {int(tag)}")
            if key not in known and int(tag) != 0:
                lists = groups.setdefault(key, [np.zeros(0, dtype=np.intp) for _ in blocks])
                lists[position] = np.flatnonzero(np.asarray(tags[i]) == tag)
    return groups


def _from_skfem(mesh: Any, name: str) -> ElementMesh:
    """A mesh of scikit-fem; its subdomains are sets of cells, its boundaries sets of nodes."""
    from skfem.io.meshio import to_meshio

    try:
        out = _from_meshio(to_meshio(mesh, encode_cell_data=False), name)
    except (KeyError, NotImplementedError):
        raise ModelError(
            f"{name}: meshes of type {type(mesh).__name__} are not supported; give tetrahedra or"
            " hexahedra, and triangles or quadrilaterals for plates"
        ) from None
    nodes = {
        key: np.unique(mesh.facets[:, np.asarray(facets)]).astype(np.intp)
        for key, facets in (mesh.boundaries or {}).items()
    }
    cells = {key: [np.asarray(v, dtype=np.intp)] for key, v in (mesh.subdomains or {}).items()}
    return ElementMesh(out.positions, out.cells, nodes, cells, name)


def _indices(value: Any, count: int, what: str) -> Indices:
    """Indices from 0 to count − 1, sorted."""
    out = np.zeros(0, dtype=np.intp) if value is None or len(value) == 0 else np.asarray(value)
    if out.dtype.kind not in "iu" or out.ndim != 1:
        raise ModelError(f"{what} needs indices, or a function of positions; it is {value!r:.80}")
    if len(out) and (out.min() < 0 or out.max() >= count):
        raise ModelError(f"{what} needs indices from 0 to {count - 1}; it has {out.min()} to {out.max()}")
    return np.unique(out).astype(np.intp)


@dataclass(frozen=True, eq=False)
class MeshNodes:
    """The nodes of the cells of a structure: those of the source that cells have, then nodes added on edges."""

    positions: Array  # (k, 3)
    new: Indices  # index of each node of the source, −1 if no cell has it
    middles: Indices  # (m, 3): ends of edges, and the nodes added on them

    def numbering(self, nodes: Indices) -> Indices:
        """Nodes of the source in this numbering, with the nodes on edges between them."""
        inside = np.zeros(len(self.positions), dtype=bool)
        kept = self.new[nodes]
        inside[kept[kept >= 0]] = True
        inside[self.middles[:, 2]] = inside[self.middles[:, 0]] & inside[self.middles[:, 1]]
        return np.flatnonzero(inside)

    def with_middles(self, edges: list[Indices]) -> "tuple[list[Indices], MeshNodes]":
        """New nodes (e, m) in the middle of the edges (e, m, 2) of cells."""
        k = len(self.positions)
        pairs = [np.sort(ends, axis=2) for ends in edges]
        keys = [ends[..., 0] * k + ends[..., 1] for ends in pairs]
        unique = np.unique(np.concatenate([key.ravel() for key in keys]))
        middles = np.column_stack([unique // k, unique % k, k + np.arange(len(unique))])
        positions = np.vstack([self.positions, self.positions[middles[:, :2]].mean(1)])
        return [k + np.searchsorted(unique, key) for key in keys], MeshNodes(positions, self.new, middles)

    def named_sets(self, source: ElementMesh, sets: NodeSets | None) -> dict[str, Indices]:
        """The sets of the source and those that a caller gives: indices of nodes of the source, or functions of
        positions."""
        out = {key: self.numbering(source.nodes_of(key)) for key in source.set_names}
        out = {key: nodes for key, nodes in out.items() if len(nodes)}
        if not isinstance(sets or {}, Mapping):
            raise ModelError(f"sets are names with indices of nodes or functions of positions, not {sets!r:.80}")
        for key, value in (sets or {}).items():
            what = f"{source.name}: the set '{key}'"
            if callable(value):
                try:
                    inside = np.asarray(value(self.positions))
                except Exception as error:
                    raise FunctionError.of(what, f"for positions of shape {self.positions.shape}", error) from error
                if inside.shape != (len(self.positions),) or inside.dtype != bool:
                    raise ModelError(
                        f"{what}: its function gets positions (k × 3) and returns k truth values, not"
                        f" {inside.dtype} of shape {inside.shape}: lambda x: x[:, 0] < 1e-6"
                    )
                out[key] = np.flatnonzero(inside)
            else:
                out[key] = self.numbering(_indices(value, len(source.positions), what))
            if not len(out[key]):
                low, high = self.positions.min(0), self.positions.max(0)
                box = " × ".join(f"[{a:g}, {b:g}]" for a, b in zip(low, high, strict=True))
                raise ModelError(f"{what} has no nodes; the nodes of cells are in {box} m")
        return out


def used_nodes(source: ElementMesh, cells: list[Indices]) -> tuple[list[Indices], MeshNodes]:
    """Cells and their nodes, numbered anew without the nodes that no cell has."""
    used = np.unique(np.concatenate([nodes.ravel() for nodes in cells]))
    new = np.full(len(source.positions), -1, dtype=np.intp)
    new[used] = np.arange(len(used))
    return [new[nodes] for nodes in cells], MeshNodes(source.positions[used], new, np.zeros((0, 3), dtype=np.intp))


def check_connected(cells: list[Indices], k: int, name: str) -> None:
    """An error if a mesh falls into several parts."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first = np.concatenate([np.repeat(nodes[:, 0], nodes.shape[1] - 1) for nodes in cells])
    rest = np.concatenate([nodes[:, 1:].ravel() for nodes in cells])
    graph = coo_matrix((np.ones(len(first)), (first, rest)), shape=(k, k))
    count, labels = connected_components(graph, directed=False)
    if count > 1:
        sizes = ", ".join(str(n) for n in np.sort(np.bincount(labels))[::-1][:5])
        raise ModelError(
            f"{name}: the mesh has {count} parts without common nodes (of {sizes} nodes). Merge coincident"
            " nodes when meshing, or build a structure of each part"
        )
