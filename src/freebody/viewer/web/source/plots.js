// Curves over time on canvases, linked with the time of a player.

import { cssColour, el, label, setText } from "./dom.js";
import { commonExponent, decimalsOf, fixed, format, superscript, ticks } from "./numbers.js";

/** The colours of Okabe and Ito without the yellow, as in freebody.viewer.plots; the blue and the grey are lighter on dark. */
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333"];
const COLOURS_ON_DARK = ["#3D9FE0", "#E8743B", "#1DB88C", "#D98BB8", "#8ACBF2", "#EDB32E", "#D5D5D5"];
const DASHES = [[], [6, 3], [1.5, 2.5], [6, 2, 1.5, 2]];
const APART = 100; // curves whose ranges differ by more are in panels of their own
const MOST_MARKED = 40; // with more events there is no line for each
const MOST_NAMED = 24; // curves that the legend of a panel names
const HUGE = 1e306, FLAT = 1e-9; // as in freebody.viewer.panels
const STEADY = 1e-5; // a smaller change, relative to the values, gives a curve no panel of its own
const SINGLES = 8; // variables without a unit have a panel each, unless there are more of them
const CROWDED = 7; // with more curves of a unit each vector has a panel, unless there are more than SINGLES vectors
const MOST_ZEROS = 12; // rounding errors that are named
const ROUNDING = 1e-6; // of stored series, relative to their range
const LEFT = 46, MOST_LEFT = 96, RIGHT = 10, TOP = 6, BOTTOM = 18; // margins of the axes in pixels
const EVENT_ROW = 12, EVENT_ROWS = 2; // the height of a row of names of events, and the most rows
const NEAR = 7; // pixels from the cursor at which a drag moves it

// Numbers

