"""Reading by libraries that a damaged file may end, or hold up for ever: in a child process with limits of time and
memory. What the child has read comes back as arrays, whose sizes are checked.

The child runs one file of Python, which imports nothing of freebody, so that it starts quickly.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from freebody.array_files import Named, read_arrays
from freebody.errors import FileError

SECONDS = 10.0
"""Time of the processor that every file may take."""
RATE = 2 * 2**20
"""Bytes of a file for which there is another second."""
PATIENCE = 10.0
"""How many times as long the clock may run, where the machine does other work."""
MEMORY = 4 * 2**30
"""Bytes of memory that every file may take."""
FACTOR = 30
"""Bytes of memory for each byte of a file beyond that."""
ARRAYS = 100_000
"""Arrays of one file."""

CHILD = """
import contextlib, io, os, runpy, sys
script, result, memory, seconds, *arguments = sys.argv[1:]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, OSError, ValueError):
    pass
import warnings
import numpy as np
warnings.simplefilter("ignore")
out = io.StringIO()
with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), np.errstate(all="ignore"):
    try:
        read = runpy.run_path(script)["read"]
        arrays = read(*arguments)
    except MemoryError:
        arrays = {"failure": np.array("it needs more memory than a file of its size may take")}
    except ImportError as error:
        arrays = {"failure": np.array(f"the library {error.name} is needed and not installed")}
    except BaseException as error:
        kind = type(error)
        text = str(error) if kind.__name__.startswith("Unreadable") else f"its contents are damaged ({kind.__name__})"
        arrays = {"failure": np.array(text[:500])}
with open(result, "wb") as file:
    np.savez(file, allow_pickle=False, **arrays)
"""


def read_guarded(
    script: Path, file: Path, arguments: Sequence[str], largest: int, failure: str = "it cannot be read"
) -> Named:
    """What the function ``read`` of a script returns for the arguments: arrays by name, at most ``largest`` bytes of
    them. A reader that crashes, takes too long or needs too much memory is a FileError about the ``file``; so is an
    error that it raises, whose text is shown only if the name of its class begins with ``Unreadable``. ``failure``
    begins the message."""
    size = file.stat().st_size
    seconds, memory = SECONDS + size / RATE, MEMORY + FACTOR * size
    program = [sys.executable, "-P", "-c", CHILD, str(script)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    with TemporaryDirectory(prefix="freebody-") as folder:
        result = Path(folder, "arrays.npz")
        try:
            done = subprocess.run(
                [*program, str(result), str(memory), str(round(seconds)), *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE * seconds,
            )
        except subprocess.TimeoutExpired:
            raise FileError(f"{failure}: {_too_long(seconds)}", str(file)) from None
        except OSError as error:
            raise FileError(f"{failure}: no Python could be started for it ({error})", str(file)) from None
        if not result.is_file() or done.returncode:
            raise FileError(f"{failure}: {_why_ended(done.returncode, seconds)}", str(file))
        arrays = read_arrays(result, largest, ARRAYS)
    if "failure" in arrays:
        raise FileError(f"{failure}: {arrays['failure']}", str(file))
    return arrays


def _too_long(seconds: float) -> str:
    return f"reading it did not end in {seconds:.0f} s; the file is damaged"


def _why_ended(code: int, seconds: float) -> str:
    """Why a child without a result ended; on POSIX a negative code is the signal that ended it."""
    if sys.platform != "win32":
        import signal

        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return _too_long(seconds)
    return f"the library that reads it crashed (code {code}); the file is damaged"
