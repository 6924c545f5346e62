// What is shown and hidden, and the scales of arrows and deformations.

import { el } from "./dom.js";
import { format } from "./numbers.js";

/** Layers with their names and keys, in the order of the menu. */
const LAYERS = [
  ["bodies", "Bodies", "B"],
  ["joints", "Joints", "J"],
  ["axes", "Joint axes", "A"],
  ["links", "Springs, rods, ropes", "S"],
  ["constraints", "Constraints", "C"],
  ["loads", "Forces and torques", "O"],
  ["reactions", "Reactions", "R"],
  ["frames", "Body frames", "X"],
  ["centres", "Mass centres", "M"],
  ["inertia", "Inertia ellipsoids", "I"],
  ["trails", "Trails", "T"],
  ["labels", "Names", "N"],
  ["grid", "Grid", "G"],
];
const TRAILS = [["tips", "of last bodies"], ["selected", "of the selected body"], ["all", "of all bodies"]];
const COLOURINGS = [["plain", "plain"], ["displacement", "displacement"], ["strain", "strain"]];

/** The layers that have something to show in a scene. */
export function layersWithContent(scene) {
  const used = new Set([...scene.items, ...scene.lines, ...scene.links, ...scene.arrows].map((thing) => thing.layer));
  used.add("grid");
  if (scene.flexible.length) used.add("bodies");
  if (scene.bodies.length) used.add("frames").add("labels");
  if (scene.bodies.some((body) => body.mass > 0)) used.add("centres");
  if (scene.bodies.some((body) => body.ellipsoid.length)) used.add("inertia");
  if (scene.clips.some((clip) => clip.t.length > 1)) used.add("trails");
  return LAYERS.filter(([layer]) => used.has(layer));
}

export class LayersMenu {
  constructor({ scene, player }) {
    this.boxes = layersWithContent(scene).map(([layer, text, key]) => {
      const box = el("input", { type: "checkbox", onchange: () => player.setLayer(layer, box.checked) });
      return { layer, box, row: el("label", { class: "fb-check" }, box, el("span", {}, text), el("kbd", {}, key)) };
    });
    const rows = [el("div", { class: "fb-checks" }, ...this.boxes.map(({ row }) => row))];
    const options = [];
    if (this.boxes.some(({ layer }) => layer === "trails")) options.push(choice(player, "trails", "Trails", TRAILS));
    if (scene.arrows.length) options.push(scaleSlider(player, "arrowScale", "Arrows", -1, 1));
    if (scene.flexible.length) {
      const proposed = proposedFactor(scene), exponents = [proposed, scene.deformation].map(Math.log10);
      options.push(scaleSlider(player, "magnify", "Deformation", Math.floor(Math.min(0, ...exponents)), Math.max(2, ...exponents.map((x) => Math.ceil(x) + 1))));
      if (proposed > 1) options.push(enlargeButton(player, proposed));
      options.push(choice(player, "colouring", "Colour by", COLOURINGS));
    }
    if (options.length) rows.push(el("div", { class: "fb-options" }, ...options));
    this.element = el("div", { class: "fb-card fb-menu", role: "group", "aria-label": "Layers", hidden: true }, ...rows);
    const show = () => this.boxes.forEach(({ layer, box }) => (box.checked = player.layers.has(layer)));
    player.on("layers", show);
    show();
  }
}

function choice(player, option, text, values) {
  const select = el("select", { class: "fb-select", onchange: () => player.setOption(option, select.value) }, ...values.map(([value, name]) => el("option", { value }, name)));
  const show = () => (select.value = player.options[option]);
  player.on("options", show);
  show();
  return el("label", { class: "fb-option" }, el("span", {}, text), select);
}

/** The factor with which deformations can be seen; 1 where they are large enough. */
export function proposedFactor(scene) {
  return Math.max(1, ...scene.flexible.map((item) => item.magnify || 1));
}

/** Shows deformations with a factor, or as they are. */
function enlargeButton(player, factor) {
  const button = el("button", { class: "fb-button", type: "button", onclick: () => player.setOption("magnify", player.options.magnify === factor ? 1 : factor) });
  const show = () => (button.textContent = player.options.magnify === factor ? "Show true deformations" : `Enlarge small deformations ×${format(factor, 3)}`);
  player.on("options", show);
  show();
  return button;
}

/** A slider of a factor on a logarithmic scale between two powers of ten; a double click sets it to 1. */
function scaleSlider(player, option, text, low, high) {
  const value = el("span", { class: "fb-plot-value" });
  const slider = el("input", {
    type: "range", class: "fb-range", min: low, max: high, step: 0.01, title: "Double-click for ×1",
    oninput: () => player.setOption(option, round(10 ** slider.valueAsNumber)), ondblclick: () => player.setOption(option, 1),
  });
  const show = () => {
    slider.value = String(Math.log10(player.options[option]));
    value.textContent = `×${format(player.options[option], 3)}`;
  };
  player.on("options", show);
  show();
  return el("label", { class: "fb-option" }, el("span", {}, text), slider, value);
}

function round(value) {
  return +value.toPrecision(3);
}
