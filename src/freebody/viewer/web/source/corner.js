// The corner of the picture: the directions of the ground's axes and of gravity, and the width of the grid.

import { Vector3 } from "three";

const SIZE = 84, ARM = 28;
const COLOURS = ["#dc3833", "#389940", "#3366dc", "#8a6d1f"];
const SVG = "http://www.w3.org/2000/svg";

export class Corner {
  constructor(holder, scene, turn) {
    const gravity = new Vector3(...scene.gravity);
    this.arms = [[1, 0, 0, "x"], [0, 1, 0, "y"], [0, 0, 1, "z"]].map(([x, y, z, name]) => ({ along: new Vector3(x, y, z), name }));
    if (gravity.length() > 0) this.arms.push({ along: gravity.normalize(), name: "g" });
    for (const { along } of this.arms) along.applyQuaternion(turn);
    this.element = document.createElement("div");
    this.element.className = "fb-corner";
    this.element.style.cssText = "position:absolute;right:8px;bottom:6px;padding:2px 4px 4px;border-radius:8px;pointer-events:none;text-align:center;font:11px/1.2 system-ui,sans-serif";
    const svg = svgElement("svg", { width: SIZE, height: SIZE, viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, style: "display:block;margin:auto", role: "img", "aria-label": "Axes of the ground" });
    this.arms.forEach((arm, k) => {
      arm.line = svgElement("line", { stroke: COLOURS[k], "stroke-width": k < 3 ? 2 : 1.6, "stroke-linecap": "round" });
      arm.head = svgElement("path", { fill: COLOURS[k] });
      arm.text = svgElement("text", { fill: COLOURS[k], "font-size": 11, "font-weight": 600, "text-anchor": "middle", "dominant-baseline": "central" });
      arm.text.textContent = arm.name;
      arm.group = svgElement("g", {});
      arm.group.append(arm.line, arm.head, arm.text);
      svg.append(arm.group);
    });
    this.grid = document.createElement("div");
    this.element.append(svg, this.grid);
    holder.append(this.element);
  }

  update(camera, theme, gridShown, spacing) {
    const inverse = camera.quaternion.clone().invert();
    for (const arm of this.arms) {
      const seen = arm.along.clone().applyQuaternion(inverse);
      const length = arm.name === "g" ? 0.8 * ARM : ARM;
      const x = length * seen.x, y = -length * seen.y;
      setAttributes(arm.line, { x1: 0, y1: 0, x2: x.toFixed(1), y2: y.toFixed(1), "stroke-dasharray": arm.name === "g" ? "3 3" : "none" });
      const flat = Math.hypot(x, y) || 1, [a, b] = [x / flat, y / flat];
      const wide = flat > 4 ? 3.2 : 0;
      const tip = [x + 6 * a, y + 6 * b];
      arm.head.setAttribute("d", `M${tip[0].toFixed(1)} ${tip[1].toFixed(1)}L${(x - wide * b).toFixed(1)} ${(y + wide * a).toFixed(1)}L${(x + wide * b).toFixed(1)} ${(y - wide * a).toFixed(1)}Z`);
      const side = arm.name === "g" ? 9 : 0; // beside the arrow, where z may be
      setAttributes(arm.text, { x: (x + 12 * a + side).toFixed(1), y: (y + 12 * b - (flat > 4 ? 0 : 10)).toFixed(1), opacity: seen.z < -0.6 ? 0.6 : 1 });
    }
    const text = `grid ${lengthText(spacing)}`;
    if (this.grid.textContent !== text) this.grid.textContent = text;
    this.grid.style.color = theme.quiet;
    this.element.style.background = theme.halo; // bodies may be behind it
    this.grid.style.visibility = gridShown ? "visible" : "hidden";
  }
}

function svgElement(name, attributes) {
  return setAttributes(document.createElementNS(SVG, name), attributes);
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** A 1-2-5 length with its unit. */
function lengthText(metres) {
  const [factor, unit] = metres >= 1000 ? [1e-3, "km"] : metres >= 0.5 ? [1, "m"] : metres >= 0.01 ? [100, "cm"] : metres >= 0.001 ? [1e3, "mm"] : [1e6, "µm"];
  return `${Number((metres * factor).toPrecision(3))} ${unit}`;
}
