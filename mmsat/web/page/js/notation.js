// How a position is written in the address: a board line, then what the page adds.

export const UNREAD = "?";

const PALETTE = ["#d0202e", "#009e73", "#0072b2", "#f0e442", "#ee8a00", "#a568cc"];

// The classic game, so that the page shows a board before the server has said a word.
export const CLASSIC = {
  line: "4x6", pegs: 4, colors: 6, codes: "1296", noun: "color", joined: false, words: false,
  parts: ["black", "white"], marks: [], example: "1122=1.1",
  rule: "black = right color and place, white = right color elsewhere",
  symbols: PALETTE.map((background, n) => ({
    symbol: String(n + 1), background, ink: n === 5 ? "#ffffff" : "#000000",
  })),
};

export const emptyRow = (game) => ({
  guess: Array(game.pegs).fill(null),
  score: Array(game.parts.length).fill(null),
  off: false,
  unsure: false,
});

export const isEmpty = (row) => [...row.guess, ...row.score].every((cell) => cell === null);

export const isWhole = (row) => [...row.guess, ...row.score].every((cell) => cell !== null);

export const spell = (game, guess) =>
  guess.map((color) => symbolOf(game, color)).join(game.joined ? "-" : "");

export const symbolOf = (game, color) => (color === UNREAD ? UNREAD : game.symbols[color - 1].symbol);

export const spellScore = (game, score) => score.join(game.marks.length ? "" : ".");

// The rows that a question is about: whole ones that are not ignored, by their places.
export const active = (state) =>
  state.rows.flatMap((row, index) => (isWhole(row) && !row.off ? [index] : []));

const written = (game, row) => `${spell(game, row.guess)}=${spellScore(game, row.score)}`;

export const boardLine = (state, indices = active(state)) =>
  [state.game.line, ...indices.map((index) => written(state.game, state.rows[index]))].join("/");

// The address: the line of all whole rows, then which of them are ignored or doubted, and the lies.
export function address(state) {
  const whole = state.rows.flatMap((row, index) => (isWhole(row) ? [index] : []));
  const numbers = (flag) =>
    whole.flatMap((index, place) => (state.rows[index][flag] ? [place + 1] : [])).join(",");
  const extras = Object.entries({
    off: numbers("off"), unsure: numbers("unsure"), lies: state.lies || "",
    by: state.lies && state.by !== "rows" ? state.by : "",
  }).flatMap(([key, value]) => (value ? [`${key}=${value}`] : []));
  return `#${[boardLine(state, whole), ...extras].join("&")}`;
}

// The text behind an address; with a stray percent sign, the address as it stands.
export function decode(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

export function readAddress(hash) {
  const [line, ...extras] = decode(hash.replace(/^#/, "")).split("&");
  const known = Object.fromEntries(extras.map((extra) => extra.split("=", 2)));
  const numbers = (list) => new Set((list ?? "").split(",").map(Number));
  const lies = Math.min(1000, Math.max(0, Math.trunc(Number(known.lies)) || 0));
  return {
    line, off: numbers(known.off), unsure: numbers(known.unsure), lies,
    by: known.by === "pegs" ? "pegs" : "rows",
  };
}
