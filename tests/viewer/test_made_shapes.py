"""Made-up pictures: every kind of joint, constraint and load gets a finite one, which scales with the model."""

from dataclasses import replace

import numpy as np
import pytest

from freebody.drawing import Anchor, Drawing, DrawnAxis, DrawnBody, DrawnConstraint, DrawnJoint, DrawnLoad
from freebody.results.about import About, BodyInfo
from freebody.viewer.constraint_symbols import SYMBOLS as CONSTRAINTS
from freebody.viewer.default_shapes import PALETTE, MadeUp, made_up
from freebody.viewer.joint_symbols import SYMBOLS
from freebody.viewer.skeleton import inertia_shape

SIX = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
KINDS = (*SYMBOLS, "simple", "custom", "compound", "building block")
AXES = {
    "revolute": ["turn"], "prismatic": ["slide"], "cylindrical": ["turn", "slide"], "screw": ["screw"],
    "spherical": ["turn"] * 3, "universal": ["turn"] * 2, "planar": ["turn", "slide", "slide"],
    "custom": ["turn", "screw"],
    "simple": ["slide"] * 2, "compound": ["slide", "turn", "turn"], "building block": ["turn"] * 6,
}  # fmt: skip


def triple(v: np.ndarray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


def random_joint(rng: np.random.Generator, kind: str, parent: str, child: str) -> DrawnJoint:
    """A joint at a random place. Some are at the origin, some axes are fixed in the child."""
    anchor = Anchor(parent, triple(rng.normal(size=3) * rng.integers(0, 2)))
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    axes = list[DrawnAxis]()
    for axis in AXES.get(kind, ()):
        along = rng.normal(size=3)
        body = Anchor(child, (0, 0, 0)) if rng.random() < 0.3 else anchor
        axes.append(DrawnAxis(axis, body, triple(along / np.linalg.norm(along))))
    return DrawnJoint(kind, anchor, (turn[0], turn[1], turn[2], turn[3]), Anchor(child, (0, 0, 0)), tuple(axes))


def random_inertia(rng: np.random.Generator, mass: float) -> tuple[float, ...]:
    """The inertia of point masses, which may be in a plane, on a line or in one place; rarely one that nothing has."""
    points = rng.normal(size=(5, 3)) * rng.integers(0, 2, 3)
    points -= points.mean(axis=0)
    J = points.T @ points * mass / 5
    matrix = np.trace(J) * np.eye(3) - J
    if rng.random() < 0.1:
        matrix[0, 0] *= -3
    return tuple(float(matrix[i, j]) for i, j in SIX)


def random_system(seed: int, bodies: int = 24) -> tuple[About, Drawing]:
    """A tree in which every kind of joint occurs, with every kind of constraint and load."""
    rng = np.random.default_rng(seed)
    elements, drawn, names = list[BodyInfo](), list[DrawnBody](), ["ground"]
    for k in range(bodies):
        kind, parent, name = KINDS[k % len(KINDS)], names[rng.integers(len(names))], f"body {k}"
        mass = float(rng.integers(0, 3))
        limits = (-1.0, 2.0) if rng.random() < 0.3 else None
        elements.append(BodyInfo(name, parent, kind, mass=mass, limits=limits))
        xx, yy, zz, xy, xz, yz = random_inertia(rng, mass)
        com = triple(rng.normal(size=3) * rng.integers(0, 2))
        drawn.append(DrawnBody(name, com, (xx, yy, zz, xy, xz, yz), random_joint(rng, kind, parent, name)))
        names.append(name)

    def anchor() -> Anchor:
        return Anchor(names[rng.integers(len(names))], triple(rng.normal(size=3)))

    constraints = [
        DrawnConstraint(
            symbol,
            symbol,
            anchor(),
            anchor(),
            direction=triple(rng.normal(size=3)),
            radius=float(rng.random()),
            curve=tuple(triple(v) for v in rng.normal(size=(7, 3))),
            switched=bool(rng.integers(2)),
            joint=random_joint(rng, str(rng.choice(KINDS)), "body 0", "body 1") if symbol == "joint" else None,
            symbol=symbol,
        )
        for symbol in CONSTRAINTS
    ]
    styles = "spring", "damper", "line", "bushing"
    loads = [DrawnLoad(style, style, (), (anchor(), anchor()), style) for style in styles]
    about = About("random", "", tuple(elements), (), ())
    drawing = Drawing((0, 0, -9.81), tuple(drawn), tuple(loads), (*constraints, DrawnConstraint("gear", "expression")))
    return about, drawing


def random_poses(seed: int, about: About) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed + 1000)
    return {e.name: rng.normal(size=(3, 7)) for e in about.elements}


