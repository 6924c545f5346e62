"""The cache on disk, by digest: compiled objects, choices of formulations, meshes for pictures.

An entry is one file: header (magic, key, length, checksum), then the object. It is written beside its place and
renamed, so a reader sees a whole entry or none; whatever does not match its header is a miss, and the next `put`
replaces it. A cache never breaks a run: with a disk that is full, read-only or absent it stores nothing.

Some entries are code that will run, so a folder in which other users may write is refused.
"""

import hashlib
import os
import stat
import struct
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, count
from pathlib import Path

from freebody.errors import warn
from freebody.files import open_regular

DAY = 86400.0
_HEADER = struct.Struct("<8s32sQ32s")
_MAGIC = b"freebody"
_SUFFIX, _PARTIAL = ".fbo", ".fbo-partial"
_SWEEP_EVERY = 32
_puts = count()


def object_key(*parts: object) -> bytes:
    """The digest of all that decides the bytes of an object, each part preceded by its length."""
    digest = hashlib.blake2b(digest_size=32)
    for part in parts:
        data = str(part).encode()
        digest.update(struct.pack("<Q", len(data)))
        digest.update(data)
    return digest.digest()


@dataclass(frozen=True)
class Cache:
    """The objects in one folder, at most `limit` bytes of them.

    Without a `root`, each use asks the environment: $FREEBODY_CACHE (`off` for no cache), else freebody/objects in
    $XDG_CACHE_HOME or ~/.cache.
    """

    root: Path | None = None
    limit: int = 512 * 2**20

    def get(self, key: bytes) -> bytes | None:
        """The object stored under the key, or None. What is read counts as recently used."""
        folder = self._folder()
        if folder is None:
            return None
        path = folder / (key.hex() + _SUFFIX)
        try:
            body = _read(path, key)
        except OSError:
            return None
        if body is not None:
            with suppress(OSError):
                os.utime(path)
        return body

    def put(self, key: bytes, body: bytes) -> None:
        """Store the object, if that is possible. Now and then also tidy up."""
        folder = self._folder()
        if folder is None:
            return
        with suppress(OSError):
            _write(folder / (key.hex() + _SUFFIX), _HEADER.pack(_MAGIC, key, len(body), _checksum(body)) + body)
        if next(_puts) % _SWEEP_EVERY == 0:
            self.sweep()

    def sweep(self) -> None:
        """Remove what killed writers left a day ago and, past the limit, the entries used least recently.

        A quarter of the limit is freed with them, so that the next sweeps find nothing to do.
        """
        folder = self._folder()
        if folder is None:
            return
        newest_first: list[tuple[float, int, Path]] = []  # time of last use, size and path of each file
        with suppress(OSError):
            for entry in os.scandir(folder):
                if entry.name.endswith((_SUFFIX, _PARTIAL)):
                    with suppress(OSError):  # it may disappear meanwhile
                        status = entry.stat(follow_symlinks=False)
                        newest_first.append((status.st_mtime, status.st_size, Path(entry.path)))
            newest_first.sort(reverse=True)
            excess = [path for when, _, path in newest_first if path.suffix == _PARTIAL and when < time.time() - DAY]
            entries = [(size, path) for _, size, path in newest_first if path.suffix == _SUFFIX]
            totals = list(accumulate(size for size, _ in entries))
            if totals and totals[-1] > self.limit:
                remaining = self.limit - self.limit // 4
                excess += [path for total, (_, path) in zip(totals, entries, strict=True) if total > remaining]
            for path in excess:
                with suppress(OSError):
                    path.unlink()

    def _folder(self) -> Path | None:
        """The folder, created where it is missing; None where there is none that can be trusted."""
        named, home = os.environ.get("FREEBODY_CACHE", ""), os.environ.get("XDG_CACHE_HOME", "")
        if self.root is None and named.lower() == "off":
            return None
        try:
            folder = self.root or (Path(named) if named else None)
            if folder is None:
                base = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
                folder = base / "freebody" / "objects"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            private = _is_private(folder.stat())
        except (OSError, RuntimeError):  # RuntimeError: no home directory
            return None
        if not private:
            warn(
                f"{folder}: other users can write there, so nothing is stored in it or loaded from it. "
                "Make it writable by you alone (chmod go-w), or name another folder by FREEBODY_CACHE."
            )
        return folder if private else None


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user and root can write there. On Windows mode bits do not tell."""
    if sys.platform == "win32":
        return True
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=32).digest()


def _read(path: Path, key: bytes) -> bytes | None:
    """The object in the file, if its header matches. The size is checked before reading: a wrong one may be huge."""
    with open_regular(path) as file:
        status, head = os.fstat(file.fileno()), file.read(_HEADER.size)
        if len(head) < _HEADER.size or not _is_private(status):
            return None
        magic, stored_key, length, checksum = _HEADER.unpack(head)
        if (magic, stored_key, _HEADER.size + length) != (_MAGIC, key, status.st_size):
            return None
        body = file.read(length)
    return body if len(body) == length and _checksum(body) == checksum else None


def _write(path: Path, data: bytes) -> None:
    """Write a whole file, or nothing. It is not flushed to disk: the checksum detects what a power cut left."""
    handle, partial = tempfile.mkstemp(suffix=_PARTIAL, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
