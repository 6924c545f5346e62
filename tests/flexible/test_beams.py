"""Beams: frequencies against characteristic equations, integrals against closed forms, stiffening against K_geo."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq

import freebody as fb
from freebody.errors import FieldError, FreebodyError
from freebody.fem.beam_modes import bending_shape
from freebody.fem.modal_data import ModalData
from tests.flexible.rigid_nodes import Array, tilde

L, EI, RHO = 10.0, 1.4e4, 1.2
ENDS = ("cantilever", "pinned", "free")
TENSORS = ("c0", "E", "C", "F0", "F1", "J0", "J1", "J2", "M_ff", "K")


def frequencies(data: ModalData) -> Array:
    return np.array([mode.frequency for mode in data.modes])


@pytest.mark.parametrize(
    ("ends", "roots"),
    [("cantilever", (1.87510407, 4.69409113, 7.85475744)), ("pinned", (np.pi, 2 * np.pi, 3 * np.pi)),
     ("free", (4.73004074, 7.85320462, 10.99560784))],
)  # fmt: skip
@pytest.mark.paper("004", "3")
def test_roots_of_uniform_beams(ends: str, roots: tuple[float, ...]) -> None:
    """Amplitudes too: |φ| = 2/√m at a free end and φ' = √(2/m) z/L at a pinned one, without loss of digits up to high
    modes."""
    data = fb.Beam(L, EI=(EI, None), density=RHO, ends=ends, frame="floating").modal_data(30)
    found = L * (frequencies(data) ** 2 * RHO / EI) ** 0.25
    assert np.allclose(found[:3], roots, rtol=0, atol=1e-8)
    tip = data.nodes["tip"]
    assert tip.slopes is not None
    if ends == "pinned":
        assert np.allclose(np.abs(tip.slopes[2]), np.sqrt(2 / (RHO * L)) * found / L, rtol=1e-12)
    else:
        assert np.allclose(np.abs(tip.translations[1]), 2 / np.sqrt(RHO * L), rtol=1e-12)
    assert np.array_equal(data.M_ff, np.eye(30))
    assert np.array_equal(data.K, np.diag(np.diag(data.K)))


@dataclass(frozen=True)
class Stage:
    """A piece of a beam between two masses, for transfer matrices."""

    length: float
    EI: float
    density: float
    GA: float = np.inf
    rotary: float = 0.0
    mass: float = 0.0  # at its end
    moment: float = 0.0


def characteristic(stages: list[Stage], ends: str, w: float) -> float:
    """The determinant that vanishes at a frequency, by transfer matrices of (v, ψ, M, V) in units of L and EI."""
    T, units = np.eye(4), np.array([L, 1, EI / L, EI / L**2])
    for s in stages:
        rho, rotary = s.density * w * w, s.rotary * w * w
        A = np.array([[0, 1, 0, 1 / s.GA], [0, 0, 1 / s.EI, 0], [0, -rotary, 0, -1], [-rho, 0, 0, 0]])
        jump = np.eye(4)
        jump[3, 0], jump[2, 1] = -s.mass * w * w, -s.moment * w * w
        T = (jump * units / units[:, None]) @ expm(A * units / units[:, None] * s.length) @ T
    held = {"cantilever": ((2, 3), (2, 3)), "pinned": ((0, 2), (1, 3)), "free": ((2, 3), (0, 1))}[ends]
    return float(np.linalg.det(T[np.ix_(*held)]))


UNIFORM = Stage(L, EI, RHO)
BEAMS: dict[str, tuple[list[Stage], dict[str, Any]]] = {
    "Timoshenko": (
        [replace(UNIFORM, GA=4e4, rotary=0.3)],
        {"length": L, "EI": (EI, None), "density": RHO, "GA": 4e4, "rotary_inertia": 0.3},
    ),
    "Rayleigh": (
        [replace(UNIFORM, rotary=0.3)],
        {"length": L, "EI": (EI, None), "density": RHO, "rotary_inertia": 0.3},
    ),
    "three segments": (
        [Stage(3, EI, RHO), Stage(5, EI / 4, RHO / 2), Stage(2, 3 * EI, 2 * RHO, 5e4, 0.2)],
        {"segments": [{"length": 3, "EI": (EI, None), "density": RHO},
                      {"length": 5, "EI": (EI / 4, None), "density": RHO / 2},
                      {"length": 2, "EI": (3 * EI, None), "density": 2 * RHO, "GA": 5e4, "rotary_inertia": 0.2}]},
    ),
    "masses": (
        [Stage(4, EI, RHO, mass=3.0, moment=0.5), Stage(6, EI, RHO, mass=2.0, moment=4.0)],
        {"length": L, "EI": (EI, None), "density": RHO, "nodes": {"mid": 4.0},
         "masses": {"mid": {"mass": 3.0, "inertia": (0, 0, 0.5)}, "tip": {"mass": 2.0, "inertia": (0, 0, 4.0)}}},
    ),
    "tip mass": (
        [Stage(L, EI, RHO, mass=5.0)],
        {"length": L, "EI": (EI, None), "density": RHO, "masses": {"tip": 5.0}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("name", BEAMS)
def test_frequencies_solve_the_characteristic_equation(name: str, ends: str) -> None:
    stages, fields = BEAMS[name]
    found = frequencies(fb.Beam(**fields, ends=ends, frame="floating").modal_data(5))
    for w in found:
        root = brentq(lambda x: characteristic(stages, ends, x), w * (1 - 1e-5), w * (1 + 1e-5), xtol=1e-11 * w)
        assert abs(root / w - 1) < 1e-9
    below = np.linspace(found[0] / 50, found[-1] * 0.999, 50)  # no frequency is missed
    signs = np.sign([characteristic(stages, ends, x) for x in below])
    assert np.sum(signs[1:] != signs[:-1]) == 4


@pytest.mark.parametrize("ends", ENDS)
def test_ritz_and_closed_forms_give_the_same_integrals(ends: str) -> None:
    """A uniform beam in two segments is solved by Ritz's method; all tensors and nodes agree."""
    section = {"EI": (EI, 2 * EI), "EA": 2.8e7, "GJ": 5e3, "density": RHO, "polar_inertia": 0.02}
    options = {"ends": ends, "axial": 2, "torsion": 2, "nodes": {"mid": 5.0}}
    one = fb.Beam(L, **section, **options).modal_data(6)
    two = fb.Beam(segments=[{"length": 4, **section}, {"length": 6, **section}], **options).modal_data(6)
    for name in TENSORS:
        a, b = getattr(one, name), getattr(two, name)
        assert np.abs(a - b).max() <= 1e-11 * max(1.0, np.abs(a).max()), name
    for name in ("root", "mid", "tip"):
        a, b = one.nodes[name], two.nodes[name]
        assert np.abs(a.translations - b.translations).max() < 1e-11
        assert np.abs(a.slopes - b.slopes).max() < 1e-11  # type: ignore[operator]
        assert np.abs(a.second - b.second).max() < 1e-10
    assert [mode.kind for mode in one.modes] == [mode.kind for mode in two.modes]


