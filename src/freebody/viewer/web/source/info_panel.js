// What is known of the selected body, at the time shown.

import { iconButton } from "./bar.js";
import { el, label, setText } from "./dom.js";
import { decimalsOf, fixed, format } from "./numbers.js";

const MOST_COORDINATES = 12, MOST_FORCES = 8;

export class InfoPanel {
  constructor({ scene, player, stage }) {
    Object.assign(this, { scene, player, stage });
    this.numbers = []; // functions that update the numbers that change
    this.index = new Map(scene.series.map((series, k) => [series.key, k]));
    this.element = el("section", { class: "fb-card fb-info", "aria-label": "Selected body", hidden: true });
    player.on("selection", () => this.show());
    player.on("time clip pose", () => this.update());
    player.on("layers options", () => this.showButtons());
    this.show();
  }

  show() {
    const { player, scene } = this, body = scene.bodies[player.selected];
    this.element.hidden = !body;
    if (player.selected !== this.shown || !body) {
      this.shown = player.selected;
      this.numbers = [];
      if (body) this.build(body);
      else this.element.replaceChildren();
    }
    if (body) {
      this.showButtons();
      this.update();
    }
  }

  build(body) {
    const { player, scene, shown } = this, decimals = decimalsOf((scene.size || 1) / 200);
    this.follow = textButton("Follow", "Keep this body in the middle of the picture (V)", () => player.setFollow(player.follow === shown ? -1 : shown));
    this.trail = scene.clips.length ? textButton("Trail", "Draw the path of this body", () => this.toggleTrail()) : null;
    const rows = el("dl", { class: "fb-facts" });
    const add = (name, ...value) => {
      const cell = el("dd", {}, ...value);
      rows.append(el("dt", {}, name), cell);
      return cell;
    };
    add("parent", this.bodyLink(body.parent));
    add("joint", label(body.joint || "–", 60));
    if (body.mass !== null) add("mass", `${format(body.mass, 5)} kg`);
    add("mass centre", triple(body.com.map((v) => format(v, 3)), "m"));
    const shapes = [...new Set(scene.items.filter((item) => item.body === shown && item.name).map(({ name }) => name))];
    if (shapes.length) add("shapes", label(shapes.join(", "), 200));
    const position = add("position"), turn = add("roll, pitch, yaw");
    this.numbers.push(() => {
      const m = this.stage.poses.knownPose(shown);
      setText(position, triple([m[3], m[7], m[11]].map((v) => fixed(v, decimals)), "m"));
      setText(turn, triple(rollPitchYaw(m).map((angle) => fixed((angle * 180) / Math.PI, 1)), "°"));
    });
    this.addSeries(rows, add, "coordinates", body.q, "q");
    if (scene.clips.length) this.addSeries(rows, add, "speeds", body.u, "u");
    this.addForces(rows, add);
    const close = iconButton("close", "Close (Esc)", () => player.select(-1));
    const title = el("h2", { title: label(body.name, 400) }, el("bdi", { class: "fb-ellipsis" }, label(body.name)));
    this.element.replaceChildren(el("header", {}, title, close), rows, el("div", { class: "fb-buttons" }, this.follow, this.trail));
  }

  /** Rows of coordinates ("q") or speeds ("u"), whose series have the keys q.NAME and u.NAME. */
  addSeries(rows, add, caption, names, group) {
    const { scene, stage } = this, recorded = names.filter((name) => this.index.has(`${group}.${name}`));
    if (recorded.length) rows.append(el("dt", { class: "fb-caption" }, caption));
    for (const name of recorded.slice(0, MOST_COORDINATES)) {
      const series = this.index.get(`${group}.${name}`);
      const cell = add(el("bdi", { class: "fb-ellipsis", title: label(name, 400) }, label(name, 60))), unit = scene.series[series].unit;
      this.numbers.push(() => setText(cell, quantity(stage.poses.value(series), unit)));
    }
    if (recorded.length > MOST_COORDINATES) add("", `and ${recorded.length - MOST_COORDINATES} more`);
  }

  /** Rows of the loads and reactions on the body that are drawn as arrows. */
  addForces(rows, add) {
    const { scene, stage, shown } = this;
    const indices = scene.arrows.flatMap(({ body }, index) => (body === shown ? [index] : []));
    if (!scene.clips.length || !indices.length) return;
    rows.append(el("dt", { class: "fb-caption" }, "forces and torques"));
    for (const index of indices.slice(0, MOST_FORCES)) {
      const { name, layer, kind, unit } = scene.arrows[index];
      const text = layer === "reactions" ? `${name}, reaction` : name;
      const cell = add(el("bdi", { class: "fb-ellipsis", title: label(`${text} (${kind})`, 400) }, label(text, 60)));
      this.numbers.push(() => setText(cell, quantity(stage.arrows.size(index), unit)));
    }
    if (indices.length > MOST_FORCES) add("", `and ${indices.length - MOST_FORCES} more`);
  }

  bodyLink(index) {
    const { scene, player } = this;
    if (index < 0 || !scene.bodies[index]) return "ground";
    const name = scene.bodies[index].name;
    return el("button", { class: "fb-link", type: "button", title: label(name, 400), onclick: () => player.select(index) }, el("bdi", { class: "fb-ellipsis" }, label(name, 60)));
  }

  toggleTrail() {
    const { player } = this;
    if (this.hasTrail()) return player.setLayer("trails", false);
    player.setOption("trails", "selected");
    player.setLayer("trails", true);
  }

  hasTrail() {
    return this.player.layers.has("trails") && this.player.options.trails !== "tips";
  }

  showButtons() {
    this.follow?.setAttribute("aria-pressed", String(this.player.follow === this.shown));
    this.trail?.setAttribute("aria-pressed", String(this.hasTrail()));
  }

  update() {
    if (!this.element.hidden) for (const f of this.numbers) f();
  }
}

function textButton(text, title, onclick) {
  return el("button", { class: "fb-button", type: "button", title, "aria-pressed": "false", onclick }, text);
}

/** A number with its unit; of an angle also the degrees. */
function quantity(value, unit) {
  const text = withUnit(format(value, 4), unit);
  return unit === "rad" && Number.isFinite(value) ? `${text} · ${fixed((value * 180) / Math.PI, 1)}°` : text;
}

function withUnit(text, unit) {
  return unit ? `${text} ${label(unit, 20)}` : text;
}

function triple(texts, unit) {
  return withUnit(`(${texts.join(", ")})`, unit);
}

/** Angles about x, then y, then z of the ground, of a 3×4 matrix by rows. */
function rollPitchYaw(m) {
  return [Math.atan2(m[9], m[10]), Math.asin(Math.max(-1, Math.min(1, -m[8]))), Math.atan2(m[4], m[0])];
}
