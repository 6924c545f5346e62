// What the camera shows: the system at an instant, or the whole path of its motion.

import { addBodyPoints, boxOfPoints, motionPoints } from "./extent.js";
import { fixedBodies } from "./fixed_bodies.js";

const ROOM = 3; // of the whole path, relative to the system at the first instant, that the first picture shows
const ROOM_TOGETHER = 100; // the same for motions that are shown together, to compare them
const SURROUNDINGS = 3; // fixed bodies are shown whole where they make the picture larger by less than this factor
const MARGIN = 0.15; // around the system, in which larger fixed bodies are shown
const VICINITY = 0.25; // around the system, in which a longer path is shown at first

export class Framing {
  /** The poses are those of the first instant. */
  constructor(scene, poses, corners) {
    Object.assign(this, { scene, poses, corners });
    const all = [-1, ...scene.bodies.keys()], fixed = fixedBodies(scene);
    this.moving = all.filter((body) => body >= 0 && !fixed[body]);
    this.fixed = all.filter((body) => body < 0 || fixed[body]);
    if (!this.pointsNow(this.moving).length) [this.moving, this.fixed] = [all, []];
    this.motion = motionPoints(scene, poses, corners, this.moving);
    this.first = this.firstPoints();
  }

  pointsNow(bodies) {
    const points = [];
    for (const body of bodies) addBodyPoints(this.poses, this.corners, body, points);
    return points;
  }

  /** All bodies where they are now. */
  system() {
    return this.withSurroundings(withSize(this.pointsNow(this.moving), this.scene.size));
  }

  /** All bodies in the whole motion. */
  path() {
    return this.withSurroundings(withSize([...this.motion], this.scene.size));
  }

  /** All bodies at the first instant, and as much of their motion as is not much larger. */
  firstPoints() {
    const system = this.system(), path = this.path(), box = boxOfPoints(system);
    this.leaves = edgeOf(boxOfPoints(path)) > (this.scene.together ? ROOM_TOGETHER : ROOM) * edgeOf(box);
    return this.leaves ? system.concat(clamped(path, grown(box, VICINITY))) : path;
  }

  /** Points of moving bodies with those of fixed ones, but no more than what is beside the moving ones of floors, walls
   * and other fixed bodies that are far larger. */
  withSurroundings(points) {
    const box = boxOfPoints(points), result = [...points];
    for (const body of this.fixed) {
      const own = this.pointsNow([body]), alone = boxOfPoints(own);
      const whole = edgeOf(box.map((x, k) => Math[k < 3 ? "min" : "max"](x, alone[k]))) <= SURROUNDINGS * edgeOf(box);
      result.push(...(whole ? own : clamped(own, grown(box, MARGIN))));
    }
    return result;
  }
}

/** The points, with more around them if they are all at one place. */
function withSize(points, size) {
  const box = boxOfPoints(points);
  if (edgeOf(box) > 1e-6 * size) return points;
  const middle = points.length ? points.slice(0, 3) : [0, 0, 0];
  return [...points, ...[-1, 1].flatMap((sign) => middle.map((x) => x + sign * size))];
}

/** The longest edge of a box; 0 for that of no points. */
function edgeOf(box) {
  return Math.max(0, box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

function grown(box, part) {
  const more = part * edgeOf(box);
  return box.map((x, k) => (k < 3 ? x - more : x + more));
}

/** The points of a box that are nearest to points. */
function clamped(points, box) {
  return points.map((x, k) => Math.min(box[3 + (k % 3)], Math.max(box[k % 3], x)));
}
