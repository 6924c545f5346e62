"""Matrices of frames: rigid motions, closed forms of single members, exact dynamic stiffness of a portal, buckling."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.linalg import block_diag, eigh
from scipy.optimize import brentq

import freebody as fb
from freebody.model.structures.structure import Indices, Structure
from tests.flexible.rigid_nodes import Array

TUBE: dict[str, Any] = {"EA": 2e4, "EI": (3.0, 2.0), "GJ": 0.7, "density": 1.3, "polar_inertia": 0.02}
KNEE = {"foot": (0, 0, 0), "knee": (0.3, 0.1, 1.2), "tip": (1.4, 0.5, 1.0)}


def mixed() -> fb.Frame:
    """A frame with shear, rotary inertia, hinges, a bar and point masses."""
    thick = {**TUBE, "GA": (40.0, 60.0), "rotary_inertia": (0.02, 0.03)}
    members = [
        {"nodes": ["foot", "knee", "tip"], "section": "tube", "up": (1, 2, 3), "elements": 2},
        {"nodes": ["foot", "far"], "section": "thick", "elements": 3},
        {"nodes": ["far", "tip"], "section": "tube", "hinges": "both", "elements": 3},
        {"nodes": ["far", "knee"], "section": "bar"},
        {"nodes": ["foot", "aside"], "section": "bar"},
        {"nodes": ["aside", "far"], "section": "bar"},
        {"nodes": ["aside", "knee"], "section": "bar"},
    ]
    return fb.Frame(
        nodes={**KNEE, "far": (0.5, -1.0, 0.4), "aside": (-1.0, -0.5, 0.2)},
        members=members,
        sections={"tube": TUBE, "thick": thick, "bar": {"EA": 500.0, "density": 0.4}},
        masses={"tip": {"mass": 0.5, "inertia": (0.1, 0.2, 0.3)}, "aside": 0.7},
    )


def straight(elements: int = 8, **others: Any) -> fb.Frame:
    """A member of length 1 along x from a to b."""
    member = {"nodes": ["a", "b"], "elements": elements, **others.pop("member", {})}
    nodes = {"a": (0, 0, 0), "b": (1, 0, 0)}
    return fb.Frame(nodes=nodes, members=[member], **{"sections": {"tube": TUBE}, **others})


def held(structure: Structure, *fixed: str) -> Indices:
    """The unknowns that are free if nodes ("a") or components of them ("a 1" along y, "a 5" about z) are fixed."""
    free = np.ones(structure.size, dtype=bool)
    for one in fixed:
        name, *components = one.split()
        j = structure.sets[name][0]
        columns = structure.unknown[j, [int(c) for c in components] or slice(None)]
        free[columns[columns >= 0]] = False
    return np.flatnonzero(free)


def frequencies(structure: Structure, *fixed: str, count: int = 8) -> Array:
    free = np.ix_(held(structure, *fixed), held(structure, *fixed))
    M, K = structure.mass.toarray()[free], structure.stiffness.toarray()[free]
    return np.asarray(np.sqrt(np.abs(1 / eigh(M, K + M, eigvals_only=True)[::-1][:count] - 1)))


def buckling(structure: Structure, load: dict[str, Array], *fixed: str) -> tuple[float, float]:
    """The smallest positive and negative factors of the load at which the structure buckles."""
    free = held(structure, *fixed)
    forces, u = np.zeros(structure.size), np.zeros(structure.size)
    for name, wrench in load.items():
        forces[structure.unknown[structure.sets[name][0], : len(wrench)]] = wrench
    K = structure.stiffness.toarray()[np.ix_(free, free)]
    u[free] = np.linalg.solve(K, forces[free])
    assert structure.geometric is not None
    factors = eigh(structure.geometric(u).toarray()[np.ix_(free, free)], K, eigvals_only=True)
    return -1 / factors[0], -1 / factors[-1]


def test_rigid_motions_have_no_forces_and_the_exact_inertia() -> None:
    frame, structure = mixed(), mixed().structure()
    assert structure.residuals.max() < 1e-15
    m, c, J = np.float64(1.2), np.zeros(3), np.diag([0.1, 0.2, 0.3])
    x = {name: np.array(position) for name, position in frame.nodes.items()}
    for name, mass in (("tip", 0.5), ("aside", 0.7)):
        c, J = c + mass * x[name], J + mass * (x[name] @ x[name] * np.eye(3) - np.outer(x[name], x[name]))
    thin = (0.02, 0.0, 0.0)
    thick = (0.02, 0.03, 0.02)
    members = [
        ("foot", "knee", 1.3, thin),
        ("knee", "tip", 1.3, thin),
        ("foot", "far", 1.3, thick),
        ("far", "tip", 1.3, thin),
        *(
            (a, b, 0.4, (0.0, 0.0, 0.0))
            for a, b in (("far", "knee"), ("foot", "aside"), ("aside", "far"), ("aside", "knee"))
        ),
    ]
    for a, b, density, inertia in members:
        line, middle = x[b] - x[a], (x[a] + x[b]) / 2
        length = np.linalg.norm(line)
        e = line / length
        across = np.cross((0, 0, 1), e) / np.linalg.norm(np.cross((0, 0, 1), e))
        axes = np.stack([e, across, np.cross(e, across)])
        square = density * length * (np.outer(middle, middle) + np.outer(line, line) / 12)
        m, c = m + density * length, c + density * length * middle
        J = J + np.trace(square) * np.eye(3) - square + length * axes.T @ np.diag(inertia) @ axes
    cross = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    exact = np.block([[m * np.eye(3), -cross], [cross, J]])
    assert np.allclose(structure.rigid_mass, exact, rtol=1e-13, atol=1e-13)


def test_geometric_stiffness_turns_the_forces_with_the_structure() -> None:
    """K_g R ω = (ω × F, ½ ω × M): exact for forces and, as θ are rotation vectors, for half of the moments."""
    structure, rng = mixed().structure(), np.random.default_rng(1)
    assert structure.geometric is not None
    u, omega = rng.normal(size=structure.size), rng.normal(size=3)
    forces = structure.stiffness @ u
    turned = -sum(w * cross.T for w, cross in zip(omega, structure.crosses, strict=True)) @ forces
    turned[structure.component >= 3] /= 2
    K = structure.geometric(u)
    assert np.abs(K @ structure.rigid_motions[:, 3:] @ omega - turned).max() < 1e-13 * np.abs(forces).max()
    assert abs(K - K.T).max() == 0
    other = rng.normal(size=structure.size)
    difference = structure.geometric(u + 2 * other) - K - 2 * structure.geometric(other)
    assert abs(difference).max() < 1e-13 * abs(K).max()


ROOTS = {
    "cantilever": (("a",), (1.87510407, 4.69409113)),
    "pinned": (("a 0 1 2 3", "b 1 2"), (np.pi, 2 * np.pi)),
    "propped": (("a", "b 1 2"), (3.92660231, 7.06858275)),
    "free": ((), (4.73004074, 7.85320462)),
}


@pytest.mark.parametrize("ends", ROOTS)
def test_bending_of_single_members(ends: str) -> None:
    """To the fourth order of the elements' length; the planes have their own EI."""
    fixed, roots = ROOTS[ends]
    errors = []
    for elements in (4, 8):
        omega = frequencies(straight(elements).structure(), *fixed, count=20)
        exact = np.array([[z**2 * np.sqrt(EI / 1.3) for z in roots] for EI in TUBE["EI"]]).ravel()
        errors.append(np.abs(omega[:, None] / exact - 1).min(0))
    assert errors[1].max() < 6e-4 and (errors[0] / errors[1]).min() > 10


