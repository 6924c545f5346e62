"""Runs in files: all numbers and names are preserved exactly, and other files are refused with a clear message."""

import csv
import importlib.util
import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pytest
import xarray

from freebody.errors import ArgumentError, FileError
from freebody.extras import install_command
from freebody.results import About, BodyInfo, ConstraintInfo, RunResult, Variable, files
from freebody.results.files import distinct, safe
from freebody.results.seal import sealed
from tests.results.runs import HOSTILE, SPRING, ball, hostile, spring

T = np.linspace(0.0, 3.0, 31)
FORMS = ["classic.nc", "hdf5.nc", "run.parquet"]
HDF5 = all(importlib.util.find_spec(name) for name in ("h5netcdf", "h5py"))


@pytest.fixture(params=FORMS)
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of each format, including both kinds of NetCDF."""
    if request.param == "hdf5.nc" and not HDF5:
        pytest.skip("h5netcdf with h5py is not installed")
    if request.param == "classic.nc":
        monkeypatch.setattr(files, "_has_hdf5", lambda: False)
    return tmp_path / str(request.param)


def bits(values: np.ndarray) -> tuple[object, ...]:
    return values.shape, values.dtype, values.tobytes()


def same(a: RunResult, b: RunResult) -> bool:
    """Assert that two runs are equal, numbers bit by bit."""
    assert (a.about, a.statistics, a.status, a.message) == (b.about, b.statistics, b.status, b.message)
    assert a.events.names == b.events.names
    for x, y in ((a.t, b.t), (a.x, b.x), (a.events.t, b.events.t), (a.events.index, b.events.index)):
        assert bits(x) == bits(y)
    for name in ("t", "x", "x_dot"):
        assert bits(getattr(a.knots, name)) == bits(getattr(b.knots, name))
    if len(a.events):
        assert bits(a.events.before) == bits(b.events.before) and bits(a.events.after) == bits(b.events.after)
    for key in ["x_dot", *a]:
        assert key in a.about.state or bits(a.recorded[key]) == bits(b.recorded[key])
        assert key not in a.sides or key in a.about.state or bits(a.sides[key]) == bits(b.sides[key])
    return True


def odd() -> RunResult:
    """Signed zeros, NaN, the smallest and the largest numbers."""
    run = spring(T)
    speed = run["output.speed"].copy()
    speed[:7] = [-0.0, np.nan, np.inf, -np.inf, 5e-324, np.finfo(float).max, np.pi]
    return RunResult(SPRING, T, run.x, recorded={**run.recorded, "output.speed": speed})


def still() -> RunResult:
    """A system whose motions are all prescribed has no state."""
    about = About("still", "", (), (Variable("q", "arm", "rad"),), ())
    return RunResult(about, T, np.empty((31, 0)), recorded={"q.arm": np.sin(T), "x_dot": np.empty((31, 0))})


def bare() -> RunResult:
    """A run whose states are not among its variables."""
    return RunResult(replace(SPRING, variables=()), T, spring(T).x)


def stepped() -> RunResult:
    """Step ends at other times than the rows, some of them twice."""
    return spring(T, np.sort(np.append(np.linspace(0.0, 3.0, 9), [1.0, 1.0])))


RUNS: dict[str, Callable[[], RunResult]] = {
    "spring": lambda: spring(T), "ball": lambda: ball(T), "hostile": hostile, "odd": odd, "bare": bare,
    "empty": lambda: spring(T[:0]), "one": lambda: ball(T[3:4]), "still": still, "steps": stepped,
}  # fmt: skip


@pytest.mark.parametrize("make", RUNS.values(), ids=RUNS)
def test_loaded_runs_are_bitwise_identical(make: Callable[[], RunResult], path: Path) -> None:
    run = make()
    assert run.save(path) == path
    again = RunResult.load(path)
    if make is not bare and make is not still:
        assert same(run, again)
    assert bits(run.x) == bits(again.x) and run.about == again.about
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    again.save(path)
    assert bits(RunResult.load(path).x) == bits(run.x)


def test_subclasses_load_as_themselves(path: Path) -> None:
    class Mine(RunResult):
        pass

    assert type(Mine.load(spring(T).save(path))) is Mine


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("count", [100, 1000])
def test_runs_of_many_bodies_load(path: Path, count: int) -> None:
    """Metadata of hundreds of kilobytes, and more variables than are written as HDF5."""
    names = [f"body {k}" for k in range(count)]
    variables = tuple(Variable("q", n, "rad", f"the angle of {n}") for n in names)
    elements = tuple(BodyInfo(n, "ground", "revolute", (n,), (n,), (), 1.0) for n in names)
    parameters = {f"parameter {k}": k / 7 for k in range(5000)}
    about = About("many", "", elements, variables, tuple(v.key for v in variables), (), parameters)
    x = np.random.default_rng(0).normal(size=(2, count))
    run = RunResult(about, T[:2], x, recorded={"x_dot": 2 * x})
    again = RunResult.load(run.save(path))
    assert again.about == about and bits(again.x) == bits(run.x)
    assert bits(again.recorded["x_dot"]) == bits(2 * x)


# Other readers


def test_datasets_have_units_components_and_keys() -> None:
    seen = ball(T).to_xarray()
    assert seen["q.ball"].dims == ("time",) and seen["q.ball"].attrs["units"] == "m"
    assert seen.time.attrs == {"units": "s", "long_name": "time"}
    assert list(seen.event_name.values) == ["floor"] * 6 and seen.event_before.dims == ("event", "state")
    drop = seen["jump.energy.total"].sel(side="after") / seen["jump.energy.total"].sel(side="before")
    assert np.allclose(drop, 0.64)
    tip = spring(T).to_xarray()["output.tip"]
    assert tip.dims == ("time", "axis") and tip.attrs["long_name"] == "the tip"
    assert np.array_equal(tip.sel(axis="y"), np.cos(T) ** 2)
    assert json.loads(seen.attrs["freebody"])["about"] == ball(T).about.to_plain()
    assert (seen.attrs["status"], seen.attrs["message"]) == (0, "reached the end")


def test_datasets_contain_the_step_ends() -> None:
    seen = stepped().to_xarray()
    assert seen.knot_time.dims == ("knot",) and seen.knot_x.dims == seen.knot_x_dot.dims == ("knot", "state")
    assert np.array_equal(seen.knot_x.sel(state="q.mass"), np.cos(seen.knot_time))
    assert "knot_time" not in spring(T).to_xarray() and "knot_time" not in stepped().to_pandas()


def test_files_with_inconsistent_steps_are_refused(tmp_path: Path) -> None:
    seen = stepped().to_xarray().drop_vars("knot_x")
    seen.to_netcdf(tmp_path / "run.nc", engine="scipy")
    with pytest.raises(FileError, match=r"'x' \(knot\) is missing, where \(11, 9\) is needed"):
        RunResult.load(tmp_path / "run.nc")


def test_files_can_be_read_by_other_libraries(path: Path) -> None:
    spring(T).save(path)
    if path.suffix == ".nc":
        with xarray.open_dataset(path) as seen:
            assert np.array_equal(seen["q.mass"], np.cos(T)) and seen["q.mass"].attrs["key"] == "q.mass"
            assert seen["pose.top"].dims == ("time", "place")
    else:
        frame = pandas.read_parquet(path)
        assert frame.index.name == "time" and np.array_equal(frame["q.mass"], np.cos(T))


def test_datasets_written_by_xarray_load(tmp_path: Path) -> None:
    run = ball(T)
    run.to_xarray().to_netcdf(tmp_path / "own.nc", engine="scipy")
    assert same(run, RunResult.load(tmp_path / "own.nc"))


def test_tables_have_a_column_for_each_number() -> None:
    frame = spring(T).to_pandas()
    assert frame.shape == (31, 25) and frame.index.name == "time"
    assert np.array_equal(frame["output.tip.y"], np.cos(T) ** 2)
    assert frame.attrs["units"]["u.mass"] == "m/s" and frame.attrs["system"] == "spring & spin"


def test_equal_column_names_are_made_unique() -> None:
    about = About("twins", "", (), (Variable("output", "a", "", "", ("x",)), Variable("output", "a.x")), ())
    recorded = {"output.a": np.ones((31, 1)), "output.a.x": np.zeros(31), "x_dot": np.empty((31, 0))}
    frame = RunResult(about, T, np.empty((31, 0)), recorded=recorded).to_pandas()
    assert list(frame.columns) == ["output.a.x", "output.a.x_2"] and frame["output.a.x_2"].sum() == 0


@pytest.mark.parametrize("make", [lambda: spring(T), hostile, odd], ids=["spring", "hostile", "odd"])
def test_csv_files_contain_every_digit(make: Callable[[], RunResult], tmp_path: Path) -> None:
    run = make()
    with run.save(tmp_path / "run.CSV").open(newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    assert header[0] == "time [s]" and len(rows) == len(run) and len(header) == 1 + run.to_pandas().shape[1]
    values = np.array([[float(v or "nan") for v in row] for row in rows])
    assert np.array_equal(values[:, 0], run.t)
    assert np.array_equal(values[:, 1:], run.to_pandas().to_numpy(), equal_nan=True)
    if len(run) == 31:
        assert header[1] == "q.mass [m]" and header[2] == "q.top.qw"


def test_names_are_made_safe() -> None:
    assert [safe(n) for n in ("q.upper", "q.e/boom", "q.θ", "u.Ω̇", ".", "")] == [
        "q.upper",
        "q.e_boom",
        "q.theta",
        "u.Omega_",
        "_.",
        "_",
    ]
    assert all(safe(n).isascii() and len(safe(n)) <= 121 for n in HOSTILE)
    assert distinct(["a", "a", "a_2", "b"], ["b"]) == ["a", "a_2", "a_2_2", "b_2"]


# Refused files


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"run\.xlsx: a run is written as \.nc, \.parquet, \.csv, not as '\.xlsx'"):
        spring(T).save(tmp_path / "run.xlsx")
    with pytest.raises(FileError, match=r"CSV keeps the numbers alone; a run is loaded from \.nc or \.parquet"):
        RunResult.load(tmp_path / "run.csv")
    with pytest.raises(FileError, match=r"there is no such file"):
        RunResult.load(tmp_path / "run.nc")


def test_unwritable_paths_are_refused(tmp_path: Path, path: Path) -> None:
    with pytest.raises(FileError, match=r"it cannot be written: there is no folder .*nowhere; create it first"):
        spring(T).save(tmp_path / "nowhere" / path.name)
    (tmp_path / path.name).mkdir()
    with pytest.raises(FileError, match="it cannot be written: it is a folder; add a file name"):
        spring(T).save(path)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_failed_saves_keep_the_old_file(path: Path) -> None:
    spring(T).save(path)
    before = path.read_bytes()
    run = RunResult(SPRING, T, spring(T).x, recorded={"x_dot": spring(T).recorded["x_dot"]})
    with pytest.raises(ArgumentError, match=r"'u_dot\.mass' is listed as a variable, but was not recorded"):
        run.save(path)
    assert path.read_bytes() == before and len(list(path.parent.iterdir())) == 1


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spring(T).save(tmp_path / "run.parquet")
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    needed = "Parquet needs pyarrow: " + re.escape(install_command("parquet"))
    with pytest.raises(ArgumentError, match=needed):
        spring(T).save(tmp_path / "run.parquet")
    with pytest.raises(FileError, match=needed):
        RunResult.load(tmp_path / "run.parquet")


def test_without_h5py_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run.nc").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    monkeypatch.setattr(files, "_has_hdf5", lambda: False)
    needed = "it is NetCDF 4, which needs .*: " + re.escape(install_command("netcdf"))
    with pytest.raises(FileError, match=needed):
        RunResult.load(tmp_path / "run.nc")


def test_files_of_other_programs_are_refused(tmp_path: Path) -> None:
    xarray.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "a.nc", engine="scipy")
    with pytest.raises(FileError, match="it is NetCDF, but holds no run of freebody; open it with xarray"):
        RunResult.load(tmp_path / "a.nc")
    pandas.DataFrame({"a": [1.0]}).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(FileError, match="it is Parquet, but holds no run of freebody; open it with pandas"):
        RunResult.load(tmp_path / "a.parquet")


NONSENSE = [b"", b"CDF\x01", b"PAR1", b"\x89HDF\r\n\x1a\n", b"once upon a time" * 99, bytes(4096)]


@pytest.mark.parametrize("content", NONSENSE)
@pytest.mark.parametrize("suffix", [".nc", ".parquet"])
def test_random_bytes_are_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    (tmp_path / f"run{suffix}").write_bytes(content)
    with pytest.raises(FileError, match=r"no run can be loaded from it: \w"):
        RunResult.load(tmp_path / f"run{suffix}")


@pytest.mark.slow
def test_truncated_files_are_refused(path: Path) -> None:
    whole = ball(T).save(path).read_bytes()
    for cut in np.linspace(0, len(whole) - 100, 5).astype(int):  # the last bytes are those of the seal
        path.write_bytes(whole[:cut])
        with pytest.raises(FileError):
            RunResult.load(path)


def test_corrupted_files_raise_a_clear_error_or_load(path: Path) -> None:
    whole, rng = ball(T).save(path).read_bytes(), np.random.default_rng(5)
    for _ in range(60 if path.name != "hdf5.nc" else 10):
        changed = bytearray(whole)
        for k in rng.integers(0, min(len(whole), 4000), 3):
            changed[k] = rng.integers(0, 256)
        path.write_bytes(changed)
        with suppress(FileError):
            assert isinstance(RunResult.load(path), RunResult)


def test_too_large_files_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spring(T).save(path)
    monkeypatch.setattr(files, "LARGEST", 1000)
    with pytest.raises(FileError, match=r"take 0\.0 GiB; open it with xarray or pandas and choose a part"):
        RunResult.load(path)


def test_too_long_metadata_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spring(T).save(path)
    monkeypatch.setattr(files, "LONGEST", 100)
    with pytest.raises(FileError, match="characters of metadata, more than the 100 that are read"):
        RunResult.load(path)


def edited(run: RunResult, change: dict[str, object]) -> str:
    return json.dumps(json.loads(files.facts(run)) | change)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"format": 3}, "it was written by another version of freebody"),
        ({"events": []}, "events are numbered 0 to 0, but 0 have a name"),
        ({"events": [1]}, r"its facts: events\.0: Input should be a valid string"),
        ({"message": None}, "message: Input should be a valid string"),
        ({"statistics": {"steps": "many"}}, r"statistics\.steps: Input should be a valid integer"),
        ({"about": []}, "about: Input should be a dictionary or an instance of About"),
        ({"about": ball(T).about.to_plain() | {"state": ["q.ball"]}}, r"has the shape \(31, 2\), where \(31, 1\)"),
        ({"about": ball(T).about.to_plain() | {"state": ["q.ball", "q.x"]}}, r"'q\.x' \(series\) is missing"),
    ],
)
def test_inconsistent_metadata_is_refused(tmp_path: Path, change: dict[str, object], text: str) -> None:
    seen = ball(T).to_xarray().assign_attrs(freebody=edited(ball(T), change))
    (tmp_path / "run.nc").write_bytes(sealed(bytes(seen.to_netcdf(None, engine="scipy"))))
    with pytest.raises(FileError, match=text):
        RunResult.load(tmp_path / "run.nc")


@pytest.mark.parametrize(("key", "parts"), [
    ("q.mass", ["x"]), ("u.mass", ["x", "y", "z"]), ("energy.total", ["x"]), ("pose.top", ["x", "y", "z"]),
    ("pose.top", []),
])  # fmt: skip
def test_variables_have_the_parts_of_their_group(key: str, parts: list[str]) -> None:
    known = json.loads(files.facts(spring(T)))
    variable = next(v for v in known["about"]["variables"] if f"{v['group']}.{v['name']}" == key)
    variable["parts"] = parts
    with pytest.raises(ValueError, match=rf"its facts: the variable '{key}' cannot have {len(parts)} parts"):
        files.read_facts(json.dumps(known))


def test_folders_of_meshes_are_neither_written_to_files_nor_taken_from_them() -> None:
    """A file must not choose the folders from which meshes are read."""
    run, mesh = ball(T), {"kind": "mesh", "file": "a.stl", "folders": ["/home"]}
    shapes = mesh, {"kind": "group", "parts": [mesh]}
    for shape, kept in zip(shapes, ({"kind": "mesh", "file": "a.stl"},) * 2, strict=True):
        run.about = replace(run.about, elements=(replace(run.about.elements[0], shape=shape),))
        assert "folders" not in files.facts(run) and "folders" not in json.dumps(run.about.to_plain())
        known = json.loads(files.facts(run))
        known["about"]["elements"][0]["shape"] = shape
        seen = files.read_facts(json.dumps(known)).about.elements[0].shape
        assert seen is not None and (seen if shape is mesh else seen["parts"][0]) == kept


@pytest.mark.parametrize("engine", ["scipy", "h5netcdf"])
def test_files_of_the_first_version_load(tmp_path: Path, engine: str) -> None:
    """Bodies have `tied` in the first version of the format, `coupled` today."""
    run = ball(T)
    run.about = replace(run.about, elements=(replace(run.about.elements[0], coupled="2*q.a"),))
    known = json.loads(files.facts(run))
    for element in known["about"]["elements"]:
        element["tied"] = element.pop("coupled")
    old = run.to_xarray().assign_attrs(freebody=json.dumps(known | {"format": 1}))
    old.to_netcdf(tmp_path / "run.nc", engine=engine)
    seen = RunResult.load(tmp_path / "run.nc")
    assert seen.about == run.about and np.array_equal(seen.x, run.x)


@pytest.mark.parametrize("engine", ["scipy", "h5netcdf"])
def test_constraints_are_saved_and_files_without_them_load(tmp_path: Path, engine: str) -> None:
    run = ball(T)
    pin = ConstraintInfo("pin", "close", "revolute", ("ball", "ground"), (), ("pin.force.x",), {"pin.force.y": "why"})
    gear = ConstraintInfo("gear", "expression", expressions=("q.a - 2*q.b",), multipliers=("gear",))
    run.about = replace(run.about, constraints=(pin, gear))
    run.to_xarray().to_netcdf(tmp_path / "run.nc", engine=engine)
    assert RunResult.load(tmp_path / "run.nc").about == run.about
    known = json.loads(files.facts(run))
    del known["about"]["constraints"]
    run.to_xarray().assign_attrs(freebody=json.dumps(known)).to_netcdf(tmp_path / "old.nc", engine=engine)
    old = RunResult.load(tmp_path / "old.nc")
    assert old.about == replace(run.about, constraints=()) and np.array_equal(old.x, run.x)


def test_deeply_nested_metadata_is_refused(tmp_path: Path) -> None:
    seen = ball(T).to_xarray().assign_attrs(freebody="[" * 100_000)
    seen.to_netcdf(tmp_path / "run.nc", engine="scipy")
    with pytest.raises(FileError, match="no run can be loaded"):
        RunResult.load(tmp_path / "run.nc")
