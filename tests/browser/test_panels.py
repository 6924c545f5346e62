"""The panels beside the picture in a browser: plots that are linked in time."""

from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from tests.browser.pages import OpenPage

LEFT, RIGHT = 46, 10  # margins of the axes of a plot, in pixels


def time_at(page: OpenPage, fraction: float) -> tuple[float, float]:
    """The place on the page of a fraction of the time that the first plot shows."""
    box = page.page.locator(".fb-plot-area").first.bounding_box()
    assert box is not None
    return box["x"] + LEFT + fraction * (box["width"] - LEFT - RIGHT), box["y"] + 50


def test_plots_are_linked_in_time_and_zoom(tmp_path: Path, browser: Any) -> None:
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    path = s.simulate(4.0, q=[1.0]).animate(tmp_path / "run.html")
    with OpenPage(browser, path, (1000, 700)) as page:
        mouse, whole = page.page.mouse, page.page.get_by_role("button", name="Whole time")
        mouse.click(*time_at(page, 0.75))
        assert page("view.player.t") == pytest.approx(3.0, abs=0.05)
        value = float(page("document.querySelector('.fb-plot-names .fb-plot-value').textContent").replace("−", "-"))
        assert value == pytest.approx(page("view.stage.poses.value(0)"), abs=1e-3)
        mouse.move(*time_at(page, 0.25))
        mouse.down()
        mouse.move(*time_at(page, 0.5), steps=3)
        mouse.up()
        assert whole.is_visible()
        mouse.click(*time_at(page, 0.5))  # of the second quarter
        assert page("view.player.t") == pytest.approx(1.5, abs=0.05)
        mouse.dblclick(*time_at(page, 0.2))
        assert not whole.is_visible()
        page.page.get_by_role("button", name="Choose").click()
        page.page.keyboard.type("speeds arm")
        choices = page.page.locator(".fb-choices .fb-check")
        assert choices.count() == 1 and not page("view.player.playing")
        panels = page.page.locator(".fb-plot-panel").count()
        choices.first.click()
        assert page.page.locator(".fb-plot-panel").count() == panels - 1
        assert page.errors == [] and page.foreign == []
