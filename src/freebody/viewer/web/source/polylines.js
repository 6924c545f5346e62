// Lines through points that are fixed in bodies: axes, curves, outlines.

import { colourOf, LAYER_COLOURS } from "./colours.js";
import { WideLines } from "./wide_lines.js";

const DASH = 0.025, GAP = 0.018; // in units of the scene's size
const MOST_DASHES = 200; // of one polyline

export class Polylines {
  constructor(scene, poses, seriesIndex) {
    Object.assign(this, { scene, poses });
    const layers = [...new Set(scene.lines.map(({ layer }) => layer))];
    this.groups = layers.map((layer) => this.makeGroup(layer, seriesIndex));
  }

  makeGroup(layer, seriesIndex) {
    const lines = this.scene.lines.filter((line) => line.layer === layer);
    const segments = lines.map((line) => (line.dashed ? dashes(line.points, this.scene.size) : pairs(line.points)));
    const count = segments.reduce((sum, ends) => sum + ends.length, 0) * this.poses.copies;
    const colours = new Float32Array(count);
    for (let copy = 0, at = 0; copy < this.poses.copies; copy++) {
      segments.forEach((ends, k) => {
        const { r, g, b } = colourOf(this.colour(lines[k], copy));
        for (let i = 0; i < ends.length; i += 3, at += 3) colours.set([r, g, b], at);
      });
    }
    const series = lines.map(({ engaged }) => (engaged ? seriesIndex.get(engaged) ?? -1 : -1));
    return { lines, segments, series, wide: new WideLines(new Float32Array(count), colours, { layer }) };
  }

  colour({ color, layer, body }, copy) {
    const clip = this.poses.copies > 1 ? this.scene.clips[copy].color : null;
    return color ?? clip ?? LAYER_COLOURS[layer] ?? (body < 0 ? [0.5, 0.5, 0.5] : this.scene.bodies[body].color);
  }

  get batches() {
    return this.groups.map(({ wide }) => wide);
  }

  update(origin) {
    const { poses } = this;
    for (const { lines, segments, series, wide } of this.groups) {
      if (!wide.visible) continue;
      for (let copy = 0, at = 0; copy < poses.copies; copy++) {
        for (let k = 0; k < lines.length; at += segments[k].length, k++) {
          const away = series[k] >= 0 && poses.value(series[k], copy) === 0;
          if (away || !poses.isFinite(poses.index(lines[k].body, copy))) wide.ends.fill(0, at, at + segments[k].length);
          else place(segments[k], poses.matrices, 12 * poses.index(lines[k].body, copy), origin, wide.ends, at);
        }
      }
      wide.endsChanged();
    }
  }
}

function place(points, m, p, origin, target, at) {
  for (let row = 0; row < 3; row++, p += 4) {
    for (let k = 0; k < points.length; k += 3) target[at + k + row] = m[p] * points[k] + m[p + 1] * points[k + 1] + m[p + 2] * points[k + 2] + m[p + 3] - origin[row];
  }
}

/** The segments between consecutive points, six numbers each. */
function pairs(points) {
  const ends = new Float32Array(Math.max(0, 2 * points.length - 6));
  for (let k = 0; k + 3 < points.length; k += 3) ends.set(points.subarray(k, k + 6), 2 * k);
  return ends;
}

function dashes(points, size) {
  let total = 0;
  for (let k = 0; k + 3 < points.length; k += 3) total += Math.hypot(points[k + 3] - points[k], points[k + 4] - points[k + 1], points[k + 5] - points[k + 2]);
  const period = Math.max((DASH + GAP) * size, total / MOST_DASHES);
  const dash = (period * DASH) / (DASH + GAP);
  const ends = [];
  let phase = 0; // how far the period has gone at the start of a segment
  for (let k = 0; k + 3 < points.length; k += 3) {
    const a = points.subarray(k, k + 3), b = points.subarray(k + 3, k + 6);
    const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    for (let s = -phase; s < length; s += period) {
      const from = Math.max(0, s) / length, to = Math.min(length, s + dash) / length;
      if (to > from) for (const fraction of [from, to]) for (let axis = 0; axis < 3; axis++) ends.push(a[axis] + fraction * (b[axis] - a[axis]));
    }
    phase = (phase + length) % period;
  }
  return new Float32Array(ends);
}