def foreshortening(ends: str, r: float, s: float, x: float) -> float:
    """∫₀ˣ φ_r' φ_s' in closed form for roots r, s and length 1: f'''' = z⁴ f holds for f = φ' too."""

    def at(x: float) -> float:
        f, g = ([float(bending_shape(ends, z, np.array(x), d)) for d in range(1, 5)] for z in (r, s))
        if r != s:
            return (f[3] * g[0] - f[2] * g[1] + f[1] * g[2] - f[0] * g[3]) / (r**4 - s**4)
        return (3 * f[0] * f[3] - f[1] * f[2] + x * (r**4 * f[0] ** 2 - 2 * f[1] * f[3] + f[2] ** 2)) / (4 * r**4)

    return at(x) - at(0.0)


@pytest.mark.parametrize("ends", ENDS)
def test_foreshortening_in_closed_form(ends: str) -> None:
    data = fb.Beam(
        1.0, EI=(1.0, None), density=2.0 if ends == "pinned" else 1.0, ends=ends, frame="floating", nodes={"here": 0.7}
    ).modal_data(8)
    roots = np.sqrt(frequencies(data) * np.sqrt(2.0 if ends == "pinned" else 1.0))
    for name, x in (("here", 0.7), ("tip", 1.0)):
        wanted = -np.array([[foreshortening(ends, r, s, x) for s in roots] for r in roots])
        assert np.abs(data.nodes[name].second[0] - wanted).max() < 1e-13 * np.abs(wanted).max()


