"""Sayers (1991), item by item (docs/papers-000.csv): public calls against the print, or against independent numbers.

The tables of the satellite are read as they are printed: every entry is evaluated at a random state, with unit vectors
as columns of rotation matrices, and compared with poses, velocities and inertias that are computed in another way.
"""

import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.errors import FreebodyError
from freebody.program.stage import stage

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import satellite

Array = NDArray[np.float64]
BODIES = dict(zip("BCDEF", ("bus", "clock", "camera", "e", "boom"), strict=True))
CLOSE = {"rtol": 1e-11, "atol": 1e-11}


def near(a: Any, b: Any, scale: float = 1.0) -> bool:
    return bool(np.allclose(a, b, rtol=1e-11, atol=1e-11 * scale))


class PrintedTables:
    """``eq.tables()`` as numbers at a state: ``self[row]`` has the value of each body by its letter."""

    def __init__(self, eq: fb.Equations, q: Array, u: Array, poses: dict[str, Array]) -> None:
        self.text = eq.tables()
        scope: dict[str, Any] = dict(eq.values) | {"o": np.outer, "zero": np.zeros(3)}
        scope |= {f"{letter}{k + 1}": x for letter, some in (("q", q), ("u", u)) for k, x in enumerate(some)}
        scope |= {f"S{k + 1}": np.sin(x) for k, x in enumerate(q)} | {f"C{k + 1}": np.cos(x) for k, x in enumerate(q)}
        scope |= {f"{letter}{k + 1}": R[:, k] for letter, R in poses.items() for k in range(3)}
        self.scope = scope
        for line in self.section("Variables").splitlines()[2:]:
            name, formula = line.split(" = ", 1)
            scope[name.strip()] = self.number(formula)

    def section(self, title: str) -> str:
        return next(part for part in self.text.split("\n\n") if part.startswith(title))

    def rows(self, title: str) -> dict[str, dict[str, str]]:
        """The texts of a section by label (one that occurs twice with a mark) and body."""
        rows, label, body = dict[str, dict[str, str]](), "", ""
        for line in self.section(title).splitlines()[2:]:
            head, name, rest = line[:23].strip(), line[23:26].strip(), line[26:]
            if head:
                label = head if head not in rows else f"{head}'"
                rows[label] = {}
            if name:
                body = name
                rows[label][body] = rest
            else:
                rows[label][body] += " " + rest.strip()
        return rows

    def number(self, text: str) -> Any:
        """A printed scalar, vector, dyadic, or list of them."""
        text = re.sub(r"\(([a-z]\d) ([a-z]\d)\)", r"o(\1, \2)", text)
        text = re.sub(r"(?<=[\w)]) (?=[a-z]\d\b|o\()", "*", text)
        return eval(text, {"__builtins__": {}}, self.scope)

    def vectors(self, text: str) -> Array:
        """A printed list of vectors, one row each; 0 is the zero vector."""
        value = self.number(text)
        return np.array([x if np.ndim(x) else np.zeros(3) for x in (value if isinstance(value, tuple) else [value])])


