"""Pictures of the modes of flexible bodies, for ``body.modes.plot()`` and ``body.modes.animate()``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from freebody.drawing import DrawnMode

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from freebody.viewer.page_view import PageView


class ViewerPictures:
    """The viewer as models use it; it is imported when the first picture is drawn."""

    def plot(self, shapes: Sequence[DrawnMode], path: str | Path | None) -> "Figure":
        from freebody.viewer.mode_pictures import plot_shapes

        return plot_shapes(shapes, path)

    def animate(self, shapes: Sequence[DrawnMode], path: str | Path | None) -> "Path | PageView":
        from freebody.viewer.mode_pictures import animate_shapes

        return animate_shapes(shapes, path, "modes")
