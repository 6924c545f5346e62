// Poses of all bodies from coordinates that the reader sets, by a table of operations (freebody.results.motion_table).
// The table is data: rows are evaluated one after the other, nothing is turned into code.

/** The operations, in the order of `freebody.results.motion_table.OPERATIONS`. Each takes the values of rows a, b, c. */
const OPERATIONS = [
  ["number", null],
  ["input", null],
  ["add", (a, b) => a + b],
  ["sub", (a, b) => a - b],
  ["mul", (a, b) => a * b],
  ["div", (a, b) => a / b],
  ["neg", (a) => -a],
  ["pow", (a, b) => a ** b],
  ["sqrt", Math.sqrt],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tan", Math.tan],
  ["asin", Math.asin],
  ["acos", Math.acos],
  ["atan", Math.atan],
  ["atan2", Math.atan2],
  ["sinh", Math.sinh],
  ["cosh", Math.cosh],
  ["tanh", Math.tanh],
  ["exp", Math.exp],
  ["log", Math.log],
  ["abs", Math.abs],
  ["sign", Math.sign],
  ["min", Math.min],
  ["max", Math.max],
  ["floor", Math.floor],
  ["lt", (a, b) => +(a < b)],
  ["le", (a, b) => +(a <= b)],
  ["eq", (a, b) => +(a === b)],
  ["ne", (a, b) => +(a !== b)],
  ["where", (a, b, c) => (a !== 0 ? b : c)],
];
export const OPERATION_NAMES = OPERATIONS.map(([name]) => name);
const FUNCTIONS = OPERATIONS.map(([, f]) => f);
const NUMBER = 0, INPUT = 1;
const ARITY = FUNCTIONS.map((f) => (f === null ? 0 : f === Math.min || f === Math.max ? 2 : f.length));

const CLOSED = 1e-9; // of the largest residual, in units of the residuals (m, or sines of angles)
const MOST_ITERATIONS = 40;
const NEARLY_CLOSED = 1e-4; // a loop that is open by more is shown open
const LONGEST_STEP = 0.02; // of a coordinate, between two solutions, as a fraction of its range
const SHORTEST_STEP = 1e-4; // of the way that was asked for

export class Motion {
  /** @param table a MotionTable as it came from the file. */
  constructor(table) {
    this.table = table;
    this.coordinates = table.coordinates;
    this.rows = table.op.length;
    this.values = new Float64Array(this.rows);
    this.bodies = Math.floor(table.poses.length / 12);
    this.q = Float64Array.from(table.coordinates, (c) => c.initial);
    this.quaternions = table.coordinates.flatMap((c, k) => (c.quaternion ? [k] : []));
    this.poses = new Float64Array(12 * this.bodies); // rotation matrices row by row, then positions
    this.loops = loops(table, this.quaternions);
    check(table);
    this.evaluate();
    if (this.loops.every((loop) => this.residuals(loop, this.values).size < NEARLY_CLOSED)) this.close(this.loops, new Set());
    this.initial = this.q.slice();
    this.updatePoses();
  }

  /** Compute all rows for the coordinates `q`. */
  evaluate(q = this.q) {
    const { op, a, b, c, numbers } = this.table, x = this.values;
    for (let k = 0; k < this.rows; k++) {
      const code = op[k];
      if (code === NUMBER) x[k] = numbers[a[k]];
      else if (code === INPUT) x[k] = q[a[k]];
      else {
        // the commonest operations without a call
        switch (code) {
          case 2: x[k] = x[a[k]] + x[b[k]]; break;
          case 3: x[k] = x[a[k]] - x[b[k]]; break;
          case 4: x[k] = x[a[k]] * x[b[k]]; break;
          case 6: x[k] = -x[a[k]]; break;
          default: {
            const arity = ARITY[code], f = FUNCTIONS[code];
            x[k] = arity === 1 ? f(x[a[k]]) : arity === 2 ? f(x[a[k]], x[b[k]]) : f(x[a[k]], x[b[k]], x[c[k]]);
          }
        }
      }
    }
    return x;
  }

  updatePoses() {
    const x = this.evaluate(), { poses } = this.table;
    for (let k = 0; k < this.poses.length; k++) this.poses[k] = x[poses[k]];
  }

  /** The coordinates by the keys of their series. */
  get series() {
    return Object.fromEntries(this.coordinates.map(({ name }, k) => [`q.${name}`, this.q[k]]));
  }

  /** Set one coordinate; the others move so that loops stay closed. Returns "" or why the value was not reached. */
  set(index, value) {
    return this.setSeveral([index], [value]);
  }

  /** Turn a body with a quaternion to a rotation vector (along the axes of the joint's frame in the parent). */
  setRotation(index, vector) {
    const indices = [0, 1, 2, 3].map((k) => index + k), goal = quaternionOfVector(vector);
    const sign = indices.reduce((sum, k, i) => sum + this.q[k] * goal[i], 0) < 0 ? -1 : 1;
    return this.setSeveral(indices, goal.map((v) => sign * v));
  }

