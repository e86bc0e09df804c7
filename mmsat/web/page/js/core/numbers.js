// Counts and fractions of any size as text. The server sends them as strings.

const MAX_DIGITS = 40; // longer numbers are rounded for display
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SCALE = 1_000_000;

/** @type {(digits: string) => string} */
const group = (digits) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

/**
 * Return a large number in scientific notation with three digits.
 *
 * @type {(digits: string) => string}
 */
function scientific(digits) {
  const exponent = [...String(digits.length - 1)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `about ${digits[0]}.${digits.slice(1, 3)} × 10${exponent}`;
}

/** @typedef {number | bigint | string} Whole An integer, or its digits. */

/**
 * Return an integer with its digits in groups of three. A very long number is rounded.
 *
 * @type {(value: Whole) => string}
 */
export function number(value) {
  const digits = String(value);
  return digits.length > MAX_DIGITS ? scientific(digits) : group(digits);
}

/**
 * Return the numerator and the denominator of a fraction such as "304/13".
 *
 * @type {(text: Whole) => [string, string]}
 */
const split = (text) => {
  const [above, below = "1"] = String(text).split("/");
  return [above, below];
};

/**
 * Return the value of a fraction, possibly negative. It is Infinity above 10^308.
 *
 * @type {(text: Whole) => number}
 */
export function fraction(text) {
  const [above, below] = split(text);
  const surplus = Math.max(0, Math.min(above.length, below.length) - 30);
  return Number(above.slice(0, above.length - surplus)) / Number(below.slice(0, below.length - surplus));
}

/**
 * Return a fraction as a decimal number with three significant digits.
 *
 * @type {(text: Whole) => string}
 */
export function decimal(text) {
  const value = fraction(text);
  if (value < 1e15) {
    return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 3 }).replaceAll(",", "\u202f");
  }
  const [above, below] = split(text);
  return rounded(BigInt(above) / BigInt(below), 3);
}

/**
 * Return the estimated number of codes: `value` of `judgedBy` sampled codes, scaled to `codes` codes, with two
 * significant digits. If the number of codes is unknown (null), return the fraction as a percentage.
 *
 * @type {(value: number, codes: Whole | null, judgedBy: number) => string}
 */
export function estimated(value, codes, judgedBy) {
  if (codes === null) return `≈\u202f${percent(String(value / judgedBy))}`;
  const units = BigInt(codes) * BigInt(Math.round(value * SCALE));
  const whole = units / (BigInt(judgedBy) * BigInt(SCALE));
  if (whole >= 100n) return `≈\u202f${rounded(whole, 2).replace("about ", "")}`;
  return `≈\u202f${Number((Number(units) / judgedBy / SCALE).toPrecision(2))}`;
}

/**
 * Return a rounded integer such as "1300", "1.3 million" or "1.3 billion". Words are narrower
 * than many digits, and can wrap.
 *
 * @type {(whole: bigint, significant: number) => string}
 */
function rounded(whole, significant) {
  const digits = String(whole);
  if (digits.length > 15) return scientific(digits);
  const value = Number(Number(digits).toPrecision(significant));
  if (value < 1e6) return group(String(value));
  return value.toLocaleString("en", {
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: significant,
  });
}

/** @type {(text: Whole) => string} */
export function percent(text) {
  const value = 100 * fraction(text);
  if (value < 100 && value >= 99.5) return "over 99 %";
  if (value > 0 && value < 0.001) return "< 0.001 %";
  return `${value >= 10 || value === 0 ? Math.round(value) : Number(value.toPrecision(2))} %`;
}

/**
 * Return probabilities as percentages with the same number of decimals, so that they can be compared and added: without
 * decimals, or with one decimal if one of them is below 1 %. Unknown probabilities are "".
 *
 * @type {(chances: (Whole | null)[]) => string[]}
 */
export function percentages(chances) {
  const values = chances.map((chance) => (chance === null ? null : 100 * fraction(chance)));
  const digits = values.some((value) => value && value < 1) ? 1 : 0;
  const least = digits ? 0.1 : 1;
  return values.map((value) => {
    if (value === null) return "";
    const text = value.toFixed(digits);
    if (value > 0 && Number(text) < least) return `< ${least} %`;
    if (value < 100 && Number(text) === 100) return `over ${digits ? 99.9 : 99} %`;
    return `${Number(text) === 0 || Number(text) === 100 ? Number(text) : text} %`;
  });
}

/**
 * Return the logarithm to base 2 of an integer.
 *
 * @type {(digits: Whole) => number}
 */
export function log2(digits) {
  const text = String(digits);
  const dropped = Math.max(0, text.length - 300);
  return Math.log2(Math.max(1, Number(text.slice(0, text.length - dropped)))) + dropped * Math.log2(10);
}

/**
 * Return a number with its noun: "1 code", "2 codes".
 *
 * @type {(count: Whole, noun: string) => string}
 */
export const quantity = (count, noun) => `${number(count)} ${noun}${String(count) === "1" ? "" : "s"}`;

/**
 * Return a list of rows: "row 2", "rows 2 and 5", "rows 1, 2 and 5".
 *
 * @type {(rows: Iterable<number>) => string}
 */
export function rowList(rows) {
  const [last, ...others] = [...rows].reverse();
  return others.length ? `rows ${others.reverse().join(", ")} and ${last}` : `row ${last}`;
}

/**
 * Return a number between two bounds as text: "2", "at least 1", "0–1", or "" if nothing is
 * known. `all` is its maximum.
 *
 * @type {(bounds: [number, number], all: number) => string}
 */
export function range([low, high], all) {
  if (low === high) return String(low);
  if (high === all) return low ? `at least ${low}` : "";
  return `${low}–${high}`;
}
