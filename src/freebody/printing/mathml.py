"""MathML: formulas as a notation, programs as tables of formulas in HTML."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from html import escape

from freebody.printing.listing import Formulas, Loop, Part, clean, listing, some, wholes
from freebody.program.program import Program, Solve
from freebody.scalar import notation, ops, tex
from freebody.scalar.notation import ANY, ATOM, CHOICE, COMPARE, NEGATIVE, POWER, PRODUCT, SUM, OperationForm, form
from freebody.scalar.numbers import Number
from freebody.tables import CELL, shorten

TIMES = '<mo lspace="0" rspace=".14em">&#x2062;</mo>'  # invisible, but read aloud
APPLY = "<mo>&#x2061;</mo>"
DOT, MINUS, PLUS, COMMA = "<mo>·</mo>", "<mo>−</mo>", "<mo>+</mo>", "<mo>,</mo>"
OPERATORS = {"+": PLUS, "-": MINUS, "*": TIMES, ",": COMMA}
ACCENTS = {"dot": ".", "ddot": "..", "\u0307": ".", "\u0308": ".."}


def elements(row: str) -> list[str]:
    """The outermost elements of a row."""
    parts, depth, start = list[str](), 0, 0
    for tag in re.finditer("<(/?)[^>]*>", row):
        depth += -1 if tag[1] else 1
        if depth == 0:
            parts.append(row[start : tag.end()])
            start = tag.end()
    return parts


def element(row: str) -> str:
    """A row as one element."""
    return row if len(elements(row)) == 1 else f"<mrow>{row}</mrow>"


def markup(row: str) -> str:
    """A row in <math>; each term of a sum in its own, so that a browser may break the line before its sign."""
    terms: list[list[str]] = [[]]
    for piece in elements(row):
        if piece in (PLUS, MINUS) and terms[-1]:
            terms.append([piece.replace("<mo>", '<mo form="infix" lspace=".22em" rspace=".22em">')])
        else:
            terms[-1].append(piece)
    return "<wbr>".join(f"<math>{''.join(term)}</math>" for term in terms)


def equation(left: str, *terms: str) -> str:
    """left = term + term + …, of rows, in <math>."""
    return markup(f"{left}<mo>=</mo>{PLUS.join(terms)}")


def name(raw: str) -> str:
    """A name as one element, by the rules of ``scalar/tex.py``; whatever it holds is escaped."""
    return _name(tex.read_name(raw))


def _name(part: tex.NameParts | tex.Index) -> str:
    if isinstance(part, tex.Index):
        tokens = re.findall(r"[A-Za-z]+\d*|\d+|[-+*,]", part)
        return "".join(OPERATORS.get(token) or _name(tex.word_name(token)) for token in tokens)
    word, greek = part.letters, tex.greek(part.letters)
    if greek and not part.text:
        size, spelled = "CAPITAL" if greek[0].isupper() else "SMALL", greek.upper().replace("LAMBDA", "LAMDA")
        symbol = f"<mi>{unicodedata.lookup(f'GREEK {size} LETTER {spelled}')}</mi>"
    elif part.text or not (word.isascii() and word.isalnum()):
        symbol = f"<mtext>{escape(shorten(clean(word), CELL))}</mtext>"
    else:
        symbol = f"<mn>{word}</mn>" if word.isdecimal() else f"<mi>{word}</mi>"
    if part.dots:
        symbol = f'<mover>{symbol}<mo lspace="0" rspace="0" scriptlevel="0">{ACCENTS[part.dots]}</mo></mover>'
    if part.below:
        symbol = f"<msub>{symbol}{element(COMMA.join(map(_name, part.below)))}</msub>"
    return power(symbol, "<mo>′</mo>" * part.primes) if part.primes else symbol


def number(value: Number) -> str:
    """A number: fractions as fractions, floats with their power of ten."""
    mantissa, _, exponent = str(value).partition("e")
    if mantissa.startswith("-"):
        return MINUS + number(-value)
    if isinstance(value, Fraction):
        return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"
    if not exponent:
        return {"inf": "<mi>∞</mi>", "nan": "<mi>NaN</mi>"}.get(mantissa, f"<mn>{mantissa}</mn>")
    ten = power("<mn>10</mn>", number(int(exponent)))
    return ten if mantissa == "1" else f"<mn>{mantissa}</mn>{DOT}{ten}"


def join(factors: Sequence[str]) -> str:
    """Factors side by side, with a dot before a number."""
    return factors[0] + "".join((DOT if re.match("(<msup>)?<mn>", f) else TIMES) + f for f in factors[1:])


def power(base: str, exponent: str) -> str:
    """xⁿ; the power of a sine stands behind its name, that of a name above its subscript."""
    if function := re.match(f"<mi>(sin|cos|tan)</mi>(?={APPLY})", base):
        return power(function[0], exponent) + base[function.end() :]
    if base.startswith("<msub>") and base.endswith("</msub>"):
        return f"<msubsup>{base.removeprefix('<msub>').removesuffix('</msub>')}{element(exponent)}</msubsup>"
    return f"<msup>{element(base)}{element(exponent)}</msup>"


def fenced(opening: str, *rows: str, closing: str = ")") -> str:
    """Rows between parentheses, or other fences."""
    return f"<mrow><mo>{opening}</mo>{COMMA.join(rows)}<mo>{closing}</mo></mrow>"


def applied(function: str, *arguments: str) -> str:
    """A function at its arguments."""
    return function + APPLY + fenced("(", *arguments)


COMPARISONS = {ops.LT: "&lt;", ops.LE: "≤", ops.EQ: "=", ops.NE: "≠"}
CASES = (
    '<mrow><mo>{</mo><mtable columnalign="left"><mtr><mtd>@1</mtd><mtd><mtext>if </mtext>@0</mtd></mtr>'
    "<mtr><mtd>@2</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>"
)

NOTATION = notation.Notation(
    {
        **{op: OperationForm(partial(applied, f"<mi>{word}</mi>")) for op, word in tex.FUNCTIONS.items()},
        **{op: form(f"@0<mo>{sign}</mo>@1", COMPARE, SUM, SUM) for op, sign in COMPARISONS.items()},
        ops.ADD: form(f"@0{PLUS}@1", SUM, SUM, SUM),
        ops.SUB: form(f"@0{MINUS}@1", SUM, SUM, PRODUCT),
        ops.MUL: OperationForm(lambda *x: join(x), PRODUCT, (PRODUCT, POWER)),
        ops.DIV: OperationForm(lambda x, y: f"<mfrac>{element(x)}{element(y)}</mfrac>", PRODUCT),
        ops.NEG: form(f"{MINUS}@0", NEGATIVE, PRODUCT),
        ops.POW: OperationForm(power, POWER, (ATOM, ANY)),
        ops.SQRT: form("<msqrt>@0</msqrt>"),
        ops.ABS: OperationForm(lambda x: fenced("|", x, closing="|")),
        ops.FLOOR: OperationForm(lambda x: fenced("⌊", x, closing="⌋")),
        ops.WHERE: form(CASES, CHOICE),
        ops.TABLE: OperationForm(applied),
        ops.CALL: OperationForm(applied),
    },
    number,
    name=name,
    group=OperationForm(lambda x: fenced("(", x)),
    gathered=True,
    join=join,
    minus=MINUS,
    atomic=lambda text: text.count("<") == 2,
    truth=OperationForm(lambda x: fenced("[", x, closing="]")),
    condition=form("@0<mo>≠</mo><mn>0</mn>", COMPARE, SUM),
    tidy=notation.short,
    longest=1200,
)
"""MathML rows; ``markup`` puts one on a page."""


def emit(
    program: Program, meanings: Mapping[str, str] | None = None, most: int = 10**9, hidden: Collection[str] = ()
) -> str:
    """The formulas of a program, at most ``most``; ``meanings`` describes results by names such as ``u_dot[0]``,
    ``hidden`` names results that are left out."""
    described = {name(n): text for n, text in (meanings or {}).items()}
    unseen = set(map(name, hidden))
    texts, left, more = list[str](), most, 0
    for part in listing(program, NOTATION)[1]:
        shown = part if isinstance(part, Solve | Loop) else tuple(f for f in part if f.name not in unseen)
        size = 1 if isinstance(shown, Solve) else sum(map(len, shown.kinds)) if isinstance(shown, Loop) else len(shown)
        texts += _part(shown, described, left) if left > 0 else []
        more += max(0, size - left)
        left = max(0, left - size)
    note = f'<p class="note">{more} more lines are not shown here; the listing as text has them all.</p>'
    return "\n".join([*texts, *[note][: more > 0]])


def _table(formulas: Formulas, meanings: Mapping[str, str], most: int) -> Iterator[str]:
    """A row for each formula: name, sign, text, and what it is or what it is part of."""
    remarks = [escape(shorten(clean(f.description or meanings.get(f.name, "")))) for f in formulas]
    rows = []
    for k, whole in enumerate(wholes(formulas, remarks)[:most]):
        remark = remarks[k] if whole == k else f"part of {markup(formulas[whole].name)}"
        left, sign, right = markup(formulas[k].name), "+=" if formulas[k].add else "=", markup(formulas[k].text)
        rows.append(f"<tr><th>{left}</th><td>{sign}</td><td>{right}</td><td>{remark}</td></tr>")
    if rows:
        yield "\n".join(['<table class="formulas">', *rows, "</table>"])


def _part(part: Part, meanings: Mapping[str, str], most: int) -> Iterator[str]:
    if isinstance(part, Loop):
        step = markup(name("i"))
        yield f"<p>for each step {step} of {len(part.scan.kinds)} ({escape(clean(part.scan.name))}):</p>"
        for index, values in part.indices.items():
            yield f"<p>{markup(name(index))} = {some(values)} for {step} = 0, 1, …</p>"
        for kind, formulas in enumerate(part.kinds):
            if len(part.kinds) > 1:
                yield f"<p>at {step} = {some(part.steps(kind))}:</p>"
            yield from _table(formulas, meanings, most)
            most = max(0, most - len(formulas))
    elif isinstance(part, Solve):
        A, b, x = (markup(name(n)) for n in (part.matrix, part.right, part.result))
        n, known = part.size, len(part.entries)
        rows = f" (multipliers: {some(part.multipliers)})" if part.multipliers else ""
        yield (
            f"<p>solve {A} {x} = {b} ({escape(clean(part.name))}): {n} unknown{'s' * (n > 1)}{rows}, {known} of"
            f" {n * (n + 1) // 2} entries in the lower triangle, eliminated in the order {some(part.plan.order)}</p>"
        )
    else:
        yield from _table(part, meanings, most)
