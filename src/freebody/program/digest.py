"""Digests of programs: equal for equal programs, in every process and under every hash seed."""

from dataclasses import astuple, fields

from freebody.program.code import Code
from freebody.program.program import Block, Program, Scan, Solve, Work

_PROPERTIES = {Block: (), Scan: ("name", "kinds", "rows"), Solve: tuple(f.name for f in fields(Solve))}


def digest(program: Program) -> str:
    """40 hexadecimal digits over everything a backend may read; user functions count by name."""
    from hashlib import blake2b  # OpenSSL comes with it

    parts = [program.name]
    for buffer in program.buffers:
        plain = astuple(buffer)
        parts.append(repr(plain[:-1] if isinstance(buffer, Work) and not buffer.table else plain))
    for region in program.regions:
        codes = () if isinstance(region, Solve) else region.codes
        properties = {name: vars(region)[name] for name in _PROPERTIES[type(region)]}
        parts.append("\x01".join([type(region).__name__, repr(properties), *map(_code, codes)]))
    return blake2b("\x00".join(parts).encode(), digest_size=20).hexdigest()


def _code(code: Code) -> str:
    numbers = [float(x).hex() for x in code.numbers]
    calls = [(function.name, arguments) for function, arguments in code.calls]
    labels = sorted((k, [(x.name, x.description) for x in v]) for k, v in code.labels.items())
    return repr((code.op, code.a, code.b, code.c, numbers, code.loads, code.tables, calls, code.stores, labels))
