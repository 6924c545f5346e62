"""Which equations of constraints follow from the others: the rank of G at several assembled states.

A row is left out if its row of G is the same sum of rows before it at every assembled state, also at other times, and a
sum of them with other values of the parameters. A planar loop that is closed by a revolute joint keeps two of five rows
in this way. Where the sum changes with the position, as in a loop of four hinges in space, or where there is one only
for certain lengths, the row is kept: at some position those before it may depend on each other, and this row is needed.
The elimination guards its pivot (``mass_matrix.guarded_inverse``). ``rank`` is that for the parameters' own values.
Rows of a constraint that can be switched are compared with its own and with those of constraints that always hold, at
states where these are assembled; other rows are not compared with them.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ExpressionError, ModelError
from freebody.model.constraints import Closure, Constraint
from freebody.model.constraints.local import local
from freebody.model.cut_coordinates import settled_states
from freebody.model.element import split
from freebody.model.joints.base import scalar
from freebody.model.model import Model
from freebody.scalar.graph import Graph
from freebody.scalar.walk import float_function, symbols_of
from freebody.spatial.quaternions import quaternions
from freebody.tree.assembly import ResidualsAt, angular_speeds, assemble_coordinates, initial_coordinates, move
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations, RowKey
from freebody.tree.forest import Forest, Link, span
from freebody.tree.motion import Motion
from freebody.tree.sampled_rows import SampledMotion

Array = NDArray[np.float64]
SAMPLES = 3
SPREADS = (0.3, 0.1, 0.01)
"""Assembled states are looked for near the initial coordinates, so far from them (in rad, or in m), nearer if Newton's
method does not converge."""

OTHER_VALUES, LATEST = 0.03, 2.0
"""The relative change of parameters from sample to sample (of those that are zero the absolute change), and the latest
time, in s."""

CLOSED, DEPENDENT = 1e-10, 1e-8
"""Residuals of an assembled state, relative to a row of G that is longer than 1; and what is left of a row (of length
1) that depends on others."""

FLAT, ROUNDING = 1e-6, 1e-12
"""The size of rows that vanish: relative to others, or their own beside the assembled state; and up to rounding."""

ASIDE, VIOLATED = 1e-2, 1e-7
"""A displacement (in rad, or in m) along which the independent equations hold to its square, and the residual, where
they hold again, of an equation that does not follow from them."""

MANY, LARGE = 50, 150
"""Of more constraints than the first, or with more speeds than the second, only rows that no speed changes are left
out."""

BESIDE, TRIES, DISTINCT = (0.1, 0.5), 6, 1e-3
"""Whether a state is a singular position is found at states so far from it (in rad, or in m), each tried so often,
where singular values above the last number count as different from zero."""

UNCHANGED = "no speed changes it"
NAMED = 1e-6
"""The relative size of terms that are named in the reason why a row is left out."""


@dataclass(frozen=True)
class RowDependence:
    """The rows that are left out, with the reason, by key; of closures in both forms (``exchanged`` or not). ``rank``
    is that of G, and ``names`` are those of the multipliers of all rows. ``determined`` are the speeds that the
    constraints leave no freedom. ``redundant`` are rows that are kept although they follow from others at the assembled
    ``states``, with the reason. ``states`` are assembled ones with the parameters' own values, by symbol."""

    omitted: Mapping[bool, Mapping[RowKey, str]]
    rank: int
    names: Mapping[RowKey, str]
    determined: tuple[str, ...] = ()
    redundant: Mapping[RowKey, str] = field(default_factory=dict)
    states: tuple[Mapping[str, float], ...] = ()


@dataclass(frozen=True)
class AssembledSample:
    """G in both forms at an assembled state, its ``rows`` as they are and ``G`` relative to others, the state, and a
    function that returns φ of the equations of coordinates, by their indices, where some of them hold again after a
    displacement from the state; None where these do not. ``is_singular`` tells whether G has a higher rank at assembled
    states nearby."""

    rows: Mapping[bool, Array]
    G: Mapping[bool, Array]
    state: Mapping[int, float]
    follow: Callable[[Array, Collection[int]], Mapping[int, float] | None]
    is_singular: Callable[[], bool]

    def rank(self, smallest: float) -> int:
        """The number of singular values of G above a limit."""
        return int(np.linalg.matrix_rank(self.G[False], smallest))


_results: WeakKeyDictionary[Model, RowDependence] = WeakKeyDictionary()


