// Numbers as a reader wants them: round ticks, few digits, a true minus sign.

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number with some significant digits; values below `zero` are rounding and shown as 0. */
export function format(value, digits = 4, zero = 0) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0 || Math.abs(value) <= zero) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e") : trim(value.toPrecision(digits));
  return text.replaceAll("-", "−");
}

function trim(text) {
  if (text.includes("e")) return String(+text);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A number of fixed decimals, which does not jitter while it changes. */
export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return (+text === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** The decimals that distinguish values which are `step` apart. */
export function decimalsOf(step) {
  return Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

/** Multiples of 1, 2 or 5 times a power of ten within an interval: about `most` of them at most, and `least` at least. */
export function ticks(low, high, most, least = 2) {
  const raw = (high - low) / Math.max(1, most);
  if (!(raw > 0) || !Number.isFinite(raw)) return { values: [], step: 1 };
  const decade = 10 ** Math.floor(Math.log10(raw));
  const steps = [10, 5, 2, 1, 0.5, 0.2].map((m) => m * decade), count = (step) => Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;
  const coarse = steps.findLastIndex((step) => step >= raw * (1 - 1e-9)), step = steps.slice(coarse).find((s) => count(s) >= least) ?? steps[coarse];
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && values.length < 100; k++) values.push(k * step || 0);
  return { values, step };
}

/** The power of ten that ticks of very large or very small numbers have in common, else 0. */
export function commonExponent(size) {
  if (!(size > 0)) return 0;
  const exponent = Math.floor(Math.log10(size) + 1e-9);
  return exponent > 4 || exponent < -2 ? 3 * Math.floor(exponent / 3) : 0;
}

export function superscript(integer) {
  return String(integer).replace("-", "⁻").replace(/\d/g, (d) => SUPERSCRIPT[d]);
}
