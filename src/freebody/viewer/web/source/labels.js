// Names of the bodies over the picture; of names that would overlap only the nearest is shown.

import { Vector3 } from "three";

const MOST = 120; // labels at once
const LONGEST = 40; // letters
const HEIGHT = 16;
const ABOVE = 7; // pixels between a mass centre and its body's name

export class Labels {
  constructor(holder, scene, poses) {
    Object.assign(this, { scene, poses });
    this.element = document.createElement("div");
    this.element.className = "fb-labels";
    this.element.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none;font:12px/16px system-ui,sans-serif";
    holder.append(this.element);
    this.texts = scene.bodies.map(({ name }) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
    this.pool = [];
    this.widths = null;
    this.point = new Float64Array(3);
    this.place = new Vector3();
  }

  measure() {
    const context = document.createElement("canvas").getContext("2d");
    context.font = "12px system-ui, sans-serif";
    this.widths = this.texts.map((text) => context.measureText(text).width + 8);
  }

  /** Shows names: all, or only those of the bodies that are selected and under the pointer.
   * @param project maps a point of the ground to the cube that the camera sees */
  update(project, width, height, shown, theme, selected, hovered) {
    if (shown && !this.widths) this.measure();
    const candidates = [];
    for (let body = 0; body < this.texts.length; body++) {
      if ((!shown || this.scene.bodies[body].node) && body !== selected && body !== hovered) continue;
      const candidate = this.candidate(body, project, width, height);
      if (candidate) candidates.push(candidate);
    }
    const first = ({ body }) => (body === selected ? -2 : body === hovered ? -1 : 0);
    candidates.sort((a, b) => first(a) - first(b) || a.depth - b.depth);
    this.show(withoutOverlap(candidates), theme, selected);
  }

  candidate(body, project, width, height) {
    if (!this.widths) this.measure();
    const { x, y, z } = project(this.poses.point(this.poses.index(body), this.scene.bodies[body].com, this.point), this.place);
    if (!(z > -1 && z < 1 && Math.abs(x) < 1.05 && Math.abs(y) < 1.05)) return null;
    return { body, depth: z, x: ((x + 1) / 2) * width - this.widths[body] / 2, y: ((1 - y) / 2) * height - ABOVE - HEIGHT, width: this.widths[body] };
  }

  show(labels, theme, selected) {
    while (this.pool.length < labels.length) {
      const element = document.createElement("div");
      element.style.cssText = "position:absolute;left:0;top:0;padding:0 4px;border-radius:4px;white-space:nowrap;unicode-bidi:isolate";
      this.element.append(element);
      this.pool.push(element);
    }
    this.pool.forEach((element, k) => {
      const label = labels[k];
      element.style.display = label ? "" : "none";
      if (!label) return;
      if (element.textContent !== this.texts[label.body]) element.textContent = this.texts[label.body];
      element.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px)`;
      element.style.color = theme.text;
      element.style.background = theme.halo;
      element.style.fontWeight = label.body === selected ? "600" : "400";
    });
  }
}

function withoutOverlap(candidates) {
  const kept = [];
  for (const label of candidates) {
    if (kept.length >= MOST) break;
    const free = kept.every((other) => label.x > other.x + other.width || other.x > label.x + label.width || Math.abs(label.y - other.y) > HEIGHT);
    if (free) kept.push(label);
  }
  return kept;
}
