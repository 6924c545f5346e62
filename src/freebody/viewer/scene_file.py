"""Scenes as bytes, and the page that shows them: one HTML file that loads nothing.

The bytes are JSON with the names of ``Scene``'s fields, and arrays behind it, deflated together. What changes over time
is stored as rows (``encode_rows``). Names and texts reach the page only as data inside the bytes.
"""

import json
import struct
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files as package_files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.tables import field_values, shorten
from freebody.viewer.scene import Clip, FlexibleItem, Geometry, Item, Polyline, Scene
from freebody.viewer.surface import drawn_surface

Array = NDArray[np.float64]
FORMAT = 2
TURN_STEP = 2.0**-15
"""The resolution of quaternions: an error of 3e-5 rad."""
SERIES_STEP, ARROW_STEP = 2.0**-20, 2.0**-14
"""The resolutions of series, but not below their rounding errors, and of vectors, relative to the range of the column.
"""
LEVEL = 5
"""Of the compression: higher ones take much longer for a few per cent."""
POSITION_STEP = 2.0**-17
"""The resolution of positions, relative to the size of the scene or of a body's motion, whichever is smaller."""

LOADER = """\
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("fb-code").textContent), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch(() => {
  for (const view of document.querySelectorAll(".fb-view"))
    view.textContent = "This browser is too old for the 3D view: it cannot unpack the page's data.";
});
"""
"""Inserts the viewer. The page's policy allows these two scripts alone, by their digests."""

HEIGHT = 460
"""The height of a view in a notebook, in pixels."""

STYLE = "html, body { margin: 0; height: 100%; } .fb-view { height: 100%; }"


# Arrays


