"""Functions for readers of papers: tables of Sayers, maps of Kwatny and Blankenship, spatial operators, barycentres."""