def omitted_rows(model: Model, exchanged: Collection[str] = ()) -> list[RowKey]:
    """The rows that are left out."""
    if not model.constraints:
        return []
    omitted = dependence(model).omitted
    return [key for form in (False, True) for key in omitted[form] if (key.constraint in exchanged) is form]


def degrees_of_freedom(forest: Forest) -> int:
    """The number of speeds less the rank of G."""
    return len(forest.layout.u) - (dependence(forest.model).rank if forest.model.constraints else 0)


class NotFiniteError(ValueError):
    """An equation of constraints has no finite value."""


def dependence(model: Model) -> RowDependence:
    """Which rows of a model's constraints depend on others; computed once for each model."""
    if model not in _results:
        try:
            with np.errstate(all="ignore"):  # numbers that are not finite are an error
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
    equations = ConstraintEquations(Motion(span(model)))
    sampler, constraints = _Sampler(equations.forest, {False: equations}), model.constraints.items()
    always = [name for name, c in constraints if c.engaged is None]
    engaged = [name for name, c in constraints if c.engaged is not False]
    samples = sampler.nominal(always) + (sampler.nominal(engaged) if engaged != always else [])
    omitted, result = omitted_rows(model), list[RowKey]()
    bases = [np.zeros((0, len(speeds))) for _ in samples]
    for k, key in enumerate(equations.rows):
        rows = [sample.G[False][k, list(speeds)] for sample in samples]
        rests = [row - (row @ basis.T) @ basis for row, basis in zip(rows, bases, strict=True)]
        sizes = [float(np.linalg.norm(rest)) for rest in rests]
        if sizes and min(sizes) > FLAT and key not in omitted:
            result.append(key)
            each = zip(bases, rests, sizes, strict=True)
            bases = [np.vstack([basis, rest / size]) for basis, rest, size in each]
    return result


def _analyse(model: Model) -> RowDependence:
    forest = span(model)
    if len(model.constraints) > MANY or len(forest.layout.u) > LARGE:
        return _unchanged_rows(forest)
    motion = Motion(forest)
    every = ClosureForms(frozenset(model.constraints))
    forms = {form: ConstraintEquations(motion, (), every if form else CANONICAL) for form in (False, True)}
    jacobians = {form: equations.jacobian for form, equations in forms.items()}
    zero: dict[bool, dict[RowKey, str]] = {form: {} for form in forms}
    for form, equations in forms.items():
        for key, row in zip(equations.rows, jacobians[form], strict=True):
            if all(forest.graph.vanishes(x) for x in row):
                zero[form][key] = UNCHANGED
    sampler, names, redundant = _Sampler(forest, forms), forms[False].names_by_row, dict[RowKey, str]()
    always = [name for name, c in model.constraints.items() if c.engaged is None]
    nominal = sampler.nominal(always)
    _leave_out(model, sampler, nominal, always, zero, redundant)
    for name in (name for name in model.constraints if name not in always):
        _leave_out(model, sampler, sampler.nominal([*always, name]), [*always, name], zero, redundant)
    engaged = [name for name, c in model.constraints.items() if c.engaged is not False]
    if engaged != always:
        nominal = sampler.nominal(engaged)
    indices = [k for k, key in enumerate(forms[False].rows) if key.constraint in engaged]
    freedoms = [_null_space(sample.G[False][indices]) for sample in nominal]
    ranks = [len(forest.layout.u) - Z.shape[1] for Z in freedoms]
    free = {k for Z in freedoms for k in np.flatnonzero(np.abs(Z).max(axis=1, initial=0.0) > DEPENDENT)}
    determined = [name for k, name in enumerate(forest.layout.u) if freedoms and k not in free]
    kept = sum(key.constraint in engaged and key not in zero[False] for key in names)
    symbols = forest.graph.symbols
    states = [{symbols[forest.graph.a[h]].name: x for h, x in sample.state.items()} for sample in nominal]
    return RowDependence(zero, max(ranks, default=kept), names, tuple(determined), redundant, tuple(states))


def _null_space(G: Array) -> Array:
    """The motions that equations leave free, as orthonormal columns."""
    _, sizes, V = np.linalg.svd(G)
    return np.asarray(V[np.count_nonzero(sizes > DEPENDENT) :].T)


