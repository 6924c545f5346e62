// Sliders of the coordinates of a model; the poses follow, and closed loops stay closed.

import { el, label, setText } from "./dom.js";
import { format } from "./numbers.js";

const AXES = ["x", "y", "z"];
const LONG_NAME = 10;

/** Whether a coordinate has a slider: not one that follows others by a law. */
export function hasSlider({ quaternion, follows }) {
  return quaternion || !follows;
}

export class SliderPanel {
  /** @param motion a Motion; onPose(), which is called after a change, shows it and emits "pose" */
  constructor(motion, { player }, onPose) {
    Object.assign(this, { motion, player, onPose });
    this.rows = [];
    this.list = el("div", { class: "fb-sliders" });
    const search = el("input", { type: "search", class: "fb-search", placeholder: "Find a coordinate", "aria-label": "Find a coordinate", oninput: () => this.filter(search.value) });
    const reset = el("button", { class: "fb-button", type: "button", onclick: () => this.reset() }, "Reset");
    this.build();
    const summary = el("p", { class: "fb-faint fb-hint" }, this.summary());
    this.tools = [reset];
    this.element = el("div", { class: "fb-panel" }, ...(this.rows.length > 12 ? [search] : []), this.list, summary);
    player.on("selection", () => this.markSelected());
    player.on("pose", () => this.rows.forEach((row) => this.show(row)));
  }

  summary() {
    const loops = this.motion.loops.length ? " Closed loops stay closed: other coordinates follow." : "";
    return `Double-click a slider for its initial value.${loops}`;
  }

  build() {
    const { motion } = this, groups = new Map();
    if (motion.coordinates.some(({ unit }) => unit.length > 3)) this.list.classList.add("fb-wide-units"); // m·√kg
    for (let k = 0; k < motion.coordinates.length; k++) {
      const coordinate = motion.coordinates[k];
      if (!groups.has(coordinate.body)) groups.set(coordinate.body, []);
      const rows = groups.get(coordinate.body);
      if (coordinate.quaternion) {
        AXES.forEach((axis, i) => rows.push(this.rotationRow(k, i, axis)));
        k += 3;
      } else if (hasSlider(coordinate)) rows.push(this.coordinateRow(k));
    }
    for (const [body, rows] of groups) {
      if (!rows.length) continue;
      const title = rows.length > 1 ? [el("h3", {}, el("bdi", { class: "fb-ellipsis" }, label(body)))] : [];
      const group = el("section", { class: title.length ? "fb-group" : "" }, ...title, ...rows.map((row) => row.element));
      rows.forEach((row) => (row.body = body));
      this.rows.push(...rows);
      this.list.append(group);
    }
    const isLong = ({ name }) => name.length > LONG_NAME, titled = [...groups.values()].filter((rows) => rows.length > 1);
    const single = [...groups.values()].filter((rows) => rows.length === 1).flat();
    for (const rows of [...titled, single]) {
      if (rows.some(isLong)) rows.forEach(({ element }) => element.classList.add("fb-long"));
    }
  }

  coordinateRow(k) {
    const { name, body, unit, low, high } = this.motion.coordinates[k];
    return this.row(name.startsWith(`${body}.`) ? name.slice(body.length + 1) : name, unit, low, high, () => this.motion.q[k], (value) => this.motion.set(k, value));
  }

  /** A component of the rotation vector of a quaternion. */
  rotationRow(k, i, axis) {
    const { motion } = this, vectors = (this.vectors ??= new Map());
    if (!vectors.has(k)) vectors.set(k, motion.rotation(k));
    const vector = () => {
      // The vector that the reader set, as long as the body is turned by it: beyond π there are several.
      const set = vectors.get(k), now = motion.rotation(k);
      if (motion.differs(k, set)) vectors.set(k, now);
      return vectors.get(k);
    };
    const apply = (value) => {
      const goal = [...vector()];
      goal[i] = value;
      vectors.set(k, goal);
      return motion.setRotation(k, goal);
    };
    return this.row(`about ${axis}`, "rad", -Math.PI, Math.PI, () => vector()[i], apply);
  }

  row(name, unit, low, high, read, apply) {
    const degrees = unit === "rad", factor = degrees ? 180 / Math.PI : 1, shownUnit = degrees ? "°" : unit;
    const slider = el("input", { type: "range", class: "fb-range", step: "any", "aria-label": label(`${name} ${shownUnit}`) });
    const number = el("input", { type: "text", inputmode: "decimal", class: "fb-number", "aria-label": label(`${name}, number`), spellcheck: "false", autocomplete: "off" });
    const why = el("div", { class: "fb-why", role: "status" });
    const element = el(
      "div", { class: "fb-slider" },
      el("button", { class: "fb-link", type: "button", title: label(name, 400), onclick: () => this.select(row.body) }, el("bdi", { class: "fb-ellipsis" }, label(name))),
      slider, number, el("span", { class: "fb-unit" }, label(shownUnit, 12)), why,
    );
    const row = { element, name, read, why, slider, number, factor };
    const set = (value) => {
      this.rows.forEach((other) => setText(other.why, ""));
      const clipped = Math.max(low, Math.min(high, value));
      const message = apply(clipped);
      setText(why, message || (clipped !== value ? `its range is ${format(low * factor, 4)} to ${format(high * factor, 4)} ${shownUnit}` : ""));
      this.onPose();
    };
    slider.addEventListener("input", () => set(slider.valueAsNumber));
    slider.addEventListener("dblclick", () => set(row.initial));
    number.addEventListener("change", () => {
      const value = Number(number.value.replace("−", "-").replace(",", ".").trim());
      if (number.value.trim() === "" || !Number.isFinite(value)) {
        setText(why, "not a number");
        this.show(row, true);
      } else set(value / factor);
    });
    number.addEventListener("keydown", (event) => {
      if (event.key === "Enter") number.blur();
    });
    row.initial = read();
    slider.min = String(low);
    slider.max = String(high);
    this.show(row);
    return row;
  }

  show(row, even = false) {
    const value = row.read();
    if (value < +row.slider.min) row.slider.min = String(value); // a coordinate that follows a loop may leave its range
    if (value > +row.slider.max) row.slider.max = String(value);
    row.slider.value = String(value);
    if (even || document.activeElement !== row.number) row.number.value = format(value * row.factor, 4, 1e-9);
  }

  reset() {
    this.motion.reset();
    this.vectors?.clear();
    for (const k of this.motion.quaternions) this.vectors?.set(k, this.motion.rotation(k));
    this.rows.forEach((row) => setText(row.why, ""));
    this.onPose();
  }

  filter(text) {
    const wanted = text.trim().toLowerCase();
    for (const row of this.rows) row.element.hidden = !`${row.name} ${row.body}`.toLowerCase().includes(wanted);
    for (const group of this.list.children) group.hidden = [...group.querySelectorAll(".fb-slider")].every((element) => element.hidden);
  }

  select(name) {
    const { player } = this, body = player.scene.bodies.findIndex((candidate) => candidate.name === name);
    player.select(player.selected === body ? -1 : body);
  }

  markSelected() {
    const name = this.player.scene.bodies[this.player.selected]?.name;
    for (const row of this.rows) row.element.classList.toggle("fb-marked", row.body === name);
    this.rows.find((row) => row.body === name)?.element.scrollIntoView({ block: "nearest" });
  }
}
