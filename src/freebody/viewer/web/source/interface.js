// The controls around the picture: they are put together here and in styles.css.

import { Bar, iconButton } from "./bar.js";
import { el, label } from "./dom.js";
import { Help } from "./help.js";
import { InfoPanel } from "./info_panel.js";
import { handleKey, keyList } from "./keys.js";
import { LayersMenu } from "./layers_menu.js";
import { Legend } from "./legend.js";
import { PlotPanel } from "./plot_panel.js";
import { scaleNote } from "./scale_note.js";
import { hasSlider, SliderPanel } from "./slider_panel.js";
import { followScheme } from "./theme.js";

const NARROW = 640; // pixels; narrower views have their panels below the picture,
const NARROW_LANDSCAPE = 480; // those that are wider than high from this width on beside it
const ROOMY = 900; // wider views that fill the window begin with the plots

/** @param {HTMLElement} element the .fb-view
 * @param {{scene, player, stage, motion}} view */
export function mountInterface(element, view) {
  const { player } = view;
  const showTheme = () => (element.dataset.theme = player.options.theme);
  player.on("options", showTheme);
  followScheme(element, (theme) => player.setOption("theme", theme));
  showTheme();
  if ("bare" in element.dataset) element.append(scaleNote(view));
  else new Interface(element, view);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || "bare" in element.dataset;
  if (player.current?.loop && !still) player.play();
}

class Interface {
  constructor(element, view) {
    Object.assign(this, { element, view });
    const { scene, player, stage, motion } = view;
    const moves = scene.clips.some((clip) => clip.t.length > 1);
    this.bar = new Bar(player);
    this.info = new InfoPanel(view);
    this.menu = new LayersMenu(view);
    this.legend = new Legend(view);
    this.panels = {};
    this.dockBody = el("div", { class: "fb-dock-body" });
    this.dockTitle = el("h2", {});
    this.dockTools = el("div", { class: "fb-dock-tools" });
    this.dock = el("aside", { class: "fb-dock", hidden: true }, el("div", { class: "fb-grip", title: "Drag to resize" }), el("header", {}, this.dockTitle, this.dockTools, iconButton("close", "Close (Esc)", () => this.openDock(null))), this.dockBody);
    this.makers = {
      plots: scene.series.length && moves ? () => new PlotPanel(view) : null,
      sliders: motion?.coordinates.some(hasSlider) ? () => new SliderPanel(motion, view, () => stage.setPoses(motion.poses, motion.series)) : null,
    };
    const actions = {
      plots: this.makers.plots && (() => this.toggleDock("plots")),
      sliders: this.makers.sliders && (() => this.toggleDock("sliders")),
      path: moves && (() => stage.fitPath()),
      layers: () => this.toggleMenu(),
      theme: () => player.setOption("theme", player.options.theme === "dark" ? "light" : "dark"),
      help: () => this.help.toggle(),
      escape: () => this.escape(),
    };
    this.keys = keyList({ scene, player, stage, bar: this.bar, actions });
    this.help = new Help(this.keys, () => this.help.toggle(false));
    this.buttons = {
      fit: iconButton("fit", "Fit (F)", () => stage.fit(player.selected)),
      path: actions.path && iconButton("path", "Whole path (W)", actions.path),
      layers: iconButton("layers", "Layers (K)", actions.layers),
      sliders: actions.sliders && iconButton("sliders", "Sliders (Q)", actions.sliders),
      plots: actions.plots && iconButton("plots", "Plots (P)", actions.plots),
      theme: iconButton("theme", "Dark or light (D)", actions.theme),
      help: iconButton("help", "Help (?)", actions.help),
    };
    const tools = el("div", { class: "fb-tools fb-card", role: "toolbar", "aria-label": "View" }, ...Object.values(this.buttons).filter(Boolean));
    this.message = el("div", { class: "fb-message", role: "status", hidden: true });
    this.over = el("div", { class: "fb-over" }, heading(view), tools, this.menu.element, this.info.element, this.legend.element, this.message);
    element.append(this.over, this.dock, ...(moves ? [this.bar.element] : []), this.help.element);
    this.listen();
    this.fitWidth();
    if (this.makers.sliders) this.openDock("sliders");
    else if (this.makers.plots && element.clientWidth >= ROOMY && this.fillsWindow) this.openDock("plots");
    this.legend.element.open = !this.narrow && this.legend.isShort;
    this.showPressed();
  }

