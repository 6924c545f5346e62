// Values of a clip between its times.

/** The last row k with t[k] ≤ time that has a row after it; 0 for times before the start. */
function rowBefore(t, time) {
  let low = 0, high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle;
  }
  return low;
}

/** The place of a time in a clip: row, fraction of the way to the next row (0 to 1), and whether there is a next row. */
export function placeInTime(t, time, place) {
  const k = rowBefore(t, time);
  const length = t.length > 1 ? t[k + 1] - t[k] : 0;
  place.row = k;
  place.length = length;
  place.fraction = length > 0 ? Math.min(1, Math.max(0, (time - t[k]) / length)) : t.length > 1 ? 1 : 0;
  return place;
}

/** The derivative of a column at a row, for the interval on its left (side −1) or right (side 1): of the parabola through
 * the neighbours, or one-sided at ends, at jumps (doubled times) and beside missing values. */
function slopeAt(t, values, columns, column, row, side) {
  const at = row * columns + column;
  const before = row > 0 ? t[row] - t[row - 1] : 0;
  const after = row < t.length - 1 ? t[row + 1] - t[row] : 0;
  const left = before > 0 ? (values[at] - values[at - columns]) / before : NaN;
  const right = after > 0 ? (values[at + columns] - values[at]) / after : NaN;
  if (left === left && right === right) return (left * after + right * before) / (before + after);
  return side < 0 ? left : right;
}

/** Cubic Hermite interpolation of one column of a table. */
export function hermite(t, values, columns, column, { row, fraction: s, length }) {
  const at = row * columns + column;
  const a = values[at];
  if (s === 0 || t.length < 2) return a;
  const b = values[at + columns];
  if (s === 1) return b;
  const ma = slopeAt(t, values, columns, column, row, 1) * length;
  const mb = slopeAt(t, values, columns, column, row + 1, -1) * length;
  const r = 1 - s;
  return r * r * ((1 + 2 * s) * a + s * ma) + s * s * ((1 + 2 * r) * b - r * mb);
}

/** Linear interpolation of one column of a table. */
export function linear(values, columns, column, { row, fraction: s }) {
  const at = row * columns + column;
  if (s === 0) return values[at];
  if (s === 1) return values[at + columns];
  return values[at] * (1 - s) + values[at + columns] * s;
}

/** Spherical interpolation of four columns of a table (unit quaternions on one branch), written to target[0…3]. */
export function turnAt(values, columns, column, { row, fraction: s }, target) {
  const at = row * columns + column;
  if (s === 0) return copyTurn(values, at, target);
  const next = at + columns;
  if (s === 1) return copyTurn(values, next, target);
  const cosine = values[at] * values[next] + values[at + 1] * values[next + 1] + values[at + 2] * values[next + 2] + values[at + 3] * values[next + 3];
  let a = 1 - s, b = s;
  if (cosine < 0.9995) {
    const angle = Math.acos(Math.max(-1, cosine));
    const sine = Math.sin(angle);
    if (sine > 1e-9) {
      a = Math.sin((1 - s) * angle) / sine;
      b = Math.sin(s * angle) / sine;
    }
  }
  for (let k = 0; k < 4; k++) target[k] = a * values[at + k] + b * values[next + k];
  return target;
}

function copyTurn(values, at, target) {
  for (let k = 0; k < 4; k++) target[k] = values[at + k];
  return target;
}
