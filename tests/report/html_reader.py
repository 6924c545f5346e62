"""A reader of HTML pages: elements in order, properly nested, and the visible text."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from string import ascii_letters, digits
from xml.etree import ElementTree

from freebody.viewer.scene_file import LOADER, policy

BASE64 = {*ascii_letters, *digits, *"+/="}
VOID = {"meta", "img", "wbr", "br", "input"}
SVG = {
    "svg", "g", "rect", "line", "path", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs",
    "pattern", "clippath", "desc", "style",
}  # fmt: skip
MATHML = {
    "math", "mi", "mn", "mo", "mtext", "mrow", "msub", "msup", "msubsup", "mfrac", "msqrt", "mover", "mtable", "mtr",
    "mtd",
}  # fmt: skip
HTML = {
    "html", "head", "meta", "title", "style", "body", "header", "nav", "ol", "li", "a", "main", "section", "h1", "h2",
    "h3", "p", "dl", "div", "dt", "dd", "span", "figure", "figcaption", "img", "table", "thead", "tbody", "tr", "th",
    "td", "code", "details", "summary", "footer", "wbr", "input", "label", "noscript", "script",
}  # fmt: skip


@dataclass
class Node:
    """An element: its name, attributes, children, and the text directly inside it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator["Node"]:
        for child in self.children:
            if not tags or child.tag in tags:
                yield child
            yield from child.all(*tags)

    @property
    def text(self) -> str:
        return "".join([*self.words, *(c.text for c in self.children)])


class Page(HTMLParser):
    """The tree of a page; every element must be closed correctly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Node("")
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert len(self._open) == 1, f"<{self._open[-1].tag}> is never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data[:60]}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data[:60]}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data[:60]}")

    def section(self, key: str) -> Node:
        return next(s for s in self.root.all("section") if s.attributes["id"] == key)


def harmless(page: Page) -> None:
    """Assert that there are only known elements, no handlers, no addresses except anchors and embedded pictures, and no
    scripts but the viewer's, by the page's policy too."""
    policies = [n.attributes["content"] for n in page.root.all("meta") if "http-equiv" in n.attributes]
    data = [n for n in page.root.all("script") if n.attributes.get("type") == "application/octet-stream"]
    scripts = [n for n in page.root.all("script") if n not in data]
    if scripts:
        assert [n.text for n in scripts] == [LOADER] and not scripts[0].attributes and policies == [policy()]
    else:
        assert not data and all("script-src" not in text for text in policies)
    assert all(set(n.text) <= BASE64 and set(n.attributes) == {"type", "id"} for n in data)
    for node in page.root.all():
        assert node.tag in HTML | MATHML | SVG, node.tag
        for name, value in node.attributes.items():
            assert not name.startswith("on"), name
            assert not value.lower().startswith(("javascript:", "http:", "https:", "//", "file:")) or name == "xmlns"
        if node.tag == "img":
            assert node.attributes["src"].startswith(("data:image/svg+xml;base64,", "data:image/png;base64,"))
        if node.tag == "input":
            assert node.attributes == {"type": "checkbox", "id": "fit-tree"}
        if node.tag == "a":
            assert node.attributes["href"].startswith("#")
    for picture in pictures(page):
        assert not {"script", "foreignObject", "image"} & {e.tag.rpartition("}")[2] for e in picture.iter()}


def pictures(page: Page) -> Iterator[ElementTree.Element]:
    """The drawings of the page."""
    for image in page.root.all("img"):
        kind, _, data = image.attributes["src"].partition(",")
        if "svg" in kind:
            yield ElementTree.fromstring(base64.b64decode(data, validate=True))


def rows(table: Node) -> list[list[str]]:
    """The texts of the rows of a table's body."""
    return [[cell.text for cell in row.children] for body in table.all("tbody") for row in body.all("tr")]
