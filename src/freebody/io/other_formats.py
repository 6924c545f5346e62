"""Files of other programs that are not read: what they are, and what to do with them.

XML is recognised by its root element, whatever its name; other files by their names, or else by how they begin. Of XML
only the root element is read, by expat through defusedxml: no DTD, no entities. Nothing else of a file is read.
"""

import os
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from freebody import files
from freebody.errors import FileError

HEAD = 64 * 1024
"""The bytes at the beginning of a file by which it is recognised."""


@dataclass(frozen=True)
class OtherFormat:
    """A format, the next step for its files, and how they are recognised: by the ends of their names, by the root
    elements of XML, or by a pattern at their beginning. ``{path}`` in the advice is the file, ``{urdf}`` a name for the
    URDF that is made from it, both quoted for a shell; ``{text}`` is the file quoted for Python."""

    name: str
    advice: str
    suffixes: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    begins: bytes = b""

    def text(self, path: str) -> str:
        """What a file is, and what to do with it. A text without a file is shown as one."""
        if path == "<text>":
            path = "robot" + (self.suffixes[0] if self.suffixes else ".xml")
        stem = re.sub(r"(\.urdf)?(\.[^./]*)?$", "", path) or "robot"
        urdf = f"{stem}.urdf" if f"{stem}.urdf" != path else f"{stem}.expanded.urdf"
        advice = self.advice.format(path=shlex.quote(path), urdf=shlex.quote(urdf), text=repr(path))
        return f"this is {self.name}. {advice}"