def scaled(about: About, drawing: Drawing, factor: float) -> tuple[About, Drawing]:
    """The same system with all lengths multiplied."""

    def anchor(a: Anchor) -> Anchor:
        return Anchor(a.body, triple(np.array(a.at) * factor))

    def joint(j: DrawnJoint) -> DrawnJoint:
        axes = tuple(replace(axis, anchor=anchor(axis.anchor)) for axis in j.axes)
        return replace(j, anchor=anchor(j.anchor), child=anchor(j.child), axes=axes)

    def body(b: DrawnBody) -> DrawnBody:
        xx, yy, zz, xy, xz, yz = (x * factor**2 for x in b.inertia)
        return DrawnBody(b.name, triple(np.array(b.com) * factor), (xx, yy, zz, xy, xz, yz), joint(b.joint))

    def constraint(c: DrawnConstraint) -> DrawnConstraint:
        return replace(
            c,
            start=c.start and anchor(c.start),
            end=c.end and anchor(c.end),
            joint=c.joint and joint(c.joint),
            radius=c.radius * factor,
            curve=tuple(triple(np.array(p) * factor) for p in c.curve),
        )

    elements = tuple(
        replace(e, limits=e.limits and (e.limits[0] * factor, e.limits[1] * factor)) for e in about.elements
    )
    loads = tuple(replace(p, ends=p.ends and (anchor(p.ends[0]), anchor(p.ends[1]))) for p in drawing.loads)
    drawing = replace(
        drawing,
        bodies=tuple(body(b) for b in drawing.bodies),
        loads=loads,
        constraints=tuple(constraint(c) for c in drawing.constraints),
    )
    return replace(about, elements=elements), drawing


def corners(made: MadeUp) -> list[np.ndarray]:
    """All points of the picture, in their bodies."""
    solids = [item.geometry.vertices @ item.transform[:, :3].T + item.transform[:, 3] for item in made.items]
    return [*solids, *(line.points for line in made.lines), *(np.array(link.points) for link in made.links)]


@pytest.mark.parametrize("seed", range(6))
def test_every_system_has_a_finite_picture_that_scales_with_it(seed: int) -> None:
    about, drawing = random_system(seed)
    poses = random_poses(seed, about) if seed % 2 else {}
    made = made_up(about, drawing, (), poses)
    assert made.size > 0 and made.notes and set(made.colors) == set(made.trails) == {e.name for e in about.elements}
    for item in made.items:
        axes = item.transform[:, :3]
        lengths = np.linalg.norm(axes, axis=0)
        assert np.isfinite(item.transform).all() and lengths.min() > 0 and -1 <= item.body < len(about.elements)
        assert np.allclose(axes.T @ axes / np.outer(lengths, lengths), np.eye(3)) and np.linalg.det(axes) > 0
    assert all(np.isfinite(points).all() for points in corners(made)) and all(link.radius > 0 for link in made.links)
    big = {name: np.hstack([table[:, :3] * 1000, table[:, 3:]]) for name, table in poses.items()}
    other = made_up(*scaled(about, drawing, 1000.0), (), big)
    assert np.isclose(other.size, 1000 * made.size)
    for a, b in zip(corners(made), corners(other), strict=True):
        assert np.allclose(1000 * a, b, rtol=1e-6, atol=1e-6 * made.size)


@pytest.mark.parametrize("kind", KINDS)
def test_every_joint_has_a_symbol_that_moves_with_both_bodies(kind: str) -> None:
    about, drawing = random_system(1)
    body = next(b for b in drawing.bodies if b.joint.kind == kind)
    joint = replace(body.joint, anchor=Anchor("ground", (0, 0, 0)))
    joint = replace(joint, axes=tuple(replace(axis, anchor=joint.anchor) for axis in joint.axes))
    element = replace(about.bodies[body.name], parent="ground", mass=1.0)
    alone = Drawing((0, 0, -9.81), (replace(body, joint=joint),))
    made = made_up(replace(about, elements=(element,)), alone, [body.name])
    owners = {item.body for item in made.items if item.layer == "joints"}
    both = kind in ("prismatic", "cylindrical", "screw", "spherical", "universal", "planar")
    none = kind in ("free", "node", "weld", "building block")
    assert owners == (set() if none else {-1, 0} if both else {-1}), (kind, owners)
    assert sum(line.layer == "axes" for line in made.lines) == (0 if none and not joint.axes else len(joint.axes))


