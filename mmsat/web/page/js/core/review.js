// The rating of a guess in a review: its class, its cost and its luck, as data and in words.

import { spell } from "./notation.js";
import { decimal, fraction, percent } from "./numbers.js";
import { codeNoun } from "./words.js";

/**
 * A guess in a review: GuessReviewJson in mmsat/play/review_result.py.
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
 * @property {boolean} exact
 * @property {number | null} luckier
 * @property {number | null} equally_lucky
 * @property {number} expected_bits
 * @property {number[] | null} [informative]
 * @property {number | null} [most_bits]
 * @property {number | null} [breach] In hard mode, the first row whose information the guess ignores.
 */

/** @typedef {"best" | "good" | "inaccurate" | "mistake" | "wasted"} MoveClass */

const BY_GUESSES = "best-play";
const GOOD_LOSS = 0.1; // in guesses
const INACCURATE_LOSS = 0.3;
// Information of the guess divided by the maximum, or cost of the best guess divided by its cost.
const GOOD_SKILL = 0.9;
const INACCURATE_SKILL = 0.7;
const LEAST_SHOWN = 0.01; // in guesses; a smaller loss is shown as "less than 0.01"
const [UNLUCKY, LUCKY] = [0.35, 0.65];

/** @type {(move: Move) => MoveClass} */
export function classify(move) {
  if (move.loss === "0") return "best";
  if (move.expected_bits === 0) return "wasted";
  if (move.by === BY_GUESSES) {
    const loss = fraction(move.loss);
    return loss <= GOOD_LOSS ? "good" : loss <= INACCURATE_LOSS ? "inaccurate" : "mistake";
  }
  // Costs in codes are large at the start of a game, so information is a fairer measure.
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
 * Return the loss of a guess compared with the best guess. `by` is the measure of the costs.
 *
 * @type {(loss: string, by: Move["by"], noun?: string) => string}
 */
export function lossText(loss, by, noun = "code") {
  if (loss === "0") return "";
  if (by !== BY_GUESSES) return `leaves ${decimal(loss)} more ${noun}${loss === "1" ? "" : "s"} on average`;
  const lost = fraction(loss);
  const amount = lost < LEAST_SHOWN ? `less than ${LEAST_SHOWN}` : Number(lost.toFixed(2));
  return `costs ${amount} ${amount === 1 ? "guess" : "guesses"}`;
}

/**
 * Return the luck of a score; "" if it is unknown, or if only one score was possible.
 *
 * @type {(move: Move) => string}
 */
export function luckText({ luckier, codes_before, expected_bits }) {
  if (luckier === null || codes_before === "1" || expected_bits === 0) return "";
  return luckier >= LUCKY ? "lucky" : luckier <= UNLUCKY ? "unlucky" : "average luck";
}

/** @type {(share: number) => string} */
const percentOf = (share) => percent(String(share.toFixed(4)));

/**
 * Return sentences about a guess, except for its class, its luck and the numbers of codes.
 *
 * @type {(game: import("./types.js").Game, move: Move) => string[]}
 */
export function moveText(game, move) {
  const { possible, by, cost, best, best_cost, loss, exact, informative, expected_bits, most_bits } = move;
  const [verb, unit] = by === BY_GUESSES ? ["needs", "guesses"] : ["leaves", `${codeNoun(game)}s`];
  /** @type {(value: string) => string} */
  const amount = (value) => `${exact ? "" : "about "}${decimal(value)}`;
  const rival = loss === "0" ? (exact ? "no guess" : "no guess that was tried") : spell(game, best);
  const less = loss === "0" ? "fewer" : amount(best_cost);
  const texts = [
    `It was ${possible ? "a possible" : "not a possible"} ${codeNoun(game)}. It ${verb} ${amount(cost)} ${unit} on average, and ${rival} ${verb} ${less}.`,
  ];
  if (informative && most_bits) {
    const bits = `It gives ${expected_bits.toFixed(2)} bits of information on average`;
    const isMost = most_bits === expected_bits;
    texts.push(
      isMost
        ? `${bits}, and no guess gives more.`
        : `${bits}, and ${spell(game, informative)} ${most_bits.toFixed(2)}.`,
    );
  }
  const { luckier, equally_lucky: equal } = move;
  if (move.codes_after === "0") texts.push(`No ${codeNoun(game)} gets this score and those before it.`);
  else if (luckier !== null && equal !== null && move.codes_before !== "1")
    texts.push(
      luckier - equal / 2 < 1e-6
        ? `No other ${codeNoun(game)} would have given a less lucky score.`
        : `For ${percentOf(luckier - equal / 2)} of the ${codeNoun(game)}s, the score would have been less lucky.`,
    );
  return texts;
}

/**
 * Return the guesses that are worth improving: inaccurate guesses and worse ones, in the order of play.
 *
 * @type {(moves: Move[]) => Move[]}
 */
export const lessons = (moves) => moves.filter((move) => !["best", "good"].includes(classify(move)));

/**
 * Return the difference of two fractions, as a fraction in lowest terms.
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
