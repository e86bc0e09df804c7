// Scores, colors and the state of a game in words.

import { spell, symbolOf, UNREAD } from "./notation.js";
import { quantity } from "./numbers.js";

/** @import { Cell, Game } from "./types.js" */
/** @import { State } from "./play-machine.js" */

/** @type {(game: Game, mark: Cell) => string} */
export const markName = (game, mark) => game.marks.find(({ symbol }) => symbol === mark)?.name ?? "not read";

/**
 * "1 black 2 white", or "absent, in place, elsewhere".
 *
 * @type {(game: Game, parts: Cell[]) => string}
 */
export const scoreWords = (game, parts) =>
  game.marks.length
    ? parts.map((part) => markName(game, part)).join(", ")
    : parts.map((part, n) => `${part ?? "?"} ${partName(game.parts[n], part)}`).join(" ");

/** @type {(name: string, amount: Cell) => string} */
const partName = (name, amount) => (name === "color" && typeof amount === "number" && amount !== 1 ? "colors" : name);

/** @type {(game: Game, color: Cell) => string} */
export const colorName = (game, color) =>
  color === null ? `no ${game.noun} yet` : color === UNREAD ? "not read" : `${game.noun} ${symbolOf(game, color)}`;

/** @type {(count: number) => string} */
export const guesses = (count) => quantity(count, "guess").replace(/guesss$/, "guesses");

/** @type {(state: State, game: Game) => string} */
const invitation = ({ count }, game) =>
  `Guess ${count + 1}: choose ${quantity(game.pegs, game.words ? "letter" : "peg").replace(/^1 /, "a ")}${count ? "" : ", then make the guess"}.`;

/**
 * The score of the last guess; for several boards, how many of their codes are found.
 *
 * @type {(state: State, game: Game, lastGuess: Cell[]) => string}
 */
function lastScore({ scores, found, count }, game, lastGuess) {
  const sum = `${found.filter((at) => at !== null).length} of ${scores.length} codes are found`;
  const told = scores.length > 1 ? sum : scoreWords(game, scores[0][count - 1] ?? []);
  return `Guess ${count}, ${spell(game, lastGuess)}: ${told}.`;
}

/** @type {(state: State, game: Game, rows: Cell[][]) => string} */
function result({ role, count, result, settings, tries, hints }, game, rows) {
  switch (result?.kind) {
    case "found":
      return role === "keep" ? `I found it in ${guesses(count)}.` : `Found in ${guesses(count)}.`;
    case "solved":
      return `Right: that is the code, ${spell(game, rows.at(-1) ?? [])}. ${tries || hints ? `Wrong codes: ${tries}, hints: ${hints}.` : "Without a mistake or a hint."}`;
    case "revealed":
      if (settings.boards > 1) return `The codes were ${result.code}.`;
      return `The code ${role === "solve" ? "is" : settings.evil ? "could still have been" : "was"} ${result.code}.`;
    case "changed":
      return "The game is over, because the board was changed.";
    default:
      return "";
  }
}

/**
 * The state of a game in words. `rows` are the guesses on the board.
 *
 * @param {State} state
 * @param {Game} game
 * @param {Cell[][]} rows
 * @returns {string}
 */
export function message(state, game, rows) {
  const { phase, role, settings, count, failure } = state;
  const last = rows[count - 1] ?? [];
  switch (phase) {
    case "making":
      return state.seconds ? `Making a puzzle … ${state.seconds} s` : "Making a puzzle …";
    case "guessing":
      if (failure) return failure;
      if (role === "solve") return puzzle(state, game);
      if (count) return `${lastScore(state, game, last)} ${invitation(state, game)}`;
      return `${opening(settings)} ${invitation(state, game)}`;
    case "scoring":
      return role === "solve" ? "" : `Guess ${count + 1}, ${spell(game, rows[count] ?? [])}: waiting for the score.`;
    case "thinking":
      return "Thinking …";
    case "answering":
      return `My guess ${count + 1} is ${spell(game, state.guess ?? [])}. Put in its score.`;
    case "over": {
      const told = role === "guess" && state.result?.kind === "found" ? `${lastScore(state, game, last)} ` : "";
      return `${told}${result(state, game, rows)}`;
    }
    default:
      return failure;
  }
}

/**
 * Why the number of guesses of best play is not known for a finished game; "" if there is no reason.
 * `best` is this number, as far as it was found.
 *
 * @type {(settings: State["settings"], best: string | null) => string}
 */
export function unknownBest({ evil, lies, boards }, best) {
  if (boards > 1) return "The best possible result is not known for several codes at the same time.";
  if (lies) return "The best possible result is not known if scores may be wrong.";
  if (evil) return "The computer cheated, so there is no average of best play to compare with.";
  return best ? "" : "The best possible result is not known for a game of this size.";
}

/** @type {(settings: State["settings"]) => string} */
function opening({ evil, boards }) {
  if (evil) return "I have not chosen a code yet.";
  return boards > 1 ? `I have ${boards} codes.` : "I have a code.";
}

/** @type {(state: State, game: Game) => string} */
function puzzle({ wrong, misfit, grade, count }, game) {
  if (wrong) {
    const code = spell(game, wrong);
    const reason = misfit
      ? `for ${code}, row ${misfit.row} would have ${scoreWords(game, misfit.score)}`
      : `some row has another score for ${code}`;
    return `Not that one: ${reason}. Change row ${count + 1}, and try again.`;
  }
  return `A puzzle${grade ? ` of grade ${grade}` : ""}: which code gets all these scores? Put it into row ${count + 1}, then make the guess.`;
}
