"""parse: the language, its limits, position and text of every error, and hostile texts."""

import gc
import math
import random
import string
import time
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from freebody.errors import ExpressionError, ParseError
from freebody.scalar import ops, walk
from freebody.scalar.functions import callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.parse import DIGITS, FUNCTIONS, LENGTH, NESTING, parse
from freebody.scalar.printing import text as printed
from freebody.scalar.symbol import Kind

NAMES = {"x": 0.7, "y": -1.3, "z2": 2.9, "body.x": 0.31, "θ": 0.83, "m_1": 5.1}
SLOWEST = 1.0  # seconds of processor time for one text, traced; a text of usual length takes 0.0001
LARGEST = 30e6  # bytes while one text is read


def make() -> Graph:
    graph = Graph()
    for name in NAMES:
        graph.symbol(name, Kind.COORDINATE)
    return graph


@pytest.fixture
def graph() -> Graph:
    return make()


def evaluate(g: Graph, root: int, at: dict[str, float]) -> float:
    """The value of a node, operands first."""
    values: dict[int, float] = {}
    for i in walk.live(g, [root]):
        if g.op[i] == ops.CONST:
            values[i] = float(g.numbers[g.a[i]])
        elif g.op[i] == ops.SYMBOL:
            values[i] = at[g.symbols[g.a[i]].name]
        else:
            values[i] = ops.OPS[g.op[i]].value(*(values[k] for k in walk.operands(g, i)))
    return values[root]


def failure(text: str, graph: Graph | None = None, **more: object) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(graph or make(), text, **more)
    assert caught.value.text == text
    return caught.value


# The language

MEANINGS = {
    "2": 2.0,
    "00": 0.0,
    "007.5": 7.5,
    ".5": 0.5,
    "1.": 1.0,
    "1.5e-3": 0.0015,
    "pi": math.pi,
    "-2**2": -4.0,
    "2**-1": 0.5,
    "2**3**2": 512.0,
    "7 - 2 - 1": 4.0,
    "8/4/2": 1.0,
    "- -3": 3.0,
    "-+-3": 3.0,
    "1 + 2*3": 7.0,
    "(1 + 2)*3": 9.0,
    " ( 1\n+\t2 ) ": 3.0,
    "abs(-2.5)": 2.5,
    "min(3, 1, 2)": 1.0,
    "max(3)": 3.0,
    "atan2(1, 1)": math.pi / 4,
    "where(1 < 2, 3, 4)": 3.0,
    "3 if 1 > 2 else 4": 4.0,
    "1 if 0 > 1 else 2 if 0 > 1 else 3": 3.0,
    "1 < 2": 1.0,
    "1 <= 1 < 1": 0.0,
    "1 == 1 != 2 >= 2 > 1": 1.0,
    "1 < 2 and 2 < 1": 0.0,
    "1 < 2 or 2 < 1": 1.0,
    "not 1 < 2 or not (2 < 1 and 1 < 2)": 1.0,
    "(1 < 2)*5": 5.0,
    "sqrt(16) + floor(2.7) + sign(-3)": 5.0,
    "y": NAMES["y"],
    "body.x * 2": 2 * NAMES["body.x"],
    "body . x": NAMES["body.x"],
    "θ + 1": NAMES["θ"] + 1,
    "θ*θ - m_1": NAMES["θ"] ** 2 - NAMES["m_1"],
    "x**3/z2": NAMES["x"] ** 3 / NAMES["z2"],
    "0 < x < 1": 1.0,
}


@pytest.mark.parametrize(("text", "value"), MEANINGS.items())
def test_value_of_texts(graph: Graph, text: str, value: float) -> None:
    assert evaluate(graph, parse(graph, text), NAMES) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("name", [n for n, code in FUNCTIONS.items() if ops.ARITY[code] == 1])
def test_functions_of_one_argument(graph: Graph, name: str) -> None:
    assert parse(graph, f"{name}(x)") == graph.build[FUNCTIONS[name]](graph.named("x"))


