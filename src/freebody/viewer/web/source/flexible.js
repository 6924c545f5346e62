// Meshes of flexible bodies: their points move by shapes times coordinates.

import { BufferAttribute, BufferGeometry, Color, Mesh, Sphere, Vector3 } from "three";
import { colourOf, HIGHLIGHT, writeScaleColour } from "./colours.js";
import { shapeMaterial } from "./shape_material.js";
import { WideLines } from "./wide_lines.js";

const ROWS = 60; // of a clip, for the largest displacement and strain

export class FlexibleBodies {
  constructor(scene, poses) {
    Object.assign(this, { scene, poses });
    this.meshes = [];
    for (let copy = 0; copy < poses.copies; copy++) for (const item of scene.flexible) this.meshes.push(new FlexibleMesh(item, copy, scene, poses));
    this.ranges = new Map();
  }

  get objects() {
    return this.meshes.flatMap((mesh) => mesh.objects);
  }

  get surfaces() {
    return this.meshes.flatMap(({ surface }) => (surface ? [surface] : []));
  }

  bodyOf(object) {
    return this.meshes.find(({ surface }) => surface === object)?.item.body;
  }

  setVisible(visible) {
    for (const object of this.objects) object.visible = visible;
  }

  update(origin, { magnify, colouring }, player) {
    const range = colouring === "plain" ? 0 : this.range(player.clip, colouring);
    for (const mesh of this.meshes) mesh.update(origin, magnify, colouring, range, player);
  }

  /** The largest displacement or strain of a clip, or at present where there is none; those on the stage have colours
   * relative to it. */
  range(clip, colouring) {
    const key = `${clip} ${colouring}`;
    if (this.ranges.has(key)) return this.ranges.get(key);
    const range = Math.max(0, ...this.meshes.map((mesh) => mesh.largest(this.poses.clips[mesh.copy], colouring)));
    if (this.poses.clips[0]) this.ranges.set(key, range);
    return range;
  }
}

class FlexibleMesh {
  constructor(item, copy, scene, poses) {
    Object.assign(this, { item, copy, scene, poses });
    const { points, lines, vertices, triangles } = item;
    this.count = points.length / 3;
    this.values = new Float64Array(item.coordinates.length);
    this.displacements = new Float32Array(points.length);
    this.placed = new Float32Array(points.length);
    this.quantity = new Float32Array(this.count);
    this.edges = edgesOf(lines, vertices, triangles);
    this.degree = new Float32Array(this.count);
    for (const vertex of this.edges) this.degree[vertex] += 1;
    this.objects = [];
    if (triangles.length) this.makeSurface();
    if (lines.length) this.wide = this.addLines(new Float32Array(3 * lines.length), triangles.length ? { width: 1, opacity: 0.5 } : { width: 4 });
    this.restEnds = endsOf(points, lines.length ? lines : sharpEdges(vertices, triangles));
    if (this.restEnds.length) this.rest = this.addLines(new Float32Array(this.restEnds.length), { width: 1, opacity: 0.3 });
  }

  makeSurface() {
    const geometry = new BufferGeometry();
    const dynamic = (size) => new BufferAttribute(new Float32Array(size * this.item.vertices.length), size);
    geometry.setAttribute("position", dynamic(3)).setAttribute("normal", dynamic(3)).setAttribute("color", dynamic(3));
    geometry.setIndex(new BufferAttribute(this.item.triangles, 1));
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    const behindLines = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    this.surface = new Mesh(geometry, shapeMaterial(geometry, { opacity: this.poses.copies > 1 ? 0.4 : 1, ...behindLines }));
    this.surface.frustumCulled = false;
    this.objects.push(this.surface);
  }

  addLines(ends, look) {
    const wide = new WideLines(ends, look.width > 1 ? new Float32Array(ends.length) : null, { layer: "bodies", ...look });
    this.objects.push(wide.mesh);
    return wide;
  }

  /** Displacements of all points for values of the coordinates. */
  displace(values) {
    const { shapes } = this.item;
    const n = values.length;
    for (let k = 0, at = 0; k < this.displacements.length; k++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += shapes[at++] * values[j];
      this.displacements[k] = sum;
    }
  }

