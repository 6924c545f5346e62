"""Reports with hostile names: names that contain code are shown as text and never executed."""

from html import unescape

import pytest

import freebody as fb
from freebody.report.html import html, tag
from freebody.report.page import page_of_run
from tests.report.html_reader import Page, harmless
from tests.results.runs import HOSTILE, hostile

CODE = (
    "<script>document.title='pwned'</script>", '"><img src=x onerror="document.title=\'pwned\'">', "]]>", "-->",
    "--&gt;", "<!--", "</style><script>document.title='pwned'</script>", "</title></svg></math><b id=pwned>",
    "' onload='x", "&lt;b id=pwned&gt;", "javascript:alert(1)", "<svg onload=document.title='pwned'>", "{{x}}", "\\",
)  # fmt: skip
MARKS = ("\u202eright to left\u202c", "zero\u200bwidth", "nul\0", "x" * 5000)


def wicked() -> fb.Trajectory:
    """A system in which every accepted name and text is hostile."""
    s = fb.System("".join(CODE) + "".join(MARKS))
    s.parameter("p", 1.0, "m", CODE[0] + "".join(MARKS) + CODE[1])
    s.input("i", "N", CODE[1] + CODE[6])
    parent = None
    for k, name in enumerate(CODE):
        parent = s.body(name, on=parent, at=(0, 0, -0.1 * k), joint=fb.Revolute("y"), mass=1, com=(0.1, 0, -1))
        s.output(f"{name} out", parent.x)
        s.joint_force(parent, "i*p", name=f"{name} load")
    s.state("z", "i", unit="N", description=CODE[0] + CODE[7])
    events = [fb.Event("t - 0.05", name=CODE[0]), fb.Event("t - 0.06", name=MARKS[0])]
    return s.simulate(0.1, inputs={"i": 0.0}, events=events)


@pytest.fixture(scope="module")
def page() -> str:
    run = wicked()
    assert run.equations is not None
    return page_of_run(run, run.equations.derivation, run.equations.values)


def test_names_of_a_system_are_shown_as_text(page: str) -> None:
    found = Page(page)
    harmless(found)
    shown = found.root.text
    assert all(name in shown for name in CODE)
    assert len(page) < 3e6


def test_page_contains_only_printable_characters(page: str) -> None:
    assert all(c.isprintable() or c in "\n\u2061\u2062\u2003" for c in unescape(page))


def test_names_from_a_file_are_shown_as_text() -> None:
    names = (*HOSTILE[:5], *CODE[:3])
    found = Page(page_of_run(hostile(names)))
    harmless(found)
    assert all(name in found.root.text for name in names)


@pytest.mark.parametrize("text", [*CODE, *HOSTILE])
def test_every_text_in_an_element_is_escaped(text: str) -> None:
    made = Page(tag("p", text, title=text))
    (node,) = made.root.children
    assert node.tag == "p" and not node.children
    assert node.text == node.attributes["title"] == unescape(html(text))
