// A finished game as text to share, without the guesses: squares or dots for each score.

/** @import { Cell, Game } from "./types.js" */

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
 * A score as squares, dots, or numbers if there is no sign for a part.
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

/**
 * @param {Game} game
 * @param {Cell[][][]} boards The scores of the rows of each board.
 * @param {(number | null)[]} found The guess at which each board was found.
 * @param {boolean} isHard
 * @returns {string}
 */
export function gameText(game, boards, found, isHard) {
  const count = boards[0]?.length ?? 0;
  const mode = isHard ? ", hard mode" : "";
  const name = game.title && game.title !== "Mastermind" ? game.title : `Mastermind ${game.line}`;
  const head = `${name}: ${found.every(Boolean) ? `found in ${count}` : "not found"}${mode}`;
  const rows = (/** @type {Cell[][]} */ scores, /** @type {number | null} */ last) =>
    scores.slice(0, last ?? scores.length).map((score) => signs(game, score));
  return [head, ...boards.flatMap((scores, n) => [...(n ? [""] : []), ...rows(scores, found[n])])].join("\n");
}
