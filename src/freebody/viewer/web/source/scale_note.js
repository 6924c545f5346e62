// What is not drawn in its true size: deformations with a factor, and motions such as modes that have no size of their own.

import { el, label } from "./dom.js";
import { format } from "./numbers.js";

/** An element on the picture, which is empty while all is drawn as it is. */
export function scaleNote({ scene, player }) {
  const element = el("p", { class: "fb-scale-note", role: "status" });
  const show = () => {
    const { magnify } = player.options, notes = [];
    if (scene.flexible.length && magnify !== 1) notes.push(`deformation × ${format(magnify, 3)}`);
    if (!scene.together && player.current?.note) notes.push(label(player.current.note, 120));
    element.hidden = !notes.length;
    element.textContent = notes.join(" · ");
  };
  player.on("options clip", show);
  show();
  return element;
}