@pytest.mark.parametrize("seed", range(5))
def test_the_box_of_an_inertia_has_this_inertia(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(6, 3)) * [1, 2, 0 if seed == 0 else 0.3]
    points -= points.mean(axis=0)
    mass, J = 2.5, points.T @ points
    matrix = np.trace(J) * np.eye(3) - J
    shape = inertia_shape(mass, np.zeros(3), [matrix[i, j] for i, j in SIX])
    assert shape is not None
    squares = shape.edges**2
    own = np.diag(mass / 12 * (squares.sum() - squares))
    assert np.allclose(shape.axes @ own @ shape.axes.T, matrix) and np.isclose(np.linalg.det(shape.axes), 1)
    assert inertia_shape(0.0, np.zeros(3), [1.0] * 6) is None
    assert inertia_shape(1.0, np.zeros(3), [0.0] * 6) is None


def test_bodies_with_shapes_get_symbols_alone_and_children_differ_in_colour() -> None:
    about, drawing = random_system(3, 60)
    names = [e.name for e in about.elements]
    made = made_up(about, drawing, names)
    assert not any(item.layer == "bodies" for item in made.items) and any(item.layer == "joints" for item in made.items)
    assert not any("Translucent" in note for note in made.notes) and any("gear" in note for note in made.notes)
    assert all((made.colors[e.name] == made.colors.get(e.parent)) <= e.is_node for e in about.elements)
    assert set(made.colors.values()) <= set(PALETTE)
    assert all(item.made and item.opacity < 1 for item in made_up(about, drawing).items if item.layer == "bodies")


def test_a_long_chain_shares_its_geometries() -> None:
    joint, elements, drawn = random_joint(np.random.default_rng(0), "revolute", "ground", "0"), [], []
    for k in range(300):
        name, parent = str(k), str(k - 1) if k else "ground"
        anchor = Anchor(parent, (0.1 if k else 0.0, 0, 0))
        axes = (DrawnAxis("turn", anchor, (0, 1, 0)),)
        elements.append(BodyInfo(name, parent, "revolute", mass=0.1))
        place = replace(joint, anchor=anchor, child=Anchor(name, (0, 0, 0)), axes=axes)
        drawn.append(DrawnBody(name, (0.05, 0, 0), (0, 1e-3 / 12, 1e-3 / 12, 0, 0, 0), place))
    made = made_up(About("chain", "", tuple(elements), (), ()), Drawing((0, 0, -9.81), tuple(drawn)))
    bars = [item for item in made.items if item.layer == "bodies"]
    assert len(bars) == 300 and len({id(item.geometry) for item in made.items}) < 5
    assert np.allclose([np.linalg.norm(item.transform[:, 2]) for item in bars], 0.1)  # from joint to joint, and the tip


@pytest.mark.parametrize(
    ("x", "limits", "ends"),
    [([0.5, 7.0], None, (0.5, 7)), ([0.5], (-1, 2), (-1, 2)), ([3.0], (-1, 2), (-1, 3)), ([], (-1, 2), (-1, 2))],
    ids=["motion", "limits", "beyond limits", "no pose"],
)  # fmt: skip
def test_a_rail_reaches_as_far_as_its_slider(
    x: list[float], limits: tuple[float, float] | None, ends: tuple[float, float]
) -> None:
    anchor = Anchor("ground", (0.0, 2.0, 0.0))
    axis = DrawnAxis("slide", anchor, (1, 0, 0))
    joint = DrawnJoint("prismatic", anchor, (1, 0, 0, 0), Anchor("cart", (0, 0, 0)), (axis,))
    about = About("rail", "", (BodyInfo("cart", "ground", "prismatic", mass=1.0, limits=limits),), (), ())
    drawing = Drawing((0, 0, -9.81), (DrawnBody("cart", (0, 0, 0.5), (0, 0, 0, 0, 0, 0), joint),))
    poses = {"cart": np.array([[v, 2, 0, 1, 0, 0, 0] for v in x])} if x else {}
    made = made_up(about, drawing, (), poses)
    rails = [item for item in made.items if item.body == -1]
    points = np.vstack([item.geometry.vertices @ item.transform[:, :3].T + item.transform[:, 3] for item in rails])
    assert np.allclose([points[:, 0].min(), points[:, 0].max()], ends, atol=0.3)
    assert points[:, 0].min() < ends[0] and points[:, 0].max() > ends[1] and np.allclose(points[:, 1], 2, atol=0.1)


