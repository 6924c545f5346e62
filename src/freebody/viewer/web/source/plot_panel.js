// The panel of plots: which series are shown, chosen from a list that can be searched.

import { el, label } from "./dom.js";
import { Plots } from "./plots.js";

/** Names of groups of variables, as in freebody.results.about. */
const GROUPS = {
  q: "coordinates", u: "speeds", u_dot: "accelerations", z: "states", input: "inputs", output: "outputs", energy: "energies", momentum: "momenta",
  load: "loads", pose: "poses", power: "powers", work: "works", multiplier: "multipliers", residual: "residuals", residual_rate: "residual rates",
  engaged: "switched constraints", captured: "captured poses",
};
const MOST_LISTED = 250;
const FIRST_GROUPS = ["q", "u", "energy"]; // that are shown at first, by the beginnings of their keys
const FIRST_SHOWN = 6; // of each of them
const FIRST_OF_MANY = 2; // where each has a panel, for many clips
const MOST_OF_GROUP = 28; // that one click shows

export class PlotPanel {
  constructor(view) {
    const { scene } = view;
    this.scene = scene;
    this.chosen = new Set(usualSeries(scene));
    this.holder = el("div", { class: "fb-plots" });
    this.list = el("div", { class: "fb-choices" });
    this.search = el("input", { type: "search", class: "fb-search", placeholder: `Find among ${scene.series.length} variables`, "aria-label": "Find a variable", oninput: () => this.showList() });
    this.chooser = el("div", { class: "fb-chooser", hidden: true }, this.search, this.list);
    this.choose = el("button", { class: "fb-button", type: "button", "aria-expanded": "false", onclick: () => this.toggleChooser() }, "Choose");
    this.whole = el("button", { class: "fb-button", type: "button", hidden: true, onclick: () => this.plots.zoom(-Infinity, Infinity) }, "Whole time");
    this.tools = [this.whole, this.choose];
    this.hint = el("p", { class: "fb-faint fb-hint" }, "Click: go to a time. Drag: zoom. Double-click: whole time.");
    this.element = el("div", { class: "fb-panel" }, this.chooser, this.holder, this.hint);
    this.plots = new Plots(this.holder, view);
    this.holder.addEventListener("fb-zoom", () => (this.whole.hidden = !this.plots.span));
    this.showPlots();
  }

  showPlots() {
    this.plots.show(this.scene.series.map(({ key }) => key).filter((key) => this.chosen.has(key)));
    if (!this.chosen.size) this.holder.replaceChildren(el("p", { class: "fb-faint" }, "No variable is chosen."));
  }

  toggleChooser(open = this.chooser.hidden) {
    this.chooser.hidden = !open;
    this.choose.setAttribute("aria-expanded", String(open));
    this.choose.textContent = open ? "Done" : "Choose";
    if (open) {
      this.showList();
      this.search.focus();
    }
  }

  /** The series that match the search, by group. Long lists end with their number. */
  showList() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = this.scene.series.filter(({ key, label: text, group, unit }) => {
      const whole = `${key} ${text} ${GROUPS[group] ?? group} ${unit}`.toLowerCase();
      return words.every((word) => whole.includes(word));
    });
    const groups = new Map();
    for (const series of matches.slice(0, MOST_LISTED)) groups.set(series.group, [...(groups.get(series.group) ?? []), series]);
    const sections = [...groups].map(([group, members]) => this.section(group, members));
    if (matches.length > MOST_LISTED) sections.push(el("p", { class: "fb-faint" }, `and ${matches.length - MOST_LISTED} more; type to find them`));
    if (!matches.length) sections.push(el("p", { class: "fb-faint" }, "No variable matches."));
    this.list.replaceChildren(...sections);
  }

  section(group, members) {
    const boxes = members.map((series) => {
      const box = el("input", { type: "checkbox", onchange: () => this.set([series.key], box.checked) });
      box.checked = this.chosen.has(series.key);
      const unit = series.unit ? el("span", { class: "fb-faint" }, label(series.unit, 16)) : null;
      return el("label", { class: "fb-check", title: label(series.key, 400) }, box, el("bdi", { class: "fb-ellipsis fb-grow" }, label(series.label || series.key)), unit);
    });
    const all = members.every((series) => this.chosen.has(series.key));
    const some = members.slice(0, MOST_OF_GROUP);
    const toggle = el("button", { class: "fb-link", type: "button", onclick: () => this.set((all ? members : some).map(({ key }) => key), !all, true) }, all ? "none" : members.length > some.length ? `first ${some.length}` : "all");
    return el("section", { class: "fb-group" }, el("h3", {}, el("bdi", { class: "fb-ellipsis" }, label(GROUPS[group] ?? (group || "variables"))), toggle), ...boxes);
  }

  set(keys, on, listToo = false) {
    for (const key of keys) {
      if (on) this.chosen.add(key);
      else this.chosen.delete(key);
    }
    this.showPlots();
    if (listToo) this.showList();
  }
}

/** The first coordinates, speeds and energies; of other series those of the first group. */
function usualSeries(scene) {
  const most = scene.together ? FIRST_OF_MANY : FIRST_SHOWN;
  const groups = FIRST_GROUPS.map((group) => scene.series.filter(({ key }) => key.startsWith(`${group}.`)).slice(0, most)).flat();
  const first = scene.series.filter((series) => series.group === scene.series[0].group).slice(0, most);
  return (groups.length ? groups : first).map(({ key }) => key);
}
