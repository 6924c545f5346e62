"""What the user describes: bodies, joints, loads and shapes; the builder `System`, and the frozen `Model`."""
