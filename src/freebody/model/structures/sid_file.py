"""SID files: Standard Input Data of flexible bodies as text (Wallrapp 1994; Schwertassek & Wallrapp 1999, section 6.6).

A matrix of the file is a Taylor series M(q) = m0 + Σ_s m1_s q_s in the modal coordinates; an entry of m1 has the
indices (row, s, column). With the energy of ``flexible/modal_data.py`` and modes r, s, axes a, b:

    mdCM = c0 + E q         Ct.m0(r, a) = E[a, r]        Ct.m1(r, s, a) = C[a, r, s]        Me = M_ff
    J = J0 + J1 q           Cr.m0(r, a) = F0[a, r]       Cr.m1(r, s, a) = F1[a, r, s]       Ke = K, De = D
    Oe.m0(r, ab) = −½ J1(r)[a, a], −J1(r)[a, b]          Oe.m1(r, s, ab) = −½ J2(r, s)[a, a], −J2(r, s)[a, b]
    Gr_r = J1(r) − F0(r)~   Ge(r, s) = F1(r, s) − F1(s, r)      ksigma = −preload
    origin = l₀ + γ q       phi.m0 = γ, phi.m1(a, s, r) = Γ[a, r, s]       psi.m0 = λ       AP = 1 + (λ q)~

Geometric stiffening is in the terms m1: K0t in Ct, K0r in Cr, K0ω in Oe, K0F in phi. Oe has the columns xx, yy, zz, xy,
yz, xz; J the rows xx, yy, zz, xy, xz, yz. Gr and Ge follow from the others and are only compared with them: their
columns are grouped by axis or by mode.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.errors import FieldError, FileError, FileWarning, ModelError, warn
from freebody.model.flexible.deformable_mesh import DeformableMesh
from freebody.model.flexible.modal_data import ModalData, ModalNode
from freebody.model.flexible.orthonormal import Damping, check_stiffness, orthonormal
from freebody.model.flexible.paper_integrals import cross_matrix
from freebody.model.structures.reduced_data import ReducedData, ReductionRecord, check_body, check_finite

Array = NDArray[np.float64]
SIZE, LINES = 512 * 1024**2, 10_000_000
"""Bytes and lines of a file."""
MODES, NODES, ENTRIES = 500, 100_000, 60_000_000
"""Modes, nodes, and numbers of all matrices together."""
LONGEST_NAME = 200
"""Characters of a name."""
DEPTH = 8
OMEGA = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))
"""The columns of Oe."""
INERTIA = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""The rows of J."""
ZERO, DIAGONAL, SYMMETRIC, FULL, UNIT = range(5)
"""Structures of matrices."""
DISAGREE = 0.02
"""Relative difference above which redundant data disagree; preprocessors lump masses in some of them."""

BEGIN = re.compile(r"(new\s+)?([A-Za-z]\w*)\s*(?:=\s*(.*))?")
ENTRY = re.compile(r"(m0|m1|mn)\s*\(([\d\s,]*)\)\s*=\s*(.*)")
INTEGER = re.compile(r"\s*\+?(\d{1,12})\s*", re.ASCII)
PAIR = re.compile(r"([A-Za-z]\w*)\s*(?:\(\s*(\d{1,9})\s*\))?\s*=\s*(.*)")
FIELDS = ("order", "nrow", "ncol", "nq", "nqn", "structure")
COMMENT = "written by freebody; nodes: "


@dataclass
class Taylor:
    """A matrix of the file: m0 (rows, columns) and m1 (rows, columns, modes)."""

    m0: Array
    m1: Array
    second: bool = False  # whether it has terms of higher order


@dataclass
class SidBlock:
    """A part of the file between ``name`` and ``end name``."""

    name: str
    value: str
    line: int
    values: dict[str, tuple[str, int]] = field(default_factory=dict)  # by key, with their lines
    entries: list[tuple[str, str, str, int]] = field(default_factory=list)  # of m0 and m1
    inside: "list[SidBlock]" = field(default_factory=list)

    def get(self, name: str) -> "SidBlock | None":
        return next((block for block in self.inside if block.name == name), None)


# Reading


