// Mounts a viewer in every element of the class fb-view, and plots in those of the class fb-plot.

import { readScene } from "./data.js";
import { mountInterface } from "./interface.js";
import { Motion } from "./motion.js";
import { Player } from "./player.js";
import { mountPlot } from "./report_plots.js";
import { Stage } from "./stage.js";
import { insertStyles } from "./theme.js";

window.freebodyViews ??= [];

/** @param {HTMLElement} element */
async function mountView(element) {
  const scene = await readScene(element.dataset.scene);
  const player = new Player(scene);
  if (element.dataset.time) player.seek(Number(element.dataset.time));
  const canvasHolder = document.createElement("div");
  canvasHolder.className = "fb-stage";
  element.append(canvasHolder);
  const motion = scene.motion ? new Motion(scene.motion) : null;
  const stage = new Stage(canvasHolder, scene, player, motion);
  Object.assign(element.freebody, {
    scene,
    player,
    stage,
    motion,
    project: (body, point) => stage.project(body, point),
  });
  mountInterface(element, element.freebody);
  await stage.firstFrame;
}

insertStyles();
for (const element of document.querySelectorAll(".fb-view")) {
  if (element.freebody) continue;
  element.freebody = {
    get frames() {
      return this.stage ? this.stage.frames : 0;
    },
  };
  element.freebody.ready = mountView(element).catch((error) => {
    element.textContent = `The 3D view cannot be shown. ${error.message}`;
    throw error;
  });
  window.freebodyViews.push(element.freebody);
}

/** The scene and player of the view with this scene; without one the plots of the scene have a player in common. */
const unseen = new Map();
async function viewOf(id) {
  const element = [...document.querySelectorAll(".fb-view")].find((view) => view.dataset.scene === id);
  if (element) return element.freebody.ready.then(() => element.freebody);
  if (!unseen.has(id)) unseen.set(id, readScene(id).then((scene) => ({ scene, player: new Player(scene) })));
  return unseen.get(id);
}

for (const element of document.querySelectorAll(".fb-plot")) {
  if (element.freebody) continue;
  element.freebody = {};
  element.freebody.ready = viewOf(element.dataset.scene)
    .then((view) => Object.assign(element.freebody, view, { plots: mountPlot(element, view) }))
    .catch((error) => {
      if (!element.childElementCount) element.textContent = `The plot cannot be shown. ${error.message}`;
      throw error;
    });
}
