"""Links in order, the layout of q and u, and the two passes over a tree, outwards and inwards."""