def read_sid(path: "str | os.PathLike[str]") -> ReducedData:
    """The reduced body in a SID file. What the file has beyond it is named in a warning."""
    name = str(files.path_of(path))
    try:
        with files.open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            raw = b"" if size > SIZE else file.read()
    except FileNotFoundError:
        raise FileError("there is no such file", name) from None
    except OSError as error:
        raise FileError(f"it cannot be read: {error.strerror or error}", name) from None
    if size > SIZE:
        raise FileError(f"it has more than {SIZE} bytes", name)
    if b"\0" in raw:
        raise FileError("it is not a text file; binary SID files are not read: write it as text", name)
    if raw.count(b"\n") > LINES:
        raise FileError(f"it has more than {LINES} lines", name)
    return _Reader(name, raw.decode("latin-1").splitlines()).body()


class _Reader:
    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name, self.lines, self.remarks = name, lines, list[str]()
        self.numbers = 0  # of all matrices so far

    def error(self, message: str, line: int = 0, key: str = "") -> FileError:
        return FileError(message, self.name, line, key=key)

    def blocks(self) -> SidBlock:
        """The blocks of the file, one inside another."""
        first = next((k for k, line in enumerate(self.lines) if line.split()[:1] == ["part"]), None)
        if first is None:
            raise self.error(
                "it has no line 'part'; a SID file is a text with the blocks part, new modal, refmod, frame, mdCM, J, …"
            )
        stack = [SidBlock("", "", 0)]
        for number, line in enumerate(self.lines[first:], first + 1):
            text = line.strip()
            if not text:
                continue
            block = stack[-1]
            if text.startswith("end ") or text == "end":
                if len(stack) == 1 or text[3:].strip() != block.name:
                    raise self.error(f"'{text[:40]}' does not end the block '{block.name}'", number)
                stack.pop()
                if len(stack) == 1:
                    return stack[0]
            elif found := ENTRY.fullmatch(text):
                block.entries.append((found[1], found[2], found[3], number))
            elif (found := PAIR.fullmatch(text)) and not text.startswith("new "):
                key = found[1] if found[2] is None else f"{found[1]} {int(found[2])}"
                block.values[key] = found[3].strip(), number
            elif found := BEGIN.fullmatch(text):
                if len(stack) > DEPTH:
                    raise self.error("too many blocks lie one inside another", number)
                new = SidBlock(found[2], (found[3] or "").strip(), number)
                block.inside.append(new)
                stack.append(new)
            else:
                raise self.error(f"'{text[:60]}' cannot be read", number)
        raise self.error(
            f"the block '{stack[-1].name}' of line {stack[-1].line} has no end; the file is truncated", len(self.lines)
        )

    def integer(self, block: SidBlock, key: str, most: int) -> int:
        text, line = block.values.get(key, ("", block.line))
        if not (found := INTEGER.fullmatch(text)):
            raise self.error(f"'{key}' must be an integer, not '{text[:40]}'", line, block.name)
        if (value := int(found[1])) > most:
            raise self.error(f"'{key}' is {value}; at most {most} are read", line, block.name)
        return value

    def number(self, text: str, line: int) -> float:
        try:
            value = float(text.upper().replace("D", "E", 1))
        except ValueError:
            raise self.error(f"'{text[:40]}' is not a number", line) from None
        if not np.isfinite(value):
            raise self.error(f"'{text[:40]}' is not a finite number", line)
        return value

    def taylor(self, block: SidBlock, *shapes: tuple[int, int], modes: int) -> Taylor:
        """A matrix of one of these shapes."""
        order, nrow, ncol, nq, nqn, structure = (self.integer(block, key, ENTRIES) for key in FIELDS)
        if (nrow, ncol) not in shapes:
            wanted = " or ".join(f"{r} × {c}" for r, c in shapes)
            raise self.error(f"it has {nrow} × {ncol} entries; {wanted} are needed", block.line, block.name)
        if structure > UNIT:
            raise self.error(f"structure {structure} is not known; it is 0, 1, 2, 3 or 4", block.line, block.name)
        if nq not in (0, modes) and order:
            raise self.error(f"nq is {nq}, and there are {modes} modes", block.line, block.name)
        first = any(kind == "m1" for kind, *_ in block.entries)
        self.numbers += nrow * ncol * (1 + modes * first)
        if self.numbers > ENTRIES:
            raise self.error(f"the matrices up to here have more than {ENTRIES} numbers", block.line, block.name)
        m0 = np.eye(nrow, ncol) if structure == UNIT else np.zeros((nrow, ncol))
        m1 = np.zeros((nrow, ncol, modes if first else 0))
        known = set[tuple[str, str]]()
        for kind, text, value, line in block.entries:
            index = tuple(int(found[1]) - 1 if (found := INTEGER.fullmatch(k)) else -1 for k in text.split(","))
            if kind == "mn":
                continue
            limit = (nrow, ncol) if kind == "m0" else (nrow, modes, ncol)
            if len(index) != len(limit) or not all(0 <= i < n for i, n in zip(index, limit, strict=True)):
                shown = " × ".join(map(str, limit))
                order_of = " in the order row, mode, column" if kind == "m1" else ""
                message = f"the indices of {kind}({text.strip()}) are not in {shown}{order_of}"
                raise self.error(message, line, block.name)
            if (kind, text) in known:
                raise self.error(f"{kind}({text.strip()}) is given twice", line, block.name)
            known.add((kind, text))
            x = self.number(value, line)
            if kind == "m0":
                m0[index] = x
            else:
                m1[index[0], index[2], index[1]] = x
        if structure == SYMMETRIC and nrow == ncol:
            for a in (m0, *np.moveaxis(m1, 2, 0)):
                one = np.where((a == 0) & (a.T != 0), a.T, a)
                a[:] = one
        if order and not first:
            m1 = np.zeros((nrow, ncol, 0))
        return Taylor(m0, m1, nqn > 0 or order > 1 or any(kind == "mn" for kind, *_ in block.entries))

    def matrix(self, modal: SidBlock, name: str, *shapes: tuple[int, int], modes: int, needed: bool = False) -> Taylor:
        block = modal.get(name)
        if block is None:
            if needed:
                raise self.error(f"the block '{name}' is missing", modal.line)
            return Taylor(np.zeros(shapes[0]), np.zeros((*shapes[0], 0)))
        found = self.taylor(block, *shapes, modes=modes)
        if found.second:
            self.remarks.append(f"terms of higher order of {name} are not read")
        return found

    def body(self) -> ReducedData:
        part = self.blocks().inside[0]
        modal = part.get("modal")
        refmod = modal and modal.get("refmod")
        if modal is None or refmod is None:
            raise self.error("the block 'new modal' with 'refmod' is missing", part.line)
        n = self.integer(refmod, "nelastq", MODES)
        if n == 0:
            raise self.error("it has no modes (nelastq = 0); describe it as a rigid body", refmod.line)
        mass = self.number(*refmod.values.get("mass", ("", refmod.line)))
        kinds = []
        for k in range(n):
            kind = mode_kind(refmod.values.get(f"ielastq {k + 1}", ("", 0))[0])
            kinds.append("" if kind.lower() == "eigen mode" else kind)
        zero, data = np.zeros((3, n, n)), self.integrals(modal, mass, n)
        frame = modal.get("frame")
        blocks = [block for block in frame.inside if block.name == "node"] if frame is not None else []
        names = self.node_names(blocks)
        data = replace(data, nodes={k: self.node(b, n, zero) for k, b in zip(names, blocks, strict=True)})
        try:
            with np.errstate(all="ignore"):  # numbers that are not finite are refused
                check_body(data)
                data = orthonormal(replace(data, K=check_stiffness(data.K, "Ke")), kinds, Damping())
        except (FieldError, ModelError) as error:
            raise self.error(str(error)) from None
        except np.linalg.LinAlgError:
            raise self.error("its matrices cannot be computed with: their numbers are too large or too small") from None
        check_finite(data, self.name)
        if self.remarks:
            warn(f"{self.name}: {'; '.join(self.remarks)}", FileWarning)
        mesh = DeformableMesh.of_nodes([*data.nodes.values()], n)
        return ReducedData(data, mesh, _record(data, Path(self.name).name))

    def node_names(self, blocks: Sequence[SidBlock]) -> list[str]:
        if len(blocks) > NODES:
            raise self.error(f"it has {len(blocks)} nodes; at most {NODES} are read")
        title = self.lines[0] if self.lines else ""
        names = title.split(COMMENT, 1)[1].strip().split("; ") if COMMENT in title else []
        if len(names) != len(blocks):
            names = [block.value for block in blocks]
        seen = set[str]()
        for block, name in zip(blocks, names, strict=True):
            if not name or name in seen:
                raise self.error(f"two nodes are called '{name}', or a node has no name", block.line)
            seen.add(name)
        return names

    def integrals(self, modal: SidBlock, mass: float, n: int) -> ModalData:
        """The integrals of the body, without nodes."""

        def matrix(name: str, *shapes: tuple[int, int], needed: bool = False) -> Taylor:
            return self.matrix(modal, name, *shapes, modes=n, needed=needed)

        centre, inertia = matrix("mdCM", (3, 1), needed=True), matrix("J", (6, 1), (3, 3), needed=True)
        Ct, Cr = matrix("Ct", (n, 3), needed=True), matrix("Cr", (n, 3), needed=True)
        Ke, De, ksigma = matrix("Ke", (n, n), needed=True), matrix("De", (n, n)), matrix("ksigma", (n, 1))
        Oe, Gr, Ge = matrix("Oe", (n, 6)), matrix("Gr", (3, 3 * n)), matrix("Ge", (n, 3 * n))
        Me = matrix("Me", (n, n)).m0 if modal.get("Me") is not None else np.eye(n)
        E, F0 = Ct.m0.T, Cr.m0.T
        C = self.symmetric(_first(Ct, n).transpose(1, 0, 2), "Ct.m1 (acceleration)")
        F1 = _first(Cr, n).transpose(1, 0, 2)
        J0, J1 = _inertia(inertia.m0), np.array([_inertia(x) for x in np.moveaxis(_first(inertia, n), 2, 0)])
        J2 = self.symmetric(_centrifugal(_first(Oe, n)).transpose(2, 3, 0, 1), "Oe.m1").transpose(2, 3, 0, 1)
        self.compare("mdCM.m1", np.squeeze(_first(centre, n), 1), "Ct", E)
        self.compare("Oe.m0", _centrifugal(Oe.m0[:, :, None])[:, 0], "J", J1)
        gyroscopic = J1 - np.array([cross_matrix(F0[:, r]) for r in range(n)])
        self.compare("Gr", _columns(Gr.m0, gyroscopic.transpose(1, 2, 0)), "J and Cr", gyroscopic.transpose(1, 2, 0))
        skew = (F1 - F1.transpose(0, 2, 1)).transpose(1, 0, 2)
        self.compare("Ge", _columns(Ge.m0, skew), "Cr", skew)
        stiffness, D = Ke.m0 + _first(ksigma, n)[:, 0], (De.m0 + De.m0.T) / 2
        return ModalData(
            m=mass,
            c0=centre.m0[:, 0],
            E=E,
            C=C,
            F0=F0,
            F1=F1,
            J0=J0,
            J1=J1,
            J2=J2,
            M_ff=(Me + Me.T) / 2,
            K=stiffness,
            D=D,
            preload=-ksigma.m0[:, 0],
        )

    def node(self, block: SidBlock, n: int, zero: Array) -> ModalNode:
        frame = block.values.get("rframe", ("body ref", 0))[0].lower()
        if frame not in ("body ref", ""):
            raise self.error(f"the reference frame '{frame[:40]}' is not 'body ref'", block.line, "node")
        parts = {inner.name: inner for inner in block.inside}
        if "origin" not in parts:
            raise self.error("the node has no 'origin'", block.line, "node")
        origin = self.taylor(parts["origin"], (3, 1), modes=n)
        phi = self.taylor(parts["phi"], (3, n), modes=n) if "phi" in parts else None
        psi = self.taylor(parts["psi"], (3, n), modes=n) if "psi" in parts else None
        moved = _first(origin, n)[:, 0] if phi is None else phi.m0
        second = zero if phi is None or not phi.m1.size else self.symmetric(phi.m1, f"phi.m1 of node {block.value}")
        if psi is not None and np.any(psi.m1):
            self.remarks.append(f"psi.m1 of node {block.value} (stiffening by torques) is not read")
        if "AP" in parts:
            turned = self.taylor(parts["AP"], (3, 3), modes=n).m0
            if np.abs(turned - np.eye(3)).max() > DISAGREE:
                self.remarks.append(f"the axes of node {block.value} (AP) are replaced by those of the body")
        return ModalNode(origin.m0[:, 0], moved, None if psi is None else psi.m0, second)

    def symmetric(self, a: Array, what: str) -> Array:
        """The symmetric part in the last two indices."""
        half = a / 2  # the sum of large numbers is not finite
        swapped = half.swapaxes(-1, -2)
        if np.abs(half - swapped).max(initial=0.0) > DISAGREE * np.abs(half).max(initial=0.0):
            self.remarks.append(f"{what} is not symmetric in its modes; its symmetric part is used")
        return half + swapped

    def compare(self, name: str, redundant: Array, source: str, needed: Array) -> None:
        """Remark that redundant data, if it is given, contradicts what it follows from."""
        if np.any(redundant) and np.abs(redundant - needed).max() > DISAGREE * np.abs(redundant).max():
            used = "are" if " and " in source else "is"
            self.remarks.append(f"{name} contradicts {source}, from which it follows; {source} {used} used")


