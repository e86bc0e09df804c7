// The best next guesses compared, and one of your own beside them.

import { View, analysis, code, decimal, fraction, html, nothing, number, percent, store } from "./view.js";

class GuessesView extends View {
  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    const { game } = store.state;
    const { suggest, check } = analysis.known;
    const found = suggest?.answer;
    if (check?.answer?.verdict === "inconsistent") return html`<p class="hint">There is no code to look for until the scores agree.</p>`;
    if (suggest?.error) return html`<p class="fault">${suggest.error}</p>`;
    const own = suggest?.own;
    return html`
      <form class="bar" @submit=${(event) => { event.preventDefault(); analysis.weigh(this.querySelector("#own").value.trim()); }}>
        <label for="own">Your guess</label>
        <input id="own" type="text" size=${Math.max(6, game.pegs + 2)} placeholder=${game.example.split("=")[0]} spellcheck="false" autocapitalize="off">
        <button>Compare</button>
      </form>
      ${found ? this.table(game, found, own) : html`<p>${suggest ? "Thinking ..." : "-"}</p>`}`;
  }

  table(game, found, own) {
    const rows = [found, ...found.others];
    const key = (each) => each.guess.join();
    const mine = own && !rows.some((each) => key(each) === key(own)) ? [own] : [];
    const worth = (each) => (found.exact || found.codes_exact ? (Number(found.codes) / each.judged_by) : 1);
    return html`<div class="scroll" tabindex="0" role="group" aria-label="Guesses compared"><table>
      <thead><tr><th scope="col">guess</th><th scope="col">codes left on average</th><th scope="col">at worst</th><th scope="col">is the code</th><th scope="col"><span class="unseen">put on the board</span></th></tr></thead>
      <tbody>${[...rows, ...mine].map((each, n) => html`<tr class=${own && key(each) === key(own) ? "own" : n ? "" : "best"}>
        <td>${code(game, each.guess)}${n ? nothing : html` <span class="tag">best</span>`}${own && key(each) === key(own) ? html` <span class="tag">yours</span>` : nothing}</td>
        <td>${found.exact ? decimal(each.expected) : approximately(fraction(each.expected) * worth(each))}</td>
        <td>${found.exact ? number(each.worst) : approximately(each.worst * worth(each))}</td>
        <td>${each.possible ? percent(each.chance) : "no"}</td>
        <td><button class="quiet" aria-label="Put ${each.guess.map((color) => game.symbols[color - 1].symbol).join(" ")} on the board" @click=${() => this.take(each.guess)}>Use</button></td></tr>`)}</tbody>
    </table></div>
    ${found.expected_guesses ? html`<p>Best play takes <strong>${decimal(found.expected_guesses)}</strong> guesses on average from here.</p>` : nothing}
    ${found.exact ? nothing : html`<p class="hint">Judged by ${number(found.judged_by)} codes drawn at random.</p>`}`;
  }

  take(guess) {
    store.addRow(guess);
    const board = document.querySelector("board-view");
    board.move(store.cursor.row, store.cursor.cell);
  }
}

const approximately = (value) => `about ${Number(value.toPrecision(2)).toLocaleString("en")}`;

customElements.define("guesses-view", GuessesView);
