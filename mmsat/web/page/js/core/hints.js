// Hints for a puzzle, in three strengths for each step of the deduction: where to look, what
// follows there, and the whole step.

import { quantity, rowList } from "./numbers.js";

/**
 * @typedef {object} Fact A color of a peg, or a bound on the number of pegs of a color.
 * @property {number} [peg]
 * @property {number} color
 */

/**
 * @typedef {object} Steps The answer of the server to `steps`.
 * @property {{steps: {rows: number[], found: Fact[], supposed: object | null}[]}} answer
 * @property {string[]} sentences
 * @property {(object | null)[]} frames
 */

/** @typedef {{text: string, rows: number[], strength: number}} Hint */

export const STRENGTHS = 3;

/** @type {(numbers: number[], noun: string) => string} */
const list = (numbers, noun) => {
  const distinct = [...new Set(numbers)].sort((one, other) => one - other);
  return rowList(distinct).replace("row", noun);
};

/** @type {(found: Fact[]) => string} */
function subject(found) {
  const pegs = found.flatMap(({ peg }) => (peg === undefined ? [] : [peg]));
  const colors = found.flatMap(({ peg, color }) => (peg === undefined ? [color] : []));
  const subjects = [];
  if (pegs.length) subjects.push(list(pegs, "peg"));
  if (colors.length) subjects.push(`the number of pegs of ${list(colors, "color")}`);
  return subjects.join(" and ");
}

/**
 * A hint; the first one has number 0. After the last step, the hint is its conclusion.
 *
 * @param {Steps} steps
 * @param {number} number
 * @returns {Hint}
 */
export function hintAt({ answer, sentences, frames }, number) {
  const index = Math.floor(number / STRENGTHS);
  const strength = (number % STRENGTHS) + 1;
  const step = answer.steps[index];
  if (!step) return { text: sentences.at(-1) ?? "", rows: [], strength: STRENGTHS };
  const where = `Look at ${step.rows.length ? rowList(step.rows) : "what is known so far"}`;
  const whole = sentences.filter((_, n) => frames.length === 0 || frames[n] !== null)[index] ?? "";
  const text = [
    `${where}${index ? ", with what you know from the earlier steps" : ""}.`,
    step.supposed
      ? `${where}: suppose the opposite of what you want to show, and look for a contradiction.`
      : `${where}: what follows there is about ${subject(step.found) || quantity(step.rows.length, "row")}.`,
    whole,
  ][strength - 1];
  return { text, rows: step.rows, strength };
}
