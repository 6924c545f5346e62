"""What exists for the reader of a paper: tables of Sayers, functions of Kwatny and Blankenship, spatial operators."""
