"""Which equations of constraints follow from the others: the rank of G at several assembled states.

A row is left out if its row of G is the same sum of rows before it at every assembled state, also at other times, and a
sum of them with other values of the parameters. A planar loop that is closed by a revolute joint keeps two of five rows
in this way. Where the sum changes with the position, as in a loop of four hinges in space, or where there is one only
for certain lengths, the row is kept: at some position those before it may depend on each other, and this row is needed.
The elimination guards its pivot (``mass_matrix.guarded_inverse``). ``rank`` is that for the parameters' own values.
Rows of a constraint that can be switched are compared with its own and with those of constraints that always hold, at
states where these are assembled; other rows are not compared with them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError
from freebody.model.model import Model
from freebody.names import Q
from freebody.scalar.derivative import gradient
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import float_function, somewhere, symbols_of
from freebody.tree.assembled_samples import (
    DEPENDENT,
    FLAT,
    SAMPLES,
    AssembledSample,
    NotFiniteError,
    Sampler,
    stands_out,
)
from freebody.tree.assembly import initial_coordinates, least_squares_step
from freebody.tree.constraint_groups import linked_constraints, sampled_rows
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations, RowKey
from freebody.tree.freedoms import ConstraintFreedoms, dense_freedoms, sparse_freedoms, sparse_step
from freebody.tree.motion import Motion
from freebody.tree.sampled_rows import ZERO, SampledRow, changes
from freebody.tree.tree import Tree, span

Array = NDArray[np.float64]
ASIDE, FURTHER, VIOLATED = 1e-2, (0.3, 0.1), 1e-7
"""Displacements (in rad, or in m) along which the independent equations hold to their squares, the second ones for
equations whose derivatives vanish; and the residual, where they hold again, of an equation that does not follow from
them."""

WORK, LARGE = 50 * 150**2, 150
"""Of groups with more constraints times squares of speeds than the first, or more speeds than the second, only rows
that no speed changes are left out."""

EXTREME = 1e140
"""Derivatives of equations must be smaller, and larger than 1 over this: their squares are computed."""

POOR = 1e-3
"""What is left of a row (of length 1) that nearly depends on others."""

UNCHANGED = "no speed changes it"
NAMED = 1e-6
"""The relative size of terms that are named in the reason why a row is left out."""


@dataclass(frozen=True)
class RowDependence:
    """The rows that are left out, with the reason, by key; ``exchanged`` has those of closures in their other form.
    ``names`` are those of the multipliers of all rows. ``redundant`` are rows that are kept although they follow from
    others at the assembled states, with the reason. ``guarded`` are those that vanish there, and not for other values
    of parameters: with the size of entries of G that is rounding. ``sizes`` are those of the terms of rows that no
    speed changes. ``groups`` are constraints that restrict common speeds."""

    model: Model
    omitted: Mapping[RowKey, str]
    names: Mapping[RowKey, str]
    redundant: Mapping[RowKey, str]
    guarded: Mapping[RowKey, float]
    sizes: Mapping[RowKey, float]
    groups: "Sequence[_Group]"

    def reason(self, key: RowKey) -> str:
        """Why a row is left out in some form; empty if it is not."""
        return self.omitted.get(key) or self.exchanged.omitted.get(key, "")

    @cached_property
    def exchanged(self) -> "RowDependence":
        """The same where the equations of all closures are exchanged."""
        return _analyse(self.model, exchanged=True)

    @property
    def freedoms(self) -> Sequence[ConstraintFreedoms]:
        """What the constraints of each group leave free."""
        return [group.freedoms for group in self.groups]

    @property
    def rank(self) -> int:
        """The rank of G at assembled states with the parameters' own values."""
        return sum(one.rank for one in self.freedoms)

    @property
    def determined(self) -> tuple[str, ...]:
        """The speeds that the constraints leave no freedom."""
        names = self.groups[0].tree.layout.u if self.groups else ()
        return tuple(names[k] for k in sorted(k for one in self.freedoms for k in one.determined))

    @cached_property
    def undetermined(self) -> list[list[RowKey]]:
        """For each group with rows that follow from others, the rows whose multipliers the motion does not
        determine."""
        dependent = {key for key, reason in self.omitted.items() if reason != UNCHANGED} | self.redundant.keys()
        names = {key.constraint for key in dependent}
        examined = (k for k, group in enumerate(self.groups) if group.is_large or not names.isdisjoint(group.names))
        return [rows for k in examined if (rows := self.groups[k].freedoms.undetermined)]

    @property
    def states(self) -> list[dict[str, float]]:
        """Assembled states with the parameters' own values, by symbol."""
        if not self.groups:
            return []
        tree = self.groups[0].tree
        base = dict(zip((Q(name) for name in tree.layout.q), initial_coordinates(tree).tolist(), strict=True))
        base |= {name: float(x) for name, x in tree.model.parameters.items()} | tree.model.held | {"t": 0.0}
        freedoms = self.freedoms
        states = [dict(base) for _ in range(max(len(one.states) for one in freedoms))]
        for one in freedoms:
            for k, state in enumerate(states if one.states else ()):
                state |= one.states[k % len(one.states)]
        return states