@pytest.mark.paper("004", "22")
def test_foreshortening_is_the_geometric_stiffness() -> None:
    """C a + F1 α − ½ ω·J2 ω (the part of Γ) = ∫ N φ' φ' with the axial force N of the inertia load, in both planes."""
    a, alpha, w = np.random.default_rng(3).normal(size=(3, 3))
    data = fb.Beam(L, EI=(EI, EI), density=RHO).modal_data(8)
    found = np.tensordot(a, data.C, 1) + np.tensordot(alpha, data.F1, 1) - 0.5 * (data.J2 @ w) @ w
    xi, weights = np.polynomial.legendre.leggauss(60)
    x, weights = (xi + 1) * L / 2, weights * L / 2
    f0, f1 = -RHO * a[0], RHO * (w[1] ** 2 + w[2] ** 2)
    N = f0 * (L - x) + f1 * (L**2 - x**2) / 2
    roots = L * (frequencies(data)[::2] ** 2 * RHO / EI) ** 0.25
    shape, slope = (
        np.array([bending_shape("cantilever", z, x / L, d) / np.sqrt(RHO * L) / L**d for z in roots]) for d in (0, 1)
    )
    stiff = (slope * weights * N) @ slope.T
    modes = {kind: [k for k, mode in enumerate(data.modes) if mode.kind == kind] for kind in ("bending y", "bending z")}
    gram = RHO * (shape * weights) @ shape.T
    for kind, spin in (("bending y", w[0] ** 2 + w[2] ** 2), ("bending z", w[0] ** 2 + w[1] ** 2)):
        own = np.ix_(modes[kind], modes[kind])
        assert np.abs(found[own] + spin * gram - stiff).max() < 1e-12 * np.abs(stiff).max()


@pytest.mark.parametrize("shear", [None, (3e3, 2e3)])
def test_second_order_displacements_are_those_of_a_rod(shear: Any) -> None:
    """r' = R (e_x + ε), R' = R κ~ with strains linear in η: the error of l₀ + γ η + ½ ηᵀ Γ η is of third order."""
    beam = fb.Beam(
        L,
        EA=2e4,
        EI=(EI, 2 * EI),
        GJ=5e3,
        GA=shear,
        density=RHO,
        polar_inertia=0.1,
        rotary_inertia=0.05,
        axial=2,
        torsion=2,
        nodes={"mid": 6.0},
    )
    data = beam.modal_data(4)
    sections = data.sections
    assert sections is not None
    eta = np.random.default_rng(6).normal(size=data.n)
    strains = sections.strains @ eta
    for name in ("mid", "tip"):
        node, errors = data.nodes[name], list[float]()
        for e in (2e-2, 2e-3):

            def rate(s: float, y: Array, e: float = e) -> Array:
                R, here = y[3:].reshape(3, 3), e * sections.panels.at(np.array([s]), strains)[0]
                return np.concatenate([R @ (np.eye(3)[0] + here[:3]), (R @ tilde(here[3:])).ravel()])

            start = np.concatenate([np.zeros(3), np.eye(3).ravel()])
            exact = solve_ivp(rate, (0, node.position[0]), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:3, -1]
            errors.append(
                float(
                    np.abs(
                        exact - node.position - e * node.translations @ eta - 0.5 * e * e * node.second @ eta @ eta
                    ).max()
                )
            )
        assert errors[1] / errors[0] < 2e-3


