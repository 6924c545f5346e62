"""The object cache returns what was stored, or nothing, whatever happens to its files, writers and disk."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from freebody import disk_cache as module
from freebody.backends.llvm import jit
from freebody.disk_cache import Cache, object_key

SETTINGS = ("0.50.0", "22.1.0", "x86_64-unknown-linux-gnu", "znver4", "+avx,+avx2", "pic", "jitdefault", 1, "1")
KEY = object_key(*SETTINGS, "define void @f() { ret void }")
BODY = random.Random(0).randbytes(5000)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "objects")


def entry(cache: Cache, key: bytes = KEY) -> Path:
    assert cache.root is not None
    return cache.root / (key.hex() + ".fbo")


def partials(cache: Cache) -> list[Path]:
    assert cache.root is not None
    return sorted(cache.root.glob("*.fbo-partial"))


@pytest.mark.parametrize("k", range(len(SETTINGS)))
def test_each_setting_changes_the_key(k: int) -> None:
    changed = [f"{value}x" if i == k else value for i, value in enumerate(SETTINGS)]
    assert object_key(*changed, "text") != object_key(*SETTINGS, "text")


def test_key_depends_on_content_and_division_into_parts() -> None:
    assert object_key(*SETTINGS, "text") == object_key(*SETTINGS, "text") != object_key(*SETTINGS, "text ")
    assert object_key("ab", "c") != object_key("a", "bc") and object_key("1a", "b") != object_key("1", "ab")


def test_object_keys_depend_on_level_passes_and_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {jit.settings(level, passes) for level in (1, 2) for passes in (False, True)}
    host = jit.features()
    for other in (replace(host, cpu=host.cpu + "x"), replace(host, flags=host.flags + ",+x")):
        monkeypatch.setattr(jit, "features", lambda other=other: other)
        keys.add(jit.settings.__wrapped__(1, False))
    assert len(keys) == 6


def test_stored_objects_are_returned(cache: Cache) -> None:
    assert cache.get(KEY) is None
    cache.put(KEY, BODY)
    assert cache.get(KEY) == BODY
    cache.put(KEY, b"")
    assert cache.get(KEY) == b""
    assert not partials(cache)


def test_named_pipes_are_misses(cache: Cache) -> None:
    """Reading does not wait for a writer, and the next entry replaces the pipe."""
    cache.put(KEY, BODY)
    entry(cache).unlink()
    os.mkfifo(entry(cache), 0o600)
    assert cache.get(KEY) is None
    cache.put(KEY, BODY)
    assert cache.get(KEY) == BODY and not partials(cache)


def damaged() -> dict[str, bytes]:
    """An entry damaged by other programs, crashes or other versions."""
    whole = module._HEADER.pack(module._MAGIC, KEY, len(BODY), module._checksum(BODY)) + BODY
    other = object_key("other")
    flips = {f"byte {at}": bytes([*whole[:at], whole[at] ^ 4, *whole[at + 1 :]]) for at in (0, 9, 40, 50, 200, 5000)}
    return flips | {
        "empty": b"",
        "half a header": whole[:30],
        "header only": whole[:80],
        "truncated": whole[:-1],
        "longer": whole + b"\0",
        "zeros": bytes(len(whole)),
        "noise": random.Random(1).randbytes(len(whole)),
        "another key's": module._HEADER.pack(module._MAGIC, other, len(BODY), module._checksum(BODY)) + BODY,
        "an absurd length": module._HEADER.pack(module._MAGIC, KEY, 2**63, module._checksum(BODY)) + BODY,
    }


@pytest.mark.parametrize("kind", damaged())
def test_damaged_entries_are_misses_and_are_replaced(cache: Cache, kind: str) -> None:
    cache.put(KEY, BODY)
    entry(cache).write_bytes(damaged()[kind])
    assert cache.get(KEY) is None
    cache.put(KEY, BODY)
    assert cache.get(KEY) == BODY


def test_directories_are_misses(cache: Cache) -> None:
    entry(cache).mkdir(parents=True)
    cache.put(KEY, BODY)
    assert cache.get(KEY) is None
    assert not partials(cache)


DYING_WRITER = """
import os, sys, time
from pathlib import Path
from freebody import disk_cache as cache
def stuck(*_):
    print("written", flush=True)
    time.sleep(60)