@pytest.mark.parametrize(
    ("text", "number"),
    [("1/3", Fraction(1, 3)), ("0.1", 0.1), ("6/3", 2), ("2", 2), ("2.0", 2.0), ("9" * 40, float("9" * 40))],
)
def test_numbers_are_exact_where_possible(graph: Graph, text: str, number: object) -> None:
    found = graph.number(parse(graph, text))
    assert (type(found), found) == (type(number), number)


def test_given_names_replace_those_of_the_graph(graph: Graph) -> None:
    x, y = graph.named("x"), graph.named("y")
    assert parse(graph, "a*b", {"a": x, "b": y}) == graph.mul(x, y)
    assert parse(graph, "pi", {"pi": x}) == x
    assert failure("x", graph, names={"a": x}).message == "'x' is not declared. Known: a."
    assert failure("x", graph, names={}).message == "'x' is not declared. No names can be used here."


def test_tables_and_callbacks_by_name(graph: Graph) -> None:
    x, y = graph.named("x"), graph.named("y")
    curve = table("curve", [0, 1], [0, 5])
    drag = callback("drag", lambda v, c: c * v, arity=2)
    given = {"curve": curve, "body.drag": drag}
    assert parse(graph, "curve(x)", None, given) == graph.table(curve, x)
    assert parse(graph, "body.drag(x, y)", None, given) == graph.call(drag, [x, y])
    assert failure("curve(x, y)", graph, functions=given).message == "curve() takes 1 argument, not 2"
    assert failure("1 + body.drag(x)", graph, functions=given).message == "body.drag() takes 2 arguments, not 1"
    assert failure("curve + 1", graph, functions=given).message == "curve is a function: write curve(…)"


def test_shared_parts_are_one_node(graph: Graph) -> None:
    parse(graph, "sin(x)*cos(y)")
    size = len(graph)
    assert parse(graph, "cos(y)*sin(x)") == size - 1
    assert len(graph) == size


# Values that are not finite


def test_branches_may_be_infinite(graph: Graph) -> None:
    for text in ("where(x > 0, 1/0, 2)", "1/0 if x > 0 else 2", "where(x > 0, 2, where(1/0 > 0, log(0), 3))"):
        assert graph.op[parse(graph, text)] == ops.WHERE


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("1/0", 0), ("x + 1/0", 4), ("0*(1/0)", 3), ("x**0*log(0)", 5), ("where(1/0, 1, 2)", 6),
        ("where(1 < 2, 1/0, 2)", 0), ("sin(x)*exp(1000)", 7), ("1/0 - 1/0", 0), ("θ*0**-1", 2),
        ("(-8)**(1/3)", 0), ("x + 10**400", 4),
    ],
)  # fmt: skip
def test_values_must_be_finite_elsewhere(text: str, column: int) -> None:
    error = failure(text)
    assert "has no finite value" in error.message
    assert error.column == column


def test_factors_that_would_overflow_are_accepted(graph: Graph) -> None:
    assert graph.op[parse(graph, "1e300*(1e300*x)")] == ops.MUL


# Errors

