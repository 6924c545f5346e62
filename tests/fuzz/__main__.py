"""``python -m tests.fuzz FOLDER COUNT SECONDS PATTERN`` reads COUNT mutated files of each format whose name matches the
pattern, and prints as JSON by format how many were read, refused and too slow, and what else happened. It runs in a
process of its own, which a reader may crash: the last line of FOLDER/log then names the file.
"""

import json
import os
import re
import signal
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from freebody.errors import FileWarning, FreebodyError
from tests.fuzz.formats import Format, finite_element_mesh, formats
from tests.fuzz.mutations import mutated

MEMORY = 6 * 2**30


class TooSlow(BaseException):
    pass


def fuzz(form: Format, folder: Path, count: int, seconds: float, log: Any) -> dict[str, Any]:
    """The outcomes of the mutated files of a format."""
    outcome: dict[str, Any] = {"read": 0, "refused": 0, "slow": [], "wrong": []}
    path = folder / f"file{form.suffix}"
    for seed in range(-1, count):
        rng = np.random.default_rng([zlib.crc32(form.name.encode()), seed + 1])
        path.write_bytes(mutated(form.data, rng) if seed >= 0 else form.data)
        log.write(f"{form.name} {seed}\n")
        log.flush()
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            form.read(path)
            outcome["read"] += 1
        except FreebodyError as error:
            outcome["refused"] += 1
            if seed < 0:
                outcome["wrong"].append([seed, "the valid file is refused", str(error)])
        except TooSlow:
            outcome["slow"].append(seed)
        except BaseException as error:
            outcome["wrong"].append([seed, type(error).__name__, str(error)[:200]])
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return outcome


def main() -> None:
    import resource

    folder, count, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.environ["FREEBODY_CACHE"] = "off"

    def alarm(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, alarm)
    results = {}
    chosen = [form for form in formats(folder) if re.fullmatch(sys.argv[4], form.name)]
    warnings.simplefilter("error")  # no warning of NumPy reaches the user
    warnings.simplefilter("ignore", FileWarning)
    with (folder / "log").open("w") as log:
        for form in chosen:
            with warnings.catch_warnings():
                if form.read is finite_element_mesh:
                    warnings.simplefilter("ignore")  # the child process shows none
                results[form.name] = fuzz(form, folder, count, seconds, log)
    print(json.dumps(results))


main()
