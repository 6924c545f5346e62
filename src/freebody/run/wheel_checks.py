"""Checks that the values of parameters leave gears in mesh: the axes of wheels have the distance that their radii
need."""

from collections.abc import Sequence

import numpy as np

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.model.transmissions import FIT
from freebody.model.wheel_pairs import WheelPair
from freebody.scalar.walk import symbols_of, values


def check_wheels(e: Derivation, names: Sequence[str], rows: Sequence[Sequence[float]]) -> None:
    """Raise for rows of values of parameters, by their ``names``, with which wheels are not in mesh."""
    model = e.tree.model
    for element, pair in (*model.constraints.items(), *model.loads.items()):
        if not isinstance(pair, WheelPair) or pair.transmission is None:
            continue
        misfit = pair.transmission.misfit
        g = misfit.graph
        used = {g.symbols[g.a[i]].name: i for i in symbols_of(g, [misfit.handle])}
        columns = [k for k, name in enumerate(names) if name in used]
        for row in np.unique(np.asarray(rows, float).reshape(len(rows), -1)[:, columns], axis=0) if columns else ():
            known = {used[names[k]]: float(x) for k, x in zip(columns, row, strict=True)}
            found = float(values(g, [misfit.handle], known)[0])
            if not abs(found) <= FIT:
                given = ", ".join(f"{names[k]} = {x:g}" for k, x in zip(columns, row, strict=True))
                raise ArgumentError(
                    f"system '{model.name}': with {given} the wheels of '{element}' do not fit: their axes are off by"
                    f" {100 * found:.3g} % of the distance that the radii need; let the positions of bodies depend on"
                    " the same parameters"
                )
