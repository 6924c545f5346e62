// Paths of points of bodies, from the start of the clip to the time shown.

import { Group } from "three";
import { colourOf } from "./colours.js";
import { hermite, turnAt } from "./sample.js";
import { WideLines } from "./wide_lines.js";

const MOST_SEGMENTS = 120000; // of all trails together
const FINE = 8; // segments between two rows, at most

export class Trails {
  /** @param reference the point from which the paths' numbers count, so that single precision is enough */
  constructor(scene, poses, player, reference) {
    Object.assign(this, { scene, poses, player, reference });
    this.group = new Group();
    this.paths = [];
    this.end = new Float64Array(3);
    this.hasChildren = new Set(scene.bodies.map(({ parent }) => parent));
  }

  /** The bodies whose trails are shown. */
  bodies() {
    const { options, selected } = this.player;
    if (options.trails === "selected") return selected >= 0 ? [selected] : [];
    const all = this.scene.bodies.map((_, body) => body);
    return options.trails === "all" ? all : all.filter((body) => !this.hasChildren.has(body));
  }

  /** Computes the paths that are to be shown, if they are not there yet. */
  prepare() {
    const shown = this.player.layers.has("trails") && !this.poses.outside;
    this.group.visible = shown;
    if (!shown) return;
    const bodies = this.bodies();
    const key = `${bodies.join()} ${this.player.clip}`;
    if (key === this.key) return;
    this.key = key;
    for (const path of this.paths) path.wide.dispose();
    this.paths = [];
    const rows = this.poses.clips.reduce((sum, clip) => sum + clip.t.length, 0) * bodies.length;
    const fine = Math.max(1, Math.min(FINE, Math.floor(MOST_SEGMENTS / rows)));
    const stride = Math.max(1, Math.ceil(rows / MOST_SEGMENTS));
    this.poses.clips.forEach((clip, copy) => {
      for (const body of bodies) this.addPath(clip, copy, body, fine, stride);
    });
  }

  addPath(clip, copy, body, fine, stride) {
    if (clip.t.length < 2) return;
    const { times, points } = samplePath(clip, this.scene.bodies, body, fine, stride, this.reference);
    const wide = new WideLines(new Float32Array(6 * (times.length - 1)), null, { layer: "trails", width: this.poses.copies > 1 ? 1.2 : 1.8, opacity: 0.75 });
    wide.material.color.copy(colourOf(this.poses.copies > 1 ? clip.color ?? this.scene.bodies[body].color : this.scene.bodies[body].color));
    this.group.add(wide.mesh);
    const path = { wide, times, points, body, copy, last: -1 };
    for (let k = 0; k + 1 < times.length; k++) this.writeSegment(path, k);
    this.paths.push(path);
  }

  /** A segment of a path; it has no length where the body's place is not known. */
  writeSegment({ wide, points }, k) {
    const known = Number.isFinite(points[3 * k] + points[3 * k + 3]);
    for (let i = 0; i < 6; i++) wide.ends[6 * k + i] = known ? points[3 * k + i] : 0;
  }

  update(origin) {
    this.prepare();
    if (!this.group.visible) return;
    this.group.position.set(this.reference[0] - origin[0], this.reference[1] - origin[1], this.reference[2] - origin[2]);
    for (const path of this.paths) this.updatePath(path);
  }

  /** Shows the segments up to now; the last of them ends where the body is. */
  updatePath(path) {
    const { wide, times, points, body, copy } = path;
    let low = 0, high = times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= this.player.t) low = middle;
      else high = middle;
    }
    const last = Math.min(low, times.length - 2);
    if (path.last >= 0 && path.last !== last) this.writeSegment(path, path.last);
    const pose = this.poses.index(body, copy);
    const known = this.poses.isFinite(pose) && Number.isFinite(points[3 * last]);
    if (known) {
      this.poses.point(pose, this.scene.bodies[body].trail, this.end);
      for (let axis = 0; axis < 3; axis++) wide.ends[6 * last + 3 + axis] = this.end[axis] - this.reference[axis];
    }
    wide.count = known ? last + 1 : last;
    wide.endsChanged();
    path.last = last;
  }
}

/** Points of a body's path at the rows of a clip and between them, more where it turns. */
function samplePath(clip, bodies, body, fine, stride, reference) {
  const { t, positions, turns } = clip;
  const [p, q] = [positions.values, turns.values];
  const [x, y, z] = bodies[body].trail;
  const place = { row: 0, fraction: 0, length: 0 };
  const turn = new Float64Array(4);
  const times = [], points = [];
  for (let row = 0; row < t.length; row += stride) {
    place.row = row;
    place.length = row + 1 < t.length ? t[row + 1] - t[row] : 0;
    const parts = place.length > 0 && stride === 1 ? fine : 1;
    for (let k = 0; k < parts; k++) {
      place.fraction = k / parts;
      const [w, i, j, l] = turnAt(q, 4 * bodies.length, 4 * body, place, turn);
      // v + 2 w (e × v) + 2 e × (e × v) for a unit quaternion (w, e)
      const a = 2 * (j * z - l * y), b = 2 * (l * x - i * z), c = 2 * (i * y - j * x);
      const turned = [x + w * a + j * c - l * b, y + w * b + l * a - i * c, z + w * c + i * b - j * a];
      times.push(t[row] + place.fraction * place.length);
      for (let axis = 0; axis < 3; axis++) points.push(hermite(t, p, 3 * bodies.length, 3 * body + axis, place) + turned[axis] - reference[axis]);
    }
  }
  return { times: Float64Array.from(times), points: Float32Array.from(points) };
}