class Case:
    """The satellite at a random state of the paper's speeds, its printed tables, and the same by public functions."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self.s = satellite.system(paper=True)
        self.eq = self.s.derive("sayers", speeds="mass-centre")
        self.q, self.u, self.u_dot = rng.uniform(-0.9, 0.9, (3, 10))
        self.f, self.kane = self.eq.compile("numpy"), self.s.derive("kane").compile("numpy")
        poses = {n: self.kane.pose(self.q, body) for n, body in BODIES.items()}
        self.R = {n: np.asarray(pose.R) for n, pose in poses.items()}
        frames = {"n": np.eye(3)} | {n.lower(): R for n, R in self.R.items()}
        self.t = PrintedTables(self.eq, self.q, self.u, frames)
        self.two, self.eight, self.ten = (self.t.rows(f"Table {k}") for k in ("2.", "8.", "10."))
        self.centre = {n: self.t.vectors(x)[0] for n, x in self.two["Mass centre r^B₀B*"].items()}
        self.fixed = {"C", "E"}  # their reference point is the origin

    def at(self, n: str) -> Array:
        """The reference point of a body along its axes."""
        return np.zeros(3) if n in self.fixed else self.R[n].T @ self.centre[n]

    def velocity(self, n: str, q: Array, u: Array) -> Array:
        """(ω, v) of a body's reference point in the ground, by Kane's equations in the speeds of the joints."""
        x = self.eq.to_standard(np.concatenate([q, u]))
        return np.asarray(self.kane.spatial_velocity(q, x[10:], BODIES[n], at=self.at(n)))

    def rate(self, n: str, h: float = 1e-5) -> Array:
        """(α, a) along the motion with the rates of the speeds u̇, by differences of fourth order."""
        q_dot = np.asarray(self.f.q_dot(self.q, self.u))
        there, back = (np.asarray(self.f.q_dot(self.q + s * q_dot, self.u + s * self.u_dot)) for s in (h, -h))
        q_ddot = (there - back) / (2 * h)

        def v(step: float) -> Array:
            return self.velocity(n, self.q + step * q_dot + step**2 / 2 * q_ddot, self.u + step * self.u_dot)

        return (8 * (v(h) - v(-h)) - (v(2 * h) - v(-2 * h))) / (12 * h)


@pytest.fixture(scope="module")
def case() -> Case:
    return Case()


# Notation: Eqs 1–9


@pytest.mark.paper("000", "1", "12")
def test_kinematical_equations_of_slides_that_are_not_orthogonal() -> None:
    """r^B₀ = r^B_j + Σ q d (Eq 14), and S q̇ = v with S_ij = d_i · d_j (Eqs 1, 23)."""
    s = fb.System("slides")
    d = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 2]])
    block = fb.BuildingBlock([tuple(map(int, row)) for row in d], (1, 2, 3))
    s.body("b", joint=block, at=(1, 2, 3), mass=2, com=(0.1, 0.2, 0.3), inertia=(1, 2, 3))
    q, u, units = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), np.arange(1.0, 7), d / np.linalg.norm(d, axis=1)[:, None]
    kane, eq = s.derive("kane").compile("numpy"), s.derive("sayers", speeds="mass-centre")
    assert near(kane.pose(q, "b").p, np.array([1, 2, 3]) + q[:3] @ units)
    f, x = eq.compile("numpy"), eq.to_standard(np.concatenate([q, u]))
    v = np.asarray(kane.spatial_velocity(q, x[6:], "b"))[3:]
    S = units @ units.T
    assert abs(S[0, 1]) > 0.5 and near(S @ np.asarray(f.q_dot(q, u))[:3], units @ v)
    centre = np.asarray(kane.spatial_velocity(q, x[6:], "b", at=(0.1, 0.2, 0.3), frame="body"))
    assert near(centre, np.concatenate([u[3:], u[:3]]))  # the speeds themselves: ω^B and v^B* along b1, b2, b3


@pytest.mark.paper("000", "2", "3", "29")
def test_dynamical_equations_and_runs(case: Case) -> None:
    """M u̇ = f of both choices of speeds against Kane's equations; sparsity saves operations; a run keeps energy."""
    f, kane, u = case.s.derive("sayers").compile("numpy"), case.kane, case.u
    assert near(f.mass_matrix(case.q), kane.mass_matrix(case.q), 1e3) and near(
        f.bias(case.q, u), kane.bias(case.q, u), 1e3
    )
    M, force = np.asarray(case.f.mass_matrix(case.q)), np.asarray(case.f.bias(case.q, u))
    assert near(case.f.forward_dynamics(case.q, u), np.linalg.solve(M, force))
    assert np.count_nonzero(M[np.tril_indices(10)]) < 55  # zeros, which the solution makes use of
    x = np.concatenate([case.q, u])
    x_dot = np.concatenate([case.f.q_dot(case.q, u), np.linalg.solve(M, force)])
    assert near(case.f.state_dot(0.0, x, np.zeros(8)), x_dot)
    run = case.s.simulate(20, u=u / 10, inputs=dict.fromkeys(case.s.inputs, 0.0), rtol=1e-10)
    assert run.success and run.energy_error < 1e-7


@pytest.mark.paper("000", "4")
def test_increments_are_not_relative_velocities() -> None:
    """Eqs 3 and 4, against velocities at both points along a run by differences of poses."""
    s = fb.System("arms")
    A = s.body("A", joint=fb.Revolute("z"), mass=1, com=(1, 0, 0), inertia=(1, 1, 1))
    B = s.body("B", A, fb.Revolute("x"), at=(1, 0, 0), mass=1, com=(0, 1, 0), inertia=(1, 1, 1))
    p, r = B.point((0, 1, 0)), A.origin
    s.output("increment", s.velocity(p) - s.velocity(r))
    s.output("relative", s.derivative(s.position(p, of=r), seen_from=A))
    s.output("alpha", s.angular_acceleration(B) - s.angular_acceleration(A))
    s.output("arm", s.position(p, of=r))
    s.output("w_A", s.angular_velocity(A))
    s.output("w_AB", s.angular_velocity(B) - s.angular_velocity(A))
    run = s.simulate(np.linspace(0, 1, 2001), u={"A": 1.0, "B": 2.0}, rtol=1e-11, atol=1e-12)
    increment, w, arm, w_AB = (run[name] for name in ("increment", "w_A", "arm", "w_AB"))
    assert np.abs(np.gradient(arm, run.t, axis=0, edge_order=2) - increment)[2:-2].max() < 1e-5
    assert np.abs(increment - run["relative"] - np.cross(w, arm)).max() < 1e-12
    assert np.abs(np.cross(w, arm)).max() > 0.1
    assert np.abs(np.gradient(w_AB, run.t, axis=0, edge_order=2) - run["alpha"])[2:-2].max() < 1e-5
    x = np.asarray(run["relative"])
    assert np.abs(x - increment).max() > 0.1


def two_bodies() -> tuple[fb.System, Any, Any]:
    s = fb.System("two bodies")
    A = s.body("A", joint=fb.Revolute("x"), mass=1, inertia=(1, 1, 1))
    return s, A, s.body("B", on=A, joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))