/** The smallest and the largest finite value of a series between two rows (both included), or null. */
function rangeOf(y, from = 0, to = y.length - 1) {
  let low = Infinity, high = -Infinity;
  for (let k = from; k <= to; k++) {
    const value = y[k];
    if (!(Math.abs(value) < HUGE)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

/** The limits of an axis for a range: with a margin, around a constant, −1 to 1 for rounding errors around zero, which
 * are no larger than `smallest`. */
function limits(range, smallest = 0) {
  if (!range) return [-1, 1];
  const [low, high] = range, size = Math.max(Math.abs(low), Math.abs(high));
  if (size <= smallest) return [-1, 1];
  if (high - low < FLAT * size) return [(low + high) / 2 - size / 2, (low + high) / 2 + size / 2];
  const margin = 0.06 * (high - low);
  return [low - margin, high + margin];
}

/** Rows that show a series between two rows on some pixels: all of them if they are few, else the smallest and the
 * largest value of each bin, so that no peak is lost, and rows beside missing values. */
export function thin(y, from, to, pixels) {
  const count = to - from + 1, rows = [];
  if (count <= 4 * pixels) {
    for (let k = from; k <= to; k++) rows.push(k);
    return rows;
  }
  for (let bin = 0; bin < pixels; bin++) {
    const start = from + Math.floor((bin * count) / pixels), end = from + Math.floor(((bin + 1) * count) / pixels);
    let low = -1, high = -1, gap = -1;
    for (let k = start; k < end; k++) {
      if (!(Math.abs(y[k]) < HUGE)) gap = k;
      else {
        if (low < 0 || y[k] < y[low]) low = k;
        if (high < 0 || y[k] > y[high]) high = k;
      }
    }
    for (const k of [...new Set([low, high, gap])].filter((row) => row >= 0).sort((a, b) => a - b)) rows.push(k);
  }
  if (rows[0] !== from) rows.unshift(from);
  if (rows[rows.length - 1] !== to) rows.push(to);
  return rows;
}

/** The first row with t ≥ time. */
function rowFrom(t, time) {
  let low = 0, high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value of a series at a time, linear between rows; after a jump at the jump's time. NaN outside. */
function valueAt(t, y, time) {
  const n = t.length;
  if (!n || time < t[0] || time > t[n - 1]) return NaN;
  let k = rowFrom(t, time);
  while (k + 1 < n && t[k + 1] === time) k++;
  if (t[k] === time || k === 0) return y[k];
  const f = (time - t[k - 1]) / (t[k] - t[k - 1]);
  return y[k - 1] * (1 - f) + y[k] * f;
}

/** The vector or the quaternion of which a series is a component, as in freebody.names.vector_name; else its own key.
 * A key is a group, a dot and a name. */
function vectorOf(key) {
  const match = /^([^.]*\..+)\.(?:([vw]?)[xyz]|(q)[wxyz])$/s.exec(key ?? "");
  return match ? `${match[1]}.${match[2] || match[3] || ""}.` : key;
}

const largest = ({ range }) => (range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0);

/** Groups of curves that share an axis: of one unit, and ranges that differ by no more than a factor of about 100. The
 * components of a vector stay together, those of a quaternion are alone. Rounding errors that flatten or have a unit of
 * their own are in `zeros`, unless there is nothing else.
 * @param {{key: string, unit: string, range: number[]|null, smallest: number, noise: number}[]} curves of which `noise` is
 * the largest value of those that are rounding errors alone, else 0 */
export function splitPanels(curves) {
  const byUnit = new Map(), vectors = new Map();
  curves.forEach((curve, k) => {
    const vector = `${curve.unit} ${vectorOf(curve.key) ?? k}`;
    vectors.set(vector, [...(vectors.get(vector) ?? []), curve]);
  });
  const without = [...vectors.values()].filter(([{ unit }]) => !unit).length;
  for (const several of vectors.values()) {
    const { unit, key } = several[0], quaternion = /\.q[wxyz]$/.test(key ?? "");
    const name = unit || (!quaternion && without > SINGLES) ? unit : several;
    byUnit.set(name, [...(byUnit.get(name) ?? []), bundle(several)]);
  }
  const place = new Map(curves.map((curve, k) => [curve, k]));
  const groups = [...byUnit.values()].flatMap(splitVectors).map((group) => group.flatMap(({ parts }) => parts).sort((a, b) => place.get(a) - place.get(b)));
  const panels = [], zeros = [];
  groups.sort((a, b) => place.get(a[0]) - place.get(b[0]));
  for (const group of groups) {
    const rest = group.filter(({ noise }) => !noise);
    if (rest.length < group.length && rest.every((curve) => largest(curve) === 0)) {
      zeros.push(group.filter(({ noise }) => noise));
      if (rest.length) panels.push(rest);
    } else panels.push(group);
  }
  return panels.length ? { panels, zeros: zeros.flat() } : { panels: zeros, zeros: [] };
}

/** Each vector apart where there are several and many curves, the others by size. */
function splitVectors(bundles) {
  const vectors = bundles.filter(({ parts }) => parts.length > 1), count = bundles.reduce((sum, { parts }) => sum + parts.length, 0);
  if (count <= CROWDED || vectors.length < 2 || vectors.length > SINGLES) return splitBySize(bundles);
  return [...vectors.map((vector) => [vector]), ...splitBySize(bundles.filter(({ parts }) => parts.length === 1))];
}

/** The components of a vector as one curve. */
function bundle(parts) {
  const ranges = parts.map(({ range }) => range).filter(Boolean);
  const range = ranges.length ? [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))] : null;
  return { parts, range, smallest: 2 * Math.max(...parts.map(({ smallest }) => smallest ?? 0)) }; // from −smallest to smallest
}

function splitBySize(curves) {
  const panels = [], span = ({ range }) => (range ? range[1] - range[0] : 0);
  const size = ({ range }) => (range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0);
  const changes = (curve) => span(curve) > Math.max(curve.smallest ?? 0, STEADY * size(curve));
  const order = [...curves].sort((a, b) => changes(b) - changes(a) || span(b) - span(a));
  for (const curve of order) {
    const range = curve.range ?? [0, 0];
    let best = null, bestSpan = Infinity;
    for (const panel of panels) {
      const low = Math.min(panel.low, range[0]), high = Math.max(panel.high, range[1]);
      const smallest = changes(curve) ? Math.min(panel.smallest, span(curve)) : panel.smallest;
      const fits = smallest === Infinity || high - low <= APART * smallest;
      if (fits && high - low < bestSpan) [best, bestSpan] = [panel, high - low];
    }
    if (!best) panels.push((best = { curves: [], low: Infinity, high: -Infinity, smallest: Infinity }));
    best.curves.push(curve);
    best.low = Math.min(best.low, range[0]);
    best.high = Math.max(best.high, range[1]);
    if (changes(curve)) best.smallest = Math.min(best.smallest, span(curve));
  }
  const place = new Map(curves.map((curve, k) => [curve, k]));
  for (const panel of panels) panel.curves.sort((a, b) => place.get(a) - place.get(b));
  return panels.map((panel) => panel.curves).sort((a, b) => place.get(a[0]) - place.get(b[0]));
}

// Panels

/** Panels of curves one below the other, with one interval of time. */
export class Plots {
  /** @param {HTMLElement} holder
   * @param {{scene: object, player: object}} view */
  constructor(holder, { scene, player }) {
    Object.assign(this, { holder, scene, player });
    this.keys = [];
    this.panels = [];
    this.hover = null; // the time under the pointer
    this.span = null; // the interval that is shown; null: all
    player.on("time", () => this.drawCursors());
    player.on("clip", () => this.show(this.keys));
    player.on("options", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(holder);
    this.seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => this.panels.find(({ area }) => area === target)?.setSeen(isIntersecting)), { rootMargin: "80px" });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Shows the series with these keys. Lists of keys are those of the panels; else curves share panels by unit and size.
   * @param {string[]|string[][]} keys */
  show(keys) {
    const { scene, player } = this, index = new Map(scene.series.map((series, k) => [series.key, k]));
    this.keys = keys;
    const clips = scene.together ? scene.clips : scene.clips.length ? [player.current] : [];
    this.full = [player.start, player.end > player.start ? player.end : player.start + 1];
    if (this.span && (this.span[0] < this.full[0] || this.span[1] > this.full[1])) this.span = null;
    const curveOf = (key) => {
      const series = scene.series[index.get(key)];
      const lines = clips.map((clip) => ({ t: clip.t, y: clip.series.column(index.get(key)), color: scene.together ? clip.color : null }));
      const ranges = lines.map((line) => rangeOf(line.y)).filter(Boolean);
      const range = ranges.length ? [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))] : null;
      return { key, label: series.label || key, unit: series.unit, smallest: series.smallest ?? 0, noise: series.noise ?? 0, lines, range };
    };
    const curvesOf = (some) => some.filter((key) => index.has(key)).map(curveOf);
    const split = (curves) => (scene.together ? { panels: curves.map((curve) => [curve]), zeros: [] } : splitPanels(curves)); // colours are of the clips there
    const { panels, zeros } = Array.isArray(keys[0]) ? { panels: keys.map(curvesOf).filter((group) => group.length), zeros: [] } : split(curvesOf(keys));
    this.left = LEFT;
    this.panels = panels.map((group) => new CurvePanel(this, group));
    this.holder.replaceChildren(...this.panels.map((panel) => panel.element), ...zeroLine(zeros));
    this.seen.disconnect();
    for (const { area } of this.panels) this.seen.observe(area);
    this.draw();
  }

  get interval() {
    return this.span ?? this.full ?? [0, 1];
  }

  zoom(low, high) {
    const [start, end] = this.full, least = (end - start) * 1e-5;
    if (high - low >= (end - start) * 0.999) this.span = null;
    else {
      const length = Math.max(least, high - low), from = Math.min(Math.max(low, start), end - length);
      this.span = [from, from + length];
    }
    this.holder.dispatchEvent(new CustomEvent("fb-zoom"));
    this.draw();
  }

  /** The interval smaller or larger by a factor; the time `about` stays where it is. */
  zoomBy(factor, about) {
    const [low, high] = this.interval;
    this.zoom(about - (about - low) * factor, about + (high - about) * factor);
  }

  draw() {
    for (const panel of this.panels) panel.draw();
  }

  drawCursors() {
    for (const panel of this.panels) panel.drawCursor();
  }

  setHover(time) {
    if (time === this.hover) return;
    this.hover = time;
    this.drawCursors();
  }
}

