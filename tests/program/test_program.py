"""Programs: passes keep the values, counts are exact, digests are stable, invalid programs are refused."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from freebody.errors import ExpressionError, GraphError, ProgramError
from freebody.program.assemble import Assembly, Rows, program
from freebody.program.check import check
from freebody.program.code import Address, Store, computes
from freebody.program.count import count
from freebody.program.evaluate import evaluate
from freebody.program.ldl import plan
from freebody.program.program import Block, Program, Scan, Solve, Work, digest
from freebody.program.split import split
from freebody.program.stage import select, stage, sweep
from freebody.scalar import ops
from freebody.scalar.expr import symbols
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.program_cases import (
    CASES,
    Case,
    branches,
    every_operation,
    no_steps,
    parameters_and_coordinates,
    random_block,
    read_back,
    solved,
    spare_kind,
    tables,
    tree,
    views,
)

ROUNDING = 2.0**-50


def same(a: Program, b: Program, inputs: dict[str, np.ndarray]) -> None:
    """Assert equal outputs within the rounding error bound of the first."""
    wanted, found = evaluate(a, inputs), evaluate(b, inputs)
    for name, value in wanted.values.items():
        assert np.all(np.abs(found.values[name] - value) <= 4 * wanted.bounds[name] + 1e-300), name


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_staging_keeps_the_values(case: Case) -> None:
    inputs = case.inputs(np.random.default_rng(1))
    staged = stage(case.program)
    if staged.setup is not None:
        check(staged.setup)
        inputs |= {"hoisted": evaluate(staged.setup, inputs).values["hoisted"]}
    same(case.program, check(staged.main), inputs)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_staging_moves_all_parameter_only_work(case: Case) -> None:
    again = stage(stage(case.program).main)
    assert again.setup is None


@pytest.mark.parametrize("size", [1, 3, 7])
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_splitting_keeps_the_values(case: Case, size: int) -> None:
    pieces = check(split(case.program, size))
    assert all(len(computes(code)) <= size for r in pieces.regions if isinstance(r, Block) for code in r.codes)
    assert count(pieces) == count(case.program)
    same(case.program, pieces, case.inputs(np.random.default_rng(2)))


def test_splitting_reuses_slots() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = x
    for _ in range(1000):
        y = g.sin(g.add(y, x))
    pieces = split(program("chain", g, {"q": [x]}, {"y": y}), 10)
    assert next(w.size for w in pieces.work if w.name == "spill") <= 2


def test_splitting_without_shared_values_needs_no_slots() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    pieces = split(program("apart", g, {"q": [x]}, {"y": [g.sin(x), g.cos(x)]}), 1)
    assert [len(computes(code)) for code in pieces.blocks] == [1, 1] and not pieces.work


def test_pieces_read_the_values_before_the_block() -> None:
    g, x, a = simple()
    work = a.array("w", 2)
    a.write(work, 0, 0, x)
    a.write(work, 1, 0, g.sin(x))
    work_then(a, work)
    old = [a.read(work, k) for k in range(2)]
    a.write(work, 0, 0, g.sin(g.cos(old[1])))
    a.write(work, 1, 0, g.build[ops.EXP](old[0]))
    work_then(a, work)
    a.output("y", [a.read(work, k) for k in range(2)])
    made = a.program()
    for size in (1, 2):
        same(made, check(split(made, size)), {"q": [0.3]})
    assert evaluate(made, {"q": [0.3]}).values["y"].tolist() == [np.sin(np.cos(np.sin(0.3))), np.exp(0.3)]


def work_then(a: Assembly, work: Rows) -> None:
    """Add a scan that changes nothing."""
    k = (scan := a.scan("same", {"own": [0]})).kernel()
    k.write(work, "own", 0, k.read(work, "own"))
    a.add(scan)


def test_operation_counts() -> None:
    g = Graph()
    x, y = (g.symbol(n, Kind.COORDINATE) for n in "xy")
    p = g.symbol("p", Kind.PARAMETER)
    square = g.pow(x, g.const(2))
    f = g.neg(g.add(g.mul(square, g.sin(y)), g.div(x, g.mul(y, p))))
    c = count(program("f", g, {"parameters": [p], "q": [x, y]}, {"f": f, "again": f}))
    assert (c.mul, c.add, c.div, c.calls) == (3, 1, 1, {"sin": 1})
    assert c.total == 5
    assert str(c) == "5 operations (3 mul, 1 add, 1 div, 1 sin)"


def test_parameter_only_work_is_not_counted_per_call() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    p, r = (g.symbol(n, Kind.PARAMETER) for n in "pr")
    f = g.mul(g.mul(p, g.sqrt(r)), g.mul(g.div(p, r), x))
    staged = stage(program("f", g, {"parameters": [p, r], "q": [x]}, {"f": f}))
    assert count(staged.main).total == 1
    assert staged.setup is not None and count(staged.setup).calls == {"sqrt": 1}


def test_operation_counts_of_scans_and_solves() -> None:
    n = 6
    dense = solved("dense", n, [(i, j) for i in range(n) for j in range(i + 1)]).program
    region = next(r for r in dense.regions if isinstance(r, Solve))
    found = region.plan.operations(1)
    assert found == {"mul": sum(m * (m + 1) // 2 + m for m in range(n)) + n * (n - 1) + n, "add": 35 + 30, "div": n}
    short, long = (count(tree(f"c{k}", list(range(-1, k - 1))).program).total for k in (10, 20))
    each = count(tree("c1", [-1]).program).total
    assert long - short == 10 * (short - each) / 9


@pytest.mark.parametrize("n", [4, 9, 30])
def test_tree_patterns_are_factored_without_fill(n: int) -> None:
    pattern = branches(n)
    assert plan(n, pattern).entries == len(pattern)


def test_minimum_degree_order_avoids_fill() -> None:
    hub = 5
    pattern = [(i, i) for i in range(11)] + [(max(i, hub), min(i, hub)) for i in range(11) if i != hub]
    assert plan(11, pattern).entries == len(pattern)


def test_nodes_are_carried_over_a_solve_once() -> None:
    case = solved("carry", 3, [(0, 0), (1, 1), (2, 2)])
    sines = [code.op.count(9) for code in case.program.blocks]
    assert sum(sines) == 3  # sin(q0) is needed before and after the solve


def test_selecting_outputs_removes_unused_work() -> None:
    case = random_block(3)
    one = select(case.program, ["s"])
    assert [o.name for o in one.outputs] == ["s"]
    assert count(one).total < count(case.program).total
    assert sweep(one) == one
    inputs = case.inputs(np.random.default_rng(0))
    assert np.array_equal(evaluate(one, inputs).values["s"], evaluate(case.program, inputs).values["s"])


def test_outputs_not_selected_may_still_be_read() -> None:
    case = read_back()
    one = check(select(case.program, ["moving"]))
    assert [w.name for w in one.work] == ["fixed"]
    inputs = case.inputs(np.random.default_rng(0))
    assert np.array_equal(evaluate(one, inputs).values["moving"], evaluate(case.program, inputs).values["moving"])


# Order


def run(a: Assembly, x: float) -> dict[str, list[float]]:
    return {name: v.tolist() for name, v in evaluate(a.program(), {"q": [x]}).values.items()}


def test_a_write_after_a_region_happens_after_it() -> None:
    g, x, a = simple()
    work, end = a.array("w", 1), a.output_array("y", 1)
    a.write(work, 0, 0, x)
    k = (scan := a.scan("double", {"own": [0]})).kernel()
    k.write(end, "own", 0, k.graph.mul(k.graph.const(2), k.read(work, "own")))
    a.add(scan)
    a.write(work, 0, 0, g.mul(g.const(10), x))  # of the first block's level
    k = (scan := a.scan("copy", {"own": [0]})).kernel()
    k.write(a.output_array("z", 1), "own", 0, k.read(work, "own"))
    a.add(scan)
    assert run(a, 3.0) == {"y": [6.0], "z": [30.0]}


def test_values_read_are_unaffected_by_later_writes() -> None:
    g, x, a = simple()
    work = a.array("w", 1)
    a.write(work, 0, 0, x)
    work_then(a, work)
    before = a.read(work, 0)
    a.write(work, 0, 0, g.mul(g.const(10), x))
    work_then(a, work)
    a.output("y", g.add(before, a.read(work, 0)))
    assert run(a, 3.0) == {"y": 33.0}


def test_inputs_are_not_carried() -> None:
    g, _x, a = simple()
    whole = a.read(a.rows("q"), 0)
    solution = a.solve("s", {(0, 0): g.one}, [whole])
    a.output("y", g.add(whole, solution[0]))
    assert "carry" not in a.program().sizes
    assert run(a, 3.0) == {"y": 6.0}


def test_program_can_be_requested_twice() -> None:
    g, x, a = simple()
    y = g.sin(x)
    a.output("y", g.mul(y, a.solve("s", {(0, 0): x}, [y])[0]))
    assert "carry" in a.program().sizes
    assert digest(a.program()) == digest(a.program())


def test_solves_accept_expressions() -> None:
    g = Graph()
    x, y = symbols(g, "x y", Kind.COORDINATE)
    a = Assembly("expr", g, {"q": [x, y]})
    a.output("one", a.solve("one", {(0, 0): x, (1, 1): y}, [x * x, y * 3]))
    a.output("two", a.solve("two", {(0, 0): x}, [[x, y]]))
    found = evaluate(a.program(), {"q": [2.0, 5.0]}).values
    assert found["one"].tolist() == [2.0, 3.0] and found["two"].tolist() == [[1.0, 2.5]]


def test_views_of_different_widths_are_different_reads() -> None:
    case = views()
    assert evaluate(case.program, {"parameters": [1.0], "q": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}).values["y"].tolist() == [
        [1.0, 0.0],
        [6.0, -1.0],
    ]


def test_kinds_without_a_step_are_left_out() -> None:
    (scan,) = (r for r in spare_kind().program.regions if isinstance(r, Scan))
    assert len(scan.codes) == 2 and scan.kinds == (1, 0, 1)


def test_a_scan_without_steps_is_left_out() -> None:
    scans = [r.name for r in no_steps().program.regions if isinstance(r, Scan)]
    assert scans == ["something"]
    case = no_steps()
    found = evaluate(case.program, {"parameters": [3.0], "q": [0.5]}).values
    assert found["y"] == (3 * np.sin(0.5)) ** 2 + 3 and found["z"] == np.sin(0.5) - 3 * np.sin(0.5)


def test_outputs_of_a_scan_without_steps_are_missing() -> None:
    _, _, a = simple()
    squares_of_nothing = a.scan("none", {"own": []})
    kernel = squares_of_nothing.kernel()
    kernel.write(a.output_array("y", 1), "own", 0, kernel.graph.one)
    a.add(squares_of_nothing)
    with pytest.raises(ProgramError, match="output 'y' element 0 is never written"):
        a.program()


def test_equal_numbers_are_shared_after_lowering() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    two, same = g.mul(g.const(2), x), g.mul(g.const(2.0), x)
    assert two != same
    assert count(program("f", g, {"q": [x]}, {"f": [two, same]})).mul == 1


@pytest.mark.slow
def test_hundred_thousand_levels_are_supported() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = x
    for k in range(50_000):
        y = g.sin(g.add(y, x)) if k % 1000 == 0 else g.mul(g.const(0.5), g.add(y, x))
    deep = program("deep", g, {"q": [x]}, {"y": y})
    assert np.isfinite(evaluate(split(deep, 500), {"q": [0.3]}).values["y"])


def seeded(seed: str, script: str) -> str:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}/src{os.pathsep}{root}"}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    return run.stdout


@pytest.mark.slow
def test_digests_and_emitted_code_do_not_depend_on_the_hash_seed() -> None:
    script = """
