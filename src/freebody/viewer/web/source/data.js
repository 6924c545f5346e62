// Decodes the scene that a page holds: base64 of deflated bytes, which are JSON and typed arrays.

const ARRAYS = { f4: Float32Array, f8: Float64Array, i1: Int8Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };
const TABLES = ["positions", "turns", "series", "vectors"];
const FORMAT = 2;

/** The scene in the element with this id: the fields of the Python class Scene, arrays as typed arrays in row order. */
export async function readScene(id) {
  const holder = document.getElementById(id);
  if (!holder) throw new Error(`This page has no scene "${id}".`);
  return decodeScene(await inflate(bytesOfBase64(holder.textContent.trim())));
}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** @param {ArrayBuffer} buffer */
function decodeScene(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const start = Math.ceil((4 + length) / 8) * 8;
  const scene = withArrays(JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), buffer, start);
  if (scene.format !== FORMAT) throw new Error(`This page has a scene of format ${scene.format}; its viewer reads format ${FORMAT}.`);
  if (!(scene.size > 0)) scene.size = 1;
  scene.geometries.forEach(restoreGeometry);
  for (const clip of scene.clips) for (const name of TABLES) clip[name] = new Table(clip[name]);
  return scene;
}

/** Vertices are stored as steps from the lowest corner of their box, normals as whole numbers up to 127. */
function restoreGeometry(geometry) {
  const { vertices, low, step, normals } = geometry;
  geometry.vertices = Float32Array.from(vertices, (count, k) => low[k % 3] + step[k % 3] * count);
  geometry.normals = normals && Float32Array.from(normals, (count) => count / 127);
}

/** Puts the typed arrays into their places. (A reviver of JSON.parse would take twenty times longer.) */
function withArrays(value, buffer, start) {
  if ("$" in value) return arrayAt(buffer, start, value);
  for (const key in value) if (value[key] !== null && typeof value[key] === "object") value[key] = withArrays(value[key], buffer, start);
  return value;
}

function arrayAt(buffer, start, { $: type, at, shape }) {
  return new ARRAYS[type](buffer, start + at, shape.reduce((product, n) => product * n, 1));
}

/**
 * A table of numbers whose columns are stored as second differences of integers. Numbers are decoded when they are
 * first asked for: all of them, or one column.
 */
class Table {
  constructor({ rows, columns, first, step, data, missing }) {
    Object.assign(this, { rows, columns });
    this.stored = { first, step, data, missing };
    this.decoded = new Map();
  }

  /** All values, row after row. Values that are not finite are NaN. */
  get values() {
    if (!this.all) {
      this.all = new Float64Array(this.rows * this.columns);
      for (let c = 0; c < this.columns; c++) this.decode(c, this.all, c, this.columns);
    }
    return this.all;
  }

  /** The values of a column. */
  column(c) {
    let values = this.decoded.get(c);
    if (!values) {
      values = new Float64Array(this.rows);
      this.decode(c, values, 0, 1);
      this.decoded.set(c, values);
    }
    return values;
  }

  decode(c, target, at, stride) {
    const { rows, columns } = this;
    const { first, step, data, missing } = this.stored;
    const plane = rows * columns;
    let k = 0, slope = 0;
    for (let r = 0, i = c * rows; r < rows; r++, i++) {
      const z = data[i] | (data[i + plane] << 8) | (data[i + 2 * plane] << 16) | (data[i + 3 * plane] << 24);
      const difference = (z >>> 1) ^ -(z & 1);
      slope = (slope + difference) | 0;
      k = (k + slope) | 0;
      target[at + r * stride] = missing && missing[i] ? NaN : first[c] + step[c] * k;
    }
  }
}
