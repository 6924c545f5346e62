// The grid below the bodies.

import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector2, Vector3 } from "three";
import { AXIS_COLOURS, colourOf } from "./colours.js";

/** The 1-2-5 number below a length, and how many of them make a strong line. */
function gridSpacing(length) {
  const decade = 10 ** Math.floor(Math.log10(length));
  const step = length / decade;
  return step < 2 ? [decade, 5] : step < 5 ? [2 * decade, 5] : [5 * decade, 2];
}

const VERTEX = `
  varying vec2 at;
  uniform float radius;
  void main() {
    at = radius * position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 0.0, 1.0);
  }`;

// Lines one pixel wide, faded where they come closer than a few pixels and towards the edge.
const FRAGMENT = `
  varying vec2 at;
  uniform vec2 shift, zero; // of the middle and of the ground's origin, both from a strong line nearby
  uniform float spacing, strong, radius;
  uniform vec3 colour, axisX, axisY;
  float line(float x, float step) {
    float width = fwidth(x / step);
    float distance = abs(fract(x / step - 0.5) - 0.5);
    return (1.0 - smoothstep(0.4 * width, 1.2 * width, distance)) * (1.0 - smoothstep(0.15, 0.5, width));
  }
  void main() {
    vec2 place = at + shift;
    float weak = max(line(place.x, spacing), line(place.y, spacing));
    float heavy = max(line(place.x, spacing * strong), line(place.y, spacing * strong));
    float fade = 1.0 - smoothstep(0.1, 0.9, length(at) / radius);
    float alpha = fade * max(0.22 * weak, 0.45 * heavy);
    vec3 shown = colour;
    vec2 axes = 0.6 - 0.6 * smoothstep(0.7 * fwidth(place), 1.6 * fwidth(place), abs(place - zero));
    if (axes.y > 0.0) { shown = mix(shown, axisX, axes.y); alpha = max(alpha, fade * axes.y); }
    if (axes.x > 0.0) { shown = mix(shown, axisY, axes.x); alpha = max(alpha, fade * axes.x); }
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(shown, alpha);
    #include <colorspace_fragment>
  }`;

export class Ground {
  /** @param {number[]} box the room of the motion along the picture's axes: lowest and highest coordinates */
  constructor(box, size, turn) {
    const width = Math.max(box[3] - box[0], box[4] - box[1], 0.5 * (box[5] - box[2]), 0.5 * size);
    this.height = groundHeight(box, gridSpacing(width / 5)[0]);
    this.radius = this.spacing = 0; // depend on the distance of the camera
    this.uniforms = {
      shift: { value: new Vector2() },
      zero: { value: new Vector2() },
      spacing: { value: 1 },
      strong: { value: 5 },
      radius: { value: 1 },
      colour: { value: new Color() },
      axisX: { value: axisColour(1, 0, turn) },
      axisY: { value: axisColour(0, 1, turn) },
    };
    const material = new ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide });
    this.mesh = new Mesh(new PlaneGeometry(2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
  }

  /** Places the grid around the point that the camera looks at from a distance; the origin of the picture is given. */
  update(origin, target, distance, theme) {
    const [spacing, strong] = gridSpacing(distance / 9);
    this.radius = 2.2 * distance;
    this.spacing = spacing;
    this.mesh.position.set(target.x, target.y, this.height - origin.z);
    // The places of lines are computed relative to a strong line nearby, with small numbers.
    const centre = [target.x + origin.x, target.y + origin.y];
    const near = centre.map((x) => Math.round(x / (spacing * strong)) * spacing * strong);
    const { uniforms } = this;
    uniforms.shift.value.set(centre[0] - near[0], centre[1] - near[1]);
    uniforms.zero.value.set(-near[0], -near[1]);
    uniforms.spacing.value = spacing;
    uniforms.strong.value = strong;
    uniforms.radius.value = this.radius;
    uniforms.colour.value.copy(theme.grid);
  }
}

/** The colour of the ground's axis that is along a horizontal direction of the picture. */
function axisColour(x, y, turn) {
  const along = new Vector3(x, y, 0).applyQuaternion(turn.clone().invert()).toArray().map(Math.abs);
  return colourOf(AXIS_COLOURS[along.indexOf(Math.max(...along))]);
}

/** 0 if the motion stays above it, else a line of the grid below the motion. */
function groundHeight(box, spacing) {
  const height = box[5] - box[2];
  if (box[2] > -0.02 * Math.max(height, spacing) && box[2] < 2 * Math.max(height, spacing)) return 0;
  return Math.floor((box[2] - 0.02 * height) / (spacing / 5)) * (spacing / 5);
}