/** A line that names rounding errors, with their largest values. */
function zeroLine(curves) {
  if (!curves.length) return [];
  const texts = curves.slice(0, MOST_ZEROS).map((curve) => `${label(curve.key, 40)} (${[format(curve.noise, 1), label(curve.unit || "", 16)].filter(Boolean).join(" ")})`);
  const more = curves.length > MOST_ZEROS ? ` and ${curves.length - MOST_ZEROS} more` : "";
  return [el("p", { class: "fb-faint fb-zeros" }, `zero to rounding: ${texts.join(", ")}${more}`)];
}

class CurvePanel {
  constructor(plots, curves) {
    Object.assign(this, { plots, curves, top: TOP });
    this.emphasised = null;
    this.unit = el("span", { class: "fb-plot-unit" });
    this.values = [];
    const names = curves.slice(0, MOST_NAMED).map((curve, k) => {
      const value = el("span", { class: "fb-plot-value" }), swatch = el("i", { class: "fb-swatch" });
      this.values.push({ value, swatch, curve });
      const emphasise = (on) => {
        this.emphasised = on ? k : null;
        this.draw();
      };
      return el(
        "span",
        { class: "fb-plot-name", title: label(curve.label, 400), onpointerenter: () => emphasise(true), onpointerleave: () => emphasise(false) },
        swatch, el("bdi", { class: "fb-ellipsis" }, label(curve.label)), value,
      );
    });
    if (curves.length > MOST_NAMED) names.push(el("span", { class: "fb-faint" }, `and ${curves.length - MOST_NAMED} more`));
    this.base = el("canvas");
    this.overlay = el("canvas", { role: "img", tabindex: "0", "aria-label": this.description() });
    this.area = el("div", { class: "fb-plot-area" }, this.base, this.overlay);
    this.element = el("div", { class: "fb-plot-panel" }, el("div", { class: "fb-plot-head" }, this.unit, el("div", { class: "fb-plot-names" }, ...names)), this.area);
    this.listen();
  }

