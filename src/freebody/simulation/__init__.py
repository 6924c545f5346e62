"""Motion through time: integrators, events, initial states, and the runs that use them."""
