"""Constraints in groups that restrict common speeds, and their rows at random states: constraints of equal patterns
between equal joints have equal rows, so that one of them is examined."""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import Any

from freebody.model.constraints import Constraint
from freebody.model.constraints.local import local
from freebody.model.element import split
from freebody.model.joints.base import scalar
from freebody.tree.assembled_samples import OTHER_VALUES
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations
from freebody.tree.motion import Motion
from freebody.tree.sampled_rows import SampledMotion, SampledRow
from freebody.tree.tree import Link, Tree


def linked_constraints(motion: Motion) -> list[tuple[list[str], list[int]]]:
    """The names of constraints that restrict common speeds, directly or by others, and these speeds."""
    leader, groups = dict[int, int](), list[tuple[list[str], list[int]]]()

    def first(k: int) -> int:
        while leader.setdefault(k, k) != k:
            leader[k] = k = leader[leader[k]]
        return k

    speeds = {name: sorted(_restricted_speeds(motion, name, c)) for name, c in motion.tree.model.constraints.items()}
    for some in speeds.values():
        for k in some:
            leader[first(k)] = first(some[0])
    number = dict[int, int]()
    for name, some in speeds.items():
        if not some:
            groups.append(([name], []))
            continue
        group = number.setdefault(first(some[0]), len(groups))
        if group == len(groups):
            groups.append(([], []))
        groups[group][0].append(name)
    for k in sorted(leader):
        groups[number[first(k)]][1].append(k)
    return groups


def _restricted_speeds(motion: Motion, name: str, constraint: Constraint) -> set[int]:
    """The speeds that a constraint may restrict: those of the joints between its bodies."""
    tree = motion.tree
    found = local(constraint, tree.placed)
    if found is not None:
        return {c.speed for path in _arms(tree, found.bodies) for link in path for c in link.columns}
    speeds = set[int]()
    for forms in (CANONICAL, ClosureForms(frozenset([name]))):
        equations = ConstraintEquations(motion, (), forms, only=[name])
        for row in equations.rows.values():
            speeds |= {k for k, x in equations.forces_of(row).items() if not tree.graph.vanishes(x)}
    return speeds


def _arms(tree: Tree, bodies: Sequence[str]) -> list[list[Link]]:
    """The links from each body up to the one that carries all, or to the ground of a single one."""
    paths = [tree.by_name[name].path_to_root() for name in bodies]
    carriers = set(paths[0] if len(paths) > 1 else ()).intersection(*paths[1:])
    return [[link for link in path if link not in carriers] for path in paths]


def sampled_rows(
    tree: Tree, forms: Sequence[bool] = (False,), spread: float = OTHER_VALUES
) -> dict[bool, dict[str, list[SampledRow]]]:
    """The rows of all constraints at random states, in the ``forms`` of closures (exchanged or not), with parameters
    that differ from their values by up to the fraction ``spread``. Joints between the bodies of constraints with equal
    rows may be at different places of the body that carries both."""
    groups, joints = dict[Hashable, list[str]](), cache(_joint_pattern)
    for name, constraint in tree.model.constraints.items():
        groups.setdefault(_loop_pattern(tree, constraint, joints) or name, []).append(name)
    sampled = SampledMotion(tree, [first for first, *_ in groups.values()], spread)
    result: dict[bool, dict[str, list[SampledRow]]] = {form: {} for form in forms}
    for names in groups.values():
        for form in forms:
            result[form] |= dict.fromkeys(names, sampled.changed_rows(names[0], form))
    return {form: {name: rows[name] for name in tree.model.constraints} for form, rows in result.items()}


def _loop_pattern(tree: Tree, constraint: Constraint, joint_pattern: Callable[[Link, bool], Hashable]) -> Hashable:
    """What the rows of G of a constraint depend on: its pattern and scalars, and those of the joints between its
    bodies, but for the positions of the first ones on the body that carries both. None if it is compared with none."""
    found = local(constraint, tree.placed)
    if found is None:
        return None
    arms = list[Hashable]()
    for arm in _arms(tree, found.bodies):
        patterns = [joint_pattern(link, link is not arm[-1]) for link in arm]
        if None in patterns:
            return None
        arms.append(tuple(patterns))
    return found.pattern, found.exact, tuple(found.scalars), tuple(arms)


def _joint_pattern(link: Link, placed: bool) -> Hashable:
    """A joint and its scalars, with its position if it is ``placed``; None if it is like no other."""
    spec, scalars = link.body.spec, list[Any]()
    if link.shared or link.internal_dynamics is not None or spec.joint.motion is not None:
        return None
    pattern = split(spec.joint, scalars)
    scalars += [x for row in spec.orient or () for x in row]
    scalars += spec.at if placed else ()
    return pattern, len(scalars), *(scalar(link.graph, x) for x in scalars)
