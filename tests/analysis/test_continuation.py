"""Continuation of equilibria: branches, folds, pitchforks and Hopf points agree with closed forms."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError

G = 9.81


def hoop() -> fb.System:
    """A bead on a hoop of radius R that turns about its vertical diameter at w."""
    s = fb.System("hoop")
    s.parameter("w", 1.0, unit="rad/s")
    s.parameter("R", 0.5)
    ring = s.body("ring", joint=fb.Revolute("z", motion="w*t"), inertia=(1, 1, 1))
    s.body("bead", on=ring, joint=fb.Revolute("y", damping=0.1), mass=0.2, com=(0, 0, "-R"))
    s.output("height", "-R*cos(q.bead)")
    return s


def truss(b: float, l0: float, k: float, sway: bool = False) -> fb.System:
    """Two springs from supports at ±b to a node that moves up and down, or also sideways, with a load P downwards."""
    s = fb.System("truss", gravity=(0, 0, 0))
    s.input("P", "N")
    rail = s.body("rail", joint=fb.Prismatic("x", damping=1.0), mass=0.1) if sway else s.ground
    start = np.sqrt(l0**2 - b**2)
    node = s.body("node", on=rail, joint=fb.Prismatic("z", damping=1.0, initial=start), mass=1.0)
    for name, x in (("left", -b), ("right", b)):
        s.spring(s.ground.point((x, 0, 0)), node.origin, stiffness=k, free_length=l0, name=name)
    s.joint_force(node, "-P")
    return s


def ziegler(damping: float) -> fb.System:
    """Ziegler's column: masses 2 m and m at the ends of two links of length l with springs k at both joints, and a
    force P along the second link."""
    s = fb.System("Ziegler's column", gravity=(0, 0, 0))
    s.parameter("P", 0.0)
    joint = {"joint": fb.Revolute("y", stiffness=1.0, damping=damping), "com": (0, 0, 1.0)}
    lower = s.body("lower", mass=2.0, **joint)
    upper = s.body("upper", on=lower, at=(0, 0, 1.0), mass=1.0, **joint)
    s.force(upper.vector((0, 0, "-P")), at=upper.point((0, 0, 1.0)))
    return s


def toggle(closing: fb.Simple | fb.Revolute) -> fb.System:
    """Two links of length 1 from a pin to a slider with a spring, loaded by P at the knee, as a closed loop in space:
    four of its equations depend on others."""
    s = fb.System("toggle", gravity=(0, 0, 0))
    s.input("P", "N")
    first = s.body("first", joint=fb.Revolute("y", initial=-0.6, damping=0.2), mass=1.0, inertia=(0.1, 0.1, 0.1))
    second = s.body(
        "second", on=first, at=(1, 0, 0), joint=fb.Revolute("y", initial=1.2), mass=1.0, inertia=(0.1, 0.1, 0.1)
    )
    slider = s.body(
        "slider", joint=fb.Prismatic("x", initial=2 * np.cos(0.6), stiffness=50.0, rest=2 * np.cos(0.6)), mass=1
    )
    s.close(second.point((1, 0, 0)), slider.origin, joint=closing, name="pin")
    s.force(s.ground.vector((0, 0, "-P")), at=second.origin)
    return s


@pytest.mark.paper("002", "34")
def test_bead_on_a_hoop_leaves_the_bottom_at_a_pitchfork() -> None:
    """w² = g/R; beyond it cos q = g/(R w²), stable, and the bottom is unstable (Strogatz 2015, section 3.5)."""
    found = hoop().continuation("w", 0, 10)
    (pitchfork,) = found.bifurcations
    assert pitchfork.kind == "pitchfork" and pitchfork.branches == (2, 3)
    assert pitchfork.value == pytest.approx(np.sqrt(G / 0.5), rel=1e-9)
    bottom, *sides = found.branches
    assert np.allclose(bottom["q.bead"], 0) and bottom.end == "reaches w = 10"
    wanted = ["stable" if w < pitchfork.value else "unstable" for w in bottom.values]
    assert list(bottom.stability) == wanted and bottom.values[-1] == 10
    for side, sign in zip(sorted(sides, key=lambda b: b["q.bead"][-1]), (-1, 1), strict=True):
        angle = np.arccos(np.minimum(1, G / (0.5 * side.values**2)))
        assert np.allclose(side["q.bead"][1:], sign * angle[1:], atol=1e-9) and set(side.stability[1:]) == {"stable"}
        assert np.allclose(side["height"], -0.5 * np.cos(side["q.bead"]))


@pytest.mark.paper("002", "34")
def test_truss_snaps_through_at_two_folds() -> None:
    """P(z) = 2 k z (l₀/√(b² + z²) − 1) is largest at z² = (l₀ b²)^⅔ − b²."""
    b, l0, k = 1.0, 1.2, 100.0
    found = truss(b, l0, k).continuation("P", -20, 20)
    z = np.sqrt((l0 * b * b) ** (2 / 3) - b * b)
    load = 2 * k * z * (l0 / np.hypot(b, z) - 1)
    assert [f.kind for f in found.bifurcations] == ["fold", "fold"]
    assert np.allclose([f.value for f in found.bifurcations], [load, -load], rtol=1e-9)
    assert np.allclose([f.equilibrium.q["node"] for f in found.bifurcations], [z, -z], rtol=1e-6)
    (branch,) = found.branches
    height = branch["q.node"]
    assert np.allclose(branch.values, 2 * k * height * (l0 / np.hypot(b, height) - 1), atol=1e-8)
    assert list(branch.stability) == ["stable" if abs(x) > z else "unstable" for x in height]


@pytest.mark.paper("002", "34")
def test_steep_truss_buckles_sideways_before_its_fold() -> None:
    """The stiffness sideways is 0 where l³ = l₀ z²; the branch of this pitchfork bends back."""
    b, l0, k = 1.0, 3.0, 100.0
    found = truss(b, l0, k, sway=True).continuation("P", -50, 400, branches=3)
    lengths = np.roots([1, -l0, 0, l0 * b * b])
    lengths = np.sort(lengths[(abs(lengths.imag) < 1e-12) & (lengths.real > b)].real)[::-1]
    heights = np.sqrt(lengths**2 - b * b)
    forks = found.of_kind("pitchfork")
    assert np.allclose([f.value for f in forks], 2 * k * heights * (l0 / lengths - 1), rtol=1e-8)
    assert np.allclose([f.equilibrium.q["node"] for f in forks], heights, rtol=1e-7)
    top = np.sqrt((l0 * b * b) ** (2 / 3) - b * b)
    assert [f.equilibrium.q["node"] for f in found.of_kind("fold")] == pytest.approx([top], rel=1e-6)
    left, right = found.branches[1:]
    assert np.allclose(left["q.rail"], -right["q.rail"], atol=1e-9) and np.ptp(left["q.rail"]) > 0.5
    assert left.values[5] < left.values[0] and set(left.stability[1:]) == {"unstable"}


@pytest.mark.paper("002", "34")
@pytest.mark.parametrize(
    ("damping", "kind", "load"), [(0.0, "hamiltonian hopf", 7 / 2 - np.sqrt(2)), (0.1, "hopf", 41 / 28 + 0.1**2 / 2)]
)
def test_column_with_a_follower_force_flutters(damping: float, kind: str, load: float) -> None:
    """Ziegler (1952): P = (7/2 − √2) k/l without damping, 41/28 k/l + c²/(2 m l³) with it; it never buckles."""
    found = ziegler(damping).continuation("P", 0, 5)
    (flutter,) = found.bifurcations
    assert flutter.kind == kind and flutter.value == pytest.approx(load, rel=1e-9)
    pair = flutter.equilibrium.eigenvalues
    assert np.abs(pair - 1j * flutter.frequency).min() < 1e-5 and found.branches[0].stability[-1] == "unstable"


@pytest.mark.paper("002", "34")
@pytest.mark.parametrize("pin", [fb.Revolute("y"), fb.Simple(constraint=np.delete(np.eye(6), 1, axis=0))])
def test_loop_mechanism_snaps_through(pin: Any) -> None:
    """P = 4 k (sin θ − tan θ cos θ₀), with folds where cos³ θ = cos θ₀: P = ± 4 k sin³ θ; also with the states of a
    closing joint that is given by its constraint."""
    found = toggle(pin).continuation("P", 0, 60, q={"first": -0.6})
    angle = np.arccos(np.cos(0.6) ** (1 / 3))
    folds = found.of_kind("fold")
    assert np.allclose(
        [f.value for f in folds], [200 * np.sin(angle) ** 3, -200 * np.sin(angle) ** 3][: len(folds)], rtol=1e-8
    )
    assert folds and folds[0].equilibrium.q["first"] == pytest.approx(-angle, rel=1e-5)
    branch, theta = found.branches[0], -found.branches[0]["q.first"]
    assert np.allclose(branch.values, 200 * (np.sin(theta) - np.tan(theta) * np.cos(0.6)), atol=1e-6)
    assert np.allclose(branch["q.slider"], 2 * np.cos(theta), atol=1e-9)


def test_quaternions_are_followed_as_angles() -> None:
    """A body on a ball joint, pulled by a spring whose stiffness changes: equal outputs with quaternions and angles."""
    ends = []
    for joint in (fb.Spherical(), fb.Spherical("123")):
        s = fb.System("ball")
        s.parameter("k", 1.0)
        b = s.body("b", joint=joint, mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.2, 0.3))
        s.spring(b.point((0.3, 0, -0.2)), s.ground.point((1, 0.4, 0.2)), stiffness="k", free_length=0.1, name="pull")
        s.spring(b.point((0, 0.3, 0)), s.ground.point((0.5, 1, 0)), stiffness=4.0, free_length=0.2, name="other")
        s.output("tip", s.position(b.point((0, 0, -1))).dot(s.ground.x))
        s.output("side", s.position(b.point((0, 1, 0))).dot(s.ground.z))
        found = s.continuation("k", 1, 30)
        assert not found.bifurcations and found.branches[0].values[-1] == 30
        last = found.branches[0].points[-1]
        assert last.residual < 1e-9
        ends.append([last.outputs["tip"], last.outputs["side"]])
    assert np.allclose(ends[0], ends[1], atol=1e-8) and abs(ends[0][0]) > 0.2


def test_cyclic_coordinates_stay_and_inputs_are_followed() -> None:
    s = fb.System("cart")
    s.input("torque", "N·m")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    pole = s.body("pole", on=cart, joint=fb.Revolute("y", damping=0.1), mass=0.2, com=(0, 0, -0.5))
    s.joint_force(pole, "torque")
    found = s.continuation("torque", 0, 2, q={"cart": 0.7})
    (fold,) = found.bifurcations
    assert fold.kind == "fold" and fold.value == pytest.approx(0.2 * G * 0.5, rel=1e-10)
    assert np.allclose(found.branches[0]["q.cart"], 0.7)
    steady = s.continuation("tau.pole", 0, 0.5)
    assert np.allclose(np.sin(steady.branches[0]["q.pole"]), steady.branches[0].values / (0.2 * G * 0.5))


def test_equilibria_that_do_not_depend_on_the_parameter() -> None:
    found = hoop().continuation("R", 0.2, 0.4, parameters={"w": 0.0})
    assert np.allclose(found.branches[0]["q.bead"], 0) and found.branches[0].values[-1] == 0.4
    assert not found.bifurcations


def test_branch_that_returns_ends_where_it_began() -> None:
    """x² + a² = 1: from a = 0, x = 1 over the fold at a = 1 back to a = 0, x = −1."""
    s = fb.System("ring", gravity=(0, 0, 0))
    s.parameter("a", 0.0)
    x = s.body("x", joint=fb.Prismatic("x", damping=1.0), mass=1.0)
    s.joint_force(x, "1 - q.x**2 - a**2")
    found = s.continuation("a", 0, 2, q={"x": 1.0})
    (branch,) = found.branches
    assert [f.value for f in found.bifurcations] == pytest.approx([1.0], rel=1e-9) and branch.end == "reaches a = 0"
    assert np.allclose(branch["q.x"] ** 2 + branch.values**2, 1, atol=1e-9)
    assert branch["q.x"][-1] == pytest.approx(-1, abs=1e-9)


def test_bubble_closes_and_is_followed_once() -> None:
    """x (x² + (a − 1)² − ¼) = 0: two pitchforks at a = ½ and 3/2, joined by a circle."""
    s = fb.System("bubble", gravity=(0, 0, 0))
    s.parameter("a", 0.0)
    x = s.body("x", joint=fb.Prismatic("x", damping=1.0), mass=1.0)
    s.joint_force(x, "-q.x*(q.x**2 + (a - 1)**2 - 0.25)")
    found = s.continuation("a", 0, 2)
    assert [f.value for f in found.of_kind("pitchfork")] == pytest.approx([0.5, 1.5], rel=1e-8)
    assert len(found.branches) == 2 and found.branches[1].end == "closes" and not found.of_kind("fold")
    circle = found.branches[1]
    assert np.allclose(circle["q.x"] ** 2 + (circle.values - 1) ** 2, 0.25, atol=1e-9)
    assert circle["q.x"].max() > 0.49 and circle["q.x"].min() < -0.49


def test_transcritical_point_and_both_branches() -> None:
    """q̈ = q (a − q) − q̇: q = 0 and q = a cross at a = 0 and exchange their stability."""
    s = fb.System("crossing", gravity=(0, 0, 0))
    s.parameter("a", 0.0)
    x = s.body("x", joint=fb.Prismatic("x", damping=1.0), mass=1.0)
    s.joint_force(x, "q.x*(a - q.x)")
    found = s.continuation("a", -1, 1)
    (point,) = found.bifurcations
    assert point.kind == "transcritical" and abs(point.value) < 1e-9 and len(found.branches) == 3
    for branch in found.branches[1:]:
        assert np.allclose(branch["q.x"], branch.values, atol=1e-8)
        assert branch.stability[-1] == ("stable" if branch.values[-1] > 0 else "unstable")
    assert found.branches[0].stability[0] == "stable" and found.branches[0].stability[-1] == "unstable"


def test_double_branch_points_are_reported() -> None:
    """A column that is equally stiff in two planes: two modes become unstable at once."""
    s = fb.System("column", gravity=(0, 0, 0))
    s.parameter("P", 0.0)
    first = s.body("first", joint=fb.Revolute("x", stiffness=1.0, damping=0.1), mass=0.1, inertia=(0.1, 0.1, 0.1))
    rod = s.body(
        "rod",
        on=first,
        joint=fb.Revolute("y", stiffness=1.0, damping=0.1),
        mass=1.0,
        com=(0, 0, 1),
        inertia=(0.1, 0.1, 0.1),
    )
    s.force(s.ground.vector((0, 0, "-P")), at=rod.point((0, 0, 1)))
    found = s.continuation("P", 0, 2)
    (point,) = found.bifurcations
    assert point.kind == "branch point" and point.value == pytest.approx(1.0, rel=1e-6) and not point.branches


def test_results_print_plot_and_become_datasets(tmp_path: Any) -> None:
    found = hoop().continuation("w", 0, 10, step=0.1)
    text = str(found)
    assert "Equilibria over w: 3 branches, 1 bifurcation" in text and "pitchfork, branches 2, 3 begin" in text
    assert "pitchfork" in found._repr_html_() and "Branch(1:" in repr(found.branches[0])
    assert "pitchfork at w = 4.42945 on branch 1" in str(found.bifurcations[0])
    found.plot(path=tmp_path / "hoop.png")
    figure = found.plot("height")
    assert (tmp_path / "hoop.png").stat().st_size > 5000 and figure.axes[0].get_ylabel() == "height"
    assert figure.axes[0].get_xlabel() == "w [rad/s]"
    data = found.to_xarray()
    assert data.sizes["point"] == sum(map(len, found.branches)) and data["w"].attrs["units"] == "rad/s"
    assert list(data["bifurcation.kind"].values) == ["pitchfork"]
    assert len(found.to_pandas()) == data.sizes["point"]
    with pytest.raises(ArgumentError, match=r"a branch has no values of 'nothing'; choose from q.bead"):
        found.branches[0]["nothing"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.continuation("wx", 0, 1), "has no 'wx' to solve for"),
        (lambda s: s.continuation("w", 1, 1), "start and end of 'w' must differ; they are 1 and 1"),
        (lambda s: s.continuation("w", 0, 1, step=0), "step, the largest step along a branch, must be"),
        (lambda s: s.continuation("w", 0, 1, points=0), "points, the largest number of points, must be"),
        (lambda s: s.continuation(["w"], 0, 1), "the name of one parameter"),
        (lambda s: s.continuation("w", 0, 1, free=["w"]), "leave it out of free"),
        (lambda s: s.continuation("w", 0, 1, free=["R"]), r"one of a family.*: R can change while 'w' does not"),
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        call(hoop())
