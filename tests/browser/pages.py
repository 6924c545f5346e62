"""Pages in a browser: what they show, where, and what they complain about."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

VIEW = "window.freebodyViews[0]"


class OpenPage:
    """A page that is open in a browser, with its errors and requests."""

    def __init__(self, browser: Any, path: Path, size: tuple[int, int] = (600, 420), script: str = "", **context: Any):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **context)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("request", lambda r: self.requests.append(r.url))
        if script:
            self.page.add_init_script(script)
        self.page.goto(path.as_uri())
        self.page.wait_for_function(READY)  # a promise that is awaited here may be collected meanwhile

    def __enter__(self) -> "OpenPage":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def __call__(self, script: str) -> Any:
        """The value of an expression, in which ``view`` is the view."""
        return self.page.evaluate(f"(() => {{ const view = {VIEW}; return {script}; }})()")

    @property
    def foreign(self) -> list[str]:
        """Requests for anything but the page itself."""
        return [url for url in self.requests[1:] if not url.startswith(("data:", "blob:"))]

    def seek(self, t: float) -> None:
        """Show a time, and wait until it is drawn."""
        self.page.evaluate(f"{VIEW}.player.seek({float(t)!r})")
        self.drawn()

    def drawn(self) -> None:
        self.page.evaluate(TWO_FRAMES)

    def pixels(self) -> np.ndarray:
        """What the canvas shows."""
        box = self.page.locator(".fb-stage canvas").first.bounding_box()
        assert box is not None
        data = self.page.screenshot(clip=box)
        return np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(int)

    def project(self, body: int, point: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where the viewer puts a point of a body on its canvas."""
        return np.array(self(f"view.project({body}, {[float(x) for x in point]})"))

    def camera_projects(self, place: Any) -> np.ndarray:
        """Where a pinhole camera at the viewer's camera puts a point of the ground's frame, computed here."""
        facts = self(CAMERA)
        position, target, up = (np.array(facts[k]) for k in ("position", "target", "up"))
        back = position - target
        back /= np.linalg.norm(back)
        right = np.cross(up, back)
        right /= np.linalg.norm(right)
        seen = np.asarray(place) - np.array(facts["origin"]) - position
        x, y, depth = right @ seen, np.cross(back, right) @ seen, -back @ seen
        scale = facts["height"] / 2 / np.tan(np.radians(facts["fov"]) / 2) / depth
        return np.array([facts["width"] / 2 + scale * x, facts["height"] / 2 - scale * y])


READY = """() => {
  const view = window.freebodyViews?.[0];
  if (view && !view.waited) view.waited = view.ready.finally(() => (view.settled = true));
  return view?.settled;
}"""
TWO_FRAMES = "new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))"
CAMERA = """({
  position: view.stage.camera.position.toArray(), target: view.stage.rig.controls.target.toArray(),
  up: view.stage.camera.up.toArray(), fov: view.stage.camera.fov, origin: [...view.stage.origin],
  width: view.stage.holder.clientWidth, height: view.stage.holder.clientHeight,
})"""
