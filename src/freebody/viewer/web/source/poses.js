// Where all bodies are at the time shown: 3×4 matrices, row by row, of double precision.

import { EnlargedNodes } from "./enlarged_nodes.js";
import { hermite, linear, placeInTime, turnAt } from "./sample.js";

/**
 * Poses of the bodies of all clips that are shown together (one "copy" of the bodies for each; usually one copy). Each
 * copy ends with the ground, whose pose is the identity.
 */
export class Poses {
  constructor(scene) {
    this.scene = scene;
    this.stride = scene.bodies.length + 1;
    this.copies = scene.together ? Math.max(1, scene.clips.length) : 1;
    this.matrices = new Float64Array(12 * this.stride * this.copies);
    for (let k = 0; k < this.stride * this.copies; k++) this.setIdentity(k);
    this.places = Array.from({ length: this.copies }, () => ({ row: 0, fraction: 0, length: 0 }));
    this.clips = scene.clips.slice(0, this.copies);
    this.turn = new Float64Array(4);
    this.outside = null; // values of series by key, with poses that were set from outside
    this.nodes = new EnlargedNodes(scene);
    this.factor = scene.deformation; // with which deformations are drawn
    this.known = new Float64Array(this.matrices.length); // where bodies are if deformations are drawn as they are
  }

  /** The pose of a body of the first copy without the factor of deformations. */
  knownPose(body) {
    return (this.areMoved ? this.known : this.matrices).subarray(12 * body, 12 * body + 12);
  }

  /** Whether bodies are not where they are, because deformations are drawn with a factor. */
  get areMoved() {
    return this.factor !== 1 && this.nodes.order.length > 0;
  }

  moveNodes() {
    if (!this.areMoved) return;
    this.known.set(this.matrices);
    for (let copy = 0; copy < this.copies; copy++) this.nodes.move(this.known, this.matrices, copy * this.stride, this.factor);
  }

  /** Draws deformations with a factor: takes the poses again. */
  setFactor(factor) {
    if (factor === this.factor) return;
    this.factor = factor;
    if (!this.nodes.order.length) return;
    if (this.outside) this.setPoses(this.numbers, this.outside);
    else this.setTime(this.time, this.clips[0]);
  }

  /** The index of a body's pose: −1 is the ground. */
  index(body, copy = 0) {
    return copy * this.stride + (body < 0 ? this.stride - 1 : body);
  }

  setIdentity(k) {
    this.matrices.fill(0, 12 * k, 12 * k + 12);
    this.matrices[12 * k] = this.matrices[12 * k + 5] = this.matrices[12 * k + 10] = 1;
  }

  /** Takes the poses at a time from a clip, or from all clips that are shown together. */
  setTime(time, clip) {
    if (!this.scene.together) this.clips[0] = clip;
    this.outside = null;
    this.time = time;
    for (let copy = 0; copy < this.copies; copy++) if (this.clips[copy]) this.setCopy(copy, time);
    this.moveNodes();
  }

  setCopy(copy, time) {
    const { t, positions, turns } = this.clips[copy];
    const place = placeInTime(t, time, this.places[copy]);
    const bodies = this.stride - 1;
    const p = positions.values, q = turns.values, m = this.matrices;
    for (let body = 0, k = 12 * copy * this.stride; body < bodies; body++, k += 12) {
      setRotation(turnAt(q, 4 * bodies, 4 * body, place, this.turn), m, k);
      for (let axis = 0; axis < 3; axis++) m[k + 4 * axis + 3] = hermite(t, p, 3 * bodies, 3 * body + axis, place);
    }
  }

  /** Takes poses from outside: 12 numbers a body, its rotation matrix row by row, then its position. */
  setPoses(numbers, values) {
    this.outside = values ?? {};
    this.numbers = numbers;
    for (let body = 0; body < this.stride - 1; body++) {
      for (let row = 0; row < 3; row++) {
        const k = 12 * body + 4 * row;
        for (let column = 0; column < 3; column++) this.matrices[k + column] = numbers[12 * body + 3 * row + column];
        this.matrices[k + 3] = numbers[12 * body + 9 + row];
      }
    }
    this.moveNodes();
  }

  /** The value of a series at the time shown; NaN if it has none. */
  value(series, copy = 0) {
    if (series < 0) return NaN;
    if (this.outside) return this.outside[this.scene.series[series].key] ?? NaN;
    const clip = this.clips[copy];
    return clip ? linear(clip.series.column(series), 1, 0, this.places[copy]) : NaN;
  }

  /** Whether a pose is known; a run may have times without a result. */
  isFinite(k) {
    const m = this.matrices;
    return Number.isFinite(m[12 * k] + m[12 * k + 3] + m[12 * k + 7] + m[12 * k + 11]);
  }

  /** Writes the place in the ground of a point of a body to target[at…]. */
  point(k, point, target, at = 0) {
    const m = this.matrices, x = point[0], y = point[1], z = point[2];
    for (let row = 0, i = 12 * k; row < 3; row++, i += 4) target[at + row] = m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3];
    return target;
  }
}

/** Writes the rotation matrix of a quaternion (w, x, y, z) of any size into a 3×4 matrix. */
export function setRotation(turn, m, k) {
  const w = turn[0], x = turn[1], y = turn[2], z = turn[3];
  const s = 2 / (w * w + x * x + y * y + z * z);
  m[k] = 1 - s * (y * y + z * z);
  m[k + 1] = s * (x * y - w * z);
  m[k + 2] = s * (x * z + w * y);
  m[k + 4] = s * (x * y + w * z);
  m[k + 5] = 1 - s * (x * x + z * z);
  m[k + 6] = s * (y * z - w * x);
  m[k + 8] = s * (x * z - w * y);
  m[k + 9] = s * (y * z + w * x);
  m[k + 10] = 1 - s * (x * x + y * y);
}