def test_rotating_cantilever_and_shaft() -> None:
    """Flap frequencies of Wright et al. (1982), lag² = flap² − Ω², and |ω_n ± Ω| of a pinned shaft on its own axis."""
    data = fb.Beam(1.0, EI=(1.0, 1.0), density=1.0).modal_data({"bending y": 10, "bending z": 10})
    kinds = np.array([mode.kind for mode in data.modes])
    for speed, wanted in ((0.0, 3.5160), (3.0, 4.7973), (6.0, 7.3604), (12.0, 13.1702)):
        K = data.K - 0.5 * data.J2[:, :, 2, 2] * speed**2
        flap, lag = (np.linalg.eigvalsh(K[np.ix_(kinds == one, kinds == one)])[0] for one in ("bending z", "bending y"))
        assert abs(np.sqrt(flap) - wanted) < 3e-4
        assert lag == pytest.approx(flap - speed**2, abs=1e-9)
    data = fb.Beam(L, EI=(EI, EI), density=RHO, ends="pinned", frame="floating").modal_data(4)
    omega = frequencies(data)[::2]
    speed = 0.7 * omega[0]
    G = (data.F1[0] - data.F1[0].T) * speed
    K = data.K - 0.5 * data.J2[:, :, 0, 0] * speed**2
    roots = np.linalg.eigvals(np.block([[np.zeros((4, 4)), np.eye(4)], [-K, -G]]))
    wanted = np.sort(np.concatenate([omega + speed, np.abs(omega - speed)]))
    assert np.allclose(np.sort(np.abs(roots.imag))[::2], wanted, rtol=1e-12)


def buckling_load(K: Array, geometric: Array) -> float:
    """The least P > 0 at which K + P geometric is singular."""
    values = np.linalg.eigvals(np.linalg.solve(K, -geometric)).real
    return float(1 / values.max())


def test_buckling() -> None:
    """Euler's load of a cantilever, Haringx' load with shear, and Prandtl's 4.0126 √(EI GJ)/L² sideways."""
    data = fb.Beam(L, EI=(EI, None), density=RHO).modal_data(12)
    euler = np.pi**2 * EI / (4 * L**2)
    assert buckling_load(data.K, data.nodes["tip"].second[0]) == pytest.approx(euler, rel=1e-4)
    GA = 2 * euler
    sheared = fb.Beam(L, EI=(EI, None), density=RHO, GA=GA, rotary_inertia=0.5)
    half, whole = (buckling_load(d.K, d.nodes["tip"].second[0]) for d in map(sheared.modal_data, (12, 24)))
    haringx = GA / 2 * (np.sqrt(1 + 4 * euler / GA) - 1)
    assert 2 * whole - half == pytest.approx(haringx, rel=2e-3)  # modes without shear at the tip: the error is of 1/n
    strip = fb.Beam(1.0, EI=(1e6, 1.0), GJ=0.25, density=1.0, polar_inertia=0.01)
    data = strip.modal_data({"bending z": 12, "torsion": 12})
    assert buckling_load(data.K, -data.nodes["tip"].second[1]) == pytest.approx(4.0126 * 0.5, rel=1e-4)
    with pytest.raises(FieldError, match="loads: the body buckles under these loads"):
        fb.Beam(L, EI=(EI, None), density=RHO, loads={"tip": (-1.01 * euler, 0, 0)}).modal_data(12)
    loaded = fb.Beam(L, EI=(EI, None), density=RHO, loads={"tip": (-0.5 * euler, 3.0, 0)}).modal_data(12)
    free = fb.Beam(L, EI=(EI, None), density=RHO).modal_data(12)
    assert frequencies(loaded)[0] == pytest.approx(frequencies(free)[0] * np.sqrt(0.5), rel=0.02)
    deflection = loaded.nodes["tip"].translations[1] @ np.linalg.solve(loaded.K, loaded.preload)
    k = np.sqrt(0.5 * euler / EI)
    assert deflection == pytest.approx(3.0 / (0.5 * euler) * (np.tan(k * L) / k - L), rel=1e-3)  # beam column


@pytest.mark.parametrize(("ends", "frame"), [("cantilever", "root"), ("free", "root"), ("free", "mid")])
def test_effective_masses_add_up(ends: str, frame: str) -> None:
    """Over all modes, effective masses and inertias add up to those of the body, less what does not move."""
    data = fb.Beam(
        L, EI=(EI, 2 * EI), EA=1e7, density=RHO, ends=ends, frame=frame, nodes={"mid": 5.0}, axial=10
    ).modal_data(20)
    total = sum(mode.effective_mass for mode in data.modes)
    assert np.all(total[3:] <= data.m) and np.all(total[3:] > 0.89 * data.m)
    assert np.all(total[1:3] <= np.diag(data.J0)[1:] * (1 + 1e-12)) and np.all(total[1:3] > 0.89 * np.diag(data.J0)[1:])


