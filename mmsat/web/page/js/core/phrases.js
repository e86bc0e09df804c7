// Statements about the code in words: colors of pegs, numbers of pegs, and why rows contradict each other. The command
// line prints the same sentences (mmsat/diagnosis/sentences.py); a test compares them.
//
// A color in a text is its number between two special characters, so that a view can draw the color as a peg.

import { spellScore, symbolOf, UNREAD } from "./notation.js";
import { number, quantity, rowList } from "./numbers.js";
import { plainScore } from "./words.js";

/** @import { Cell, Game } from "./types.js" */

/**
 * @typedef {object} Fact A peg has a color, or at least `least` pegs have it; if not `true`, the negation.
 * @property {number} [peg]
 * @property {number} color
 * @property {number} [least]
 * @property {boolean} true
 */

/**
 * @typedef {object} Reason Why rows contradict each other: ReasonJson in mmsat/diagnosis/explanation.py.
 * @property {"impossible-score" | "one-guess" | "no-word" | "too-many-pegs" | "facts"} kind
 * @property {{row: number, facts?: Fact[], score?: (Cell)[], pegs?: number}[]} facts
 * @property {string} [rule]
 */

/** @typedef {{guess: Cell[], score: Cell[]}} ScoredRow */

const [BEGIN, END] = ["\ue000", "\ue001"];
const COLOR = /\ue000(\d+)\ue001/;
const OMITTED_NOUNS = ["letter", "digit"]; // nouns that sentences omit before a symbol

/** @type {(color: number) => string} */
const name = (color) => `${BEGIN}${color}${END}`;

/**
 * Split a text into strings and the numbers of colors.
 *
 * @type {(text: string) => (string | number)[]}
 */
export const pieces = (text) => text.split(COLOR).map((piece, n) => (n % 2 ? Number(piece) : piece));

/**
 * Return a text with the symbols of its colors.
 *
 * @type {(game: Game, text: string) => string}
 */
export const plain = (game, text) =>
  pieces(text)
    .map((piece) => (typeof piece === "number" ? symbolOf(game, piece) : piece))
    .join("");

/** @type {(words: (string | number)[], conjunction?: string) => string} */
export function joinWords(words, conjunction = "and") {
  const [last, ...others] = [...words].reverse();
  return others.length ? `${others.reverse().join(", ")} ${conjunction} ${last}` : String(last);
}

/** @type {(noun: string, count: number) => string} */
const plural = (noun, count) => (count === 1 ? noun : `${noun}${/(s|x|ch|sh)$/.test(noun) ? "es" : "s"}`);

/** @type {(noun: string, names: (string | number)[]) => string} */
const nounPhrase = (noun, names) => `${plural(noun, names.length)} ${joinWords(names)}`;

/** @type {(things: unknown[]) => string} */
const be = (things) => (things.length === 1 ? "is" : "are");

/** @type {(game: Game) => string} */
export const placeNoun = (game) => (game.marks.length || game.words ? "place" : "peg");

/** @type {(game: Game, pegs: number[]) => string} */
export const placeNames = (game, pegs) => nounPhrase(placeNoun(game), pegs);

/** @type {(game: Game, colors: number[], conjunction?: string) => string} */
export function colorNames({ noun }, colors, conjunction = "and") {
  const names = colors.map(name);
  if (OMITTED_NOUNS.includes(noun)) return joinWords(names, conjunction);
  return conjunction === "and" ? nounPhrase(noun, names) : `${noun} ${joinWords(names, conjunction)}`;
}

/**
 * Return a color with its indefinite article.
 *
 * @type {(game: Game, color: number) => string}
 */
function indefinite(game, color) {
  const symbol = symbolOf(game, color);
  const isVowel = symbol.length === 1 ? /[AEFHILMNORSX8]/i.test(symbol) : /^(8|(11|18)$)/.test(symbol);
  return `${isVowel ? "an" : "a"} ${name(color)}`;
}

/**
 * Return the list of a key in a map. A missing list is created.
 *
 * @template Key, Value
 * @param {Map<Key, Value[]>} map
 * @param {Key} key
 * @returns {Value[]}
 */
