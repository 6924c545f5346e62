"""What is learnt from many runs."""
