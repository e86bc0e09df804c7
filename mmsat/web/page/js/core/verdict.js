// Contradictions between scores in words: the likely mistakes, and the corrections.

import { fraction, percent, quantity, rowList } from "./numbers.js";
import { capital, codeNoun, shortScore, speak } from "./words.js";

/** @import { Cell, Game } from "./types.js" */

/** @typedef {{row: number, from: Cell[], to: Cell[], slip: string}} Change */

/** @typedef {{changes: Change[], codes: string | null, chance: string | null}} Correction */

/**
 * @typedef {object} Contradiction The answer of the server to `check` or `explain`.
 * @property {{row: number, chance: string}[]} [mistaken]
 * @property {boolean} [mistaken_exactly]
 * @property {boolean} [all_corrections] Only of `explain`.
 * @property {number[] | null} [conflict] Only of `check`.
 * @property {number[][]} [conflicts] Only of `explain`.
 */

const MAX_LISTED = 4;
const CLEAR = 0.505; // above this probability, a row is called "probably wrong"
const NEAR = 0.95; // probabilities count as equal if their ratio is at least this

/**
 * Return the rows that are most likely wrong, the probability of each, and the expected number of wrong scores.
 *
 * Probabilities that differ little count as equal; `chance` is their mean.
 *
 * @type {(found: Contradiction | undefined) => {rows: number[], chance: number, isEqual: boolean, wrong: number}}
 */
export function suspects(found) {
  const chances = (found?.mistaken ?? []).map(({ row, chance }) => ({ row, chance: fraction(chance) }));
  const chance = Math.max(0, ...chances.map((each) => each.chance));
  // A row that is certainly wrong is not listed together with a row that is only likely to be wrong.
  const limit = chance === 1 ? chance : NEAR * chance;
  const near = chances.filter((each) => chance && each.chance >= limit);
  const isEqual = near.every((each) => each.chance === chance);
  const mean = near.reduce((sum, each) => sum + each.chance, 0) / near.length;
  const rows = near.map(({ row }) => row);
  return {
    rows,
    chance: isEqual ? chance : mean,
    isEqual,
    wrong: Math.round(chances.reduce((sum, each) => sum + each.chance, 0)),
  };
}

/**
 * Return "probably wrong" or "perhaps wrong" for a row whose score is likely wrong; "" for other rows.
 *
 * @type {(found: Contradiction | undefined, row: number) => string}
 */
export function suspicion(found, row) {
  const { rows, chance } = suspects(found);
  if (!rows.includes(row)) return "";
  return chance > CLEAR ? "probably wrong" : "perhaps wrong";
}

const MAX_NAMED = 3; // the number of rows that fit on one line of a phone

/**
 * Return the rows that are most likely wrong as a short sentence; "" if there are too many.
 *
 * @type {(found: Contradiction | undefined) => string}
 */
export function suspectsInWords(found) {
  const { rows } = suspects(found);
  return rows.length && rows.length <= MAX_NAMED ? `${capital(suspicion(found, rows[0]))}: ${rowList(rows)}.` : "";
}

/**
 * Return the sentence about the rows that are most likely wrong; "" if there is no such sentence.
 *
 * @type {(found: Contradiction | undefined) => string}
 */
export function mistakes(found) {
  const { rows, chance, isEqual, wrong } = suspects(found);
  if (!rows.length || !found) return "";
  const names = capital(rowList(rows));
  const nouns = rows.length === 1 ? "mistake" : "mistakes";
  if (chance === 1) {
    const conflict = found.conflicts?.[0] ?? found.conflict;
    const isObvious = wrong === 1 && conflict?.length === 1;
    if (isObvious || !(found.all_corrections ?? found.mistaken_exactly)) return "";
    const article = rows.length === wrong ? "the " : rows.length === 1 ? "a " : "";
    const scores = wrong === 1 ? "one score is" : `${wrong} scores are`;
    return `${names} must be ${article}${nouns} if only ${scores} wrong.`;
  }
  const each = `${found.mistaken_exactly && isEqual ? "" : "about "}${percent(String(chance))}${rows.length > 1 ? " each" : ""}`;
  if (rows.length > MAX_LISTED) return `${rows.length} rows are equally likely mistakes (${each}).`;
  return `${names} ${rows.length > 1 ? "are the most likely mistakes" : "is the most likely mistake"} (${each}).`;
}

/**
 * Return changes as text: "row 3 was 2 black 1 white".
 *
 * @type {(game: Game, changes: {row: number, to: Cell[]}[]) => string}
 */
export const changesInWords = (game, changes) =>
  changes.map(({ row, to }) => `row ${row} was ${shortScore(game, to)}`).join(" and ");

/**
 * Return the kinds of the mistakes of a correction, such as "a black was taken for a white".
 *
 * @type {(changes: {slip: string}[]) => string}
 */
export const slips = (changes) => [...new Set(changes.map(({ slip }) => slip))].filter(Boolean).join("; ");

/**
 * Return the corrections that are at least as likely as all others.
 *
 * @type {(corrections: Correction[]) => Correction[]}
 */
export function likeliest(corrections) {
  const highest = Math.max(0, ...corrections.map(({ chance }) => (chance === null ? 0 : fraction(chance))));
  return corrections.filter(({ chance }) => chance !== null && fraction(chance) === highest);
}

/**
 * Return the sentence about the most likely corrections; "" if their probabilities are unknown. If several corrections
 * are equally likely, none is preferred.
 *
 * @type {(game: Game, corrections: Correction[]) => string}
 */
export function correctionsInWords(game, corrections) {
  const best = likeliest(corrections);
  if (!best.length) return "";
  const words = best.map(({ changes }) => changesInWords(game, changes));
  const chance = percent(String(best[0].chance));
  if (best.length > 1) {
    const listed = best.length > MAX_LISTED ? "" : `: ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    return `${best.length} corrections are equally likely, ${chance} each${listed}.`;
  }
  const [{ changes, codes }] = best;
  if (changes.length > MAX_LISTED) return "";
  const kinds = speak(game, slips(changes));
  const before = changes.map(({ from }) => shortScore(game, from)).join(" and ");
  const remaining =
    codes === null ? "the scores fit" : `${quantity(codes, codeNoun(game))} ${codes === "1" ? "remains" : "remain"}`;
  return `If ${words[0]} instead of ${before}${kinds ? ` (${kinds})` : ""}, ${remaining}.`;
}
