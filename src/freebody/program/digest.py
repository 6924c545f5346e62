"""A program's fingerprint: equal for equal programs, in every process and under every hash seed."""

from dataclasses import astuple

from freebody.program.code import Code
from freebody.program.program import Block, Group, Output, Program, Region, Scan, Solve, Work


def digest(program: Program) -> str:
    """40 hexadecimal digits over everything a backend may read; user functions count by name."""
    parts = [program.name, *(_buffer(b) for b in program.buffers)]
    parts += [_region(r) for r in program.regions]
    from hashlib import blake2b  # OpenSSL comes with it

    return blake2b("\x00".join(parts).encode(), digest_size=20).hexdigest()


def _buffer(buffer: Group | Output | Work) -> str:
    """Tables with their numbers; other work buffers have none to tell."""
    plain = astuple(buffer)
    return repr(plain[:-1] if isinstance(buffer, Work) and not buffer.table else plain)


def _region(region: Region) -> str:
    codes = () if isinstance(region, Solve) else region.codes
    return "\x01".join([type(region).__name__, repr(_plain(region)), *map(_code, codes)])


def _plain(region: Region) -> dict[str, object]:
    """What a region says beside its code."""
    if isinstance(region, Block):
        return {}
    if isinstance(region, Scan):
        return {"name": region.name, "kinds": region.kinds, "rows": region.rows}
    return {
        "name": region.name, "size": region.size, "entries": region.entries, "right_sides": region.right_sides,
        "matrix": region.matrix, "right": region.right, "result": region.result,
    }  # fmt: skip


def _code(code: Code) -> str:
    numbers = [float(x).hex() for x in code.numbers]
    calls = [(function.name, arguments) for function, arguments in code.calls]
    labels = sorted((k, [(x.name, x.description) for x in v]) for k, v in code.labels.items())
    return repr((code.op, code.a, code.b, code.c, numbers, code.loads, code.tables, calls, code.stores, labels))
