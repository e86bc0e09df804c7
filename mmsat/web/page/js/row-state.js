// The state of a row: notes as text, and CSS classes.

import { isEmpty, isWhole } from "./core/notation.js";
import { rowList } from "./core/numbers.js";
import { suspicion } from "./core/verdict.js";
import { colorName, shortScore } from "./core/words.js";
import { play } from "./play.js";
import { analysis, store } from "./view.js";

// Return the note of a row with a conflict, such as "contradicts row 2", or false.
function conflictNote(conflict, number) {
  if (!conflict.includes(number)) return false;
  const others = conflict.filter((row) => row !== number);
  return others.length ? `contradicts ${rowList(others)}` : "impossible score";
}

// Return the note of an impossible repeat, such as "digit 1 is repeated, but no code repeats a digit", or false.
function repeatNote(game, guess) {
  const repeated = guess.find((color, n) => typeof color === "number" && guess.indexOf(color) < n);
  if (game.has_repeats || repeated === undefined) return false;
  return `${colorName(game, repeated)} is repeated, but no code repeats a ${game.noun}`;
}

// Return {notes, classes} of the row with the given index.
export function rowState(row, index) {
  const { game } = store.state;
  const { explain, check } = analysis.known;
  const conflict = explain?.answer?.conflicts?.[0] ?? check?.answer?.conflict ?? [];
  const suspected = suspicion(explain?.answer ?? check?.answer, index + 1);
  const isMissed = (check?.answer?.missed ?? []).some((each) => each.row === index + 1);
  const isDraft = !isWhole(row) && !isEmpty(row);
  const isLeft = isDraft && store.cursor.row !== index && !play.mode;
  const notes = [
    conflictNote(conflict, index + 1),
    isMissed ? "probably wrong" : suspected,
    row.off && "ignored",
    row.unsure && "not sure",
    row.before && `was ${shortScore(game, row.before)}`,
    repeatNote(game, row.guess),
    row.broken ? "has a fault, so it does not count" : isLeft && "not complete, so it does not count",
  ].filter(Boolean);
  const classes = {
    conflict: conflict.includes(index + 1),
    wrong: isMissed || suspected !== "",
    off: row.off,
    unsure: row.unsure,
    used: analysis.used.has(index),
    corrected: row.before !== undefined,
    draft: !isWhole(row),
    broken: row.broken !== undefined,
    left: isLeft,
    empty: isEmpty(row),
    later: analysis.isLater(index),
  };
  return { notes, classes: Object.keys(classes).filter((each) => classes[each]) };
}
