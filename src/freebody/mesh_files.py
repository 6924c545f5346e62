"""Files of meshes: where they are searched for, and their contents with the files that they name.

Only files inside of given folders are read. The search, not the reader of a format, opens files, so that a mesh cannot
name others: ``read_mesh(path, folders)`` returns all the bytes that a reader needs.
"""

import base64
import binascii
import json
import os
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from freebody.files import open_regular

FORMATS = (".stl", ".obj", ".glb", ".gltf", ".dae")
LARGEST = 100 * 2**20  # bytes of a file, and of all the files that it names
NUMBERS = 20_000_000  # numbers in the arrays of a glTF file
MATERIALS = 16  # files of materials that an OBJ file names
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
PACKAGES = ("package", "model")


class MeshError(Exception):
    """A mesh that cannot be drawn. The message completes "mesh 'arm.stl'"."""


class MissingMesh(MeshError):
    """A file that is in none of the folders."""


class OutsideMesh(MeshError):
    """A name that leads outside of the folders."""


# The search


def find_mesh(name: str, folders: Sequence[Path], beside: Path | None = None) -> Path:
    """The file with this name in one of the folders: relative to them, or to the folder ``beside``, which is one of
    them or in one of them. ``package://robot/arm.stl`` is robot/arm.stl in a folder, or arm.stl in a folder "robot".
    Raises ``OutsideMesh`` if the name leads outside, also through a link, and ``MissingMesh`` if there is no such
    file."""
    roots = [folder.resolve() for folder in folders]
    outside = False
    for candidate in _candidates(name, [*([] if beside is None else [beside.resolve()]), *roots]):
        if not _is_within(Path(os.path.normpath(candidate)), roots):
            outside = True
            continue
        try:
            path = candidate.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):  # links in a ring; names that no file can have
            continue
        if not _is_within(path, roots):
            outside = True
        elif path.is_file():
            return path
    if outside:
        raise OutsideMesh("leads outside of the folders in which meshes are searched for")
    raise MissingMesh("was not found")


def _candidates(name: str, folders: Sequence[Path]) -> list[Path]:
    if "\0" in name or not name.strip():
        raise MeshError("has a name that no file can have")
    scheme = SCHEME.fullmatch(name)
    if scheme is None:
        return [folder / name for folder in dict.fromkeys(folders)]
    kind, rest = scheme[1].lower(), scheme[2]
    if kind in PACKAGES:
        package, _, inside = rest.partition("/")
        inside = inside.lstrip("/")
        named = [folder / inside for folder in folders if folder.name == package]
        return [*(folder / package / inside for folder in dict.fromkeys(folders)), *named]
    if kind == "file":
        path = unquote(rest)
        return [folder / path for folder in dict.fromkeys(folders)]
    raise MeshError(f"is an address ({kind}://…); only files on this machine are read")


def _is_within(path: Path, roots: Sequence[Path]) -> bool:
    return any(path.is_relative_to(root) for root in roots)


# Contents


@dataclass(frozen=True)
class MeshFile:
    """The contents of a mesh in one of the formats: "stl", "obj", "gltf" or "dae", and of the files that it names.
    ``extra`` are their names as they are in the contents."""

    format: str
    data: bytes
    extra: dict[str, bytes] = field(default_factory=dict)


class NamedFiles:
    """The files that a mesh names, each read once, and all of them together no larger than a mesh may be."""

    def __init__(self, path: Path, folders: Sequence[Path]) -> None:
        self._path, self._folders, self._size = path, folders, 0
        self._read = dict[str, bytes]()

    def __getitem__(self, name: str) -> bytes:
        if name not in self._read:
            try:
                path = find_mesh(name, self._folders, self._path.parent)
            except MeshError as error:
                raise MeshError(f"needs the file '{last_name(name)}', which {error}") from None
            self._read[name] = self.counted(_contents(path))
        return self._read[name]

    def counted(self, content: bytes) -> bytes:
        """The content, counted with those of the files."""
        self._size += len(content)
        if self._size > LARGEST:
            raise MeshError(f"names files with more than the {LARGEST // 2**20} MiB that are read; simplify it")
        return content