_results: WeakKeyDictionary[Model, RowDependence] = WeakKeyDictionary()


def omitted_rows(model: Model, exchanged: Collection[str] = ()) -> list[RowKey]:
    """The rows that are left out."""
    if not model.constraints:
        return []
    result = dependence(model)
    omitted = [key for key in result.omitted if key.constraint not in exchanged]
    return omitted + ([key for key in result.exchanged.omitted if key.constraint in exchanged] if exchanged else [])


def row_count(model: Model) -> int:
    """The number of equations of constraints that are not left out, counted without deriving them again."""
    return len(dependence(model).names) - len(omitted_rows(model)) if model.constraints else 0


def guarded_rows(model: Model, exchanged: Collection[str] = ()) -> dict[RowKey, float]:
    """The rows that vanish for some values of parameters, with the size of entries of G that is rounding."""
    if not model.constraints:
        return {}
    result = dependence(model)
    guarded = {key: x for key, x in result.guarded.items() if key.constraint not in exchanged}
    others = result.exchanged.guarded if exchanged else {}
    return guarded | {key: x for key, x in others.items() if key.constraint in exchanged}


def degrees_of_freedom(tree: Tree) -> int:
    """The number of speeds less the rank of G."""
    return len(tree.layout.u) - (dependence(tree.model).rank if tree.model.constraints else 0)


def dependence(model: Model) -> RowDependence:
    """Which rows of a model's constraints depend on others; computed once for each model."""
    if model not in _results:
        try:
            _results[model] = _analyse(model)
        except (NotFiniteError, OverflowError):
            raise ModelError(
                f"system '{model.name}': the equations of its constraints ({', '.join(model.constraints)[:80]}) have no"
                " finite values near the initial coordinates: look for positions and lengths of impossible size, and"
                " for expressions without a value there"
            ) from None
    return _results[model]


def independent_rows(model: Model, speeds: Sequence[int]) -> list[RowKey]:
    """The rows that are not left out whose parts along some of the speeds are independent, at every assembled state
    that is tried; none if there is no such state. Constraints that are released count too."""
    omitted, result = omitted_rows(model), list[RowKey]()
    for group in dependence(model).groups:
        sampler, among = group.sampler, [i for i, k in enumerate(group.speeds) if k in set(speeds)]
        samples = sampler.nominal(group.always)
        if group.engaged != group.always:
            samples = samples + sampler.nominal(group.engaged)
        bases = [np.zeros((0, len(among))) for _ in samples]
        for k, key in enumerate(sampler.forms[False].rows):
            rows = [sample.G[False][k, among] for sample in samples]
            rests = [row - (row @ basis.T) @ basis for row, basis in zip(rows, bases, strict=True)]
            sizes = [float(np.linalg.norm(rest)) for rest in rests]
            if sizes and min(sizes) > FLAT and key not in omitted:
                result.append(key)
                each = zip(bases, rests, sizes, strict=True)
                bases = [np.vstack([basis, rest / size]) for basis, rest, size in each]
    order = {key: k for k, key in enumerate(dependence(model).names)}
    return sorted(result, key=order.__getitem__)


