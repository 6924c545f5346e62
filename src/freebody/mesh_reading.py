"""The triangles of meshes in files: binary STL files are read here, all others by trimesh."""

import json
import logging
import struct
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.mesh_files import MeshError, MeshFile

Array = NDArray[np.float64]
Look = tuple[tuple[float, float, float] | None, float]  # colour, and opacity
MOST = 2_000_000  # triangles of a file that are read
INSTANCES = 10_000  # of parts in a file
MATERIALS = 3000  # changes of the material in an OBJ file, and colours of a file
STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
SILENT = logging.NullHandler()


class MissingReader(MeshError):
    """A library that is not installed."""


def read_triangles(file: MeshFile) -> list[tuple[Array, Look]]:
    """The corners of triangles (n, 3, 3) of each part of a file."""
    if file.format == "stl" and (corners := _binary_stl(file.data)) is not None:
        return [(corners, (None, 1.0))]
    try:
        import trimesh
    except ImportError:
        raise MissingReader("needs the library trimesh") from None
    logging.getLogger("trimesh").addHandler(SILENT)  # what it logs about damaged files is not shown to users
    if file.format == "dae":
        _check_collada(file.data)
    elif file.format == "obj" and file.data.count(b"usemtl") > MATERIALS:
        raise MeshError(f"changes its material more than {MATERIALS} times; join the faces of each material")
    elif file.format == "gltf":
        _check_instances(_gltf_graph(json.loads(file.data)))
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are refused below
            scene = trimesh.load_scene(
                BytesIO(file.data), file_type=file.format, resolver=NamedBytes(file.extra), process=False
            )
        parts = [scene.graph[node] for node in scene.graph.nodes_geometry]
        total = sum(len(getattr(scene.geometry[name], "faces", ())) for _, name in parts)
        if total > MOST:
            raise MeshError(f"has {total} triangles, more than the {MOST} that are read; simplify it")
        unit = _metres(scene.units) if file.format == "dae" else 1.0
        result = list[tuple[Array, Look]]()
        for matrix, name in parts:
            mesh = scene.geometry[name]
            if isinstance(mesh, trimesh.Trimesh) and len(mesh.faces):
                with np.errstate(all="ignore"):  # numbers that are not finite are refused below
                    points = (mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]) * unit
                points = points @ UPRIGHT.T if file.format == "gltf" else points
                faces = mesh.faces[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0 else mesh.faces
                result.append((points[faces], _look(mesh.visual)))
    except MeshError:
        raise
    except ImportError as error:
        raise MissingReader(f"needs the library {error.name or error}") from None
    except (Exception, RecursionError) as error:  # readers of hostile files raise anything
        raise MeshError(f"cannot be read; it is damaged, or not of this format ({type(error).__name__})") from None
    return result


UPRIGHT = np.array([(1, 0, 0), (0, 0, -1), (0, 1, 0)])
"""From the axes of glTF, where y is up, to those of a body, where z is."""


class NamedBytes(dict[str, bytes]):
    """The files that a mesh names, for trimesh; it opens no others."""

    def get(self, name: str, default: Any = None) -> Any:
        return self[name]

    def __missing__(self, name: str) -> bytes:
        raise FileNotFoundError(f"{name[:80]} is not read")

    def namespaced(self, namespace: str) -> "NamedBytes":
        return self


def _binary_stl(data: bytes) -> Array | None:
    """The corners of a binary STL file; None for one that is text."""
    if len(data) < 84:
        if data.lstrip()[:5].lower() == b"solid":
            return None
        raise MeshError("is not an STL file, or is cut off")
    (count,) = struct.unpack_from("<I", data, 80)
    size = 84 + STL.itemsize * count
    if data.lstrip()[:5].lower() == b"solid" and (len(data) != size or b"facet" in data[:1000]):
        return None
    if len(data) < size:
        there = (len(data) - 84) // STL.itemsize
        raise MeshError(f"is cut off, or is not an STL file: it announces {count} triangles and has {there}")
    if count > MOST:
        raise MeshError(f"has {count} triangles, more than the {MOST} that are read; simplify it")
    with np.errstate(invalid="ignore"):  # signalling NaN
        return np.frombuffer(data, STL, count, 84)["corners"].astype(np.float64)


def _check_collada(data: bytes) -> None:
    """Refuse entities, archives, and nodes that contain each other so often that they become too many."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise MeshError("has a DTD or entities (<!DOCTYPE …>), which are not read") from None
    except (ParseError, ValueError, LookupError) as error:
        raise MeshError(f"is not XML, or is cut off: {error}") from None
    nodes = {node: k for k, node in enumerate(root.findall(".//{*}node"))}
    by_address = {f"#{node.get('id')}": k for node, k in nodes.items() if node.get("id") is not None}
    graph = dict[int, list[int]]()
    for node, k in nodes.items():
        named = [by_address.get(child.get("url", ""), -1) for child in node.findall("{*}instance_node")]
        graph[k] = [*(nodes[child] for child in node.findall("{*}node")), *named]
    _check_instances(graph)


def _gltf_graph(tree: Mapping[str, Any]) -> dict[int, list[int]]:
    children = [node.get("children") for node in tree["nodes"]]
    return {
        k: [c for c in inner if isinstance(c, int)] if isinstance(inner, list) else []
        for k, inner in enumerate(children)
    }


def _check_instances(graph: Mapping[int, Iterable[int]]) -> None:
    """Refuse a graph of nodes with rings, or whose nodes occur too often. Each edge is visited once."""
    counts = dict[int, int]()  # of a node with all inside it
    for start in graph:
        if start in counts:
            continue
        sums, todo = {start: 1}, [(start, iter(graph[start]))]  # the nodes from the start to the one that is visited
        while todo:
            node, children = todo[-1]
            child = next((c for c in children if c in graph), None)
            if child is None:
                todo.pop()
                counts[node] = min(sums.pop(node), INSTANCES + 1)
                if todo:
                    sums[todo[-1][0]] += counts[node]
            elif child in sums:
                raise MeshError("has nodes that contain themselves")
            elif child in counts:
                sums[node] += counts[child]
            else:
                sums[child] = 1
                todo.append((child, iter(graph[child])))
    if max(counts.values(), default=0) > INSTANCES:
        raise MeshError(f"has more than {INSTANCES} parts, which are not read")


def _metres(units: str | None) -> float:
    """The unit of a COLLADA file, as trimesh says it: "meters" or "0.01 * meters"."""
    scale = (units or "").partition("*")[0].strip()
    try:
        value = float(scale)
    except ValueError:
        return 1.0
    return value if 1e-9 < value < 1e9 else 1.0


def _look(visual: Any) -> Look:
    """The colour and opacity that a file gives to a part; the most frequent, where there are several."""
    material = getattr(visual, "material", None)
    if material is None and not getattr(visual, "defined", False):
        return None, 1.0
    color = np.asarray(visual.main_color if material is None else material.main_color, float).ravel() / 255
    if len(color) < 3 or not np.isfinite(color).all():
        return None, 1.0
    r, g, b, opacity = np.clip([*color[:3], color[3] if len(color) > 3 else 1.0], 0, 1).tolist()
    return (r, g, b), opacity or 1.0
