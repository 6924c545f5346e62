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
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.errors import FileError
from freebody.model.structures.number_files import read_columns, text_lines

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
INCLUDES = 20
"""Input files that one input file may include."""
MEMBERS = 10_000_000
"""Nodes of all sets together, and of all elements."""
JOINED = 100
"""Lines of data that are one line, because each but the last ends in a comma."""
NUMBER = re.compile(r"\s*\d{1,12}\s*", re.ASCII)
DOF = re.compile(r"\s*(\d{1,12})\.(\d)\s*", re.ASCII)
CORNERS = {"C3D4": 4, "C3D10": 4, "C3D6": 6, "C3D15": 6, "C3D8": 8, "C3D20": 8, "S3": 3, "S6": 3, "S4": 4, "S8": 4}
"""The number of corners of elements; letters behind these names do not count."""
FACES: dict[str, tuple[tuple[int, ...], ...]] = {
    "solid 4": ((0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)),
    "solid 6": ((0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
    "solid 8": ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
    "shell 3": ((0, 1, 2),), "shell 4": ((0, 1, 2, 3),),
}  # fmt: skip
"""Corners of the faces of elements."""


NodeSet = tuple[set[int], set[range]]
"""A set of nodes: their numbers, and ranges of numbers."""


@dataclass
class InputDeck:
    """What is read of an input file: nodes by number, sets of nodes, corners of elements by type."""

    nodes: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    sets: dict[str, NodeSet] = field(default_factory=dict)
    by_upper_case: dict[str, NodeSet] = field(default_factory=dict)  # the same sets; names are not case-sensitive
    elements: dict[str, list[list[int]]] = field(default_factory=lambda: defaultdict(list))
    members: int = 0

    def set_of(self, name: str) -> NodeSet:
        """The set with this name in any case; a new one if there is none."""
        if name.upper() not in self.by_upper_case:
            self.sets[name] = self.by_upper_case[name.upper()] = (set(), set())
        return self.by_upper_case[name.upper()]

    def count(self, members: int, file: Path, line: int) -> None:
        """Count members of sets and elements, and raise if there are too many; sets may contain others."""
        self.members += members
        if self.members > MEMBERS:
            raise FileError(f"its sets and elements have more than {MEMBERS} nodes together", str(file), line)


def read_job(path: Path, nodes: Path | None, folders: Sequence[Path] = ()) -> dict[str, Any]:
    """The fields of a structure from the files beside ``job.sti``; ``nodes`` is the file with the positions. Files that
    the input file includes are in its folder or in one of the ``folders``."""
    stiffness, mass, dofs = (path.with_suffix(suffix) for suffix in (".sti", ".mas", ".dof"))
    for file, what in ((stiffness, "stiffness matrix"), (mass, "mass matrix"), (dofs, "unknowns")):
        if not file.is_file():
            raise FileError(
                f"the file of the {what} is missing. CalculiX writes {path.stem}.sti, .mas and .dof in a"
                " step *FREQUENCY, SOLVER=MATRIXSTORAGE",
                str(file),
            )
    numbers, component = _read_dofs(dofs)
    n = len(numbers)
    K, M = (_read_triangle(file, n, dofs) for file in (stiffness, mass))
    if K[1] != M[1]:
        raise FileError(
            f"it has {M[1]} entries, and {stiffness.name} has {K[1]}, of the same pattern; one of them is truncated",
            str(mass),
        )
    deck = InputDeck()
    inputs = [nodes] if nodes is not None else [f for f in (path.with_suffix(".inp"),) if f.is_file()]
    results = path.with_suffix(".frd")
    for file in inputs:
        if file.suffix.lower() == ".frd":
            _read_results(file, deck.nodes)
        else:
            _read_input(file, deck, [], folders)
    if set(numbers) - deck.nodes.keys() and results.is_file():
        _read_results(results, deck.nodes)
    missing = sorted(set(numbers) - deck.nodes.keys())
    if missing:
        raise FileError(
            f"node {missing[0]} has no position ({len(missing)} nodes have none). Positions are read from"
            f" {path.stem}.inp, and from {path.stem}.frd for shells and beams, which CalculiX expands"
            " (*NODE FILE, OUTPUT=3D); put them beside this file or give nodes=…",
            str(dofs),
        )
    known = sorted(deck.nodes)
    index = {number: k for k, number in enumerate(known)}
    faces, lines = _surface(deck.elements, index)
    sets = _sets(deck, np.array(known, dtype=np.int64), str(inputs[0]) if inputs else str(dofs))
    return {
        "positions": np.array([deck.nodes[k] for k in known], dtype=np.float64),
        "mass": M[0],
        "stiffness": K[0],
        "node": np.array([index[k] for k in numbers], dtype=np.intp),
        "component": component,
        "sets": {name: members for name, members in sets.items() if len(members)},
        "lines": lines,
        "triangles": faces,
    }


def _sets(deck: InputDeck, known: NDArray[np.int64], file: str) -> dict[str, Indices]:
    """The indices of the nodes of each set; ``known`` are the numbers of all nodes in ascending order."""
    result, total = dict[str, Indices](), 0
    for name, (numbers, ranges) in deck.sets.items():
        parts = [np.flatnonzero(np.isin(known, np.fromiter(numbers, np.int64, len(numbers))))] if numbers else []
        for span in ranges:
            low, high = np.searchsorted(known, [span.start, span.stop])
            parts.append(low + np.flatnonzero((known[low:high] - span.start) % span.step == 0))
            total += high - low
            if total > MEMBERS:
                raise FileError(f"its sets have more than {MEMBERS} nodes together", file)
        result[name] = np.unique(np.concatenate([*parts, np.zeros(0, dtype=np.intp)])).astype(np.intp)
    return result


def _read_dofs(path: Path) -> tuple[list[int], Indices]:
    """The number of the node and the component of each unknown."""
    numbers, components = list[int](), list[int]()
    for line, text in enumerate(text_lines(path), 1):
        if not text.strip():
            continue
        found = DOF.fullmatch(text)
        if found is None or found[2] not in "123":
            raise FileError(
                "this line is not a node and a direction from 1 to 3, such as 12.3; matrices of"
                " temperatures and cyclic symmetry are not read",
                str(path),
                line,
            )
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
    at = np.clip(table[:, :2], -1, n + 1.0).astype(np.int64)
    if len(at) == 0 or at.min() < 1 or at.max() > n:
        raise FileError(f"its indices must be from 1 to {n}, the number of unknowns in {dofs.name}", str(path))
    if (at != table[:, :2]).any():
        raise FileError("it has indices that are not integers", str(path))
    i, j = at.T - 1
    if (i < j).any() and (i > j).any():
        raise FileError("it has entries on both sides of the diagonal; CalculiX writes one side", str(path))
    if len(np.unique(i[i == j])) != n:
        raise FileError(
            f"only {len(np.unique(i[i == j]))} of its {n} diagonal entries are there; it is truncated", str(path)
        )
    side = coo_matrix((table[:, 2], (i, j)), shape=(n, n)).tocsr()
    if side.nnz != len(table):
        raise FileError("it has two entries with the same indices", str(path))
    whole = side + side.T
    whole.setdiag(side.diagonal())
    return whole.tocsr(), len(table)


# Input files


def _read_input(path: Path, deck: InputDeck, read: list[Path], folders: Sequence[Path] = ()) -> None:
    """Add the nodes, sets and elements of an input file and of those that it includes, which are in the folder of the
    first file or in the ``folders``; ``read`` are those so far."""
    read.append(path)
    if len(read) > INCLUDES:
        raise FileError(f"it includes more than {INCLUDES} files", str(read[0]))
    roots = [read[0].parent, *folders]
    for keyword, options, rows, line in _cards(path):
        if keyword == "*INCLUDE":
            try:
                included = files.find_inside(options.get("INPUT", "").strip("\"'"), [path.parent, *roots], roots)
            except FileError as error:
                raise FileError(f"the included file {error.message}", str(path), line) from None
            _read_input(included, deck, read, folders)
        elif keyword == "*NODE":
            _add_nodes(deck, options, rows, path)
        elif keyword == "*NSET":
            _add_set(deck, options, rows, path)
        elif keyword == "*ELEMENT":
            of_type = deck.elements[options.get("TYPE", "").upper()]
            for text, first in _joined(rows, path):
                cells = [cell for cell in text.split(",") if cell.strip()]
                if not all(NUMBER.fullmatch(cell) for cell in cells):
                    raise FileError("this line is not an element: its number and those of its nodes", str(path), first)
                numbers = [int(cell) for cell in cells]
                deck.count(len(numbers), path, first)
                if len(numbers) > 2:
                    of_type.append(numbers[1:])
        elif keyword == "*SYSTEM":
            raise FileError(
                "positions after *SYSTEM are in another coordinate system; give nodes='job.frd'", str(path), line
            )


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


def _joined(rows: Sequence[tuple[str, int]], file: Path) -> Iterator[tuple[str, int]]:
    """Lines of data with their numbers; one that ends in a comma goes on in the next."""
    parts = list[str]()
    for k, (row, line) in enumerate(rows):
        parts.append(row.strip())
        if len(parts) > JOINED:
            raise FileError(f"more than {JOINED} lines of data end in a comma, and so are one line", str(file), line)
        if not parts[-1].endswith(",") or k == len(rows) - 1:
            yield "".join(parts), line - len(parts) + 1
            parts = []


def _add_nodes(deck: InputDeck, options: Mapping[str, str], rows: Sequence[tuple[str, int]], file: Path) -> None:
    numbers = deck.set_of(options["NSET"])[0] if "NSET" in options else None
    for text, line in rows:
        cells = [cell.strip() for cell in text.split(",", 4)]
        position = [_coordinate(cell) for cell in (*cells[1:4], "", "", "")[:3]]
        if not NUMBER.fullmatch(cells[0]) or None in position:
            raise FileError("this line is not a node: number, x, y, z", str(file), line)
        number = int(cells[0])
        x, y, z = (value or 0.0 for value in position)
        deck.nodes[number] = x, y, z
        if numbers is not None:
            deck.count(1, file, line)
            numbers.add(number)


def _coordinate(text: str) -> float | None:
    """A finite number, 0 for no text, and None for anything else."""
    try:
        value = float(text[:60] or 0)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _add_set(deck: InputDeck, options: Mapping[str, str], rows: Sequence[tuple[str, int]], file: Path) -> None:
    numbers, ranges = deck.set_of(options.get("NSET", ""))
    for text, line in rows:
        cells = [cell.strip() for cell in text.split(",") if cell.strip()]
        if "GENERATE" in options and len(cells) in (2, 3) and all(NUMBER.fullmatch(cell) for cell in cells):
            first, last, *step = map(int, cells)
            deck.count(1, file, line)
            ranges.add(range(first, last + 1, max(step[0], 1) if step else 1))
            continue
        for cell in cells:
            other = deck.by_upper_case.get(cell.upper())
            if NUMBER.fullmatch(cell):
                deck.count(1, file, line)
                numbers.add(int(cell))
            elif other is not None:
                deck.count(len(other[0]) + len(other[1]), file, line)
                numbers.update(other[0])
                ranges.update(other[1])
            else:
                raise FileError("an entry of this line is neither a node nor a set of nodes above it", str(file), line)


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
            x, y, z = (_coordinate(text[at + 12 * k : at + 12 * (k + 1)].strip() or "-") for k in range(3))
            if not NUMBER.fullmatch(text[3:at]) or x is None or y is None or z is None:
                raise FileError("this line is not a node", str(path), line)
            nodes.setdefault(int(text[3:at]), (x, y, z))
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
