// The list of keys and of what the pointer does, over the picture.

import { iconButton } from "./bar.js";
import { el } from "./dom.js";

const POINTER = [
  ["drag", "turn"],
  ["right drag, two fingers", "move"],
  ["wheel, pinch", "closer, farther"],
  ["click a body", "what is known of it"],
];

export class Help {
  constructor(list, close) {
    const groups = new Map([["Pointer", POINTER.map(([what, text]) => entry([what], text, "em"))]]);
    for (const { group, keys, text } of list) groups.set(group, [...(groups.get(group) ?? []), entry(keys, text, "kbd")]);
    const sections = [...groups].map(([group, entries]) => el("section", {}, el("h3", {}, group), el("dl", {}, ...entries.flat())));
    this.card = el("div", { class: "fb-card fb-help-card", role: "dialog", "aria-modal": "true", "aria-label": "Help", tabindex: "-1" }, el("header", {}, el("h2", {}, "Keys"), iconButton("close", "Close (Esc)", close)), el("div", { class: "fb-columns" }, ...sections));
    this.element = el("div", { class: "fb-help", hidden: true, onclick: (event) => event.target === this.element && close() }, this.card);
  }

  toggle(open = this.element.hidden) {
    this.element.hidden = !open;
    if (open) this.card.focus();
  }
}

function entry(keys, text, tag) {
  return [el("dt", {}, ...keys.map((key) => el(tag, {}, key))), el("dd", {}, text)];
}