def _leave_out(
    model: Model, sampler: "_Sampler", nominal: Sequence[AssembledSample], constraints: Sequence[str],
    omitted: Mapping[bool, dict[RowKey, str]], redundant: dict[RowKey, str],
) -> None:  # fmt: skip
    """Add to ``omitted`` the rows of constraints that are the same sum of those before them at all samples with the
    parameters' own values, and a sum of them with other values. Where the parts do not fit with other values, nothing
    is added. Other rows that depend on those before them are ``redundant``."""
    varied = sampler.varied(constraints)
    faults = [_violated(model, sampler, constraints, sample) for sample in nominal]
    for sample, fault in zip(nominal, faults, strict=True):
        regular = fault and any(other.rank(DISTINCT) > sample.rank(DEPENDENT) for other in nominal)
        if fault and not regular and not sample.is_singular():
            raise ModelError(fault)
    nominal = [sample for sample, fault in zip(nominal, faults, strict=True) if not fault]
    varied = [sample for sample in varied if not _violated(model, sampler, constraints, sample)]
    samples, certain = [*nominal, *varied], bool(varied) or not sampler.varies
    forms, names = sampler.forms, sampler.forms[False].names_by_row
    bases, kept = [np.zeros((0, len(sampler.forest.layout.u))) for _ in samples], dict[RowKey, bool]()
    for name in constraints if nominal else ():
        for form in (True, False):  # the last one extends the bases
            extended, before = list(bases), dict(kept)
            for k, key in enumerate(forms[form].rows):
                if key.constraint != name:
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


def _unchanged_rows(forest: Forest) -> RowDependence:
    """Of many constraints, or on many bodies, only the rows that no speed changes are left out: the time of a rank
    grows with the cube of their number. Rows are the same for constraints of equal patterns between equal joints, which
    may be at different places of the body that carries both; one of these is examined. What depends on other rows has a
    guarded pivot."""
    groups, joints = dict[Hashable, list[str]](), cache(_joint_pattern)
    for name, constraint in forest.model.constraints.items():
        groups.setdefault(_loop_pattern(forest, constraint, joints) or name, []).append(name)
    sampled = SampledMotion(forest, [first for first, *_ in groups.values()], OTHER_VALUES)
    omitted: dict[bool, dict[RowKey, str]] = {False: {}, True: {}}
    labels = dict[str, list[str]]()
    for first, *others in groups.values():
        for form in (True, False):
            changed = sampled.changed_rows(first, form)
            labels |= {name: [label for label, _ in changed] for name in (first, *others)}
            for k, (_, some) in enumerate(changed):
                omitted[form] |= {} if some else {RowKey(name, k): UNCHANGED for name in (first, *others)}
    names, engaged = dict[RowKey, str](), 0
    for name, constraint in forest.model.constraints.items():
        for k, label in enumerate(labels[name]):
            names[RowKey(name, k)] = f"{name}.{label}" if label else name
            engaged += constraint.engaged is not False and RowKey(name, k) not in omitted[False]
    return RowDependence(omitted, min(engaged, len(forest.layout.u)), names)


def _loop_pattern(
    forest: Forest, constraint: Constraint, joint_pattern: Callable[[Link, bool], Hashable]
) -> Hashable:
    """What the rows of G of a constraint depend on: its pattern and scalars, and those of the joints between its
    bodies, but for the positions of the first ones on the body that carries both. None if it is compared with none."""
    found = local(constraint, forest.placed)
    if found is None:
        return None
    paths, arms = [forest.by_name[name].path_to_root() for name in found.bodies], list[Hashable]()
    carriers = set(paths[0] if len(paths) > 1 else ()).intersection(*paths[1:])
    for path in paths:
        arm = [link for link in path if link not in carriers]
        patterns = [joint_pattern(link, link is not arm[-1]) for link in arm]
        if None in patterns:
            return None
        arms.append(tuple(patterns))
    return found.pattern, found.exact, tuple(found.scalars), tuple(arms)


def _joint_pattern(link: Link, placed: bool) -> Hashable:
    """A joint and its scalars, with its position if it is ``placed``; None if it is like no other."""
    recipe, scalars = link.body.recipe, list[Any]()
    if link.shared or link.inside is not None or recipe.joint.motion is not None:
        return None
    pattern = split(recipe.joint, scalars)
    scalars += [x for row in recipe.orient or () for x in row]
    scalars += recipe.at if placed else ()
    return pattern, len(scalars), *(scalar(link.graph, x) for x in scalars)


