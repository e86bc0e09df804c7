// Controls for the number of scores that may be wrong, and for the unit in which they are counted.

import { pointWord } from "./core/words.js";
import { play } from "./play.js";
import { html, nothing, store } from "./view.js";

const MAX_LIES = 5; // the page offers no larger number; a link can have a larger one

export function liesChoice() {
  const { game, lies, by } = store.state;
  const change = (more) => store.change({ ...store.state, ...more });
  const numbers = Array.from({ length: Math.max(MAX_LIES, lies) + 1 }, (_, n) => n).filter(
    (n) => n <= MAX_LIES || n === lies,
  );
  const isFixed = play.mode !== null;
  return html`<span class="bar lies">
    <label for="lies">Allow wrong scores</label>
    <select id="lies" title="How many of the scores may be wrong" ?disabled=${isFixed} .value=${String(lies)} @change=${(event) => change({ lies: Number(event.target.value) })}>
      ${numbers.map((n) => html`<option value=${n} ?selected=${n === lies}>${n ? `up to ${n}` : "0"}</option>`)}</select>
    ${
      lies
        ? html`<label class="unseen" for="by">counted by</label> <select id="by" ?disabled=${isFixed} @change=${(event) => change({ by: event.target.value })}>
      ${["rows", "pegs"].map((each) => html`<option value=${each} ?selected=${each === by}>${each === "rows" ? "rows" : `${pointWord(game)}s`}</option>`)}</select>`
        : nothing
    }
  </span>`;
}
