"""The linear system of the stages of ``method="esdirk54"``, solved by articulated bodies, as programs of a tree.

Of the Jacobian of ẋ it has the parts that springs, dampers and drives of joints contribute to their own speeds: with
k = −∂τ/∂q and d = −∂τ/∂u of the generalised force τ of each joint (negative ones count as 0), a = G d + G² k, and
q̇ = N u,

    [ 1      −G N     ] [Uq]   [Rq   ]        Uu = Ru − (M + a)⁻¹ (a Ru + G k Rq)
    [ G k    M + G d  ] [Uu] = [M Ru ]   ⇒    Uq = Rq + G N Uu

and M + a is the mass matrix of the same tree whose joints have rotors of the inertia a, which articulated bodies invert
in O(n) operations (R. Featherstone: Rigid Body Dynamics Algorithms, chapter 7). An extra state z has its
own −∂ż/∂z. All else of the Jacobian is left to Newton's iteration.
"""

from dataclasses import replace

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.derivation import Derivation
from freebody.hybrid.system import StageSystem
from freebody.integrate.esdirk import ESDIRK54
from freebody.program.assemble import Assembly
from freebody.program.ldl import Entry
from freebody.program.program import Group
from freebody.program.stage import stage
from freebody.quantities.derivatives import coordinates_of_speeds
from freebody.run.programs import RunPrograms
from freebody.scalar.derivative import jacobian
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import symbols_of
from freebody.tree.joint_forces import joint_forces

FACTOR = "factor"


def recursive_stages(run: RunPrograms) -> StageSystem:
    """The programs of the linear system. ``entries`` are what the mass matrix depends on, and k, d and −∂ż/∂z; what of
    the solution depends on these and on G alone is the ``factor``."""
    _check(run)
    e, g = run.e, run.e.graph
    nq, nu, nz = len(e.layout.q), len(e.layout.u), len(e.layout.z)
    try:
        decay = _Decay(run)
    except ExpressionError as error:
        raise ArgumentError(
            f"{_context(run)} needs the derivatives of each joint's force by its coordinates and speeds: {error}. Write"
            " it as a text or a table, give its derivatives by fb.callback(…, derivative=…), or use method='radau'"
        ) from error
    entries = Assembly("entries", run.graph, run.groups(run.graph))
    groups = e.groups()
    known = [h for group in groups.values() for h in group]
    entries.output("entries", [*run.insert_laws(known), *decay.nodes] or [run.graph.zero])

    symbols = [g.symbol(f"decay.{i}", Kind.PARAMETER) for i in range(len(decay.nodes))]
    G = g.symbol("setting.G", Kind.PARAMETER)
    settings = [G, g.symbol("setting.time", Kind.PARAMETER)]
    right = [g.symbol(f"right.{i}", Kind.STATE) for i in range(nq + nu + nz)]
    Rq, Ru, Rz = right[:nq], right[nq : nq + nu], right[nq + nu :]
    a = Assembly("solve", g, {"entries": [*known, *symbols], "settings": settings, "right": right})

    def number(x: Node | float) -> Node:
        return g.const(x) if isinstance(x, float) else symbols[x]

    k, d = ([number(x) for x in some] for some in (decay.by_q, decay.by_u))
    added = [g.mul(G, g.add(dj, g.mul(G, kj))) for dj, kj in zip(d, k, strict=True)]
    tau = [g.mul(x, r) for x, r in zip(added, Ru, strict=True)]
    for j, i in decay.coordinates.items():
        tau[j] = g.add(tau[j], g.mul(g.mul(G, k[j]), Rq[i]))
    w = e.with_added_inertia(a, tau, added) if nu else []
    Uu = [g.sub(r, x) for r, x in zip(Ru, w, strict=True)]
    rates = list(Rq)
    for (i, j), N in decay.N.items():
        rates[i] = g.add(rates[i], g.mul(g.mul(G, N), Uu[j]))
    Uz = [g.div(r, g.add(g.one, g.mul(G, number(x)))) for r, x in zip(Rz, decay.by_z, strict=True)]
    a.output("increments", [*rates, *Uu, *Uz])
    program = a.program()
    fixed = tuple(replace(x, mask=x.mask if x.name == "right" else PARAMETERS_ONLY) for x in program.groups)
    staged = stage(replace(program, groups=fixed), FACTOR)
    factor, solve = staged.setup, staged.main
    if factor is None:  # nothing depends on these numbers alone
        alone = Assembly(FACTOR, g, {"entries": [*known, *symbols], "settings": settings})
        alone.output(FACTOR, [G])
        factor = alone.program()
        solve = replace(solve, groups=(*fixed[:2], Group(FACTOR, (FACTOR,), PARAMETERS_ONLY), *fixed[2:]))
    return StageSystem(None, entries.program(), factor, solve)