ERRORS = [
    ("", 0, "the text is empty: give an expression such as m*l**2/12"),
    (" \n", 2, "the text is empty: give an expression such as m*l**2/12"),
    ("x +", 3, "the text ends where something must follow: give an expression such as m*l**2/12"),
    ("x y", 2, "an operator is missing before 'y'"),
    ("x not", 2, "an operator is missing before 'not'"),
    ("2 x", 2, "an operator is missing before 'x'"),
    ("2x", 1, "2 runs into 'x': write * or a space between"),
    ("1j", 1, "1 runs into 'j': write * or a space between"),
    ("0x10", 1, "0 runs into 'x': write * or a space between"),
    ("1_000", 1, "1 runs into '_': write * or a space between"),
    ("θ + 012", 4, "'012' starts with zeros: leave them out"),
    ("1if x else 2", 1, "1 runs into 'i': write * or a space between"),
    ("2(x)", 1, "an operator is missing before '('"),
    ("(x)(y)", 3, "an operator is missing before '('"),
    ("x(y)", 0, "'x' is not a function: write * before the bracket to multiply"),
    ("*x", 0, "something is missing before '*'"),
    ("x*/y", 2, "something is missing before '/'"),
    ("sin()", 4, "something is missing before ')'"),
    ("min(x,)", 6, "something is missing before ')'"),
    ("min(,x)", 4, "something is missing before ','"),
    ("θ + (x", 4, "'(' is never closed"),
    ("θ + x)", 5, "')' closes nothing: there is no '(' before it"),
    ("x, y", 1, "',' stands only between the arguments of a function"),
    ("min((x, y))", 6, "',' stands only between the arguments of a function"),
    ("x^2", 1, "'^' has no meaning in an expression: write ** for a power"),
    ("x = 2", 2, "'=' has no meaning in an expression: write == to compare"),
    ("x & y", 2, "'&' has no meaning in an expression: write 'and'"),
    ("x % y", 2, "'%' has no meaning in an expression: write x - m*floor(x/m) for a remainder"),
    ("θ − x", 2, "'−' (MINUS SIGN) has no meaning in an expression: use names, numbers, + - * / ** and brackets"),
    ("x\0", 1, r"'\x00' (unnamed) has no meaning in an expression: use names, numbers, + - * / ** and brackets"),
    ("'x'", 0, "''' has no meaning in an expression: write names without quotes"),
    ("θ.", 1, "'.' has no meaning in an expression: a dot stands inside a number or between the parts of a name"),
    ("sin(x).y", 6, "'.' has no meaning in an expression: a dot stands inside a number or between the parts of a name"),
    ("θ*lambda", 2, "'lambda' is a reserved word and cannot be a name: use another name"),
    ("True", 0, "'True' is a reserved word and cannot be a name: write 1"),
    ("θ + body.y", 4, "'body.y' is not declared. Did you mean body.x?"),
    ("q", 0, "'q' is not declared. Known: x, y, z2, body.x, θ, m_1."),
    ("x.__class__", 0, "'x.__class__' is not declared. Known: x, y, z2, body.x, θ, m_1."),
    ("θ*sni(x)", 2, "there is no function 'sni'. Did you mean sin?"),
    ("math.sin(x)", 0, "there is no function 'math.sin'. Did you mean sin or sinh or sign?"),
    ("sin", 0, "sin is a function: write sin(…)"),
    ("θ + atan2(x)", 4, "atan2() takes 2 arguments, not 1"),
    ("where(x, y)", 0, "where() takes 3 arguments, not 2"),
    ("θ + (x if y)", 7, "'if' needs an 'else': write a if condition else b"),
    ("θ else x", 2, "'else' has no 'if' before it"),
    ("min(x else y)", 6, "'else' has no 'if' before it"),
    ("θ + not x", 4, "'not' needs brackets here: write (not …)"),
    ("not x", 4, "'not' stands between comparisons only: write … != 0 here"),
    ("θ < 1 and x", 10, "'and' stands between comparisons only: write … != 0 here"),
    ("x or θ < 1", 0, "'or' stands between comparisons only: write … != 0 here"),
    ("θ + x**2048", 7, "the power is beyond ±1024: write exp(…*log(…)) if it is meant"),
    ("x**-(1000*2)", 3, "the power is beyond ±1024: write exp(…*log(…)) if it is meant"),
    ("x**1e300", 3, "the power is beyond ±1024: write exp(…*log(…)) if it is meant"),
    ("9**9**9**9", 6, "the power is beyond ±1024: write exp(…*log(…)) if it is meant"),
    ("θ*1e999", 2, "inf cannot be part of an expression: only finite numbers can"),
    ("θ + " + "7" * (DIGITS + 1), 4, "a number has more than 40 digits: round it"),
]


@pytest.mark.parametrize(("text", "column", "message"), ERRORS, ids=[repr(e[0])[:30] for e in ERRORS])
def test_errors_show_reason_and_position(text: str, column: int, message: str) -> None:
    error = failure(text)
    assert (error.message, error.column) == (message, column)


def test_syntax_errors_show_the_position() -> None:
    assert str(failure("θ*(x + *y)")) == "something is missing before '*'\n    θ*(x + *y)\n           ^"


def test_other_types_are_refused(graph: Graph) -> None:
    with pytest.raises(ExpressionError, match=r"b'x' \(bytes\) is not a text"):
        parse(graph, b"x")


