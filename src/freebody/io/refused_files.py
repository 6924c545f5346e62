"""Files of other programs that are not read, with what to export in their place"""

import os

from freebody.errors import FileError
from freebody.files import path_of

MATRICES = "export its mass and stiffness matrices as Matrix Market files, and use fb.read_structure"
OTHERS = {
    ".mnf": "an MNF file is a binary format of Adams without a public description. Export the mass and stiffness"
    " matrices of the finite elements (Matrix Market), or a SID file (text)",
    ".fbi": "it is an input file of Simpack; write the flexible body as a SID file (text)",
    ".op2": "an OP2 file is a binary file of Nastran's results. Export the matrices KGG and MGG (DMAP: OUTPUT4),"
    " convert them to Matrix Market (pyNastran reads OP4, scipy.io.mmwrite writes .mtx), and use fb.read_structure",
    ".op4": "convert the matrices of the OP4 file to Matrix Market (pyNastran reads OP4, scipy.io.mmwrite writes .mtx),"
    " and use fb.read_structure(stiffness='K.mtx', mass='M.mtx', nodes='nodes.csv')",
    ".pch": "it is a punch file of Nastran. Convert its matrices (DMIG) to Matrix Market, and use fb.read_structure",
    ".rst": "it holds results of Ansys. In Ansys, write the matrices of the .full file by *SMAT and *EXPORT,…,MMF, and"
    " use fb.read_structure(stiffness='K.mtx', mass='M.mtx', nodes='nodes.csv', unknowns='unknowns.csv')",
    ".full": "it is a binary file of Ansys. There, write its matrices by *SMAT and *EXPORT,…,MMF, and use"
    " fb.read_structure(stiffness='K.mtx', mass='M.mtx', nodes='nodes.csv', unknowns='unknowns.csv')",
    ".odb": "it holds results of Abaqus. Use *MATRIX GENERATE, STIFFNESS, MASS and *MATRIX OUTPUT there, convert the"
    " coordinate lists to Matrix Market, and use fb.read_structure",
    ".sim": "it is a binary file of Abaqus. Use *MATRIX GENERATE, STIFFNESS, MASS and *MATRIX OUTPUT, FORMAT=COORDINATE"
    " there, convert the lists to Matrix Market, and use fb.read_structure",
    ".h3d": f"it is a binary file of OptiStruct; {MATRICES}",
    ".rfi": f"it is a flexible body of RecurDyn; {MATRICES}",
    ".mat": f"it is a file of MATLAB; {MATRICES} (scipy.io.loadmat, scipy.io.mmwrite)",
    **dict.fromkeys(
        (".msh", ".vtk", ".vtu", ".med", ".unv", ".bdf", ".nas", ".stl"),
        "it is a mesh without matrices; build the structure with fb.solid_structure(mesh, young=…, poisson=…,"
        " density=…) or fb.plate_structure(…)",
    ),
}
"""Suffixes of files with a reason and the next step."""


def refuse(path: "str | os.PathLike[str]", what: str) -> FileError:
    """The error for a file of another kind; ``what`` says what is read here."""
    suffix = path_of(path).suffix.lower()
    kind = f"files '*{suffix}' are not known" if suffix else "its name has no suffix"
    return FileError(f"{OTHERS.get(suffix, kind)}; {what}", str(path))