from tests.program_cases import CASES
from freebody.program.program import digest
from freebody.program.stage import stage
from freebody.backends.llvm.module import Target, emit
import hashlib
for case in CASES[:3] + CASES[9:12] + CASES[-2:]:
    staged = stage(case.program)
    text = emit(staged.main, Target(1, 4))[0] + emit(staged.main, Target(8, 8))[0]
    print(case.name, digest(case.program), digest(staged.main), hashlib.sha256(text.encode()).hexdigest())
"""
    first, second = seeded("0", script), seeded("4242", script)
    assert first == second
    assert len(first.splitlines()) == 8


def test_different_programs_have_different_digests() -> None:
    seen = {digest(case.program) for case in CASES}
    assert len(seen) == len(CASES)
    assert digest(every_operation().program) == digest(every_operation().program)


def test_programs_accept_expressions_and_arrays() -> None:
    g = Graph()
    x, y = symbols(g, "x y", Kind.COORDINATE)
    made = program("f", g, {"q": [x, y]}, {"a": np.array([[x + y, x - y]]), "b": x * y})
    found = evaluate(made, {"q": [3.0, 2.0]}).values
    assert found["a"].tolist() == [[5.0, 1.0]] and found["b"] == 6.0
    with pytest.raises(GraphError, match="x belongs to another graph than the program's"):
        program("f", Graph(), {"q": [x]}, {})


# Refused programs


def simple() -> tuple[Graph, int, Assembly]:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    return g, x, Assembly("simple", g, {"q": [x]})


def test_symbols_outside_every_group_are_refused() -> None:
    g, x, a = simple()
    a.output("y", g.add(x, g.symbol("stranger", Kind.PARAMETER)))
    with pytest.raises(ProgramError, match=r"simple uses stranger, which no input group holds\. Add each to a group"):
        a.program()


def test_values_that_are_not_finite_are_refused() -> None:
    g, x, a = simple()
    a.output("y", g.add(x, g.div(g.one, g.zero)))
    with pytest.raises(ExpressionError, match=r"simple: 1/0 has no finite value"):
        a.program()


def test_branches_may_be_infinite() -> None:
    g, x, a = simple()
    a.output("y", g.where(x, g.div(g.one, g.zero), x))
    assert evaluate(a.program(), {"q": [0.0]}).values["y"] == 0.0


def test_equal_names_of_buffers_are_refused() -> None:
    _g, x, a = simple()
    a.output("q", x)
    with pytest.raises(ProgramError, match="the name 'q' is used for more than one buffer"):
        a.program()


def test_reading_before_writing_is_refused() -> None:
    _g, _x, a = simple()
    a.output("y", a.read(a.array("w", 2), 1))
    with pytest.raises(ProgramError, match=r"w\[1\] is read before it is written"):
        a.program()


def test_outputs_never_written_are_refused() -> None:
    _g, x, a = simple()
    a.write(a.output_array("y", 3), 1, 0, x)
    with pytest.raises(ProgramError, match="output 'y' element 0 is never written"):
        a.program()


def test_ragged_outputs_are_refused() -> None:
    _g, x, a = simple()
    with pytest.raises(ProgramError, match="different shapes"):
        a.output("y", [[x, x], [x]])


def test_groups_must_contain_symbols() -> None:
    g, x, _ = simple()
    with pytest.raises(ProgramError, match="group 'q' may hold symbols only"):
        Assembly("bad", g, {"q": [g.sin(x)]})


def test_solves_without_a_diagonal_are_refused() -> None:
    _g, x, a = simple()
    a.output("y", a.solve("s", {(0, 0): x, (1, 0): x}, [x, x]))
    with pytest.raises(ProgramError, match="solve 's' has a zero on its diagonal, row 1"):
        a.program()


def test_scans_with_lists_of_different_length_are_refused() -> None:
    _, _, a = simple()
    with pytest.raises(ProgramError, match="scan 's': the index lists have different lengths"):
        a.scan("s", {"own": [0, 1], "parent": [0]})


def test_adding_to_an_uninitialised_buffer_is_refused() -> None:
    _g, x, a = simple()
    a.output("y", x)
    good = a.program()
    code = good.regions[0].codes[0]  # type: ignore[union-attr]
    bad = replace(code, stores=(Store(code.stores[0].value, Address("y", 0), True),))
    with pytest.raises(ProgramError, match="'y' is added to, but it is not a zeroed work buffer"):
        check(replace(good, regions=(Block(bad),)))


def stored(*stores: Store) -> Program:
    """One block that stores x and 2x to elements of a work buffer."""
    g, x, a = simple()
    a.output("y", [x, g.mul(g.const(2), x)])
    good = a.program()
    code = good.regions[0].codes[0]  # type: ignore[union-attr]
    work = (Work("w", 2, True),)
    return replace(good, work=work, regions=(Block(replace(code, stores=(*code.stores, *stores))),))


@pytest.mark.parametrize("adds", [(False, False), (True, False), (False, True), (True, True, False)])
def test_two_stores_to_one_element_in_a_block_are_refused(adds: tuple[bool, ...]) -> None:
    check(stored(*(Store(0, Address("w", k), add) for k, add in enumerate(adds[:2]))))
    with pytest.raises(ProgramError, match=r"w\[1\] is stored to twice in one block: store to it once, or only add"):
        check(stored(*(Store(0, Address("w", 1), add) for add in adds)))


def test_repeated_additions_to_one_element_are_accepted() -> None:
    check(stored(*(Store(k % 2, Address("w", 1), True) for k in range(3))))


def test_two_stores_to_one_element_in_a_step_are_refused() -> None:
    _g, _x, a = simple()
    end = a.output_array("y", 3)
    k = (scan := a.scan("meet", {"own": [0, 1, 2], "other": [1, 2, 2]})).kernel()
    k.write(end, "own", 0, k.graph.one)
    k.write(end, "other", 0, k.graph.zero)
    a.add(scan)
    with pytest.raises(ProgramError, match=r"y\[2\] is stored to twice in step 2 of scan 'meet'"):
        a.program()


@pytest.mark.parametrize("name", ["hoisted", "spill", "carry", "region0", "region"])
def test_reserved_names_are_refused(name: str) -> None:
    g, x, a = simple()
    message = f"'{name}' is a reserved name: give the group, output or array another one"
    for make in (
        lambda: Assembly("named", g, {name: [x]}),
        lambda: a.array(name, 1),
        lambda: a.output(name, x),
        lambda: a.output_array(name, 1),
    ):
        with pytest.raises(ProgramError, match=message):
            make()


def test_unknown_indices_are_refused() -> None:
    good = stored()
    code = good.regions[0].codes[0]  # type: ignore[union-attr]
    bad = replace(code, stores=(Store(0, Address("y", 0, 0)),))
    with pytest.raises(ProgramError, match="y is addressed by index 0 in one block; it has 0"):
        check(replace(good, regions=(Block(bad),)))
    with pytest.raises(ProgramError, match="y is addressed by index 0 in step 0 of scan 's'; it has 0"):
        check(replace(good, regions=(Scan("s", (bad,), (0,), ()),)))


def test_scans_need_steps_for_each_kind() -> None:
    good = stored()
    code = good.regions[0].codes[0]  # type: ignore[union-attr]
    with pytest.raises(ProgramError, match="scan 's' has no steps: leave it out"):
        check(replace(good, regions=(Scan("s", (), (), ()),)))
    with pytest.raises(ProgramError, match="scan 's': a kind or an index list does not fit its steps"):
        check(replace(good, regions=(Scan("s", (code, code), (1,), ()),)))


def test_inconsistent_kinds_are_refused() -> None:
    _g, _x, a = simple()
    scan = a.scan("s", {"own": [0]})
    scan.kernel()
    for kinds in ([1], [-1], [0, 0]):
        with pytest.raises(ProgramError, match=r"scan 's' has 1 steps and 1 kernels, which the kinds .* do not fit"):
            a.add(scan, kinds)


@pytest.mark.parametrize(
    ("buffers", "message"),
    [
        (("q", "b", "x"), "solve 's' reads 'q', which is not a work buffer: copy it to one with write"),
        (("A", "y", "x"), "solve 's' reads 'y', which is not a work buffer: copy it to one with write"),
        (("A", "b", "q"), "input group 'q' cannot be written"),
        (("A", "b", "small"), r"small\[1\] does not exist"),
        (("A", "b", "nowhere"), r"nowhere\[0\] does not exist"),
        (("nowhere", "b", "x"), r"nowhere\[0\] does not exist"),
        (("A", "b", "b"), "solve 's' needs at least one row, one right side, and three different buffers"),
    ],
)
def test_buffers_of_a_solve_are_checked(buffers: tuple[str, str, str], message: str) -> None:
    work = tuple(Work(n, 1 if n == "small" else 2, True) for n in ("A", "b", "x", "small"))
    solve = Solve("s", 2, ((0, 0), (1, 1)), 1, *buffers)
    with pytest.raises(ProgramError, match=message):
        check(replace(stored(), work=work, regions=(solve,)))


def test_solves_may_write_an_output() -> None:
    good = stored()
    solve = Solve("s", 2, ((0, 0), (1, 1)), 1, "A", "b", "y")
    check(replace(good, work=(Work("A", 2, True), Work("b", 2, True)), regions=(solve,)))


WRONG = {
    "no index lists: give at least one": lambda g, a: a.scan("s", {}),
    "simple has no input group 'nope', only q": lambda g, a: a.rows("nope"),
    "solve 's' needs a right side": lambda g, a: a.solve("s", {}, []),
    "solve 's' needs a right side: a list": lambda g, a: a.solve("s", {(0, 0): g.one}, [[]]),
    "solve 's' needs a right side: a list of nodes": lambda g, a: a.solve("s", {(0, 0): g.one}, g.one),
    "nested lists of nodes have different shapes": lambda g, a: a.solve("s", {(0, 0): g.one}, [[1, 1], [1]]),
    r"2\.5 \(float\) is not a node: use graph\.const\(2\.5\)": lambda g, a: a.output("y", [2.5]),
    r"0\.5 \(float\) is not a node: use graph\.const\(0\.5\)": lambda g, a: a.output("y", np.array([0.5])),
    r"'x' \(str\) is not a node: use parse\(graph, 'x'\)": lambda g, a: a.output("y", "x"),
    r"True \(bool\) is not a node: use graph\.const\(True\)": lambda g, a: a.output("y", True),
    r"None \(NoneType\) is not a node: give its handle": lambda g, a: a.output("y", None),
    "there is no node 99 among the graph's 3: use graph.const for a number": lambda g, a: a.output("y", [99]),
    "there is no node -1 among": lambda g, a: a.output("y", [-1]),
    r"1\.5 \(float\) is not a node": lambda g, a: a.solve("s", {(0, 0): 1.5}, [1]),
    r"3\.5 \(float\) is not a node": lambda g, a: a.write(a.array("w", 1), 0, 0, 3.5),
    "x is in group 'q' twice: leave it in one place": lambda g, a: Assembly("a", g, {"q": [2, 2]}),
    "x is in the groups 'q' and 'u': leave it in one place": lambda g, a: Assembly("a", g, {"q": [2], "u": [2]}),
}


@pytest.mark.parametrize("message", WRONG)
def test_invalid_programs_are_refused(message: str) -> None:
    g, _x, a = simple()
    with pytest.raises(ProgramError, match=message):
        WRONG[message](g, a)


def test_addresses_outside_a_buffer_are_refused() -> None:
    case = tree("chain3", [-1, 0, 1])
    scan = next(r for r in case.program.regions if isinstance(r, Scan))
    wild = replace(scan, rows=tuple(tuple(x + 1000 for x in row) for row in scan.rows))
    with pytest.raises(ProgramError, match="does not exist"):
        check(replace(case.program, regions=tuple(wild if r is scan else r for r in case.program.regions)))


# Tables


def test_tables_cannot_be_written() -> None:
    _g, x, a = simple()
    a.write(a.table("numbers", [1.0, 2.0]), 0, 0, x)
    a.output("y", x)
    with pytest.raises(ProgramError, match="table 'numbers' cannot be written"):
        a.program()


def test_tables_have_the_size_of_their_data() -> None:
    made = replace(stored(), work=(Work("numbers", 3, values=(1.0, 2.0)),))
    with pytest.raises(ProgramError, match="table 'numbers' needs a number for each of its 3 entries"):
        check(made)


def test_solves_cannot_read_tables() -> None:
    work = (Work("s.A", 1, values=(2.0,)), Work("s.b", 1), Work("s.x", 1))
    made = replace(stored(), work=work, regions=(Solve("s", 1, ((0, 0),), 1, "s.A", "s.b", "s.x"),))
    with pytest.raises(ProgramError, match=r"solve 's' reads 's\.A', which is not a work buffer: copy it to one"):
        check(made)


def test_table_values_are_part_of_the_digest_and_not_hoisted() -> None:
    made = [tables().program, replace(tables().program, name="tables")]
    other = tuple(replace(w, values=(*w.values[:-1], 8.0)) if w.table else w for w in made[0].work)
    assert digest(made[0]) == digest(made[1]) != digest(replace(made[0], work=other))
    main = stage(made[0]).main
    assert [w.name for w in main.tables] == ["numbers"]
    assert next(g.size for g in main.groups if g.name == "hoisted") == 10  # sines and what parameters stand in


def test_contiguous_inputs_are_read_as_rows() -> None:
    g = Graph()
    p, q = parameters_and_coordinates(g, 4)
    a = Assembly("found", g, {"parameters": p, "q": q})
    assert a.input_rows(q) == Rows("q", 1, 4) and a.input_rows(q[1:3]) == Rows("q", 1, 2, 1)
    assert [a.input_rows(x) for x in ([], q[::-1], [q[0], q[2]], [p[3], q[0]], [g.sin(q[0])])] == [None] * 5
    assert a.input_rows([a.read(a.array("w", 1), 0)]) is None
