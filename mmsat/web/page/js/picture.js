// The board as a standalone SVG document, for files and posts.

import { isWhole, symbolOf } from "./core/notation.js";
import { mistakes } from "./core/verdict.js";
import { partAmount } from "./core/words.js";
import { summary } from "./summary.js";
import { canDrawKeys, KEYS, outline } from "./view.js";

const [STEP, TOP, LEFT, KEY] = [48, 64, 60, 16];
const WIDTH_OF_CHARACTER = 9.6; // in px at a font size of 16 px, rounded up
const MARKS = {
  "in place": ["#1d7a45", "#ffffff"],
  right: ["#1d7a45", "#ffffff"],
  elsewhere: ["#e0b32c", "#000000"],
  earlier: ["#e0b32c", "#000000"],
  later: ["#0072b2", "#ffffff"],
  absent: ["#5d6770", "#ffffff"],
};
const LIGHT = { frame: "#23303d", paper: "#ffffff", ink: "#16202a", dim: "#51606e", lit: "#fdeceb", bar: "#b3131f" };
const DARK = { frame: "#0b1016", paper: "#1a242d", ink: "#e8eef3", dim: "#a7b4bf", lit: "#3a2224", bar: "#ff9b94" };
const FILLS = { black: "#000000", white: "#ffffff", blue: "#0072b2" };

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
const text = (x, y, content, more = "") =>
  `<text x="${x}" y="${y}" dominant-baseline="central" ${more}>${escaped(content)}</text>`;

// Return the position as an SVG document with light or dark colors, optionally with the verdict in a line below it.
export function draw(state, analysis, { isDark = false, hasVerdict = true } = {}) {
  const look = isDark ? DARK : LIGHT;
  const { game } = state;
  const rows = state.rows.filter(isWhole);
  const hasTiles = game.words && game.marks.length > 0;
  const scoreLeft = LEFT + game.pegs * STEP + 16;
  const scores = rows.map((row) => (hasTiles ? "" : drawScore(game, row.score, scoreLeft, look)));
  const scoreWidth = hasTiles ? 0 : Math.max(60, ...rows.map(({ score }) => widthOfScore(game, score)));
  const line = hasVerdict ? caption(analysis, game) : "";
  const title = game.title ? `${game.title} (${game.line})` : game.line;
  const width = Math.max(
    scoreLeft + scoreWidth + 24,
    340,
    48 + line.length * WIDTH_OF_CHARACTER,
    120 + title.length * 11,
  );
  const height = TOP + Math.max(1, rows.length) * STEP + (hasVerdict ? 56 : 16);
  const conflicting = (hasVerdict && analysis.known.check?.answer?.conflict) || [];
  const conflict = new Set(conflicting.map((number) => state.rows[number - 1]));
  const drawn = rows.map((row, n) => {
    const lit = conflict.has(row)
      ? `<rect x="12" y="2" width="${width - 24}" height="${STEP - 4}" rx="8" fill="${look.lit}"/><rect x="12" y="2" width="4" height="${STEP - 4}" fill="${look.bar}"/>`
      : "";
    const number = text(
      34,
      STEP / 2,
      state.rows.indexOf(row) + 1,
      `font-size="16" text-anchor="middle" fill="${look.dim}"`,
    );
    const pegs = row.guess.map((color, x) => drawPeg(game, color, hasTiles ? row.score[x] : null, LEFT + x * STEP));
    return `<g transform="translate(0 ${TOP + n * STEP})">${lit}${number}${pegs.join("")}${scores[n]}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width)}" height="${height}" viewBox="0 0 ${Math.round(width)} ${height}" font-family="system-ui, sans-serif" font-size="18">
<title>${escaped(game.line)}</title><rect width="100%" height="100%" rx="16" fill="${look.frame}"/><rect x="8" y="48" width="${Math.round(width) - 16}" height="${height - 56}" rx="10" fill="${look.paper}"/>
${text(24, 24, title, 'font-weight="700" fill="#ffffff"')}${text(width - 24, 24, "mmsat", 'text-anchor="end" font-size="15" fill="#a7b4bf"')}
${drawn.join("\n")}
${line && text(24, height - 28, line, `font-size="16" font-weight="600" fill="${look.ink}"`)}</svg>
`;
}

// Return the verdict or, if the scores contradict each other, the most likely mistake.
function caption(analysis, game) {
  const { check } = analysis.known;
  const isWrong = check?.answer?.verdict === "inconsistent";
  return isWrong ? mistakes(check.answer) || analysis.conflict : summary(analysis, game);
}

// Return a peg, or a tile in the color of its mark, in the square at `x`.
function drawPeg(game, color, markSymbol, x) {
  const symbol = symbolOf(game, color);
  const mark = game.marks.find((each) => each.symbol === markSymbol);
  const paint = game.symbols[color - 1] ?? { background: "#ffffff", ink: "#16202a" };
  const [background, ink] = game.words ? (MARKS[mark?.name] ?? ["#e3e8ed", "#16202a"]) : [paint.background, paint.ink];
  const path = outline(game, symbol);
  const shape = game.words
    ? '<rect x="2" y="2" width="36" height="36" rx="5"'
    : path
      ? `<path d="${path}"`
      : '<circle cx="20" cy="20" r="17"';
  return `<g transform="translate(${x + 4} 4)">${shape} fill="${background}" stroke="#5f6f7d" stroke-width="1.5"/>${text(20, path?.endsWith("H1z") ? 26 : 20, symbol, `text-anchor="middle" font-weight="600" fill="${ink}" font-size="${symbol.length > 1 ? 14 : 20}"`)}</g>`;
}

const scoreText = (game, score) =>
  score.map((part, n) => (game.marks.length ? part : partAmount(game, n, part))).join(game.marks.length ? "" : ", ");

const widthOfScore = (game, score) =>
  canDrawKeys(game, score) ? game.pegs * KEY : scoreText(game, score).length * WIDTH_OF_CHARACTER;

// Return the key pegs of a score in one line, or the score in words.
function drawScore(game, score, x, { ink }) {
  if (!canDrawKeys(game, score)) return text(x, STEP / 2, scoreText(game, score), `font-size="16" fill="${ink}"`);
  const names = KEYS.flatMap((name) => Array(score[game.parts.indexOf(name)] ?? 0).fill(name));
  return Array.from({ length: game.pegs }, (_, n) => {
    const fill = FILLS[names[n]];
    return `<circle cx="${x + 7 + n * KEY}" cy="${STEP / 2}" r="${fill ? 6 : 2}" fill="${fill ?? "none"}" stroke="${ink}" stroke-width="1.5"/>`;
  }).join("");
}
