// Springs, dampers, rods and lines between points of two bodies.

import { Batch, writeHidden } from "./batch.js";
import { colourOf, LINK_COLOURS } from "./colours.js";
import { coil, cylinder } from "./primitives.js";
import { writeSegment } from "./segments.js";

const DAMPER_HOUSING = 0.5; // of the length at the start
const ROD_OF_DAMPER = 0.35; // of the damper's radius

export class Links {
  constructor(scene, poses, seriesIndex) {
    Object.assign(this, { scene, poses });
    this.series = scene.links.map(({ engaged }) => (engaged ? seriesIndex.get(engaged) ?? -1 : -1));
    this.start = new Float64Array(3);
    this.end = new Float64Array(3);
    this.along = new Float64Array(3);
    this.hint = new Float64Array(3);
    this.lengths = scene.links.map((link) => this.measure(link, 0));
    this.parts = this.makeParts();
  }

  /** The two ends of a link, its direction and its length, which is returned. */
  measure({ bodies, points }, copy) {
    const { poses, start, end, along, hint } = this;
    const first = poses.index(bodies[0], copy);
    poses.point(first, points[0], start);
    poses.point(poses.index(bodies[1], copy), points[1], end);
    const length = Math.hypot(end[0] - start[0], end[1] - start[1], end[2] - start[2]);
    for (let axis = 0; axis < 3; axis++) {
      along[axis] = (end[axis] - start[axis]) / length;
      hint[axis] = poses.matrices[12 * first + 4 * axis];
    }
    return length;
  }

  /** One batch for each geometry and layer: the coil of each kind of spring, cylinders for the rest. */
  makeParts() {
    const groups = new Map();
    const add = (key, geometry, layer, part) => {
      if (!groups.has(`${key} ${layer}`)) groups.set(`${key} ${layer}`, { geometry, layer, parts: [] });
      groups.get(`${key} ${layer}`).parts.push(part);
    };
    this.scene.links.forEach((link, index) => {
      const { kind, layer } = link;
      const radius = link.radius || 0.004 * this.scene.size;
      if (kind === "spring") {
        const slenderness = 2 ** Math.round(Math.log2(Math.min(60, Math.max(2, this.lengths[index] / radius || 10))));
        const turns = Math.min(14, Math.max(4, Math.round(slenderness / 1.6)));
        add(`coil ${slenderness}`, () => coil(turns, slenderness), layer, { index, radius });
      } else if (kind === "damper") {
        add("cylinder", cylinder, layer, { index, radius, housing: true });
        add("cylinder", cylinder, layer, { index, radius: ROD_OF_DAMPER * radius });
      } else add("cylinder", cylinder, layer, { index, radius });
    });
    return [...groups.values()].map(({ geometry, layer, parts }) => {
      const batch = new Batch(geometry(), parts.length * this.poses.copies, { layer });
      for (let k = 0; k < batch.mesh.count; k++) batch.setColour(k, this.colour(parts[k % parts.length], Math.floor(k / parts.length)));
      return { batch, parts };
    });
  }

  colour({ index, housing }, copy) {
    const { color, kind } = this.scene.links[index];
    const clip = this.poses.copies > 1 ? this.scene.clips[copy].color : null;
    const colour = colourOf(clip ?? color ?? LINK_COLOURS[kind] ?? LINK_COLOURS.line);
    return housing ? colour.multiplyScalar(0.7) : colour;
  }

  get batches() {
    return this.parts.map(({ batch }) => batch);
  }

  update(origin) {
    for (const { batch, parts } of this.parts) {
      if (!batch.visible) continue;
      for (let copy = 0, at = 0; copy < this.poses.copies; copy++) for (const part of parts) {
        this.place(part, copy, origin, batch.matrices, at);
        at += 16;
      }
      batch.matricesChanged();
    }
  }

  place({ index, radius, housing }, copy, origin, target, at) {
    const length = this.measure(this.scene.links[index], copy);
    const away = this.series[index] >= 0 && this.poses.value(this.series[index], copy) === 0;
    if (away || !(length > 1e-9 * this.scene.size)) {
      writeHidden(target, at);
      return;
    }
    for (let axis = 0; axis < 3; axis++) this.start[axis] -= origin[axis];
    const shown = housing ? Math.min(DAMPER_HOUSING * this.lengths[index], 0.9 * length) : length;
    writeSegment(this.start, this.along, shown, radius, this.hint, target, at);
  }
}
