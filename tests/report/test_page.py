"""The report of a run: its contents match the run and its equations, and it is one self-contained file."""

import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError
from freebody.printing import mathml
from freebody.program.count import count
from freebody.program.program import Program
from freebody.report import formulas
from freebody.report.page import CHANGING, PLOTTED, page_of_model, page_of_run, warnings
from freebody.results import About, RunResult, Variable
from freebody.viewer.panels import chart
from freebody.viewer.scene_of_run import with_works
from tests.formulations.test_constraints import four_bar
from tests.printing.mathml_reader import leaf, read
from tests.report.html_reader import Page, harmless, pictures, rows
from tests.results.runs import ball, spring

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))


def arm() -> fb.System:
    s = fb.System("double pendulum")
    m, l = s.parameters(m=1.0, l=0.5)
    s.parameter("k", 20.0, "N/m", "stiffness of the spring")
    s.input("motor", "N·m", "torque on the lower link")
    rod = fb.rod(m, l, "z")
    upper = s.body("upper", joint=fb.Revolute("y", limits=(-0.2, 0.35)), mass=m, com=(0, 0, -l / 2), inertia=rod)
    lower = s.body("lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=rod)
    s.spring(upper.point((0, 0, -l)), s.ground.point((1, 0, 0)), stiffness="k", free_length=0.2, name="band")
    s.joint_force(lower, "motor", name="drive")
    s.state("heat", "motor**2", unit="J", description="what the motor loses")
    s.output("tip", s.position(lower.point((0, 0, -l))))
    return s


@pytest.fixture(scope="module")
def run() -> fb.Trajectory:
    events = [
        fb.Event("q.lower", name="straight"),
        fb.Event("t - 0.5", name="kick", reset={"u.upper": "u.upper + 1"}),
    ]
    with pytest.warns(match="leaves its limits"):
        return arm().simulate(
            np.linspace(0, 2, 201),
            q={"upper": 0.3},
            inputs={"motor": "0.2*sin(3*t)"},
            parameters={"k": 15.0},
            events=events,
        )


@pytest.fixture(scope="module")
def text(run: fb.Trajectory, tmp_path_factory: pytest.TempPathFactory) -> str:
    return run.report(tmp_path_factory.mktemp("page") / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one figure, for tests that do not look at figures."""
    monkeypatch.setattr("freebody.report.page.PLOTTED", {"q": "Coordinates"})


def test_page_is_self_contained_and_has_no_scripts_but_the_viewer(page: Page) -> None:
    harmless(page)
    policy = next(page.root.all("meta")).attributes, list(page.root.all("meta"))[1].attributes
    assert policy[0] == {"charset": "utf-8"} and policy[1]["http-equiv"] == "Content-Security-Policy"
    assert policy[1]["content"].startswith("default-src 'none'; script-src 'sha256-")
    assert "runs one script" in next(page.root.all("footer")).text


def test_page_without_a_picture_has_no_scripts(run: fb.Trajectory, few: None) -> None:
    page = Page(page_of_run(run))
    harmless(page)
    assert not list(page.root.all("script", "noscript")) and "runs nothing" in next(page.root.all("footer")).text
    policy = list(page.root.all("meta"))[1].attributes["content"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")


def test_table_of_contents_links_to_every_section(page: Page) -> None:
    sections = [s.attributes["id"] for s in page.root.all("section")]
    assert [a.attributes["href"][1:] for a in page.root.all("a")] == sections
    assert sections == [
        "view",
        "summary",
        "system",
        "motion",
        "events",
        "inputs",
        "equations",
        "cost",
        "roadmap",
        "record",
    ]


def test_summary_describes_the_run(run: fb.Trajectory, page: Page) -> None:
    pairs = [d.children for d in page.section("summary").all("div") if len(d.children) == 2]
    entries = {term.text: value.text for term, value in pairs}
    assert entries["status"] == "reached the end"
    assert entries["method"] == "dop853" and entries["degrees of freedom"] == "2" and entries["extra states"] == "1"
    assert entries["steps"].startswith(f"{run.statistics.steps:,}") and entries["times"] == "201, from 0 to 2 s"
    assert run.energy_balance is not None and run.energy_error < 1e-6
    assert entries["energy error"] == run.energy_balance.text(run.t[-1])
    assert entries["cost of u̇"] == f"{arm().derive().operations['forward_dynamics'].total} operations"
    assert "coordinate 'upper' leaves its limits -0.2 … 0.35 at t = " in page.section("summary").text


def test_states_are_listed_with_start_end_and_range(run: fb.Trajectory, page: Page) -> None:
    table = list(page.section("motion").all("table"))[-1]
    ranges = {row[0]: [float(x.replace("−", "-")) for x in row[2:]] for row in rows(table)}
    assert list(ranges) == list(run.about.state)
    for k, key in enumerate(run.about.state):
        x = run.x[:, k]
        assert np.allclose(ranges[key], [x[0], x[-1], x.min(), x.max()], rtol=1e-3)


def test_events_are_listed_with_times_and_changes(run: fb.Trajectory, page: Page) -> None:
    listed = rows(next(page.section("events").all("table")))
    assert [(round(float(t), 6), name) for t, name, _ in listed] == [(round(t, 6), name) for t, name in run.events]
    (kick,) = (changed for _, name, changed in listed if name == "kick")
    before, after = (float(x.replace("−", "-")) for x in re.findall(r"[−\d.e]+", kick.partition("from")[2]))
    assert kick.startswith("u.upper from") and np.isclose(after - before, 1, atol=2e-3)
    assert {changed for _, name, changed in listed if name == "straight"} == {"nothing changes"}


def test_events_are_listed_with_what_they_switch_and_end() -> None:
    s = fb.System("floor")
    stone = s.body("stone", joint=fb.Prismatic("z"), mass=2.0)
    s.point_on_plane(stone, name="contact", engaged=False)
    touch = fb.Event("q.stone", direction=-1, engage="contact", name="touch")
    late = fb.Event("t - 1", terminal=True, name="late")
    page = Page(page_of_run(s.simulate(2.0, q={"stone": 1.0}, events=[touch, late])))
    (_, first, did), (_, last, ended) = rows(next(page.section("events").all("table")))
    assert (first, last, ended) == ("touch", "late", "ends the run")
    assert did.startswith("engages contact, ") and "u.stone from −4.429 to 0" in did


def test_inputs_and_parameters_are_listed(page: Page) -> None:
    assert rows(next(page.section("inputs").all("table"))) == [
        ["motor", "N·m", "torque on the lower link", "0.2*sin(3*t)"]
    ]
    parameters = {row[0]: row[1:] for t in page.section("roadmap").all("table") for row in rows(t) if len(row) == 5}
    assert parameters["k"] == ["15", "20", "N/m", "stiffness of the spring"]
    assert parameters["m"][:2] == ["1", ""]


def test_tree_is_drawn_and_listed(page: Page) -> None:
    system = page.section("system")
    assert {"upper", "lower"} <= {t.text for t in system.all("text")}
    (table,) = system.all("table")
    assert rows(table) == [
        ["upper", "ground", "revolute", "0", "0", "m"],
        ["lower", "upper", "revolute", "1", "1", "m"],
    ]


def test_every_group_is_plotted(page: Page) -> None:
    words = [i.attributes["alt"] for i in page.section("motion").all("img")]
    assert [w.split(" over")[0] for w in words] == [
        "Coordinates",
        "Speeds",
        "States",
        "Outputs",
        "Energies",
        "Inputs",
        "Loads",
        "Works",
        "Powers",
        "Momenta",
    ]
    assert len(list(pictures(page))) == len(words)
    plots = [n for n in page.section("motion").all("div") if n.attributes.get("class") == "fb-plot"]
    assert [[i.attributes["alt"] for i in plot.all("img")] for plot in plots] == [[w] for w in words]


def test_plots_have_the_panels_of_pictures(run: fb.Trajectory, page: Page) -> None:
    """All curves of a group by panel; the scene has each of them, with the size of its rounding errors."""
    (element,) = (n for n in page.root.all("div") if n.attributes.get("class") == "fb-view")
    scenes = {n.attributes["id"] for n in page.root.all("script") if "id" in n.attributes}
    assert scenes == {"fb-code", element.attributes["data-scene"]}
    plots = [n.attributes for n in page.root.all("div") if n.attributes.get("class") == "fb-plot"]
    assert {a["data-scene"] for a in plots} == {element.attributes["data-scene"]}
    series = {s.key: s for s in with_works(run._scene(()), run).series}
    for (group, _), attributes in zip(PLOTTED.items(), plots, strict=True):
        keys = json.loads(attributes["data-keys"])
        names = [v.key for v in run.about.variables if v.group == group]
        changing = [n for n in names if group not in CHANGING or np.ptp(run[n], axis=0).any()]
        assert keys == [[c.key for c in panel.curves] for panel in chart(run, changing, ()).panels]
        assert all(key in series for several in keys for key in several)
    largest = max(1.0, np.abs([run["q.upper"], run["q.lower"]]).max())
    assert series["q.upper"].smallest == pytest.approx(4e-12 * largest, abs=0) and series["energy.total"].smallest > 0


def test_costs_match_the_equations(page: Page) -> None:
    eq = arm().derive()
    counts = {row[0]: row[2:6] for row in rows(next(page.section("cost").all("table")))}
    assert set(counts) >= {"forward_dynamics", "inverse_dynamics", "mass_matrix", "outputs", "reactions"}
    for name, numbers in counts.items():
        ops = eq.operations[name]
        assert [int(n.replace(",", "")) for n in numbers] == [ops.total, ops.mul, ops.add, ops.div]


def test_page_is_deterministic(run: fb.Trajectory, text: str) -> None:
    e = run.equations
    assert e is not None
    assert page_of_run(run, e.derivation, e.values, with_works(run._scene(()), run)) == text


# The equations


def listings(text: str) -> dict[str, str]:
    """The collapsible listings by title."""
    found = re.findall(r"<details.*?><summary>(.*?) <span.*?</summary>\n<div.*?>(.*?)</div></details>", text, re.DOTALL)
    return dict(found)


@pytest.mark.parametrize("name", ["arm", "satellite"])
def test_listed_equations_match_the_compiled_ones(name: str) -> None:
    """Evaluated line by line, the listings give q̇, M, f and u̇ of a random state."""
    import satellite

    s = arm() if name == "arm" else satellite.system()
    eq = s.derive()
    text = listings(formulas.equations(eq.derivation))
    rng, layout, f = np.random.default_rng(7), eq.derivation.layout, eq.compile("numpy")
    given = {
        "q": rng.normal(size=len(layout.q)),
        "u": rng.normal(size=len(layout.u)),
        "tau": rng.normal(size=len(layout.u)),
        "inputs": rng.normal(size=len(layout.inputs)),
    }
    known = {leaf(n): v for n, v in eq.values.items()}
    for letter in ("q", "u", "tau"):
        names = layout.q if letter == "q" else layout.u
        known |= {leaf(f"{letter}.{n}"): float(v) for n, v in zip(names, given[letter], strict=True)}
    known |= {leaf(n): float(v) for n, v in zip(layout.inputs, given["inputs"], strict=True)}
    q, u, inputs = given["q"], given["u"], given["inputs"]
    rates = read(text["Kinematics"], dict(known))
    assert np.allclose([rates[leaf(f"q_dot[{k}]")] for k in range(len(q))], f.q_dot(q, u), rtol=1e-12)
    forces = read(text["Forces"], dict(known))
    found = [forces[leaf(f"f[{k}]")] for k in range(len(u))]
    assert np.allclose(found, f.bias(q, u, inputs=inputs), rtol=1e-10, atol=1e-10)
    mass, M = read(text["Mass matrix"], dict(known)), f.mass_matrix(q)
    for i in range(len(u)):
        for j in range(i + 1):
            assert np.isclose(mass.get(leaf(f"M[{i},{j}]"), 0.0), M[i, j], rtol=1e-12, atol=1e-10)
    moved_by = read(text["Forward dynamics"], dict(known))
    found = [moved_by[leaf(f"u_dot[{k}]")] for k in range(len(u))]
    assert np.allclose(found, f.forward_dynamics(q, u, given["tau"], inputs=inputs), rtol=1e-9, atol=1e-10)


def test_listed_programs_match_the_operation_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The listings are those of the compiled programs; operations per call and per parameter set add up to the table
    of costs."""
    listed: list[Program] = []
    emit = mathml.emit

    def record(program: Program, *arguments: Any) -> str:
        listed.append(program)
        return emit(program, *arguments)

    monkeypatch.setattr(mathml, "emit", record)
    e = arm().derive().derivation
    text = formulas.equations(e)
    titles = dict(re.findall(r"<summary>([\w ]+) <span[^>]*>(.*?)</span></summary>", text))
    names = {
        "Kinematics": "q_dot",
        "Mass matrix": "mass_matrix",
        "Forces": "bias",
        "Outputs": "outputs",
        "Forward dynamics": "forward_dynamics",
    }
    costs = {row[0]: (row[2], row[7]) for row in rows(next(Page(formulas.costs(e)).root.all("table")))}
    assert list(titles) == ["Kinematics", "Mass matrix", "Forces", "States", "Outputs", "Forward dynamics"]
    for (title, heading), program in zip(titles.items(), listed, strict=True):
        each, once = re.search(r"· ([\d,]+) operations(?: and ([\d,]+) once per parameter set)?$", heading).groups("0")  # type: ignore[union-attr]
        assert int(each) + int(once) == count(program).total
        if title in names:
            assert program is e.programs[names[title]] and costs[names[title]] == (each, once)


def test_long_listings_are_truncated_and_very_long_ones_omitted(monkeypatch: pytest.MonkeyPatch) -> None:
    e = arm().derive().derivation
    monkeypatch.setattr(formulas, "LINES", 3)
    assert "more lines are not shown here" in formulas.equations(e)
    monkeypatch.setattr(formulas, "LARGEST", 10)
    text = formulas.equations(e)
    assert "More than 10 operations are not listed here" in text


def test_pages_of_large_systems_are_small() -> None:
    """With 45 bodies, the pattern of M is not drawn and listings are truncated."""
    s = fb.System("chain")
    last = None
    for k in range(45):
        last = s.body(f"link{k}", on=last, at=(0, 0, -1 if k else 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5))
    text = page_of_model(s.derive().derivation, {}, (), ())
    assert len(text) < 1e6 and "more lines are not shown here" in text and 'class="pattern"' not in text
    harmless(Page(text))


# Other runs


@pytest.mark.usefixtures("few")
def test_loaded_runs_have_a_page_without_equations(run: fb.Trajectory, tmp_path: Path) -> None:
    loaded = fb.Trajectory.load(run.save(tmp_path / "run.nc"))
    assert loaded.equations is None
    page = Page(loaded.report(tmp_path / "report.html").read_text(encoding="utf-8"))
    harmless(page)
    assert "loaded from a file" in page.section("equations").text
    assert not list(page.section("equations").all("math"))
    assert [s.attributes["id"] for s in page.root.all("section")] == [
        "view",
        "summary",
        "system",
        "motion",
        "events",
        "inputs",
        "equations",
        "roadmap",
        "record",
    ]
    assert run.about.digest in page.section("record").text


def test_runs_at_other_times_keep_their_equations(run: fb.Trajectory) -> None:
    assert run.at(np.linspace(0.6, 1.0, 5)).equations is run.equations


def test_pickled_runs_have_a_page_without_equations(run: fb.Trajectory) -> None:
    sent = pickle.loads(pickle.dumps(run))
    assert sent.equations is None and np.array_equal(sent.x, run.x)
    assert np.array_equal(sent["energy.total"], run["energy.total"])


@pytest.mark.usefixtures("few")
def test_page_of_a_failed_run_starts_with_the_reason() -> None:
    t = np.linspace(0, 1, 5)
    run = ball(t)
    run.status, run.message = -1, "at t = 1 s the run could not go on"
    page = Page(page_of_run(run))
    box = next(d for d in page.section("summary").all("div") if d.attributes.get("class") == "warnings")
    assert box.text == "at t = 1 s the run could not go on"
    assert "status bad" in [s.attributes.get("class") for s in page.section("summary").all("span")]


def test_page_warns_of_values_that_are_not_finite() -> None:
    run = ball(np.linspace(0, 0.4, 5))
    run.x[-1, 1] = np.nan
    assert warnings(run) == ["u.ball: not finite at some times"]


def test_empty_runs_have_a_page() -> None:
    page = Page(page_of_run(spring(np.empty(0))))
    harmless(page)
    assert "Nothing was saved" in page.section("motion").text


def test_models_have_a_page_without_a_run(tmp_path: Path) -> None:
    page = Page(arm().report(tmp_path / "model.html").read_text(encoding="utf-8"))
    harmless(page)
    found = [s.attributes["id"] for s in page.root.all("section")]
    assert found == ["view", "summary", "system", "equations", "cost", "roadmap"]
    assert [n.attributes["data-scene"] for n in page.section("view").all("div")] == ["fb-scene-1"]
    assert arm().digest() in page.section("summary").text


def test_diagram_of_a_system_shows_its_bodies() -> None:
    svg = arm().diagram().svg
    assert ">upper<" in svg and ">lower<" in svg


def test_invalid_paths_are_refused(run: fb.Trajectory, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a page is written as \.html, \.htm, not as '\.pdf'"):
        run.report(tmp_path / "report.pdf")
    with pytest.raises(FileError, match=r"there is no folder .*absent; create it first"):
        run.report(tmp_path / "absent" / "report.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(FileError, match="it is a folder; add a file name"):
        run.report(tmp_path / "folder.html")


# Constraints


def test_pages_show_constraints(tmp_path: Path, few: None) -> None:
    """Of a model, of a run, and of a run from a file: the loop in the diagram, the table, and the freedoms left."""
    s, q = four_bar()
    s.constrain("q.crank - q.rocker", name="parallel")
    run = s.simulate(0.02, q=dict(zip(("crank", "coupler", "rocker"), q, strict=True)))
    assert [c.name for c in run.about.constraints] == ["pin", "parallel"]
    run.save(tmp_path / "run.nc")
    texts = [(s.report(tmp_path / "model.html")).read_text(), run.report(tmp_path / "run.html").read_text()]
    texts.append(fb.Trajectory.load(tmp_path / "run.nc").report(tmp_path / "file.html").read_text())
    for text in texts:
        page = Page(text)
        harmless(page)
        entries = {
            d.children[0].text: d.children[1].text for d in page.section("summary").all("div") if len(d.children) == 2
        }
        assert entries["degrees of freedom"] == "1 (3 speeds, 2 independent equations of constraints)"
        assert "pin · revolute" in page.section("system").text
        shown = page.section("roadmap").text
        assert "Constraints" in shown and "pin.force.x" in shown and "coupler, rocker" in shown


def test_rounding_errors_are_named_below_the_plots() -> None:
    t = np.linspace(0, 1, 11)
    variables = (Variable("q", "a", "rad"), Variable("q", "slide", "m"))
    about = About("flat", "", (), variables, ("q.a", "q.slide"))
    page = Page(page_of_run(RunResult(about, t, np.stack([3e-17 * t, t], axis=1))))
    (caption,) = page.section("motion").all("figcaption")
    assert caption.text == "zero to rounding: q.a (3e-17 rad)"
