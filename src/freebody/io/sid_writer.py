"""Reduced bodies as SID files; ``sid_file.py`` says what their matrices are"""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from freebody import files
from freebody.errors import FileError
from freebody.fem.modal_data import ModalData
from freebody.fem.paper_integrals import cross_matrix
from freebody.fem.reduced_data import ReducedData
from freebody.io.sid_file import COMMENT, DIAGONAL, FIELDS, FULL, INERTIA, OMEGA, UNIT, ZERO, Array


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
