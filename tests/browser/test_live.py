"""The live view in a browser: it plays, pauses and resets, and bodies are pulled with the mouse."""

import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.api.live import live_simulation
from freebody.viewer.geometry import unit_box
from freebody.viewer.live import LiveView
from freebody.viewer.scene import Item, Scene, SceneBody
from freebody.viewer.sketch import rotation

pytest.importorskip("viser")


def pixel(view: LiveView, point: Sequence[float]) -> tuple[float, float]:
    """Where a point of the scene is in the picture of the first window."""
    camera = next(iter(view.server.get_clients().values())).camera
    across, down, depth = rotation(camera.wxyz).T @ (np.asarray(point) - camera.position)  # y down, z forward
    scale = camera.image_height / 2 / np.tan(camera.fov / 2)
    return camera.image_width / 2 + scale * across / depth, camera.image_height / 2 + scale * down / depth


def until(condition: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


def test_a_window_plays_pauses_and_pulls(browser: Any) -> None:
    """A real browser: time advances, a click pauses, dragging a body pulls it; no error, no foreign request."""
    s = fb.System("slider", gravity=(0, 0, 0))
    s.parameter("m", 1.0)
    s.body("block", joint=fb.Prismatic("x"), mass="m")
    simulator = live_simulation(s.freeze())
    body = SceneBody("block", -1, "prismatic", 1.0, (0, 0, 0), (0, 0, 0), (0.2, 0.4, 0.8))
    place = np.diag([0.2, 0.2, 0.2, 1.0])[:3]
    scene = Scene("slider", "", 1.0, [body], [Item(unit_box(), 0, place)])
    view = LiveView(simulator, lambda: scene, port=0, playing=False)
    thread = threading.Thread(target=view.run, daemon=True)
    thread.start()
    problems = list[str]()
    page = browser.new_page(viewport={"width": 900, "height": 400})
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith((view.url, "data:", "blob:")) else problems.append(r.url))
    page.goto(view.url)
    page.get_by_text("Play", exact=True).wait_for()
    until(lambda: view.server.get_clients())
    page.keyboard.press("Escape")

    def grabbed() -> bool:
        """Drag the block; where the camera is, is known only when the picture is ready."""
        page.mouse.move(*pixel(view, (0, 0, 0)))
        page.mouse.down()
        page.mouse.move(*pixel(view, (0.2, 0, 0)), steps=4)
        end = time.monotonic() + 3.0
        while simulator.pulling is None and time.monotonic() < end:
            time.sleep(0.05)
        if simulator.pulling is None:  # the picture is not ready yet
            page.mouse.up()
        return simulator.pulling is not None

    until(grabbed)
    assert simulator.t == 0
    page.keyboard.press("Space")
    # the pointer moves in the plane of the point that was grabbed, which is nearer than the goal: less than 0.2
    until(lambda: abs(simulator.x[0] - 0.13) < 0.03)
    assert view.scene._pull.visible
    page.mouse.up()
    until(lambda: simulator.pulling is None)
    page.get_by_text("Pause", exact=True).click()
    until(lambda: not view.playing)
    page.get_by_text("Reset", exact=True).click()
    until(lambda: simulator.t == 0 and simulator.x[0] == 0)
    until(grabbed)
    page.close()  # while it pulls
    until(lambda: simulator.pulling is None)
    assert problems == []
    view.stop()
    thread.join(10)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", view.port)) != 0