  /** The size of the displacements, or the strain: the relative elongation of the edges, to first order, averaged at points. */
  measure(colouring) {
    const { displacements: u, quantity, edges, degree, item: { points } } = this;
    if (colouring === "displacement") {
      for (let k = 0; k < this.count; k++) quantity[k] = Math.hypot(u[3 * k], u[3 * k + 1], u[3 * k + 2]);
      return;
    }
    quantity.fill(0);
    for (let k = 0; k < edges.length; k += 2) {
      const a = 3 * edges[k], b = 3 * edges[k + 1];
      let product = 0, square = 0;
      for (let axis = 0; axis < 3; axis++) {
        const d = points[b + axis] - points[a + axis];
        product += d * (u[b + axis] - u[a + axis]);
        square += d * d;
      }
      if (square > 0) {
        quantity[edges[k]] += product / square / degree[edges[k]];
        quantity[edges[k + 1]] += product / square / degree[edges[k + 1]];
      }
    }
  }

  largest(clip, colouring) {
    let largest = 0;
    const rows = clip ? clip.t.length : 1;
    for (let row = 0; row < rows; row += Math.max(1, Math.floor(rows / ROWS))) {
      this.displace(this.item.coordinates.map((series) => (clip ? clip.series.column(series)[row] : this.poses.value(series))));
      this.measure(colouring);
      for (const value of this.quantity) if (Math.abs(value) > largest) largest = Math.abs(value);
    }
    return largest;
  }

  update(origin, magnify, colouring, range, { selected, hovered }) {
    const { item, poses, placed } = this;
    item.coordinates.forEach((series, k) => (this.values[k] = poses.value(series, this.copy) || 0));
    this.displace(this.values);
    const m = poses.matrices, start = 12 * poses.index(item.body, this.copy);
    if (!poses.isFinite(start / 12)) return;
    for (let k = 0; k < placed.length; k += 3) {
      const x = item.points[k] + magnify * this.displacements[k];
      const y = item.points[k + 1] + magnify * this.displacements[k + 1];
      const z = item.points[k + 2] + magnify * this.displacements[k + 2];
      for (let row = 0, p = start; row < 3; row++, p += 4) placed[k + row] = m[p] * x + m[p + 1] * y + m[p + 2] * z + m[p + 3] - origin[row];
    }
    if (colouring !== "plain") this.measure(colouring);
    const plain = this.plainColour(selected, hovered);
    if (this.surface) this.updateSurface(colouring, range, plain);
    if (this.wide) this.updateLines(colouring, range, plain);
    if (this.rest) this.updateRest(m, start, origin);
  }

  plainColour(selected, hovered) {
    const { item, scene, poses } = this;
    const clip = poses.copies > 1 ? scene.clips[this.copy].color : null;
    const colour = colourOf(clip ?? item.color ?? scene.bodies[item.body].color, plainColour);
    if (item.body === selected) colour.lerp(HIGHLIGHT.selected, 0.7);
    else if (item.body === hovered) colour.lerp(HIGHLIGHT.hovered, 0.45);
    return colour;
  }

  updateSurface(colouring, range, plain) {
    const { position, normal, color } = this.surface.geometry.attributes, { vertices, triangles } = this.item;
    for (let k = 0; k < vertices.length; k++) {
      for (let axis = 0; axis < 3; axis++) position.array[3 * k + axis] = this.placed[3 * vertices[k] + axis];
      this.writeColour(vertices[k], colouring, range, plain, color.array, 3 * k);
    }
    writeNormals(position.array, triangles, normal.array);
    position.needsUpdate = normal.needsUpdate = color.needsUpdate = true;
  }

