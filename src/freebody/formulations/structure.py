"""Entries of the equations of motion by name: "mass(arm, elbow)", "bias(arm)", "gravity(arm)", "jacobian(tip.x, arm)".
They are nodes of the passes over the tree; nothing is inverted."""

from typing import TYPE_CHECKING

from freebody.errors import ModelError, choices
from freebody.model.structure_names import StructureName
from freebody.scalar.derivative import jacobian
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.vector import components
from freebody.tree.tree import require_joints
from freebody.tree.weight import holding_forces

if TYPE_CHECKING:
    from freebody.formulations.derivation import Derivation

XYZ = ("x", "y", "z")


def structure_node(e: "Derivation", name: str) -> Node:
    """The node that a name of this kind stands for, in the model's speeds."""
    parsed, layout = StructureName.of(name), e.layout
    context = f"system '{e.tree.model.name}': {name}"
    if not e.has_standard_speeds or e.small:
        raise ModelError(
            f"{context} needs the standard speeds and whole equations: derive without speeds=… and small=…"
        )
    for speed in parsed.speeds:
        if speed not in layout.u:
            raise ModelError(f"{context}: '{speed}' is not a free speed; {choices(list(layout.u))}")
    rows, stored = [layout.u.index(speed) for speed in parsed.speeds], e.memo.get("structure", dict[str, list[Node]])
    if parsed.what == "mass":
        return e.mass.get((max(rows), min(rows)), e.graph.zero)
    key = parsed.output or parsed.what
    if key not in stored:
        stored[key] = output_jacobian(e, key, context) if parsed.output else FORCES[key](e)
    return stored[key][rows[0]]


def bias(e: "Derivation") -> list[Node]:
    """f of M u̇ = f + tau where the inputs are 0."""
    symbols = [e.graph.named(name) for name in e.layout.user_inputs]
    return substitute(e.graph, e.force, {h: e.graph.zero for h in symbols if h is not None})


def gravity(e: "Derivation") -> list[Node]:
    """The generalised forces of the bodies' weight."""
    require_joints(e.tree, "gravity", "use bias(…)")
    return [e.graph.neg(h) for h in holding_forces(e.formulation.motion, e.formulation.inertias)]


def output_jacobian(e: "Derivation", output: str, context: str) -> list[Node]:
    """∂y/∂u of an output that depends on speeds; of others ∂ẏ/∂u = ∂y/∂q N."""
    g, u, q = e.graph, e.layout.u_handles, e.layout.q_handles
    node = _output(e, output, context)
    if g.mask[node] & Kind.ACCELERATION:
        raise ModelError(f"{context}: output '{output}' depends on accelerations, or on entries of the equations")
    if g.mask[node] & Kind.SPEED:
        entries = jacobian(g, [node], u)
        return [entries.get((0, j), g.zero) for j in range(len(u))]
    slopes, total = jacobian(g, [node], q, "reverse"), [g.zero] * len(u)
    for (i, j), rate in jacobian(g, e.q_dot, u).items():
        if (0, i) in slopes:
            total[j] = g.add(total[j], g.mul(slopes[0, i], rate))
    return total


def _output(e: "Derivation", output: str, context: str) -> Node:
    """A scalar output, or a component of a vector."""
    every = e.tree.model.outputs
    name, _, component = output.rpartition(".")
    if output in every and not every[output].is_vector:
        handle: Node = every[output].value.handle
        return handle
    if name in every and every[name].is_vector and component in XYZ:
        return components(e.tree.placed.vector(every[name].value), e.tree.root)[XYZ.index(component)]
    known = [n for one, o in every.items() for n in ([f"{one}.{c}" for c in XYZ] if o.is_vector else [one])]
    raise ModelError(f"{context}: there is no scalar output '{output}'; {choices(known)}")


FORCES = {"bias": bias, "gravity": gravity}
