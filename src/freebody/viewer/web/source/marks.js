// Frames, mass centres and inertia ellipsoids of the bodies, as groups of items (see items.js).

import { AXIS_COLOURS } from "./colours.js";
import { cone, cylinder, quarteredBall, sphere } from "./primitives.js";

/** @param {Float64Array} radii the sizes of the bodies' shapes, the ground's last */
export function bodyMarks(scene, radii) {
  const { size, bodies } = scene;
  const markSize = (body) => Math.min(0.25 * size, Math.max(0.02 * size, radii[body] || 0.5 * size));
  const all = bodies.map((_, body) => body);
  return [
    ...frames([...all.map((body) => [body, 0.6 * markSize(body)]), [-1, 0.2 * size]]),
    centres(bodies, (body) => 0.14 * markSize(body)),
    ellipsoids(bodies),
  ].filter(({ entries }) => entries.length);
}

/** Arrows along the three axes: an axis k has the matrix that maps z to it. */
function frames(lengths) {
  const look = { layer: "frames", seeThrough: true };
  const entries = (part) => lengths.flatMap(([body, length]) => AXIS_COLOURS.map((color, axis) => ({ item: { body, color, layer: "frames" }, transform: axisTransform(axis, length, part) })));
  return [
    { geometry: cylinder(8), look, entries: entries({ radius: 0.03, from: 0, length: 0.8 }) },
    { geometry: cone(10), look, entries: entries({ radius: 0.08, from: 0.78, length: 0.22 }) },
  ];
}

function axisTransform(axis, size, { radius, from, length }) {
  const transform = new Float64Array(12);
  transform[4 * ((axis + 1) % 3)] = radius * size;
  transform[4 * ((axis + 2) % 3) + 1] = radius * size;
  transform[4 * axis + 2] = length * size;
  transform[4 * axis + 3] = from * size;
  return transform;
}

function centres(bodies, radius) {
  const entries = bodies.flatMap(({ mass, com }, body) => {
    const r = radius(body);
    return mass > 0 ? [{ item: { body, color: [1, 1, 1], layer: "centres" }, transform: [r, 0, 0, com[0], 0, r, 0, com[1], 0, 0, r, com[2]] }] : [];
  });
  return { geometry: quarteredBall(), look: { layer: "centres", seeThrough: true }, entries };
}

function ellipsoids(bodies) {
  const entries = bodies.flatMap(({ ellipsoid, com, color }, body) => (ellipsoid.length ? [{ item: { body, color, layer: "inertia" }, transform: ellipsoidTransform(ellipsoid, com) }] : []));
  return { geometry: sphere(28), look: { layer: "inertia", opacity: 0.35 }, entries };
}

function ellipsoidTransform([a, b, c, w, x, y, z], com) {
  return [
    a * (1 - 2 * (y * y + z * z)), b * 2 * (x * y - w * z), c * 2 * (x * z + w * y), com[0],
    a * 2 * (x * y + w * z), b * (1 - 2 * (x * x + z * z)), c * 2 * (y * z - w * x), com[1],
    a * 2 * (x * z - w * y), b * 2 * (y * z + w * x), c * (1 - 2 * (x * x + y * y)), com[2],
  ];
}