def test_hinged_ends_are_pinned_and_take_torque() -> None:
    """A hinged end has no bending moment: roots of pinned and propped beams; torsion stays clamped."""
    for hinges, ends in (("both", "pinned"), ("end", "propped")):
        structure = straight(8, frame=("a", "b"), member={"hinges": hinges}).structure()
        omega = frequencies(structure, "a", "b", count=20)
        roots = ROOTS[ends][1]
        exact = [roots[0] ** 2 * np.sqrt(EI / 1.3) for EI in TUBE["EI"]] + [np.pi * np.sqrt(0.7 / 0.02)]
        assert np.abs(omega[:, None] / exact - 1).min(0).max() < 7e-3
        assert np.abs(omega[:, None] / exact[:2] - 1).min(0).max() < 1e-4


def test_shear_and_rotary_inertia_are_those_of_the_beam() -> None:
    thick = {"EI": (3.0, 2.0), "density": 1.3, "GA": (40.0, 60.0), "rotary_inertia": (0.02, 0.03)}
    beam = fb.Beam(length=1.0, **thick).modal_data(4)
    exact = np.array([mode.frequency for mode in beam.modes])
    omega = [frequencies(straight(n, sections={"s": {**TUBE, **thick}}).structure(), "a", count=12) for n in (8, 16)]
    coarse, fine = (np.abs(w[:, None] / exact - 1).min(0) for w in omega)
    assert fine.max() < 2e-3 and np.allclose(coarse / fine, 4, rtol=0.05)  # second order


