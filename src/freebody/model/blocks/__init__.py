"""The blocks, and the table of their names."""

from freebody.model.blocks.base import BLOCKS, SignalBlock
from freebody.model.blocks.delay import Delay
from freebody.model.blocks.hysteresis import Backlash, Hysteresis, Relay
from freebody.model.blocks.lag import Lag, RateLimiter
from freebody.model.blocks.linear import StateSpace, TransferFunction
from freebody.model.blocks.lookup import Lookup, Lookup2D
from freebody.model.blocks.pid import PID

BLOCKS.add(TransferFunction, StateSpace, PID, Lag, RateLimiter, Lookup, Lookup2D, Hysteresis, Backlash, Relay, Delay)

__all__ = [
    "BLOCKS", "PID", "Backlash", "Delay", "Hysteresis", "Lag", "Lookup", "Lookup2D", "RateLimiter", "Relay",
    "SignalBlock", "StateSpace", "TransferFunction",
]  # fmt: skip
