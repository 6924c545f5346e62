"""Regions as LLVM functions: a block, a scan's loop over its steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.backends.llvm.helpers import Helpers
from freebody.backends.llvm.ir import Writer, attributes, define, global_integers
from freebody.backends.llvm.straight import Straight
from freebody.backends.regions import stride, touched
from freebody.program.code import Code
from freebody.program.program import Block, Scan
from freebody.scalar.ops import COS, SIN


@dataclass(frozen=True)
class Target:
    """What is compiled for: lanes per number, lanes of the machine's vectors, buffers that all lanes share."""

    width: int
    vector: int
    uniform: frozenset[str] = frozenset()

    def attributes(self, codes: Sequence[Code]) -> str:
        """Scalar code keeps its angles in vectors, so it needs the stack and registers of vectors too."""
        trigonometry = any(op in (SIN, COS) for code in codes for op in code.op)
        return attributes(self.width if self.width > 1 else min(self.vector, 4) if trigonometry else 1)


def arguments(buffers: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Pointer arguments for these buffers: the text for a signature, and each buffer's value."""
    names = {b: f"%p{k}" for k, b in enumerate(buffers)}
    return ", ".join(f"ptr noalias {n}" for n in names.values()), names


def block(
    name: str, region: Block, target: Target, helpers: Helpers, linkage: str = "internal",
    buffers: Sequence[str] | None = None,
) -> str:  # fmt: skip
    """The function of a block, of the buffers it touches or of those given."""
    signature, pointers = arguments(touched(region) if buffers is None else buffers)
    w = Writer()
    Straight(w, helpers, region.code, target.width, target.vector, pointers, {}, target.uniform).write()
    return define(f"{linkage} void @{name}({signature})", w, f"noinline {target.attributes(region.codes)}")


def scan(name: str, region: Scan, target: Target, helpers: Helpers) -> str:
    """The functions of a scan: one for each kind of body, and the loop that calls them."""
    buffers = touched(region)
    tables = [_row_table(f"{name}.row{r}", rows) for r, rows in enumerate(region.rows)]
    kernels = [_kernel(name, k, region, buffers, target, helpers) for k in range(len(region.codes))]
    return "\n".join([*filter(None, tables), *kernels, _loop(name, region, buffers)])


def _row_table(name: str, rows: Sequence[int]) -> str:
    return global_integers(name, rows) if stride(rows) is None else ""


def _row(w: Writer, name: str, rows: Sequence[int]) -> str:
    """Where an index points at this step: computed if evenly spaced, looked up otherwise."""
    step = stride(rows)
    if step is None:
        return w.load(f"@{name}", "%step", "i64")
    return w.let(f"add i64 {w.let(f'mul i64 %step, {step}')}, {rows[0]}")


def _kernel(name: str, kind: int, region: Scan, buffers: list[str], target: Target, helpers: Helpers) -> str:
    signature, pointers = arguments(buffers)
    w, code = Writer(), region.codes[kind]
    used = {a.row for a in (*code.loads, *(s.to for s in code.stores)) if a.row >= 0}
    rows = {r: _row(w, f"{name}.row{r}", region.rows[r]) for r in sorted(used)}
    Straight(w, helpers, code, target.width, target.vector, pointers, rows, target.uniform).write()
    function = f"internal void @{name}.kind{kind}({signature}, i64 %step)"
    return define(function, w, f"noinline {target.attributes([code])}")


def _loop(name: str, region: Scan, buffers: list[str]) -> str:
    signature, pointers = arguments(buffers)
    passed = ", ".join(f"ptr {p}" for p in pointers.values())
    table = "" if len(region.codes) == 1 else global_integers(f"{name}.kinds", region.kinds) + "\n"
    w = Writer()
    with w.loop(0, region.steps) as step:
        if not table:
            w(f"call void @{name}.kind0({passed}, i64 {step})")
        else:
            _switch(w, name, len(region.codes), f"{passed}, i64 {step}", w.load(f"@{name}.kinds", step, "i64"))
    return table + define(f"internal void @{name}({signature})", w, "noinline nounwind")


def _switch(w: Writer, name: str, kinds: int, passed: str, kind: str) -> None:
    """Call the function of this kind."""
    label = w.name("kind")
    cases = " ".join(f"i64 {k}, label %{label}.{k}" for k in range(1, kinds))
    w(f"switch i64 {kind}, label %{label}.0 [ {cases} ]")
    for k in range(kinds):
        w.label(f"{label}.{k}")
        w(f"call void @{name}.kind{k}({passed})")
        w(f"br label %{label}.end")
    w.label(f"{label}.end")