@pytest.mark.paper("000", "5")
def test_angular_velocity_is_in_native_form() -> None:
    s, A, B = two_bodies()
    w = s.angular_velocity(B)
    assert str(w) == "u.A·ground1 + u.B·A2"  # Eq 5, with a1 = n1 and b2 = a2
    assert str(s.angular_velocity(A)) == "u.A·ground1" and str(s.angular_velocity(s.ground)) == "0"
    assert str(w.within(B)) == "u.A*cos(q.B)·B1 + u.B·A2 + u.A*sin(q.B)·B3"
    assert str(2 * w - w.within(A)) == str(w) and "\n" not in str(s.acceleration(B.point((0, 0, 1))))
    assert s.derive().q == ("A", "B")
    s.output("w", w)
    f, q, u = s.derive().compile("numpy"), [0.3, 0.5], [0.7, -0.2]
    assert near(f.outputs(q, u)["w"], np.asarray(f.spatial_velocity(q, u, "B"))[:3])


@pytest.mark.paper("000", "6")
def test_basis_dyadics_and_projections() -> None:
    """Eqs 6–8 as they are printed, with ground, A, B for n, a, b."""
    s, A, B = two_bodies()
    N, w = s.ground, s.angular_velocity(B)
    assert str(N.basis) == "ground1⊗ground1 + ground2⊗ground2 + ground3⊗ground3"
    assert str(A.basis) == "ground1⊗ground1 + A2⊗A2 + A3⊗A3"
    assert str(B.basis) == "B1⊗B1 + A2⊗A2 + B3⊗B3"
    assert str(w.dot(N.basis)) == "u.A·ground1 + u.B*cos(q.A)·ground2 + u.B*sin(q.A)·ground3"
    assert str(w.dot(A.basis)) == str(w.within(A)) == "u.A·ground1 + u.B·A2"
    assert str(w.dot(B.basis)) == str(B.basis.dot(w)) == "u.A*cos(q.B)·B1 + u.B·A2 + u.A*sin(q.B)·B3"
    D = B.x.outer(B.x) * 3 + B.y.outer(B.y) * 2 + B.z.outer(A.x)
    assert str(D.within(A)) == str(A.basis.dot(D).dot(A.basis))  # Eq 19
    assert str(w.dot(D)) == str(D.transposed.dot(w))
    rows = {n: D.resolve(body) for n, body in (("A", A), ("B", B))}
    for n, row in rows.items():
        for k, value in enumerate(x for some in row for x in some):
            s.output(f"{n}{k}", value)
    q = [0.3, 0.5]
    values = s.derive().compile("numpy").outputs(q, [0, 0])
    in_A, in_B = (np.array([values[f"{n}{k}"] for k in range(9)]).reshape(3, 3) for n in "AB")
    R = np.array([[np.cos(q[1]), 0, np.sin(q[1])], [0, 1, 0], [-np.sin(q[1]), 0, np.cos(q[1])]])
    assert near(in_B, [[3, 0, 0], [0, 2, 0], [np.cos(q[1]), 0, np.sin(q[1])]]) and near(in_A, R @ in_B @ R.T)
    with pytest.raises(FreebodyError, match="the product of a dyadic is with a vector or a dyadic"):
        D.dot(3)  # type: ignore[call-overload]


@pytest.mark.paper("000", "7", "30", "31")
def test_intermediate_variables_are_used_and_computed_once(case: Case) -> None:
    """Eq 9: each operation is a variable or occurs once; constants (P) contain parameters alone."""
    lines = [line.split(" = ", 1) for line in case.t.section("Variables").splitlines()[2:]]
    names = [name.strip() for name, _ in lines]
    assert len(set(names)) == len(names) > 100 and len({text for _, text in lines}) == len(lines)
    for name, text in lines:
        constant = name.strip().startswith("P")
        assert constant == (not re.search(r"\b([Zqu]|[SC])\d+\b", text)), (name, text)
    whole = stage(case.eq.program())
    assert whole.setup is not None
    for block in whole.main.blocks:
        operations = list(zip(block.op, block.a, block.b, block.c, strict=True))
        computed = [o for o in operations if o[0] > 1]
        assert len(set(computed)) == len(computed)
    q, u, heavier = case.q, case.u, {"MC": 25.0}  # constants follow the parameters of a compilation
    assert near(
        case.s.derive("sayers").compile(parameters=heavier).forward_dynamics(q, u),
        case.s.derive("kane").compile("numpy", heavier).forward_dynamics(q, u),
    )


# Kane's method, Eqs 10–13