def _violated(model: Model, sampler: "_Sampler", constraints: Collection[str], sample: AssembledSample) -> str:
    """What is wrong at a sample where an equation of coordinates does not follow from others, although its row of G
    depends on theirs: motions that these allow violate it, and no multiplier can prevent that. It is a fault of parts
    that cannot move; parts that can move have such singular positions too. Empty if all is well."""
    equations = sampler.forms[False]
    G, keys = sample.G[False], list(equations.rows)
    base, independent, others = np.zeros((0, G.shape[1])), list[int](), list[int]()
    for k in (k for k, key in enumerate(keys) if key.constraint in constraints and k not in sampler.unchanged):
        rest = _rest(base, G[k])
        if rest is not None:
            base = np.vstack([base, rest])
        (others if rest is None else independent).append(k)
    random = Random(len(keys))
    direction = np.array([random.choice([-1, 1]) * random.uniform(0.5, 1) for _ in range(G.shape[1])])
    aside = direction - base.T @ (base @ direction)
    length = float(np.linalg.norm(aside))
    if not others or length <= DEPENDENT:
        return ""
    phi = sample.follow(ASIDE / length * aside, independent) or {}
    violated = max((k for k in others if k in phi), key=lambda k: abs(phi[k]), default=None)
    if violated is None or abs(phi[violated]) <= VIOLATED:
        return ""
    name, row = keys[violated].constraint, equations.rows[keys[violated]]
    if not row.wrenches and np.abs(G[violated]).max() <= DEPENDENT:
        return (
            f"system '{model.name}': the derivatives of constraint '{name}' are zero where it holds, so that no force"
            " can keep it. Write an equation that changes its sign there: q.a - q.b, not (q.a - q.b)**2 or"
            " 1 - cos(q.a - q.b)"
        )
    label = f" ({row.label})" if row.label else ""
    others_before = dict.fromkeys((keys[k] for k in independent), False)
    sums = [_Combination(sampler, sample, False, violated, others_before)]
    why = _reason(sums, equations.names_by_row).removeprefix("it ")
    return (
        f"system '{model.name}': constraint '{name}'{label} holds only at a limit of what the other constraints and the"
        f" joints allow: at first order it {'has no effect' if why == UNCHANGED else why}, but motions that they allow"
        " violate it, and no force can prevent that. The parts can shake there and not move. Change a length or a"
        " point, or leave out a constraint; if it is a singular position of parts that can move, give initial values of"
        " coordinates at another position"
    )


