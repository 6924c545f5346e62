"""The figure of a reduced structure's frequency response: its axes are logarithmic, and every one has labels."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from freebody.fem.reduced_data import label_log_axis


@pytest.mark.parametrize("factor", [1.0001, 1.3, 2, 9, 30, 300, 1e4, 1e9])
@pytest.mark.parametrize("value", [1e-5, 0.7, 3.2e6])
def test_logarithmic_axes_have_three_labels(value: float, factor: float) -> None:
    figure = Figure((6, 3))
    FigureCanvasAgg(figure)
    ax = figure.subplots()
    ax.loglog([1, 2], [value, value * factor])
    label_log_axis(ax.yaxis)
    figure.canvas.draw()
    (low, high), ticks = ax.get_ylim(), ax.yaxis.get_major_ticks()
    texts = [t.label1.get_text() for t in ticks if low <= t.get_loc() <= high and t.label1.get_text()]
    assert len({*texts}) == len(texts) >= 3 and "+" not in ax.yaxis.get_offset_text().get_text()