def solo(name: str, kind: str) -> tuple[BodyInfo, DrawnBody]:
    """A body on the ground with the inertia of a box 0.6 × 0.5 × 0.3."""
    joint = DrawnJoint(kind, Anchor("ground", (1, 0, 0)), (1, 0, 0, 0), Anchor(name, (0, 0, 0)))
    body = DrawnBody(name, (0, 0, 0), (0.34 / 12, 0.45 / 12, 0.61 / 12, 0, 0, 0), joint)
    return BodyInfo(name, "ground", kind, mass=1.0), body


def test_a_free_body_is_the_box_of_its_inertia_wherever_it_is_attached() -> None:
    info, body = solo("free", "free")
    rod = DrawnConstraint("rod", "rod", Anchor("free", (0.01, 0, 0)), Anchor("ground", (0, 0, 1)), symbol="rod")
    made = made_up(About("free", "", (info,), (), ()), Drawing((0, 0, -9.81), (body,), (), (rod,)))
    (box,) = [item for item in made.items if item.layer == "bodies"]
    assert np.allclose(np.linalg.norm(box.transform[:, :3], axis=0), (0.6, 0.5, 0.3))
    assert [link.kind for link in made.links] == ["rod"] and np.isclose(made.size, 0.6)


@pytest.mark.parametrize("first", [True, False])
def test_a_robots_base_reaches_to_the_joints_on_the_ground(first: bool) -> None:
    """Only the first body can be a base; other bodies that are welded to the ground stand alone, and joints on feet."""
    pairs = [solo("base", "weld"), solo("arm", "revolute")]
    anchor = Anchor("ground", (1, 0, 3))
    joint = replace(pairs[1][1].joint, anchor=anchor, axes=(DrawnAxis("turn", anchor, (0, 1, 0)),))
    pairs[1] = pairs[1][0], replace(pairs[1][1], joint=joint)
    infos, bodies = zip(*(pairs if first else pairs[::-1]), strict=True)
    made = made_up(About("robot", "", infos, (), ()), Drawing((0, 0, -9.81), bodies))
    base = next(k for k, info in enumerate(infos) if info.name == "base")
    highest = max(
        (item.geometry.vertices @ item.transform[:, :3].T + item.transform[:, 3])[:, 2].max()
        for item in made.items
        if item.body == base
    )
    feet = [item for item in made.items if item.body == -1]
    assert np.isclose(highest, 3.0) if first else highest < 0.5
    assert len(feet) == (1 if first else 2)  # the hinge, and a foot


@pytest.mark.parametrize(("count", "seen"), [(3, 0), (400, 400)])
def test_bars_that_are_too_thin_to_be_seen_have_a_line(count: int, seen: int) -> None:
    """Links of a chain, beside its length."""
    elements, bodies, poses = list[BodyInfo](), list[DrawnBody](), dict[str, np.ndarray]()
    for k in range(count):
        name, parent = f"link {k}", f"link {k - 1}" if k else "ground"
        elements.append(BodyInfo(name, parent, "revolute", mass=1.0))
        anchor = Anchor(parent, (0.0, 0.0, -1.0 if k else 0.0))
        axis = DrawnAxis("turn", anchor, (0, 1, 0))
        joint = DrawnJoint("revolute", anchor, (1, 0, 0, 0), Anchor(name, (0, 0, 0)), (axis,))
        bodies.append(DrawnBody(name, (0.0, 0.0, -0.5), (1 / 12, 1 / 12, 0, 0, 0, 0), joint))
        poses[name] = np.array([[0, 0, -float(k), 1, 0, 0, 0]])
    about = About("chain", "", tuple(elements), (), ())
    picture = made_up(about, Drawing((0, 0, -9.81), tuple(bodies)), poses=poses)
    lines = [line for line in picture.lines if line.layer == "bodies"]
    assert len(lines) == seen and all(np.allclose(line.points, [[0, 0, 0], [0, 0, -1]], atol=1e-9) for line in lines)
