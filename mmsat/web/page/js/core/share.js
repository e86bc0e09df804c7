// A finished game as text to share, without the guesses: squares or dots for each score.

/** @import { Cell, Game } from "./types.js" */
/** @import { State } from "./play-machine.js" */

/** @type {Record<string, string>} */
const SQUARES = {
  "in place": "🟩",
  right: "🟩",
  elsewhere: "🟨",
  earlier: "🟨",
  later: "🟦",
  absent: "⬛",
};
const DOTS = ["⚫", "⚪", "🔵"];

/**
 * Return a score as squares or dots, or as numbers if there are no signs for it.
 *
 * @type {(game: Game, score: Cell[]) => string}
 */
export function signs(game, score) {
  if (game.marks.length) {
    return score.map((part) => SQUARES[game.marks.find(({ symbol }) => symbol === part)?.name ?? ""] ?? "⬜").join("");
  }
  /** @type {number} */
  const count = score.map(Number).reduce((sum, part) => sum + part, 0);
  if (game.parts.length > DOTS.length || count > game.pegs || game.pegs > 12) return score.join(" ");
  return `${score.map((part, n) => DOTS[n].repeat(Number(part))).join("")}${"➖".repeat(game.pegs - count)}`;
}

/** @type {(game: Game) => string} */
const nameOf = (game) => (game.title && game.title !== "Mastermind" ? game.title : `Mastermind ${game.line}`);

/**
 * Return the result of a game or a puzzle, without its guesses and its code. `scores` are the
 * scores of the rows of the board.
 *
 * @type {(state: State, game: Game, scores: Cell[][]) => string}
 */
export function resultText(state, game, scores) {
  const { role, count, found, settings } = state;
  if (role === "solve") return puzzleText(state, game);
  if (role === "keep") return gameText(game, [scores.slice(0, count)], [count], false, "found by the computer");
  return gameText(game, state.scores, found, settings.hard);
}

/** @type {(state: State, game: Game) => string} */
function puzzleText({ day, grade, tries, hints, result }, game) {
  const head = ["Puzzle", day && `of ${day}`, grade ? `of grade ${grade}` : ""].filter(Boolean).join(" ");
  const help = tries || hints ? `wrong codes: ${tries}, hints: ${hints}` : "without a mistake or a hint";
  return `${nameOf(game)}, ${head}: ${result?.kind === "solved" ? `solved, ${help}` : "not solved"}`;
}

/**
 * @param {Game} game
 * @param {Cell[][][]} boards The scores of the rows of each board.
 * @param {(number | null)[]} found For each board, the number of the guess that found its code, or null.
 * @param {boolean} isHard
 * @param {string} verb
 * @returns {string}
 */
export function gameText(game, boards, found, isHard, verb = "found") {
  const count = boards[0]?.length ?? 0;
  const mode = isHard ? ", hard mode" : "";
  const head = `${nameOf(game)}: ${found.every(Boolean) ? `${verb} in ${count}` : "not found"}${mode}`;
  const rows = (/** @type {Cell[][]} */ scores, /** @type {number | null} */ last) =>
    scores.slice(0, last ?? scores.length).map((score) => signs(game, score));
  return [head, ...boards.flatMap((scores, n) => [...(n ? [""] : []), ...rows(scores, found[n])])].join("\n");
}