def test_damping_and_counts() -> None:
    beam = fb.Beam(
        L,
        EI=(EI, 1.1 * EI),
        EA=1e7,
        GJ=1e3,
        density=RHO,
        polar_inertia=0.01,
        axial=1,
        torsion=2,
        damping=0.02,
        rayleigh=(0.1, 1e-4),
        preload=(1, 2, 3, 4, 5, 6),
    )
    data = beam.modal_data(3)
    kinds = [mode.kind for mode in data.modes]
    assert sorted(kinds) == ["axial", "bending y", "bending y", "bending z", "torsion", "torsion"]
    w = frequencies(data)
    assert np.all(np.diff(w) > 0)
    assert np.allclose(np.diag(data.D), 0.04 * w + 0.1 + 1e-4 * w**2, rtol=1e-13)
    assert np.allclose([mode.damping for mode in data.modes], np.diag(data.D) / (2 * w), rtol=1e-13)
    assert np.array_equal(data.preload, np.arange(1.0, 7.0))
    other = replace(beam, axial=0, torsion=0, preload=None, damping=(0.1, 0.2))
    again = other.modal_data({"torsion": 1, "bending z": 1})
    assert [mode.kind for mode in again.modes] == ["bending z", "torsion"]


def test_one_number_is_for_bending_in_both_planes() -> None:
    """Each paired field by itself; None in place of an EI leaves out bending in its plane, and nothing else: the
    section keeps its rotary inertia there. The other plane alone is the same beam, rolled by a right angle."""
    section: dict[str, Any] = {"length": L, "density": RHO, "GA": 4e4, "rotary_inertia": 0.3}
    pairs = {**section, "EI": (EI, EI), "GA": (4e4, 4e4), "rotary_inertia": (0.3, 0.3)}
    one, two = (fb.Beam(**fields).modal_data(6) for fields in ({**section, "EI": EI}, pairs))
    assert all(np.array_equal(getattr(one, name), getattr(two, name)) for name in TENSORS)
    assert sorted(mode.kind for mode in one.modes) == ["bending y"] * 3 + ["bending z"] * 3
    along_y, along_z = (fb.Beam(**section, EI=pair).modal_data(3) for pair in ((EI, None), (None, EI)))
    assert {mode.kind for mode in along_y.modes} == {"bending y"}
    assert {mode.kind for mode in along_z.modes} == {"bending z"}
    assert np.array_equal(frequencies(along_y), frequencies(along_z))
    assert np.allclose(along_y.J0, one.J0, rtol=1e-13) and np.allclose(along_z.J0, one.J0, rtol=1e-13)
    assert np.allclose(np.abs(along_y.nodes["tip"].translations[1]), np.abs(along_z.nodes["tip"].translations[2]))
    three = fb.Beam(L, EI=EI, density=RHO).modal_data(3)
    assert [mode.kind for mode in three.modes].count("bending y") == 2


def test_a_beam_with_one_stiffness_sags(tmp_path: Path) -> None:
    """ρ g L⁴ / (8 EI), and the same from a file; a beam that bends along y alone does not sag along z."""
    sags = []
    for k, EI_ in enumerate((1e3, (1e3, None))):
        s = fb.System("bar")
        bar = s.body("bar", flexible=fb.Beam(length=1.0, EI=EI_, density=1.0), modes=8)
        s.output("sag", s.deflection(bar.node("tip")).dot(s.ground.z))
        s.save(tmp_path / f"{k}.yaml")
        both = (s, fb.load(tmp_path / f"{k}.yaml"))
        assert both[0].freeze().digest == both[1].freeze().digest
        sags.append([float(one.equilibrium().outputs["sag"]) for one in both])
    assert np.allclose(sags, [[-9.81 / 8e3] * 2, [0, 0]], rtol=1e-3, atol=1e-15)


