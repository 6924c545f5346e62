"""One way each to M u̇ = f, the table of equations that they fill, and the search for the smallest program."""
