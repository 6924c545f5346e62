// Which body is under the pointer, and what clicks do.

import { Raycaster, Vector2 } from "three";

const CLICK = 5; // pixels that a pointer may move in a click
const NEAR = 7; // pixels beside a body that still pick it
const AROUND = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]];
const PICKED_LAYERS = new Set(["bodies", "joints"]);

export class Picking {
  constructor(stage) {
    this.stage = stage;
    this.raycaster = new Raycaster();
    this.pointer = new Vector2();
    this.cost = 0; // ms of the last search
    const canvas = stage.renderer.domElement;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => {
      down = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < CLICK) stage.player.select(this.at(event)?.body ?? -1);
      down = null;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0 && event.pointerType === "mouse") this.hoverSoon(event);
    });
    canvas.addEventListener("pointerleave", () => {
      this.last = null;
      stage.player.hover(-1);
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.at(event);
      if (hit) stage.lookAt(hit.point);
    });
  }

  /** Looks what is under the mouse while nothing moves: once a frame, or less often where that takes long. */
  hoverSoon(event) {
    const { player, renderer } = this.stage;
    const waiting = Boolean(this.last);
    this.last = event;
    if (waiting) return;
    setTimeout(() => {
      const start = performance.now();
      if (this.last && !player.playing) player.hover(this.at(this.last, false)?.body ?? -1);
      renderer.domElement.style.cursor = player.hovered >= 0 ? "pointer" : "";
      this.cost = performance.now() - start;
      this.last = null;
    }, Math.min(400, 16 + 4 * this.cost));
  }

  /** The body at the place of a pointer and the point that was hit, or null. */
  at({ clientX, clientY }, nearby = true) {
    this.stage.update();
    const { left, top, width, height } = this.stage.renderer.domElement.getBoundingClientRect();
    for (const [dx, dy] of nearby ? AROUND : AROUND.slice(0, 1)) {
      this.pointer.set(((clientX - left + NEAR * dx) / width) * 2 - 1, 1 - ((clientY - top + NEAR * dy) / height) * 2);
      const hit = this.hit();
      if (hit) return hit;
    }
    return null;
  }

  hit() {
    const { items, flexible, camera } = this.stage;
    this.raycaster.setFromCamera(this.pointer, camera);
    const targets = items.batches.filter(({ visible, layer }) => visible && PICKED_LAYERS.has(layer)).map(({ mesh }) => mesh);
    targets.push(...flexible.surfaces.filter(({ visible }) => visible));
    for (const { object, instanceId, point } of this.raycaster.intersectObjects(targets, false)) {
      const body = items.bodyOf(object, instanceId) ?? flexible.bodyOf(object);
      if (Number.isFinite(point.x)) return body >= 0 ? { body, point } : null;
    }
    return null;
  }
}
