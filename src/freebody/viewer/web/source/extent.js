// The box that the whole motion needs, with the sizes of the bodies.

import { Box3, Vector3 } from "three";

const ROWS = 60; // of each clip that are looked at

/** The box around all items at up to 60 times of each clip and at the pose shown now. */
export function motionBox(scene, poses) {
  const box = new Box3();
  const radii = bodyRadii(scene);
  const addBall = (x, y, z, radius) => {
    if (!Number.isFinite(x + y + z)) return;
    box.expandByPoint(point.set(x - radius, y - radius, z - radius));
    box.expandByPoint(point.set(x + radius, y + radius, z + radius));
  };
  const point = new Vector3();
  const bodies = scene.bodies.length;
  for (const clip of scene.clips) {
    const rows = clip.t.length;
    const values = clip.positions.values;
    const step = Math.max(1, Math.floor(rows / ROWS));
    for (let row = 0; row < rows; row += row + step >= rows && row < rows - 1 ? rows - 1 - row : step) {
      for (let body = 0, k = 3 * bodies * row; body < bodies; body++, k += 3) addBall(values[k], values[k + 1], values[k + 2], radii[body]);
    }
  }
  const m = poses.matrices;
  for (let body = 0, k = 0; body < bodies; body++, k += 12) addBall(m[k + 3], m[k + 7], m[k + 11], radii[body]);
  if (radii[bodies] > 0) addBall(0, 0, 0, Math.min(radii[bodies], 5 * scene.size));
  if (box.isEmpty()) addBall(0, 0, 0, scene.size || 1);
  return box;
}

/** The distance from each body's origin to the farthest point of its shapes; the ground's is the last. */
function bodyRadii(scene) {
  const radii = new Float64Array(scene.bodies.length + 1);
  const spheres = scene.geometries.map(({ vertices }) => cornersOf(vertices));
  scene.items.forEach((item, index) => {
    if (item.layer !== "bodies") return;
    const at = item.body < 0 ? scene.bodies.length : item.body;
    const m = scene.item_transforms.subarray(12 * index, 12 * index + 12);
    for (const [x, y, z] of spheres[item.geometry]) {
      const distance = Math.hypot(...[0, 4, 8].map((k) => m[k] * x + m[k + 1] * y + m[k + 2] * z + m[k + 3]));
      radii[at] = Math.max(radii[at], distance);
    }
  });
  for (const item of scene.flexible) {
    const at = item.body < 0 ? scene.bodies.length : item.body;
    for (let k = 0; k < item.points.length; k += 3) radii[at] = Math.max(radii[at], Math.hypot(item.points[k], item.points[k + 1], item.points[k + 2]));
  }
  return radii;
}

function cornersOf(vertices) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < vertices.length; k++) {
    low[k % 3] = Math.min(low[k % 3], vertices[k]);
    high[k % 3] = Math.max(high[k % 3], vertices[k]);
  }
  if (!vertices.length) return [];
  return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? high : low)[axis]));
}
