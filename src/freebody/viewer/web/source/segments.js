// The matrix of things along a segment: links (springs, dampers, rods, lines) and arrows (forces, torques).

/** Writes the matrix that maps z = 0…1 with radius 1 to a segment from `start` along a unit vector, with radius r. */
export function writeSegment(start, along, length, radius, hint, target, at) {
  const x = along[0], y = along[1], z = along[2];
  // The first axis is the part of the hint across the segment, or of another direction if they are nearly parallel.
  let a = hint[0], b = hint[1], c = hint[2];
  let dot = a * x + b * y + c * z;
  if (dot * dot > 0.98 * (a * a + b * b + c * c)) {
    b = 0;
    a = Math.abs(z) < 0.7 ? 0 : 1;
    c = 1 - a;
    dot = a * x + b * y + c * z;
  }
  a -= dot * x;
  b -= dot * y;
  c -= dot * z;
  const size = radius / Math.hypot(a, b, c);
  a *= size;
  b *= size;
  c *= size;
  target[at] = a;
  target[at + 1] = b;
  target[at + 2] = c;
  target[at + 4] = y * c - z * b;
  target[at + 5] = z * a - x * c;
  target[at + 6] = x * b - y * a;
  target[at + 8] = x * length;
  target[at + 9] = y * length;
  target[at + 10] = z * length;
  target[at + 12] = start[0];
  target[at + 13] = start[1];
  target[at + 14] = start[2];
  target[at + 3] = target[at + 7] = target[at + 11] = 0;
  target[at + 15] = 1;
}