# Names in other alphabets

MICRO, MU = "µ", "μ"  # NFKC turns the first into the second
SCRIPT, ORDINARY = "ϑ", "θ"


def test_names_match_after_normalisation() -> None:
    graph = Graph()
    micro = graph.symbol(MICRO, Kind.PARAMETER)
    assert parse(graph, MICRO) == parse(graph, MU) == micro
    mu = graph.symbol(MU, Kind.PARAMETER)
    assert (parse(graph, MICRO), parse(graph, MU)) == (micro, mu)


def test_ambiguous_names_are_refused() -> None:
    graph = Graph()
    graph.symbol("ﬁx", Kind.PARAMETER)
    graph.symbol("fiˣ", Kind.PARAMETER)
    assert failure("fix", graph).message.startswith("'fix' fits several declared names")


def test_unknown_names_show_their_normalised_form() -> None:
    graph = Graph()
    graph.symbol("q", Kind.PARAMETER)
    assert failure(f"q*{SCRIPT}", graph).message == f"'{SCRIPT}' (read as '{ORDINARY}') is not declared. Known: q."


def test_combining_marks_belong_to_their_letter() -> None:
    graph = Graph()
    velocity = graph.symbol("ẋ", Kind.SPEED)
    assert parse(graph, "2*x\u0307 - ẋ") == graph.sub(graph.mul(graph.const(2), velocity), velocity)


# Limits


def test_texts_within_the_limits_are_accepted(graph: Graph) -> None:
    x = graph.named("x")
    assert parse(graph, "(" * NESTING + "x" + ")" * NESTING) == x
    assert parse(graph, "-" * NESTING + "x") == x
    assert parse(graph, "x**" * NESTING + "1")
    assert parse(graph, "y if x > 0 else " * NESTING + "1")
    assert parse(graph, "not " * NESTING + "x > 0")
    assert parse(graph, "sin(" * NESTING + "x" + ")" * NESTING)
    assert parse(graph, "+".join(["x*y"] * 2000))
    assert parse(graph, "+".join("x" * 10_000))
    assert parse(graph, "(x" + "+x" * 1500 + ")" + "+x" * 1500)
    assert parse(graph, "*".join(["x"] * 2000))
    assert parse(graph, "-".join(f"z2*{k}.5" for k in range(2000)))
    assert parse(graph, "min(" + ",".join(["x", "y"] * 2000) + ")")
    assert parse(graph, " and ".join(["x<1"] * 2000))
    assert parse(graph, "<".join(["x"] * 2000))


DEEP = "brackets, signs, powers and conditions go more than 100 deep: give it in parts"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * (LENGTH + 1), "the text has 20001 characters, more than 20000: give it in parts"),
        ("(" * 101 + "x" + ")" * 101, DEEP),
        ("x" + ".x" * 101, "a name has more than 100 dots"),
        ("-" * 101 + "x", DEEP),
        ("not " * 101 + "x < 1", DEEP),
        ("x**" * 101 + "x", DEEP),
        ("x if y else " * 101 + "x", DEEP),
        (("-" * 60 + "(") * 60 + "x" + ")" * 60, DEEP),
    ],
)
def test_texts_beyond_the_limits_are_refused(text: str, message: str) -> None:
    assert failure(text).message.startswith(message)


def test_parsing_close_to_the_recursion_limit(graph: Graph) -> None:
    def dive(levels: int) -> None:
        if levels:
            dive(levels - 1)
        else:
            attempt(graph, "+".join("x" * 2000))

    dive(700)


# Hostile texts


def attempt(graph: Graph, text: str) -> int | None:
    """Require a node, or a ParseError with a position inside the text, within the time and memory limits."""
    gc.disable()  # a collection over what other tests have left takes seconds
    start = time.process_time()
    try:
        handle = parse(graph, text)
        assert 0 <= handle < len(graph)
    except ParseError as error:
        handle = None
        assert 0 <= error.column <= len(text)
        assert len(str(error)) < 1000
    finally:
        seconds = time.process_time() - start
        gc.enable()
    assert seconds < SLOWEST
    return handle