def read_mesh(path: Path, folders: Sequence[Path]) -> MeshFile:
    """The contents of a mesh that ``find_mesh`` returned."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise MeshError(
            f"is of a format that is not read ({suffix or 'no suffix'}); the formats are {', '.join(FORMATS)}"
        )
    data = _contents(path)
    if not data:
        raise MeshError("is empty")
    if suffix == ".obj":
        return MeshFile("obj", data, _materials(data, NamedFiles(path, folders)))
    if suffix in (".glb", ".gltf"):
        return _gltf(data, suffix, NamedFiles(path, folders))
    return MeshFile(suffix[1:], data)


def _contents(path: Path) -> bytes:
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > LARGEST:
                raise MeshError(
                    f"has {size / 2**20:.0f} MiB, more than the {LARGEST // 2**20} MiB that are read; simplify it"
                )
            return file.read(LARGEST)
    except OSError as error:
        raise MeshError(f"cannot be read: {error.strerror or error}") from None


def _materials(data: bytes, files: NamedFiles) -> dict[str, bytes]:
    """The files of materials that an OBJ file names; those that are not there, or outside of the folders, are left
    out."""
    extra = dict[str, bytes]()
    names = re.findall(rb"(?m)^[ \t]*mtllib[ \t]+([^\r\n]+)", data)[:MATERIALS]
    for name in (raw.decode("utf-8", "replace").strip() for raw in names):
        try:
            extra[name] = files[name]
        except MeshError:
            continue
    return extra


def _gltf(data: bytes, suffix: str, files: NamedFiles) -> MeshFile:
    """A glTF file as its JSON without textures, and its buffers under the names "0", "1", …"""
    text, binary = _glb_chunks(data) if suffix == ".glb" else (data, None)
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        raise MeshError("is not a glTF file: its JSON cannot be read") from None
    if not isinstance(tree, dict):
        raise MeshError("is not a glTF file: its JSON is not an object")
    buffers = dict[str, bytes]()
    for k, buffer in enumerate(_objects(tree, "buffers")):
        uri = buffer.get("uri")
        if uri is None and binary is not None:
            content = binary
        elif not isinstance(uri, str):
            raise MeshError(f"is not a glTF file: buffer {k} has no data")
        elif uri.startswith("data:"):
            content = files.counted(_inline(uri))
        else:
            content = files[unquote(uri)]
        buffers[str(k)], buffer["uri"] = content, str(k)
    for key in ("images", "textures", "samplers", "animations", "skins", "cameras"):
        tree.pop(key, None)
    tree["nodes"] = _objects(tree, "nodes")
    tree["materials"] = [_plain_material(material) for material in _objects(tree, "materials")]
    _check_sizes(tree)
    return MeshFile("gltf", json.dumps(tree).encode(), buffers)


def _check_sizes(tree: dict[str, Any]) -> None:
    """Refuse arrays that are too long; each is counted as often as parts of meshes use it."""
    counts = [_whole(accessor.get("count")) for accessor in _objects(tree, "accessors")]
    total = sum(counts)
    for mesh in [] if total > NUMBERS else _objects(tree, "meshes"):
        for part in _objects(mesh, "primitives"):
            part.pop("targets", None)
            used = part.get("attributes", {})
            if not isinstance(used, dict):
                raise MeshError("is not a glTF file: 'attributes' is not an object")
            indices = [k for k in (*used.values(), part.get("indices")) if k is not None]
            if not all(type(k) is int and 0 <= k < len(counts) for k in indices):
                raise MeshError("is not a glTF file: a part of a mesh names an array that does not exist")
            total += sum(counts[k] for k in indices)
    if total > NUMBERS:
        raise MeshError(f"announces arrays with more than {NUMBERS} entries, which are not read; simplify it")


def _glb_chunks(data: bytes) -> tuple[bytes, bytes]:
    """The JSON and the binary part of a GLB file."""
    if len(data) < 20 or data[:4] != b"glTF":
        raise MeshError("is not a GLB file, or is cut off")
    length, kind = struct.unpack_from("<I4s", data, 12)
    if kind != b"JSON" or 20 + length > len(data):
        raise MeshError("is not a GLB file, or is cut off")
    text, rest = data[20 : 20 + length], data[20 + length :]
    if len(rest) < 8:
        return text, b""
    size = struct.unpack_from("<I", rest)[0]
    if 8 + size > len(rest):
        raise MeshError("is cut off: its binary part is shorter than announced")
    return text, rest[8 : 8 + size]


def _inline(uri: str) -> bytes:
    try:
        return base64.b64decode(uri.partition(",")[2], validate=True)
    except (ValueError, binascii.Error):
        raise MeshError("is not a glTF file: the data of a buffer cannot be decoded") from None


def _objects(tree: dict[str, Any], key: str) -> list[dict[str, Any]]:
    values = tree.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise MeshError(f"is not a glTF file: '{key}' is not a list of objects")
    return values


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise MeshError("is not a glTF file: an array has no size")
    return value


def _plain_material(material: dict[str, Any]) -> dict[str, Any]:
    """A material with its basic colour alone."""
    metallic = material.get("pbrMetallicRoughness")
    color = metallic.get("baseColorFactor") if isinstance(metallic, dict) else None
    return {"pbrMetallicRoughness": {} if color is None else {"baseColorFactor": color}}


def last_name(name: str) -> str:
    """The last part of a name, for messages, which are also in pages for others; the whole name of a file of a
    package."""
    if name.startswith("package://"):
        return name[:160]
    return PurePosixPath(name.replace("\\", "/")).name[:80] or name[:80]
