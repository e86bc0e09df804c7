// The notation of a position in the address: a board line, followed by settings of the page (the extras).

/** @import { Cell, Game, Position, Row } from "./types.js" */

export const UNREAD = "?";

const PALETTE = ["#d0202e", "#009e73", "#0072b2", "#f0e442", "#ee8a00", "#a568cc"];

/**
 * The classic game. The page shows it before the server has answered. It is equal to the server's answer to board=4x6.
 *
 * @type {Game}
 */
export const CLASSIC = {
  line: "4x6",
  title: "Mastermind",
  pegs: 4,
  colors: 6,
  codes: "1296",
  noun: "color",
  joined: false,
  words: false,
  ordered: false,
  parts: ["black", "white"],
  marks: [],
  example: "1122=1.1",
  highest: 4,
  range: "1 to 6",
  definition: null,
  repeats: "a color may repeat",
  has_repeats: true,
  impossible_scores: {
    "there are only 4 pegs to score, and this scores 5": ["1.4", "2.3", "3.2", "4.1"],
    "there are only 4 pegs to score, and this scores 6": ["2.4", "3.3", "4.2"],
    "with 3 of 4 pegs right in place, the last has nowhere else to go": ["3.1"],
    "there are only 4 pegs to score, and this scores 7": ["3.4", "4.3"],
    "there are only 4 pegs to score, and this scores 8": ["4.4"],
  },
  rule: "black = right color and place, white = right color elsewhere",
  symbols: PALETTE.map((background, n) => ({
    symbol: String(n + 1),
    background,
    ink: n === 0 || n === 2 ? "#ffffff" : "#000000",
  })),
};

/** @type {(game: Game) => Row} */
export const emptyRow = (game) => ({
  guess: Array(game.pegs).fill(null),
  score: Array(game.parts.length).fill(null),
  off: false,
  unsure: false,
});

/** @type {(row: Row) => boolean} */
export const isEmpty = (row) => !row.broken && [...row.guess, ...row.score].every((cell) => cell === null);

/** @type {(row: Row) => boolean} */
export const isWhole = (row) => [...row.guess, ...row.score].every((cell) => cell !== null);

/** @type {(game: Game, guess: Cell[]) => string} */
export const spell = (game, guess) => guess.map((color) => symbolOf(game, color)).join(game.joined ? "-" : "");

/**
 * Return the colors of a code that is written in symbols.
 *
 * @type {(game: Game, text: string) => number[]}
 */
export function readCode(game, text) {
  if (game.joined) return text.split("-").map(Number);
  const colors = [];
  for (let at = 0; at < text.length; ) {
    const color = game.symbols.findIndex(({ symbol }) => text.startsWith(symbol, at));
    if (color < 0) break;
    colors.push(color + 1);
    at += game.symbols[color].symbol.length;
  }
  return colors;
}

/** @type {(game: Game, color: Cell) => string} */
export function symbolOf(game, color) {
  if (color === UNREAD) return game.joined ? UNREAD : UNREAD.repeat(game.symbols[0].symbol.length);
  return game.symbols[Number(color) - 1].symbol;
}

/** @type {(game: Game, score: Cell[]) => string} */
export const spellScore = (game, score) => score.join(game.marks.length ? "" : ".");

/**
 * Return the indices of the rows that questions are about: complete and not ignored.
 *
 * @type {(state: Position) => number[]}
 */
export const active = (state) => state.rows.flatMap((row, index) => (isWhole(row) && !row.off ? [index] : []));

/** @type {(game: Game, row: Row) => string} */
const written = (game, row) => row.broken?.text ?? `${spell(game, row.guess)}=${spellScore(game, row.score)}`;

/** @type {(game: Game, rows: Row[]) => string} */
const lineOf = (game, rows) => [game.line, ...rows.map((row) => written(game, row))].join("/");

/**
 * Return the board of some rows for a question: a board line, or a JSON document if the game is a custom game.
 *
 * @type {(game: Game, rows: Row[]) => string}
 */
