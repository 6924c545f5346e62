// Many copies of one geometry, drawn at once.

import { DoubleSide, GreaterDepth, InstancedMesh } from "three";
import { shapeMaterial } from "./shape_material.js";

const SEE_THROUGH = 0.22; // opacity of symbols behind bodies

/**
 * Instances of a geometry in a layer. Their matrices and colours are set one by one.
 * @param {{layer, opacity, depthFirst, seeThrough, side}} look
 *   depthFirst: of overlapping translucent shapes only the nearest surface is seen; seeThrough: faintly seen through bodies
 */
export class Batch {
  constructor(geometry, count, { layer, opacity = 1, depthFirst = false, seeThrough = false, side = DoubleSide }) {
    this.layer = layer;
    const translucent = opacity < 1;
    this.mesh = new InstancedMesh(geometry, shapeMaterial(geometry, { opacity, depthWrite: !translucent || depthFirst, side }), count);
    this.mesh.renderOrder = translucent ? 2 : 0;
    this.meshes = [this.mesh];
    if (translucent && depthFirst) this.addTwin(shapeMaterial(geometry, { colorWrite: false }), 1);
    if (seeThrough) this.addTwin(shapeMaterial(geometry, { opacity: SEE_THROUGH, depthFunc: GreaterDepth }), 3);
    for (const mesh of this.meshes) mesh.frustumCulled = false;
    this.matrices = this.mesh.instanceMatrix.array;
  }

  /** A second mesh of the same instances. */
  addTwin(material, renderOrder) {
    const twin = new InstancedMesh(this.mesh.geometry, material, this.mesh.count);
    twin.instanceMatrix = this.mesh.instanceMatrix;
    twin.renderOrder = renderOrder;
    this.meshes.push(twin);
  }

  get visible() {
    return this.mesh.visible;
  }

  set visible(visible) {
    for (const mesh of this.meshes) mesh.visible = visible;
  }

  setColour(instance, colour) {
    this.mesh.setColorAt(instance, colour);
    for (const mesh of this.meshes) mesh.instanceColor = this.mesh.instanceColor;
    this.mesh.instanceColor.needsUpdate = true;
  }

  /** To be called after matrices have been written. */
  matricesChanged() {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null; // picking computes it again
  }
}

/** Writes pose · transform, moved by −origin, to a column-major 4×4 matrix. */
export function writeProduct(poses, p, transform, origin, target, at) {
  for (let row = 0; row < 3; row++, p += 4) {
    const a = poses[p], b = poses[p + 1], c = poses[p + 2];
    for (let column = 0; column < 3; column++) target[at + 4 * column + row] = a * transform[column] + b * transform[4 + column] + c * transform[8 + column];
    target[at + 12 + row] = a * transform[3] + b * transform[7] + c * transform[11] + poses[p + 3] - origin[row];
  }
  target[at + 3] = target[at + 7] = target[at + 11] = 0;
  target[at + 15] = 1;
}

/** Writes a matrix that hides an instance. */
export function writeHidden(target, at) {
  target.fill(0, at, at + 16);
  target[at + 15] = 1;
}