@np.errstate(all="ignore")  # numbers that are not finite are an error
def _analyse(model: Model, exchanged: bool = False) -> RowDependence:
    """The rows that are left out: those of closures as they are, or ``exchanged`` and compared with those of other
    constraints as they are."""
    tree, forms = span(model), (False, True) if exchanged else (False,)
    motion, sampled = Motion(tree), sampled_rows(tree, forms)
    omitted: dict[bool, dict[RowKey, str]] = {form: {} for form in forms}
    for form, by_name in sampled.items():
        for name, rows in by_name.items():
            omitted[form] |= {RowKey(name, k): UNCHANGED for k, row in enumerate(rows) if not row.changed}
    names, sizes, redundant = dict[RowKey, str](), dict[RowKey, float](), dict[RowKey, str]()
    for name, rows in sampled[False].items():
        for k, row in enumerate(rows):
            names[RowKey(name, k)] = f"{name}.{row.label}" if row.label else name
            sizes |= {} if row.changed else {RowKey(name, k): row.size}
    unchanged = {form: set(keys) for form, keys in omitted.items()}
    _require_constant(motion, unchanged[False])
    groups = [_Group(motion, some, speeds, unchanged) for some, speeds in linked_constraints(motion)]
    for group in groups:
        group.require_derivatives()
        if not group.is_large:
            group.leave_out(omitted, redundant)
    guarded = _guarded(tree, exchanged, sampled[exchanged], redundant)
    return RowDependence(model, omitted[exchanged], names, redundant, guarded, sizes, groups)


def _guarded(
    tree: Tree, form: bool, sampled: Mapping[str, Sequence[SampledRow]], redundant: Mapping[RowKey, str]
) -> dict[RowKey, float]:
    """The rows that vanish with the parameters' own values, or at the assembled states, and not with other values."""
    nominal = sampled_rows(tree, (form,), spread=0.0)[form] if tree.model.parameters else sampled
    return {
        RowKey(name, k): ZERO * row.size
        for name, rows in sampled.items()
        for k, row in enumerate(rows)
        if row.changed and (not nominal[name][k].changed or redundant.get(RowKey(name, k)) == UNCHANGED)
    }


def _require_constant(motion: Motion, unchanged: Collection[RowKey]) -> None:
    """Raise for expressions whose value changes although no speed changes it: no force can keep them at zero."""
    g, model = motion.graph, motion.tree.model
    for name in dict.fromkeys(key.constraint for key in unchanged):
        if not model.constraints[name].expressions:
            continue
        equations = ConstraintEquations(motion, only=[name])
        for key, residual, velocity in zip(equations.rows, equations.residuals, equations.velocities, strict=True):
            node = velocity if residual is None else residual
            if key not in unchanged or not g.mask[node] & Kind.COORDINATE:
                continue
            if (residual is not None and _is_step(g, node)) or changes(g, node, model):
                raise ModelError(
                    f"system '{model.name}': constraint '{name}' changes where its derivatives are zero, as floor and"
                    " sign do, so that no force can keep it. Write an equation whose derivatives by the coordinates are"
                    " not zero, such as q.a - q.b, or let an event switch a constraint"
                )


def _is_step(g: Graph, node: Node) -> bool:
    """Whether a node depends on coordinates while all its derivatives are the number zero."""
    symbols = [h for h in symbols_of(g, [node]) if g.symbols[g.a[h]].kind is Kind.COORDINATE]
    return bool(symbols) and all(map(g.vanishes, gradient(g, node, symbols)))


