"""Views without a file in a browser: in the frames of a notebook, and as the page that ``run.animate()`` opens."""

import sys
import webbrowser
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.browser.pages import READY
from tests.viewer.test_scene_of_runs import pendulum


def colours(picture: bytes) -> int:
    """The number of different colours of a picture."""
    return len(np.unique(np.asarray(Image.open(BytesIO(picture)).convert("RGB")).reshape(-1, 3), axis=0))


def test_frames_of_a_notebook_show_the_motion_and_the_model(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    s = pendulum()
    views = [s.simulate(1.0, q=[1.0, 0.5]).animate(t=0.5, size=(500, 300)), s.view()]
    cells = "".join(f"<p>Out[{k}]:</p>{view._repr_html_()}" for k, view in enumerate(views, 1))
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><body style='background: white'>{cells}</body>")
    context = browser.new_context(viewport={"width": 800, "height": 1000})
    page, errors = context.new_page(), list[str]()
    page.on("console", lambda m: errors.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto(notebook.as_uri())
    motion, model = page.frames[1:]
    for frame in (motion, model):
        frame.wait_for_function(READY)
    assert motion.evaluate("window.freebodyViews[0].player.t") == pytest.approx(0.5)
    assert model.locator(".fb-slider").count() == 2
    boxes = [frame.frame_element().bounding_box() for frame in (motion, model)]
    assert (boxes[0]["width"], boxes[0]["height"]) == (502, 302)  # with its border
    for box in boxes:
        assert colours(page.screenshot(clip=box)) > 200
    assert errors == []
    context.close()


def test_the_browser_shows_the_page_that_it_is_sent(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    context = browser.new_context(viewport={"width": 600, "height": 400})
    page, requests, errors = context.new_page(), list[str](), list[str]()
    page.on("request", lambda r: requests.append(r.url))
    page.on("console", lambda m: errors.append(m.text) if m.type in ("error", "warning") else None)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", lambda url: page.goto(url).ok)
    pendulum().simulate(1.0, q=[1.0, 0.5]).animate()
    page.wait_for_function(READY)
    assert colours(page.screenshot()) > 200
    assert len([url for url in requests if not url.startswith(("data:", "blob:"))]) == 1 and errors == []
    context.close()
