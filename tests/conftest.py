"""Configuration of all tests."""

import signal
from contextlib import suppress

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: the tests of Ctrl-C need it back
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)