def mode_kind(text: str) -> str:
    """The kind of a mode, without its number and its frequency: "bending y 1 : 12.3 Hz" is of the kind "bending y"."""
    return text.partition(":")[0].rstrip().rstrip("0123456789").rstrip()[:LONGEST_NAME]


def _first(a: Taylor, n: int) -> Array:
    return a.m1 if a.m1.size else np.zeros((*a.m0.shape, n))


def _inertia(a: Array) -> Array:
    """A symmetric matrix from six rows, or itself."""
    if a.shape == (3, 3):
        return (a + a.T) / 2
    J = np.zeros((3, 3))
    for x, (i, j) in zip(a[:, 0], INERTIA, strict=True):
        J[i, j] = J[j, i] = x
    return J


def _centrifugal(a: Array) -> Array:
    """The matrices J (r, s, 3, 3) of which −½ ω·J(r, s) ω are the rows of Oe (r, 6, s)."""
    J = np.zeros((len(a), a.shape[2], 3, 3))
    for k, (i, j) in enumerate(OMEGA):
        J[:, :, i, j] = J[:, :, j, i] = -2 * a[:, k] if i == j else -a[:, k]
    return J


def _columns(m0: Array, like: Array) -> Array:
    """Columns as (row, axis, mode), grouped by axis or by mode, whichever is nearer to ``like``."""
    rows, n = len(m0), like.shape[2]
    forms = m0.reshape(rows, 3, n), m0.reshape(rows, n, 3).transpose(0, 2, 1)
    return min(forms, key=lambda a: float(np.abs(a - like).max(initial=0.0)))


