"""Structures of CalculiX: matrices written by ``*FREQUENCY, SOLVER=MATRIXSTORAGE``.

``job.sti`` and ``job.mas`` hold one triangle of the stiffness and of the mass matrix, a line "row column value" for
each entry, diagonals included; ``job.dof`` has the node and the direction of each unknown as "node.direction".
Positions and sets of nodes are in the input file ``job.inp``; nodes of expanded shells and beams are in ``job.frd``
only.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FileError
from freebody.model.structures.number_files import read_columns, text_lines

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
INCLUDES = 20
"""Input files that one input file may include."""
DOF = re.compile(r"\s*(\d{1,12})\.(\d)\s*")
CORNERS = {"C3D4": 4, "C3D10": 4, "C3D6": 6, "C3D15": 6, "C3D8": 8, "C3D20": 8, "S3": 3, "S6": 3, "S4": 4, "S8": 4}
"""The number of corners of elements; letters behind these names do not count."""
FACES: dict[str, tuple[tuple[int, ...], ...]] = {
    "solid 4": ((0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)),
    "solid 6": ((0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
    "solid 8": ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
    "shell 3": ((0, 1, 2),), "shell 4": ((0, 1, 2, 3),),
}  # fmt: skip
"""Corners of the faces of elements."""


@dataclass
class InputDeck:
    """What is read of an input file: nodes by number, sets of nodes, corners of elements by type."""

    nodes: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    sets: dict[str, list[int | range]] = field(default_factory=lambda: defaultdict(list))
    elements: dict[str, list[list[int]]] = field(default_factory=lambda: defaultdict(list))


def read_job(path: Path, nodes: Path | None) -> dict[str, Any]:
    """The fields of a structure from the files beside ``job.sti``; ``nodes`` is the file with the positions."""
    stiffness, mass, dofs = (path.with_suffix(suffix) for suffix in (".sti", ".mas", ".dof"))
    for file, what in ((stiffness, "stiffness matrix"), (mass, "mass matrix"), (dofs, "unknowns")):
        if not file.is_file():
            raise FileError(f"the file of the {what} is missing. CalculiX writes {path.stem}.sti, .mas and .dof in a"
                            " step *FREQUENCY, SOLVER=MATRIXSTORAGE", str(file))  # fmt: skip
    numbers, component = _read_dofs(dofs)
    n = len(numbers)
    K, M = (_read_triangle(file, n, dofs) for file in (stiffness, mass))
    if K[1] != M[1]:
        raise FileError(f"it has {M[1]} entries, and {stiffness.name} has {K[1]}, of the same pattern; one of them is"
                        " truncated", str(mass))  # fmt: skip
    deck = InputDeck()
    inputs = [nodes] if nodes is not None else [f for f in (path.with_suffix(".inp"),) if f.is_file()]
    results = path.with_suffix(".frd")
    for file in inputs:
        if file.suffix.lower() == ".frd":
            _read_results(file, deck.nodes)
        else:
            _read_input(file, deck, [])
    if set(numbers) - deck.nodes.keys() and results.is_file():
        _read_results(results, deck.nodes)
    missing = sorted(set(numbers) - deck.nodes.keys())
    if missing:
        raise FileError(f"node {missing[0]} has no position ({len(missing)} nodes have none). Positions are read from"
                        f" {path.stem}.inp, and from {path.stem}.frd for shells and beams, which CalculiX expands"
                        " (*NODE FILE, OUTPUT=3D); put them beside this file or give nodes=…", str(dofs))  # fmt: skip
    known = sorted(deck.nodes)
    index = {number: k for k, number in enumerate(known)}
    faces, lines = _surface(deck.elements, index)
    sets = {name: _members(members, index) for name, members in deck.sets.items()}
    return {
        "positions": np.array([deck.nodes[k] for k in known], dtype=np.float64), "mass": M[0], "stiffness": K[0],
        "node": np.array([index[k] for k in numbers], dtype=np.intp), "component": component,
        "sets": {name: members for name, members in sets.items() if len(members)},
        "lines": lines, "triangles": faces,
    }  # fmt: skip


def _members(members: Sequence[int | range], index: Mapping[int, int]) -> Indices:
    """The nodes of a set."""
    numbers = {k for k in members if isinstance(k, int)}
    for span in members:
        if isinstance(span, range):
            numbers |= {k for k in index if k in span}
    return np.array(sorted(index[k] for k in numbers if k in index), dtype=np.intp)


def _read_dofs(path: Path) -> tuple[list[int], Indices]:
    """The number of the node and the component of each unknown."""
    numbers, components = list[int](), list[int]()
    for line, text in enumerate(text_lines(path), 1):
        if not text.strip():
            continue
        found = DOF.fullmatch(text)
        if found is None or found[2] not in "123":
            raise FileError(f"'{text.strip()[:40]}' is not a node and a direction from 1 to 3, such as 12.3; matrices"
                            " of temperatures and cyclic symmetry are not read", str(path), line)  # fmt: skip
        numbers.append(int(found[1]))
        components.append(int(found[2]) - 1)
    if not numbers:
        raise FileError("it has no unknowns", str(path))
    if len({*zip(numbers, components, strict=True)}) != len(numbers):
        raise FileError("an unknown is listed twice", str(path))
    return numbers, np.array(components, dtype=np.intp)


def _read_triangle(path: Path, n: int, dofs: Path) -> tuple[Any, int]:
    """A symmetric matrix from its entries on one side of the diagonal, and their number."""
    from scipy.sparse import coo_matrix

    table = read_columns(path, 3, "a file of a matrix")
    at = table[:, :2].astype(np.int64)
    if not np.isfinite(table).all() or (at != table[:, :2]).any():
        raise FileError("it has entries that are not finite numbers, or indices that are not integers", str(path))
    if len(at) == 0 or at.min() < 1 or at.max() > n:
        raise FileError(f"its indices must be from 1 to {n}, the number of unknowns in {dofs.name}", str(path))
    i, j = at.T - 1
    if (i < j).any() and (i > j).any():
        raise FileError("it has entries on both sides of the diagonal; CalculiX writes one side", str(path))
    if len(np.unique(i[i == j])) != n:
        raise FileError(f"only {len(np.unique(i[i == j]))} of its {n} diagonal entries are there; it is truncated",
                        str(path))  # fmt: skip
    side = coo_matrix((table[:, 2], (i, j)), shape=(n, n)).tocsr()
    if side.nnz != len(table):
        raise FileError("it has two entries with the same indices", str(path))
    whole = side + side.T
    whole.setdiag(side.diagonal())
    return whole.tocsr(), len(table)


# Input files


def _read_input(path: Path, deck: InputDeck, read: list[Path]) -> None:
    """Add the nodes, sets and elements of an input file and of those that it includes; ``read`` are those so far."""
    read.append(path)
    if len(read) > INCLUDES:
        raise FileError(f"it includes more than {INCLUDES} files", str(read[0]))
    for keyword, options, rows, line in _cards(path):
        if keyword == "*INCLUDE":
            name = options.get("INPUT", "")
            if not name or not (path.parent / name).is_file():
                raise FileError(f"the included file '{name}' is missing", str(path), line)
            _read_input(path.parent / name, deck, read)
        elif keyword == "*NODE":
            _add_nodes(deck, options, rows, path)
        elif keyword == "*NSET":
            _add_set(deck, options, rows, path)
        elif keyword == "*ELEMENT":
            numbers = [[int(x) for x in text.split(",") if x.strip().isdecimal()] for text in _joined(rows)]
            deck.elements[options.get("TYPE", "").upper()] += [row[1:] for row in numbers if len(row) > 2]
        elif keyword == "*SYSTEM":
            raise FileError("positions after *SYSTEM are in another coordinate system; give nodes='job.frd'",
                            str(path), line)  # fmt: skip


def _cards(path: Path) -> Iterator[tuple[str, dict[str, str], list[tuple[str, int]], int]]:
    """The keywords of an input file with their options, the lines of data with their numbers, and their line."""
    keyword, options, rows, start = "", dict[str, str](), list[tuple[str, int]](), 0
    for line, text in enumerate(text_lines(path), 1):
        if text.startswith("**") or not text.strip():
            continue
        if text.lstrip().startswith("*"):
            if keyword:
                yield keyword, options, rows, start
            first, *others = text.strip().split(",")
            keyword, rows, start = first.strip().upper(), [], line
            parts = [other.partition("=") for other in others]
            options = {key.strip().upper(): value.strip() for key, _, value in parts}
        else:
            rows.append((text, line))
    if keyword:
        yield keyword, options, rows, start


def _joined(rows: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Lines of data; one that ends in a comma goes on in the next."""
    text = ""
    for row, _ in rows:
        text += row.strip()
        if not text.endswith(","):
            yield text
            text = ""
    if text:
        yield text


