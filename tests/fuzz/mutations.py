"""Mutations of files: bytes, numbers, lines and parts that are changed, left out, repeated or cut off."""

import re
import zipfile
from collections.abc import Callable
from io import BytesIO

import numpy as np

HOSTILE = [
    b"nan", b"inf", b"-1", b"0", b"1e400", b"-1e308", b"1.0E", b"1e-320", b"99999999999", b"9" * 5000, b"1_0", b"0x10",
    b"", b"*", b"%", b"\xff\xfe", b"\x00", b"1.5", b"2147483648", b"18446744073709551615", b"true", b" ", b"\n", b",",
]  # fmt: skip
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eED][-+]?\d+)?")


def cut(data: bytes, rng: np.random.Generator) -> bytes:
    return data[: int(rng.integers(0, len(data) + 1))]


def change_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    out = bytearray(data)
    for at in rng.integers(0, max(len(out), 1), int(rng.integers(1, 6))):
        out[at : at + 1] = bytes([int(rng.integers(0, 256))])
    return bytes(out)


def change_number(data: bytes, rng: np.random.Generator) -> bytes:
    found = [*NUMBER.finditer(data[:20_000])]
    if not found:
        return change_bytes(data, rng)
    one = found[int(rng.integers(len(found)))]
    return data[: one.start()] + HOSTILE[int(rng.integers(len(HOSTILE)))] + data[one.end() :]


def change_lines(data: bytes, rng: np.random.Generator) -> bytes:
    lines = data.split(b"\n")
    i, j = (int(k) for k in rng.integers(0, len(lines), 2))
    action = int(rng.integers(4))
    if action == 0:
        del lines[i]
    elif action == 1:
        lines.insert(j, lines[i])
    elif action == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines[i] += b" " * 3000 + b"x"
    return b"\n".join(lines)


def repeat(data: bytes, rng: np.random.Generator) -> bytes:
    i, j = sorted(int(k) for k in rng.integers(0, len(data) + 1, 2))
    return data[:j] + data[i:j] * int(rng.integers(1, 4)) + data[j:]


MUTATIONS: list[Callable[[bytes, np.random.Generator], bytes]] = [
    cut, change_bytes, change_number, change_number, change_number, change_lines, repeat,
]  # fmt: skip


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """The data with one to three mutations; those of an archive concern a member in half of the cases."""
    if data[:2] == b"PK" and rng.random() < 0.7:
        return _archive(data, rng)
    for _ in range(int(rng.integers(1, 4))):
        data = MUTATIONS[int(rng.integers(len(MUTATIONS)))](data, rng) if data else b"x"
    return data


def _archive(data: bytes, rng: np.random.Generator) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        names = old.namelist()
        chosen = int(rng.integers(len(names)))
        for k, name in enumerate(names):
            content = old.read(name)
            if k == chosen:
                start = content.find(b"\n") + 1
                body = content[start:]
                if rng.random() < 0.5 and len(body) >= 8:  # numbers within the array
                    at = 8 * int(rng.integers(len(body) // 8))
                    value = rng.choice([np.nan, np.inf, -1.0, 0.0, 1e300, 1e-300, -1e18])
                    body = body[:at] + np.float64(value).tobytes() + body[at + 8 :]
                    content = content[:start] + body
                else:
                    content = mutated(content, rng)
            if rng.random() > 0.02:
                new.writestr(name, content)
    return out.getvalue()