class ArrayStore:
    """Collects arrays one after another; in JSON an array is its type, place and shape."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, values: ArrayLike, kind: str) -> dict[str, Any]:
        array = np.ascontiguousarray(values, f"<{kind}")
        place = {"$": kind, "at": self.size, "shape": list(array.shape)}
        data = array.tobytes() + bytes(-array.nbytes % 8)
        self.parts.append(data)
        self.size += len(data)
        return place

    def indices(self, values: ArrayLike) -> dict[str, Any]:
        """Indices, in two bytes where that is enough."""
        array = np.asarray(values)
        return self.add(array, "u2" if array.max(initial=0) < 2**16 else "u4")


def encode_rows(values: Array, step: ArrayLike, store: ArrayStore) -> dict[str, Any]:
    """A table (rows over time, columns) as integers times the steps of the columns, from their first value: second
    differences along each column, with the sign in the lowest bit, in four planes of bytes, which deflate well."""
    rows, columns = values.shape
    missing = ~np.isfinite(values)
    filled = np.where(missing, 0.0, values)
    first = filled[0] if rows else np.zeros(columns)
    steps = np.broadcast_to(np.asarray(step, float), (columns,))
    steps = np.maximum(steps, np.abs(filled - first).max(axis=0, initial=0.0) / 2**30)  # what 32 bits can hold
    steps = np.where(steps > 0, steps, 1.0)
    k = np.rint((filled - first) / steps).astype(np.int64)
    d = np.diff(k, n=2, axis=0, prepend=np.zeros((2, columns), np.int64)).T.astype(np.int32)
    z = ((d << 1) ^ (d >> 31)).view(np.uint32)
    planes = np.ascontiguousarray(z).view(np.uint8).reshape(-1, 4).T
    flags = store.add(missing.T.ravel(), "u1") if missing.any() else None
    return {
        "rows": rows,
        "columns": columns,
        "first": store.add(first, "f8"),
        "step": store.add(steps, "f8"),
        "data": store.add(planes.ravel(), "u1"),
        "missing": flags,
    }


# Scenes


def scene_bytes(scene: Scene) -> bytes:
    """A scene, deflated."""
    store = ArrayStore()
    geometries = {id(item.geometry): item.geometry for item in scene.items}
    number = {key: k for k, key in enumerate(geometries)}
    transforms = np.array([item.transform for item in scene.items], float).reshape(-1, 3, 4)
    plain = field_values(scene) | {
        "format": FORMAT,
        "geometries": [_geometry(g, store) for g in geometries.values()],
        "items": [_item(item, number[id(item.geometry)]) for item in scene.items],
        "item_transforms": store.add(transforms, "f4"),
        "lines": [_polyline(line, store) for line in scene.lines],
        "flexible": [_flexible(item, store) for item in scene.flexible],
        "clips": [_clip(clip, scene, store) for clip in scene.clips],
        "motion": _motion(scene, store),
    }
    text = json.dumps(_plain(plain), ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()
    head = struct.pack("<I", len(text)) + text
    return zlib.compress(b"".join([head, bytes(-len(head) % 8), *store.parts]), LEVEL)


def _plain(value: Any) -> Any:
    """Dataclasses, sequences, texts and numbers as JSON has them; a number that is not finite is null."""
    if is_dataclass(value) and not isinstance(value, type):
        value = field_values(value)
    if isinstance(value, Mapping):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return [_plain(v) for v in value]
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def _geometry(g: Geometry, store: ArrayStore) -> dict[str, Any]:
    """Vertices as integers of two bytes from the lowest corner of their box, normals as integers of one byte."""
    low = g.vertices.min(axis=0, initial=np.inf) if len(g.vertices) else np.zeros(3)
    step = np.ptp(g.vertices, axis=0) / 65535 if len(g.vertices) else np.ones(3)
    counts = np.rint((g.vertices - low) / np.where(step > 0, step, 1.0))
    normals = None if g.normals is None else store.add(np.rint(127 * g.normals), "i1")
    return {
        "vertices": store.add(counts, "u2"),
        "low": low,
        "step": step,
        "triangles": store.indices(g.triangles),
        "normals": normals,
    }


def _item(item: Item, geometry: int) -> dict[str, Any]:
    plain = field_values(item) | {"geometry": geometry}
    del plain["transform"]
    return plain


def _polyline(line: Polyline, store: ArrayStore) -> dict[str, Any]:
    return field_values(line) | {"points": store.add(line.points, "f4")}


def _flexible(item: FlexibleItem, store: ArrayStore) -> dict[str, Any]:
    plain = field_values(item)
    arrays = {name: store.add(plain[name], "f4") for name in ("points", "shapes")}
    vertices, triangles = drawn_surface(item.points, item.triangles)
    indices = {"lines": item.lines, "vertices": vertices, "triangles": triangles}
    return plain | arrays | {name: store.add(values, "u4") for name, values in indices.items()}


def _clip(clip: Clip, scene: Scene, store: ArrayStore) -> dict[str, Any]:
    n, size = len(clip.t), scene.size
    series, vectors = clip.series.reshape(n, -1), clip.vectors.reshape(n, -1)
    errors = np.array([one.smallest for one in scene.series])
    positions = clip.positions.reshape(n, -1)
    span = np.ptp(clip.positions, axis=0).max(axis=-1, initial=0.0) if n else np.zeros(clip.positions.shape[1])
    span = np.where((span > 0) & (span < size), span, size)
    return {
        "name": clip.name,
        "t": store.add(clip.t, "f8"),
        "events": clip.events,
        "color": clip.color,
        "loop": clip.loop,
        "note": clip.note,
        "positions": encode_rows(positions, np.repeat(POSITION_STEP * span, 3), store),
        "turns": encode_rows(clip.turns.reshape(n, -1), TURN_STEP, store),
        "series": encode_rows(series, np.maximum(SERIES_STEP * _range(series), errors), store),
        "vectors": encode_rows(vectors, ARROW_STEP * _range(vectors), store),
    }


def _range(values: Array) -> Array:
    finite = np.where(np.isfinite(values), values, 0.0)
    return np.asarray(np.ptp(finite, axis=0) if len(finite) else np.zeros(values.shape[1]))


def _motion(scene: Scene, store: ArrayStore) -> dict[str, Any] | None:
    m = scene.motion
    if m is None:
        return None
    indices = {"a": m.a, "b": m.b, "c": m.c, "poses": m.poses, "residuals": m.residuals, "slopes": m.slopes}
    arrays = {name: store.add(values, "u4") for name, values in indices.items()}
    numbers = {"op": store.add(m.op, "u1"), "numbers": store.add(m.numbers, "f8")}
    return {**arrays, **numbers, "coordinates": m.coordinates}


# The page


@cache
def viewer_code() -> str:
    """The viewer, as ``make web`` builds it."""
    return package_files("freebody.viewer").joinpath("web", "viewer.js").read_text("utf-8")


@cache
def packed_code() -> str:
    return b64encode(zlib.compress(viewer_code().encode(), 9)).decode()


def _digest(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


@cache
def policy() -> str:
    """The Content-Security-Policy of pages with scenes: no requests, and no scripts but the two of the viewer."""
    return (
        f"default-src 'none'; script-src {_digest(LOADER)} {_digest(viewer_code())}; style-src 'unsafe-inline';"
        " img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def view_element(scene: Scene, name: str = "fb-scene-1", bare: bool = False, t: float | None = None) -> str:
    """The element that shows a scene, with its data; ``code_elements`` are needed once in the page, behind it. It is
    shown at its start, or at time ``t``; ``bare``: without controls."""
    data = b64encode(scene_bytes(scene)).decode()
    attributes = (" data-bare" if bare else "") + ("" if t is None else f' data-time="{t!r}"')
    return (
        f'<div class="fb-view" data-scene="{name}"{attributes}></div>\n'
        f'<script type="application/octet-stream" id="{name}">{data}</script>'
    )


def code_elements() -> str:
    """The viewer's code and what starts it."""
    return f'<script type="application/octet-stream" id="fb-code">{packed_code()}</script>\n<script>{LOADER}</script>'


def page(scene: Scene, bare: bool = False, t: float | None = None) -> str:
    """A page that shows a scene and fills the window; see ``view_element``."""
    title = escape(shorten(scene.title, 200))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
{view_element(scene, bare=bare, t=t)}
<noscript>This page shows moving bodies in 3D, which needs JavaScript. It loads nothing from elsewhere.</noscript>
{code_elements()}
</body>
</html>
"""


def frame_element(scene: Scene, t: float | None = None, size: tuple[int, int] | None = None) -> str:
    """A page inside another one, for notebooks: apart from their styles, and without rights but to run its own code.
    Its size is in pixels; without one it is as wide as the notebook."""
    width, height = ("100%", f"{HEIGHT}px") if size is None else (f"{size[0]}px", f"{size[1]}px")
    style = f"width: {width}; height: {height}; border: 1px solid #8886; border-radius: 6px"
    return f'<iframe srcdoc="{escape(page(scene, t=t))}" sandbox="allow-scripts" style="{style}"></iframe>'
