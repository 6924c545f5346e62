"""Hostile model files, read one by one in child processes with little memory and time. ``python
tests/io/hostile_yaml.py FOLDER`` prints the outcome of each as JSON: the error's type and text, seconds and MB."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

MEGABYTES, SECONDS = 500, 2
BODY = "bodies: {a: {mass: %s}}"


def texts() -> Iterator[tuple[str, str | bytes]]:
    """Files by their defect."""
    yield "python object", "bodies: !!python/object/apply:os.system ['touch freebody_was_here']"
    yield "python name", "bodies:\n  a:\n    mass: !!python/name:os.system x"
    yield "a tag", BODY % "!!float 3"
    yield "a local tag", BODY % "!mass 3"
    yield "tag directive", "%TAG ! tag:x,2000:\n---\nname: a"
    yield "alias bomb", "a: &a [x, x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in pairwise("abcdefghi"))
    yield "alias of itself", "bodies: &b {a: *b}"
    yield "anchor", "name: &n x"
    yield "merge", "bodies:\n  a: {mass: 1}\n  b: {<<: {mass: 2}}"
    yield "tower of powers", BODY % "9**9**9**9"
    yield "long product", BODY % ("9**999*" * 2000 + "9")
    yield "deep flow lists", "bodies: " + "[" * 1_000_000
    yield "deep flow maps", "{a: " * 1_000_000
    yield "deep block lists", "- " * 1_000_000
    yield "deep block keys", "? " * 1_000_000
    yield "deep block maps", "\n".join(" " * k + "a:" for k in range(2000))
    yield "deep brackets", BODY % ("(" * 19_000)
    yield "deep signs", BODY % ("-" * 19_000 + "1")
    yield "million bodies", "bodies:\n" + "".join(f" b{k}: {{}}\n" for k in range(300_000))
    yield "too many bodies", "bodies:\n" + "".join(f" b{k}: {{}}\n" for k in range(10_001))
    yield "million keys", "{" + ",".join(f"{k:x}" for k in range(700_000)) + "}"
    yield "million items", "gravity: [" + "1," * 1_900_000 + "]"
    yield "many values", "\n".join("- [" + "1," * 40 + "]" for _ in range(30_000))
    yield "five megabytes", "name: a\n" + "#" * 5_000_000
    yield "many lines", "name: a\n" * 250_000
    yield "huge integer", BODY % ("9" * 100_000)
    yield "long integer", BODY % ("9" * 5_000)
    yield "huge float", BODY % "1e400"
    yield "huge float in text", BODY % "2*1e400"
    yield "nan", BODY % ".nan"
    yield "infinity", BODY % "-.inf"
    yield "nan by words", BODY % "nan"
    yield "division by zero", BODY % "1/0"
    yield "duplicate key", "bodies: {}\nname: a\nbodies: {}"
    yield "nul byte", b"name: a\0b"
    yield "escape character", b"name: \x1b[31m"
    yield "escaped bell in a name", 'bodies: {"a\\x07b": {}}'
    yield "invalid utf-8", b"name: caf\xe9"
    yield "byte-order mark", b"\xef\xbb\xbfname: a"
    yield "utf-16", "name: a".encode("utf-16")
    yield "import", BODY % "__import__('os').system('touch freebody_was_here')"
    yield "attribute", BODY % "m.__class__"
    yield "lambda", BODY % "'(lambda: 1)()'"
    yield "comprehension", BODY % "'[x for x in (1,)]'"
    yield "f-string", BODY % "\"f'{1}'\""
    yield "long name", f"bodies: {{{'a' * 5000}: {{}}}}"
    yield "long text", "name: " + "a" * 1_000_000
    yield "two documents", "name: a\n---\nname: b"
    yield "no mapping", "- a"
    yield "empty", ""
    yield "only a comment", "# nothing"
    yield "overflowing inertia", "bodies: {a: {mass: 1, inertia: {rod: {length: 1.0e+300}}}}"
    yield "definitions in a ring", "definitions: {a: b, b: a}\nbodies: {a: {mass: a}}"
    chain = "".join(f"  a{k}: a{k - 1}\n" for k in range(1, 20_000))
    yield "long chain of definitions", f"definitions:\n  a0: x\n{chain}"


def places(folder: Path) -> Iterator[tuple[str, Path]]:
    """Paths that are not files."""
    yield "directory", folder
    yield "missing", folder / "missing.yaml"
    yield "device", Path("/dev/zero")
    yield "terminal", Path("/dev/tty")
    pipe, sparse, loop = (folder / name for name in ("pipe.yaml", "sparse.yaml", "loop.yaml"))
    os.mkfifo(pipe)
    with sparse.open("wb") as file:
        file.truncate(1 << 30)
    loop.symlink_to(loop)
    yield "named pipe", pipe
    yield "sparse gigabyte", sparse
    yield "link to itself", loop
    yield "nul in the path", Path("a\0b")
    yield "kernel's file", Path("/proc/self/mem")


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    for k, (name, text) in enumerate(texts()):
        path = folder / f"{k}.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        yield name, path
    yield from places(folder)


def guarded(work: Callable[[], object]) -> dict[str, object]:
    """The exception that the work raises in a child process with bounded memory and time."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        room = pages * resource.getpagesize() + MEGABYTES * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_CPU, (4 * SECONDS, 4 * SECONDS))
        start, outcome = time.process_time(), {"type": "nothing", "text": ""}
        try:
            work()
        except BaseException as error:
            outcome = {"type": type(error).__name__, "text": str(error)[:400]}
        used = resource.getrusage(resource.RUSAGE_SELF)
        os.write(there, json.dumps({**outcome, "s": time.process_time() - start, "MB": used.ru_maxrss / 1024}).encode())
        os._exit(0)
    os.close(there)
    with open(here) as answer:
        output = answer.read()
    os.waitpid(child, 0)
    return json.loads(output) if output else {"type": "killed", "text": "", "s": 0, "MB": 0}


def main(folder: Path) -> None:
    import freebody as fb
    from freebody.io import loads, read

    loads("bodies: {}", fb.System)  # imported once, before the children are forked
    print(json.dumps({name: guarded(partial(read, path, fb.System)) for name, path in files(folder)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