def _add_nodes(deck: InputDeck, options: Mapping[str, str], rows: Sequence[tuple[str, int]], file: Path) -> None:
    for text, line in rows:
        cells = [cell.strip() for cell in text.split(",")]
        try:
            number = int(cells[0])
            x, y, z = (float(cell or 0) for cell in (*cells[1:4], "", "", "")[:3])
        except (ValueError, IndexError):
            raise FileError(f"'{text.strip()[:60]}' is not a node: number, x, y, z", str(file), line) from None
        deck.nodes[number] = x, y, z
        if "NSET" in options:
            deck.sets[options["NSET"]].append(number)


def _add_set(deck: InputDeck, options: Mapping[str, str], rows: Sequence[tuple[str, int]], file: Path) -> None:
    members = deck.sets[options.get("NSET", "")]
    named = {name.upper(): name for name in deck.sets}
    for text, line in rows:
        cells = [cell.strip() for cell in text.split(",") if cell.strip()]
        if "GENERATE" in options and len(cells) in (2, 3) and all(cell.isdecimal() for cell in cells):
            first, last, *step = map(int, cells)
            members.append(range(first, last + 1, max(step[0], 1) if step else 1))
            continue
        for cell in cells:
            if cell.isdecimal():
                members.append(int(cell))
            elif cell.upper() in named:
                members += deck.sets[named[cell.upper()]]
            else:
                raise FileError(f"'{cell[:40]}' is neither a node nor a set of nodes above it", str(file), line)