  /** Whether a body with a quaternion is turned otherwise than by this rotation vector. */
  differs(index, vector) {
    const q = quaternionOfVector(vector);
    return 1 - Math.abs(q.reduce((sum, v, k) => sum + v * this.q[index + k], 0)) > 1e-9;
  }

  rotation(index) {
    return vectorOfQuaternion(this.q.slice(index, index + 4));
  }

  /** Move coordinates to values in steps short enough for the loops to follow. Stops at the last step that closes. */
  setSeveral(indices, goal) {
    const held = new Set(indices), start = indices.map((k) => this.q[k]);
    const affected = this.loops.filter((loop) => indices.some((k) => loop.coordinates.has(k)));
    const span = (k) => Math.min(Math.max(this.coordinates[k].high - this.coordinates[k].low, 1e-9), 2 * Math.PI);
    const way = Math.max(...indices.map((k, i) => Math.abs(goal[i] - start[i]) / span(k)));
    let step = affected.length ? Math.min(1, LONGEST_STEP / Math.max(way, 1e-12)) : 1;
    let done = 0, why = "";
    while (done < 1) {
      const before = this.q.slice(), next = Math.min(1, done + step);
      indices.forEach((k, i) => (this.q[k] = next === 1 ? goal[i] : start[i] + next * (goal[i] - start[i])));
      this.normaliseQuaternions(indices);
      if (!affected.length || this.close(affected, held)) {
        done = next;
        continue;
      }
      this.q.set(before);
      step /= 2;
      if (step < SHORTEST_STEP) {
        why = this.blocked ? `stopped: ${this.blocked} is at its limit` : "stopped: the loop cannot close further";
        break;
      }
    }
    this.updatePoses();
    return why;
  }

  normaliseQuaternions(indices) {
    for (const first of this.quaternions) {
      if (!indices.includes(first)) continue;
      const size = Math.hypot(...this.q.slice(first, first + 4)) || 1;
      for (let k = 0; k < 4; k++) this.q[first + k] /= size;
    }
  }

  /** Newton's method with the shortest step (damped least squares) on the residuals of some loops. Coordinates that
   * reach a limit stay there. Returns whether the loops are closed; otherwise the coordinates are of no use. */
  close(chosen, held) {
    this.blocked = "";
    return chosen.every((loop) => this.closeLoop(loop, new Set(held)));
  }

  closeLoop(loop, fixed) {
    let damping = 1e-12, size = this.residuals(loop, this.evaluate()).size, last = false;
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      if (size <= CLOSED && last) return true;
      last = size <= CLOSED; // one step more, for systems of micrometres
      const free = [...loop.coordinates].filter((k) => !fixed.has(k));
      const { r, slopes } = this.residuals(loop, this.values, free);
      const step = shortestStep(r, slopes, free.length, damping);
      if (!step) return size <= CLOSED;
      const before = this.q.slice(), stopped = [];
      free.forEach((k, i) => {
        this.q[k] += Math.max(-0.5, Math.min(0.5, step[i])) * this.scale(k);
        const { low, high, name, limited } = this.coordinates[k];
        if (limited && (this.q[k] < low || this.q[k] > high)) {
          this.q[k] = Math.max(low, Math.min(high, this.q[k]));
          stopped.push(k);
          this.blocked ||= name;
        }
      });
      const after = this.residuals(loop, this.evaluate()).size;
      if (after < size || stopped.length) {
        size = after;
        damping = Math.max(1e-12, damping / 10);
        stopped.forEach((k) => fixed.add(k));
      } else {
        this.q.set(before);
        this.evaluate();
        damping *= 100;
        if (last) return true;
        if (!(damping < 1e4)) return false;
      }
    }
    return size <= CLOSED;
  }

  scale(k) {
    return this.coordinates[k].scale ?? 1;
  }

  /** Residuals of a loop, their slopes for the free coordinates in units of their scales (dense, row by row), and the
   * largest residual. */
  residuals(loop, x, free = null) {
    const r = Float64Array.from(loop.residuals, (k) => x[this.table.residuals[k]]);
    let size = 0;
    for (const value of r) size = value === value ? Math.max(size, Math.abs(value)) : Infinity;
    if (!free) return { r, size };
    const column = new Map(free.map((k, i) => [k, i])), n = free.length;
    const slopes = new Float64Array(r.length * n);
    for (const [i, coordinate, row] of loop.slopes)
      if (column.has(coordinate)) slopes[i * n + column.get(coordinate)] += x[row] * this.scale(coordinate);
    return { r, slopes, size };
  }

  /** Back to the initial coordinates. */
  reset() {
    this.q.set(this.initial);
    this.updatePoses();
  }
}

