"""A 3D view that is not written to a file: a notebook shows it, and elsewhere the browser does."""

import sys
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import token_urlsafe
from threading import Event, Thread

from freebody import files
from freebody.errors import BackendError
from freebody.tables import shorten
from freebody.viewer.browser import has_screen
from freebody.viewer.scene import Scene
from freebody.viewer.scene_file import frame_element, page

LOCAL = "127.0.0.1"
PATIENCE = 60.0
"""How long the browser may take to load the page, in s."""


class PageView:
    """A 3D view: notebooks show it, ``open()`` shows it in the browser, ``save("view.html")`` writes its page."""

    def __init__(self, scene: Scene, t: float | None = None, size: tuple[int, int] | None = None) -> None:
        self.scene, self._t, self._size = scene, t, size

    def save(self, path: str | Path) -> Path:
        """Write the page (.html), which opens in any current browser and needs no network."""
        return files.write_text(files.target(path, "a page", files.PAGES), page(self.scene, t=self._t))

    def open(self) -> None:
        """Show the page in the browser. The page is sent to it once, from this computer."""
        open_page(page(self.scene, t=self._t))

    def __repr__(self) -> str:
        title = shorten(self.scene.title, 80)
        return f"<3D view of {title}: open() shows it in the browser, save('view.html') writes it>"

    def _repr_html_(self) -> str:
        return frame_element(self.scene, self._t, self._size)


def write_or_show(
    scene: Scene, target: Path | None, t: float | None = None, size: tuple[int, int] | None = None
) -> Path | PageView:
    """Write the page of a scene to a file and return its path. Without a file, return a view that a notebook shows, and
    outside of notebooks show it in the browser."""
    if target is not None:
        return files.write_text(target, page(scene, t=t))
    view = PageView(scene, t, size)
    if not in_notebook():
        view.open()
    return view


def in_notebook() -> bool:
    """Whether this is a notebook, where the last value of a cell is shown: IPython with a kernel."""
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)
    return hasattr(get_ipython(), "kernel")


def open_page(text: str) -> None:
    """Show a page in the browser: it is sent once, at an address that nobody can guess. A file in the folder for
    temporary files would remain there, and browsers in containers cannot read it."""
    if not has_screen():
        raise BackendError(
            "there is no screen on which a browser could show this; pass a path, such as 'view.html', and open the page"
            " that is written"
        )
    loaded, address, content = Event(), f"/{token_urlsafe(16)}/view.html", text.encode()

    class Handler(BaseHTTPRequestHandler):
        timeout = 5.0  # s, of a connection through which nothing comes

        def do_GET(self) -> None:
            if self.path != address:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(content)
            loaded.set()

        def log_message(self, *parts: object) -> None:
            """Requests are not printed."""

    with ThreadingHTTPServer((LOCAL, 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.05,), name="freebody page", daemon=True).start()
        try:
            url = f"http://{LOCAL}:{server.server_port}{address}"
            if not webbrowser.open(url) or not loaded.wait(PATIENCE):
                raise BackendError(
                    "no browser has loaded the page; pass a path, such as 'view.html', and open the page that is"
                    " written, or name a browser in the environment variable BROWSER"
                )
        finally:
            server.shutdown()
