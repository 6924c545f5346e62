// Mounts a viewer in every element of the class fb-view.

import { readScene } from "./data.js";
import { mountInterface } from "./interface.js";
import { Player } from "./player.js";
import { Stage } from "./stage.js";

window.freebodyViews ??= [];

/** @param {HTMLElement} element */
async function mountView(element) {
  const scene = await readScene(element.dataset.scene);
  const player = new Player(scene);
  const canvasHolder = document.createElement("div");
  canvasHolder.className = "fb-stage";
  element.append(canvasHolder);
  const stage = new Stage(canvasHolder, scene, player);
  Object.assign(element.freebody, {
    scene,
    player,
    stage,
    project: (body, point) => stage.project(body, point),
  });
  mountInterface(element, element.freebody);
  await stage.firstFrame;
}

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