  /** Panels out of sight are not drawn. */
  setSeen(seen) {
    this.hidden = !seen;
    if (seen) this.draw();
  }

  description() {
    const names = this.curves.slice(0, 6).map((curve) => label(curve.label, 40)).join(", ");
    return `Plot over time of ${names}${this.curves.length > 6 ? " and others" : ""}${this.curves[0].unit ? ` in ${label(this.curves[0].unit, 20)}` : ""}`;
  }

  // Drawing

  /** The size of the canvases and the colours of the page; false while the panel is not visible. */
  prepare() {
    const { width, height } = this.area.getBoundingClientRect(), ratio = Math.min(3, window.devicePixelRatio || 1);
    if (width < 60 || height < 40) return false;
    if (this.width !== width || this.height !== height || this.ratio !== ratio) {
      Object.assign(this, { width, height, ratio });
      for (const canvas of [this.base, this.overlay]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
    }
    const style = getComputedStyle(this.area), colour = (name, usual) => style.getPropertyValue(name).trim() || usual;
    this.ink = { text: colour("--fb-soft", "#555"), grid: colour("--fb-grid", "#e4e4e4"), axis: colour("--fb-faint", "#888"), cursor: colour("--fb-accent", "#c00"), paper: colour("--fb-paper", "#fff"), font: style.fontFamily };
    this.colours = style.colorScheme.includes("dark") ? COLOURS_ON_DARK : COLOURS;
    return true;
  }

  x(time) {
    const [low, high] = this.plots.interval;
    return this.left + ((time - low) / (high - low)) * (this.width - this.left - RIGHT);
  }

  timeAt(x) {
    const [low, high] = this.plots.interval;
    return low + ((x - this.left) / (this.width - this.left - RIGHT)) * (high - low);
  }

  y(value) {
    const [low, high] = this.limits;
    return this.top + ((high - value) / (high - low)) * (this.height - this.top - BOTTOM);
  }

  /** The left margin, which all panels have in common so that their times are one below the other. */
  get left() {
    return this.plots.left;
  }

  style(k) {
    const n = this.colours.length;
    return { color: this.colours[k % n], dashes: DASHES[Math.floor(k / n) % DASHES.length] };
  }

  draw() {
    if (this.hidden || !this.prepare()) return;
    const [from, to] = this.plots.interval, ranges = [];
    for (const curve of this.curves)
      for (const line of curve.lines) {
        line.from = Math.max(0, rowFrom(line.t, from) - 1);
        line.to = Math.min(line.t.length - 1, rowFrom(line.t, to) + 1);
        const range = rangeOf(line.y, line.from, line.to);
        if (range) ranges.push(...range);
      }
    const range = ranges.length ? rangeOf(ranges) : null;
    const smallest = Math.max(...this.curves.map((curve) => curve.smallest));
    this.limits = limits(range, smallest);
    const context = this.base.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = `11px ${this.ink.font}`;
    this.eventNames = this.placeEventNames(context);
    this.top = TOP + EVENT_ROW * this.eventNames.rows;
    const axis = this.valueAxis();
    const needed = Math.min(MOST_LEFT, Math.ceil(8 + Math.max(0, ...axis.texts.map((text) => context.measureText(text).width))));
    if (needed > this.left) {
      this.plots.left = needed;
      this.plots.draw();
      return;
    }
    this.drawAxes(context, axis);
    this.drawEvents(context);
    context.save();
    context.beginPath();
    context.rect(this.left, this.top - 2, this.width - this.left - RIGHT, this.height - this.top - BOTTOM + 4);
    context.clip();
    this.curves.forEach((curve, k) => {
      const style = this.style(k);
      for (const line of curve.lines) this.drawLine(context, line, line.color ? cssColour(line.color) : style.color, style.dashes, k);
    });
    context.restore();
    if (this.curves.some(({ noise }) => noise) && this.curves.every((curve) => curve.noise || largest(curve) === 0)) {
      context.fillStyle = this.ink.axis;
      context.textAlign = "left";
      context.fillText(`zero: rounding errors below ${format(smallest, 1)} ${label(this.curves[0].unit || "", 16)}`, this.left + 6, this.top + 10);
    }
    if (!range) {
      context.fillStyle = this.ink.axis;
      context.textAlign = "center";
      context.fillText(this.plots.scene.clips.length ? "no finite values" : "no recorded motion", (this.left + this.width) / 2, this.height / 2);
    }
    this.values.forEach(({ swatch, curve }, k) => {
      const style = this.style(k), color = style.color;
      swatch.hidden = Boolean(curve.lines[0]?.color);
      swatch.style.borderTop = `2.5px ${style.dashes.length ? (style.dashes[0] < 2 ? "dotted" : "dashed") : "solid"} ${color}`;
    });
    this.drawCursor();
  }

  /** The ticks of the values, three at least, with their texts: whole values up to a power of ten. */
  valueAxis() {
    const [low, high] = this.limits, most = Math.max(3, Math.floor((this.height - BOTTOM - this.top) / 30));
    const { values, step } = ticks(low, high, most, 3), exponent = commonExponent(Math.max(Math.abs(low), Math.abs(high))), factor = 10 ** -exponent;
    return { values, exponent, texts: values.map((value) => fixed(value * factor, decimalsOf(step * factor))) };
  }

  drawAxes(context, { values, exponent, texts }) {
    const bottom = this.height - BOTTOM, { left, top } = this, unit = label(this.curves[0].unit || "", 16);
    setText(this.unit, [exponent ? `×10${superscript(exponent)}` : "", unit].filter(Boolean).join(" "));
    context.lineWidth = 1;
    context.strokeStyle = this.ink.grid;
    context.fillStyle = this.ink.text;
    context.textAlign = "right";
    context.textBaseline = "middle";
    values.forEach((value, k) => {
      const y = Math.round(this.y(value)) + 0.5;
      strokeLine(context, left, y, this.width - RIGHT, y);
      context.fillText(texts[k], left - 5, y, left - 6);
    });
    const [from, to] = this.plots.interval, horizontal = ticks(from, to, Math.max(2, Math.floor((this.width - left) / 62)));
    context.textAlign = "center";
    context.textBaseline = "top";
    horizontal.values.forEach((value, k) => {
      const x = Math.round(this.x(value)) + 0.5, last = k === horizontal.values.length - 1;
      strokeLine(context, x, top, x, bottom);
      const text = fixed(value, decimalsOf(horizontal.step)) + (last ? " s" : ""), half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(x, this.width - half - 1), bottom + 4);
    });
    context.strokeStyle = this.ink.axis;
    strokeLine(context, left + 0.5, top, left + 0.5, bottom + 0.5);
    strokeLine(context, left, bottom + 0.5, this.width - RIGHT, bottom + 0.5);
  }