class _Group:
    """Constraints that restrict common ``speeds``, and the equations of these alone: what else is in the model changes
    nothing here."""

    def __init__(
        self, motion: Motion, names: Sequence[str], speeds: Sequence[int], unchanged: Mapping[bool, Collection[RowKey]]
    ) -> None:
        self.motion, self.tree = motion, motion.tree
        self.names, self.speeds, self.unchanged = names, speeds, unchanged
        constraints = self.tree.model.constraints
        self.always = [name for name in names if constraints[name].engaged is None]
        self.engaged = [name for name in names if constraints[name].engaged is not False]
        self._nominal = dict[tuple[str, ...], list[AssembledSample]]()
        self.is_large = len(speeds) > LARGE or len(names) * len(speeds) ** 2 > WORK

    @cached_property
    def sampler(self) -> Sampler:
        forms = {False: CANONICAL}
        if True in self.unchanged and not self.is_large:
            forms[True] = ClosureForms(frozenset(self.names))
        equations = {k: ConstraintEquations(self.motion, (), form, only=self.names) for k, form in forms.items()}
        step = sparse_step if self.is_large else least_squares_step
        return Sampler(self.tree, equations, self.speeds, self.unchanged, step)

    def nominal(self, constraints: Sequence[str]) -> list[AssembledSample]:
        """Samples with the parameters' own values where some constraints hold, at regular positions; raises where there
        are only such that the parts cannot leave although they are not held there."""
        key = tuple(constraints)
        if key not in self._nominal:
            samples = self.sampler.nominal(constraints)
            self._nominal[key] = samples if self.is_large else _regular(self.sampler, constraints, samples)
        return self._nominal[key]

    def leave_out(self, omitted: Mapping[bool, dict[RowKey, str]], redundant: dict[RowKey, str]) -> None:
        """Add the rows that follow from others, and those that do so at the assembled states only."""
        sampler = self.sampler
        _leave_out(sampler, self.nominal(self.always), self.always, omitted, redundant)
        for name in (name for name in self.names if name not in self.always):
            some = [*self.always, name]
            _leave_out(sampler, self.nominal(some), some, omitted, redundant)

    def require_derivatives(self) -> None:
        """Raise for expressions whose derivatives are so large or so small that their squares are not finite."""
        model, g = self.tree.model, self.tree.graph
        expressions = [n for n in self.names if model.constraints[n].expressions]
        if not expressions:
            return
        equations = ConstraintEquations(self.motion, only=expressions)
        for key, row in equations.rows.items():
            entries = [x for x in equations.forces_of(row).values() if not g.vanishes(x)]
            largest = _largest(g, entries, self.tree)
            if key not in self.unchanged[False] and largest and not 1 / EXTREME < largest < EXTREME:
                raise ModelError(
                    f"system '{model.name}': the derivatives of constraint '{key.constraint}' are of the size"
                    f" {largest:.0e}, and their squares cannot be computed. Divide the equation by such a number, so"
                    " that its derivatives are near 1"
                )

    @cached_property
    def freedoms(self) -> ConstraintFreedoms:
        """What the constraints that are engaged at the start leave free."""
        samples = self.nominal(self.engaged) or self.sampler.nominal(self.engaged)
        count = sparse_freedoms if self.is_large else dense_freedoms
        return count(self.sampler, self.engaged, samples)


def _largest(g: Graph, entries: Sequence[Node], tree: Tree) -> float:
    """The largest magnitude of some nodes at random states with the parameters' own values; 0 where none is finite."""
    largest = 0.0
    for seed in range(SAMPLES if entries else 0):
        draw = somewhere(seed)
        known = {h: float(draw(g.symbols[g.a[h]].name)) for h in symbols_of(g, entries)}
        known |= {h: float(x) for name, x in tree.model.parameters.items() if (h := g.named(name)) is not None}
        sizes = np.abs(float_function(g, entries)(known))
        largest = max(largest, float(sizes[np.isfinite(sizes)].max(initial=0.0)))
    return largest


