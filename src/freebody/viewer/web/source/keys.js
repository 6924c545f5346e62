// What the keys do: the one list for the keyboard and for the help.

import { layersWithContent } from "./layers_menu.js";

/** The keys of a view as { keys, text, does, group }; only those that have an effect in its scene. */
export function keyList({ scene, player, stage, bar, actions }) {
  const list = [], add = (group, keys, text, does) => list.push({ group, keys: keys.split(" "), text, does });
  if (scene.clips.some((clip) => clip.t.length > 1)) {
    add("Time", "Space", "play, pause", () => player.toggle());
    add("Time", "← →", "step back, forward; with Shift ten steps", (event) => bar.step(event.key === "ArrowLeft" ? -1 : 1, event.shiftKey ? 10 : 1));
    add("Time", "Home End", "start, end", (event) => {
      player.pause();
      player.seek(event.key === "Home" ? player.start : player.end);
    });
    add("Time", "+ −", "faster, slower", (event) => bar.changeSpeed(event.key === "+" || event.key === "=" ? 1 : -1));
    add("Time", "L", "loop", () => player.setLoop(!player.loop));
    if (bar.clips) add("Time", "[ ]", "previous, next motion", (event) => bar.changeClip(event.key === "[" ? -1 : 1));
  }
  add("Camera", "F", "all bodies as they are now, or the selected one", () => stage.fit(player.selected));
  if (actions.path) add("Camera", "W", "the whole path of the motion", actions.path);
  add("Camera", "1 3 7", "from the front, the right, above", (event) => stage.setView({ 1: "front", 3: "right", 7: "top" }[event.key]));
  add("Camera", "V", "follow the selected body", () => player.setFollow(player.follow >= 0 ? -1 : player.selected));
  for (const [layer, text, key] of layersWithContent(scene)) add("Show", key, text.toLowerCase(), () => player.toggleLayer(layer));
  if (actions.plots) add("Panels", "P", "plots", actions.plots);
  if (actions.sliders) add("Panels", "Q", "sliders of the coordinates", actions.sliders);
  add("Panels", "K", "layers", actions.layers);
  add("Panels", "D", "dark or light", actions.theme);
  add("Panels", "?", "this list", actions.help);
  add("Panels", "Esc", "close; select nothing", actions.escape);
  return list;
}

const NAMES = { "←": "ArrowLeft", "→": "ArrowRight", Space: " ", Esc: "Escape", "−": "-" };

/** Does what the key of an event does in a list; returns whether it did. */
export function handleKey(list, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const pressed = event.key === "=" ? "+" : event.key;
  const entry = list.find(({ keys }) => keys.some((key) => (NAMES[key] ?? key).toLowerCase() === pressed.toLowerCase()));
  if (!entry || (pressed !== "Escape" && usesKey(event.target, pressed))) return false;
  event.preventDefault();
  entry.does(event);
  return true;
}

/** Whether an element uses a key itself: text that is typed, a value that is changed, a button that is pressed. */
function usesKey(target, key) {
  if (!(target instanceof HTMLElement) || target.matches(".fb-time")) return false;
  if (target.matches("input[type=range]")) return /^(Arrow|Home|End)/.test(key);
  if (target.matches("button, summary, input[type=checkbox]")) return key === " ";
  return target.isContentEditable || target.matches("input, select, textarea");
}
