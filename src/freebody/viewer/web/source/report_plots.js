// Plots in a report: elements of the class fb-plot, linked in time with the view of their scene if the page has one.

import { el } from "./dom.js";
import { Plots } from "./plots.js";
import { followScheme } from "./theme.js";

/** @param {HTMLElement} element with data-scene, and data-keys: a JSON list of keys of series */
export function mountPlot(element, view) {
  followScheme(element, (theme) => (element.dataset.theme = theme)); // as the page around it
  const holder = el("div", { class: "fb-plots" });
  element.replaceChildren(holder);
  const plots = new Plots(holder, view);
  plots.show(JSON.parse(element.dataset.keys || "[]"));
  return plots;
}