def test_many_equal_segments_are_one_beam() -> None:
    """Few polynomials are enough in each of many segments."""
    section: dict[str, Any] = {"EI": (EI, 2 * EI), "density": RHO}
    for count in (7, 40):
        one, many = (
            fb.Beam(**fields).modal_data(6)
            for fields in ({"length": L, **section}, {"segments": [{"length": L / count, **section}] * count})
        )
        assert np.allclose(frequencies(many), frequencies(one), rtol=1e-12)
        assert np.allclose(many.J0, one.J0, rtol=1e-12)
        assert np.allclose(np.einsum("rrij->rij", many.J2), np.einsum("rrij->rij", one.J2), rtol=1e-9, atol=1e-9)
        assert np.allclose(np.abs(many.nodes["tip"].translations), np.abs(one.nodes["tip"].translations), atol=1e-10)


WRONG: list[tuple[dict[str, Any], Any, str]] = [
    ({"length": -1.0}, 2, "length: -1 is not positive"),
    ({"EI": (1.0, 2.0, 3.0)}, 2, "EI: one number or two are needed, not 3"),
    ({"segments": [{"length": 1, "EI": (1, None), "density": 1}, {"length": 1, "EI": (None, 1), "density": 1}],
      "length": None, "EI": None, "density": None}, 2, "segments: some segments bend in planes"),
    ({"density": None}, 2, "density: the beam needs a density"),
    ({"density": 0.0}, 2, "density: bending y modes need density"),
    ({"EI": (None, None)}, 2, "EI: no number is given for either plane"),
    ({"EI": float("nan")}, 2, "EI[0]: a finite number or an expression is needed, not the number nan"),
    ({"nodes": {"far": 11.0}}, 2, "nodes.far: 11 is not on the beam, which reaches from 0 to 10"),
    ({"nodes": {"tip": 1.0}}, 2, "nodes.tip: 'tip' is a reserved name"),
    ({"masses": {"tup": 1.0}}, 2, "masses.tup: there is no node 'tup'. Did you mean tip"),
    ({"frame": "middle"}, 2, "frame: there is no node 'middle'"),
    ({"ends": "glued"}, 2, "ends: one of 'cantilever', 'pinned' or 'free'"),
    ({"axial": 1}, 2, "EA: axial modes need EA in every segment"),
    ({"torsion": 1, "GJ": 1.0}, 2, "polar_inertia: torsion modes need polar_inertia"),
    ({"length": None, "EI": None, "density": None, "segments": [{"length": 1, "EI": (1, None), "density": 1},
      {"length": 1, "EI": (1, 2), "density": 1}]}, 2, "segments: some segments bend in planes in which others have no"),
    ({"segments": [{"length": 1, "EI": 1, "density": 1}]}, 2, "length: the segments of this beam give its sections"),
    ({}, {"bending z": 1}, "EI: bending z modes need EI along z in every segment"),
    ({}, {"bending": 1}, "modes: a beam has no modes of the kind 'bending'. Did you mean bending"),
    ({}, None, "modes: a beam needs the number of its modes"),
    ({}, -1, "modes: the number of modes must be an integer"),
    ({}, 2.5, "modes: the number of modes must be an integer"),
    ({"damping": (0.1, 0.2, 0.3)}, 2, "damping: there are 2 modes and 3 damping ratios"),
    ({"damping": -0.1}, 2, "damping: a damping ratio of -0.1 is negative"),
    ({"rayleigh": (0.1, -1)}, 2, "rayleigh: -1 is negative"),
    ({"preload": (1.0,)}, 2, "preload: there are 2 modes and 1 generalised forces"),
    ({"loads": {"tip": (1.0, 2.0)}}, 2, "loads.tip: three forces, or three forces and three torques"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "modes", "text"), WRONG, ids=[text.split(":")[0] for *_, text in WRONG])
def test_wrong_beams_have_clear_errors(fields: dict[str, Any], modes: Any, text: str) -> None:
    with pytest.raises(FreebodyError) as error:
        fb.Beam(**{"length": L, "EI": (EI, None), "density": RHO, **fields}).modal_data(modes)
    assert str(error.value).removeprefix("Beam.").startswith(text)
