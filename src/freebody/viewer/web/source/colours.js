// Colours of the picture: of backgrounds, layers, highlights, and of quantities on flexible bodies.

import { Color } from "three";

export const THEMES = {
  light: { background: new Color(0xf4f6f8), grid: new Color(0x9aa4b0), line: new Color(0x4a5462), halo: "rgb(244 246 248 / 0.85)", text: "#28323f", quiet: "#5d6875" },
  dark: { background: new Color(0x15181c), grid: new Color(0x4d5661), line: new Color(0xa9b4c0), halo: "rgb(21 24 28 / 0.85)", text: "#dde3ea", quiet: "#98a3af" },
};

/** Usual colours (sRGB) of what has none: by layer, by kind of link, by layer and kind of arrow. */
export const LAYER_COLOURS = { joints: [0.45, 0.48, 0.53], axes: [0.88, 0.52, 0.08], constraints: [0.7, 0.28, 0.62] };
export const LINK_COLOURS = { spring: [0.24, 0.55, 0.38], damper: [0.4, 0.44, 0.5], rod: [0.5, 0.53, 0.58], line: [0.5, 0.53, 0.58] };
export const ARROW_COLOURS = {
  loads: { force: [0.85, 0.2, 0.16], torque: [0.62, 0.24, 0.72] },
  reactions: { force: [0.05, 0.52, 0.62], torque: [0.2, 0.4, 0.85] },
};
export const AXIS_COLOURS = [[0.86, 0.22, 0.2], [0.22, 0.6, 0.25], [0.2, 0.4, 0.86]];
export const GROUND_COLOUR = [0.6, 0.62, 0.65];
export const HIGHLIGHT = { selected: new Color(1, 0.5, 0.02), hovered: new Color(1, 0.8, 0.3) };

/** Stops (sRGB) of the scales of colours: from 0 to the largest displacement; from the largest compression to the largest
 * elongation. */
export const SCALES = {
  displacement: [[0.19, 0.22, 0.53], [0.15, 0.47, 0.62], [0.2, 0.69, 0.46], [0.8, 0.8, 0.2], [0.86, 0.27, 0.14]],
  strain: [[0.13, 0.3, 0.75], [0.55, 0.68, 0.92], [0.88, 0.88, 0.88], [0.94, 0.6, 0.48], [0.75, 0.1, 0.15]],
};

const linearStops = Object.fromEntries(Object.entries(SCALES).map(([name, stops]) => [name, stops.map((stop) => new Color().setRGB(...stop, "srgb").toArray())]));

/** Writes the colour of a fraction (0 to 1) of a scale to target[at…], in linear RGB. */
export function writeScaleColour(name, fraction, target, at) {
  const stops = linearStops[name];
  const place = Math.min(1, Math.max(0, fraction)) * (stops.length - 1);
  const k = Math.min(stops.length - 2, Math.floor(place));
  const s = place - k;
  for (let channel = 0; channel < 3; channel++) target[at + channel] = stops[k][channel] * (1 - s) + stops[k + 1][channel] * s;
}

/** A colour of three numbers (sRGB) in the working space of three.js. */
export function colourOf(rgb, target = new Color()) {
  return target.setRGB(rgb[0], rgb[1], rgb[2], "srgb");
}
