"""Contacts that a run got wrong: shapes that overlap too much, under the weight or by impacts, in its saved states; and
shapes that went through each other between two steps."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.errors import SimulationWarning, warn
from freebody.integrate.mechanics import ContactDepths
from freebody.model.contact.contact import Contact
from freebody.model.shapes import Heightfield
from freebody.scalar.expr import Expr, sqrt
from freebody.scalar.expr import min as least_of
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.vector import components

if TYPE_CHECKING:
    from freebody.integrate.compiled_system import CompiledSystem
    from freebody.results.trajectory import RunResult
    from freebody.run.programs import RunPrograms

Array = NDArray[np.float64]
COLUMNS = 7
"""Numbers of each contact in a row."""
FIXED_STEPS = ("rk4", "contact")
SEARCHED, MOST = 100, 2000
"""So many steps, and so many times in each, are searched for shapes that went through each other."""
MUCH, LITTLE = 0.1, 0.05
"""From this part of a shape's smallest size on a warning is given, and the part for which it suggests a stiffness."""

SUDDEN = 2.2
"""A weight that is put on a spring suddenly goes down by twice the depth at which it rests; what overlaps more came
with a speed."""


def contact_depths(run: "RunPrograms") -> ContactDepths | None:
    """The program of the contacts of a model; None if there are none."""
    e, nodes = run.e, list[Node]()
    contacts = e.tree.model.contacts
    if not contacts:
        return None
    g = e.graph
    for contact in contacts.values():
        nodes += [
            e.outputs[contact.full_name("gap")][0],
            _smallest(e.graph, contact),
            _node(g, contact.material.stiffness),
            _node(g, contact.material.friction),
            *_beside(run, contact),
        ]
    mass, moving = Expr(g, g.zero), set[int]()
    for link in e.tree.links:  # parents first
        if link.free or (link.parent is not None and link.parent.index in moving):
            moving.add(link.index)
            mass = mass + link.body.spec.mass
    gravity = [Expr(g, x) for x in components(e.tree.gravity, e.tree.root)]
    nodes.append((mass * sqrt(sum((x * x for x in gravity), Expr(g, g.zero)))).handle)
    solid = any(_is_between_solids(contact) for contact in contacts.values())
    hilly = [name for name, one in contacts.items() if any(s.shape.kind == Heightfield.kind for s in one.between)]
    return ContactDepths(tuple(contacts), run.update("contact_depths", nodes), solid, tuple(hilly))


def _is_between_solids(contact: Contact) -> bool:
    """Whether both shapes have an end, so that they can go through each other."""
    return all(shape.shape.sizes for shape in contact.between)


def _node(g: Graph, value: "Expr | float") -> Node:
    return value.handle if isinstance(value, Expr) else g.const(value)


def _smallest(g: Graph, contact: Contact) -> Node:
    """The smallest size that is not 0."""
    sizes = [x for shape in contact.between for x in shape.shape.sizes if isinstance(x, Expr) or x > 0]
    nodes = [Expr(g, _node(g, x)) for x in sizes]
    return least_of(*nodes).handle if nodes else g.zero


def _beside(run: "RunPrograms", contact: Contact) -> list[Node]:
    """Where the first shape is beside the second body, along its axes; 0 beside a half space, through which nothing
    goes unseen."""
    g, motion = run.e.graph, run.e.formulation.motion
    if not _is_between_solids(contact):
        return [g.zero] * 3
    first, second = (motion.body(shape.body) for shape in contact.between)
    at = [motion.scalar(x) for x in contact.first.shape.at]
    return list(components(motion.position(second.origin, first.point(at)), second.frame))


def warn_of_contacts(compiled: "CompiledSystem", run: "RunResult") -> None:
    """Warn of materials that cannot be, of shapes that overlap much, or went through each other."""
    if not _warn_of_materials(compiled, run) and run.success:
        _warn_of_overlap(compiled, run)
    _warn_of_passing(compiled, run)


def _warn_of_materials(compiled: "CompiledSystem", run: "RunResult") -> bool:
    """Warn of a size, stiffness or friction that is negative in the run; whether there is one."""
    found = compiled.mechanics.contact_depths(run.t[:1], run.x[:1], _first(run.held_rows))
    if found is None or not len(run):
        return False
    names, rows = found
    values = rows[0, :-1].reshape(-1, COLUMNS)
    for name, (_, size, stiffness, friction, *_) in zip(names, values.tolist(), strict=True):
        if size < 0:
            warn(
                f"{run.about.system}: at contact '{name}' a size of the shapes is {size:.3g} m with the parameters of"
                " this run, so that they touch where they should not. It must be positive: give other parameters={…}",
                SimulationWarning,
            )
            return True
        if stiffness > 0 and friction >= 0:
            continue
        wrong = f"stiffness is {stiffness:.3g} N/m" if stiffness <= 0 else f"friction is {friction:.3g}"
        must = "be positive" if stiffness <= 0 else "not be negative"
        warn(
            f"{run.about.system}: at contact '{name}' the {wrong} with the parameters of this run, so that its forces"
            f" have the wrong direction. It must {must}: give other parameters={{…}}",
            SimulationWarning,
        )
        return True
    return False


