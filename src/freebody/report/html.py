"""Parts of the report in HTML: tables, facts, folds, and the page around them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from freebody.tables import Html, html, join, shorten, tag


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[str] = ()) -> Html:
    """A table with a head; the columns named in ``numbers`` are set to the right, units stay on one line, names may be
    divided behind dots and underscores."""
    kinds = [{"class_": "number"} if c in numbers else {"class_": "unit"} if c == "unit" else {} for c in columns]
    head = tag("tr", *(tag("th", c, **kind) for c, kind in zip(columns, kinds, strict=True)))
    body = [
        tag("tr", *(tag("td", c if kind else divisible(c), **kind) for c, kind in zip(row, kinds, strict=True)))
        for row in rows
    ]
    inside = tag("table", tag("thead", head), Html("\n"), tag("tbody", join(body)))
    return tag("div", inside, class_="wide")


def divisible(text: object) -> Html:
    """A text whose names may be divided at the ends of lines."""
    return text if isinstance(text, Html) else Html(re.sub(r"(?<=\w[._])(?=\w)", "<wbr>", html(text)))


def facts(pairs: Iterable[tuple[str, object]]) -> Html:
    """Names and values side by side."""
    return tag("dl", join(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="facts")


def fold(summary: object, content: object, opened: bool = False) -> Html:
    """Content behind a line that opens it."""
    inside = join([tag("summary", summary), content])
    return Html(f"<details{' open' if opened else ''}>{inside}</details>")


def note(text: object) -> Html:
    return tag("p", text, class_="note")


# The page

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1d2430; --soft: #5b6675; --line: #dde2e9; --paper: #ffffff; --tint: #f5f7fa; --link: #0b63a5;
  --good: #1a7f4b; --bad: #b3261e; --warn: #8a5a00; --warn-tint: #fff6e0; --shade: #1d243040;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ee; --soft: #9aa5b4; --line: #333c48; --paper: #14181e; --tint: #1c222a; --link: #7ab8ea;
    --good: #5ecb91; --bad: #ff8a80; --warn: #f2c14e; --warn-tint: #2b2515; --shade: #000000b0;
  }
  img, .diagram svg { filter: invert(0.9) hue-rotate(180deg) brightness(1.4); }
}
* { box-sizing: border-box; }
html { font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
body { margin: 0; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.5rem; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--soft); font-size: 0.85rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.25rem; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 1.35rem; margin: 3rem 0 0.9rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.8rem 0 0.5rem; }
p { margin: 0.6rem 0; max-width: 46rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.lead { color: var(--soft); font-size: 1.05rem; margin: 0; max-width: none; }
.note, figcaption { color: var(--soft); font-size: 0.9rem; }
h1, h3, td, th, dd, dt, li, p, summary, figcaption, code, mtext { unicode-bidi: isolate; }
nav { margin: 1.4rem 0 0; padding: 0.7rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
nav ol { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0; padding: 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: 1rem 1.6rem; }
.facts { margin: 1.2rem 0; }
.facts dt { color: var(--soft); font-size: 0.8rem; }
.facts dd { margin: 0; font-weight: 550; font-variant-numeric: tabular-nums; }
.status { font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); }
.warnings { margin: 1.2rem 0; padding: 0.6rem 1rem; border-left: 3px solid var(--warn); background: var(--warn-tint); }
.warnings p { max-width: none; }
.wide { overflow-x: auto; margin: 0.7rem 0 1.2rem; }
.wide, .diagram {  /* shadows at the sides where there is more to scroll to */
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / 0.7rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / 0.7rem 100% no-repeat scroll;
}
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.22rem 1.1rem 0.22rem 0; text-align: left; vertical-align: baseline; }
thead th { font-weight: 600; color: var(--soft); font-size: 0.82rem; border-bottom: 1px solid var(--line); }
tbody td { border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
td { overflow-wrap: break-word; max-width: 30rem; }
.number { text-align: right; }
.number, .unit, thead th, .formulas th { white-space: nowrap; }
td.number + td:not(.number), th.number + th:not(.number) { padding-left: 0.6rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 0 2.5rem; }
.pair > * { min-width: 0; }
figure { margin: 1rem 0 1.6rem; }
figure { overflow-x: auto; }
figure img { width: 100%; min-width: 36rem; height: auto; display: block; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.beside > * { min-width: 0; max-width: 100%; }
.diagram { overflow: auto; max-height: 82rem; }
.diagram svg { display: block; }
.diagram svg > rect { fill: none; }
.tree > input, .tree > label { display: none; font-size: 0.85rem; color: var(--soft); vertical-align: middle; }
.tree.large > input, .tree.large > label { display: inline-block; }
.tree > :checked ~ .diagram svg { max-width: 100%; height: auto; }
#view { margin-top: 1.5rem; }
#view > h2 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
.fb-view { height: min(36rem, 75vh); border: 1px solid var(--line); border-radius: 8px; }
.fb-plot { min-width: 0; }
@media (scripting: none) { .scripted, .fb-view { display: none; } }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.7rem 0; }
summary { cursor: pointer; padding: 0.5rem 0.9rem; background: var(--tint); border-radius: 6px; font-weight: 550; }
details[open] > summary { border-radius: 6px 6px 0 0; border-bottom: 1px solid var(--line); }
summary .note { font-weight: 400; margin-left: 0.5rem; }
details > .wide, details > figure, details > p { margin: 0.6rem 0.9rem; }
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", math; font-size: 1.05em; math-style: normal; }
mfrac { padding: 0.2em 0.1em; }
mfrac > :first-child { padding-bottom: 0.12em; }
mfrac > :last-child { padding-top: 0.18em; }
.display { font-size: 1.1rem; margin: 1rem 0 1rem 1.5rem; }
.formulas { width: 100%; font-size: 0.95rem; margin: 0.6rem 0; }
.formulas th { font-weight: 400; text-align: right; padding: 0.22rem 0.45rem 0.22rem 0; width: 1%; }
.formulas td { border: 0; padding: 0.3rem 0.4rem 0.3rem 0; }
.formulas td:nth-child(2) { width: 1%; }
.formulas td:nth-child(3) { padding-right: 1.5rem; line-height: 1.9; }
.formulas td:nth-child(4) { color: var(--soft); font-size: 0.85rem; width: 34%; }
.formulas tr + tr > * { border-top: 1px solid var(--line); }
.pattern { border-collapse: separate; border-spacing: 1px; font-size: 0.8rem; }
.pattern th { font-weight: 400; color: var(--soft); padding: 0 0.6rem 0 0; text-align: right; }
.pattern td { width: 1.1rem; height: 1.1rem; padding: 0; border: 0; background: var(--tint); }
.pattern .there { background: var(--link); opacity: 0.75; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, "Liberation Mono", monospace; font-size: 0.88em; }
@media (max-width: 44rem) {
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  .tree.medium > input, .tree.medium > label { display: inline-block; }
  table { font-size: 0.85rem; }
  th, td { padding-right: 0.7rem; }
  .wide > table:not(.formulas, .pattern) :is(td, th):first-child {
    position: sticky; left: 0; max-width: 9rem; background: var(--paper);
  }
  .formulas, .formulas tbody, .formulas tr, .formulas th, .formulas td { display: inline; width: auto !important; }
  .formulas tr { display: block; padding: 0.45rem 0; border-top: 1px solid var(--line); }
  .formulas tr > * { border: 0 !important; }
  .formulas td:nth-child(4) { display: block; }
}
@media print {
  html { font-size: 10pt; }
  nav { display: none; }
  header, main, footer { max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  #view, .scripted { display: none; }
  .diagram { max-height: none; }
  .diagram svg { max-width: 100%; height: auto; }
  .tree > input, .tree > label { display: none !important; }
  .wide, .diagram { background: none; overflow: visible; }
  figure { overflow: visible; }
  figure img { min-width: 0; }
}
"""


@dataclass(frozen=True)
class PageSection:
    """A part of the page, with its key and title in the contents."""

    key: str
    title: str
    content: Html


def document(
    title: str, lead: str, sections: Sequence[PageSection], foot: object, *, policy: str = POLICY, scripts: str = ""
) -> str:
    """The whole page; ``scripts`` are HTML at its end, and ``policy`` is what allows them."""
    title = shorten(title, 120)
    links = [tag("li", tag("a", s.title, href=f"#{s.key}")) for s in sections]
    parts = [
        Html('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{html(Html(policy))}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="referrer" content="no-referrer">'),
        tag("title", title),
        Html(f"<style>{STYLE}</style>\n</head>\n<body>"),
        tag("header", tag("h1", title), tag("p", lead, class_="lead"), tag("nav", tag("ol", *links))),
        Html("<main>"),
        *(tag("section", tag("h2", s.title), Html("\n"), s.content, id=s.key) for s in sections),
        Html("</main>"),
        tag("footer", foot),
        Html(f"{scripts}</body>\n</html>\n"),
    ]
    return join(parts)
