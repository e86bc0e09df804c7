// Links with errors: the readable rows, and the readable cells of the other rows.

import { emptyRow, isWhole, UNREAD } from "./notation.js";

/** @import { Broken, Cell, Fault, Game, Row } from "./types.js" */

/** @typedef {{start: number, text: string, value: Cell}} Token A cell in the text of a row, with its start. */

/**
 * Separate the readable rows of a board line from the rows with errors. Returns a line of the readable rows, and the
 * rows with errors by their indices; null if an error is not in a row, so that no row can be kept.
 *
 * @type {(line: string, faults: Fault[]) => {readable: string, broken: Map<number, Broken>} | null}
 */
export function separate(line, faults) {
  const [game, ...rows] = line.split("/");
  let end = [...game].length;
  const starts = rows.map((text) => {
    const start = end + 1;
    end = start + [...text].length;
    return start;
  });
  /** @type {Map<number, Broken>} */
  const broken = new Map();
  for (const fault of faults) {
    const place = starts.findLastIndex((start) => start < (fault.column ?? 0));
    if (fault.line !== 1 || place < 0) return null;
    const column = (fault.column ?? 0) - starts[place];
    const known = broken.get(place) ?? { text: rows[place], faults: [] };
    broken.set(place, { ...known, faults: [...known.faults, { ...fault, column }] });
  }
  const readable = [game, ...rows.filter((_, place) => !broken.has(place))].join("/");
  const kept = [...broken].filter(([, { text }]) => text.trim()).sort(([one], [other]) => one - other);
  return broken.size ? { readable, broken: new Map(kept) } : null;
}

/**
 * Return a row with errors with its readable cells. At least one cell is empty.
 *
 * @type {(game: Game, broken: Broken) => Row}
 */
export function draftOf(game, broken) {
  const { text, faults } = broken;
  const sign = text.includes("=") ? text.indexOf("=") : text.length;
  const guess = colors(game, text.slice(0, sign));
  const score = parts(game, text.slice(sign + 1)).map((token) => ({ ...token, start: token.start + sign + 1 }));
  /** @type {(tokens: Token[], count: number) => Cell[]} */
  const cells = (tokens, count) => Array.from({ length: count }, (_, n) => value(tokens[n], tokens.length, faults));
  const row = { ...emptyRow(game), guess: cells(guess, game.pegs), score: cells(score, game.parts.length), broken };
  if (!isWhole(row)) return row;
  const isInGuess = faults.some(({ column }) => (column ?? 1) <= sign);
  return isInGuess ? { ...row, guess: row.guess.with(-1, null) } : { ...row, score: row.score.with(-1, null) };
}

/**
 * Return the value of a cell; null if the cell is missing, or if an error is about this cell alone.
 *
 * @type {(token: Token | undefined, count: number, faults: Fault[]) => Cell}
 */
function value(token, count, faults) {
  if (!token) return null;
  const isWrong = faults.some(({ column, found }) => column === token.start + 1 && found === token.text && count > 1);
  return isWrong ? null : token.value;
}

/** @type {(game: Game, text: string) => Token[]} */
function colors(game, text) {
  /** @type {(symbol: string) => Cell} */
  const color = (symbol) => {
    if (symbol === UNREAD) return UNREAD;
    const place = game.symbols.findIndex((each) => each.symbol.toUpperCase() === symbol.toUpperCase());
    return place < 0 ? null : place + 1;
  };
  return tokens(text, game.joined ? /[^-]+/gu : pattern(game.symbols[0].symbol.length), color);
}

/** @type {(length: number) => RegExp} */
const pattern = (length) => (length === 1 ? /./gu : new RegExp(`.{1,${length}}`, "gu"));

/** @type {(game: Game, text: string) => Token[]} */
function parts(game, text) {
  if (!game.marks.length)
    return tokens(text, /[^.]+/gu, (part) =>
      part === UNREAD ? UNREAD : /^\d+$/.test(part) && Number(part) <= game.highest ? Number(part) : null,
    );
  return tokens(text, /./gu, (part) => {
    const sign = part.toUpperCase();
    if (sign === UNREAD) return UNREAD;
    return game.marks.find(({ symbol, also }) => [symbol, ...also].includes(sign))?.symbol ?? null;
  });
}

/** @type {(text: string, token: RegExp, read: (text: string) => Cell) => Token[]} */
const tokens = (text, token, read) =>
  [...text.matchAll(token)].map((found) => ({ start: found.index, text: found[0], value: read(found[0]) }));
