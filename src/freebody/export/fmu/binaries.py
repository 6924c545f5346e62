"""Binaries of FMUs: by the system's C compiler for this platform, by Zig's (the extra ``fmu``) for others."""

import importlib.util
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from freebody.backends.c import find_compiler
from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.progress import Progress

FLAGS = ("-std=c99", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden")
"""Without contraction and without reordering: results do not depend on the compiler."""


SHOWN = 0.5
"""Seconds between two looks at what is done: the first library for a platform takes a minute."""


@dataclass(frozen=True)
class Platform:
    """A kind of machine: Zig's name of it, its folders in FMUs of both versions, and what its libraries end in."""

    name: str
    target: str
    folder2: str
    suffix: str

    def folder(self, version: str) -> str:
        return self.folder2 if version == "2.0" else self.name


PLATFORMS = {
    p.name: p
    for p in (
        Platform("x86_64-linux", "x86_64-linux-gnu.2.17", "linux64", ".so"),
        Platform("aarch64-linux", "aarch64-linux-gnu.2.17", "aarch64-linux", ".so"),
        Platform("x86_64-windows", "x86_64-windows-gnu", "win64", ".dll"),
        Platform("x86_64-darwin", "x86_64-macos", "darwin64", ".dylib"),
        Platform("aarch64-darwin", "aarch64-macos", "aarch64-darwin", ".dylib"),
    )
}


def this_platform() -> str:
    """The name of the platform on which this runs."""
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return f"{machine}-{platform.system().lower()}"


def chosen_platforms(context: str, names: str | Sequence[str]) -> list[Platform]:
    """The platforms of these names: ``native`` is this one, ``all`` are those that are known."""
    given = [names] if isinstance(names, str) else list(names)
    known = [*PLATFORMS, "native", "all"]
    wrong = [name for name in given if name not in known]
    if wrong:
        raise ArgumentError(f"{context}: platforms: there is no {wrong[0]!r}; choose from {', '.join(known)}")
    every = [
        n for name in given for n in (PLATFORMS if name == "all" else [this_platform() if name == "native" else name])
    ]
    unknown = next((name for name in every if name not in PLATFORMS), None)
    if unknown is not None:
        raise ArgumentError(
            f"{context}: no binaries are built for this platform, {unknown}: leave it out by platforms=(); the FMU then"
            " has its sources, which importers with a compiler build"
        )
    return [PLATFORMS[name] for name in dict.fromkeys(every)]


def has_zig() -> bool:
    return importlib.util.find_spec("ziglang") is not None


def _command(context: str, one: Platform) -> list[str]:
    """The compiler for a platform with what selects it."""
    if one.name == this_platform():
        try:
            return find_compiler(context)
        except BackendError:
            if not has_zig():
                raise BackendError(
                    f"{context}: no C compiler was found for the FMU's binary (looked for $CC, cc, gcc, clang, zig)."
                    f" {install_command('fmu')} installs one, or platforms=() leaves binaries out"
                ) from None
    if not has_zig():
        raise BackendError(
            f"{context}: binaries for {one.name} need Zig's compiler: {install_command('fmu')} installs it"
        )
    return [sys.executable, "-m", "ziglang", "cc", "-target", one.target]


def build(
    context: str, folder: Path, name: str, platforms: Sequence[Platform], shown: bool | None = None
) -> dict[Platform, bytes]:
    """The library of the sources in a folder for each platform, with a bar of progress."""
    commands = {one: _command(context, one) for one in platforms}
    sources, libraries = sorted(folder.glob("*.c")), dict[Platform, bytes]()
    for one, command in commands.items():
        what = f"building FMU {name} for {one.name}"
        with Progress(what, len(sources) + 1, shown) as progress, tempfile.TemporaryDirectory() as scratch:
            flags = [*FLAGS, *([] if one.suffix == ".dll" else ["-fPIC"])]
            objects = [str(Path(scratch, f"{p.stem}.o")) for p in sources]
            calls = [[*command, *flags, "-c", "-o", o, str(p)] for o, p in zip(objects, sources, strict=True)]
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                running = [pool.submit(_run, context, call) for call in calls]
                while not all(future.done() for future in running):
                    wait(running, timeout=SHOWN)
                    progress(sum(future.done() for future in running))
                for future in running:
                    future.result()
            library = Path(scratch, f"{name}{one.suffix}")
            link = ["-shared", "-o", str(library), *objects]
            if one.suffix == ".dylib":
                link.append(f"-Wl,-install_name,@rpath/{library.name}")
            else:
                link += ["-s"] + (["-lm"] if one.suffix == ".so" else [])
            _run(context, [*command, *link])
            libraries[one] = library.read_bytes()
    return libraries


def _run(context: str, command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BackendError(f"{context}: {' '.join(command[:4])} … failed:\n{(done.stderr or done.stdout)[-2000:]}")
