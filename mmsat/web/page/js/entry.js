// Input into a cell: symbols of any length, numbers and marks, and which scores are possible.

import { UNREAD } from "./core/notation.js";

const MAX_ALIASED_COLORS = 9; // in games with more colors, a digit does not name a color

// Return the texts that can be typed into a cell, as [text, value].
function entries(game, cell) {
  if (cell >= game.pegs) return game.marks.length ? markEntries(game) : numberEntries(game);
  const symbols = game.symbols.map(({ symbol }, color) => [symbol, color + 1]);
  const hasDigits = symbols.some(([symbol]) => /^\d/.test(symbol));
  const aliases =
    hasDigits || game.words || game.colors > MAX_ALIASED_COLORS ? [] : symbols.map((_, n) => [String(n + 1), n + 1]);
  return [...symbols, ...aliases, [UNREAD, UNREAD]];
}

const markEntries = (game) => [
  ...game.marks.flatMap(({ symbol, also }) => [...symbol, ...also].map((sign) => [sign, symbol])),
  [UNREAD, UNREAD],
];

const numberEntries = (game) => [
  ...Array.from({ length: game.highest + 1 }, (_, n) => [String(n), n]),
  [UNREAD, UNREAD],
];

// Match a text with the texts that can be typed into a cell. Returns {value, isBegun}: the value of this text
// (undefined if there is none or several), and whether a longer text starts with it. Returns null if no text starts
// with it. Case is ignored unless a text starts with exactly these characters.
export function match(game, cell, text) {
  const found = entries(game, cell);
  const fold = found.some(([symbol]) => symbol.startsWith(text))
    ? (symbol) => symbol
    : (symbol) => symbol.toUpperCase();
  const wanted = fold(text);
  const begun = found.filter(([symbol]) => fold(symbol).startsWith(wanted));
  if (!begun.length) return null;
  const values = new Set(begun.filter(([symbol]) => fold(symbol) === wanted).map(([, value]) => value));
  return {
    value: values.size === 1 ? [...values][0] : undefined,
    isBegun: begun.some(([symbol]) => symbol.length > text.length),
  };
}

// Return why a score is impossible, or null. Parts that are null or unread may have any value.
export function flaw(game, score) {
  const key = score.map((part) => part ?? UNREAD).join(".");
  return Object.keys(game.impossible_scores).find((reason) => game.impossible_scores[reason].includes(key)) ?? null;
}

// Return the score with its missing parts filled in, if exactly one score is possible; otherwise null. Scores of marks
// and scores without missing parts give null.
export function completed(game, score) {
  const places = score.flatMap((part, place) => (part === null ? [place] : []));
  if (!places.length || game.marks.length) return null;
  const values = Array.from({ length: game.highest + 1 }, (_, n) => n);
  let found = [score];
  for (const place of places) {
    found = found.flatMap((each) =>
      values.map((value) => each.with(place, value)).filter((whole) => !flaw(game, whole)),
    );
    if (found.length > 1) return null;
  }
  return found[0] ?? null;
}

// Set one part of a score. Returns {refusal} if the value contradicts the parts before it, otherwise {score, emptied}.
// If the parts after it no longer fit, they are emptied, and `emptied` has their indices.
export function withPart(game, score, place, value) {
  const before = score.map((part, n) => (n < place ? part : n === place ? value : null));
  const refusal = value === null ? null : flaw(game, before);
  if (refusal) return { refusal };
  const whole = score.with(place, value);
  if (value === null || !flaw(game, whole)) return { score: whole, emptied: [] };
  const emptied = whole.flatMap((part, n) => (n > place && part !== null ? [n] : []));
  return { score: before, emptied };
}
