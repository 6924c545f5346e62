"""A program's fingerprint: equal for equal programs, in every process and under every hash seed."""

from dataclasses import astuple, fields
from hashlib import blake2b

from freebody.scalar.code import Code
from freebody.scalar.program import Group, Output, Program, Region, Work


def digest(program: Program) -> str:
    """40 hexadecimal digits over everything a backend may read; user functions count by name."""
    parts = [program.name, *(_buffer(b) for b in program.buffers)]
    parts += [_region(r) for r in program.regions]
    return blake2b("\x00".join(parts).encode(), digest_size=20).hexdigest()


def _buffer(buffer: Group | Output | Work) -> str:
    """Tables with their numbers; other work buffers have none to tell."""
    plain = astuple(buffer)
    return repr(plain[:-1] if isinstance(buffer, Work) and not buffer.table else plain)


def _region(region: Region) -> str:
    codes = getattr(region, "codes", ())
    plain = {f.name: getattr(region, f.name) for f in fields(region) if f.name not in ("code", "codes")}
    return "\x01".join([type(region).__name__, repr(plain), *map(_code, codes)])


def _code(code: Code) -> str:
    numbers = [float(x).hex() for x in code.numbers]
    calls = [(function.name, arguments) for function, arguments in code.calls]
    labels = sorted((k, [(x.name, x.description) for x in v]) for k, v in code.labels.items())
    return repr((code.op, code.a, code.b, code.c, numbers, code.loads, code.tables, calls, code.stores, labels))