HOSTILE = {
    "brackets": "(" * 10**6,
    "closed brackets": "(" * 10**6 + "x" + ")" * 10**6,
    "signs": "-" * 10**6 + "1",
    "nots": "not " * 10**6 + "1",
    "digits": "1" * 10**6,
    "digits within the length": "1" * LENGTH,
    "exponent": "1e" + "9" * 5000,
    "tower": "9**9**9**9",
    "tower of brackets": "(((9**99)**99)**99)**99",
    "powers": "((((x**1024)**1024)**1024)**1024)**1024",
    "long tower": "**".join(["9"] * 5000),
    "products": "*".join(["9" * 39] * 480),
    "import": "__import__('os')",
    "import without text": "__import__(os)",
    "class": "x.__class__.__base__.__subclasses__()",
    "class of a number": "(1).__class__",
    "lambda": "lambda: 0",
    "walrus": "(x := 2)",
    "comprehension": "[x for x in y]",
    "generator": "max(x for x in y)",
    "dict": "{x: y}",
    "slice": "x[1:2]",
    "star": "max(*x)",
    "keyword": "max(key=x)",
    "await": "await x",
    "yield": "(yield x)",
    "f-string": "f'{x}'",
    "bytes": "b'x'",
    "ellipsis": "...",
    "imaginary": "2j",
    "statement": "x; import os",
    "assignment": "x = 1",
    "comment": "x # y",
    "continuation": "x \\\n + y",
    "null": "x\0y",
    "surrogate": "x\ud800",
    "byte order mark": "\ufeffx",
    "no-break space": "x\u00a0+ y",
    "right to left": "x\u202e+ y",
    "zero width": "x\u200b",
    "full width": "ｘ＋１",
    "mathematical lambda": "𝐥𝐚𝐦𝐛𝐝𝐚 + 1",
    "mathematical None": "𝐍𝐨𝐧𝐞",
    "fancy import": "__𝐢𝐦𝐩𝐨𝐫𝐭__(x)",
    "long name": "x" * LENGTH,
    "long unknown function": "f" * 19_000 + "(x)",
    "many unknown names": "+".join(f"n{k}" for k in range(2000)),
    "infinite branch": "where(x > 0, 1/0" + "*2" * 2000 + ", 1)",
    "nested infinite branch": "where(x > 0, (1/0)" * 90 + ", 1" + ", 1)" * 90,
    "unclosed conditions": "(x if " * 100 + "x" + ")" * 100,
    "misplaced not": "sin(" * 99 + "x + not x" + ")" * 99,
    "misplaced else": "min(x, " * 99 + "x else y" + ")" * 99,
    "commas": "," * 5000,
    "dots": "x" + ".x" * 9000,
    "spaces": "x" + " " * 19_000 + ".",
    "many spaced names": ("a" + " " * 99) * 199,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_need_little_time_and_memory(text: str) -> None:
    graph = make()
    tracemalloc.start()
    attempt(graph, text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < LARGEST
    assert len(graph) < LENGTH


HARMLESS = {"powers", "infinite branch", "nested infinite branch"}


@pytest.mark.parametrize("name", sorted(HOSTILE.keys() - HARMLESS))
def test_hostile_texts_are_refused(name: str) -> None:
    assert attempt(make(), HOSTILE[name]) is None


# Fuzzing

TOKENS = [
    *NAMES, *FUNCTIONS, *"+-*/<>(),.^=[]{}:;'\"#@&|~!%\\`$?", "**", "<=", ">=", "==", "!=", "//", ":=", "->", " ", "\n",
    "\t", "and", "or", "not", "if", "else", "lambda", "in", "is", "for", "None", "True", "await", "1", "0", "2.5",
    "1e3", "1e-3", ".5", "1.", "1j", "0x1", "1_0", "_", "__class__", "pi", "θ", "ϑ", "µ", "²", "−", "·", "x'", "\0",
]  # fmt: skip
SENSIBLE = [*NAMES, "sin(", "(", ")", "+", "-", "*", "/", "**", "<", "and", "not", "if", "else", ",", "min(", "2", " "]


@pytest.mark.slow
@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text(max_size=60))
@example("\ud800")
def test_random_text_is_parsed_or_refused(text: str) -> None:
    attempt(make(), text)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text(string.printable, max_size=60))