export function listAt(map, key) {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

/**
 * Return the clauses that state facts: first about pegs, then about numbers of pegs. Equal statements about
 * several pegs or colors are merged.
 *
 * @type {(game: Game, facts: Fact[]) => string[]}
 */
function clauses(game, facts) {
  const sorted = [...facts].sort(
    (one, other) =>
      (one.peg ?? Infinity) - (other.peg ?? Infinity) ||
      one.color - other.color ||
      (one.least ?? 0) - (other.least ?? 0),
  );
  /** @type {Map<number, number[]>} */
  const pegsByColor = new Map();
  /** @type {Map<number, number[]>} */
  const excludedByPeg = new Map();
  /** @type {Map<number, [number, number]>} */
  const bounds = new Map();
  for (const { peg, color, least = 0, true: holds } of sorted) {
    if (peg === undefined) {
      const [low, high] = bounds.get(color) ?? [0, game.pegs];
      bounds.set(color, holds ? [Math.max(low, least), high] : [low, Math.min(high, least - 1)]);
    } else if (holds) listAt(pegsByColor, color).push(peg);
    else listAt(excludedByPeg, peg).push(color);
  }
  /** @type {Map<string, number[]>} */
  const pegsByExcluded = new Map();
  for (const [peg, colors] of excludedByPeg) listAt(pegsByExcluded, colors.join()).push(peg);
  /** @type {Map<string, number[]>} */
  const colorsByBounds = new Map();
  for (const [color, limits] of bounds) listAt(colorsByBounds, limits.join()).push(color);
  /** @type {(key: string) => number[]} */
  const numbers = (key) => key.split(",").map(Number);
  return [
    ...[...pegsByColor].map(([color, pegs]) => `${placeNames(game, pegs)} ${be(pegs)} ${colorNames(game, [color])}`),
    ...[...pegsByExcluded].map(([key, pegs]) => `${placeNames(game, pegs)} ${exclusion(game, numbers(key), pegs)}`),
    ...[...colorsByBounds].map(([key, colors]) => countClause(game, colors, numbers(key))),
  ];
}

/**
 * Return the clause that pegs do not have some colors. If colors are ordered, it can be that the
 * pegs come before or after a color.
 *
 * @type {(game: Game, excluded: number[], pegs: number[]) => string}
 */
function exclusion(game, excluded, pegs) {
  const [first, last] = [excluded[0], excluded[excluded.length - 1]];
  const come = pegs.length === 1 ? "comes" : "come";
  if (game.ordered && excluded.length > 1 && last - first === excluded.length - 1) {
    if (first === 1 && last < game.colors) return `${come} after ${colorNames(game, [last])}`;
    if (first > 1 && last === game.colors) return `${come} before ${colorNames(game, [first])}`;
  }
  return `${be(pegs)} not ${colorNames(game, excluded, "or")}`;
}

/**
 * Return the clause that each of some colors has between `low` and `high` pegs.
 *
 * @type {(game: Game, colors: number[], bounds: number[]) => string}
 */
function countClause(game, colors, [low, high]) {
  if (!high) return `there is no ${colorNames(game, colors, "or")}`;
  const omitsNoun = OMITTED_NOUNS.includes(game.noun);
  const isUnbounded = high === game.pegs;
  if (low === 1 && isUnbounded) {
    if (omitsNoun) return `there is ${joinWords(colors.map((color) => indefinite(game, color)))}`;
    return `${colorNames(game, colors)} ${be(colors)} in the code`;
  }
  const amount =
    low === high
      ? `exactly ${number(low)}`
      : isUnbounded
        ? `at least ${number(low)}`
        : low
          ? `${number(low)} to ${number(high)}`
          : `at most ${number(high)}`;
  const last = isUnbounded ? low : high;
  if (omitsNoun) {
    const names = colors.map((color) => `${amount} ${name(color)}${last === 1 ? "" : "s"}`);
    return `there ${last === 1 ? "is" : "are"} ${joinWords(names)}`;
  }
  const have = colors.length === 1 ? "has" : "have";
  const each = colors.length > 1 ? " each" : "";
  return `${colorNames(game, colors)} ${have} ${amount} ${plural(placeNoun(game), last)}${each}`;
}

/**
 * Return the clauses that state facts, joined by "and".
 *
 * @type {(game: Game, facts: Fact[]) => string}
 */
export const factWords = (game, facts) => joinWords(clauses(game, facts));

/**
 * Return a score as the command line prints it: "1 black 2 white", or the symbols of marks.
 *
 * @type {(game: Game, score: Cell[]) => string}
 */
export const scoreText = (game, score) => (game.marks.length ? spellScore(game, score) : plainScore(game, score));

/**
 * Return why rows contradict each other; "" if no short reason is known. `rows` are the rows of the board.
 *
 * @type {(game: Game, rows: ScoredRow[], reason: Reason | null | undefined) => string}
 */
export function reasonText(game, rows, reason) {
  if (!reason) return "";
  const { kind, facts, rule } = reason;
  if (kind === "impossible-score") return rule ?? "";
  if (kind === "one-guess") return "they score the same guess differently";
  if (kind === "no-word") return `no word fits ${facts.length === 2 ? "both" : "all of them"}`;
  if (kind === "too-many-pegs") {
    const shared = facts.reduce((sum, { pegs = 0 }) => sum + pegs, 0);
    const isPartial = facts.some(({ row }) => rows[row - 1].score.includes(UNREAD));
    return `they share no ${game.noun}, and together they score ${isPartial ? "at least " : ""}${shared} of ${game.pegs} pegs`;
  }
  return facts
    .map(({ row, facts: stated, score }) => statement(game, rows[row - 1], { row, stated, score }))
    .join("; ");
}

/**
 * Return whether a reason contains more than the scores on the board.
 *
 * @type {(rows: ScoredRow[], reason: Reason | null | undefined) => boolean}
 */
export function isInformative(rows, reason) {
  if (reason?.kind !== "facts") return Boolean(reason);
  const repeats = (/** @type {Reason["facts"][number]} */ { row, facts, score = [] }) =>
    !facts && score.every((part, n) => (part ?? UNREAD) === rows[row - 1].score[n]);
  return !reason.facts.every(repeats);
}

/** @type {(game: Game, board: ScoredRow, fact: {row: number, stated?: Fact[], score?: Cell[]}) => string} */
function statement(game, { score: full }, { row, stated, score = [] }) {
  if (stated) {
    const words = factWords(game, stated);
    return `row ${row} says ${words.startsWith("there ") ? "" : "that "}${words}`;
  }
  const told = score.map((part) => part ?? UNREAD);
  if (told.every((part, n) => part === full[n])) return `row ${row} scores ${scoreText(game, full)}`;
  const parts = score.flatMap((part, n) => (part === null ? [] : [`${part} ${game.parts[n]}`]));
  return `row ${row} has ${parts.join(" ")} (of ${scoreText(game, full)})`;
}

/**
 * Return which rows contradict each other, and why if there is a short reason. Up to `lies` scores may be wrong,
 * counted in rows or in key pegs (`by`).
 *
 * @param {Game} game
 * @param {ScoredRow[]} rows
 * @param {{conflict: number[] | null, reason?: Reason | null, lies: number, by: string}} found
 * @returns {string}
 */
export function conflictText(game, rows, { conflict, reason, lies, by }) {
  if (!conflict?.length) return "";
  if (lies) {
    if (by === "pegs")
      return `In ${rowList(conflict)} alone, every code is off by more than ${quantity(lies, "key peg")}.`;
    return `Of ${rowList(conflict)}, more than ${lies} ${lies === 1 ? "is" : "are"} wrong.`;
  }
  const why = plain(game, reasonText(game, rows, reason));
  if (conflict.length === 1) {
    const score = scoreText(game, rows[conflict[0] - 1].score);
    return `Row ${conflict[0]} can't be right: ${score}, but ${why || "no code at all gets that score for this guess"}.`;
  }
  const both = conflict.length === 2 ? "both" : "all";
  return `Rows ${joinWords(conflict)} can't ${both} be right${why ? `: ${why}` : ""}.`;
}