def _regular(sampler: Sampler, constraints: Sequence[str], samples: Sequence[AssembledSample]) -> list[AssembledSample]:
    """The samples that are regular positions, or else regular positions nearby. Raises for a position that the parts
    cannot leave although an equation does not hold them there."""
    violated = [_violated(sampler, constraints, sample) for sample in samples]
    left = list[AssembledSample]()
    for sample, k in zip(samples, violated, strict=True):
        if k is None:
            continue
        other = sample.escape(k)
        if other is None and not any(stands_out(one.G[False], k) for one in samples):
            raise ModelError(_violation(sampler, constraints, sample, k))
        if None not in violated and not left:
            found = _led(sampler, constraints, sample) or _furthest(sampler, constraints, other or sample)
            left = [] if found is None else [found]
    regular = [sample for sample, k in zip(samples, violated, strict=True) if k is None]
    return regular or left


def _led(sampler: Sampler, constraints: Sequence[str], sample: AssembledSample) -> AssembledSample | None:
    """A regular position to which one of the speeds leads from the initial coordinates. The first ones are tried first:
    bodies near the ground lead others, while a body far out may leave those before it in singular positions."""
    for k in range(len(sampler.speeds)):
        other = sample.led(k)
        if other is not None and _violated(sampler, constraints, other) is None:
            return other
    return None


def _furthest(sampler: Sampler, constraints: Sequence[str], sample: AssembledSample) -> AssembledSample | None:
    """A regular position that is reached from a singular one by leaving it for one of higher rank again and again."""
    k, rank = _violated(sampler, constraints, sample), -1
    while k is not None and sample.rank > rank:
        rank, other = sample.rank, sample.escape(k)
        if other is not None:
            sample, k = other, _violated(sampler, constraints, other)
    return sample if k is None else None


def _leave_out(
    sampler: Sampler,
    nominal: Sequence[AssembledSample],
    constraints: Sequence[str],
    omitted: Mapping[bool, dict[RowKey, str]],
    redundant: dict[RowKey, str],
) -> None:
    """Add to ``omitted`` the rows of constraints that are the same sum of those before them at all samples with the
    parameters' own values, and a sum of them with other values. Where the parts do not fit with other values, nothing
    is added. Other rows that depend on those before them are ``redundant``."""
    varied = [one for one in sampler.varied(constraints) if _violated(sampler, constraints, one) is None]
    samples, certain = [*nominal, *varied], bool(varied) or not sampler.varies
    names = sampler.forms[False].names_by_row
    bases, kept = [np.zeros((0, len(sampler.speeds))) for _ in samples], dict[RowKey, bool]()
    late = _nearly_dependent(sampler, samples, constraints)
    for last, name in [(False, n) for n in constraints] + [(True, n) for n in constraints if late] if nominal else ():
        for form in (False,) if last else sorted(sampler.forms, reverse=True):  # the last one extends the bases
            extended, before = list(bases), dict(kept)
            for k, key in sampler.rows_of(name, form):
                if omitted[form].get(key) == UNCHANGED or (not form and (key in late) is not last):
                    continue
                rests = [_rest(base, sample.G[form][k]) for base, sample in zip(extended, samples, strict=True)]
                if all(rest is None for rest in rests[: len(nominal)]):
                    sums = [_Combination(sampler, sample, form, k, before) for sample in nominal]
                    if certain and all(rest is None for rest in rests) and _same(sums):
                        omitted[form].setdefault(key, _reason(sums, names))
                        continue
                    if not form and key not in omitted[form]:
                        redundant[key] = _reason(sums, names)
                before[key] = form
                extended = [b if r is None else np.vstack([b, r]) for b, r in zip(extended, rests, strict=True)]
        bases, kept = extended, before