  updateLines(colouring, range, plain) {
    const { lines } = this.item;
    const colours = this.wide.material.vertexColors ? this.wide.mesh.geometry.getAttribute("instanceColorStart").data : null;
    for (let k = 0; k < lines.length; k++) {
      for (let axis = 0; axis < 3; axis++) this.wide.ends[3 * k + axis] = this.placed[3 * lines[k] + axis];
      if (colours) this.writeColour(lines[k], colouring, range, plain, colours.array, 3 * k);
    }
    if (colours) colours.needsUpdate = true;
    else this.wide.material.color.copy(plain).multiplyScalar(0.35);
    this.wide.endsChanged();
  }

  updateRest(m, start, origin) {
    const { rest, restEnds } = this;
    for (let k = 0; k < restEnds.length; k += 3)
      for (let row = 0, p = start; row < 3; row++, p += 4) rest.ends[k + row] = m[p] * restEnds[k] + m[p + 1] * restEnds[k + 1] + m[p + 2] * restEnds[k + 2] + m[p + 3] - origin[row];
    rest.material.color.setRGB(0.5, 0.5, 0.5);
    rest.endsChanged();
  }

  writeColour(point, colouring, range, plain, target, at) {
    if (colouring === "plain") {
      target[at] = plain.r;
      target[at + 1] = plain.g;
      target[at + 2] = plain.b;
      return;
    }
    const relative = range > 0 ? this.quantity[point] / range : 0;
    writeScaleColour(colouring, colouring === "strain" ? 0.5 + 0.5 * relative : relative, target, at);
  }
}

const plainColour = new Color();

/** The edges of triangles of vertices, which are at points, and the lines, each once, as pairs of points. */
function edgesOf(lines, vertices, triangles) {
  const seen = new Set(), edges = [];
  const add = (a, b) => {
    const key = edgeKey(a, b);
    if (seen.has(key)) return;
    seen.add(key);
    edges.push(a, b);
  };
  for (let k = 0; k < lines.length; k += 2) add(lines[k], lines[k + 1]);
  for (const [a, b] of sidesOf(triangles)) add(vertices[a], vertices[b]);
  return Uint32Array.from(edges);
}

/** The edges at which a surface ends or is not smooth, as pairs of points: not two triangles have the same two vertices there. */
function sharpEdges(vertices, triangles) {
  const counts = new Map(), edges = new Map();
  for (const [a, b] of sidesOf(triangles)) counts.set(edgeKey(a, b), (counts.get(edgeKey(a, b)) ?? 0) + 1);
  for (const [a, b] of sidesOf(triangles)) if (counts.get(edgeKey(a, b)) !== 2) edges.set(edgeKey(vertices[a], vertices[b]), [vertices[a], vertices[b]]);
  return [...edges.values()].flat();
}

function* sidesOf(triangles) {
  for (let k = 0; k < triangles.length; k += 3) for (let side = 0; side < 3; side++) yield [triangles[k + side], triangles[k + ((side + 1) % 3)]];
}

const edgeKey = (a, b) => Math.min(a, b) * 2 ** 26 + Math.max(a, b);

function endsOf(points, lines) {
  const ends = new Float32Array(3 * lines.length);
  lines.forEach((point, k) => ends.set(points.subarray(3 * point, 3 * point + 3), 3 * k));
  return ends;
}

/** Normals of vertices: of the triangles around them, weighted by area. */
function writeNormals(p, triangles, normals) {
  normals.fill(0);
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k], b = 3 * triangles[k + 1], c = 3 * triangles[k + 2];
    const x1 = p[b] - p[a], y1 = p[b + 1] - p[a + 1], z1 = p[b + 2] - p[a + 2];
    const x2 = p[c] - p[a], y2 = p[c + 1] - p[a + 1], z2 = p[c + 2] - p[a + 2];
    const x = y1 * z2 - z1 * y2, y = z1 * x2 - x1 * z2, z = x1 * y2 - y1 * x2;
    for (let corner = 0; corner < 3; corner++) {
      const at = corner === 0 ? a : corner === 1 ? b : c;
      normals[at] += x;
      normals[at + 1] += y;
      normals[at + 2] += z;
    }
  }
  for (let k = 0; k < normals.length; k += 3) {
    const size = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
    normals[k] /= size;
    normals[k + 1] /= size;
    normals[k + 2] /= size;
  }
}
