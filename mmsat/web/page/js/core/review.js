// What a review says about a guess: its class, its cost and its luck, as data and in words.

import { decimal, fraction } from "./numbers.js";

/**
 * One guess of a review: GuessReviewJson in mmsat/play/review_result.py.
 *
 * @typedef {object} Move
 * @property {number} row
 * @property {string | null} codes_before
 * @property {string | null} codes_after
 * @property {boolean} possible
 * @property {"best-play" | "expected-codes"} by
 * @property {string} cost
 * @property {number[]} best
 * @property {string} best_cost
 * @property {string} loss
 * @property {number} skill
 * @property {number | null} luckier
 * @property {number} expected_bits
 * @property {number | null} [most_bits]
 */

/** @typedef {"best" | "good" | "inaccurate" | "mistake" | "wasted"} MoveClass */

const BY_GUESSES = "best-play";
const GOOD_LOSS = 0.1; // guesses
const INACCURATE_LOSS = 0.3;
const GOOD_SKILL = 0.9; // the cost of the best guess divided by that of this one
const INACCURATE_SKILL = 0.7;
const [UNLUCKY, LUCKY] = [0.35, 0.65];

/** @type {(move: Move) => MoveClass} */
export function classify(move) {
  if (move.loss === "0") return "best";
  if (move.expected_bits === 0) return "wasted";
  if (move.by === BY_GUESSES) {
    const loss = fraction(move.loss);
    return loss <= GOOD_LOSS ? "good" : loss <= INACCURATE_LOSS ? "inaccurate" : "mistake";
  }
  // costs in codes are large at the start of a game, so information is the fairer measure
  const skill = move.most_bits ? move.expected_bits / move.most_bits : move.skill;
  return skill >= GOOD_SKILL ? "good" : skill >= INACCURATE_SKILL ? "inaccurate" : "mistake";
}

/** @type {Record<MoveClass, {sign: string, text: string}>} */
export const CLASSES = {
  best: { sign: "★", text: "best" },
  good: { sign: "✓", text: "good" },
  inaccurate: { sign: "?!", text: "inaccurate" },
  mistake: { sign: "?", text: "mistake" },
  wasted: { sign: "??", text: "no information" },
};

/**
 * What a guess lost against the best one, by a cost and the measure of the costs.
 *
 * @type {(loss: string, by: Move["by"]) => string}
 */
export function lossText(loss, by) {
  if (loss === "0") return "";
  return by === BY_GUESSES ? `costs ${decimal(loss)} guesses` : `leaves ${decimal(loss)} more codes on average`;
}

/**
 * The luck of a score; empty if it is unknown, or if only one score was possible.
 *
 * @type {(move: Move) => string}
 */
export function luckText({ luckier, codes_before, expected_bits }) {
  if (luckier === null || codes_before === "1" || expected_bits === 0) return "";
  return luckier >= LUCKY ? "lucky" : luckier <= UNLUCKY ? "unlucky" : "average luck";
}

/**
 * The guesses from which one can learn most: inaccurate ones and worse, in the order of play.
 *
 * @type {(moves: Move[]) => Move[]}
 */
export const lessons = (moves) => moves.filter((move) => !["best", "good"].includes(classify(move)));

/**
 * The difference of two fractions, as a fraction in lowest terms.
 *
 * @type {(one: string, other: string) => string}
 */
export function difference(one, other) {
  const [a, b = "1"] = one.split("/");
  const [c, d = "1"] = other.split("/");
  const above = BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b);
  const below = BigInt(b) * BigInt(d);
  let [x, y] = [above < 0n ? -above : above, below];
  while (y) [x, y] = [y, x % y];
  const bottom = below / x;
  return bottom === 1n ? String(above / x) : `${above / x}/${bottom}`;
}
