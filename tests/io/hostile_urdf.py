"""Hostile URDF files, read one by one in child processes with little memory and time. ``python -m
tests.io.hostile_urdf FOLDER`` prints the outcome of each as JSON: the error's type and text, seconds, MB."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from tests.io.hostile_yaml import guarded, places

MASS = '<inertial><mass value="%s"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
ROBOT = '<robot name="r">%s</robot>'
LINK = ROBOT % f'<link name="a">{MASS}</link>'


def texts() -> Iterator[tuple[str, str | bytes]]:
    """Files by their defect."""
    laughs = "".join(f'<!ENTITY {b} "{f"&{a};" * 9}">' for a, b in pairwise("abcdefghi"))
    yield "billion laughs", f'<!DOCTYPE robot [<!ENTITY a "ha">{laughs}]>{ROBOT % "&i;"}'
    yield "quadratic blowup", f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]>{ROBOT % ("&a;" * 10_000)}'
    yield "external entity", '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="&a;"/>'
    yield "parameter entity", '<!DOCTYPE r [<!ENTITY % a SYSTEM "http://localhost/x.dtd"> %a;]><robot/>'
    yield "external dtd", '<!DOCTYPE robot SYSTEM "http://localhost/robot.dtd"><robot name="r"/>'
    yield "empty dtd", "<!DOCTYPE robot><robot/>"
    yield "unknown entity", ROBOT % "&lol;"
    yield "deep", "<robot>" + "<a>" * 90_000
    yield "deep and closed", "<robot>" + "<a>" * 500_000 + "</a>" * 500_000 + "</robot>"
    yield "million elements", ROBOT % ("<a/>" * 1_000_000)
    yield "million links", ROBOT % "".join(f'<link name="{k}"/>' for k in range(90_000))
    yield "million comments", ROBOT % ("<!---->" * 500_000)
    yield "too many links", ROBOT % "".join(f'<link name="{k}"/>' for k in range(10_001))
    yield "million attributes", "<robot " + " ".join(f"a{k}=''" for k in range(400_000)) + "/>"
    yield "long attribute", LINK % ("1" * 3_000_000)
    yield "long name", ROBOT % f'<link name="{"a" * 10_000}"/>'
    yield "long tag", ROBOT % f"<{'a' * 1_000_000}/>"
    yield "million characters", ROBOT % ("x" * 3_000_000)
    yield "five megabytes", ROBOT % (" " * 5_000_000)
    yield "many lines", ROBOT % ("\n" * 250_000)
    yield "open brackets", "<robot>" + "<" * 1_000_000
    yield "nan", LINK % "nan"
    yield "infinity", LINK % "inf"
    yield "huge number", LINK % "1e400"
    yield "python number", LINK % "1_000"
    yield "other digits", LINK % "١"
    yield "hexadecimal", LINK % "0x10"
    yield "expression", LINK % "__import__('os').system('touch freebody_was_here')"
    yield "substitution", LINK % "${mass}"
    far = '<joint name="%s" type="fixed"><origin xyz="1.7e308 0 0"/><parent link="%s"/><child link="%s"/></joint>'
    links = '<link name="a"/><link name="b"/><link name="c"/>'
    yield "overflowing place", ROBOT % (links + far % ("j", "a", "b") + far % ("k", "b", "c"))
    yield "bell in a name", ROBOT % '<link name="a&#7;b"/>'
    yield "newline in a name", ROBOT % '<link name="a&#10;b"/>'
    yield "nul byte", b"<robot\0/>"
    yield "escape character", b"<robot name='\x1b[31m'/>"
    yield "invalid utf-8", b'<robot name="\xe9"/>'
    yield "latin letters", '<?xml version="1.0" encoding="ISO-8859-1"?><robot name="é"/>'.encode("latin-1")
    yield "utf-16", LINK.encode("utf-16")
    yield "byte-order mark", b"\xef\xbb\xbf<robot/>"
    yield "utf-7", '<?xml version="1.0" encoding="utf-7"?>' + ROBOT % "+ADw-link/+AD4-"
    yield "xinclude", ROBOT % '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'
    yield "stylesheet", '<?xml-stylesheet href="file:///etc/passwd"?><robot/>'
    yield "empty", ""
    yield "only a comment", "<!-- nothing -->"
    yield "two roots", "<robot/><robot/>"
    yield "text", "bodies: {}"
    yield (
        "a ring",
        ROBOT
        % "".join(
            f'<link name="{a}"/><joint name="{a}" type="fixed"><parent link="{b}"/><child link="{a}"/></joint>'
            for a, b in ("ab", "bc", "ca")
        ),
    )
    yield (
        "mimics in a ring",
        ROBOT
        % (
            f'<link name="a"/><link name="b">{MASS % 1}</link><joint name="j" type="revolute"><parent link="a"/>'
            '<child link="b"/><mimic joint="j"/></joint>'
        ),
    )


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    for k, (name, text) in enumerate(texts()):
        path = folder / f"{k}.urdf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        yield name, path
    for name, path in places(folder):
        if path.parent == folder and path.suffix == ".yaml":
            there = path.is_symlink() or path.exists()
            path = path.rename(path.with_suffix(".urdf")) if there else path.with_suffix(".urdf")
        yield name, path


def main(folder: Path) -> None:
    import freebody as fb
    from freebody.io import loads_urdf, read_urdf

    loads_urdf(LINK % "1", fb.System)  # imported once, before the children are forked
    print(json.dumps({name: guarded(partial(read_urdf, path, fb.System)) for name, path in files(folder)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