def _read_results(path: Path, nodes: dict[int, tuple[float, float, float]]) -> None:
    """Add the nodes of a result file (.frd, as text) that are not known yet."""
    inside, width = False, 10
    for line, text in enumerate(text_lines(path), 1):
        if text.startswith("    2C"):
            inside, width = True, 5 if text.rstrip().endswith("0") else 10
            if text.rstrip()[-1] not in "01":
                raise FileError("it is binary; write it as text, or give the input file", str(path), line)
        elif inside and text.startswith(" -3"):
            return
        elif inside:
            at = 3 + width
            try:
                number = int(text[3:at])
                x, y, z = (float(text[at + 12 * k : at + 12 * (k + 1)]) for k in range(3))
            except ValueError:
                raise FileError(f"'{text.strip()[:60]}' is not a node", str(path), line) from None
            nodes.setdefault(number, (x, y, z))
    raise FileError("its block of nodes (2C … -3) is missing or truncated", str(path))


def _surface(elements: Mapping[str, Sequence[Sequence[int]]], index: Mapping[int, int]) -> tuple[Indices, Indices]:
    """Outer faces of the elements as triangles, and beams as lines."""
    faces, lines = dict[tuple[int, ...], tuple[int, ...] | None](), list[tuple[int, int]]()
    for kind, rows in elements.items():
        name = next((k for k in sorted(CORNERS, key=len, reverse=True) if kind.startswith(k)), "")
        form = FACES.get(f"{'solid' if kind.startswith('C3D') else 'shell'} {CORNERS.get(name)}", ())
        for row in rows:
            if not all(k in index for k in row):
                continue
            nodes = [index[k] for k in row]
            if kind.startswith(("B3", "T3")):
                lines += pairwise(nodes)
            elif form and len(nodes) >= CORNERS[name]:
                for face in form:
                    corners = tuple(nodes[k] for k in face)
                    key = tuple(sorted(corners))
                    faces[key] = None if key in faces else corners  # a face of two elements is inside
    triangles = [(face[0], face[k], face[k + 1]) for face in faces.values() if face for k in range(1, len(face) - 1)]
    return np.array(triangles, dtype=np.intp).reshape(-1, 3), np.array(lines, dtype=np.intp).reshape(-1, 2)
