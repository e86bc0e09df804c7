// The review of a whole game: skill and luck of every guess, and a graph of the codes left.

import { View, analysis, code, html, nothing, store, svg } from "./view.js";
import { log2, number, percent } from "./numbers.js";

const [WIDTH, HEIGHT, EDGE] = [480, 150, 24];

class ReviewView extends View {
  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (store.state.lies) return html`<p class="hint">A review takes every score to be right; set the wrong scores to 0.</p>`;
    const { review } = analysis.known;
    if (!review || (review.isStopped && !review.answer)) return html`<button ?disabled=${!analysis.indices.length} @click=${() => analysis.ask("review")}>Review this game</button>`;
    if (review.error) return html`<p class="fault">${review.error}</p>`;
    const found = review.answer;
    if (!found) return html`<p>Judging every guess …</p>`;
    if (!found.moves.length) return html`<p class="hint">There is no guess to judge.</p>`;
    return html`
      <p>${found.skill === null ? nothing : html`Skill <strong>${Math.round(100 * found.skill)}</strong> of 100.`}
        ${found.luck_bits === null ? nothing : html`Luck <strong>${found.luck_bits > 0 ? "+" : ""}${found.luck_bits.toFixed(1)}</strong> bits.`}</p>
      ${this.graph(found.moves)}
      <ol class="moves">${found.moves.map((move) => this.move(move))}</ol>`;
  }

  move(move) {
    const { game } = store.state;
    return html`<li value=${analysis.indices[move.row - 1] + 1}>
      <span class="bar">${code(game, store.state.rows[analysis.indices[move.row - 1]].guess)}
        <span class="tag">skill ${Math.round(100 * move.skill)}</span>
        ${move.luckier === null ? nothing : html`<span class="tag">luckier than ${percent(move.luckier)}</span>`}
        ${move.loss === "0" ? nothing : html`<span>best: ${code(game, move.best)}</span>`}</span>
      <span class="hint">${move.sentence}</span></li>`;
  }

  // Codes left after each guess, on a scale of bits, with the skill of the guess as a bar.
  graph(moves) {
    const counts = [moves[0].codes_before, ...moves.map((move) => move.codes_after)];
    if (counts.includes(null)) return nothing;
    const bits = counts.map(log2);
    const most = Math.max(1, ...bits);
    const x = (n) => EDGE + (n * (WIDTH - 2 * EDGE)) / Math.max(1, counts.length - 1);
    const y = (value) => HEIGHT - EDGE - (value * (HEIGHT - 2 * EDGE)) / most;
    const points = bits.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const said = `Codes left: ${counts.map(number).join(", then ")}.`;
    return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${said}>
      ${moves.map((move, n) => svg`<rect x=${x(n + 1) - 8} y=${y(most * move.skill)} width="16" height=${HEIGHT - EDGE - y(most * move.skill)} rx="3"></rect>`)}
      <polyline points=${points}></polyline>
      ${bits.map((value, n) => svg`<circle cx=${x(n)} cy=${y(value)} r="4"></circle>
        <text x=${x(n)} y=${y(value) - 9} text-anchor="middle">${number(counts[n])}</text>
        <text x=${x(n)} y=${HEIGHT - 6} text-anchor="middle">${n ? analysis.indices[moves[n - 1].row - 1] + 1 : "start"}</text>`)}
    </svg><p class="hint">Line: codes left after each guess, on a scale of bits. Bars: skill.</p>`;
  }
}

customElements.define("review-view", ReviewView);