@pytest.mark.paper("000", "8", "23", "24")
def test_table_8_against_velocities_and_accelerations(case: Case) -> None:
    """ω_i = ∂ω/∂u_i (Eq 10), ω = Σ u ω_i (Eq 31), α = Σ u̇ ω_i + α_rem (Eqs 32–35), and all increments."""
    rows, t = case.eight, case.t
    parents = {"C": "B", "D": "C", "E": "B", "F": "E"}
    w = {n: t.vectors(x)[0] for n, x in rows["ω^B"].items()}
    partials = {n: t.vectors(x) for n, x in rows["ω_i^B"].items()}
    alpha = {n: t.vectors(x)[0] for n, x in rows["α_rem^B"].items()}
    for n in BODIES:
        assert near(w[n], case.velocity(n, case.q, case.u)[:3]) and near(case.u @ partials[n], w[n])
        columns = np.array([case.velocity(n, case.q, e)[:3] for e in np.eye(10)])
        assert near(partials[n], columns)
        mine = case.s.derive("sayers").compile("numpy").jacobian(case.q, BODIES[n])  # by the rates of the joints
        assert near(mine, np.array([case.kane.spatial_velocity(case.q, e, BODIES[n]) for e in np.eye(10)]).T)
        assert np.abs(case.u_dot @ partials[n] + alpha[n] - case.rate(n)[:3]).max() < 1e-8
    for n, parent in parents.items():
        assert near(t.vectors(rows["ω^A'"][n])[0], w[parent])
        assert near(t.vectors(rows["ᴬω^B"][n])[0], w[n] - w[parent])
        assert near(t.vectors(rows["ω_i^A'"][n]), partials[parent])
        assert near(t.vectors(rows["ᴬω_i^B"][n]), partials[n] - partials[parent])
        assert near(t.vectors(rows["α_rem^AB"][n])[0], alpha[n] - alpha[parent])
    assert rows["ᴬω^B"]["B"] == rows["α_rem^B"]["B"] == rows["α_rem^AB"]["B"] == "0"
    assert rows["ᴬω_i^B"]["B"] == rows["ω_i^A'"]["B"] == "0, 0, 0, 0, 0, 0, 0, 0, 0, 0"
    # as printed in the paper
    assert rows["ω^B"]["B"] == rows["ω^A'"]["C"] == rows["ω^A'"]["E"] == "u4 b1 + u5 b2 + u6 b3"
    assert [rows["ᴬω^B"][n] for n in "CDEF"] == ["u7 b3", "u8 c1", "u9 b3", "u10 e1"]
    u = case.u
    b1, b2 = (case.R["B"][:, k] for k in range(2))
    assert near(t.vectors(rows["α_rem^AB"]["C"])[0], u[4] * u[6] * b1 - u[3] * u[6] * b2)
    assert near(t.vectors(rows["α_rem^AB"]["E"])[0], u[4] * u[8] * b1 - u[3] * u[8] * b2)
    for n, parent, speed in (("D", "C", 7), ("F", "E", 9)):  # u8 Z6 d2 − u8 Z7 d3, u10 Z15 f2 − u10 Z16 f3
        Z = case.R[n].T @ w[parent]
        printed = u[speed] * (Z[2] * case.R[n][:, 1] - Z[1] * case.R[n][:, 2])
        assert near(t.vectors(rows["α_rem^AB"][n])[0], printed)


@pytest.mark.paper("000", "9", "28")
def test_mass_matrix_and_force_from_the_printed_terms(case: Case) -> None:
    """Eqs 40–46 in NumPy, with the terms of the printed tables and forces and torques as wrenches on the bodies; Eq 45:
    the first block is diagonal."""
    eq, t, q, u = case.eq, case.t, case.q, case.u
    inputs = np.arange(1.0, 9)
    M, force = np.zeros((10, 10)), np.zeros(10)
    for n in BODIES:
        w, v = t.vectors(case.eight["ω_i^B"][n]), t.vectors(case.ten["v_i^B*"][n])
        I = np.asarray(t.number(case.two["Inertia dyadic I^Bc*"][n]) + np.zeros((3, 3)))
        m = 0.0 if n in case.fixed else float(t.number(case.two["Composite mass"][n]))
        M += w @ I @ w.T + m * v @ v.T
        omega, alpha = (t.vectors(case.eight[row][n])[0] for row in ("ω^B", "α_rem^B"))
        force -= w @ (I @ alpha + np.cross(omega, I @ omega)) + m * v @ t.vectors(case.ten["a_rem^B*"][n])[0]
    p, R = eq.values, case.R
    w = {n: t.vectors(case.eight["ω_i^B"][n]) for n in BODIES}
    thrust, torque = R["B"] @ inputs[:3], R["B"] @ inputs[3:6]
    P2 = p["L2"] * p["MC"] / (p["MB"] + p["MC"])
    moment = np.cross(P2 * R["B"][:, 2], thrust)  # Eq 13: the thruster acts at B₀
    force += w["B"] @ (torque + moment) + t.vectors(case.ten["v_i^B*"]["B"]) @ thrust
    drives = {6: inputs[6], 7: inputs[7]}
    drives |= {k: -p[f"K{k + 1}"] * q[k] - p[f"D{k + 1}"] * u[k] for k in (8, 9)}
    for k, value in drives.items():
        force[k] += value
    assert near(case.f.mass_matrix(q), M, 1e3)
    assert near(case.f.bias(q, u, inputs=inputs), force, 1e3)
    found = np.asarray(case.f.mass_matrix(q))[:3, :3]
    assert np.array_equal(found, np.diag(np.diag(found)))  # exactly: the unit vectors cancel symbolically


@pytest.mark.paper("000", "10")
def test_moment_of_a_force_off_the_mass_centre() -> None:
    """Eq 13: a force at P is the force at B* and the torque r^B*P × F."""
    F, at = (1.0, 2.0, 3.0), np.array([0.3, -0.2, 0.5])
    com = np.array([0.1, 0.2, -0.1])
    results = []
    for apart in (False, True):
        s = fb.System("force")
        b = s.body("b", joint=fb.Free("123"), mass=2, com=tuple(com), inertia=(1, 2, 3))
        s.force(b.vector(F), at=b.centre if apart else b.point(tuple(at)))
        if apart:
            s.torque(b.vector(tuple(np.cross(at - com, F))), on=b)
        q, u = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), np.arange(6.0)
        results.append(s.derive("sayers").compile("numpy").forward_dynamics(q, u))
    assert near(*results)