class _Combination:
    """A row of G at a sample as a sum of rows ``before`` it; of those that depend on each other the first ones are
    taken. ``factors`` are by key, ``shares`` their parts in the row."""

    def __init__(
        self, sampler: "_Sampler", sample: AssembledSample, form: bool, k: int, before: Mapping[RowKey, bool]
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


def _reason(sums: Sequence[_Combination], names: Mapping[RowKey, str]) -> str:
    """Why a row is left out: which others it is a sum of."""
    used = {key for one in sums for key, share in one.shares.items() if share > NAMED}
    listed = [name for key, name in names.items() if key in used]
    return f"it follows from {', '.join(listed)}" if listed else UNCHANGED


def _rest(base: Array, row: Array) -> Array | None:
    """What is left of a row outside the span of orthonormal rows, at unit length; None if it is nothing."""
    size = float(np.linalg.norm(row))
    if size <= DEPENDENT:
        return None
    rest = row / size
    for _ in range(2):
        rest = rest - base.T @ (base @ rest)
    length = float(np.linalg.norm(rest))
    return rest / length if length > DEPENDENT else None


class _Sampler:
    """Computes G in both forms of closures (``exchanged`` or not) at assembled states. Its rows are relative to the
    largest of the same constraint in the same unit, at this state or beside it; those that vanish are zero. Speeds are
    in units of their magnitudes: those of modes differ by many orders from rad/s and m/s."""

    def __init__(self, forest: Forest, forms: Mapping[bool, ConstraintEquations]) -> None:
        g = forest.graph
        self.forest, self.forms, self.numbers = forest, forms, NodeValues(g)
        magnitudes = dict[str, float]()
        for link in forest.links:
            if link.inside is not None:
                magnitudes |= zip(link.body.recipe.names[1], link.body.recipe.joint.magnitudes, strict=True)
        self.sizes = np.array([magnitudes.get(name, 1.0) for name in forest.layout.u])
        self.jacobians = {form: equations.jacobian for form, equations in forms.items()}
        self.residuals = {k: h for k, h in enumerate(forms[False].residuals) if h is not None}
        self.angles = angular_speeds(forest)
        self.unchanged = {k for k, row in enumerate(self.jacobians[False]) if all(g.vanishes(x) for x in row)}
        entries = [x for G in self.jacobians.values() for row in G for x in row]
        used = symbols_of(g, [*entries, *self.residuals.values(), *forms[False].state_corrections.values()])
        self.times = [0.0, *(Random(seed).uniform(0, LATEST) for seed in range(1, SAMPLES) if forest.t in used)]
        handles = {name: g.named(name) for name in forest.model.parameters}
        self.parameter_handles = {name: h for name, h in handles.items() if h is not None and h in used}
        self.parameters = {name: float(forest.model.parameters[name]) for name in self.parameter_handles}
        symbols = {g.named(name): value for name, value in forest.model.switches.items()}
        self.switches = {h: value for h, value in symbols.items() if h is not None}
        self.capturing = {
            name: (pose, c.meeting_pose(forms[False].motion)) for name, c in forest.model.constraints.items()
            if isinstance(c, Closure) and (pose := [h for n in c.pose_names if (h := g.named(n)) is not None])
        }  # fmt: skip

    @property
    def varies(self) -> bool:
        return bool(self.parameters) or len(self.times) > 1

    def nominal(self, closed: Collection[str]) -> list[AssembledSample]:
        """Samples with the parameters' own values, where these constraints hold."""
        times = [self.times[k % len(self.times)] for k in range(SAMPLES)]
        samples = [self.sample(Random(k), self.parameters, t, closed) for k, t in enumerate(times)]
        return [sample for sample in samples if sample is not None]

    def varied(self, closed: Collection[str]) -> list[AssembledSample]:
        """Samples with other values of the parameters and at other times, where these constraints hold. Where
        parameters that are zero must stay so for the mechanism to close, each of them is changed alone. None where
        nothing varies."""
        samples = list[AssembledSample | None]()
        if not self.varies:
            return []
        zeros = [name for name, value in self.parameters.items() if value == 0]
        for seed in range(SAMPLES):
            random, t = Random(seed), self.times[seed % len(self.times)]
            samples.append(self.sample(random, self._other_values(random, zeros), t, closed))
            if samples[-1] is None and zeros:
                samples.append(self.sample(random, self._other_values(random, ()), t, closed))
            if samples[-1] is None and t:
                samples.append(self.sample(random, self._other_values(random, ()), 0.0, closed))
        if samples[0] is None and len(zeros) > 1:
            samples += [self.sample(Random(0), self._other_values(Random(0), [name]), 0.0, closed) for name in zeros]
        return [sample for sample in samples if sample is not None]

    def _other_values(self, random: Random, zeros: Collection[str]) -> dict[str, float]:
        """Other values of the parameters; of those that are zero only the named ones change."""
        values = dict[str, float]()
        for name, value in self.parameters.items():
            change = OTHER_VALUES * random.uniform(-1, 1)
            values[name] = value * (1 + change) if value else change if name in zeros else 0.0
        return values

    def sample(
        self, random: Random, parameters: Mapping[str, float], t: float, closed: Collection[str]
    ) -> AssembledSample | None:
        """A state near the initial coordinates where the ``closed`` constraints hold; those that capture a pose do so
        there. None if none was found."""
        forest, n, keys = self.forest, len(self.forest.layout.u), list(self.forms[False].rows)
        known = {forest.t: t} | {self.parameter_handles[name]: value for name, value in parameters.items()}
        known |= self.switches
        capturing = [self.capturing[name] for name in closed if name in self.capturing]
        positioned = {name for name in closed if name not in self.capturing}
        residuals = {k: h for k, h in self.residuals.items() if keys[k].constraint in positioned}
        corrections, rows = self.forms[False].state_corrections, [self.jacobians[False][k] for k in residuals]

        def state_at(q: Array) -> dict[int, float]:
            """The values at q; extra states of constraints follow it."""
            state = known | dict(zip(forest.layout.q_handles, map(float, q), strict=True))

            def change(z: Array) -> Array:
                there = state | dict(zip(corrections, map(float, z), strict=True))
                return self.numbers(corrections.values(), there)

            z = settled_states(change, np.array([known[h] for h in corrections]))
            known.update(zip(corrections, map(float, z), strict=True))
            return state | known

        def matrix(G: Sequence[Sequence[int]], state: Mapping[int, float]) -> Array:
            return np.asarray(self.numbers((x for row in G for x in row), state).reshape(len(G), n) * self.sizes)

        def moved(q: Array, delta: Array) -> Array:
            return move(forest, q, delta * self.sizes)

        def evaluate(q: Array) -> ResidualsAt:
            try:
                state = state_at(q)
                return ResidualsAt(self.numbers(residuals.values(), state), matrix(rows, state), np.eye(n))
            except (ArithmeticError, ValueError, ExpressionError):
                return ResidualsAt(np.full(len(rows), np.inf), np.zeros((len(rows), n)), np.eye(n))

        def follow(q: Array, delta: Array, equations: Collection[int]) -> dict[int, float] | None:
            some = [i for i, k in enumerate(residuals) if k in equations]

            def evaluate_some(q: Array) -> ResidualsAt:
                phi, G, free = evaluate(q)
                return ResidualsAt(phi[some], G[some], free)

            q, _ = assemble_coordinates(evaluate_some, moved, moved(q, delta), self.angles)
            phi, G, _ = evaluate(q)
            relative = phi / np.maximum(1.0, np.linalg.norm(G, axis=1))
            closed = np.isfinite(phi).all() and np.all(np.abs(relative[some]) <= CLOSED)
            return dict(zip(residuals, relative.tolist(), strict=True)) if closed else None

        def is_singular(q: Array) -> bool:
            """Whether assembled states beside q have a higher rank, so that the parts can move from there."""
            sizes = np.maximum(np.linalg.norm(evaluate(q).G, axis=1, keepdims=True), 1.0)
            rank, beside = np.linalg.matrix_rank(evaluate(q).G / sizes, DEPENDENT), Random(0)
            for distance in TRIES * BESIDE:
                delta = np.array([distance * beside.uniform(-1, 1) for _ in range(n)])
                _, there = assemble_coordinates(evaluate, moved, moved(q, delta), self.angles)
                closed = np.all(np.abs(there.phi) <= CLOSED * np.maximum(1.0, np.linalg.norm(there.G, axis=1)))
                if closed and np.linalg.matrix_rank(there.G / sizes, DISTINCT) > rank:
                    return True
            return False

        for spread in SPREADS:
            known |= {state.symbol.handle: float(state.initial) for state in forest.model.states.values()}
            start = np.array([spread * random.uniform(-1, 1) for _ in range(n)])
            guess = moved(initial_coordinates(forest), start)
            q, there = assemble_coordinates(evaluate, moved, guess, self.angles)
            if np.all(np.abs(there.phi) <= CLOSED * np.maximum(1.0, np.linalg.norm(there.G, axis=1))):
                for symbols, pose in capturing:
                    known.update(zip(symbols, pose_numbers(self.numbers(pose, state_at(q))).tolist(), strict=True))
                beside = {form: matrix(G, state_at(guess)) for form, G in self.jacobians.items()}
                here = {form: matrix(G, state_at(q)) for form, G in self.jacobians.items()}
                relative = {form: self._relative(form, here[form], beside[form]) for form in here}
                return AssembledSample(here, relative, state_at(q), partial(follow, q), partial(is_singular, q))
        return None

    def _relative(self, form: bool, G: Array, beside: Array) -> Array:
        sizes = np.maximum(*(np.linalg.norm(matrix, axis=1) for matrix in (G, beside)))
        with_wrench = [bool(row.wrenches) for row in self.forms[form].rows.values()]
        rounding = ROUNDING * np.where(with_wrench, max(1.0, float(sizes[with_wrench].max(initial=0.0))), 1.0)
        largest = np.array([max(sizes[i] for i in others) for others in self.forms[form].related])
        relative: Array = G / np.maximum(largest, rounding)[:, None]
        relative[(largest <= rounding) | (np.linalg.norm(relative, axis=1) <= FLAT)] = 0.0
        return relative


def pose_numbers(pose: Array) -> Array:
    """The position and the quaternion of a pose that ``Closure.meeting_pose`` computes."""
    return np.concatenate([pose[:3], quaternions(pose[3:].reshape(1, 3, 3))[0]])


class NodeValues:
    """The values of nodes at states, as arrays; raises ValueError where one is not finite."""

    def __init__(self, g: Graph) -> None:
        self.graph = g
        self._functions = dict[tuple[int, ...], Callable[[Mapping[int, float]], list[float]]]()

    def __call__(self, nodes: Iterable[int], state: Mapping[int, float]) -> Array:
        key = tuple(nodes)
        if key not in self._functions:
            self._functions[key] = float_function(self.graph, key)
        numbers = np.array(self._functions[key](state), float)
        if not np.isfinite(numbers).all():
            raise NotFiniteError
        return numbers
