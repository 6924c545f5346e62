// Shapes on bodies, as one instanced mesh for each geometry, layer and opacity.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, InstancedMesh, MeshLambertMaterial } from "three";

const LAYER_COLOURS = { joints: [0.42, 0.45, 0.5], axes: [0.9, 0.55, 0.1], constraints: [0.75, 0.3, 0.65], links: [0.45, 0.48, 0.52] };
const MADE_OPACITY = 0.55;
const HIGHLIGHT = { selected: new Color(1, 0.62, 0.1), hovered: new Color(1, 0.85, 0.45) };

export class Items {
  /** @param group the three.js group in which all is placed, relative to the stage's origin */
  constructor(scene, poses, group) {
    this.scene = scene;
    this.poses = poses;
    this.geometries = new Map();
    this.batches = this.makeBatches();
    for (const batch of this.batches) group.add(...batch.meshes);
  }

  makeBatches() {
    const members = new Map();
    this.scene.items.forEach((item, index) => {
      const transform = this.scene.item_transforms.subarray(12 * index, 12 * index + 12);
      const mirrored = determinant(transform) < 0;
      const opacity = this.opacity(item);
      const key = [item.geometry, mirrored, item.layer, opacity, item.made].join();
      if (!members.has(key)) members.set(key, { geometry: this.geometry(item.geometry, mirrored), layer: item.layer, opacity, made: item.made, items: [] });
      members.get(key).items.push({ index, item, transform: mirrored ? mirror(transform) : transform });
    });
    return [...members.values()].map((member) => new Batch(member, this.scene, this.poses));
  }

  opacity(item) {
    if (this.poses.copies > 1) return Math.min(item.opacity, 0.35);
    return item.made && item.opacity === 1 ? MADE_OPACITY : Math.round(item.opacity * 50) / 50;
  }

  geometry(index, mirrored) {
    const key = `${index} ${mirrored}`;
    if (!this.geometries.has(key)) this.geometries.set(key, bufferGeometry(this.scene.geometries[index], mirrored));
    return this.geometries.get(key);
  }

  setLayers(layers) {
    for (const batch of this.batches) for (const mesh of batch.meshes) mesh.visible = layers.has(batch.layer);
  }

  update(origin) {
    for (const batch of this.batches) if (batch.meshes[0].visible) batch.place(origin);
  }

  highlight(selected, hovered) {
    for (const batch of this.batches) batch.colour(selected, hovered);
  }
}

/** The instances of one geometry with one material. */
class Batch {
  constructor({ geometry, layer, opacity, made, items }, scene, poses) {
    Object.assign(this, { layer, items, scene, poses });
    this.series = items.map(({ item }) => scene.series.findIndex((series) => item.engaged && series.key === item.engaged));
    const translucent = opacity < 1;
    const material = new MeshLambertMaterial({ side: DoubleSide, opacity, transparent: translucent, depthWrite: !translucent, flatShading: !geometry.hasAttribute("normal") });
    const mesh = new InstancedMesh(geometry, material, items.length * poses.copies);
    mesh.frustumCulled = false;
    mesh.renderOrder = translucent ? 2 : 0;
    this.meshes = [mesh];
    if (translucent && made) this.meshes.unshift(depthMesh(mesh));
    this.bodies = new Int32Array(mesh.count);
    this.bases = [];
    this.place([0, 0, 0]);
    this.colour(-1, -1);
  }

  /** Calls f(instance, item entry, index of its pose) for all instances. */
  each(f) {
    for (let copy = 0, instance = 0; copy < this.poses.copies; copy++)
      for (let k = 0; k < this.items.length; k++, instance++) f(instance, k, this.poses.index(this.items[k].item.body, copy), copy);
  }

  place(origin) {
    const { instanceMatrix } = this.meshes[0];
    this.each((instance, k, pose, copy) => {
      const shown = this.series[k] < 0 || this.poses.value(this.series[k], copy) !== 0;
      writeProduct(this.poses.matrices, 12 * pose, this.items[k].transform, origin, shown, instanceMatrix.array, 16 * instance);
    });
    instanceMatrix.needsUpdate = true;
  }

  colour(selected, hovered) {
    const mesh = this.meshes[this.meshes.length - 1];
    const color = new Color();
    this.each((instance, k, pose, copy) => {
      const { item } = this.items[k];
      const clip = this.poses.copies > 1 ? this.scene.clips[copy].color : null;
      color.setRGB(...(clip ?? item.color ?? this.usualColour(item)), "srgb");
      if (item.body >= 0 && item.body === selected) color.lerp(HIGHLIGHT.selected, 0.65);
      else if (item.body >= 0 && item.body === hovered) color.lerp(HIGHLIGHT.hovered, 0.4);
      mesh.setColorAt(instance, color);
    });
    mesh.instanceColor.needsUpdate = true;
  }

  usualColour(item) {
    if (item.layer in LAYER_COLOURS) return LAYER_COLOURS[item.layer];
    return item.body < 0 ? [0.6, 0.62, 0.65] : this.scene.bodies[item.body].color;
  }
}

/** Writes only depth, so that of overlapping translucent shapes the nearest surface alone is seen. */
function depthMesh(mesh) {
  const material = new MeshLambertMaterial({ side: DoubleSide, colorWrite: false });
  const depth = new InstancedMesh(mesh.geometry, material, mesh.count);
  depth.instanceMatrix = mesh.instanceMatrix;
  depth.frustumCulled = false;
  depth.renderOrder = 1;
  mesh.material.depthWrite = true;
  return depth;
}

function bufferGeometry({ vertices, triangles, normals }, mirrored) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mirrored ? mirrorPoints(vertices) : vertices, 3));
  geometry.setIndex(new BufferAttribute(mirrored ? turnTriangles(triangles) : triangles, 1));
  if (normals) geometry.setAttribute("normal", new BufferAttribute(mirrored ? mirrorPoints(normals) : normals, 3));
  return geometry;
}

const mirrorPoints = (points) => points.map((value, k) => (k % 3 === 0 ? -value : value));
const turnTriangles = (triangles) => triangles.map((value, k) => (k % 3 === 0 ? value : triangles[k % 3 === 1 ? k + 1 : k - 1]));
const mirror = (transform) => transform.map((value, k) => (k % 4 === 0 ? -value : value));

function determinant(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/** Writes pose · transform, moved by −origin, to a column-major 4×4 matrix; a matrix of zeros if it is not shown. */
export function writeProduct(poses, p, transform, origin, shown, target, at) {
  for (let row = 0; row < 3; row++, p += 4) {
    const [a, b, c] = [poses[p], poses[p + 1], poses[p + 2]];
    for (let column = 0; column < 4; column++) {
      const value = a * transform[column] + b * transform[4 + column] + c * transform[8 + column];
      target[at + 4 * column + row] = shown ? (column === 3 ? value + poses[p + 3] - origin[row] : value) : 0;
    }
  }
  target[at + 3] = target[at + 7] = target[at + 11] = 0;
  target[at + 15] = 1;
}
