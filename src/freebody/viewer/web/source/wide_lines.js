// Line segments of a width in pixels, with a colour each.

import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

export class WideLines {
  /** @param {Float32Array} ends six numbers for each segment
   * @param {Float32Array} [colours] six numbers for each segment; without them all have the material's colour */
  constructor(ends, colours, { layer, width = 2, opacity = 1 }) {
    this.layer = layer;
    const geometry = new LineSegmentsGeometry().setPositions(ends);
    if (colours) geometry.setColors(colours);
    this.material = new LineMaterial({ linewidth: width, vertexColors: Boolean(colours), opacity, transparent: opacity < 1, depthWrite: opacity === 1 });
    this.mesh = new LineSegments2(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = opacity < 1 ? 2 : 0;
    this.meshes = [this.mesh];
    this.ends = ends;
  }

  get visible() {
    return this.mesh.visible;
  }

  set visible(visible) {
    this.mesh.visible = visible;
  }

  /** How many segments are drawn, from the first. */
  set count(count) {
    this.mesh.geometry.instanceCount = count;
  }

  endsChanged() {
    this.mesh.geometry.getAttribute("instanceStart").data.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}