/** Raise where a row uses a later one or an index is out of range: such a file is damaged. */
function check(table) {
  const { op, a, b, c, numbers, coordinates } = table, n = op.length;
  const wrong = (what) => {
    throw new Error(`the motion table is damaged: ${what}`);
  };
  for (let k = 0; k < n; k++) {
    if (op[k] >= OPERATIONS.length) wrong(`row ${k} has the unknown operation ${op[k]}`);
    const arity = ARITY[op[k]];
    if (op[k] === NUMBER && a[k] >= numbers.length) wrong(`row ${k} uses number ${a[k]}`);
    if (op[k] === INPUT && a[k] >= coordinates.length) wrong(`row ${k} uses coordinate ${a[k]}`);
    if ((arity > 0 && a[k] >= k) || (arity > 1 && b[k] >= k) || (arity > 2 && c[k] >= k)) wrong(`row ${k} uses a later row`);
  }
  for (const rows of [table.poses, table.residuals]) if (rows.some((k) => k >= n)) wrong("an output is not in the table");
}

/** Residuals that share coordinates, together: each group can be solved without the others. */
function loops(table, quaternions) {
  const count = table.residuals.length, parent = Array.from({ length: count }, (_, k) => k);
  const root = (k) => {
    while (parent[k] !== k) k = parent[k] = parent[parent[k]];
    return k;
  };
  const firstWith = new Map();
  const member = (k) => quaternions.find((first) => k >= first && k < first + 4) ?? k; // a quaternion moves together
  const slopes = [];
  for (let i = 0; i < table.slopes.length; i += 3) {
    const [residual, coordinate, row] = table.slopes.slice(i, i + 3);
    if (residual >= count || coordinate >= table.coordinates.length || row >= table.op.length) continue;
    slopes.push([residual, coordinate, row]);
    const key = member(coordinate);
    if (firstWith.has(key)) parent[root(residual)] = root(firstWith.get(key));
    else firstWith.set(key, residual);
  }
  const groups = new Map();
  for (let k = 0; k < count; k++) {
    if (!groups.has(root(k))) groups.set(root(k), { residuals: [], coordinates: new Set(), slopes: [] });
    groups.get(root(k)).residuals.push(k);
  }
  for (const [residual, coordinate, row] of slopes) {
    const group = groups.get(root(residual));
    group.slopes.push([group.residuals.indexOf(residual), coordinate, row]);
    group.coordinates.add(coordinate);
  }
  return [...groups.values()];
}

/** The shortest step s with J s = −r: s = Jᵀ y, (J Jᵀ + damping) y = −r. Redundant rows are allowed. */
function shortestStep(r, J, n, damping) {
  const m = r.length;
  if (!n) return null;
  const A = new Float64Array(m * m), y = Float64Array.from(r, (v) => -v);
  let largest = 0;
  for (let i = 0; i < m; i++)
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += J[i * n + k] * J[j * n + k];
      A[i * m + j] = A[j * m + i] = sum;
      if (i === j) largest = Math.max(largest, sum);
    }
  if (!(largest > 0) || !Number.isFinite(largest)) return null;
  for (let i = 0; i < m; i++) A[i * m + i] += damping * largest;
  for (let i = 0; i < m; i++) {
    // Cholesky's factor in place, with the forward substitution
    for (let k = 0; k < i; k++) {
      let sum = A[i * m + k];
      for (let l = 0; l < k; l++) sum -= A[i * m + l] * A[k * m + l];
      A[i * m + k] = sum / A[k * m + k];
    }
    let sum = A[i * m + i], value = y[i];
    for (let l = 0; l < i; l++) {
      sum -= A[i * m + l] ** 2;
      value -= A[i * m + l] * y[l];
    }
    A[i * m + i] = Math.sqrt(Math.max(sum, damping * largest * 1e-3));
    y[i] = value / A[i * m + i];
  }
  for (let i = m - 1; i >= 0; i--) {
    for (let l = i + 1; l < m; l++) y[i] -= A[l * m + i] * y[l];
    y[i] /= A[i * m + i];
  }
  const step = new Float64Array(n);
  for (let i = 0; i < m; i++) for (let k = 0; k < n; k++) step[k] += J[i * n + k] * y[i];
  return step.every(Number.isFinite) ? step : null;
}

function quaternionOfVector(v) {
  const angle = Math.hypot(...v), f = angle > 1e-8 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), f * v[0], f * v[1], f * v[2]];
}

/** The rotation vector, of length π at most, of a unit quaternion. */
function vectorOfQuaternion(q) {
  const sign = q[0] < 0 ? -1 : 1, size = Math.hypot(q[1], q[2], q[3]);
  const f = size > 1e-8 ? (2 * Math.atan2(size, sign * q[0])) / size : 2;
  return [1, 2, 3].map((k) => sign * f * q[k]);
}