def test_random_printable_text_is_parsed_or_refused(text: str) -> None:
    attempt(make(), text)


@pytest.mark.parametrize("words", [TOKENS, SENSIBLE], ids=["all tokens", "sensible tokens"])
def test_random_tokens_are_parsed_or_refused(words: list[str]) -> None:
    source, graph = random.Random(1), make()
    for _ in range(6000):
        glue = source.choice(["", " "])
        attempt(graph, glue.join(source.choices(words, k=source.randint(1, 25))))


@pytest.mark.slow
def test_mutated_expressions_are_parsed_or_refused() -> None:
    source, graph = random.Random(2), make()
    for _ in range(3000):
        text = [*expression(source, 2)]
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(text) + 1)
            text[place : place + source.randint(0, 2)] = source.choice(TOKENS) * source.randint(0, 2)
        attempt(graph, "".join(text))


# Comparison with Python


def expression(source: random.Random, depth: int) -> str:
    """A random text that is a valid expression here and in Python, without equal comparisons or undefined values."""
    a, b, c = (expression(source, depth - 1) if depth else source.choice([*NAMES, "2", "0.5", "3"]) for _ in range(3))
    condition = logic(source, 2)
    forms = [
        f"({a} + {b} - {c})",
        f"({a} - {b}*{c})",
        f"({a} - ({b} + {c}))",
        f"-{a}*{b}",
        f"{a}/(1 + abs({b}))/2",
        f"-{source.choice([*NAMES])}**2",
        f"2**-({b}/(1 + abs({b})))",
        f"(1 + abs({a}))**0.5**2",
        f"sqrt(abs({a}))",
        f"sin({a})",
        f"atan2({a}, 1 + abs({b}))",
        f"tanh({a})",
        f"min({a}, {b}, {c})",
        f"max({a}, {b})",
        f"({a})",
        f"log(1 + abs({a}))",
        f"where({condition}, {a}, {b})",
        f"({a} if {condition} else {b})",
        f"({condition})*{a}",
        f"({a} if {condition} else {b} if {logic(source, 1)} else {c})",
        f"+{a} - -{b}",
        f"sign(y)*{a} / 3 / 7",
        f"floor(7*x + {depth}.5)",
    ]
    return source.choice(forms)


def logic(source: random.Random, depth: int) -> str:
    names = [*NAMES]
    if not depth:
        sign = source.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{source.choice(names)} {sign} {source.choice(names)} < {source.choice(['2', '0.4', '-1'])}"
    a, b = logic(source, depth - 1), logic(source, depth - 1)
    return source.choice([a, f"{a} and {b}", f"{a} or {b}", f"not {a}", f"not ({a} or {b})", f"({a}) and not {b}"])


class Body:
    x = NAMES["body.x"]


PYTHON = (
    {name: getattr(math, name) for name in ("sqrt", "sin", "atan2", "tanh", "log", "floor")}
    | {
        "__builtins__": {},
        "abs": abs,
        "min": min,
        "max": max,
        "sign": lambda v: (v > 0) - (v < 0),
        "body": Body,
        "where": lambda condition, a, b: a if condition else b,
    }
    | {name: value for name, value in NAMES.items() if name.isidentifier()}
)


@pytest.mark.parametrize("seed", range(8))
def test_values_match_python(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(150):
        text = expression(source, source.randint(0, 3))
        graph = make()
        expected = eval(text, PYTHON)
        assert evaluate(graph, parse(graph, text), NAMES) == pytest.approx(expected, rel=1e-11, abs=1e-11), text


@pytest.mark.parametrize("seed", range(4))
def test_printed_expressions_parse_to_the_same_node(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(100):
        graph = make()
        handle = parse(graph, expression(source, 1))
        text = printed(graph, handle)
        if "\n" not in text:
            again = evaluate(graph, parse(graph, text), NAMES)
            assert again == pytest.approx(evaluate(graph, handle, NAMES), rel=1e-12, abs=1e-12), text
