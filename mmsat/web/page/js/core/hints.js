// Hints for a puzzle. Each step of the deduction has three hints: where to look, what follows
// there, and the complete step.

import { quantity, rowList } from "./numbers.js";
import { colorNames, placeNames, placeNoun } from "./phrases.js";
import { stepLines } from "./steps.js";

/** @import { Fact, ScoredRow } from "./phrases.js" */
/** @import { Line, Steps } from "./steps.js" */
/** @import { Game } from "./types.js" */

/** @typedef {{text: string, rows: number[], strength: number}} Hint */

export const STRENGTHS = 3;

/**
 * Return the lines of a step as one text.
 *
 * @type {(lines: Line[], index: number) => string}
 */
function wholeStep(lines, index) {
  const own = String(index + 1);
  const whole = lines.filter(({ number }) => number === own || number.startsWith(`${own}.`));
  return whole.map(({ text }) => text).join(" ");
}

/**
 * Return the steps that the earlier hints gave completely. The first hint has number 0.
 *
 * @type {(game: Game, rows: ScoredRow[], answer: Steps, number: number) => string[]}
 */
export function stepsBefore(game, rows, answer, number) {
  const lines = stepLines(game, rows, answer);
  const count = Math.min(answer.steps.length, Math.floor(number / STRENGTHS));
  return Array.from({ length: count }, (_, index) => wholeStep(lines, index));
}

/** @type {(numbers: number[]) => number[]} */
const distinct = (numbers) => [...new Set(numbers)].sort((one, other) => one - other);

/** @type {(game: Game, found: Fact[]) => string} */
function subject(game, found) {
  const pegs = distinct(found.flatMap(({ peg }) => (peg === undefined ? [] : [peg])));
  const colors = distinct(found.flatMap(({ peg, color }) => (peg === undefined ? [color] : [])));
  const subjects = [];
  if (pegs.length) subjects.push(placeNames(game, pegs));
  if (colors.length) subjects.push(`the number of ${placeNoun(game)}s of ${colorNames(game, colors)}`);
  return subjects.join(" and ");
}

/**
 * Return the hint with the given number. The first hint has number 0. After the last step, the hint is the conclusion
 * of all steps. Colors in the text are written as in phrases.js.
 *
 * @param {Game} game
 * @param {ScoredRow[]} rows
 * @param {Steps} answer
 * @param {number} number
 * @returns {Hint}
 */
export function hintAt(game, rows, answer, number) {
  const index = Math.floor(number / STRENGTHS);
  const strength = (number % STRENGTHS) + 1;
  const step = answer.steps[index];
  const lines = stepLines(game, rows, answer);
  if (!step) {
    const conclusion = lines.find((line, n) => n > 0 && line.number === "");
    return { text: conclusion?.text ?? "", rows: [], strength: STRENGTHS };
  }
  const where = `Look at ${step.rows.length ? rowList(step.rows) : "what is known so far"}`;
  const text = [
    `${where}${index ? ", with what you know from the earlier steps" : ""}.`,
    step.supposed
      ? `${where}: suppose the opposite of what you want to show, and look for a contradiction.`
      : `${where}: what follows there is about ${subject(game, step.found) || quantity(step.rows.length, "row")}.`,
    wholeStep(lines, index),
  ][strength - 1];
  return { text, rows: step.rows, strength };
}
