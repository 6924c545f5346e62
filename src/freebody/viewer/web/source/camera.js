// The camera: orbit, pan, zoom; views from directions that show all of some points.

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** Directions from the target to the camera. */
const VIEWS = {
  usual: [-0.5, -1, 0.42],
  front: [0, -1, 0],
  right: [1, 0, 0],
  top: [0, -1e-4, 1],
};
const MARGIN = 0.84; // of the picture that is filled
const UP = new Vector3(0, 0, 1);

export class CameraRig {
  /** @param {HTMLElement} canvas */
  constructor(canvas, onChange) {
    this.camera = new PerspectiveCamera(32, 1, 0.01, 1000);
    this.camera.up.copy(UP);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", onChange);
    this.touched = false; // the reader has moved the camera
    this.controls.addEventListener("start", () => (this.touched = true));
    zoomWhenUsed(this.controls, canvas);
  }

  setSize(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Shows all points (relative to the origin) from the direction of a view, or from where the camera is. */
  fit(points, view) {
    if (!points.length) return;
    const { camera, controls } = this;
    const back = view ? new Vector3(...VIEWS[view]) : camera.position.clone().sub(controls.target);
    back.normalize();
    const right = new Vector3().crossVectors(UP, back).normalize();
    const up = new Vector3().crossVectors(back, right);
    const axes = [right, up, back];
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const place = new Vector3();
    for (let k = 0; k < points.length; k += 3) {
      place.fromArray(points, k);
      axes.forEach((axis, i) => {
        const s = place.dot(axis);
        low[i] = Math.min(low[i], s);
        high[i] = Math.max(high[i], s);
      });
    }
    const centre = axes.reduce((sum, axis, i) => sum.addScaledVector(axis, (low[i] + high[i]) / 2), new Vector3());
    const tangent = MARGIN * Math.tan((camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let k = 0; k < points.length; k += 3) {
      place.fromArray(points, k).sub(centre);
      const needed = Math.max(Math.abs(place.dot(right)) / (tangent * camera.aspect), Math.abs(place.dot(up)) / tangent);
      distance = Math.max(distance, needed + place.dot(back));
    }
    distance = Math.max(distance, 1e-9);
    camera.position.copy(centre).addScaledVector(back, distance);
    controls.target.copy(centre);
    controls.update();
  }

  /** From the camera to the point that it looks at. */
  get distance() {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Looks at another point from the same direction and distance. */
  centre(point) {
    this.camera.position.add(point).sub(this.controls.target);
    this.controls.target.copy(point);
    this.controls.update();
  }

  /** Sets the range of depth for a scene within a radius around a point. */
  setDepth(centre, radius) {
    const distance = this.camera.position.distanceTo(centre);
    const nearest = Math.min(0.002 * (distance + radius), 0.02 * this.distance); // what is looked at may be small
    this.camera.near = Math.max(distance - 1.2 * radius, nearest);
    this.camera.far = distance + 2 * radius;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}

/** In a page with other contents the wheel scrolls the page, until the picture has been pressed. */
function zoomWhenUsed(controls, canvas) {
  const fills = () => canvas.clientHeight > 0.6 * window.innerHeight;
  let used = false;
  canvas.addEventListener("pointerdown", () => (used = true));
  canvas.addEventListener("pointerleave", (event) => event.buttons || (used = false));
  canvas.addEventListener("wheel", () => (controls.enableZoom = used || fills()), { capture: true, passive: true });
}