  /** The events in the interval that is shown. */
  get events() {
    const [from, to] = this.plots.interval;
    return (this.plots.player.current?.events ?? []).filter(([t]) => t >= from && t <= to);
  }

  /** Names of events above the first panel: each in the lowest row in which it meets no other. One that is shown already
   * is left out where the first row has no room; what has none in any row is counted. */
  placeEventNames(context) {
    if (this.plots.panels[0] !== this) return { names: [], rows: 0 };
    const { events } = this, ends = [], names = [], shown = new Set(), right = this.width - RIGHT;
    const many = events.length > MOST_MARKED;
    const put = (text, x, name, most) => {
      const width = context.measureText(text).width, start = x + width > right && x - width >= this.left ? x - width : x;
      const row = ends.findIndex((end) => start >= end), at = row < 0 ? ends.length : row;
      if (at >= most || (at && shown.has(name))) return;
      shown.add(name);
      ends[at] = start + width + 8;
      names.push({ text, x: start, row: at });
    };
    if (many) put(`${events.length} events: ${[...new Set(events.map(([, name]) => label(name, 30)))].slice(0, 5).join(", ")}`, this.left, "", 1);
    else for (const [t, name] of events) put(label(name, 40), this.x(t) + 2, name, EVENT_ROWS);
    const left = many ? 0 : events.filter(([, name]) => !shown.has(name)).length;
    if (left) names.push({ text: `no room for the names of ${left} of ${events.length} events`, x: this.left, row: ends.length });
    return { names, rows: ends.length + (left ? 1 : 0) };
  }

