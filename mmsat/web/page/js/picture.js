// The board as an SVG document of its own, for files.

import { isWhole } from "./notation.js";

const STEP = 44;
const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

export function draw(state, analysis) {
  const { game } = state;
  const rows = state.rows.filter(isWhole);
  const scores = rows.map((row) => row.score.map((part, n) => (game.marks.length ? part : `${part} ${game.parts[n]}`)).join(game.marks.length ? "" : "  "));
  const width = 56 + game.pegs * STEP + 14 * Math.max(12, ...scores.map((text) => text.length)) * 0.75;
  const height = 24 + Math.max(1, rows.length) * STEP;
  const conflict = new Set((analysis.known.check?.answer?.conflict ?? []).map((number) => state.rows[number - 1]));
  const lines = rows.map((row, y) => {
    const middle = 12 + y * STEP + STEP / 2;
    const lit = conflict.has(row);
    const pegs = row.guess.map((color, x) => {
      const { symbol, background, ink } = game.symbols[color - 1] ?? { symbol: color, background: "none", ink: "#111" };
      const center = 52 + x * STEP + STEP / 2;
      return `<circle cx="${center}" cy="${middle}" r="18" fill="${background}" stroke="#333"/><text x="${center}" y="${middle}" text-anchor="middle" dominant-baseline="central" fill="${ink}">${escape(symbol)}</text>`;
    });
    const mark = lit ? `<rect x="4" y="${middle - 20}" width="4" height="40" fill="#c1121f"/>` : "";
    return `${mark}<text x="24" y="${middle}" dominant-baseline="central" fill="#555">${state.rows.indexOf(row) + 1}</text>${pegs.join("")}<text x="${64 + game.pegs * STEP}" y="${middle}" dominant-baseline="central" fill="#111">${escape(scores[y])}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width)}" height="${height}" viewBox="0 0 ${Math.round(width)} ${height}" font-family="system-ui, sans-serif" font-size="18"><title>${escape(state.game.line)}</title><rect width="100%" height="100%" rx="10" fill="#ffffff"/>${lines.join("")}</svg>\n`;
}