os.replace = stuck
cache.Cache(Path(sys.argv[1])).put(bytes.fromhex(sys.argv[2]), b"x" * 5000)
"""


def test_killed_writers_leave_no_entry_and_partial_files_are_removed_after_a_day(cache: Cache) -> None:
    command = [sys.executable, "-c", DYING_WRITER, str(cache.root), KEY.hex()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == "written\n"
        writer.send_signal(signal.SIGKILL)
    (rest,) = partials(cache)
    assert cache.get(KEY) is None
    cache.put(KEY, BODY)
    cache.sweep()
    assert cache.get(KEY) == BODY and rest.exists()
    os.utime(rest, (0, time.time() - module.DAY - 60))
    cache.sweep()
    assert cache.get(KEY) == BODY and not rest.exists()


LIMITED_WRITER = """
import resource, sys
from pathlib import Path
from freebody.disk_cache import Cache
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
cache = Cache(Path(sys.argv[1]))
cache.put(bytes(32), b"x" * 5000)
assert cache.get(bytes(32)) is None
cache.put(bytes(32), b"small")
assert cache.get(bytes(32)) == b"small"
"""


def test_incomplete_writes_leave_no_entry(cache: Cache) -> None:
    subprocess.run([sys.executable, "-c", LIMITED_WRITER, str(cache.root)], check=True)
    assert not partials(cache)


@pytest.mark.parametrize("call", ["mkstemp", "replace", "scandir", "utime"])
def test_disk_failures_raise_no_error(cache: Cache, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    cache.put(KEY, BODY)
    monkeypatch.setattr(module.tempfile if call == "mkstemp" else os, call, fail)
    other = object_key("other")
    cache.put(other, BODY)
    cache.sweep()
    assert cache.get(KEY) == BODY
    assert cache.get(other) == (None if call in ("mkstemp", "replace") else BODY)
    monkeypatch.undo()
    assert not partials(cache)


def test_folder_that_cannot_be_created_raises_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "objects")
    cache.put(KEY, BODY)
    cache.sweep()
    assert cache.get(KEY) is None


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may write anywhere")
def test_read_only_folders_can_be_read(cache: Cache) -> None:
    cache.put(KEY, BODY)
    cache.root.chmod(0o500)  # type: ignore[union-attr]
    cache.put(object_key("other"), BODY)
    assert cache.get(KEY) == BODY and cache.get(object_key("other")) is None
    cache.root.chmod(0o700)  # type: ignore[union-attr]


@pytest.mark.skipif(os.name != "posix", reason="mode bits are POSIX")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_folders_writable_by_others_are_refused(cache: Cache, mode: int) -> None:
    cache.put(KEY, BODY)
    cache.root.chmod(mode)  # type: ignore[union-attr]
    with pytest.warns(UserWarning, match=r"other users can write there.*chmod go-w"):
        assert cache.get(KEY) is None
    with pytest.warns(UserWarning, match="FREEBODY_CACHE"):
        cache.put(object_key("other"), BODY)
    assert not entry(cache, object_key("other")).exists()


@pytest.mark.skipif(os.name != "posix", reason="mode bits are POSIX")
def test_files_writable_by_others_are_misses_and_new_ones_are_private(cache: Cache) -> None:
    old = os.umask(0)
    try:
        cache.put(KEY, BODY)
    finally:
        os.umask(old)
    assert entry(cache).stat().st_mode & 0o077 == 0 and entry(cache).parent.stat().st_mode & 0o077 == 0
    entry(cache).chmod(0o666)
    assert cache.get(KEY) is None


def test_folder_is_chosen_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("FREEBODY_CACHE", raising=False)
    cache.put(KEY, BODY)
    assert (tmp_path / "xdg" / "freebody" / "objects" / (KEY.hex() + ".fbo")).exists()
    monkeypatch.setenv("FREEBODY_CACHE", str(tmp_path / "mine"))
    assert cache.get(KEY) is None
    cache.put(KEY, BODY)
    assert (tmp_path / "mine" / (KEY.hex() + ".fbo")).exists()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("FREEBODY_CACHE")
    cache.put(KEY, BODY)
    assert (tmp_path / "home" / ".cache" / "freebody" / "objects" / (KEY.hex() + ".fbo")).exists()


def test_cache_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("FREEBODY_CACHE", "off")
    Cache().put(KEY, BODY)
    Cache().sweep()
    assert Cache().get(KEY) is None and not list(tmp_path.iterdir())


def test_least_recently_used_entries_are_removed_and_other_files_stay(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=10 * 1080)
    keys = [object_key(str(n)) for n in range(10)]
    for age, key in enumerate(keys):
        cache.put(key, bytes(1000))
        os.utime(entry(cache, key), (0, 1e9 - age))
    stranger = tmp_path / "thesis.o"
    stranger.write_bytes(bytes(50_000))
    cache.sweep()
    assert all(entry(cache, key).exists() for key in keys), "the limit is not passed yet"
    assert cache.get(keys[9]) is not None, "reading makes it the newest"
    cache.put(object_key("one more"), bytes(1000))
    cache.sweep()
    kept = [n for n, key in enumerate(keys) if entry(cache, key).exists()]
    assert kept == [0, 1, 2, 3, 4, 9] and entry(cache, object_key("one more")).exists() and stranger.exists()


def test_size_limit_is_enforced_automatically(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=50 * 1080)
    for n in range(300):
        cache.put(object_key(str(n)), bytes(1000))
    assert len(list(tmp_path.iterdir())) <= 50 + module._SWEEP_EVERY
    assert cache.get(object_key("299")) is not None


HAMMER = """
import random, sys, time
from pathlib import Path
from freebody.disk_cache import Cache
cache, seed, end = Cache(Path(sys.argv[1]), limit=60_000), int(sys.argv[2]), time.time() + 2.0
random, hits = random.Random(seed), 0
keys = [bytes([n]) * 32 for n in range(4)]
bodies = [bytes([n]) * (3000 + 7000 * n) for n in range(4)]
while time.time() < end:
    n = random.randrange(4)
    got = cache.get(keys[n])
    assert got is None or got == bodies[n], f"wrong object for key {n}"
    hits += got is not None
    if got is None or random.random() < 0.1:
        cache.put(keys[n], bodies[n])
