// Shapes that are fixed on bodies: those of the scene, and the viewer's own frames, mass centres and inertia ellipsoids.

import { BufferAttribute, BufferGeometry, Color, FrontSide } from "three";
import { Batch, writeHidden, writeProduct } from "./batch.js";
import { colourOf, GROUND_COLOUR, HIGHLIGHT, LAYER_COLOURS } from "./colours.js";
import { fixedBodies } from "./fixed_bodies.js";

const MADE_OPACITY = 0.55;
const GHOST_OPACITY = 0.55;

/**
 * @typedef {{item: {body, color, layer, made, engaged}, transform: ArrayLike<number>}} Entry
 */
export class Items {
  /** @param seriesIndex a map from keys of series to their indices */
  constructor(scene, poses, seriesIndex, marks) {
    Object.assign(this, { scene, poses, seriesIndex });
    this.geometries = new Map();
    this.fixed = fixedBodies(scene);
    this.groups = [...this.groupItems(), ...marks].map((group) => this.makeGroup(group));
  }

  /** Items that share geometry, layer and opacity. */
  groupItems() {
    const groups = new Map();
    this.scene.items.forEach((item, index) => {
      const transform = this.scene.item_transforms.subarray(12 * index, 12 * index + 12);
      const mirrored = determinant(transform) < 0;
      const opacity = item.made && item.opacity === 1 ? MADE_OPACITY : Math.round(item.opacity * 50) / 50;
      const alone = this.isAlone(item);
      const key = [item.geometry, mirrored, item.layer, opacity, item.made, alone].join();
      if (!groups.has(key)) groups.set(key, { geometry: this.geometry(item.geometry, mirrored), look: { layer: item.layer, opacity, depthFirst: item.made }, alone, entries: [] });
      groups.get(key).entries.push({ item, transform: mirrored ? mirror(transform) : transform });
    });
    return [...groups.values()];
  }

  geometry(index, mirrored) {
    const key = `${index} ${mirrored}`;
    if (!this.geometries.has(key)) this.geometries.set(key, bufferGeometry(this.scene.geometries[index], mirrored));
    return this.geometries.get(key);
  }

  /** Whether a shape of motions that are shown together is on a body that does not move and is at one place in all of them. */
  isAlone({ body, engaged }) {
    const { poses, scene } = this;
    if (poses.copies < 2 || engaged || (body >= 0 && !this.fixed[body])) return false;
    const place = (copy) => poses.matrices.subarray(12 * poses.index(body, copy), 12 * poses.index(body, copy) + 12);
    const first = place(0);
    for (let copy = 1; copy < poses.copies; copy++) if (place(copy).some((value, k) => Math.abs(value - first[k]) > 1e-6 * scene.size)) return false;
    return true;
  }

  makeGroup({ geometry, look, entries, alone = false }) {
    const copies = alone ? 1 : this.poses.copies;
    // Of ghosts only the sides that face the camera are drawn, since far ones would be mixed in at random.
    if (copies > 1) look = { ...look, opacity: Math.min(look.opacity ?? 1, GHOST_OPACITY), depthFirst: false, side: FrontSide };
    const batch = new Batch(geometry, entries.length * copies, look);
    const bodies = Int32Array.from({ length: batch.mesh.count }, (_, k) => entries[k % entries.length].item.body);
    const series = Int32Array.from(entries, ({ item }) => (item.engaged ? this.seriesIndex.get(item.engaged) ?? -1 : -1));
    return { batch, entries, bodies, series, copies };
  }

  get batches() {
    return this.groups.map(({ batch }) => batch);
  }

  /** The body of an instance of one of the meshes, or undefined for another mesh. */
  bodyOf(mesh, instance) {
    return this.groups.find(({ batch }) => batch.mesh === mesh)?.bodies[instance];
  }

  update(origin) {
    for (const group of this.groups) if (group.batch.visible) this.place(group, origin);
  }

  place({ batch, entries, series, copies }, origin) {
    const { poses } = this;
    for (let copy = 0, at = 0; copy < copies; copy++) {
      for (let k = 0; k < entries.length; k++, at += 16) {
        const pose = poses.index(entries[k].item.body, copy);
        const away = series[k] >= 0 && poses.value(series[k], copy) === 0;
        if (away || !poses.isFinite(pose)) writeHidden(batch.matrices, at);
        else writeProduct(poses.matrices, 12 * pose, entries[k].transform, origin, batch.matrices, at);
      }
    }
    batch.matricesChanged();
  }

  /** Sets all colours, with those of the body that is selected and of the one under the pointer. */
  colour(selected, hovered) {
    const colour = new Color();
    for (const { batch, entries, bodies, copies } of this.groups) {
      for (let instance = 0; instance < bodies.length; instance++) {
        const { item } = entries[instance % entries.length];
        const clip = copies > 1 ? this.scene.clips[Math.floor(instance / entries.length)].color : null;
        colourOf((item.layer === "bodies" ? clip : null) ?? item.color ?? this.usualColour(item), colour);
        if (item.layer === "bodies" && item.body >= 0) {
          if (item.body === selected) colour.lerp(HIGHLIGHT.selected, 0.7);
          else if (item.body === hovered) colour.lerp(HIGHLIGHT.hovered, 0.45);
        }
        batch.setColour(instance, colour);
      }
    }
  }

  usualColour({ layer, body }) {
    return LAYER_COLOURS[layer] ?? (body < 0 ? GROUND_COLOUR : this.scene.bodies[body].color);
  }
}

function bufferGeometry({ vertices, triangles, normals }, mirrored) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mirrored ? mirrorPoints(vertices) : vertices, 3));
  geometry.setIndex(new BufferAttribute(mirrored ? turnTriangles(triangles) : triangles, 1));
  if (normals) geometry.setAttribute("normal", new BufferAttribute(mirrored ? mirrorPoints(normals) : normals, 3));
  return geometry;
}

// A transform that mirrors would turn the triangles inside out. Its geometry is mirrored instead, along x.
const mirrorPoints = (points) => points.map((value, k) => (k % 3 === 0 ? -value : value));
const turnTriangles = (triangles) => triangles.map((value, k) => (k % 3 === 0 ? value : triangles[k % 3 === 1 ? k + 1 : k - 1]));
const mirror = (transform) => transform.map((value, k) => (k % 4 === 0 ? -value : value));

function determinant(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}
