// Notes about the picture: what was made up, gravity, what colours and arrows mean.

import { ARROW_COLOURS, SCALES } from "./colours.js";
import { cssColour, el, label } from "./dom.js";
import { proposedFactor } from "./layers_menu.js";
import { format } from "./numbers.js";

const DOWN = 1e-6; // of gravity, that may be across z
const SHORT = 600; // letters of notes that are shown at first
const MOST_CLIPS = 8; // whose colours are listed
const ARROWS = [["loads", "force", "force"], ["loads", "torque", "torque"], ["reactions", "force", "reaction force"], ["reactions", "torque", "reaction torque"]];

export class Legend {
  constructor({ scene, player, stage }) {
    Object.assign(this, { scene, player, stage });
    this.largest = new Map();
    const notes = scene.notes.map((note) => el("li", {}, label(note, 300)));
    const gravity = gravityText(scene.gravity);
    if (gravity) notes.push(el("li", {}, gravity));
    this.changing = el("ul", {});
    this.element = el("details", { class: "fb-legend" }, el("summary", {}, "Legend"), this.changing, el("ul", {}, ...notes));
    this.hasNotes = notes.length > 0;
    this.isShort = notes.reduce((sum, { textContent }) => sum + textContent.length, 0) <= SHORT;
    player.on("layers options clip pose selection", () => this.update());
    this.update();
  }

  /** Lines that depend on what is shown: the body that is followed, arrows, deformations, runs that are shown together. */
  update() {
    const { scene, player } = this, lines = [];
    if (scene.bodies[player.follow]) lines.push([`The camera follows ${label(scene.bodies[player.follow].name, 60)} (V); W shows the whole path.`]);
    else if (this.stage.framing?.leaves) lines.push(["The motion leaves the first picture; W shows its whole path."]);
    for (const [layer, kind, text] of ARROWS) {
      const largest = player.layers.has(layer) ? this.largestArrow(layer, kind) : null;
      if (largest) lines.push([swatch(cssColour(ARROW_COLOURS[layer][kind])), `${text}, up to ${format(largest.size, 3)} ${label(largest.unit, 12)}`]);
    }
    if (scene.flexible.length) lines.push(...this.deformation());
    if (scene.together && scene.clips.length <= MOST_CLIPS)
      for (const { name, color } of scene.clips) if (color) lines.push([swatch(cssColour(color)), label(name, 60)]);
    this.changing.replaceChildren(...lines.map((line) => el("li", {}, ...line)));
    this.element.hidden = !lines.length && !this.hasNotes;
  }

  deformation() {
    const { scene, player, stage } = this, { magnify, colouring } = player.options, lines = [];
    if (magnify !== 1 && stage.poses.areMoved) lines.push(["Bodies on flexible ones move with them; closed loops may open, trails are true."]);
    if (magnify === 1 && proposedFactor(scene) > 1) lines.push([`Deformations are true, and small; the menu (K) enlarges them.`]);
    if (colouring !== "plain" && stage.flexible) {
      const range = stage.flexible.range(player.clip, colouring), strain = colouring === "strain";
      const bar = el("i", { class: "fb-scale" });
      bar.style.background = `linear-gradient(to right, ${SCALES[colouring].map(cssColour).join(", ")})`;
      lines.push([`${colouring} ${strain ? format(-range, 3) : 0} `, bar, ` ${format(range, 3)}${strain ? "" : " m"}`]);
    }
    return lines;
  }

  /** The largest vector of the arrows of a layer and kind in what is shown, with its unit; null if there is none. */
  largestArrow(layer, kind) {
    const { scene, player } = this, key = `${player.clip} ${layer} ${kind}`;
    if (!this.largest.has(key)) {
      const clips = scene.together ? scene.clips : [player.current];
      this.largest.set(key, findLargest(clips, scene.arrows, (arrow) => arrow.layer === layer && arrow.kind === kind));
    }
    return this.largest.get(key);
  }
}

function findLargest(clips, arrows, wanted) {
  let size = 0, unit = "";
  for (const clip of clips.filter(Boolean)) {
    arrows.forEach((arrow, k) => {
      if (!wanted(arrow)) return;
      const [x, y, z] = [0, 1, 2].map((axis) => clip.vectors.column(3 * k + axis));
      for (let row = 0; row < x.length; row++) {
        const length = Math.hypot(x[row], y[row], z[row]);
        if (length > size) [size, unit] = [length, arrow.unit];
      }
    });
  }
  return size > 0 ? { size, unit } : null;
}

function gravityText(gravity) {
  const size = Math.hypot(...gravity);
  if (!(size > 0)) return "";
  if (Math.hypot(gravity[0], gravity[1]) < DOWN * size) return `gravity ${format(size, 4)} m/s² along ${gravity[2] < 0 ? "−z" : "z"}`;
  return `gravity (${gravity.map((g) => format(g, 3, DOWN * size)).join(", ")}) m/s²`;
}

function swatch(color) {
  const mark = el("i", { class: "fb-dot" });
  mark.style.background = color;
  return mark;
}