def _nearly_dependent(sampler: Sampler, samples: Sequence[AssembledSample], constraints: Sequence[str]) -> set[RowKey]:
    """Rows of which little is left outside those before them at some sample. They are examined behind all others: where
    another row determines the same motion, that one is the better to keep."""
    bases, result = [np.zeros((0, len(sampler.speeds))) for _ in samples], set[RowKey]()
    for k, key in (pair for name in constraints for pair in sampler.rows_of(name, False)):
        rows = [sample.G[False][k] for sample in samples]
        rests, clear = ([_rest(*pair, size) for pair in zip(bases, rows, strict=True)] for size in (DEPENDENT, POOR))
        if any(some is not None and other is None for some, other in zip(rests, clear, strict=True)):
            result.add(key)
        else:
            bases = [b if r is None else np.vstack([b, r]) for b, r in zip(bases, rests, strict=True)]
    return result


def _split(
    sampler: Sampler, constraints: Collection[str], sample: AssembledSample
) -> tuple[Array, list[int], list[int]]:
    """Orthonormal rows that span those of constraints at a sample, and the indices of rows that are independent of
    those before them, and of the others."""
    G, keys = sample.G[False], list(sampler.forms[False].rows)
    base, independent, others = np.zeros((0, G.shape[1])), list[int](), list[int]()
    for k in (k for k, key in enumerate(keys) if key.constraint in constraints and k not in sampler.unchanged):
        rest = _rest(base, G[k])
        if rest is not None:
            base = np.vstack([base, rest])
        (others if rest is None else independent).append(k)
    return base, independent, others


def _is_flat(sampler: Sampler, sample: AssembledSample, k: int) -> bool:
    """Whether a row is an expression whose derivatives vanish at a sample."""
    return not sampler.on_bodies[k] and bool(np.abs(sample.G[False][k]).max(initial=0.0) <= DEPENDENT)


def _violated(sampler: Sampler, constraints: Collection[str], sample: AssembledSample) -> int | None:
    """An equation of coordinates that does not follow from others at a sample, although its row of G depends on theirs:
    motions that these allow violate it, and no multiplier can prevent that. Parts that cannot move
    are refused for it; parts that can move have such singular positions too. None if there is no such equation."""
    base, independent, others = _split(sampler, constraints, sample)
    random = Random(len(sampler.forms[False].rows))
    direction = np.array([random.choice([-1, 1]) * random.uniform(0.5, 1) for _ in sampler.speeds])
    aside = direction - base.T @ (base @ direction)
    length = float(np.linalg.norm(aside))
    if not others or length <= DEPENDENT:
        return None
    aside = aside / length
    result = _most_violated(sample, others, [ASIDE * aside], independent)
    flat = [k for k in others if _is_flat(sampler, sample, k)]
    return _most_violated(sample, flat, [step * aside for step in FURTHER], independent) if result is None else result


def _violation(sampler: Sampler, constraints: Collection[str], sample: AssembledSample, violated: int) -> str:
    """What is wrong with an equation that does not follow from those on which its row depends."""
    model, equations = sampler.tree.model, sampler.forms[False]
    keys = list(equations.rows)
    name, row = keys[violated].constraint, equations.rows[keys[violated]]
    if _is_flat(sampler, sample, violated):
        return (
            f"system '{model.name}': the derivatives of constraint '{name}' are zero where it holds, so that no force"
            " can keep it. Write an equation that changes its sign there: q.a - q.b, not (q.a - q.b)**2,"
            " (q.a - q.b)**3 or 1 - cos(q.a - q.b)"
        )
    label = f" ({row.label})" if row.label else ""
    others_before = dict.fromkeys((keys[k] for k in _split(sampler, constraints, sample)[1]), False)
    sums = [_Combination(sampler, sample, False, violated, others_before)]
    others = _sources(sums, equations.names_by_row)
    effect = f"follows from {', '.join(others)}" if others else "has no effect"
    return (
        f"system '{model.name}': constraint '{name}'{label} holds only at a limit of what the other constraints and the"
        f" joints allow: at first order it {effect}, but motions that they allow"
        " violate it, and no force can prevent that: an isolated position, where the mechanism is locked. Change a"
        " length or a point, or leave out a constraint; if it is a singular position of parts that can move, give"
        " initial values of coordinates at another position"
    )


