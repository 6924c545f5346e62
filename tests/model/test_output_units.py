"""Outputs have units: given ones are checked, others follow from what the output is; they reach all results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FreebodyError
from freebody.io import dumps, loads
from freebody.model.units import read_unit


def arm() -> fb.System:
    s = fb.System("arm")
    s.input("motor", "N·m")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.body("slider", on=upper, joint=fb.Prismatic("z"), mass=1)
    return s


def beam() -> fb.System:
    s, beam = fb.System("boom"), fb.Beam(length=2.0, EI=30.0, EA=1e5, GJ=10.0, density=1.0, polar_inertia=0.02)
    s.body("boom", joint=fb.Revolute("z"), flexible=beam, modes=2)
    return s


FOLLOWING: dict[str, Any] = {
    "coordinate": (lambda s: "q.upper", "rad"), "negative": (lambda s: "-q.slider", "m"),
    "difference": (lambda s: "u.slider - abs(u.slider)", "m/s"), "input": (lambda s: s.inputs["motor"], "N·m"),
    "acceleration": (lambda s: "u_dot.upper", "rad/s²"), "reaction": (lambda s: "reaction.upper.torque.x", "N·m"),
    "position": (lambda s: s.position("slider"), "m"), "velocity": (lambda s: s.velocity("slider"), "m/s"),
    "rate": (lambda s: s.derivative(s.position("slider")), "m/s"),
    "accelerations": (lambda s: s.acceleration("slider"), "m/s²"),
    "norm": (lambda s: s.velocity("slider").norm(), "m/s"),
    "ω": (lambda s: s.angular_velocity("upper"), "rad/s"), "α": (lambda s: s.angular_acceleration("upper"), "rad/s²"),
    "force": (lambda s: s.reaction_force("upper"), "N"), "torque": (lambda s: -s.reaction_torque("upper"), "N·m"),
    "component": (lambda s: s.position("slider").dot(s.ground.z), "m"),
    "resolved": (lambda s: s.velocity("slider").resolve(s.ground)[0], "m/s"),
    "distance": (lambda s: s.position("slider") - s.position("upper"), "m"),
    "along": (lambda s: s.bodies["upper"].q[0] * s.ground.x, "rad"),
    # not known: another unit is possible
    "degrees": (lambda s: "q.upper*180/pi", ""), "product": (lambda s: "motor*u.upper", ""),
    "mixed": (lambda s: "q.upper + q.slider", ""), "number": (lambda s: 3.0, ""),
    "sine": (lambda s: "sin(q.upper)", ""),
    "half": (lambda s: 0.5 * s.position("slider"), ""), "offset": (lambda s: "q.slider + 1", ""),
    "work": (lambda s: s.velocity("slider").dot(3 * s.ground.x), ""),
    "sums": (lambda s: s.position("slider") + s.velocity("slider"), ""),
}  # fmt: skip


@pytest.mark.parametrize("case", FOLLOWING)
def test_units_follow_from_what_an_output_is(case: str) -> None:
    """Also after the system was written to a file; never where a number may change the unit."""
    s, (value, unit) = arm(), FOLLOWING[case]
    s.output("a", value(s))
    assert s.outputs["a"].unit == unit
    again = loads(dumps(s), fb.System)
    assert again.outputs["a"].unit == unit and again.digest() == s.digest()


def test_sections_of_beams_have_units() -> None:
    s = beam()
    s.output("moment", s.section_forces("boom", 0.0).moment_z)
    s.output("shear", s.section_forces("boom", 0.0).shear_y)
    s.output("strain", s.strain("boom", 0.0, (0.1, 0)))
    assert [o.unit for o in s.outputs.values()] == ["N·m", "N", ""]


def test_a_given_unit_counts() -> None:
    s = arm()
    s.output("angle", "q.upper*180/pi", unit="deg")
    s.output("bare", "q.upper", unit="")
    s.output("power", "motor*u.upper", unit="N*m/s")
    assert [o.unit for o in s.outputs.values()] == ["deg", "", "N·m/s"]
    text = dumps(s)
    assert "unit: deg" in text and "bare: {value: q.upper, unit: ''}" in text
    assert [o.unit for o in loads(text, fb.System).outputs.values()] == ["deg", "", "N·m/s"]
    other = arm()
    for name, output in s.outputs.items():
        other.output(name, str(output.value), unit="" if name == "angle" else output.unit)
    assert other.digest() != s.digest()


def test_units_in_files() -> None:
    text = """
bodies: {arm: {joint: hinge, mass: 1, com: [0, 0, -1]}}
outputs:
  tip: {position: {body: arm, at: [0, 0, -1]}}
  far: {norm: {velocity: arm}}
  swing: {value: q.arm*180/pi, unit: deg}
  push: {value: [{in: arm, xyz: [1, 0, 0]}, {in: ground, xyz: [0, 0, 2]}], unit: N}
  angle: q.arm
