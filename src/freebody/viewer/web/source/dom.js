// Elements of the page. Texts are set as text, never as markup.

/** An element: `el("button", { class: "fb-icon", "aria-label": "Play", onclick: f }, "text", child)`. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets a text if it changed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const LONGEST = 120;

/** A name fit for one line: control and direction marks are made visible, long names lose their middle. */
export function label(name, most = LONGEST) {
  const visible = String(name).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "␣");
  const letters = visible.length > 4 * most ? [...visible.slice(0, 2 * most), ...visible.slice(-2 * most)] : [...visible];
  if (letters.length <= most) return visible;
  const half = Math.floor((most - 1) / 2);
  return `${letters.slice(0, half).join("")}…${letters.slice(-half).join("")}`;
}

/** An icon of lines in a square of 20, drawn in the colour of the text. */
export function icon(path, { fill = false } = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true", class: fill ? "fb-filled" : "fb-lined" }))
    svg.setAttribute(name, value);
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/** A colour of three numbers (sRGB) as text for styles and canvases. */
export function cssColour(rgb) {
  return `rgb(${rgb.map((v) => Math.round(255 * v)).join(" ")})`;
}
