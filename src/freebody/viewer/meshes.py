"""Meshes of files as geometries: read by trimesh, grouped by colour, simplified where they are too large, with normals.

The result of a file is stored on disk by the digest of its contents, so that a second picture does not read it again.
"""

import json
import logging
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.disk_cache import Cache, object_key
from freebody.viewer.geometry import with_normals
from freebody.viewer.mesh_files import MeshError, MeshFile
from freebody.viewer.scene import Colour, Geometry
from freebody.viewer.surface import turned_alike

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Look = tuple[Colour | None, float]  # colour, and opacity
RULES = 2  # counted up when the same file gives another result
MOST = 2_000_000  # triangles of a file that are read
INSTANCES = 10_000  # of parts in a file
MATERIALS = 3000  # changes of the material in an OBJ file, and colours of a file
FEWEST = 4  # triangles of a colour that remain when a mesh is simplified
FARTHEST = 1e9  # m
STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
SILENT = logging.NullHandler()


class MissingReader(MeshError):
    """A library that is not installed."""


@dataclass(frozen=True, eq=False)
class MeshPart:
    """The triangles of a mesh that have one colour; None is that of the body."""

    geometry: Geometry
    color: Colour | None
    opacity: float


def mesh_parts(file: MeshFile, limit: int) -> list[MeshPart]:
    """The parts of a mesh with at most about ``limit`` triangles together."""
    from hashlib import blake2b

    contents = [blake2b(part).hexdigest() for part in (file.data, *file.extra.values())]
    key = object_key("mesh", RULES, limit, file.format, *file.extra, *contents)
    cache = Cache()
    stored = cache.get(key)
    parts = None if stored is None else _from_bytes(stored)
    if parts is None:
        groups = _by_look(_triangles(file))
        parts = _simplified(groups, limit)
        cache.put(key, _to_bytes(parts))
    return parts


# Reading


def _triangles(file: MeshFile) -> list[tuple[Array, Look]]:
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


# Triangles


def _by_look(parts: Iterable[tuple[Array, Look]]) -> dict[Look, tuple[Array, Indices]]:
    """The vertices and triangles of each look, with equal corners as one vertex."""
    corners = dict[Look, list[Array]]()
    for part, look in parts:
        corners.setdefault(look, []).append(part)
        if len(corners) > MATERIALS:
            raise MeshError(f"has more than {MATERIALS} colours; simplify it")
    groups = dict[Look, tuple[Array, Indices]]()
    for look, several in corners.items():
        points = np.concatenate(several).reshape(-1, 3)
        wrong = int((~np.isfinite(points).all(axis=1)).sum())
        if wrong:
            raise MeshError(f"has corners that are not finite numbers ({wrong}); export it again")
        if len(points) and np.abs(points).max() > FARTHEST:
            raise MeshError(f"has points {np.abs(points).max():.1e} away from its origin; check its units and scale")
        rows = np.ascontiguousarray(points.astype(np.float32) + np.float32(0)).view("V12").ravel()
        _, one, which = np.unique(rows, return_index=True, return_inverse=True)
        triangles = which.reshape(-1, 3)
        a, b, c = triangles.T
        triangles = triangles[(a != b) & (b != c) & (c != a)]
        if len(triangles):
            groups[look] = points[one], triangles.astype(np.int64)
    if not groups:
        raise MeshError("has no triangles")
    return groups


def _simplified(groups: Mapping[Look, tuple[Array, Indices]], limit: int) -> list[MeshPart]:
    total, parts = sum(len(triangles) for _, triangles in groups.values()), list[MeshPart]()
    for (color, opacity), (vertices, triangles) in groups.items():
        target = max(limit * len(triangles) // total, FEWEST)
        if total > limit and len(triangles) > target:
            vertices, triangles = _reduced(vertices, triangles, target)
        geometry = with_normals(vertices, turned_alike(triangles))
        if len(geometry.triangles):
            parts.append(MeshPart(_rounded(geometry), color, opacity))
    if not parts:
        raise MeshError("has no triangles with an area")
    return parts


def _reduced(vertices: Array, triangles: Indices, target: int) -> tuple[Array, Indices]:
    """About ``target`` triangles of nearly the same shape (quadric edge collapses)."""
    try:
        from fast_simplification import simplify
    except ImportError:
        raise MissingReader(
            f"has {len(triangles)} triangles; with so many it needs the library fast-simplification"
        ) from None
    centre = vertices.mean(axis=0)
    size = float(np.ptp(vertices, axis=0).max()) or 1.0
    points, faces = simplify(
        np.ascontiguousarray((vertices - centre) / size, np.float32),
        np.ascontiguousarray(triangles, np.int32),
        target_count=target,
    )
    return np.asarray(points, float) * size + centre, np.asarray(faces, np.int64)


def _rounded(shape: Geometry) -> Geometry:
    """The geometry with as many binary digits as are seen, 1/65536 of its size, so that files are smaller."""
    assert shape.normals is not None
    step = 2.0 ** np.floor(np.log2(np.ptp(shape.vertices, axis=0).max() / 65536))
    return Geometry(np.round(shape.vertices / step) * step, shape.triangles, np.round(shape.normals * 512) / 512)


# The cache


def _to_bytes(parts: list[MeshPart]) -> bytes:
    """A header in JSON with its length before it, then the arrays of each part."""
    header = [[p.color, p.opacity, len(p.geometry.vertices), len(p.geometry.triangles)] for p in parts]
    text = json.dumps(header).encode()
    arrays = [
        np.asarray(a, kind).tobytes()
        for p in parts
        for a, kind in ((p.geometry.vertices, "<f4"), (p.geometry.normals, "<f4"), (p.geometry.triangles, "<u4"))
    ]
    return struct.pack("<I", len(text)) + text + b"".join(arrays)


def _from_bytes(data: bytes) -> list[MeshPart]:
    (length,) = struct.unpack_from("<I", data)
    at, parts = 4 + length, list[MeshPart]()
    for color, opacity, n, m in json.loads(data[4:at]):
        vertices = np.frombuffer(data, "<f4", 3 * n, at).reshape(n, 3).astype(np.float64)
        normals = np.frombuffer(data, "<f4", 3 * n, at + 12 * n).reshape(n, 3).astype(np.float64)
        triangles = np.frombuffer(data, "<u4", 3 * m, at + 24 * n).reshape(m, 3).astype(np.int64)
        at += 24 * n + 12 * m
        parts.append(MeshPart(Geometry(vertices, triangles, normals), None if color is None else tuple(color), opacity))
    return parts