  drawEvents(context) {
    const { events, top } = this, bottom = this.height - BOTTOM, many = events.length > MOST_MARKED;
    context.strokeStyle = this.ink.axis;
    context.setLineDash(many ? [] : [1.5, 3]);
    for (const [t] of events) {
      const x = Math.round(this.x(t)) + 0.5;
      strokeLine(context, x, top, x, many ? top + 5 : bottom);
    }
    context.setLineDash([]);
    context.fillStyle = this.ink.axis;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    for (const { text, x, row } of this.eventNames.names) context.fillText(text, x, top - 3 - EVENT_ROW * row, this.width - x);
  }

  drawLine(context, { t, y, from, to }, color, dashes, k) {
    const faded = this.emphasised !== null && this.emphasised !== k;
    context.strokeStyle = color;
    context.lineWidth = this.emphasised === k ? 2.4 : 1.5;
    context.globalAlpha = faded ? 0.2 : 1;
    context.lineJoin = "round";
    context.setLineDash(dashes);
    context.beginPath();
    let drawing = false, points = 0, lastX = 0, lastY = 0;
    for (const row of thin(y, from, to, Math.ceil(this.width))) {
      if (!(Math.abs(y[row]) < HUGE)) {
        drawing = false;
        continue;
      }
      lastX = this.x(t[row]);
      lastY = this.y(y[row]);
      if (drawing) context.lineTo(lastX, lastY);
      else context.moveTo(lastX, lastY);
      drawing = true;
      points++;
    }
    context.stroke();
    context.setLineDash([]);
    if (points === 1) disc(context, lastX, lastY, 2.5, color);
    context.globalAlpha = 1;
  }

  /** The line at the present time, and at the pointer, with values in the legend. */
  drawCursor() {
    if (this.hidden || !this.width || !this.limits) return;
    const { hover, player } = this.plots, [from, to] = this.plots.interval, bottom = this.height - BOTTOM;
    const context = this.overlay.getContext("2d"), time = hover ?? player.t;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    if (this.selection) {
      const [a, b] = this.selection;
      context.fillStyle = this.ink.cursor;
      context.globalAlpha = 0.14;
      context.fillRect(Math.min(a, b), this.top, Math.abs(b - a), bottom - this.top);
      context.globalAlpha = 1;
    }
    if (player.t >= from && player.t <= to) {
      context.strokeStyle = this.ink.cursor;
      context.lineWidth = 1.5;
      strokeLine(context, this.x(player.t), this.top - 2, this.x(player.t), bottom);
    }
    if (hover !== null && hover >= from && hover <= to) this.drawHover(context, hover, bottom);
    const many = this.plots.scene.together;
    this.values.forEach(({ value, curve }, k) => {
      const numbers = curve.lines.map((line) => valueAt(line.t, line.y, time)).filter((v) => v === v);
      const zero = curve.range ? Math.max(curve.smallest, ROUNDING * Math.max(Math.abs(curve.range[0]), Math.abs(curve.range[1]))) : 0;
      if (!many && numbers.length && time >= from && time <= to)
        disc(context, this.x(time), this.y(numbers[0]), 3, this.style(k).color, this.ink.paper);
      const text = !numbers.length ? "–" : many ? `${format(Math.min(...numbers), 3, zero)} … ${format(Math.max(...numbers), 3, zero)}` : format(numbers[0], 4, zero);
      setText(value, text);
    });
  }