def _most_violated(
    sample: AssembledSample, rows: Sequence[int], displacements: Sequence[Array], independent: Sequence[int]
) -> int | None:
    """The row with the largest residual after displacements along which the independent ones hold; None if all hold."""
    sizes = dict.fromkeys(rows, 0.0)
    for displacement in displacements:
        phi = sample.follow(displacement, independent) or {}
        sizes |= {k: max(sizes[k], abs(phi[k])) for k in rows if k in phi}
    worst = max(rows, key=sizes.__getitem__, default=None)
    return None if worst is None or sizes[worst] <= VIOLATED else worst


class _Combination:
    """A row of G at a sample as a sum of rows ``before`` it; of those that depend on each other the first ones are
    taken. ``factors`` are by key, ``shares`` their parts in the row."""

    def __init__(
        self, sampler: Sampler, sample: AssembledSample, form: bool, k: int, before: Mapping[RowKey, bool]
    ) -> None:
        self.factors, self.shares = dict[RowKey, float](), dict[RowKey, float]()
        if np.linalg.norm(sample.G[form][k]) <= DEPENDENT:
            return
        index = {each: {key: i for i, key in enumerate(sampler.forms[each].rows)} for each in sampler.forms}
        base, keys = np.zeros((0, sample.G[form].shape[1])), list[RowKey]()
        for key, of in before.items():
            rest = _rest(base, sample.G[of][index[of][key]])
            if rest is not None:
                base, keys = np.vstack([base, rest]), [*keys, key]
        if not keys:
            return
        A, row = np.array([sample.rows[before[key]][index[before[key]][key]] for key in keys]), sample.rows[form][k]
        lengths = np.linalg.norm(A, axis=1)
        terms = np.linalg.lstsq((A / lengths[:, None]).T, row, rcond=DEPENDENT)[0]
        self.shares = dict(zip(keys, (np.abs(terms) / np.linalg.norm(row)).tolist(), strict=True))
        self.factors = dict(zip(keys, (terms / lengths).tolist(), strict=True))


def _same(sums: Sequence[_Combination]) -> bool:
    """Whether a row is the same sum of others at all samples."""
    largest = max((abs(x) for one in sums for x in one.factors.values()), default=0.0)
    keys = {key for one in sums for key in one.factors}
    each = [[one.factors.get(key, 0.0) for one in sums] for key in keys]
    return all(max(factors) - min(factors) <= NAMED * largest for factors in each)


def _sources(sums: Sequence[_Combination], names: Mapping[RowKey, str]) -> list[str]:
    """The rows that a row is a sum of."""
    used = {key for one in sums for key, share in one.shares.items() if share > NAMED}
    return [name for key, name in names.items() if key in used]


def _reason(sums: Sequence[_Combination], names: Mapping[RowKey, str]) -> str:
    """Why a row is left out."""
    sources = _sources(sums, names)
    return f"it follows from {', '.join(sources)}" if sources else UNCHANGED


def _rest(base: Array, row: Array, smallest: float = DEPENDENT) -> Array | None:
    """What is left of a row outside the span of orthonormal rows, at unit length; None if it is nothing."""
    size = float(np.linalg.norm(row))
    if size <= DEPENDENT:
        return None
    rest = row / size
    for _ in range(2):
        rest = rest - base.T @ (base @ rest)
    length = float(np.linalg.norm(rest))
    return rest / length if length > smallest else None
