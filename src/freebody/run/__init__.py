"""From equations to a run: inputs and laws, events, initial values, records, sweeps."""