  drawHover(context, time, bottom) {
    const x = this.x(time), [from, to] = this.plots.interval;
    context.strokeStyle = this.ink.axis;
    context.lineWidth = 1;
    strokeLine(context, x, this.top, x, bottom);
    const text = `${fixed(time, decimalsOf((to - from) / 500))} s`;
    context.font = `11px ${this.ink.font}`;
    const half = context.measureText(text).width / 2 + 4, at = Math.max(this.left + half, Math.min(this.width - half, x));
    context.fillStyle = this.ink.paper;
    context.fillRect(at - half, bottom + 2, 2 * half, BOTTOM - 2);
    context.fillStyle = this.ink.text;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.fillText(text, at, bottom + 4);
  }

  // Pointers: click to go to a time, drag the cursor, drag elsewhere to zoom, two fingers to zoom, wheel where focused.

  listen() {
    const target = this.overlay, pointers = new Map(), { plots } = this, { player } = plots;
    let mode = null, pinch = null;
    const at = (event) => event.clientX - this.area.getBoundingClientRect().left;
    const nearCursor = (x) => Math.abs(x - this.x(player.t)) <= NEAR;
    const seek = (x) => {
      player.pause();
      player.seek(this.timeAt(x));
    };
    target.addEventListener("pointerdown", (event) => {
      if (!this.limits || event.button > 0) return;
      target.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, at(event));
      const x = at(event), onAxis = event.clientY - this.area.getBoundingClientRect().top > this.height - BOTTOM;
      if (pointers.size === 2) {
        mode = "pinch";
        pinch = { xs: [...pointers.values()], interval: [...plots.interval] };
        this.selection = null;
      } else if (event.pointerType === "touch" || nearCursor(x) || onAxis) {
        mode = "seek";
        seek(x);
      } else {
        mode = "select";
        this.selection = [x, x];
      }
    });
    target.addEventListener("pointermove", (event) => {
      const x = at(event);
      if (!pointers.has(event.pointerId)) {
        if (this.limits && event.pointerType !== "touch") {
          target.style.cursor = nearCursor(x) ? "ew-resize" : "crosshair";
          plots.setHover(x >= this.left && x <= this.width - RIGHT ? this.timeAt(x) : null);
        }
        return;
      }
      pointers.set(event.pointerId, x);
      if (mode === "seek") seek(x);
      else if (mode === "select") {
        this.selection[1] = Math.max(this.left, Math.min(this.width - RIGHT, x));
        plots.setHover(this.timeAt(this.selection[1]));
      } else if (mode === "pinch" && pointers.size === 2) this.pinch(pinch, [...pointers.values()]);
    });
    const end = (event) => {
      if (!pointers.delete(event.pointerId)) return;
      if (mode === "select" && this.selection) {
        const [a, b] = this.selection;
        this.selection = null;
        if (event.type === "pointerup" && Math.abs(b - a) < 5) seek(a);
        else if (event.type === "pointerup") plots.zoom(this.timeAt(Math.min(a, b)), this.timeAt(Math.max(a, b)));
        else this.drawCursor();
      }
      if (!pointers.size) mode = null;
    };
    target.addEventListener("pointerup", end);
    target.addEventListener("pointercancel", end);
    target.addEventListener("pointerleave", () => plots.setHover(null));
    target.addEventListener("dblclick", () => plots.zoom(-Infinity, Infinity));
    target.addEventListener("wheel", (event) => {
      // A page or a list scrolls past plots; a plot that was clicked, or Ctrl, zooms.
      if (!(event.ctrlKey || document.activeElement === target) || !this.limits) return;
      event.preventDefault();
      const [low, high] = plots.interval, shift = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (Math.abs(shift) > Math.abs(event.shiftKey ? 0 : event.deltaY)) plots.zoom(low + ((high - low) * shift) / 600, high + ((high - low) * shift) / 600);
      else plots.zoomBy(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), this.timeAt(at(event)));
    }, { passive: false });
  }

  /** The times that were under two fingers stay under them. */
  pinch({ xs, interval: [low, high] }, now) {
    const width = this.width - this.left - RIGHT, time = (x) => low + ((x - this.left) / width) * (high - low);
    const distance = now[1] - now[0], before = time(xs[1]) - time(xs[0]);
    if (Math.abs(distance) < 8 || before / distance <= 0) return;
    const perPixel = before / distance, from = time(xs[0]) - (now[0] - this.left) * perPixel;
    this.plots.zoom(from, from + width * perPixel);
  }
}

function strokeLine(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

function disc(context, x, y, radius, color, rim = null) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  if (rim) {
    context.strokeStyle = rim;
    context.lineWidth = 1;
    context.stroke();
  }
}
