// Notes about the picture: what was made up, gravity, what colours and arrows mean.

import { el, label, setText } from "./dom.js";
import { format } from "./numbers.js";

const DOWN = 1e-6; // of gravity, that may be across z

export class Legend {
  constructor({ scene, player, stage }) {
    Object.assign(this, { scene, player, stage });
    const notes = scene.notes.map((note) => el("li", {}, label(note, 300)));
    const gravity = gravityText(scene.gravity);
    if (gravity) notes.push(el("li", {}, gravity));
    this.changing = el("ul", { class: "fb-changing" });
    this.notes = el("ul", {}, ...notes);
    this.element = el("details", { class: "fb-legend" }, el("summary", {}, "Legend"), this.changing, this.notes);
    player.on("layers options clip", () => this.update());
    this.update();
  }

  /** Lines that depend on what is shown: arrows, colours of deformation. */
  update() {
    const { scene, player } = this, lines = [];
    const shown = scene.arrows.filter((arrow) => player.layers.has(arrow.layer));
    for (const [kind, text] of [["force", "force"], ["torque", "torque"]]) {
      const largest = largestArrow(player.current, scene.arrows, (arrow) => arrow.kind === kind && player.layers.has(arrow.layer));
      if (shown.some((arrow) => arrow.kind === kind) && largest) lines.push(`largest ${text} ${format(largest.size, 3)} ${label(largest.unit, 12)}`);
    }
    if (scene.flexible.length && player.options.magnify !== 1) lines.push(`deformation ×${format(player.options.magnify, 3)}`);
    if (this.shown !== lines.join("\n")) {
      this.shown = lines.join("\n");
      this.changing.replaceChildren(...lines.map((line) => el("li", {}, line)));
    }
    this.element.hidden = !lines.length && !this.notes.children.length;
  }
}

function gravityText(gravity) {
  const size = Math.hypot(...gravity);
  if (!(size > 0)) return "";
  if (Math.hypot(gravity[0], gravity[1]) < DOWN * size) return `gravity ${format(size, 4)} m/s² ${gravity[2] < 0 ? "down" : "up"}`;
  return `gravity (${gravity.map((g) => format(g, 3, DOWN * size)).join(", ")}) m/s²`;
}

/** The largest vector of some arrows in a clip, with its unit. */
function largestArrow(clip, arrows, wanted) {
  let size = 0, unit = "";
  arrows.forEach((arrow, k) => {
    if (!clip || !wanted(arrow)) return;
    const [x, y, z] = [0, 1, 2].map((axis) => clip.vectors.column(3 * k + axis));
    for (let row = 0; row < x.length; row++) {
      const length = Math.hypot(x[row], y[row], z[row]);
      if (length > size) [size, unit] = [length, arrow.unit];
    }
  });
  return size > 0 ? { size, unit } : null;
}
