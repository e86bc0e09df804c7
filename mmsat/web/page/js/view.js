// The base class of all views: an element that renders itself when the position or the analysis changes.

import { html, nothing, render, svg } from "../vendor/lit-html.js";
import { analysis } from "./analysis.js";
import { spell, symbolOf, UNREAD } from "./core/notation.js";
import { pieces, plain } from "./core/phrases.js";
import { colorName, isBulls, partWord, scoreWords, speak } from "./core/words.js";
import { store } from "./store.js";

export { analysis, colorName, html, nothing, scoreWords, store, svg };

export class View extends HTMLElement {
  static stores = ["change"]; // the events of the store after which the view is rendered
  /** @type {string[]} */
  static questions = []; // the questions whose answers the view shows
  #isPending = false;

  connectedCallback() {
    const { stores, questions } = /** @type {typeof View} */ (this.constructor);
    for (const kind of stores) store.addEventListener(kind, () => this.updateSoon());
    analysis.addEventListener("change", ({ detail }) => {
      if (detail === null || questions.includes(detail.split(" ")[0])) this.updateSoon();
    });
    this.update();
  }

  /**
   * Return the content of the view.
   *
   * @returns {unknown}
   */
  view() {
    return nothing;
  }

  // Render once after all changes of the current task.
  updateSoon() {
    if (this.#isPending) return;
    this.#isPending = true;
    queueMicrotask(() => this.#isPending && this.update());
  }

  // Render. If this removes, disables or hides the focused control, move the focus to a control nearby.
  update() {
    this.#isPending = false;
    /** @type {any} */
    const focused = document.activeElement;
    const before = this.contains(focused) ? focused : null;
    const bar = before?.parentElement;
    render(this.view(), this);
    if (before && (!before.isConnected || before.disabled || !before.checkVisibility())) {
      const near = bar?.isConnected ? bar.querySelector("button:not(:disabled)") : null;
      const own = this.querySelector("[data-focus]:not(:disabled)");
      for (const target of [near, own, this.closest("section"), document.getElementById("board-panel")]) {
        target?.focus();
        if (target && document.activeElement === target) break; // a hidden element cannot get the focus
      }
    }
  }
}

const BLANK = { symbol: UNREAD, background: "none", ink: "currentColor" };

// The outlines of the shapes B to E in games of colors and shapes. Shape A is a circle.
const SHAPES = {
  B: "M5 5h30v30h-30z",
  C: "M20 1L39 36H1z",
  D: "M20 1L39 20L20 39L1 20z",
  E: "M12 2h16v10h10v16h-10v10h-16v-10h-10v-16h10z",
};

// Return the outline of a color whose shape is not a circle, or undefined.
export const outline = (game, symbol) => (game.noun === "pair" ? SHAPES[symbol.at(-1)] : undefined);

// Render a peg with the symbol and the paint of its color. If `typed` is given, render these first
// characters of a symbol instead. If the color is null, render an empty hole. Letters are tiles, in the
// color of their mark if there is one.
export function peg(game, color, mark = null, typed = "") {
  const known = typed
    ? { ...BLANK, symbol: `${typed}…` }
    : color === null
      ? null
      : color === UNREAD
        ? BLANK
        : game.symbols[color - 1];
  const size = known && known.symbol.length > 2 ? 12 : known && known.symbol.length > 1 ? 15 : 20;
  const path = known ? outline(game, known.symbol) : undefined;
  const shape = game.words
    ? svg`<rect class="tile ${known ? "" : "hole"}" x="2" y="2" width="36" height="36" rx="5"></rect>`
    : path
      ? svg`<path class="outline" d=${path} fill=${known.background}></path>`
      : svg`<circle class=${known ? "" : "hole"} cx="20" cy="20" r="17" fill=${known?.background ?? "none"}></circle>`;
  return html`<svg class="peg ${markClass(game, mark)}" viewBox="0 0 40 40" aria-hidden="true">${shape}
    ${known ? svg`<text x="20" y=${path === SHAPES.C ? 26 : 21} font-size=${size} text-anchor="middle" dominant-baseline="central" fill=${game.words ? "currentColor" : known.ink}>${known.symbol}</text>` : nothing}
  </svg>`;
}

// Render a key peg. A blue key peg has a line, so that it can be recognized without color.
export const key = (name) => html`<svg class="key key-${name}" viewBox="0 0 16 16" aria-hidden="true">
  <circle cx="8" cy="8" r="6.5"></circle>${name === "blue" ? svg`<path d="M4 8h8"></path>` : nothing}</svg>`;

export const KEYS = ["black", "blue", "white"];

// Render the sign of a part of a score: a key peg, or the first letter of its name.
export const partSign = (game, part) =>
  !isBulls(game) && KEYS.includes(game.parts[part])
    ? key(game.parts[part])
    : html`<span class="part-letter" aria-hidden="true">${partWord(game, part)[0].toUpperCase()}</span>`;

const MAX_DRAWN_KEYS = 20;
const MAX_NARROW_KEYS = 9; // more key pegs are drawn on the board only if it is wide

// Return whether a score can be drawn as key pegs.
export const canDrawKeys = (game, parts) =>
  !isBulls(game) &&
  game.pegs <= MAX_DRAWN_KEYS &&
  game.parts.every((name) => KEYS.includes(name)) &&
  parts.every(Number.isInteger);

// Render a complete score as key pegs in two or more lines, as on a real board. Other scores render nothing.
export function keys(game, parts) {
  if (!canDrawKeys(game, parts)) return nothing;
  const names = KEYS.flatMap((name) => Array(parts[game.parts.indexOf(name)] ?? 0).fill(name));
  const lines = Math.max(2, Math.ceil(Math.sqrt(game.pegs / 2)));
  const columns = Math.ceil(game.pegs / lines);
  const dot = (n) => {
    const [x, y] = [8 + 14 * (n % columns), 8 + 14 * Math.floor(n / columns)];
    return svg`<circle class=${names[n] ? `key-${names[n]}` : "key-none"} cx=${x} cy=${y} r=${names[n] ? 5.5 : 2}></circle>`;
  };
  return html`<svg class="keys lines-${lines} ${game.pegs > MAX_NARROW_KEYS ? "many" : ""}" viewBox="0 0 ${14 * columns + 2} ${14 * lines + 2}" aria-hidden="true">${Array.from({ length: game.pegs }, (_, n) => dot(n))}</svg>`;
}

// Return the CSS class of a mark: mark-in-place, mark-elsewhere, mark-absent, ...
export function markClass(game, symbol) {
  const mark = game.marks.find((each) => each.symbol === symbol);
  return mark ? `mark-${mark.name.replaceAll(" ", "-")}` : "";
}

const MAX_SHORT = 8; // longer guesses get more of the width of the page
const [MAX_UNFOLDED, MAX_FOLDED, FOLD] = [20, 64, 16];

// Return how many pegs of a guess are on one line if the width allows it. Guesses of more than MAX_UNFOLDED pegs have
// several lines. Guesses of more than MAX_FOLDED pegs use the available width.
export const pegsInLine = ({ pegs }) =>
  pegs > MAX_UNFOLDED && pegs <= MAX_FOLDED ? Math.ceil(pegs / Math.ceil(pegs / FOLD)) : pegs;

export const rowsClass = (game) =>
  `rows ${game.pegs > MAX_SHORT ? "long" : ""} ${pegsInLine(game) < game.pegs ? "folded" : ""}`;

export const rowsStyle = (game) => `--pegs: ${pegsInLine(game)}; --parts: ${game.parts.length}`;

// Render a score in words, or as its marks with their names for screen readers.
export const score = (game, parts) =>
  game.marks.length
    ? html`<span class="marks" role="img" aria-label=${scoreWords(game, parts)}>${parts.map((part) => html`<span class="mini ${markClass(game, part)}">${part ?? "?"}</span>`)}</span>`
    : scoreWords(game, parts);

// Render a sentence of core/phrases.js with colors drawn as pegs. Letters of words stay letters. A
// line does not break before a peg.
export const phrase = (game, text) =>
  game.words
    ? plain(game, speak(game, text))
    : html`${pieces(speak(game, text).replace(/ (?=\ue000)/g, "\u00a0")).map((piece) => (typeof piece === "number" ? html`<span class="inline-peg" role="img" aria-label=${symbolOf(game, piece)}>${peg(game, piece)}</span>` : piece))}`;

// Render a code as a row of small pegs, with its symbols as text for screen readers.
export const code = (game, guess) =>
  html`<span class="code" role="img" aria-label=${spell(game, guess)}>${guess.map((color) => peg(game, color))}</span>`;