REBUILD = "To model it here, write its bodies, joints and forces in YAML or in Python, with the numbers of that program"
XACRO = OtherFormat(
    "a xacro file, from which a URDF is made", "Run xacro first: xacro {path} > {urdf}, and load {urdf}", (".xacro",)
)
URDF = OtherFormat("a URDF file under another name", "Rename it so that it ends in .urdf: mv {path} {urdf}")
XML = OtherFormat("XML with an unknown root element", "Systems are read from YAML model files and from URDF files")
OTHER_FORMATS = (
    XACRO,
    OtherFormat(
        "a MuJoCo model (MJCF), which freebody does not read",
        "Load the URDF from which it was made, or convert it: pip install mjcf-urdf-simple-converter, then python -c"
        ' "from mjcf_urdf_simple_converter import convert; convert(\'model.xml\', \'robot.urdf\')"; or build the system'
        " from what MuJoCo reads, as 'Models of MuJoCo' in docs/robots.md does",
        (".mjcf", ".mjb"), ("mujoco", "mujocoinclude"),
    ),
    OtherFormat(
        "a model or world of Gazebo (SDF), which freebody does not read",
        "Load the URDF from which it was made, or convert it: rosrun pysdf sdf2urdf.py {path} {urdf}, or in MATLAB"
        " exportrobot(importrobot('model.sdf'))",
        (".sdf", ".world"), ("sdf", "gazebo"),
    ),
    OtherFormat(
        "a semantic description of a robot (SRDF), which has no bodies", "Load the URDF that it belongs to", (".srdf",)
    ),
    OtherFormat(
        "a list of model directives of Drake, which freebody does not read", "Load the URDF files that it names",
        (".dmd.yaml",), (), rb"([ \t]*(#[^\n]*)?\n)*directives\s*:",
    ),
    OtherFormat(
        "a USD scene, which freebody does not read",
        "Load the URDF from which it was imported, or export it as URDF (Isaac Sim: File > Export to URDF)",
        (".usd", ".usda", ".usdc", ".usdz"), (), rb"#usda |PXR-USDC|(?s:PK\x03\x04.*?\.usd[ac]?)",
    ),
    OtherFormat(
        "a world of Webots, which freebody does not read", "Export the robot as URDF (in its context menu)",
        (".wbt",), (), rb"#VRML_SIM",
    ),
    OtherFormat(
        "a scene of CoppeliaSim, which freebody does not read", "Export the model as URDF there", (".ttt", ".ttm")
    ),
    OtherFormat(
        "a model of Simulink or Simscape, which freebody does not read",
        "MATLAB (R2023b or newer, Robotics System Toolbox) writes trees of bodies as URDF:"
        f" exportrobot(importrobot('model')). {REBUILD}",
        (".slx", ".mdl"), (), rb"\s*(Model|Library)\s*\{|(?s:PK\x03\x04.*?simulink/)",
    ),
    OtherFormat(
        "an assembly for Simscape Multibody, which freebody does not read",
        "In MATLAB, import it by smimport, and write a URDF by exportrobot(importrobot('model')); or export a URDF from"
        " the CAD program",
        (), ("SimscapeMultibodyImportXML", "PhysicalModelingXMLFile"),
    ),
    OtherFormat(
        "a model of Adams, which freebody does not read",
        f"{REBUILD}: Tools > Aggregate Mass lists masses and inertias; flexible bodies are read from SID files",
        (".adm", ".cmd", ".acf"), (),
        rb"(?is)\s*!.{0,4000}?(\badams\b|\bdefaults (model|units)\b|\bmodel create\b)",
    ),
    OtherFormat(
        "a model of Simpack, which freebody does not read", f"{REBUILD}; flexible bodies are read from SID files",
        (".spck",),
    ),
    OtherFormat("a model of RecurDyn, which freebody does not read", REBUILD, (".rdyn",)),
    OtherFormat("a model of MBDyn, which freebody does not read", REBUILD, (".mbd", ".mbdyn")),
    OtherFormat(
        "a model in Modelica, which freebody does not read", REBUILD, (".mo",), (),
        rb"(?s)\s*(within\b[^;]{0,200};\s*)?((partial|encapsulated)\s+)*(model|package|class|block)[ \t]+\w+\s*(\"|\n)",
    ),
    OtherFormat(
        "a compiled model for co-simulation (FMU), which holds no bodies or joints", REBUILD,
        (".fmu",), ("fmiModelDescription",), rb"(?s:PK\x03\x04.*?modelDescription\.xml)",
    ),
    OtherFormat(
        "a musculoskeletal model of OpenSim, which freebody does not read",
        f"{REBUILD}; docs/joints.md has joints that follow functions of a coordinate",
        (".osim",), ("OpenSimDocument",),
    ),
    OtherFormat(
        "geometry from a CAD program, without masses and joints",
        "Export the assembly as URDF (SolidWorks: URDF Exporter, Onshape: onshape-to-robot, Fusion: fusion2urdf), or"
        " write its bodies in YAML or in Python, with the mass, mass centre and inertia that the CAD program"
        " lists; for pictures of a body export a mesh, fb.Mesh('part.stl')",
        (".step", ".stp", ".stpz", ".p21", ".iges", ".igs", ".x_t", ".x_b", ".xmt_txt", ".sat", ".jt", ".sldasm",
         ".sldprt", ".catproduct", ".catpart", ".iam", ".ipt", ".asm", ".prt", ".f3d", ".fcstd", ".3dm", ".dwg", ".dxf",
         ".brep"),
        (), rb"ISO-10303-21;|\*\*ABCDEFGHIJKLMNOPQRSTUVWXYZ|DBRep_DrawableShape|CASCADE Topology",
    ),
    OtherFormat(
        "a mesh, which has no masses and joints",
        "It can be the shape of a body: s.body(…, shape=fb.Mesh('part.stl')); a model file has bodies and joints",
        (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".off", ".3mf", ".wrl", ".x3d"), ("COLLADA", "X3D"),
        rb"glTF|ply\r?\n|#VRML V|solid [^\n]*\n\s*facet\s",
    ),
    OtherFormat("a saved run, not a model", "Load it with fb.Trajectory.load({text})", (".nc", ".parquet"), (),
                rb"CDF[\x01\x02]|PAR1"),
    OtherFormat(
        "a flexible body, not a system",
        "Give it to a body: s.body(…, flexible=fb.read_reduced({text})); freebody modes {path} shows its modes",
        (".npz", ".sid"),
    ),
    OtherFormat("a Python file", "Import it; the command freebody opens it too: freebody info {path}", (".py",)),
)  # fmt: skip
"""The formats by the order in which they are compared with a file."""
MATRICES = "export its mass and stiffness matrices as Matrix Market files, and use fb.read_structure"
FEM_FORMATS = {
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
"""Files of finite elements that are not read, by suffix: a reason and the next step."""


def check_format(path: "str | os.PathLike[str]") -> None:
    """Raise an error that says what a file is and what to do with it, if it is of a format that is not read. A file
    that is missing, or that cannot be opened, is none of them."""
    try:
        with files.open_regular(path) as file:
            head = file.read(HEAD)
    except (OSError, ValueError):
        _check_path(os.fspath(path))
        return
    if text := describe_file(os.fspath(path), head):
        raise FileError(text, os.fspath(path))


def _check_path(path: str) -> None:
    """Raise an error about what stands where the path of a file that can be opened should: a text, or an address."""
    if "\n" in path:
        raise FileError("the path of a file is needed, not what is in it; write this text to a file and load that")
    if re.match(r"[a-z]{2,}:/", path):
        raise FileError("this is an address, and no file; download what is there and load that", path)


def describe_file(path: str, head: bytes) -> str:
    """What a file that is not read is and what to do with it, by its name and beginning; empty if it may be read."""
    name = path.lower()
    by_name = next((one for one in OTHER_FORMATS if name.endswith(one.suffixes)), None)
    root, found = root_element(head), by_name
    if root is None:
        found = by_name or next((one for one in OTHER_FORMATS if one.begins and re.match(one.begins, head)), None)
    elif root[0] != "robot":
        found = format_of_root(root[0]) or by_name or XML
    elif not name.endswith(".urdf"):  # of xacro in a .urdf its reader shows the line
        found = XACRO if "xmlns:xacro" in root[1] else by_name or URDF
    return _describe_part(path) if found is None else found.text(path)


def format_of_root(tag: str) -> OtherFormat | None:
    """The format of XML with this root element."""
    return next((one for one in OTHER_FORMATS if tag in one.roots), None)


def _describe_part(path: str) -> str:
    """The same for files of finite elements, which are parts of systems."""
    reason = FEM_FORMATS.get(Path(path).suffix.lower())
    return f"this is a file of finite elements, not of a system: {reason}" if reason else ""


def refuse(path: "str | os.PathLike[str]", what: str) -> FileError:
    """The error for a file of another kind; ``what`` says what is read here."""
    suffix = files.path_of(path).suffix.lower()
    kind = f"files '*{suffix}' are not known" if suffix else "its name has no suffix"
    return FileError(f"{FEM_FORMATS.get(suffix, kind)}; {what}", str(path))


def root_element(head: bytes) -> tuple[str, Mapping[str, str]] | None:
    """The name and the attributes of the root element of XML that begins so; None if it is not XML, or has a DTD."""
    if not head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<"):
        return None
    from xml.sax import SAXException
    from xml.sax.handler import ContentHandler

    from defusedxml.common import DefusedXmlException
    from defusedxml.expatreader import create_parser

    roots = list[tuple[str, Mapping[str, str]]]()

    class Root(ContentHandler):
        def startElement(self, tag: str, attributes: Any) -> None:
            roots.append((tag, dict(attributes)))
            raise SAXException("the rest is not read")

    parser = create_parser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(Root())
    with suppress(SAXException, DefusedXmlException, ValueError, LookupError):
        parser.parse(BytesIO(head))
    return roots[0] if roots else None
