"""From LLVM IR as text to machine code in memory, with the cache of objects.

Passes run over the IR only on request: programs arrive small, and the code generator alone gives code as fast; what is
written with variables (`build.py`) needs them. Objects are position independent with the small code model,
2–5 % faster than "jitdefault" (which is the large one); they are linked by JITLink, which keeps a library's sections
together, so that nothing is out of reach (RuntimeDyld would abort there). Libraries share engines, 64 to one: 0.4 ms a
library where an engine of its own takes 1.4. (An engine keeps 7 kB of each library it has seen, even of those dropped.)

llvmlite and LLVM's native target are loaded at the first use.
"""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from typing import Any

from freebody.disk_cache import Cache, object_key
from freebody.errors import BackendError
from freebody.once import once

EMITTER = "1"
"""Raised when objects of older releases must no longer be loaded."""

SHARED = 64
"""Libraries in one engine."""

RELOC, MODEL = "pic", "small"
STANDARD = Cache()

_LIBM = {"win32": "ucrtbase", "darwin": "libm.dylib"}.get(sys.platform, "libm.so.6")
_HIDDEN = ("internal", "private", "appending", "available_externally")
_lock = threading.RLock()
_count = count()


@dataclass(frozen=True)
class Features:
    """The processor this process runs on: its name, its flags as LLVM writes them, and doubles in a vector register.

    The name alone is not enough: under a hypervisor a processor may lack instructions its name promises.
    """

    cpu: str
    flags: str
    width: int


@dataclass(frozen=True, eq=False)
class Library:
    """Machine code in memory. Addresses are valid as long as the library lives.

    `seconds` are the times of parsing (with verification), emitting and loading; the first two are 0 from the cache.
    """

    from_cache: bool
    seconds: dict[str, float]
    _tracker: Any = field(repr=False)  # one only: llvmlite unloads the code with the first of several that dies
    _engine: Any = field(repr=False)

    def address(self, name: str) -> int:
        """The address of the function or variable of that name."""
        try:
            return int(self._tracker[name])
        except KeyError:
            raise BackendError(f"the library defines no symbol {name!r} that is visible from outside") from None


def load(
    ir: str | Callable[[], str], *, level: int = 1, passes: bool = False, cache: Cache | None = STANDARD, key: str = ""
) -> Library:
    """Compile the text, or load what an earlier run compiled, and link it with this process and libm. A text that is a
    function is written only if nothing is stored under its ``key``, which must determine the text.

    With ``passes``, LLVM's optimisations run over it first. Definitions neither internal nor private get addresses;
    their names are stored with the object, because finding them in a long text takes as long as everything else.
    """
    write = partial(str, ir) if isinstance(ir, str) else ir
    entry = object_key(*settings(level, passes), key or write())
    stored = cache.get(entry) if cache else None
    seconds = {"parse": 0.0, "emit": 0.0}
    body = stored or _compile(write(), level, passes, seconds)
    if cache and not stored:
        cache.put(entry, body)
    start = time.perf_counter()
    names, _, code = body.partition(b"\0")
    builder = _binding().JITLibraryBuilder().add_object_img(code).add_current_process()
    for name in names.decode().split():
        builder.export_symbol(name)
    try:  # LLVM names missing symbols on standard error
        with _lock:
            number = next(_count)
            engine = _engine(number // SHARED)
            tracker = builder.link(engine, f"library {number}")
    except RuntimeError as error:
        raise BackendError(f"LLVM cannot link the compiled code: {error}") from error
    seconds["load"] = time.perf_counter() - start
    return Library(stored is not None, seconds, tracker, engine)


@once
def features() -> Features:
    """The features of the host; where LLVM does not know them, those that every machine of its kind has."""
    llvm = _binding()
    try:
        flags = llvm.get_host_cpu_features()
    except RuntimeError:
        return Features("generic", "", 2)
    width = 8 if flags.get("avx512f") else 4 if flags.get("avx") else 2
    return Features(llvm.get_host_cpu_name(), flags.flatten(), width)


@once
def _binding() -> Any:
    """llvmlite's binding, ready for this machine, with libm among the symbols of the process."""
    with _lock:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        with suppress(OSError):  # musl has libm inside libc
            ctypes.CDLL(_LIBM, mode=ctypes.RTLD_GLOBAL)
    return llvm


@once
def settings(level: int, passes: bool) -> tuple[object, ...]:
    """What decides the bytes of an object, or where it may run, besides the text it is compiled from."""
    import llvmlite

    llvm, host = _binding(), features()
    version = ".".join(map(str, llvm.llvm_version_info))
    emitter = f"{EMITTER} with passes" if passes else EMITTER
    triple = llvm.get_process_triple()
    return llvmlite.__version__, version, triple, host.cpu, host.flags, RELOC, MODEL, level, emitter


def _compile(ir: str, level: int, passes: bool, seconds: dict[str, float]) -> bytes:
    """The names that the text exports, a zero, and its object code.

    Each emission has its own target machine, so threads share nothing. The target stands before the first instruction,
    on the first line, so that line numbers stay. Verification is 2 % of the time, and without it a bad text may end the
    process. The passes are the usual ones without those that turn loops into vectors: what is to be a vector is written
    as one.
    """
    llvm, host = _binding(), features()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(cpu=host.cpu, features=host.flags, opt=level, reloc=RELOC, codemodel=MODEL)
    start = time.perf_counter()
    try:
        heading = f'target datalayout = "{machine.target_data}" target triple = "{machine.triple}" '
        module = llvm.parse_assembly(heading + ir)
        module.verify()
    except RuntimeError as error:
        raise BackendError(f"LLVM refuses the emitted text: {error}") from error
    parsed = time.perf_counter()
    if passes:
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    seconds.update(parse=parsed - start, emit=time.perf_counter() - parsed)
    symbols = (*module.functions, *module.global_variables)
    exports = [s.name for s in symbols if not s.is_declaration and s.linkage.name not in _HIDDEN]
    return "\n".join(exports).encode() + b"\0" + code


@lru_cache(1)
def _engine(number: int) -> Any:
    """One engine for many libraries: 1 ms less for each than with its own engine. It is freed with the last of them."""
    return _binding().create_lljit_compiler(use_jit_link=True)
