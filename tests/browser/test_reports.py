"""Reports in a real browser: the 3D view and the plots work, nothing is cut off, and no name is executed."""

from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from tests.browser.pages import OpenPage
from tests.report.test_hostile_names import CODE, wicked

DESK, PHONE = (1000, 600), (390, 844)
VISIBLE = "e => e.getClientRects().length > 0"
MOUNTED = "document.querySelectorAll('.fb-plot:not([data-live])').length === 0"
OUTSIDE = """[...document.querySelectorAll("main :is(td, svg, p, img, canvas)")].filter((e) => {
  const box = e.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !e.closest(".wide, .diagram, figure");
}).map((e) => e.outerHTML.slice(0, 80))"""


def robot(count: int) -> fb.System:
    """A floating body with two arms, whose links have long names."""
    s = fb.System("robot with two arms")
    base = s.body("base_link", joint=fb.Free(), mass=5, inertia=(1, 1, 1))
    for side in ("left", "right"):
        last = base
        for k in range(count):
            name = f"{side}_shoulder_and_elbow_link_{k}"
            last = s.body(name, on=last, at=(0.2, 0, 0), joint=fb.Revolute("y"), mass=1, inertia=(0.1, 0.1, 0.1))
    return s


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = robot(6).simulate(0.2, q={"left_shoulder_and_elbow_link_0": 0.3}, u={"right_shoulder_and_elbow_link_3": 1.0})
    return run.report(tmp_path_factory.mktemp("report") / "report.html")


def test_nothing_is_cut_off_on_a_phone(browser: Any, report: Path) -> None:
    """The page is as wide as the window; what is wider scrolls in its box. Texts of the tree keep their size, and the
    tree fits the width on request."""
    with OpenPage(browser, report, PHONE) as open_page:
        page = open_page.page
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0] and page.evaluate(OUTSIDE) == []
        svg, text = page.locator("#system svg"), page.locator("#system svg text").first
        assert float(text.evaluate("e => getComputedStyle(e).fontSize").removesuffix("px")) >= 10
        natural = float(svg.get_attribute("width"))
        assert svg.bounding_box()["width"] == natural
        page.get_by_label("fit to the width").check()
        assert svg.bounding_box()["width"] <= PHONE[0] < natural
        assert not open_page.errors and not open_page.foreign


def test_plots_follow_the_time_of_the_view_and_zoom(browser: Any, report: Path) -> None:
    """On paper and without scripts there are pictures instead."""
    with OpenPage(browser, report, DESK) as open_page:
        page = open_page.page
        page.wait_for_function(MOUNTED)
        assert not page.locator(".fb-plot img").first.evaluate(VISIBLE) and page.evaluate(OUTSIDE) == []
        overlay = page.locator(".fb-plot .fb-plot-area canvas").nth(1)
        overlay.scroll_into_view_if_needed()
        box = overlay.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert 0.08 < open_page("view.player.t") < 0.12
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 30, steps=3)
        page.mouse.up()
        low, high = page.evaluate("document.querySelector('.fb-plot').freebody.plots.interval")
        assert 0.1 < low < high < 0.18
        page.emulate_media(media="print")
        assert page.locator(".fb-plot img").first.evaluate(VISIBLE)
        assert page.locator(".fb-plot canvas").first.is_hidden() and page.locator(".fb-view").is_hidden()
        assert not open_page.errors and not open_page.foreign
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(report.as_uri())
    assert still.locator(".fb-plot img").first.is_visible()
    still.context.close()


def test_names_in_a_report_are_never_executed(browser: Any, tmp_path: Path) -> None:
    with OpenPage(browser, wicked().report(tmp_path / "report.html"), DESK) as open_page:
        page = open_page.page
        page.wait_for_function(MOUNTED)
        assert page.title().startswith(CODE[0]) and page.title() != "pwned"
        assert page.locator("#pwned").count() == 0 and page.locator("main script:not([type])").count() == 0
        assert any(CODE[0] in text for text in page.locator(".fb-plot .fb-plot-names").all_inner_texts())
        assert page.locator("math").count() > 100
        assert not open_page.errors and not open_page.foreign
