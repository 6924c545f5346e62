// Light and dark: as the system has it, until the reader chooses. The styles are inserted once into the page.

import styles from "./styles.css";

export function insertStyles() {
  if (document.getElementById("fb-styles")) return;
  const style = document.createElement("style");
  style.id = "fb-styles";
  style.textContent = styles;
  document.head.append(style);
}

/** Calls show("light" or "dark") now and when the system changes; a page may fix the theme by data-theme. */
export function followScheme(element, show) {
  const scheme = matchMedia("(prefers-color-scheme: dark)"), fixed = element.dataset.theme;
  if (!fixed) scheme.addEventListener("change", () => show(scheme.matches ? "dark" : "light"));
  show(fixed || (scheme.matches ? "dark" : "light"));
}