print(hits)
"""

VANDAL = """
import os, random, sys, time
from contextlib import suppress
from pathlib import Path
root, random, end = Path(sys.argv[1]), random.Random(0), time.time() + 2.0
while time.time() < end:
    for path in root.glob("*.fbo"):
        with suppress(OSError):
            data, at = bytearray(path.read_bytes()), random.random()
            trick = random.randrange(5)
            if trick == 0: os.truncate(path, int(at * len(data)))
            elif trick == 1: path.write_bytes(data[: int(at * len(data))])
            elif trick == 2: path.unlink()
            elif trick == 3: os.replace(path, random.choice(list(root.glob("*.fbo"))))
            elif data:
                with path.open("r+b") as file:
                    file.seek(int(at * len(data)))
                    file.write(bytes([data[int(at * len(data))] ^ 1]))
    time.sleep(0.001)
"""


def test_concurrent_writers_and_damage_never_give_a_wrong_object(cache: Cache) -> None:
    assert cache.root is not None
    cache.root.mkdir(mode=0o700)
    vandal = subprocess.Popen([sys.executable, "-c", VANDAL, str(cache.root)])
    hammers = [
        subprocess.Popen([sys.executable, "-c", HAMMER, str(cache.root), str(seed)], stdout=subprocess.PIPE, text=True)
        for seed in range(3)
    ]
    answers = [hammer.communicate()[0] for hammer in hammers]
    assert vandal.wait() == 0 and [hammer.returncode for hammer in hammers] == [0, 0, 0]
    assert all(int(answer) > 50 for answer in answers)
    assert not partials(cache)


def test_normal_use_emits_no_warnings(cache: Cache) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.put(KEY, BODY)
        cache.sweep()
        assert cache.get(KEY) == BODY