function boardOf(game, rows) {
  if (!game.definition) return lineOf(game, rows);
  /** @type {(values: Cell[]) => Cell[]} */
  const read = (values) => values.map((value) => (value === UNREAD ? null : value));
  /** @type {(score: Cell[]) => object} */
  const scored = (score) =>
    game.marks.length
      ? { marks: read(score) }
      : Object.fromEntries(game.parts.map((part, n) => [part, read(score)[n]]));
  return JSON.stringify({
    mmsat: 1,
    game: game.definition,
    rows: rows.map(({ guess, score }) => ({ guess: read(guess), ...scored(score) })),
  });
}

/** @type {(state: Position, indices?: number[]) => string} */
export const board = (state, indices = active(state)) =>
  boardOf(
    state.game,
    indices.map((index) => state.rows[index]),
  );

/**
 * Return the board for a question whose answer contains row numbers. Row n of the board is row n of the position. A row
 * that does not count is replaced by a row with an unread score, which excludes no code.
 *
 * @type {(state: Position, indices?: number[]) => string}
 */
export function numberedBoard(state, indices = active(state)) {
  const { game, rows } = state;
  if (!indices.length) return boardOf(game, []);
  /** @type {Row} */
  const blank = { off: false, unsure: false, guess: rows[indices[0]].guess, score: game.parts.map(() => UNREAD) };
  const counted = new Set(indices);
  return boardOf(
    game,
    rows.slice(0, Math.max(...indices) + 1).map((row, index) => (counted.has(index) ? row : blank)),
  );
}

/**
 * Return the board line for display.
 *
 * @type {(state: Position, indices?: number[]) => string}
 */
export const boardLine = (state, indices = active(state)) =>
  lineOf(
    state.game,
    indices.map((index) => state.rows[index]),
  );

/**
 * Return the address: the line of the complete rows and of the rows that could not be read, then which of them are
 * ignored, uncertain or corrected, the number of scores that may be wrong, and whether the board is a puzzle.
 *
 * @type {(state: Position) => string}
 */
export function address(state) {
  const whole = state.rows.flatMap((row, index) => (isWhole(row) || row.broken ? [index] : []));
  /** @type {(flag: "off" | "unsure" | "assumed") => string} */
  const numbers = (flag) => whole.flatMap((index, place) => (state.rows[index][flag] ? [place + 1] : [])).join(",");
  const extras = Object.entries({
    off: numbers("off"),
    unsure: numbers("unsure"),
    assumed: numbers("assumed"),
    lies: state.lies || "",
    by: state.lies && state.by !== "rows" ? state.by : "",
    puzzle: state.puzzle ? 1 : "",
  }).flatMap(([key, value]) => (value ? [`${key}=${value}`] : []));
  const line = board(state, whole);
  return `#${[state.game.definition ? encodeURIComponent(line) : line, ...extras].join("&")}`;
}

/**
 * Return the decoded text of an address, or the address itself if it contains an invalid percent sign.
 *
 * @type {(hash: string) => string}
 */
export function decode(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** The start of the extras after a document (JSON). The text of the document can contain an "&" that is not encoded. */
export const EXTRAS = /&(?=(?:off|unsure|assumed|lies|by|puzzle)=)/;

/**
 * Return the parts of an address. Rows are numbered from 1.
 *
 * @param {string} hash
 */
export function readAddress(hash) {
  const text = hash.replace(/^#/, "");
  const isDocument = /^(\{|%7b)/i.test(text);
  const [line, ...extras] = isDocument ? text.split(EXTRAS).map(decode) : decode(text).split("&");
  /** @type {Record<string, string>} */
  const known = Object.fromEntries(extras.map((extra) => extra.split("=", 2)));
  /** @type {(list: string | undefined) => Set<number>} */
  const numbers = (list) => new Set((list ?? "").split(",").map(Number));
  const lies = Math.min(1000, Math.max(0, Math.trunc(Number(known.lies)) || 0));
  return {
    line: line.trim(),
    off: numbers(known.off),
    unsure: numbers(known.unsure),
    assumed: numbers(known.assumed),
    lies,
    by: known.by === "pegs" ? "pegs" : "rows",
    puzzle: known.puzzle === "1",
  };
}