# System description: Tables 1–6


@pytest.mark.paper("000", "11")
def test_figures_of_the_satellite(tmp_path: Path) -> None:
    s = satellite.system()
    svg = s.diagram().svg
    assert [name for name in BODIES.values() if name not in svg] == []
    page = s.view(tmp_path / "satellite.html")
    assert page.read_text().lower().startswith("<!doctype html>")
    f, p = s.derive().compile("numpy"), s.values  # Fig 2, at zero coordinates
    origins = {n: np.asarray(f.pose(np.zeros(10), body).p) for n, body in BODIES.items()}
    assert near(origins["D"], (0, p["L3"], -p["L1"])) and near(origins["F"], (0, -p["L7"], 0))


@pytest.mark.paper("000", "12", "13", "15")
@pytest.mark.parametrize("first", [1, 2, 3])
def test_nominal_axes_of_the_building_block(first: int) -> None:
    """Table 3: b_i1 = d_rot, and two axes across by d_ref; and a body whose axes are turned without a freedom."""
    s = fb.System("axes")
    d_rot, d_ref = np.array([1.0, 2, 2]) / 3, np.array([2.0, -2, 1]) / 3
    turned = s.body("turned", joint=fb.Weld(), orient=((0, 0, 1), 0.4), mass=1)
    block = fb.BuildingBlock((), (first,), axis=(1, 2, 2), reference=(2, -2, 1))
    s.body("b", on=turned, joint=block, mass=1, com=(0.1, 0.2, 0.3), inertia=(1, 2, 3))
    f = s.derive("sayers").compile("numpy")
    A, B = (np.asarray(f.pose([0.0], name).R) for name in ("turned", "b"))
    c, z = np.cos(0.4), np.sin(0.4)
    assert near(A, [[c, -z, 0], [z, c, 0], [0, 0, 1]])
    R, i, j, k = A.T @ B, first - 1, first % 3, (first + 1) % 3
    assert near(R[:, i], d_rot) and near(R[:, k], np.cross(d_rot, d_ref)) and near(R[:, j], np.cross(R[:, k], R[:, i]))
    B = np.asarray(f.pose([0.7], "b").R)
    assert near(B[:, i], A @ d_rot)  # it turns about b_i1


TABLE_4 = {
    (1, 2): "C3 b2 - S3 b3",
    (1, 3): "S3 b2 + C3 b3",
    (2, 1): "C3 b1 + S3 b3",
    (2, 3): "-S3 b1 + C3 b3",
    (3, 1): "C3 b1 - S3 b2",
    (3, 2): "S3 b1 + C3 b2",
}
"""The direction of the second rotation, by the axes of the third and of the second; S b3 of (2, 1) is a misprint."""


@pytest.mark.paper("000", "16", "22")
@pytest.mark.parametrize(("third", "second"), TABLE_4)
@pytest.mark.parametrize("repeated", [False, True])
def test_direction_of_the_second_rotation(third: int, second: int, repeated: bool) -> None:
    """Table 4 as printed, and Eq 26: ω = Σ q̇ d_r."""
    first = third if repeated else 6 - third - second
    s = fb.System("block")
    s.body("b", joint=fb.BuildingBlock((), (first, second, third)), mass=1, inertia=(1, 2, 3))
    eq = s.derive("sayers", speeds="mass-centre")
    f, q, u = eq.compile("numpy"), np.array([0.3, 0.8, -0.5]), np.array([0.2, 0.7, -0.4])
    R = np.asarray(f.pose(q, "b").R)
    t = PrintedTables(eq, q, u, {"n": np.eye(3), "b": R})
    directions = t.rows("Table 2.")["Directions of these q"]["B"]
    assert TABLE_4[third, second] in directions
    d = t.vectors(directions)
    assert near(np.asarray(f.q_dot(q, u)) @ d, R @ u)


@pytest.mark.paper("000", "17")
def test_two_rotations_need_a_massless_body() -> None:
    for rotations, speeds in (((), 3), ((2,), 4), ((1, 2, 3), 6)):
        s = fb.System("one")
        s.body("b", joint=fb.BuildingBlock(("x", "y", "z"), rotations), mass=1, inertia=(1, 2, 3))
        assert len(s.derive("sayers").u) == speeds
    with pytest.raises(FreebodyError, match="rotations"):
        fb.System("two").body("b", joint=fb.BuildingBlock((), (1, 2)), mass=1)  # type: ignore[arg-type]
    results = []
    for massless in (True, False):
        s = fb.System("two")
        base = s.body("base", joint=fb.Revolute("z"), mass=1, com=(0.1, 0, 0), inertia=(1, 2, 3))
        e = s.body("e", on=base, at=(0.3, 0, 0), joint=fb.Revolute("x")) if massless else base
        joint, at = (fb.Revolute("y"), (0, 0, 0)) if massless else (fb.Universal("x", "y"), (0.3, 0, 0))
        s.body("b", on=e, at=at, joint=joint, mass=1, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2))
        q, u = np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.5, 0.6])
        results.append(s.derive("sayers").compile("numpy").forward_dynamics(q, u))
    assert near(*results)