class _Decay:
    """k by ``by_q``, d by ``by_u``, −∂ż/∂z by ``by_z``: numbers, or indices of ``nodes`` of the run's graph; each is 0
    where it would be negative. ``N`` is ∂q̇/∂u, in the graph of the equations; ``coordinates`` are those whose rates
    are one speed, by this. Python functions in laws of inputs whose derivatives are not known are left to Newton's
    iteration."""

    def __init__(self, run: RunPrograms) -> None:
        e, self.nodes, self._run = run.e, list[Node](), run
        inputs = dict(zip(e.layout.inputs, e.groups()["inputs"], strict=True))
        self._driven = {inputs[name]: law for name, law in run.laws.items()}
        self.N, places = dict[Entry, Node](), {h: j for j, h in enumerate(e.layout.u_handles)}
        for i, rate in enumerate(e.q_dot):  # one by one, since most of them are a speed
            own = [h for h in symbols_of(e.graph, [rate]) if h in places]
            self.N |= {(i, places[own[j]]): h for (_, j), h in jacobian(e.graph, [rate], own).items()}
        self.coordinates = coordinates_of_speeds(e.graph, self.N)
        forces, q, nq, nu = joint_forces(e.tree), e.layout.q_handles, len(e.layout.q), len(e.layout.u)
        self.by_q: list[Node | float] = [0.0] * nu
        for j, i in self.coordinates.items():
            self.by_q[j] = self._decay(forces[j], q[i], i)
        speeds, states = (e.groups()[name] for name in ("u", "z"))
        self.by_u = [self._decay(f, u, nq + j) for j, (f, u) in enumerate(zip(forces, speeds, strict=True))]
        rates = enumerate(zip(e.state_rates, states, strict=True))
        self.by_z = [self._decay(f, z, nq + nu + j) for j, (f, z) in rates]

    def _decay(self, force: Node, x: Node, place: int) -> Node | float:
        """max(−∂force/∂x, 0), with the laws of inputs; ``place`` is that of x in the state."""
        run, g = self._run, self._run.graph
        partials = jacobian(run.e.graph, [force], [x, *self._driven])
        columns = {j: run.insert_laws([h])[0] for (_, j), h in partials.items()}
        slope = columns.pop(0, g.zero)
        for j, by_input in columns.items():
            law = [*self._driven.values()][j - 1]
            slope = g.add(slope, g.mul(by_input, self._slope(law, run.groups(g)["x"][place])))
        number = g.number(slope)
        if number is not None:
            return max(-float(number), 0.0)
        minus = g.neg(slope)
        self.nodes.append(g.where(g.less(g.zero, minus), minus, g.zero))
        return Node(len(self.nodes) - 1)

    def _slope(self, law: Node, x: Node) -> Node:
        """∂law/∂x, 0 where it is not known."""
        g = self._run.graph
        try:
            return jacobian(g, [law], [x]).get((0, 0), g.zero)
        except ExpressionError:
            return g.zero


def _context(run: RunPrograms) -> str:
    return f"{run.e.tree.model.name}: method='{ESDIRK54.name}'"


def lacking(e: Derivation) -> str:
    """Why articulated bodies cannot solve the stages of a system; empty if they can."""
    if e.tree.model.constraints:
        return "is for trees, without constraints that close loops"
    flexible = [link.body.spec.described.name for link in e.tree.links if link.is_flexible]
    if flexible:
        return (
            "is for rigid bodies: its Jacobian lacks the inertia terms of modes, which are stiff too"
            f" ('{flexible[0]}' is flexible)"
        )
    if not e.has_standard_speeds or e.small:
        return "needs equations in the model's own speeds, which are not linearised"
    return ""


def _check(run: RunPrograms) -> None:
    """Raise an ArgumentError for what needs another Jacobian."""
    if why := lacking(run.e):
        instead = "'radau' or 'cvode'" if run.e.is_cheaper else "'rodas5p'"
        raise ArgumentError(f"{_context(run)} {why}; use method={instead}")