def _record(data: ModalData, source: str) -> ReductionRecord:
    stiffening = bool(np.any(data.C) or any(np.any(node.second) for node in data.nodes.values()))
    return ReductionRecord(
        source,
        "SID",
        0,
        "",
        tuple(data.nodes),
        data.n,
        data.m,
        tuple(float(x) for x in data.c0 / data.m),
        (),
        stiffening=stiffening,
    )


# Writing


def write_sid(body: ReducedData, path: "str | os.PathLike[str]") -> Path:
    """Write the modal data of a reduced body as SID. Columns of Gr and Ge are grouped by axis."""
    target = files.target(path, "a SID file", (".sid", ".sid_fem"))
    if not body.data.n:
        raise FileError("the body has no modes, and SID files describe bodies with modes; save it as .npz", str(target))
    return files.write_text(target, "\n".join(_lines(body.data)) + "\n")


def _lines(data: ModalData) -> Iterator[str]:
    n, names = data.n, [*data.nodes]
    for name in names:
        if ";" in name or not name.isprintable() or name != name.strip() or not name.isascii():
            raise FileError(f"node '{name}': a SID file cannot hold this name; use ASCII letters without ';'")
    yield f"{len(names):5d}{n:5d}    :No. nodes, No. modes:{COMMENT}{'; '.join(names)}"
    yield " part"
    yield _line(6, "new modal", "")
    yield f"{'':11}refmod"
    yield _line(16, "mass", _number(data.m))
    yield _line(16, "nelastq", f"{n:5d}")
    for k, mode in enumerate(data.modes):
        text = f"{mode.kind or 'Eigen Mode'} {k + 1:4d} : {mode.frequency / (2 * np.pi):12.3f} Hz"
        yield _line(16, f"ielastq ({k + 1:4d})", text)
    yield f"{'':11}end refmod"
    yield f"{'':11}frame"
    for k, (name, node) in enumerate(data.nodes.items()):
        yield _line(16, "new node", f"{name if name.isdecimal() else k + 1:>5}")
        yield _line(21, "rframe", "body ref")
        yield from _taylor("origin", node.position[:, None], node.translations[:, None], 21)
        yield from _taylor("phi", node.translations, node.second, 21)
        if node.slopes is not None:
            turns = np.stack([cross_matrix(x) for x in node.slopes.T], axis=2)
            yield from _taylor("psi", node.slopes, None, 21, n)
            yield from _taylor("AP", np.eye(3), turns, 21)
        yield f"{'':16}end node"
    yield f"{'':11}end frame"
    yield from _taylor("mdCM", data.c0[:, None], data.E[:, None])
    rows, columns = (list(axis) for axis in zip(*INERTIA, strict=True))
    yield from _taylor("J", data.J0[rows, columns][:, None], data.J1[:, rows, columns].T[:, None])
    yield from _taylor("Ct", data.E.T, data.C.transpose(1, 0, 2))
    yield from _taylor("Cr", data.F0.T, data.F1.transpose(1, 0, 2))
    yield from _taylor("Me", data.M_ff, None, nq=n)
    gyroscopic = data.J1 - np.array([cross_matrix(x) for x in data.F0.T])
    yield from _taylor("Gr", gyroscopic.transpose(1, 2, 0).reshape(3, 3 * n), None, nq=n)
    skew = data.F1 - data.F1.transpose(0, 2, 1)
    yield from _taylor("Ge", skew.transpose(1, 0, 2).reshape(n, 3 * n), None, nq=n)
    i, j = (np.array(axis) for axis in zip(*OMEGA, strict=True))
    factor = np.where(i == j, -0.5, -1.0)
    yield from _taylor("Oe", factor * data.J1[:, i, j], (factor * data.J2[:, :, i, j]).transpose(0, 2, 1))
    yield from _taylor("ksigma", -data.preload[:, None], None, nq=n)
    yield from _taylor("Ke", data.K, None, nq=n)
    yield from _taylor("De", data.D, None, nq=n)
    yield "      end modal"
    yield " end part"


