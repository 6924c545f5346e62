"""Live simulations of systems: the equations with a pull, and the page in the browser."""

from typing import Any

from freebody.api.derive import derive
from freebody.model.model import Model
from freebody.model.pull import with_pull
from freebody.run.live_simulation import LiveSimulation

TOLERANCES = {"rtol": 1e-6, "atol": 1e-8}
"""Errors far below what can be seen; a run has smaller ones by default."""


def live_simulation(
    model: Model, q: Any = None, u: Any = None, z: Any = None, parameters: Any = None,
    inputs: Any = None, events: Any = (), engaged: Any = None, ranges: Any = None, **options: Any,
) -> LiveSimulation:  # fmt: skip
    """A simulation of a model that can be advanced, changed and pulled at; see ``System.view``. Other
    options are those of ``Equations.simulate``: method, rtol, atol, step, max_step, …"""
    pulled, names = with_pull(model)
    derivation = derive(pulled, None, (), "standard", 1, None, None, ())
    return LiveSimulation(
        derivation, names, {"q": q, "u": u, "z": z}, parameters, inputs, events, engaged, ranges,
        {**TOLERANCES, **options},
    )  # fmt: skip
