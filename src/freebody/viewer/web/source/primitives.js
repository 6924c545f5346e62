// Geometries that the viewer itself needs, along z from 0 to 1 with radius 1, or centred at the origin.

import { BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, Vector3 } from "three";

/** A cylinder from z = 0 to z = 1 of radius 1. */
export function cylinder(sides = 12) {
  return new CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

/** A cone from its base of radius 1 at z = 0 to its tip at z = 1. */
export function cone(sides = 16) {
  return new ConeGeometry(1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

export function sphere(sides = 20) {
  return new SphereGeometry(1, sides, sides / 2).rotateX(Math.PI / 2);
}

/** The symbol of a mass centre: a ball of radius 1 whose octants are black and white. */
export function quarteredBall() {
  const ball = sphere(24).toNonIndexed();
  const { array, count } = ball.getAttribute("position");
  const colours = new Float32Array(3 * count);
  for (let k = 0; k < count; k += 3) {
    const octant = [0, 1, 2].reduce((sign, axis) => sign * Math.sign(array[3 * k + axis] + array[3 * k + 3 + axis] + array[3 * k + 6 + axis]), 1);
    colours.fill(octant > 0 ? 0.01 : 0.95, 3 * k, 3 * k + 9);
  }
  return ball.setAttribute("color", new BufferAttribute(colours, 3));
}

/** A coil from z = 0 to z = 1 whose windings have radius 1; its wire is round where the length is `slenderness` radii. */
export function coil(turns, slenderness, wire = 0.16) {
  const path = [new Vector3(0, 0, 0), new Vector3(0, 0, 0.06 * slenderness)];
  const steps = 14 * turns;
  for (let k = 0; k <= steps; k++) {
    const angle = (2 * Math.PI * turns * k) / steps;
    path.push(new Vector3(Math.cos(angle), Math.sin(angle), (0.1 + (0.8 * k) / steps) * slenderness));
  }
  path.push(new Vector3(0, 0, 0.94 * slenderness), new Vector3(0, 0, slenderness));
  return tube(path, wire, 6).scale(1, 1, 1 / slenderness);
}

/** A tube along a path. */
function tube(path, radius, sides) {
  const positions = [], normals = [], triangles = [];
  const tangent = new Vector3(), normal = new Vector3(1, 0.3, 0), binormal = new Vector3(), direction = new Vector3();
  path.forEach((point, k) => {
    tangent.subVectors(path[Math.min(k + 1, path.length - 1)], path[Math.max(k - 1, 0)]).normalize();
    normal.addScaledVector(tangent, -normal.dot(tangent)).normalize();
    binormal.crossVectors(tangent, normal);
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides;
      direction.copy(normal).multiplyScalar(Math.cos(angle)).addScaledVector(binormal, Math.sin(angle));
      normals.push(direction.x, direction.y, direction.z);
      positions.push(point.x + radius * direction.x, point.y + radius * direction.y, point.z + radius * direction.z);
      if (k === 0) continue;
      const here = k * sides + side, beside = k * sides + ((side + 1) % sides);
      triangles.push(here - sides, beside - sides, here, here, beside - sides, beside);
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  return geometry.setIndex(triangles);
}