def _taylor(name: str, m0: Array, m1: Array | None, indent: int = 11, nq: int = 0) -> Iterator[str]:
    """The lines of a matrix m0 (rows, columns) + m1 (rows, columns, modes) q; zeros are left out."""
    nrow, ncol = m0.shape
    order = int(m1 is not None and bool(np.any(m1)))
    square = nrow == ncol and not order
    structure = FULL
    if not np.any(m0) and not order:
        structure = ZERO
    elif square and np.array_equal(m0, np.eye(nrow)):
        structure = UNIT
    elif square and np.array_equal(m0, np.diag(np.diag(m0))):
        structure = DIAGONAL
    yield f"{'':{indent}}{name}"
    values = order, nrow, ncol, nq if m1 is None else m1.shape[2], 0, structure
    for key, value in zip(FIELDS, values, strict=True):
        yield _line(26, key, f"{value:4d}")
    if structure not in (ZERO, UNIT):
        for i, j in np.argwhere(m0):
            yield _line(26, f"m0({i + 1:2d},{j + 1:2d})", _number(m0[i, j]))
    if m1 is not None and order:
        for j, i, s in np.argwhere(m1.transpose(1, 0, 2)):
            yield _line(26, f"m1({i + 1:2d},{s + 1:2d},{j + 1:2d})", _number(m1[i, j, s]))
    yield f"{'':{indent}}end {name}"


def _line(indent: int, key: str, value: str) -> str:
    return f"{'':{indent}}{key:<{48 - indent}}={value}"


def _number(x: float) -> str:
    return f"{x: .16E}".replace("E", "D")
