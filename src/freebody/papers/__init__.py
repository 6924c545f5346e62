"""Functions for readers of three papers: tables of Sayers, functions of Kwatny and Blankenship, spatial operators."""