"""
    s = loads(text, fb.System)
    assert {n: o.unit for n, o in s.outputs.items()} == {
        "tip": "m",
        "far": "m/s",
        "swing": "deg",
        "push": "N",
        "angle": "rad",
    }


@pytest.mark.parametrize(
    ("text", "unit"),
    [("N*m", "N·m"), ("m/s^2", "m/s²"), ("m/s**2", "m/s²"), ("kg m^2", "kg·m²"), ("rad / s", "rad/s"), ("1/s", "1/s"),
     ("J/(kg*K)", "J/(kg·K)"), ("μm", "µm"), ("s^-1", "s⁻¹"), ("%", "%"), ("°C/s", "°C/s"), ("m·√kg", "m·√kg"),
     ("rpm", "rpm"), ("", ""), (" kN ", "kN"), ("mm", "mm"), ("min", "min"),
     ("m/s2", "m/s²"), ("kg m2", "kg·m²"), ("m3/s", "m³/s"), ("s-1", "s⁻¹")],
)  # fmt: skip
def test_units_are_written_in_one_way(text: str, unit: str) -> None:
    assert read_unit(text) == unit == read_unit(unit)


@pytest.mark.parametrize(
    ("text", "hint"),
    [("Nm", "Did you mean N·m"), ("newtons", "Did you mean N?"), ("m/s22", "or m/s²?"), ("KN", "mean kN?"),
     ("degrees", "Did you mean deg?"), ("mm/sec", "Did you mean mm/s?"), ("N//m", "Did you mean N/m"), ("(m", "mean m"),
     ("furlong", r"Units are those of the SI, such as N·m \(or N\*m\)"), ("N*", "mean N"), ("m" * 5000, "Units are")],
)  # fmt: skip
def test_unknown_units_are_refused(text: str, hint: str) -> None:
    with pytest.raises(FreebodyError, match=r"outputs\.a\.unit: '.{1,60}' is not a unit\. .*" + hint):
        arm().output("a", 1.0, unit=text)
    if len(text) < 100:
        with pytest.raises(FreebodyError, match=r"<text>:1:32: outputs\.a\.unit: '.*' is not a unit\. .*" + hint):
            loads(f"outputs: {{a: {{value: 1, unit:  {text!r}}}}}", fb.System)


@pytest.mark.parametrize("text", ["a*" * 9999 + "a", "(" * 9999, "m/" * 9999, "m^" + "9" * 9999])
def test_long_texts_are_no_units(text: str) -> None:
    with pytest.raises(FreebodyError, match=r"'.{60}' is not a unit\. Units are those of the SI"):
        read_unit(text)


def test_a_unit_is_text() -> None:
    with pytest.raises(FreebodyError, match=r"outputs\.a\.unit: text is needed, not the number 5"):
        arm().output("a", 1.0, unit=5)  # type: ignore[arg-type]
    with pytest.raises(FreebodyError, match=r"outputs\.a: the key 'value' is missing"):
        loads("outputs: {a: {unit: N}}", fb.System)
    with pytest.raises(FreebodyError, match=r"<text>:1:22: outputs\.a\.value: 'x' is not declared"):
        loads("outputs: {a: {value: x, unit: N}}", fb.System)


@pytest.mark.slow
def test_units_reach_all_results(tmp_path: Path) -> None:
    s = arm()
    s.output("tip", s.position("slider"))
    s.output("swing", "q.upper*180/pi", unit="deg")
    run = s.simulate(np.linspace(0, 0.1, 3), q={"upper": 0.5}, inputs={"motor": 0})
    assert (run.variables["output.tip"].unit, run.variables["output.swing"].unit) == ("m", "deg")
    data = run.to_xarray()
    assert (data["output.tip"].attrs["units"], data["output.swing"].attrs["units"]) == ("m", "deg")
    assert run.to_pandas().attrs["units"]["output.tip.x"] == "m"
    for suffix in ("nc", "parquet"):
        loaded = fb.Trajectory.load(run.save(tmp_path / f"run.{suffix}"))
        assert loaded.variables["output.swing"].unit == "deg" and loaded.variables["output.tip"].unit == "m"
    assert "output.swing [deg]" in run.save(tmp_path / "run.csv").read_text().splitlines()[0]
    assert [ax.get_ylabel() for ax in run.plot("tip", "swing").axes] == ["position [m]", "angle [deg]"]
    assert '<td class="unit">deg</td>' in run.report(tmp_path / "run.html").read_text()
    units = {series.key: series.unit for series in run._scene(()).series}
    assert units["output.tip.x"] == "m" and units["output.swing"] == "deg"
    outputs = next(t for t in s.derive().roadmap() if t.title == "Outputs")
    assert outputs.rows == (("tip", "vector", "m"), ("swing", "scalar", "deg"))
    sweep = s.sweep(np.linspace(0, 0.1, 3), {"q.upper": [0.1, 0.2]}, inputs={"motor": 0}, record=["output"])
    assert sweep["output.swing"].attrs["units"] == "deg"
