// Plots in a report: elements of the class fb-plot, linked in time with the view of their scene if the page has one.

import { el } from "./dom.js";
import { Plots } from "./plots.js";
import { followScheme } from "./theme.js";

/** Plots before what the element holds for readers without scripts and for paper, which is hidden meanwhile.
 * @param {HTMLElement} element with data-scene, and data-keys: a JSON list of keys of series, or such a list for each panel */
export function mountPlot(element, view) {
  followScheme(element, (theme) => (element.dataset.theme = theme)); // as the page around it
  const holder = el("div", { class: "fb-plots" });
  element.prepend(holder);
  element.dataset.live = "";
  const plots = new Plots(holder, view);
  plots.show(JSON.parse(element.dataset.keys || "[]"));
  return plots;
}
