"""Reading in a child process ends, whatever the library that reads does, and is an error that names the file."""

from pathlib import Path

import numpy as np
import pytest

from freebody import guarded_read
from freebody.errors import FileError

SCRIPT = """
import ctypes, os
import numpy as np
class Unreadable(Exception):
    pass
def read(path, what):
    if what == "loop":
        while True:
            pass
    if what == "crash":
        os.abort()
    if what == "memory":
        return {"x": np.ones(10**13)}
    if what == "raise":
        raise KeyError("secret text of the file")
    if what == "refuse":
        raise Unreadable("it is of another kind")
    if what == "exit":
        raise SystemExit(3)
    if what == "missing":
        import no_such_library
    print("a line that nobody sees")
    return {"x": np.arange(3.0), "text": np.array("abc")}
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(guarded_read, "SECONDS", 1.0)
    (tmp_path / "file.x").write_bytes(b"abc")
    (tmp_path / "reader.py").write_text(SCRIPT)
    return tmp_path / "reader.py"


def test_arrays_come_back_from_a_child(script: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = script.with_name("file.x")
    arrays = guarded_read.read_guarded(script, file, [str(file), "read"], 10**6)
    assert np.array_equal(arrays["x"], [0, 1, 2]) and str(arrays["text"]) == "abc"
    assert capfd.readouterr() == ("", "")
    with pytest.raises(FileError, match=r"its arrays have .* bytes; at most 100 are read"):
        guarded_read.read_guarded(script, file, [str(file), "read"], 100)


@pytest.mark.slow
@pytest.mark.parametrize(("what", "message"), [
    ("loop", r"reading it did not end in 1 s; the file is damaged"),
    ("crash", r"the library that reads it crashed \(code -6\); the file is damaged"),
    ("memory", r"it needs more memory than a file of its size may take"),
    ("raise", r"its contents are damaged \(KeyError\)$"), ("exit", r"its contents are damaged \(SystemExit\)$"),
    ("refuse", r"it is of another kind$"), ("missing", r"the library no_such_library is needed and not installed"),
])  # fmt: skip
def test_whatever_a_reader_does_is_an_error_with_the_file(script: Path, what: str, message: str) -> None:
    file = script.with_name("file.x")
    with pytest.raises(FileError, match=rf"file\.x: it cannot be read: {message}"):
        guarded_read.read_guarded(script, file, [str(file), what], 10**6)
