"""Links in order, the layout of q and u, the two passes over a tree and the steps that they carry."""
