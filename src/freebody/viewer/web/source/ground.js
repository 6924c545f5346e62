// The grid below the bodies.

import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector2 } from "three";

/** The 1-2-5 number below a length, and how many of them make a strong line. */
export function gridSpacing(length) {
  const decade = 10 ** Math.floor(Math.log10(length));
  const step = length / decade;
  return step < 2 ? [decade, 5] : step < 5 ? [2 * decade, 5] : [5 * decade, 2];
}

const VERTEX = `
  varying vec2 at;
  void main() {
    at = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
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
    float fade = 1.0 - smoothstep(0.25, 1.0, length(at) / radius);
    float alpha = fade * max(0.28 * weak, 0.6 * heavy);
    vec3 shown = colour;
    vec2 axes = 0.6 - 0.6 * smoothstep(0.7 * fwidth(place), 1.6 * fwidth(place), abs(place - zero));
    if (axes.y > 0.0) { shown = mix(shown, axisX, axes.y); alpha = max(alpha, fade * axes.y); }
    if (axes.x > 0.0) { shown = mix(shown, axisY, axes.x); alpha = max(alpha, fade * axes.x); }
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(shown, alpha);
    #include <colorspace_fragment>
  }`;

export class Ground {
  /** @param {number[]} box the room of the motion: lowest and highest coordinates */
  constructor(box, size) {
    const width = Math.max(box[3] - box[0], box[4] - box[1], 0.5 * (box[5] - box[2]), 0.5 * size);
    [this.spacing, this.strong] = gridSpacing(width / 5);
    this.radius = 1.6 * width;
    this.height = groundHeight(box, this.spacing);
    this.centre = [(box[0] + box[3]) / 2, (box[1] + box[4]) / 2];
    this.uniforms = {
      shift: { value: new Vector2() },
      zero: { value: new Vector2() },
      spacing: { value: this.spacing },
      strong: { value: this.strong },
      radius: { value: this.radius },
      colour: { value: new Color() },
      axisX: { value: new Color(0xc2504b) },
      axisY: { value: new Color(0x4f9a52) },
    };
    const material = new ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide });
    this.mesh = new Mesh(new PlaneGeometry(2 * this.radius, 2 * this.radius), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
  }

  /** Places the grid: around the middle of the motion, or around a point that is followed. */
  update(origin, followed, theme) {
    const centre = followed ?? this.centre;
    this.mesh.position.set(centre[0] - origin[0], centre[1] - origin[1], this.height - origin[2]);
    // The places of lines are computed relative to a strong line nearby, with small numbers.
    const period = this.spacing * this.strong;
    const near = centre.map((x) => Math.round(x / period) * period);
    this.uniforms.shift.value.set(centre[0] - near[0], centre[1] - near[1]);
    this.uniforms.zero.value.set(-near[0], -near[1]);
    this.uniforms.colour.value.copy(theme.grid);
  }
}

/** 0 if the motion stays above it, else a line of the grid below the motion. */
function groundHeight(box, spacing) {
  const height = box[5] - box[2];
  if (box[2] > -0.02 * Math.max(height, spacing) && box[2] < 2 * Math.max(height, spacing)) return 0;
  return Math.floor((box[2] - 0.02 * height) / (spacing / 5)) * (spacing / 5);
}
