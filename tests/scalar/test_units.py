"""Numbers with units: errors show the number in SI units that is to be written."""

from fractions import Fraction
from math import pi

import pytest

import freebody as fb
from freebody.errors import FieldError, FileError, ParseError
from freebody.io import loads
from freebody.model.units import unit_of
from freebody.scalar.units import UNITS, in_si, to_si


@pytest.mark.parametrize(("unit", "factor", "si"), [
    ("N/mm", Fraction(1000), "N/m"), ("deg", pi / 180, "rad"), ("rpm", pi / 30, "rad/s"),
    ("1/min", Fraction(1, 60), "1/s"),
    ("kg/m3", Fraction(1), "kg/m^3"), ("kg/m³", Fraction(1), "kg/m^3"), ("g/cm^3", Fraction(1000), "kg/m^3"),
    ("N*mm", Fraction(1, 1000), "N·m"), ("N·m/deg", 180 / pi, "N·m/rad"), ("km/h", Fraction(5, 18), "m/s"),
    ("mm^2", Fraction(1, 10**6), "m^2"), ("mm²", Fraction(1, 10**6), "m^2"), ("N m", Fraction(1), "N·m"),
    ("lbf", Fraction("4.4482216152605"), "N"), ("kW", Fraction(1000), "W"),
])  # fmt: skip
def test_units_are_converted_exactly(unit: str, factor: Fraction | float, si: str) -> None:
    converted = to_si(unit)
    assert converted is not None and converted[1] == si
    assert converted[0] == factor if isinstance(factor, Fraction) else converted[0] == pytest.approx(factor, rel=1e-15)


def test_a_unit_times_its_inverse_is_one() -> None:
    for unit in UNITS:
        one = to_si(f"{unit}/{unit}")
        assert one is not None and one[0] == pytest.approx(1, rel=1e-15)


def test_other_texts_are_no_units() -> None:
    for text in ("", "%", "apples", "N/apple", "m/", "1", "C", "m^x", "m^99999999"):
        assert to_si(text) is None or to_si(text) == (1, "1"), text


@pytest.mark.parametrize(("text", "hint"), [
    ("10 N/mm", "numbers are in SI units and written without a unit; 10 N/mm = 10000 N/m: write 10000"),
    ("90 deg", "90 deg = 1.5707963267948966 rad: write 1.5707963267948966 or 90*pi/180"),
    ("30°", "write 0.5235987755982988 or 30*pi/180"), ("3 rpm", "3 rpm = 0.3141592653589793 rad/s: write 0.31"),
    ("7850 kg/m3", "7850 kg/m3 = 7850 kg/m^3: write 7850"), ("5 kg", "written without a unit: write 5"),
    ("2*mm", "'mm' is not declared. If a unit, 1 mm = 0.001 m is meant: numbers are in SI units and written"),
    ("2*kg", "'kg' is not declared. If a unit of SI is meant: numbers are in SI units and written without a unit"),
])  # fmt: skip
def test_texts_with_units_get_the_number_to_write(text: str, hint: str) -> None:
    with pytest.raises(ParseError) as error:
        fb.System().body("a", mass=text)
    assert hint in str(error.value) and str(error.value).startswith("bodies.a.mass: ")
    with pytest.raises(FileError) as wrong:
        loads(f"bodies: {{a: {{mass: {text}}}}}", fb.System)
    assert hint in str(wrong.value)


def test_other_errors_of_texts_stay() -> None:
    with pytest.raises(ParseError, match="inf cannot be part of an expression"):
        fb.System().body("a", mass="1e999999999 m")
    with pytest.raises(ParseError, match="an operator is missing before 'apples'"):
        fb.System().body("a", mass="5 apples")
    with pytest.raises(ParseError, match=r"'g' is not declared\. Only numbers"):
        fb.System().body("a", mass="5*g")


def test_declared_units_are_those_of_si() -> None:
    s = fb.System()
    text = r"values are in SI units, and nothing is converted: 1 N/mm = 1000 N/m\. Give the value in N/m;"
    with pytest.raises(FieldError, match=rf"^parameters\.k\.unit: {text}"):
        s.parameter("k", 10, unit="N/mm")
    with pytest.raises(FieldError, match=r"^inputs\.w\.unit: .* 1 rpm = 0\.10471975511965977 rad/s"):
        s.input("w", unit="rpm")
    with pytest.raises(FieldError, match=r"^states\.x\.unit: .* 1 deg = 0\.0174"):
        s.state("x", "-x", unit="deg")
    with pytest.raises(FileError, match=r"parameters\.k\.unit: .* 1 N/mm = 1000 N/m"):
        loads("parameters: {k: {value: 10, unit: N/mm}}", fb.System)
    units = {"kg/m3": "kg/m³", "N m": "N·m", "kg·m²": "kg·m²", "m/s2": "m/s²", "C": "C", "%": "%", "": ""}
    for k, (unit, written) in enumerate(units.items()):
        assert unit_of(s.parameter(f"p{k}", 1.0, unit=unit)) == written
    with pytest.raises(FieldError, match=r"^parameters\.price\.unit: 'EUR' is not a unit\. Units are those of the SI"):
        s.parameter("price", 1.0, unit="EUR")
    assert in_si(10, "N/mm") == "10000 N/m"
