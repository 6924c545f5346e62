"""The panels beside the picture in a browser: plots that are linked in time, and sliders that keep loops closed."""

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


def test_sliders_move_the_model_and_keep_its_loop_closed(tmp_path: Path, browser: Any) -> None:
    from examples.four_bar import system as four_bar

    with OpenPage(browser, four_bar().view(tmp_path / "model.html"), (1000, 700)) as page:
        numbers, sliders = page.page.locator(".fb-number"), page.page.locator(".fb-slider input[type=range]")
        gap = "Math.max(...view.motion.table.residuals.map(k => Math.abs(view.motion.evaluate()[k])))"
        before = [entry.input_value() for entry in numbers.all()]
        box = sliders.first.bounding_box()
        assert box is not None
        y = box["y"] + box["height"] / 2
        page.page.mouse.move(box["x"] + box["width"] / 2, y)
        page.page.mouse.down()
        page.page.mouse.move(box["x"] + 0.65 * box["width"], y, steps=4)
        page.page.mouse.up()
        after = [entry.input_value() for entry in numbers.all()]
        assert all(a != b for a, b in zip(after, before, strict=True)) and page(gap) < 1e-12
        numbers.first.fill("1e9")
        numbers.first.press("Enter")
        assert "range" in page.page.locator(".fb-why").first.inner_text() or "stopped" in page.page.content()
        assert page(gap) < 1e-9
        numbers.first.fill("nonsense")
        numbers.first.press("Enter")
        assert page.page.locator(".fb-why").first.inner_text() == "not a number"
        page.page.get_by_role("button", name="Reset").click()
        assert [entry.input_value() for entry in numbers.all()] == before
        assert page.errors == [] and page.foreign == []
