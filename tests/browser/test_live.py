"""The live view in a browser: it plays, pauses and resets, and bodies are pulled with the mouse."""

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


def slider(**options: Any) -> LiveView:
    s = fb.System("slider", gravity=(0, 0, 0))
    s.parameter("m", 1.0)
    s.body("block", joint=fb.Prismatic("x"), mass="m")
    body = SceneBody("block", -1, "prismatic", 1.0, (0, 0, 0), (0, 0, 0), (0.2, 0.4, 0.8))
    place = np.diag([0.2, 0.2, 0.2, 1.0])[:3]
    scene = Scene("slider", "", 1.0, [body], [Item(unit_box(), 0, place)])
    return LiveView(live_simulation(s.freeze()), lambda: scene, port=0, playing=False, **options)


def test_a_window_plays_pauses_and_pulls(browser: Any) -> None:
    """A real browser: time advances, a click pauses, dragging a body pulls it; no error, no foreign request."""
    view = slider()
    simulator: Any = view.simulator
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


@contextmanager
def other_site(html: str, requests: list[Any]) -> Iterator[str]:
    """A site at another port of this computer that answers everything with a page, and notes what is requested."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append((self.path, dict(self.headers)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


ATTACK = """([address, protocol]) => new Promise(done => {
  const found = {};
  const finish = (name, value) => { found[name] = value; if (Object.keys(found).length == 3) done(found); };
  const socket = new WebSocket(address.replace("http", "ws"), [protocol]);
  socket.onopen = () => finish("socket", "open");
  socket.onerror = () => finish("socket", "refused");
  fetch(address, {mode: "no-cors"}).then(() => finish("fetch", "open"), () => finish("fetch", "refused"));
  const frame = document.createElement("iframe");
  frame.onload = () => finish("frame", frame.contentDocument === null ? "other" : "own");
  frame.src = address;
  document.body.append(frame);
})"""


LEAVE = """url => {
  const link = document.createElement("a");
  link.href = url;
  document.body.append(link);
  link.click();
}"""


def test_a_page_of_another_site_neither_reads_nor_controls_nor_frames_it(browser: Any) -> None:
    """Even one that has learnt the address; and a foreign name of this computer is not served."""
    import viser

    view, requests = slider(), list[Any]()
    view.start()
    try:
        with other_site("<p>evil</p>", requests) as evil:
            page = browser.new_page()
            page.goto(evil)
            found = page.evaluate(ATTACK, [view.url, f"viser-v{viser.__version__}"])
            assert found["socket"] == found["fetch"] == "refused", found
            assert not any("Step" in frame.evaluate("document.body.innerText") for frame in page.frames)
            assert page.frames[1].url.startswith("chrome-error:")
            answer = page.goto(view.url.replace("127.0.0.1", "evil.localhost"))  # browsers resolve it to this computer
            assert answer.status == 403 and "not the address of this page" in page.inner_text("body")
            assert not view.server.get_clients()
            page.goto(view.link())  # leads to the page
            page.get_by_text("Play", exact=True).wait_for()
            assert page.url.startswith(view.url)
            own = page.evaluate(ATTACK, [view.url, f"viser-v{viser.__version__}"])
            assert own["socket"] == own["fetch"] == "open", own
            page.evaluate(LEAVE, evil)
            page.get_by_text("evil").wait_for()
            page.close()
        assert len(requests) >= 2 and not any(view._access.token in str(one) for one in requests)
    finally:
        view.stop()