def _first(rows: "Array | None") -> "Array | None":
    return None if rows is None else rows[:1]


def _warn_of_passing(compiled: "CompiledSystem", run: "RunResult") -> None:
    """Warn of shapes that overlap between two ends of steps at which they are apart. Those whose way is shorter than
    the gaps at both ends together cannot have met."""
    t, x, depths = run.knots.t, run.knots.x, compiled.mechanics.programs.contacts.value
    if depths is None or not depths.between_solids or len(t) < 2:
        return
    found = compiled.mechanics.contact_depths(t, x, None)
    if found is None:
        return
    names, rows = found
    values = rows[:, :-1].reshape(len(rows), -1, COLUMNS)
    gaps, sizes, places = values[:, :, 0], values[0, :, 1], values[:, :, 4:]
    ways = np.linalg.norm(np.diff(places, axis=0), axis=2)
    apart = np.minimum(gaps[1:], gaps[:-1])
    missed = (apart > 0) & (ways > gaps[1:] + gaps[:-1]) & (ways > sizes)
    for k, c in np.argwhere(missed)[:SEARCHED].tolist():
        count = int(min(4 * ways[k, c] / sizes[c], MOST)) + 2
        between = np.linspace(t[k], t[k + 1], count)[1:-1]
        inside = compiled.mechanics.contact_depths(between, run.sol(between).T, None)
        assert inside is not None
        if not inside[1][:, COLUMNS * c].min() < -MUCH * sizes[c]:
            continue
        option = "step" if run.statistics.method in FIXED_STEPS else "max_step"
        step = _rounded(float(abs(t[k + 1] - t[k]) * sizes[c] / ways[k, c])) / 2
        warn(
            f"{run.about.system}: at contact '{names[c]}' the shapes went through each other between t = {t[k]:.6g} and"
            f" {t[k + 1]:.6g} s, within one step: they move by {ways[k, c]:.3g} m in it, and are {sizes[c]:.3g} m"
            f" thick. Run it with {option}={step:.1g}",
            SimulationWarning,
        )
        return


def _warn_of_overlap(compiled: "CompiledSystem", run: "RunResult") -> None:
    """Warn of the contact that overlaps most, as a part of the size of its shapes."""
    found = compiled.mechanics.contact_depths(run.t, run.x, run.held_rows)
    if found is None or not len(run):
        return
    names, rows = found
    weight, values = float(rows[0, -1]), rows[:, :-1].reshape(len(rows), -1, COLUMNS)
    depths, sizes, stiffness = -values[:, :, 0], values[0, :, 1], values[0, :, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(sizes > 0, depths / sizes, 0.0)
    if not np.nanmax(parts, initial=0.0) > MUCH:
        return
    when, worst = np.unravel_index(int(np.nanargmax(parts)), parts.shape)
    depth, size, k = float(depths[when, worst]), float(sizes[worst]), float(stiffness[worst])
    others = int(np.sum(np.nanmax(parts, axis=0) > MUCH)) - 1
    more = f" (and {others} more contact{'s' * (others > 1)} likewise)" if others else ""
    at_rest = weight / k
    if when == 0 and depth > at_rest:
        why = f"the run starts like this; start with the shapes {depth:.2g} m farther apart"
    elif at_rest > MUCH * size and depth <= SUDDEN * at_rest:
        better = weight / (LITTLE * size)
        why = f"its stiffness {k:.3g} N/m is too low for the weight of {weight:.3g} N; use {_rounded(better):.3g} N/m"
    else:
        better = k * (depth / (LITTLE * size)) ** 2
        why = f"the impact needs about {_rounded(better):.3g} N/m instead of {k:.3g} N/m to stay below {LITTLE:.0%}"
        why += f" (the weight of {weight:.3g} N alone makes {at_rest:.2g} m)" if weight > 0 else ""
    warn(
        f"{run.about.system}: at contact '{names[worst]}' the shapes overlap by {depth:.3g} m at t = {run.t[when]:.4g}"
        f" s, {depth / size:.0%} of their smallest size{more}: {why}",
        SimulationWarning,
    )


def _rounded(value: float) -> float:
    """A number with one digit, not below the value."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(np.ceil(value / power - 1e-9) * power)
