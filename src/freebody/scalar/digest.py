"""A program's fingerprint: equal for equal programs, in every process and under every hash seed."""

from dataclasses import astuple
from hashlib import blake2b

from freebody.scalar.code import Code
from freebody.scalar.program import Program, Region


def digest(program: Program) -> str:
    """40 hexadecimal digits over everything a backend may read; user functions count by name."""
    parts = [program.name, *(repr(astuple(b)) for b in program.buffers)]
    parts += [_region(r) for r in program.regions]
    return blake2b("\x00".join(parts).encode(), digest_size=20).hexdigest()


def _region(region: Region) -> str:
    codes = getattr(region, "codes", ())
    plain = {k: v for k, v in vars(region).items() if k not in ("code", "codes", "plan")}
    return "\x01".join([type(region).__name__, repr(plain), *map(_code, codes)])


def _code(code: Code) -> str:
    numbers = [x.hex() for x in code.numbers]
    calls = [(function.name, arguments) for function, arguments in code.calls]
    labels = sorted((k, [(x.name, x.description) for x in v]) for k, v in code.labels.items())
    return repr((code.op, code.a, code.b, code.c, numbers, code.loads, code.tables, calls, code.stores, labels))
