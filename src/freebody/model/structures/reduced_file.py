"""Files of reduced bodies: one NPZ file holds the modal data, the points for drawing and the record of the reduction.

Arrays of the file: those of ``ModalData`` under their names; ``kinds`` of the modes; for the nodes ``node_names``,
``node_positions`` (k, 3), ``node_translations`` (k, 3, n), ``node_slopes`` (k, 3, n) with ``node_rotates`` (k),
``node_second`` (k, 3, n, n); ``mesh_points``, ``mesh_shapes``, ``mesh_lines``, ``mesh_triangles``; ``record`` as JSON;
``response_…`` if the reduction has one. Large meshes are stored with single precision.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np

from freebody import files
from freebody.array_files import ArrayReader, write_arrays
from freebody.errors import ModelError
from freebody.model.flexible.deformable_mesh import DeformableMesh
from freebody.model.flexible.modal_data import ModalData, ModalNode
from freebody.model.flexible.orthonormal import body_modes
from freebody.model.structures.reduced_data import (
    FrequencyResponse,
    ReducedData,
    ReductionRecord,
    check_body,
    check_finite,
)

FORM = "freebody reduced body 1"
LARGEST = 1024**3
"""Bytes of the arrays of one file."""
LARGE = 30_000
"""Numbers of a mesh above which they are stored with single precision."""
SHAPES: dict[str, tuple[int | None, ...]] = {
    "c0": (3,), "E": (3, None), "C": (3, None, None), "F0": (3, None), "F1": (3, None, None), "J0": (3, 3),
    "J1": (None, 3, 3), "J2": (None, None, 3, 3), "M_ff": (None, None), "K": (None, None), "D": (None, None),
    "preload": (None,),
}  # fmt: skip
"""The arrays of ``ModalData`` with their shapes; None stands for the number of modes."""


def write_reduced(body: ReducedData, path: "str | os.PathLike[str]") -> Path:
    """Write a reduced body as one file (.npz)."""
    target = files.target(path, "a reduced body", (".npz",))
    return write_arrays(target, to_arrays(body))


def to_arrays(body: ReducedData) -> dict[str, Any]:
    """The arrays of a reduced body by name."""
    data, mesh = body.data, body.mesh
    small = np.float32 if mesh.shapes.size > LARGE else np.float64
    arrays: dict[str, Any] = {"format": np.array(FORM), "m": np.array(data.m)}
    arrays |= {key: getattr(data, key) for key in SHAPES}
    arrays["kinds"] = _texts([mode.kind for mode in data.modes] if data.modes else [""] * data.n)
    arrays |= _node_arrays("node", list(data.nodes.values()), data.n)
    arrays |= {"node_names": _texts([*data.nodes])}
    arrays |= _node_arrays("outline", data.outline, data.n)
    arrays |= {"mesh_points": mesh.points.astype(small), "mesh_shapes": mesh.shapes.astype(small)}
    arrays |= {"mesh_lines": mesh.lines.astype(np.int64), "mesh_triangles": mesh.triangles.astype(np.int64)}
    arrays["record"] = np.array(json.dumps(asdict(body.record)))
    if body.response is not None:
        r = body.response
        arrays |= {"response_frequencies": r.frequencies, "response_labels": _texts(r.labels)}
        arrays |= {"response_full": r.full, "response_reduced": r.reduced}
    return arrays


def _texts(texts: Sequence[str]) -> Any:
    return np.array(texts, dtype=np.str_) if texts else np.zeros(0, dtype="U1")


def _node_arrays(key: str, nodes: Sequence[ModalNode], n: int) -> dict[str, Any]:
    k, none = len(nodes), np.zeros((3, n))
    return {
        f"{key}_positions": np.array([node.position for node in nodes]).reshape(k, 3),
        f"{key}_translations": np.array([node.translations for node in nodes]).reshape(k, 3, n),
        f"{key}_rotates": np.array([node.slopes is not None for node in nodes], dtype=bool),
        f"{key}_slopes": np.array([none if x.slopes is None else x.slopes for x in nodes]).reshape(k, 3, n),
        f"{key}_second": np.array([node.second for node in nodes]).reshape(k, 3, n, n),
    }


def read_reduced_npz(path: "str | os.PathLike[str]") -> ReducedData:
    """The reduced body in a file."""
    a = ArrayReader(files.path_of(path), FORM, LARGEST)
    n = len(a.raw("preload")) if a.raw("preload").ndim else 0
    arrays: dict[str, Any] = {
        key: a.floats(key, *(n if extent is None else extent for extent in shape)) for key, shape in SHAPES.items()
    }
    k = len(a.texts("node_names"))
    nodes = dict(zip(a.texts("node_names"), _nodes(a, "node", n), strict=True)) if k else {}
    if len(nodes) != k:
        raise a.error("two of its nodes have the same name")
    data = ModalData(m=float(a.floats("m")), nodes=nodes, outline=_nodes(a, "outline", n), **arrays)
    _check_inertia(a, data)
    with np.errstate(all="ignore"):  # numbers that are not finite are refused
        data = replace(data, modes=body_modes(data, a.texts("kinds", n)))
    check_finite(data, a.name)
    points = a.floats("mesh_points", None, 3)
    p = len(points)
    mesh = DeformableMesh(
        points,
        a.floats("mesh_shapes", p, 3, n),
        a.indices("mesh_lines", None, 2, below=p),
        a.indices("mesh_triangles", None, 3, below=p),
    )
    response = None
    if "response_frequencies" in a:
        f, labels = a.floats("response_frequencies", None), a.texts("response_labels")
        shape = len(f), len(labels)
        full, reduced = a.floats("response_full", *shape), a.floats("response_reduced", *shape)
        response = FrequencyResponse(f, labels, full, reduced)
    return ReducedData(data, mesh, _record(a), response)


def _check_inertia(a: ArrayReader, data: ModalData) -> None:
    """Raise if the data is not that of orthonormal modes of a body."""
    squares = np.diag(data.K)
    if data.m <= 0:
        raise a.error(f"its mass is {data.m:g}; a body needs a positive mass")
    if not np.array_equal(data.M_ff, np.eye(data.n)) or not np.array_equal(data.K, np.diag(squares)):
        raise a.error("its modes are not orthonormal: M_ff must be the identity, and K diagonal")
    if data.n and squares.min() <= 0:
        raise a.error("a mode has no stiffness; only modes that deform the body are read")
    try:
        check_body(data)
    except ModelError as error:
        raise a.error(str(error)) from None
    except np.linalg.LinAlgError:
        raise a.error("its matrices cannot be computed with: their numbers are too large or too small") from None


def _nodes(a: ArrayReader, key: str, n: int) -> tuple[ModalNode, ...]:
    positions = a.floats(f"{key}_positions", None, 3)
    k = len(positions)
    translations, slopes = a.floats(f"{key}_translations", k, 3, n), a.floats(f"{key}_slopes", k, 3, n)
    second, rotates = a.floats(f"{key}_second", k, 3, n, n), a.raw(f"{key}_rotates")
    if rotates.shape != (k,) or rotates.dtype.kind != "b":
        raise a.error(f"array '{key}_rotates' must hold a truth value for each node")
    return tuple(
        ModalNode(positions[j], translations[j], slopes[j] if rotates[j] else None, second[j]) for j in range(k)
    )


def _record(a: ArrayReader) -> ReductionRecord:
    """The record of the reduction, from JSON; values must have the types of the fields."""
    kinds = {f.name: f.type for f in fields(ReductionRecord)}
    try:
        items = json.loads(a.text("record"), parse_constant=_no_constant).items()
        values: dict[str, Any] = {key: tuple(x) if isinstance(x, list) else x for key, x in items if key in kinds}
        wrong = [key for key, x in values.items() if not _fits(x, kinds[key])]
        if wrong:
            raise ValueError(f"'{wrong[0]}' cannot be {values[wrong[0]]!r}")
        return ReductionRecord(**values)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise a.error(f"its record of the reduction cannot be read: {error}") from None


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not a finite number")


def _fits(value: Any, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(_fits(x, get_args(kind)[0]) for x in value)
    return isinstance(value, int | float if kind is float else kind)
