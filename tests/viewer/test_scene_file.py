"""Scenes as bytes: what is read back equals what was written, to the resolution that is promised."""

import json
import struct
import zlib
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from freebody.viewer.scene import Clip, Geometry, Item, Scene, SceneBody, Series
from freebody.viewer.scene_file import ArrayStore, encode_rows, page, scene_bytes

HOSTILE = ["</script><script>alert(1)</script>", "\"'`<!--", "nul\0nul", "\ud800", "x" * 10_000, "‮rtl", "]]>&amp;"]


def read_scene(data: bytes) -> tuple[dict[str, Any], Any]:
    """The JSON of a scene, and a function that returns an array by its place."""
    raw = zlib.decompress(data)
    (length,) = struct.unpack("<I", raw[:4])
    start = 4 + length + -(4 + length) % 8

    def read(place: dict[str, Any]) -> np.ndarray:
        count = int(np.prod(place["shape"]))
        return np.frombuffer(raw, f"<{place['$']}", count, start + place["at"]).reshape(place["shape"])

    return json.loads(raw[4 : 4 + length]), read


def decode_rows(coded: dict[str, Any], read: Any) -> np.ndarray:
    """A table over time, as the viewer decodes it."""
    rows, columns = coded["rows"], coded["columns"]
    planes = read(coded["data"]).reshape(4, columns, rows).astype(np.uint32)
    z = planes[0] | planes[1] << 8 | planes[2] << 16 | planes[3] << 24
    d = (z >> 1).view(np.int32) ^ -(z & 1).view(np.int32)
    k = np.cumsum(np.cumsum(d, axis=1, dtype=np.int32), axis=1, dtype=np.int32)
    values = read(coded["first"]) + read(coded["step"]) * k.T
    if coded["missing"] is not None:
        values[read(coded["missing"]).reshape(columns, rows).T != 0] = np.nan
    return values


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_read_back_within_half_a_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scales = 10.0 ** rng.uniform(-6, 6, 7)
    values = rng.normal(size=(40, 7)) * scales + rng.normal(size=7) * 100 * scales
    values[3, 2] = np.nan
    values[5:, 4] = np.inf
    steps = scales * 10.0 ** rng.uniform(-8, -2, 7)
    store = ArrayStore()
    coded = encode_rows(values, steps, store)
    data = b"".join(store.parts)
    read = lambda p: np.frombuffer(data, f"<{p['$']}", int(np.prod(p["shape"])), p["at"]).reshape(p["shape"])  # noqa: E731
    back = decode_rows(coded, read)
    assert np.array_equal(np.isnan(back), ~np.isfinite(values))
    wrong = np.abs(back - values)
    wrong[~np.isfinite(values)] = 0
    assert np.all(wrong <= 0.51 * np.maximum(read(coded["step"]), 1e-15))


def small_scene(name: str, n: int = 5) -> Scene:
    t = np.linspace(0, 1, n)
    triangle = Geometry(np.eye(3), np.array([[0, 1, 2]]))
    turns = np.tile([1.0, 0, 0, 0], (n, 1, 1))
    places = np.stack([t, t**2, 0 * t], 1)[:, None]
    clip = Clip(name, t, places, turns, t[:, None] * 3, np.zeros((n, 0, 3)), [(0.5, name)])
    body = SceneBody(name, -1, name, 1.0, (0, 0, 0), (0, 0, 0), (0.1, 0.2, 0.3), q=[name])
    item = Item(triangle, 0, np.eye(3, 4), name=name)
    series = [Series(f"q.{name}", name, "q", name)]
    return Scene(name, name, 1.0, [body], [item], series=series, clips=[clip], notes=[name])


def test_a_scene_is_read_back() -> None:
    scene = small_scene("arm")
    plain, read = read_scene(scene_bytes(scene))
    clip = plain["clips"][0]
    assert np.allclose(decode_rows(clip["positions"], read), scene.clips[0].positions[:, 0], atol=1e-5)
    assert np.allclose(decode_rows(clip["turns"], read), [1, 0, 0, 0])
    assert plain["bodies"][0]["name"] == "arm" and read(plain["item_transforms"]).shape == (1, 3, 4)
    geometry = plain["geometries"][plain["items"][0]["geometry"]]
    assert read(geometry["triangles"]).tolist() == [[0, 1, 2]]
    vertices = geometry["low"] + read(geometry["vertices"]) * np.array(geometry["step"])
    assert np.allclose(vertices, scene.items[0].geometry.vertices, atol=1e-5)


class Elements(HTMLParser):
    """The tags of a page, and the text of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts.append(data)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_reach_the_page_as_data_only(name: str) -> None:
    usual, hostile = Elements(), Elements()
    usual.feed(page(small_scene("arm")))
    text = page(small_scene(name))
    hostile.feed(text)
    assert hostile.tags == usual.tags and hostile.scripts[1:] == usual.scripts[1:]
    text.encode()  # no lone surrogates
    plain, _ = read_scene(b64decode(hostile.scripts[0]))
    assert plain["bodies"][0]["name"] == name