@pytest.mark.paper("000", "14", "18", "19")
def test_table_2_against_masses_and_inertias(case: Case) -> None:
    """Categories (Tables 5, 6), and Eqs 15–19 in numbers: bus and clock as one body of point masses."""
    overview = case.t.text.split("\n\n")[1].splitlines()[2:]
    categories = {line.split()[0]: (line.split()[-2], line.split()[-1]) for line in overview}
    both = {n: (n, n) for n in ("nonrecursive", "recursive")}
    rotor = ("fixed", "rotor")
    assert list(categories) == list("BCDEF")
    assert [*categories.values()] == [both["nonrecursive"], rotor, both["recursive"], rotor, both["recursive"]]
    p, t = case.eq.values, case.t
    mass = {n: float(t.number(x)) for n, x in case.two["Composite mass"].items()}
    assert near([mass[n] for n in "BCDEF"], [p["MB"] + p["MC"], p["MC"], p["MD"], 0, p["MF"]])
    P1 = p["L2"] * p["MC"] / (p["MB"] + p["MC"])
    centres = {
        "B": (0, 0, -P1),
        "C": (0, 0, -p["L2"]),
        "D": (0, -p["L5"], -p["L6"]),
        "E": (0, 0, 0),
        "F": (0, -p["L8"], 0),
    }
    inertia = dict[str, Array]()
    for n, text in case.two["Inertia dyadic I^Bc*"].items():
        inertia[n] = case.R[n].T @ (t.number(text) + np.zeros((3, 3))) @ case.R[n]
    for n, centre in centres.items():
        assert near(case.R[n].T @ case.centre[n], centre)
    more = p["MB"] * P1**2 + p["MC"] * (p["L2"] - P1) ** 2
    J = np.array([[p[f"IB{min(i, j)}{max(i, j)}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert near(inertia["B"], J + np.diag([more, more, 0]), 1e3)
    assert near(inertia["C"], np.diag([p["IC"], p["IC"], p["ICs"]])) and near(inertia["E"], np.zeros((3, 3)))
    assert re.fullmatch(
        r"IC \(b1 b1\) \+ IC \(b2 b2\) \+ ICs \(b3 b3\)", case.two["Inertia dyadic I^Bc*"]["C"]
    )  # Eq 19
    assert case.two["Unit vectors"]["D"] == "c1, d2, d3" and case.two["Joint point"]["D"] == "0, L3, -L1"
    assert case.two["Directions of these q'"]["B"] == "n1, (S6 b1 + C6 b2), b3"
    assert case.two["Directions of these u"]["B"] == case.two["Directions of these u'"]["B"] == "b1, b2, b3"


@pytest.mark.paper("000", "18")
def test_composites_up_the_tree() -> None:
    """Point masses through two levels: the clock's mass goes to the plate, and with it to the bus."""
    s = fb.System("levels")
    s.parameters(m=2.0, l=0.5)
    bus = s.body("B", joint=fb.Free("123"), mass="m", inertia=(1, 1, 1))
    plate = s.body("C", on=bus, at=("l", 0, 0), joint=fb.Revolute("z"), mass="m", com=(0, 0, "l"))
    s.body("D", on=plate, at=(0, 0, "2*l"), mass="m")
    eq = s.derive("sayers", speeds="mass-centre")
    t = PrintedTables(eq, np.zeros(7), np.zeros(7), {n: np.eye(3) for n in "nbcd"})
    rows, points = t.rows("Table 2."), np.array([[0, 0, 0], [0.5, 0, 0.5], [0.5, 0, 1.0]])
    d = points - points.mean(axis=0)
    total = sum(t.number(x) + np.zeros((3, 3)) for x in rows["Inertia dyadic I^Bc*"].values())
    assert t.number(rows["Composite mass"]["B"]) == 6 and near(
        t.vectors(rows["Mass centre r^B₀B*"]["B"])[0], points.mean(axis=0)
    )
    assert near(total, np.eye(3) + 2 * (np.sum(d * d) * np.eye(3) - d.T @ d))


# Kinematics: Eqs 20–39, Tables 7–10


@pytest.mark.paper("000", "21", "22")
def test_kinematical_equations_as_printed(case: Case) -> None:
    """Eqs 24 and 29: the printed formulas, ours as text, and the compiled function."""
    q, u, p = case.q, case.u, case.eq.values
    (C4, C5, C6), (S4, S5, S6) = np.cos(q[3:6]), np.sin(q[3:6])
    P1 = p["L2"] * p["MC"] / (p["MB"] + p["MC"])
    Z1, Z2, u3 = P1 * u[4] + u[0], P1 * u[3] - u[1], u[2]
    q4 = (u[3] * C6 - u[4] * S6) / C5
    printed = [
        C5 * (Z1 * C6 + Z2 * S6) + u3 * S5,
        -(Z2 * (C6 * C4 - S6 * S4 * S5) - Z1 * (C6 * S5 * S4 + C4 * S6) + u3 * C5 * S4),
        u3 * C5 * C4 + Z1 * (-C6 * C4 * S5 + S6 * S4) - Z2 * (C4 * S5 * S6 + C6 * S4),
        q4,
        u[4] * C6 + u[3] * S6,
        u[5] - q4 * S5,
        *u[6:],
    ]
    lines = case.t.section("Kinematical equations").splitlines()[2:]
    assert near([case.t.number(line.split(" = ")[1]) for line in lines], printed)
    assert near(case.f.q_dot(q, u), printed)


@pytest.mark.paper("000", "8", "25", "26")
def test_table_10_against_velocities_and_accelerations(case: Case) -> None:
    """v_i = ∂v/∂u_i (Eq 11), a = Σ u̇ v_i + a_rem (Eqs 36–38), R · r = α_rem × r + ω × (ω × r), native bodies."""
    t, rows = case.t, case.ten
    parents = {"C": "B", "D": "C", "E": "B", "F": "E"}
    v = {n: t.vectors(x) for n, x in rows["v_i^B*"].items()}
    origin = {n: np.asarray(case.kane.pose(case.q, body).p) for n, body in BODIES.items()}
    reference = {n: origin[n] + case.R[n] @ case.at(n) for n in BODIES}
    for n in BODIES:
        assert near(v[n], [case.velocity(n, case.q, e)[3:] for e in np.eye(10)])
        a = case.u_dot @ v[n] + t.vectors(rows["a_rem^B*"][n])[0]
        assert np.abs(a - case.rate(n)[3:]).max() < 1e-7
        w, alpha = (t.vectors(case.eight[row][n])[0] for row in ("ω^B", "α_rem^B"))
        r = np.array([0.3, -0.4, 0.5])
        assert near(t.number(rows["R^B"][n]) @ r, np.cross(alpha, r) + np.cross(w, np.cross(w, r)))
    for n, parent in parents.items():
        assert near(t.vectors(rows["r^A*B₀"][n])[0], origin[n] - reference[parent])
        assert near(t.vectors(rows["v_i^A*B*"][n]), v[n] - v[parent])
    natives = {n: x.replace(", ", "") for n, x in rows["N_i^B"].items()}
    assert natives == {"B": "BBBBBBBBBB", "C": "BBBCCBBBBB", "D": "BBBDDDDDBB", "E": "BBBEEEBBBB", "F": "BBBFFFBBFF"}


@pytest.mark.paper("000", "23", "25")
def test_formulas_of_tables_7_and_9(case: Case) -> None:
    """The formulas of the print, row by row; the numbers of Tables 8 and 10 are made by them."""
    text = {title: " ".join(case.t.section(title).split()) for title in ("Table 7.", "Table 9.")}
    for formula in (
        "ω^A' rotor: «ω^A·A»; 1 DOF: ««ω^A·A»·B»",
        "ω^B rotor, 1 DOF: «ω^A' + ᴬω^B»; 3 DOF: u_1 b1 + u_2 b2 + u_3 b3",
        "ω_i^B rotor, 1 DOF: «ω_i^A·A» (·B) + ᴬω_i^B; 3 DOF: b1, b2, b3",
        "α_rem^B rotor, 1 DOF: «α_rem^A·A» (·B) + ω^A' × ᴬω^B; 3 DOF: 0",
    ):
        assert formula in text["Table 7."]
    for formula in (
        "N_i^B nonrecursive: B; recursive: N_i^A if v_i^A*B* = 0, else B",
        "v_i^B* nonrecursive: b1, b2, b3; recursive: «(v_i^A* + v_i^A*B*)·B»",
        "R^B «(α_rem^B·B) × B + ω^B × (ω^B × B)»",
        "nonrecursive: «ω^B × v^B* - g·B»; recursive: «[a_rem^A* + R^A·r^A*B₀ + R^B·r^B₀B* + 2 ω^A × ᴬv^B₀]·B»",
    ):
        assert formula in text["Table 9."]


@pytest.mark.paper("000", "27")
@pytest.mark.parametrize("bodies", [2, 6])
def test_gravity_costs_a_few_operations_whatever_the_bodies(bodies: int) -> None:
    """Eq 39, and the accelerations are those of Kane's equations."""
    counts = []
    for g in (0, -9.81):
        s, parent = fb.System("tree", gravity=(0, 0, g)), "ground"
        for k in range(bodies):
            joint = fb.BuildingBlock(("x", "y", "z"), (1, 2, 3)) if k == 0 else fb.Revolute("xyz"[k % 3])
            s.body(f"b{k}", parent, joint, at=(0.1, 0.2, 0.3), mass=1, com=(0.1, 0.2, 0.3), inertia=(1, 2, 3))
            parent = f"b{k}"
        eq = s.derive("sayers", speeds="mass-centre")
        counts.append(eq.operations["forward_dynamics"].total)
        rng = np.random.default_rng(bodies)
        q, u = rng.normal(size=(2, 5 + bodies))
        sayers, kane = (s.derive(n).compile("numpy").forward_dynamics(q, u) for n in ("sayers", "kane"))
        assert near(sayers, kane, 1e2)
    assert 0 < counts[1] - counts[0] <= 15


# The language's rules: small variables, time, constraints, efficiency


@pytest.mark.paper("000", "32")
def test_small_variables_leave_first_order_terms() -> None:
    """M and f with small hinges of the boom: value and derivative of the exact ones at 0, and nothing else."""
    s = satellite.system()
    exact, small = (s.derive("sayers", small=names).compile("numpy") for names in ((), ("e", "boom")))
    q, u = np.random.default_rng(3).normal(size=(2, 10))
    at, h = [8, 9], 1e-6

    def both(f: Any, scale: float) -> Array:
        x, v = q.copy(), u.copy()
        x[at], v[at] = scale * q[at], scale * u[at]
        return np.concatenate([np.asarray(f.mass_matrix(x)).ravel(), np.asarray(f.bias(x, v))])

    value, slope = both(exact, 0), (both(exact, h) - both(exact, -h)) / (2 * h)
    for scale in (0, 0.5, 1.0):
        assert np.allclose(both(small, scale), value + scale * slope, rtol=1e-7, atol=1e-5)
    totals = [s.derive("sayers", n).operations["forward_dynamics"].total for n in (("e", "boom"), ())]
    assert totals[0] < totals[1]


@pytest.mark.paper("000", "33")
def test_speeds_that_are_functions_of_time() -> None:
    """ω_t of Eq 30: a driven joint, against Kane's equations and against a free joint under the drive's force."""
    results = []
    for motion in ("0.5*sin(2*t)", None):
        s = fb.System("driven")
        base = s.body("base", joint=fb.Revolute("z", motion=motion), mass=1, com=(0.1, 0, 0), inertia=(1, 2, 3))
        s.body("arm", base, fb.Spherical("123"), at=(1, 0, 0), mass=1, com=(0.1, 0.2, 0.3), inertia=(1, 2, 3))
        results.append(s)
    driven, free = results
    q, u, t = np.array([0.3, 0.4, 0.5]), np.array([0.6, 0.7, 0.8]), 0.3
    found = driven.derive("sayers").compile("numpy").forward_dynamics(q, u, t=t)
    assert near(found, driven.derive("kane").compile("numpy").forward_dynamics(q, u, t=t))
    angle, rate, acceleration = 0.5 * np.sin(2 * t), np.cos(2 * t), -2 * np.sin(2 * t)
    f = free.derive("sayers").compile("numpy")
    whole_q, whole_u = np.concatenate([[angle], q]), np.concatenate([[rate], u])
    tau = f.inverse_dynamics(whole_q, whole_u, np.concatenate([[acceleration], found]))
    assert np.abs(np.asarray(tau)[1:]).max() < 1e-11


@pytest.mark.paper("000", "34")
def test_constraints_and_closed_loops() -> None:
    """A four-bar linkage on a sledge with a knife edge: u̇ and multipliers satisfy M u̇ = f + Gᵀλ and G u̇ = γ."""
    s = fb.System("sledge", gravity=(0, 0, 0))
    base = s.body("base", joint=fb.Planar("z"), mass=3, com=(0.1, 0, 0), inertia=(1, 1, 2))
    s.add(fb.KnifeEdge(base.point((0.2, 0, 0)), "y"), "edge")
    bars = [
        s.body(n, base, fb.Revolute("z"), at=(x, 0, 0), mass=1, com=(0, 0.2, 0), inertia=(0.1, 0.1, 0.1))
        for n, x in (("one", 0.5), ("two", 1.5))
    ]
    s.rod(bars[0].point((0, 0.5, 0)), bars[1].point((0, 0.5, 0)), length=1)
    q, u = s.assemble(q={"one": 0.2}, u={"base.x": 0.3, "one": 0.5})
    f, kane = s.derive("sayers").compile("numpy"), s.derive("kane").compile("numpy")
    u_dot, multipliers, c = f.forward_dynamics(q, u), f.multipliers(q, u), f.constraint(q, u)
    M, force = np.asarray(kane.mass_matrix(q)), np.asarray(kane.bias(q, u))
    assert near(M @ u_dot, force + c["G"].T @ multipliers) and near(c["G"] @ u_dot, c["gamma"])
    assert s.derive("sayers").degrees_of_freedom == 3


@pytest.mark.paper("000", "35", "39")
def test_bases_and_recursion_are_chosen_and_programs_are_small() -> None:
    """Without a formulation the one with fewer operations is taken; counts are this project's own and may only
    decrease."""
    s = satellite.system()
    counts = {n: s.derive(n).operations["forward_dynamics"].total for n in ("kane", "aba", "cheapest", "sayers")}
    eq = s.derive()
    assert eq.operations["forward_dynamics"].total == min(counts["kane"], counts["aba"])
    assert "kane" in str(eq).splitlines()[0].lower() or "articulated" in str(eq).splitlines()[0].lower()
    assert counts["cheapest"] <= counts["kane"] <= 925 and counts["sayers"] <= 1230
    assert all(a <= b for a, b in pairwise((counts["cheapest"], counts["kane"], counts["sayers"])))


@pytest.mark.paper("000", "20")
def test_choice_of_speeds(case: Case) -> None:
    """ω^B and v^B* along the body's axes for the bus; rates of coordinates for bodies with one freedom."""
    x = case.eq.to_standard(np.concatenate([case.q, case.u]))
    moved = np.asarray(case.kane.spatial_velocity(case.q, x[10:], "bus", at=case.at("B"), frame="body"))
    assert near(moved, np.concatenate([case.u[3:6], case.u[:3]]))
    assert near(np.asarray(case.f.q_dot(case.q, case.u))[6:], case.u[6:])
    assert near(case.eq.from_standard(x), np.concatenate([case.q, case.u]))


@pytest.mark.paper("000", "24")
def test_tables_have_one_name() -> None:
    eq = satellite.system().derive()
    assert "Table 8." in eq.tables() and max(map(len, eq.tables().splitlines())) <= 100
    with pytest.raises(AttributeError, match=r"eq\.tables\(\) for Sayers' tables"):
        eq.report()  # type: ignore[attr-defined]
