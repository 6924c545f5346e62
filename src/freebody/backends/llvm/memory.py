"""Work memory of a compiled function: on the stack while it is small, else from the heap."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate

from freebody.backends.llvm.ir import Writer, constant, real
from freebody.backends.regions import ON_STACK

ALIGN = 64
"""Bytes: the widest vector. ``aligned_alloc`` wants a whole number of them."""

DECLARATIONS = (
    "declare noalias ptr @aligned_alloc(i64, i64) nounwind",
    "declare void @free(ptr) nounwind",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
)
"""What a module needs, once."""


def whole(size: int) -> int:
    """A number of doubles (or of vectors of them), rounded up so that what comes behind them is aligned too."""
    return -(-size // 8) * 8


@contextmanager
def memory(w: Writer, sizes: Sequence[int], width: int, lost: Callable[[], None]) -> Iterator[list[str]]:
    """Pointers to rooms for so many numbers each, for what is written inside; where there is no memory, ``lost`` is
    written instead."""
    T, total = real(width), sum(map(whole, sizes))
    if 8 * width * total <= ON_STACK:
        yield _cut(w, w.let(f"alloca {T}, i64 {total}, align {ALIGN}") if total else "null", sizes, T)
        return
    base = w.let(f"call ptr @aligned_alloc(i64 {ALIGN}, i64 {8 * width * total})")
    none = w.let(f"icmp eq ptr {base}, null")
    with w.when(w.let(f"xor i1 {none}, true")):
        yield _cut(w, base, sizes, T)
        w(f"call void @free(ptr {base})")
    with w.when(none):
        lost()


def _cut(w: Writer, base: str, sizes: Sequence[int], type_: str) -> list[str]:
    """One room behind the other."""
    starts = accumulate(map(whole, sizes), initial=0)
    return [w.element(base, start, type_) for start, _ in zip(starts, sizes, strict=False)]


def fill_with_nan(w: Writer, pointer: str, count: str | int, width: int) -> None:
    """So many numbers from the pointer on."""
    with w.loop(0, count) as k:
        w.store(constant(float("nan"), width), pointer, k, real(width), 8 * width)
