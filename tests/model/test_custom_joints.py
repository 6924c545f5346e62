"""Joints defined by functions of their coordinates: equivalences, accepted forms, and refused arguments."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, ModelError
from freebody.io import dumps, loads


def hung(joint: Any, **parameters: float) -> fb.System:
    s = fb.System()
    s.parameters(**parameters)
    s.body("top", joint=joint, mass=2, com=(0.3, 0.1, -0.4), inertia=(0.3, 0.5, 0.7))
    return s


def rate(s: fb.System, q: list[float], u: list[float]) -> np.ndarray:
    return s.derive().compile("numpy").forward_dynamics(q, u)


CIRCLE = ("r*(1 - cos(s))", "-r*sin(s)", 0)  # of the origin, about the axis at (r, 0)


def test_circle_with_rotation_equals_a_shifted_hinge() -> None:
    found = hung(fb.Custom(CIRCLE, [("z", "s")]), r=0.7)
    wanted = hung(fb.Simple([0, 0, 1, 0, "-r", 0]), r=0.7)
    assert np.allclose(rate(found, [0.4], [1.3]), rate(wanted, [0.4], [1.3]), rtol=1e-12)


def test_texts_functions_expressions_and_matrices_are_equivalent() -> None:
    def turn(s: Any) -> Any:
        return [[fb.cos(s), -fb.sin(s), 0], [fb.sin(s), fb.cos(s), 0], [0, 0, 1]]

    made = [
        fb.Custom(CIRCLE, [("z", "s")]),
        fb.Custom(CIRCLE, lambda s: [("z", s)]),
        fb.Custom(CIRCLE, rotation=turn),
        fb.Custom(("r - c", "-r*sin(s)", 0), [("z", "s")], definitions={"c": "r*cos(s)"}),
    ]
    found = [rate(hung(joint, r=0.7), [0.4], [1.3]) for joint in made]
    assert all(np.allclose(f, found[0], rtol=1e-12) for f in found)


def test_suspension_defined_by_a_table() -> None:
    """Two coordinates, one of them through a table; the energy is conserved."""
    bump = fb.table("bump", [-1, -0.3, 0, 0.4, 1], [0.5, 0.1, 0, 0.2, 0.7], "cubic")
    names, units = ("x", "a"), ("m", "rad")
    s = hung(fb.Custom(lambda x, a: (x, 0, fb.lookup(bump, x)), [("y", "a")], coordinates=names, unit=units))
    assert [s.graph.symbols[s.graph.a[q.handle]].unit for q in s.bodies["top"].q] == ["m", "rad"]
    run = s.simulate(1.5, q={"top.x": 0.4, "top.a": 0.2}, rtol=1e-10, atol=1e-10)
    assert run.energy_error < 1e-6


def test_a_prescribed_rail_needs_the_force_of_its_drive() -> None:
    s = fb.System(gravity=(0, 0, 0))
    s.body("cart", joint=fb.Custom(("s", "s**2", 0), motion="sin(t)"), mass=2)
    s.body("arm", on="cart", joint=fb.Revolute("z"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))
    x, v, a = np.sin(0.3), np.cos(0.3), -np.sin(0.3)
    free = fb.System(gravity=(0, 0, 0))
    free.body("cart", joint=fb.BuildingBlock(("x", "y")), mass=2)
    free.body("arm", on="cart", joint=fb.Revolute("z"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))
    q, u, t = 0.4, 0.7, 0.3
    u_dot = s.derive().compile("numpy").forward_dynamics([q], [u], t=t)
    tau = (
        free.derive()
        .compile("numpy")
        .inverse_dynamics([x, x * x, q], [v, 2 * x * v, u], [a, 2 * v * v + 2 * x * a, u_dot[0]])
    )
    assert abs(tau[2]) < 1e-12
    drive = s.derive().compile("numpy").reactions([q], [u], u_dot, t=t)["cart.drive_force"]
    assert np.allclose(drive, tau[0] + 2 * x * tau[1], rtol=1e-12)


def test_wrong_functions_are_refused() -> None:
    with pytest.raises(ModelError, match="needs a position, turns or a rotation"):
        fb.Custom()
    with pytest.raises(ModelError, match="turns or a rotation, not both"):
        fb.Custom(turns=[("z", "s")], rotation=[[1, 0, 0]] * 3)
    with pytest.raises(ModelError, match="names of coordinates must be different identifiers; 's' is not"):
        fb.Custom(("s", 0, 0), coordinates=("s", "s"))
    with pytest.raises(ModelError, match=r"bodies.top.joint.position: a list of 3 is needed, not of 2"):
        hung(fb.Custom(("s", 0)))
    with pytest.raises(ModelError, match="coordinates and parameters only, not on t"):
        hung(fb.Custom(("s*t", 0, 0)))
    with pytest.raises(ModelError, match="rotation: it is not a rotation matrix where the coordinates are"):
        hung(fb.Custom(rotation=[[1, "s", 0], [0, 1, 0], [0, 0, 1]]))
    with pytest.raises(ModelError, match="2 coordinates need as many units, not 1"):
        hung(fb.Custom(("a", "b", 0), coordinates=("a", "b"), unit=("m",)))
    with pytest.raises(ModelError, match="pinocchio has no custom joint"):
        fb.layout(hung(fb.Custom(("s", 0, 0))), "pinocchio", ["top"])


def test_files_contain_functions_as_texts() -> None:
    """A coordinate may have the name of a parameter; long functions get their own definitions."""
    s = fb.System()
    r, k = s.parameters(s=2.0, k=0.3)

    def wave(s: Any) -> Any:
        x = s
        for _ in range(6):
            x = fb.sin(x * r + k) + fb.cos(x * k - r) * x
        return x, x * x, r * s

    s.body("top", joint=fb.Custom(wave, [((r, 1, 0), "s*k")]), mass=2, inertia=(1, 1, 1))
    text = dumps(s)
    again = loads(text, fb.System)
    assert again.digest() == s.digest() and "definitions:" in text
    assert np.allclose(rate(again, [0.4], [1.3]), rate(s, [0.4], [1.3]), rtol=1e-12)


BROKEN = {
    "{type: custom, position: [s, 0]}": "a list of 3 is needed",
    "{type: custom, position: [x, 0, 0]}": "'x' is not declared",
    "{type: custom, position: ['__import__(\"os\")', 0, 0]}": "has no meaning in an expression",
    "{type: custom, turns: [{axis: w, angle: s}]}": "'w' is not a direction",
    "{type: custom, position: [q.top, 0, 0]}": "not declared",
    "{type: simple, H: [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]}": "bracket of columns 1 and 2",
    "{type: simple, H: [0, 0, 1]}": "has 6 rows",
    "{type: simple, H: [0, 0, b, 0, 0, 0]}": "'b' is not declared",
    "{type: compound, parts: [{type: hinge, axis: x, damping: 2}]}": "cannot have damping",
    "{type: compound, parts: [{type: compound, parts: []}]}": "",
    "{type: compound, parts: []}": "at least one part",
}


@pytest.mark.parametrize("joint", BROKEN)
def test_errors_in_files_show_the_position(joint: str) -> None:
    with pytest.raises(FileError) as error:
        loads(f"bodies:\n  top:\n    joint: {joint}\n", fb.System)
    assert error.value.line == 3 and BROKEN[joint] in str(error.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"position": lambda a, b: (a, b, 0)}, "the function must take 1 argument: s$"),
        ({"turns": [(3, "s")]}, "a direction is one of x, y, z"),
        ({"position": ("s", 0, 0), "unit": 3}, "Custom.unit: a list is needed, not the number 3"),
        ({"position": ("s", 0, 0), "definitions": ["d"]}, "definitions are expressions by name"),
    ],
)
def test_wrong_types_are_refused(given: dict[str, Any], message: str) -> None:
    s = fb.System("wrong")
    with pytest.raises(ModelError, match=message):
        s.body("b", joint=fb.Custom(**given), mass=1.0, inertia=(1, 1, 1))


def test_coordinates_with_custom_names_cannot_be_coupled() -> None:
    s = fb.System("gear")
    s.body("b", joint=fb.Custom(("s", 0, 0)), mass=1.0)
    s.body("c", joint=fb.Revolute("x"), mass=1.0, inertia=(1, 1, 1))
    for context, to in (("b", "c"), ("c", "b")):
        with pytest.raises(ModelError, match="has a name of its own"):
            s.couple(context, to=to)
