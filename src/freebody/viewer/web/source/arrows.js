// Forces and torques as arrows whose lengths are in scale; a torque has two heads.

import { Batch, writeHidden } from "./batch.js";
import { ARROW_COLOURS, colourOf } from "./colours.js";
import { cone, cylinder } from "./primitives.js";
import { linear } from "./sample.js";
import { writeSegment } from "./segments.js";

const USUAL_LENGTH = 0.6; // of the scene's size, for all but the largest 2 % of a clip
const SHORTEST = 0.012; // of the scene's size; shorter ones are not drawn
const LONGEST = 4;
const SHAFT = 0.011, HEAD = 0.03, HEAD_LENGTH = 0.09; // radii and length in units of the scene's size
const ANY_DIRECTION = [0.36, 0.48, 0.8];

export class Arrows {
  constructor(scene, poses) {
    Object.assign(this, { scene, poses });
    this.references = new Map();
    this.start = new Float64Array(3);
    this.along = new Float64Array(3);
    this.headStart = new Float64Array(3);
    const layers = [...new Set(scene.arrows.map(({ layer }) => layer))];
    this.groups = layers.map((layer) => this.makeGroup(layer));
  }

  makeGroup(layer) {
    const indices = this.scene.arrows.flatMap((arrow, index) => (arrow.layer === layer ? [index] : []));
    const count = indices.length * this.poses.copies;
    const look = { layer, seeThrough: true };
    const group = { indices, shafts: new Batch(cylinder(10), count, look), heads: new Batch(cone(14), 2 * count, look) };
    for (let k = 0; k < count; k++) {
      const { kind } = this.scene.arrows[indices[k % indices.length]];
      const colour = colourOf((ARROW_COLOURS[layer] ?? ARROW_COLOURS.loads)[kind] ?? ARROW_COLOURS.loads.force);
      group.shafts.setColour(k, colour);
      group.heads.setColour(2 * k, colour);
      group.heads.setColour(2 * k + 1, colour);
    }
    return group;
  }

  get batches() {
    return this.groups.flatMap(({ shafts, heads }) => [shafts, heads]);
  }

  /** The size of a vector that is drawn with the usual length: 98 % of those of this kind in the clip, or in all clips
   * that are shown together, are smaller. */
  reference(clip, kind) {
    const { clips, together, arrows } = this.scene;
    const key = `${together || clips.indexOf(clip)} ${kind}`;
    if (!this.references.has(key)) {
      const sizes = [];
      for (const { vectors } of together ? clips : [clip]) {
        arrows.forEach((arrow, index) => {
          if (arrow.kind !== kind) return;
          for (let row = 0; row < vectors.rows; row++) {
            const at = row * vectors.columns + 3 * index;
            const size = Math.hypot(vectors.values[at], vectors.values[at + 1], vectors.values[at + 2]);
            if (size > 0) sizes.push(size);
          }
        });
      }
      sizes.sort((a, b) => a - b);
      this.references.set(key, sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] : 0);
    }
    return this.references.get(key);
  }

  update(origin, factor) {
    for (const { indices, shafts, heads } of this.groups) {
      if (!shafts.visible) continue;
      for (let copy = 0, k = 0; copy < this.poses.copies; copy++) for (const index of indices) this.place(index, copy, origin, factor, shafts.matrices, heads.matrices, k++);
      shafts.matricesChanged();
      heads.matricesChanged();
    }
  }

  place(index, copy, origin, factor, shafts, heads, k) {
    const { start, along, poses, scene } = this;
    const { kind, body, at } = scene.arrows[index];
    const { size } = scene;
    const length = this.vector(index, copy) * size * USUAL_LENGTH * factor;
    if (!(length > SHORTEST * size) || !poses.isFinite(poses.index(body, copy))) {
      writeHidden(shafts, 16 * k);
      writeHidden(heads, 32 * k);
      writeHidden(heads, 32 * k + 16);
      return;
    }
    const shown = Math.min(length, LONGEST * size * Math.max(1, factor));
    const head = Math.min(HEAD_LENGTH * size, 0.4 * shown);
    const width = head / HEAD_LENGTH;
    poses.point(poses.index(body, copy), at, start);
    for (let axis = 0; axis < 3; axis++) start[axis] -= origin[axis];
    writeSegment(start, along, shown - 0.9 * head, SHAFT * width, ANY_DIRECTION, shafts, 16 * k);
    this.writeHead(shown - head, head, HEAD * width, heads, 32 * k);
    if (kind === "torque") this.writeHead(shown - 1.7 * head, head, HEAD * width, heads, 32 * k + 16);
    else writeHidden(heads, 32 * k + 16);
  }

  writeHead(distance, length, radius, target, at) {
    for (let axis = 0; axis < 3; axis++) this.headStart[axis] = this.start[axis] + distance * this.along[axis];
    writeSegment(this.headStart, this.along, length, radius, ANY_DIRECTION, target, at);
  }

  /** Sets the direction of an arrow and returns its size relative to the reference of its clip. */
  vector(index, copy) {
    const size = this.size(index, copy);
    if (!(size > 0)) return 0;
    for (let axis = 0; axis < 3; axis++) this.along[axis] /= size;
    return size / this.reference(this.poses.clips[copy], this.scene.arrows[index].kind);
  }

  /** The size of a force or torque at present, in its unit. */
  size(index, copy = 0) {
    const clip = this.poses.clips[copy];
    if (!clip || this.poses.outside || !clip.vectors.rows) return 0;
    const { values, columns } = clip.vectors;
    for (let axis = 0; axis < 3; axis++) this.along[axis] = linear(values, columns, 3 * index + axis, this.poses.places[copy]);
    return Math.hypot(this.along[0], this.along[1], this.along[2]);
  }
}
