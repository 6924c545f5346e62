"""Structures from files: Matrix Market, NPZ, CalculiX; and to NPZ files"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.array_files import ArrayReader, write_arrays
from freebody.errors import FileError, FileWarning, ModelError, warn
from freebody.fem.structure import Structure
from freebody.io.number_files import read_matrix_market, read_table, regular
from freebody.io.other_formats import refuse
from freebody.keywords import keyword_hints
from freebody.numeric import as_number

Indices = NDArray[np.intp]
FORM = "freebody structure 1"
WRITTEN = "a structure is read from .npz, from CalculiX's .sti, .mas and .dof, or from Matrix Market files"
UNITS = {
    "m-kg-s": (1.0, 1.0, 1.0), "mm-t-s": (1e-3, 1e3, 1.0), "mm-kg-ms": (1e-3, 1.0, 1e-3), "mm-kg-s": (1e-3, 1.0, 1.0),
    "in-lbf-s": (0.0254, 4.4482216152605 / 0.0254, 1.0), "ft-slug-s": (0.3048, 4.4482216152605 / 0.3048, 1.0),
}  # fmt: skip
"""Units of length, mass and time in m, kg and s. In "mm-t-s" forces are in N, in "mm-kg-ms" in kN."""
SAME_MASS = 0.02
"""Relative difference of masses that are taken for the same."""


@keyword_hints
def read_structure(
    path: "str | os.PathLike[str] | None" = None,
    *,
    stiffness: Any = None,
    mass: Any = None,
    nodes: Any = None,
    unknowns: Any = None,
    sets: Mapping[str, Sequence[int]] | None = None,
    units: str = "m-kg-s",
    total_mass: float | None = None,
    name: str = "",
    folders: Any = (),
) -> Structure:
    """A structure from files.

    ``read_structure("part.npz")`` reads what ``structure.save`` wrote. ``read_structure("job.sti")`` reads the files of
    CalculiX's ``*FREQUENCY, SOLVER=MATRIXSTORAGE``: job.sti, job.mas, job.dof, with positions and sets of nodes from
    job.inp (or job.frd, or the file ``nodes``).
    ``read_structure(stiffness="K.mtx", mass="M.mtx", nodes="nodes.csv")`` reads Matrix Market files. The nodes are a
    table (.csv, .txt, .npy, or an array) of x, y, z, or of number, x, y, z. Unknowns are 3 displacements of each node,
    or 3 displacements and 3 rotations, node after node; in another order, or if some are missing, ``unknowns`` is a
    table with the number of the node and the component 1 to 6 of each row. Numbers of nodes are those of the table, or
    1, 2, …; ``sets`` names sets of nodes by their numbers.

    ``units`` are those of the files, such as "mm-t-s"; the structure is in m, kg, s. ``total_mass`` in kg, if it is
    given, is compared with the mass matrix. Files that an input file includes (``*INCLUDE``) are read in its folder and
    below it, and in the ``folders``.
    """
    if not isinstance(units, str) or units not in UNITS:
        raise ModelError(f"units must be one of {', '.join(UNITS)}")
    try:
        structure = _read(path, stiffness, mass, nodes, unknowns, sets, files.folders_of(folders))
    except ModelError as error:
        raise FileError(str(error).removeprefix("structure: "), "" if path is None else str(path)) from None
    source = path if path is not None else stiffness
    stem = Path(source).stem if isinstance(source, str | os.PathLike) else "structure"
    structure = replace(in_si(structure, units), name=name or stem)
    if total_mass is not None:
        check_mass(structure, total_mass, units)
    return structure


def _read(
    path: Any, stiffness: Any, mass: Any, nodes: Any, unknowns: Any, sets: Any, folders: Sequence[Path]
) -> Structure:
    if path is None:
        return _from_matrices(stiffness, mass, nodes, unknowns, sets or {})
    file = files.path_of(path)
    suffix = file.suffix.lower()
    if suffix == ".mtx":
        raise FileError(
            "a structure needs two matrices and its nodes: fb.read_structure(stiffness='K.mtx',"
            " mass='M.mtx', nodes='nodes.csv')",
            str(file),
        )
    if any(x is not None for x in (stiffness, mass, unknowns, sets)):
        raise FileError(
            "it holds the matrices, unknowns and sets; stiffness, mass, unknowns and sets are for Matrix Market files",
            str(file),
        )
    if suffix in (".sti", ".mas", ".dof", ".inp"):
        from freebody.io.calculix_files import read_job

        return Structure(**read_job(file, None if nodes is None else regular(nodes), folders))
    if suffix == ".npz":
        if nodes is not None:
            raise FileError("it holds the nodes; leave nodes=… out", str(file))
        return _from_npz(file)
    if suffix in (".sid", ".sid_fem"):
        raise FileError("a SID file holds a reduced body, not a structure; read it with fb.read_reduced", str(file))
    raise refuse(file, WRITTEN)


def _from_matrices(stiffness: Any, mass: Any, nodes: Any, unknowns: Any, sets: Mapping[str, Any]) -> Structure:
    for key, value in (("stiffness", stiffness), ("mass", mass), ("nodes", nodes)):
        if value is None:
            raise FileError(f"{key} is missing: fb.read_structure(stiffness='K.mtx', mass='M.mtx', nodes='nodes.csv')")
    table = read_table(nodes, "nodes")
    k = len(table)
    if table.shape[1] not in (3, 4) or k == 0:
        raise FileError(
            f"nodes: a table of x, y, z, or of number, x, y, z is needed, not of {table.shape[1]} columns",
            str(nodes) if isinstance(nodes, str | os.PathLike) else "",
        )
    numbers = table[:, 0] if table.shape[1] == 4 else np.arange(1, k + 1)
    index = {float(number): j for j, number in enumerate(numbers)}
    if len(index) != k:
        raise FileError("nodes: two nodes have the same number")

    def nodes_of(values: Any, what: str) -> Indices:
        try:
            chosen = np.ravel(np.asarray(values, dtype=np.float64)).tolist()
        except (TypeError, ValueError):
            raise FileError(f"{what}: numbers of nodes are needed, not {values!r:.60}") from None
        unknown = next((x for x in chosen if x not in index), None)
        if unknown is not None:
            raise FileError(f"{what}: there is no node {unknown:g}")
        return np.array([index[x] for x in chosen], dtype=np.intp)

    K, M = read_matrix_market(stiffness, "stiffness"), read_matrix_market(mass, "mass")
    if unknowns is None:
        n = K.shape[0]
        if n not in (3 * k, 6 * k):
            raise FileError(
                f"the stiffness matrix has {n} rows; {k} nodes have {3 * k} displacements, or {6 * k}"
                " displacements and rotations. If some of them are missing, give unknowns=… with the node"
                " and the component of each row"
            )
        node, component = np.repeat(np.arange(k), n // k), np.tile(np.arange(n // k), k)
    else:
        rows = read_table(unknowns, "unknowns")
        if rows.shape[1] != 2 or not np.isin(rows[:, 1], range(1, 7)).all():
            raise FileError("unknowns: a table of the number of a node and a component from 1 to 6 is needed")
        if len(np.unique(rows, axis=0)) != len(rows):
            raise FileError("unknowns: two rows have the same node and component")
        node, component = nodes_of(rows[:, 0], "unknowns"), rows[:, 1].astype(np.intp) - 1
    if not isinstance(sets, Mapping):
        raise FileError(f"sets: names with numbers of nodes are needed, {{'tip': [12, 13]}}, not {sets!r:.60}")
    named = {name: nodes_of(members, f"sets: '{name}'") for name, members in sets.items()}
    return Structure(table[:, -3:].copy(), M, K, node.astype(np.intp), component.astype(np.intp), named)


# NPZ


def _from_npz(path: Path) -> Structure:
    from scipy.sparse import csr_matrix

    a = ArrayReader(path, FORM)
    positions = a.floats("positions", None, 3)
    k = len(positions)
    node = a.indices("node", None, below=k)
    n = len(node)

    def matrix(key: str) -> Any:
        data, indices = a.floats(f"{key}_data", None), a.indices(f"{key}_indices", None, below=n)
        pointers = a.indices(f"{key}_indptr", n + 1, below=len(data) + 1)
        try:
            sparse = csr_matrix((data, indices, pointers), shape=(n, n))
            sparse.check_format(full_check=True)
        except ValueError as error:
            raise a.error(f"the {key} matrix: {error}") from None
        return sparse

    names = a.texts("set_names")
    sets = {name: a.indices(f"set_{j}", None, below=k) for j, name in enumerate(names)}
    cross = (matrix("cross_x"), matrix("cross_y"), matrix("cross_z")) if "cross_x_data" in a else None
    return Structure(
        positions,
        matrix("mass"),
        matrix("stiffness"),
        node,
        a.indices("component", n, below=7),
        sets,
        lines=a.indices("lines", None, 2, below=k),
        triangles=a.indices("triangles", None, 3, below=k),
        cross=cross,
        rigid=a.floats("rigid", n, 6) if "rigid" in a else None,
    )


def save_structure(structure: Structure, path: "str | os.PathLike[str]") -> Path:
    """Write a structure as one file (.npz): positions, node and component of each unknown, sets, and the matrices in
    compressed rows (``mass_data``, ``mass_indices``, ``mass_indptr``)."""
    target = files.target(path, "a structure", (".npz",))
    if structure.geometric is not None:
        warn(
            f"{target}: the geometric stiffness of the structure is a function and is not written; to keep"
            " geometric stiffening, reduce the structure and save the reduced body",
            FileWarning,
        )
    arrays: dict[str, Any] = {"format": np.array(FORM), "positions": structure.positions}
    arrays |= {
        key: np.asarray(structure.__dict__[key], dtype=np.int64) for key in ("node", "component", "lines", "triangles")
    }
    matrices = {"mass": structure.mass, "stiffness": structure.stiffness}
    matrices |= dict(zip(("cross_x", "cross_y", "cross_z"), structure.cross or (), strict=False))
    for key, sparse in matrices.items():
        rows = sparse.tocsr()
        arrays |= {f"{key}_data": rows.data, f"{key}_indices": rows.indices, f"{key}_indptr": rows.indptr}
    arrays |= {} if structure.rigid is None else {"rigid": structure.rigid}
    arrays["set_names"] = np.array([*structure.sets], dtype=np.str_) if structure.sets else np.zeros(0, dtype="U1")
    arrays |= {f"set_{j}": np.asarray(x, dtype=np.int64) for j, x in enumerate(structure.sets.values())}
    return write_arrays(target, arrays)


# Units and mass


def in_si(structure: Structure, units: str) -> Structure:
    """A structure in the given units converted to m, kg, s."""
    length, mass, time = UNITS[units]
    if (length, mass, time) == (1.0, 1.0, 1.0):
        return structure
    if structure.rigid is not None or structure.cross is not None:
        raise ModelError("units: unknowns that are not displacements or rotations cannot be converted")
    from scipy.sparse import diags

    scale = diags(np.where(structure.component < 3, 1 / length, 1.0))  # displacements are lengths, rotations are not
    energy = mass * length**2
    return replace(
        structure,
        positions=structure.positions * length,
        mass=energy * (scale @ structure.mass @ scale),
        stiffness=energy / time**2 * (scale @ structure.stiffness @ scale),
        geometric=None,
    )


def check_mass(structure: Structure, total: float, units: str = "m-kg-s") -> None:
    """Raise if the entries of the mass matrix along x, y and z do not add up to three times the mass."""
    along, found = np.diag(structure.rigid_mass)[:3], structure.total_mass
    if not 0 < (as_number(total) or 0.0) < np.inf:
        raise ModelError(f"total_mass: a positive mass in kg is needed, not {total!r}")
    if np.abs(along - total).max() <= SAME_MASS * total:
        return
    text = (
        f"the entries of the mass matrix along x, y and z add up to {along[0]:.4g}, {along[1]:.4g} and"
        f" {along[2]:.4g}, to 3 × {found:.4g} kg, and total_mass is {total:.4g} kg."
    )
    factor = UNITS[units][1] * total / found if found else 0.0
    fitting = [f"units='{key}'" for key, (_, m, _) in UNITS.items() if key != units and abs(factor / m - 1) < SAME_MASS]
    if fitting:
        hint = f"The matrix seems to be in other units; give {' or '.join(fitting)}."
    elif np.ptp(along) > SAME_MASS * found:
        hint = "They differ: unknowns of supported nodes are missing, or the order of the unknowns is another one."
    elif abs(found / total - 1 / 3) < SAME_MASS:
        hint = "It is a third: unknowns along two axes are missing, or the matrix is that of one axis."
    else:
        hint = "Check the units, the density, and whether masses of supported nodes are missing."
    raise FileError(f"{text} {hint}", structure.name)
