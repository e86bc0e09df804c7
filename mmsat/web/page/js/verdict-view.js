// Whether the scores can be right; if not, which rows disagree and what would mend them.

import { View, analysis, code, html, nothing, number, score, store } from "./view.js";

class VerdictView extends View {
  // The row of the position that a row of an answer is, counted from 1.
  place(row) {
    return analysis.indices[row - 1] + 1;
  }

  apply(changes) {
    const rows = [...store.state.rows];
    for (const { row, to } of changes) {
      const index = analysis.indices[row - 1];
      rows[index] = { ...rows[index], score: to.map((part) => part ?? "?"), unsure: false };
    }
    store.change({ ...store.state, rows });
  }

  doubt(row) {
    const index = analysis.indices[row - 1];
    store.change({ ...store.state, rows: store.state.rows.map((each, n) => (n === index ? { ...each, unsure: true } : each)) });
  }

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play. It comes back when the game ends.</p>`;
    const { check } = analysis.known;
    if (check?.error) return html`<p class="fault" role="alert">${check.error}</p>`;
    return html`${this.headline(check)} ${this.corrections()} ${this.suspicion()} ${this.work()}`;
  }

  headline(check) {
    const answer = check?.answer;
    if (!answer || (answer.verdict === "unknown" && !check.isDone)) return html`<p class="headline">Thinking ...</p>`;
    if (answer.verdict === "consistent") {
      const { count } = analysis.known;
      const bounds = count?.answer;
      const left = !bounds ? "" : count.isDone ? (bounds.exact ? `${number(bounds.count)} ${bounds.count === "1" ? "code" : "codes"} left` : `at least ${number(bounds.count)} codes left`)
        : `${number(bounds.least)} to ${bounds.most ? number(bounds.most) : "many"} codes left so far`;
      return html`<p class="headline good">Consistent. <strong>${left}</strong></p>
        <p>For one, ${code(store.state.game, answer.witness)}${answer.missed?.length ? html`, which misses row ${answer.missed.map(({ row }) => this.place(row)).join(", ")}` : nothing}</p>`;
    }
    if (answer.verdict === "unknown") return html`<p class="headline">Undecided${check.isStopped ? ", as you stopped it" : ""}.</p>`;
    return html`<p class="headline bad">Inconsistent: someone made a mistake.</p>
      ${check.sentences.slice(1, 2).map((text) => html`<p class="lines">${this.renumber(text)}</p>`)}`;
  }

  // Sentences count the rows that were asked about; where some are ignored the numbers differ.
  renumber(text) {
    const moved = analysis.indices.some((index, n) => index !== n);
    return moved ? html`${text} <span class="hint">(rows counted without those left out)</span>` : text;
  }

  corrections() {
    const { explain } = analysis.known;
    const found = explain?.answer;
    if (!found) return nothing;
    const { conflicts, corrections } = found;
    const { game } = store.state;
    return html`
      ${conflicts.length > 1 ? html`<p>${conflicts.length} sets of rows disagree: ${conflicts.slice(0, 5).map((rows) => rows.map((row) => this.place(row)).join(" + ")).join("; ")}${conflicts.length > 5 ? "; ..." : ""}.</p>` : nothing}
      ${corrections.length ? html`<h3>What would mend it, the likeliest first</h3>
      <ol class="corrections">${corrections.slice(0, 8).map((each) => html`<li>
        <span>${each.changes.map((change) => html`Row ${this.place(change.row)}: ${score(game, change.from)} → <strong>${score(game, change.to)}</strong> `)}
        ${each.codes === null ? nothing : html`<span class="hint">(${number(each.codes)} ${each.codes === "1" ? "code" : "codes"} left)</span>`}</span>
        <span class="bar"><button @click=${() => this.apply(each.changes)}>Apply</button>
        <button class="quiet" @click=${() => this.doubt(each.changes[0].row)}>What if row ${this.place(each.changes[0].row)} was misread?</button></span></li>`)}</ol>
      ${corrections.length > 8 ? html`<p class="hint">${corrections.length - 8} more corrections are possible.</p>` : nothing}` : nothing}`;
  }

  suspicion() {
    const rows = analysis.indices.flatMap((index, n) => (store.state.rows[index].unsure ? [n + 1] : []));
    if (!rows.length) return nothing;
    const asked = rows.join(",");
    const known = analysis.known[`suspect ${asked}`];
    if (!known) queueMicrotask(() => analysis.ask("suspect", { rows: asked }, `suspect ${asked}`));
    const { game } = store.state;
    const names = rows.map((row) => this.place(row)).join(" and ");
    if (known?.error) return html`<p class="fault">${known.error}</p>`;
    if (!known?.answer) return html`<p>Asking what row ${names} may have been ...</p>`;
    return html`<h3>If you are not sure of row ${names}</h3>
      ${known.answer.hypotheses.length ? html`<ul>${known.answer.hypotheses.slice(0, 8).map((each) => html`<li>${each.changes.map(({ row, to }) => html`row ${this.place(row)}: <strong>${score(game, to)}</strong> `)}${each.changes.length ? nothing : "right as it stands"}
        <span class="hint">(${number(each.codes ?? "?")} ${each.codes === "1" ? "code" : "codes"})</span></li>`)}</ul>` : html`<p>No score of it would do while the others are right.</p>`}`;
  }

  work() {
    if (!analysis.isWorking) return nothing;
    const doing = analysis.known.count?.answer?.doing;
    return html`<p class="bar working"><progress aria-label="Working"></progress> <span>${doing ?? "working"}</span>
      <button class="quiet" @click=${() => { analysis.stop(); analysis.tell(); }}>Stop</button></p>`;
  }
}

customElements.define("verdict-view", VerdictView);
