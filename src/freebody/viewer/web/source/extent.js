// How much room the bodies need, alone and in their whole motion.

import { setRotation } from "./poses.js";
import { turnAt } from "./sample.js";

const MOST_POSES = 16000; // of bodies in all clips, for the room of the motion
const MOST_ROWS = 80;
const SOLID_LAYERS = new Set(["bodies", "joints", "constraints"]);

/** The room of each body, the ground's last: the corners of a box along its axes (24 numbers), or null if it is empty. */
export function bodyCorners(scene) {
  const boxes = Array.from({ length: scene.bodies.length + 1 }, emptyBox);
  const boxOf = (body) => boxes[body < 0 ? scene.bodies.length : body];
  const geometries = scene.geometries.map(({ vertices }) => cornersOfBox(growAll(emptyBox(), vertices)));
  scene.items.forEach(({ layer, geometry, body }, index) => {
    if (!SOLID_LAYERS.has(layer) || !geometries[geometry]) return;
    const m = scene.item_transforms.subarray(12 * index, 12 * index + 12);
    const c = geometries[geometry];
    for (let k = 0; k < 24; k += 3) grow(boxOf(body), ...[0, 4, 8].map((i) => m[i] * c[k] + m[i + 1] * c[k + 1] + m[i + 2] * c[k + 2] + m[i + 3]));
  });
  for (const { body, points } of scene.flexible) growAll(boxOf(body), points);
  for (const { body, points, layer } of scene.lines) if (SOLID_LAYERS.has(layer)) growAll(boxOf(body), points);
  for (const { bodies, points } of scene.links) bodies.forEach((body, k) => grow(boxOf(body), ...points[k]));
  scene.bodies.forEach(({ com, trail }, body) => {
    grow(boxOf(body), ...com);
    if (boxes[body][0] === boxes[body][3]) grow(boxOf(body), ...trail);
  });
  return boxes.map(cornersOfBox);
}

const emptyBox = () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];

function grow(box, x, y, z) {
  if (!Number.isFinite(x + y + z)) return;
  box[0] = Math.min(box[0], x);
  box[1] = Math.min(box[1], y);
  box[2] = Math.min(box[2], z);
  box[3] = Math.max(box[3], x);
  box[4] = Math.max(box[4], y);
  box[5] = Math.max(box[5], z);
}

function growAll(box, points) {
  for (let k = 0; k + 2 < points.length; k += 3) grow(box, points[k], points[k + 1], points[k + 2]);
  return box;
}

function cornersOfBox(box) {
  if (!(box[3] >= box[0])) return null;
  return Float64Array.from({ length: 24 }, (_, k) => box[(k % 3) + (((Math.floor(k / 3) >> k % 3) & 1) ? 3 : 0)]);
}

/** The largest distance of a body's corners from its origin; 0 for a body without shape. */
export function radiusOf(corners) {
  let radius = 0;
  for (let k = 0; corners && k < 24; k += 3) radius = Math.max(radius, Math.hypot(corners[k], corners[k + 1], corners[k + 2]));
  return radius;
}

/** Corners of some bodies at times spread over all clips, and where they are now: points, three numbers each. */
export function motionPoints(scene, poses, corners, moving) {
  const points = [];
  const bodies = scene.bodies.length;
  const turn = new Float64Array(4), m = new Float64Array(12), place = { row: 0, fraction: 0, length: 0 };
  const rows = Math.max(2, Math.min(MOST_ROWS, Math.floor(MOST_POSES / (bodies * scene.clips.length))));
  for (const { t, positions, turns } of scene.clips) {
    const count = Math.min(rows, t.length);
    for (let sample = 0; sample < count; sample++) {
      const row = count > 1 ? Math.round((sample * (t.length - 1)) / (count - 1)) : 0;
      place.row = row;
      for (const body of moving) {
        if (body < 0) continue;
        setRotation(turnAt(turns.values, 4 * bodies, 4 * body, place, turn), m, 0);
        for (let axis = 0; axis < 3; axis++) m[4 * axis + 3] = positions.values[3 * (row * bodies + body) + axis];
        addCorners(corners[body], m, 0, points);
      }
    }
  }
  for (const body of moving) addBodyPoints(poses, corners, body, points);
  return points;
}

/** Adds the corners of a body where it is now. */
export function addBodyPoints(poses, corners, body, points) {
  for (let copy = 0; copy < poses.copies; copy++) addCorners(corners[body < 0 ? corners.length - 1 : body], poses.matrices, 12 * poses.index(body, copy), points);
}

function addCorners(corners, m, at, points) {
  if (!corners || !Number.isFinite(m[at] + m[at + 3] + m[at + 7] + m[at + 11])) return;
  for (let k = 0; k < 24; k += 3)
    for (let row = 0, p = at; row < 3; row++, p += 4) points.push(m[p] * corners[k] + m[p + 1] * corners[k + 1] + m[p + 2] * corners[k + 2] + m[p + 3]);
}

/** The lowest and highest coordinates of points: six numbers. */
export function boxOfPoints(points) {
  return growAll(emptyBox(), points);
}
