// Bodies on nodes of flexible bodies, where deformations are drawn with a factor: they move along with the nodes.

import { setRotation } from "./poses.js";

export class EnlargedNodes {
  constructor(scene) {
    this.bodies = scene.bodies;
    this.rest = scene.bodies.map(({ rest }) => (rest.length ? placeOf(rest) : null)); // of nodes, in their flexible bodies
    const moved = []; // parents are before their children
    scene.bodies.forEach(({ parent }, body) => moved.push(this.rest[body] !== null || moved[parent] === true));
    this.order = [...scene.bodies.keys()].filter((body) => moved[body]);
  }

  /** Writes poses of a copy of the bodies, which begin at an index: nodes move by the factor, what is on them rigidly with them. */
  move(known, shown, start, factor) {
    const matrix = (all, body) => all.subarray(12 * (start + body), 12 * (start + body) + 12);
    for (const body of this.order) {
      const { parent } = this.bodies[body];
      const inParent = relative(matrix(known, parent), matrix(known, body));
      matrix(shown, body).set(product(matrix(shown, parent), this.rest[body] ? enlarged(this.rest[body], inParent, factor) : inParent));
    }
  }
}

function placeOf([x, y, z, ...turn]) {
  const place = new Float64Array(12);
  setRotation(turn, place, 0);
  [x, y, z].forEach((value, row) => (place[4 * row + 3] = value));
  return place;
}

/** A place whose displacement and rotation from the one at rest are multiplied. */
function enlarged(rest, place, factor) {
  const moved = relative(rest, place), turn = new Float64Array(12);
  const across = [moved[9] - moved[6], moved[2] - moved[8], moved[4] - moved[1]]; // 2 sin(angle) times the axis
  const size = Math.hypot(...across), angle = factor * Math.atan2(size, moved[0] + moved[5] + moved[10] - 1);
  const along = size > 0 ? Math.sin(angle / 2) / size : 0;
  setRotation([Math.cos(angle / 2), ...across.map((x) => along * x)], turn, 0);
  for (const at of [3, 7, 11]) turn[at] = factor * moved[at];
  return product(rest, turn);
}

function product(a, b) {
  const c = new Float64Array(12);
  for (let row = 0; row < 12; row += 4)
    for (let k = 0; k < 4; k++) c[row + k] = a[row] * b[k] + a[row + 1] * b[4 + k] + a[row + 2] * b[8 + k] + (k === 3 ? a[row + 3] : 0);
  return c;
}

/** The place b in a. */
function relative(a, b) {
  const c = new Float64Array(12);
  for (let row = 0; row < 3; row++)
    for (let k = 0; k < 4; k++) for (let j = 0; j < 3; j++) c[4 * row + k] += a[4 * j + row] * (b[4 * j + k] - (k === 3 ? a[4 * j + 3] : 0));
  return c;
}