  listen() {
    const { element, view: { player } } = this;
    new ResizeObserver(() => this.fitWidth()).observe(element);
    player.on("graphics", (detail) => this.showGraphics(detail));
    element.tabIndex = -1;
    document.addEventListener("keydown", (event) => {
      // In a page with more than the view, the keys are for the view that is used.
      const used = element.contains(document.activeElement) || element.matches(":hover") || this.fillsWindow;
      const elsewhere = !element.contains(event.target) && event.target !== document.body;
      if (used && !elsewhere) handleKey(this.keys, event);
    });
    element.addEventListener("click", (event) => {
      // A pointer leaves no focus on buttons, so that the space bar plays; with the keyboard it stays.
      if (event.detail > 0) event.target.closest?.("button, summary")?.blur();
    });
    element.addEventListener("change", (event) => event.target.tagName === "SELECT" && event.target.blur());
    this.over.addEventListener("pointerdown", (event) => {
      if (event.target === this.over) this.toggleMenu(false);
    });
    element.querySelector(".fb-stage").addEventListener("pointerdown", () => this.toggleMenu(false));
    this.resizeDock();
  }

  get fillsWindow() {
    return this.element.clientHeight >= 0.9 * window.innerHeight && this.element.clientWidth >= 0.9 * window.innerWidth;
  }

  fitWidth() {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.narrow = width < (width > height ? NARROW_LANDSCAPE : NARROW);
    this.element.toggleAttribute("data-narrow", this.narrow);
    if (!this.resized) this.element.style.setProperty("--fb-dock-height", `${Math.round(0.42 * this.element.clientHeight)}px`);
  }

  toggleMenu(open = this.menu.element.hidden) {
    this.menu.element.hidden = !open;
    this.showPressed();
  }

  toggleDock(name) {
    this.openDock(this.docked === name ? null : name);
  }

  /** Shows a panel beside the picture (below it on a phone), or none. */
  openDock(name) {
    this.docked = name;
    this.dock.hidden = !name;
    if (name) {
      this.panels[name] ??= this.makers[name]();
      this.dockBody.replaceChildren(this.panels[name].element);
      this.dockTools.replaceChildren(...this.panels[name].tools);
      this.dockTitle.textContent = name === "plots" ? "Plots" : "Coordinates";
    }
    this.showPressed();
  }

  escape() {
    const { player } = this.view;
    if (!this.help.element.hidden) this.help.toggle(false);
    else if (!this.menu.element.hidden) this.toggleMenu(false);
    else if (player.selected >= 0) player.select(-1);
    else if (player.follow >= 0) player.setFollow(-1);
    else this.openDock(null);
  }

  showPressed() {
    const pressed = { layers: !this.menu.element.hidden, plots: this.docked === "plots", sliders: this.docked === "sliders" };
    for (const [name, on] of Object.entries(pressed)) this.buttons[name]?.setAttribute("aria-pressed", String(on));
  }

  /** A message in the place of the picture; the plots still work. */
  showGraphics({ state, message }) {
    const works = state === "restored";
    this.message.hidden = works;
    this.message.textContent = works ? "" : label(message, 400);
    if (!works && this.makers.plots) this.openDock("plots");
  }

  /** The edge of the panel can be dragged. */
  resizeDock() {
    const grip = this.dock.querySelector(".fb-grip");
    grip.addEventListener("pointerdown", (event) => {
      grip.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      this.resized = true;
      const box = this.element.getBoundingClientRect(), bottom = this.dock.getBoundingClientRect().bottom;
      if (this.narrow) this.element.style.setProperty("--fb-dock-height", `${clamp(bottom - event.clientY, 120, box.height * 0.75)}px`);
      else this.element.style.setProperty("--fb-dock-width", `${clamp(box.right - event.clientX, 240, box.width * 0.7)}px`);
    });
  }
}

function heading(view) {
  const { scene } = view;
  const title = el("h1", { title: label(scene.title, 400) }, el("bdi", { class: "fb-ellipsis" }, label(scene.title)));
  const subtitle = scene.subtitle ? el("p", { title: label(scene.subtitle, 400) }, el("bdi", { class: "fb-ellipsis" }, label(scene.subtitle))) : null;
  return el("div", { class: "fb-heading" }, title, subtitle, scaleNote(view));
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