def dynamic_stiffness(omega: float, length: float, s: dict[str, Any]) -> Array:
    """The forces at the ends of a member by displacements there at a frequency (12, 12), along its axes; exact."""
    D = np.zeros((12, 12))
    for at, stiffness, inertia in ((0, s["EA"], s["density"]), (3, s["GJ"], s["polar_inertia"])):
        a = omega * np.sqrt(inertia / stiffness)
        row = stiffness * a / np.sin(a * length) * np.array([[np.cos(a * length), -1], [-1, np.cos(a * length)]])
        D[np.ix_((at, 6 + at), (at, 6 + at))] = row
    for plane, EI in enumerate(s["EI"]):
        b = (omega**2 * s["density"] / EI) ** 0.25
        x = b * np.array([0.0, length])
        cos, sin, cosh, sinh = np.cos(x), np.sin(x), np.cosh(x), np.sinh(x)
        ends = np.array([[cos, sin, cosh, sinh], [-b * sin, b * cos, b * sinh, b * cosh]])
        forces = EI * np.array([b**3 * np.array([sin, -cos, sinh, cosh]), -(b**2) * np.array([-cos, -sin, cosh, sinh])])
        signs = np.array([[[1.0, -1.0]]])
        shapes, loads = (np.moveaxis(a, 2, 0).reshape(4, 4) for a in (ends, forces * signs))
        sign = np.diag([1, 1, 1, 1]) if plane == 0 else np.diag([1, -1, 1, -1])
        rows = [1 + plane, 5 - plane, 7 + plane, 11 - plane]
        D[np.ix_(rows, rows)] = sign @ loads @ np.linalg.inv(shapes) @ sign
    return D


def test_portal_has_the_frequencies_of_exact_dynamic_stiffness() -> None:
    """Two columns and a girder at an angle, clamped at the feet, in space; the errors fall with the fourth order where
    bending dominates, and at least with the second."""
    nodes = {"a": (0, 0, 0), "b": (0.2, 0, 1), "c": (1.3, 0.5, 1.1), "d": (1.3, 0.5, 0)}
    x = {name: np.array(position) for name, position in nodes.items()}

    def eigenvalues(omega: float) -> Array:
        """Of the dynamic stiffness of the nodes b and c."""
        D = np.zeros((24, 24))
        for j, (start, end) in enumerate(pairwise("abcd")):
            line = x[end] - x[start]
            e = line / np.linalg.norm(line)
            y = np.cross((0, 0, 1), e)
            y = y / np.linalg.norm(y) if np.any(y) else np.array([0.0, 1.0, 0.0])
            R = block_diag(*[np.stack([e, y, np.cross(e, y)])] * 4)
            D[6 * j : 6 * j + 12, 6 * j : 6 * j + 12] += (
                R.T @ dynamic_stiffness(omega, float(np.linalg.norm(line)), TUBE) @ R
            )
        return np.asarray(np.linalg.eigvalsh(D[6:18, 6:18]), dtype=float)

    errors = []
    for elements in (4, 8):
        members = [{"nodes": ["a", "b", "c", "d"], "elements": elements}]
        structure = fb.Frame(nodes=nodes, sections={"t": TUBE}, members=members, frame=("a", "d")).structure()
        omega = frequencies(structure, "a", "d", count=4)
        below = 0.99 * omega
        negative = [int(np.sum(eigenvalues(w) < 0)) for w in below]  # the next one becomes 0 at the frequency
        exact = [
            brentq(lambda w, k: eigenvalues(w)[k], w, 1.02 * w, args=(k,), xtol=1e-12)
            for w, k in zip(below, negative, strict=True)
        ]
        errors.append(np.abs(omega / exact - 1))
    assert errors[1].max() < 3e-4 and (errors[0] / errors[1]).min() > 3.5, errors


EULER = {
    "cantilever": (("a",), 0.25), "pinned": (("a 0 1 2 3", "b 1 2"), 1.0), "propped": (("a", "b 1 2"), 2.0457),
    "clamped": (("a", "b 1 2 3 4 5"), 4.0),
}  # fmt: skip


