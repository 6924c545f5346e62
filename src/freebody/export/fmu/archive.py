"""The file of an FMU: description, sources, binaries, documentation, icon."""

import tempfile
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files as resources
from pathlib import Path
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from freebody import files
from freebody.errors import ArgumentError
from freebody.export.c_program import CWriter, array, text
from freebody.export.description import Simulation
from freebody.export.fmu.binaries import FLAGS, build, chosen_platforms
from freebody.export.fmu.documentation import documentation
from freebody.export.fmu.model_description import model_description
from freebody.export.fmu.variables import FmuVariables
from freebody.version import VERSION
from freebody.viewer.icon import icon

VERSIONS = ("2.0", "3.0")
DATE = (1980, 1, 1, 0, 0, 0)
"""Of all files in the archive: equal systems make equal files."""


def write_fmu(
    path: Path,
    simulation: Simulation,
    version: str,
    outputs: Sequence[str] | None,
    platforms: str | Sequence[str],
    diagram: str,
    shown: bool | None = None,
) -> Path:
    """Write the FMU of a simulation; ``diagram`` is its picture (SVG)."""
    if version not in VERSIONS:
        raise ArgumentError(f"version must be '2.0' or '3.0', not {version!r}")
    target, title = files.target(path, "an FMU", (".fmu",)), simulation.title
    machines = chosen_platforms(title, platforms)
    variables = FmuVariables(simulation, outputs, clocks=version == "3.0")
    sources = [f"{simulation.name}{part}.c" for part in ("", *(f"_{p}" for p in simulation.programs))]
    draft = model_description(simulation, variables, version, "", sources)
    token = _token(simulation, draft, version)
    texts = source_files(simulation, variables, version, token)
    bodies = simulation.compiled.about.elements
    picture = icon(bodies, simulation.compiled.about.constraints)
    every: dict[str, str | bytes] = {
        "modelDescription.xml": model_description(simulation, variables, version, token, sources),
        **{f"sources/{name}": content for name, content in texts.items()},
        "documentation/index.html": documentation(simulation, variables, version, diagram),
        "documentation/diagram.svg": diagram,
    }
    if version == "2.0":
        every["model.png"] = picture
    else:
        every["sources/buildDescription.xml"] = _build_description(simulation.name, sources)
        every["terminalsAndIcons/icon.png"] = picture
        every["terminalsAndIcons/terminalsAndIcons.xml"] = TERMINALS_AND_ICONS
    with tempfile.TemporaryDirectory(prefix="freebody-") as folder:
        for name, content in texts.items():
            Path(folder, name).write_text(content, encoding="utf-8")
        libraries = build(title, Path(folder), simulation.name, machines, shown) if machines else {}
    for one, library in libraries.items():
        every[f"binaries/{one.folder(version)}/{simulation.name}{one.suffix}"] = library
    return files.write(target, lambda draft: _zip(draft, every))


def source_files(simulation: Simulation, variables: FmuVariables, version: str, token: str) -> dict[str, str]:
    """The C sources of the FMU by name, with the headers of the standard."""
    digit = version[0]
    writer, name = CWriter(simulation, {"file_functions": ""}), simulation.name
    texts = writer.model_files()
    texts[f"{name}.h"] = writer.filled("simulation.h")
    indicators = variables.indicators
    tables = [
        f"#define GUID {text(token)}",
        f"enum {{ INDICATORS = {len(indicators)} }};",
        *array("int", "indicator_rows", map(str, indicators)),
        *array("int", "is_input", (str(int(x)) for x in variables.input_flags)),
        "",
    ]
    parts = ("values.c", "integrator.c", "fmu.c")
    version_part = writer.filled(f"fmi{digit}.c")
    texts[f"{name}.c"] = "\n".join(
        [writer.head(files=False), "\n".join(tables), *map(writer.filled, parts), version_part]
    )
    standard = resources("freebody.export") / "third_party" / "fmi"
    for file in standard.iterdir():
        if file.name.startswith(f"fmi{digit}") or file.name.startswith("LICENSE"):
            texts[file.name] = file.read_text()
    return texts


def _token(simulation: Simulation, draft: str, version: str) -> str:
    """What the description and the binary have in common: equal for equal systems."""
    digest = blake2b(f"{VERSION} {simulation.digest} {draft}".encode(), digest_size=16).hexdigest()
    return f"{{{UUID(digest)}}}" if version == "2.0" else str(UUID(digest))


def _build_description(name: str, sources: Sequence[str]) -> str:
    rows = "".join(f'<SourceFile name="{source}"/>' for source in sources)
    options = " ".join(flag for flag in FLAGS if flag != "-O3")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">\n'
        f'<BuildConfiguration modelIdentifier="{name}">\n<SourceFileSet language="C99" compilerOptions="{options}">'
        f'{rows}</SourceFileSet>\n<Library name="m"/>\n</BuildConfiguration>\n</fmiBuildDescription>\n'
    )


TERMINALS_AND_ICONS = """\
<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
<GraphicalRepresentation>
<CoordinateSystem x1="-100" y1="-100" x2="100" y2="100" suggestedScalingFactorTo_mm="0.1"/>
<Icon x1="-100" y1="-100" x2="100" y2="100"/>
</GraphicalRepresentation>
</fmiTerminalsAndIcons>
"""


def _zip(path: Path, every: Mapping[str, str | bytes]) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in every.items():
            info = ZipInfo(name, DATE)
            info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)