@pytest.mark.parametrize("ends", EULER)
def test_euler_buckling(ends: str) -> None:
    fixed, factor = EULER[ends]
    load, _ = buckling(straight().structure(), {"b": np.array([-1.0, 0, 0])}, *fixed)
    assert load == pytest.approx(factor * np.pi**2 * TUBE["EI"][1], rel=1e-3)


def test_sideways_buckling() -> None:
    """A cantilever by a force at its tip: 4.0126 √(EI GJ)/L². The right-angle frame of Argyris et al. (1979) by a force
    at its tip: 1.088 and −0.680 N; and hinged by moments at its ends: ± π √(EI GJ)/L. Second order, extrapolated."""
    E, b, h, L = 71240.0, 0.6, 30.0, 240.0
    thin, G = E * b**3 * h / 12, E / 2.62
    section: dict[str, Any] = {"EA": E * b * h, "EI": (thin, E * b * h**3 / 12), "GJ": G * b**3 * h / 3, "density": 1.0}
    size, half = np.sqrt(thin * section["GJ"]), L * np.sqrt(0.5)
    shapes: dict[str, Any] = {
        "cantilever": {"a": (0, 0, 0), "b": (L, 0, 0)},
        "angle": {"a": (0, 0, 0), "knee": (L, 0, 0), "b": (L, 0, -L)},
        "hinged": {"a": (0, 0, 0), "knee": (half, 0, half), "b": (2 * half, 0, 0)},
    }
    turn = np.array([0, 0, 0, 0, 1.0, 0])
    cases: dict[str, Any] = {
        "cantilever": ({"b": np.array([0, 0, 1.0])}, ("a",), 4.0126 * size / L**2, -4.0126 * size / L**2),
        "angle": ({"b": np.array([1.0, 0, 0])}, ("a",), 1.0868, -0.6802),
        "hinged": ({"a": turn, "b": -turn}, ("a 0 1 2 3 5", "b 1 2 3 5"), np.pi * size / L, -np.pi * size / L),
    }
    for name, (load, fixed, *exact) in cases.items():
        members = [[{"nodes": [*shapes[name]], "elements": n}] for n in (8, 16)]
        frames = [fb.Frame(nodes=shapes[name], sections={"s": section}, members=one) for one in members]
        coarse, fine = (np.array(buckling(frame.structure(), load, *fixed)) for frame in frames)
        assert np.allclose(fine, exact, rtol=3e-3)
        assert np.allclose(fine + (fine - coarse) / 3, exact, rtol=2e-4), name


def test_bars_carry_axial_forces() -> None:
    """A truss: its deflection is Σ N n L/EA. A mass between two bars with the tension N vibrates as on a string."""
    bar = {"bar": {"EA": 1000.0, "density": 0.0}}
    nodes = {"a": (0, 0, 0), "b": (0, 3, 0), "c": (4, 0, 0), "d": (0, 0, 2)}
    truss = fb.Frame(
        nodes=nodes,
        sections=bar,
        members=[("a", "c"), ("b", "c"), ("d", "c")],
        frame=("a", "b", "d"),
        masses={"c": 2.0},
    )
    structure = truss.structure()
    assert structure.size == 12  # nodes of bars do not rotate
    free = held(structure, "a", "b", "d")
    flexibility = np.linalg.inv(structure.stiffness.toarray()[np.ix_(free, free)])
    along_y = 4 * (4 / 3) ** 2 + 5 * (5 / 3) ** 2  # n = 4/3 in a–c and −5/3 in b–c
    assert flexibility[1, 1] == pytest.approx(along_y / 1000, rel=1e-12)
    string = fb.Frame(
        nodes={"a": (0, 0, 0), "m": (2, 0, 0), "b": (5, 0, 0)},
        sections=bar,
        members=[("a", "m", "b")],
        frame=("a", "m", "b"),
    )
    structure = string.structure()
    assert structure.geometric is not None
    tension = 7.0
    u = np.zeros(structure.size)
    u[structure.unknown[structure.sets["b"][0], 0]] = tension / 1000 * 5
    u[structure.unknown[structure.sets["m"][0], 0]] = tension / 1000 * 2
    m = structure.unknown[structure.sets["m"][0], :3]
    assert np.allclose(
        structure.geometric(u).toarray()[np.ix_(m, m)], tension * (1 / 2 + 1 / 3) * np.diag([0, 1, 1]), atol=1e-12
    )
