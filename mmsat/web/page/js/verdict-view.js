// The verdict: whether the scores are consistent and, if not, the conflicting rows and the possible corrections.

import { isEmpty, isWhole, spell } from "./core/notation.js";
import { decimal, number, percentages, quantity, rowList } from "./core/numbers.js";
import { changesInWords, correctionsInWords, likeliest, mistakes, slips, suspectsInWords } from "./core/verdict.js";
import { capital, codeNoun, speak } from "./core/words.js";
import { OFFLINE } from "./faults.js";
import { announce } from "./live.js";
import { play } from "./play.js";
import { readPanel } from "./tabs.js";
import { analysis, code, html, nothing, score, scoreWords, store, View } from "./view.js";

const MAX_LISTED = 8;
const MAX_PEGS_IN_LINE = 8;
const MAX_DIGITS_IN_LINE = 15; // on a phone

// On a phone, the verdict has only one line: texts in `lead` are hidden, and texts in `instead` are shown.
const lead = (text) => html`<span class="lead">${text}</span>`;
const instead = (text) => html`<span class="instead" aria-hidden="true">${text}</span>`;

class VerdictView extends View {
  static questions = ["check", "count", "explain", "suspect", "work", "moment"];
  #measured = null;
  #size = new ResizeObserver(([{ target }]) => {
    document.documentElement.style.setProperty("--verdict", `${/** @type {HTMLElement} */ (target).offsetHeight}px`);
  });

  connectedCallback() {
    super.connectedCallback();
    play.addEventListener("change", () => this.updateSoon());
  }

  // Render, and keep `--verdict` equal to the height of the verdict line, for elements that stick below it.
  update() {
    super.update();
    const line = this.querySelector(".verdict-line");
    if (line === this.#measured) return;
    this.#measured = line;
    this.#size.disconnect();
    this.#size.observe(line);
  }

  // Apply the scores of a correction. If other corrections are possible, the scores are marked as assumed.
  apply(changes, isAssumed) {
    const rows = [...store.state.rows];
    for (const { row, to } of changes) {
      const score = to.map((part) => part ?? "?");
      const before = rows[row - 1].score;
      rows[row - 1] = { ...rows[row - 1], score, unsure: false, assumed: isAssumed, before };
    }
    store.change({ ...store.state, rows });
    const { state } = store;
    const text = `${changesInWords(state.game, changes).replaceAll(" was ", " is now ")}.`;
    announce(() => (store.state === state ? text : ""));
  }

  // Return the rows whose scores come from an assumed correction, as changes.
  get assumed() {
    const { rows } = store.state;
    return analysis.indices
      .filter((index) => rows[index].assumed)
      .map((index) => ({ row: index + 1, to: rows[index].score }));
  }

  view() {
    if (analysis.isQuiet)
      return html`<div class="verdict-line"><p class="hint">Hidden while you play.${lead(" It comes back when the game ends.")}</p></div>`;
    const { check } = analysis.known;
    return html`<div class="verdict-line" tabindex="-1" data-focus>${check?.error ? html`<p class="fault" role="alert">${check.error}</p>` : html`${this.moment()}${this.headline(check)}`} ${this.work()}</div>
      <div class="panel verdict-more" tabindex="-1">${this.offline()} ${this.details(check)} ${this.drafts()} ${this.corrections()} ${this.suspicion()}</div>`;
  }

  offline() {
    if (!analysis.isOffline) return nothing;
    return html`<p class="fault" role="alert">${OFFLINE}</p>
      <p class="bar"><button @click=${() => analysis.goOn()}>Try again</button></p>`;
  }

  // Render the number of codes at the moment that a review shows.
  moment() {
    const { moment } = analysis;
    if (!moment) return nothing;
    const { place, codes, isBefore } = moment;
    const amount = codes === null ? "" : `: ${quantity(codes, codeNoun(store.state.game))}`;
    return html`<p class="headline moment">${isBefore ? "Before" : "After"} row ${place + 1}${amount}</p>`;
  }

  headline(check) {
    const answer = check?.answer;
    if (store.linkFault) return html`<p class="headline bad">This link cannot be read.</p>`;
    if ((analysis.isOffline && !answer) || store.isUnread) return html`<p class="headline">Offline.</p>`;
    if (!answer || (answer.verdict === "unknown" && !check.isDone))
      return html`<p class="headline">${check?.isStopped ? "Stopped." : "Thinking …"}</p>`;
    if (answer.verdict === "consistent") return this.consistent(answer);
    if (answer.verdict === "unknown")
      return html`<p class="headline">Undecided${check.isStopped ? ", as you stopped it" : ""}.</p>`;
    const short = suspectsInWords(analysis.known.explain?.answer ?? answer) || "These scores conflict.";
    return html`<p class="headline bad"><span>${lead("These scores contradict each other.")}${instead(short)}</span></p>`;
  }

  consistent({ witness }) {
    const { game } = store.state;
    if (play.mode === "keep") return html`<p class="headline"><strong class="long">${this.left()}</strong></p>`;
    const { assumed } = this;
    const isShort = witness.length <= MAX_PEGS_IN_LINE;
    const amount = this.left(isShort && analysis.indices.length > 0); // "" while the number is unknown
    if (!analysis.indices.length)
      return html`<p class="headline"><span class=${amount === "" ? "" : "lead"}>Enter your guesses and scores.</span> <strong class="long">${amount}</strong></p>`;
    const isSolved = analysis.known.count?.answer?.count === "1";
    if (isSolved && assumed.length)
      return html`<p class="headline"><span>Solved${lead(`, if ${changesInWords(game, assumed)}: the ${codeNoun(game)} is`)}${instead(", as corrected:")}</span> ${code(game, witness)}</p>`;
    if (isSolved)
      return html`<p class="headline good"><span>Solved: ${lead(`the ${codeNoun(game)} is`)}</span> ${code(game, witness)}</p>`;
    const example = isShort ? html`<span class="example">such as ${code(game, witness)}</span>` : nothing;
    return html`<p class="headline good"><span class=${amount === "" ? "" : "lead"}>The scores fit.</span> <strong class="long">${amount}</strong> ${example}</p>`;
  }

  // Render details: a code that is too long for the verdict line, the rows whose scores it misses, or
  // the reasons why there is no code.
  details(check) {
    const answer = check?.answer;
    if (answer?.verdict === "consistent") {
      const long =
        analysis.indices.length && answer.witness.length > MAX_PEGS_IN_LINE
          ? html`<p>For example ${code(store.state.game, answer.witness)}</p>`
          : nothing;
      const { assumed } = this;
      const isMissed = answer.missed?.length;
      return html`${long}
        ${assumed.length ? html`<p class="assumed">This holds if ${changesInWords(store.state.game, assumed)}. Other corrections are possible, too: Undo shows them again.</p>` : nothing}
        ${isMissed ? html`<p>In this example, ${wrongScores(answer.missed.map(({ row }) => row))}.</p>` : nothing}
        ${this.wordList()}`;
    }
    if (answer?.verdict !== "inconsistent") return nothing;
    const { explain } = analysis.known;
    const found = explain?.answer ?? answer;
    const sentences = [
      answer.unlisted &&
        `The secret word may be missing from the word list: ${spell(store.state.game, answer.unlisted)}, which is not in it, gets these scores.`,
      mistakes(found),
      this.correction(found),
      analysis.conflict,
    ];
    return html`${sentences.filter(Boolean).map((text) => html`<p class="lines">${text}</p>`)}
      ${analysis.needsSteps ? html`<p class="bar"><button class="quiet" @click=${() => this.showSteps()}>Show why</button></p>` : nothing}`;
  }

  // Return the most likely correction as a sentence. If it has several rows and is in the list below, return "".
  correction({ corrections = [] }) {
    const isListed = Boolean(analysis.known.explain?.answer?.corrections.length);
    const isLong = likeliest(corrections).some(({ changes }) => changes.length > 1);
    return isListed && isLong ? "" : correctionsInWords(store.state.game, corrections);
  }

  // Open the tab "why" with the steps.
  showSteps() {
    readPanel("why", analysis.known.steps ? null : analysis.ask("steps"));
  }

  // Render the name of the word list of the game.
  wordList() {
    const { game } = store.state;
    if (!game.words || !game.marks.length) return nothing;
    const list = game.definition ? "your own list" : "mmsat’s list “english”";
    return html`<p class="hint">Words are those of ${list} (${quantity(game.codes, "word")}). Other games may know other words.</p>`;
  }

  // Render the number of remaining codes, as far as it is known. It is at least 1, because there is a witness.
  left(hasExample = false) {
    const { count } = analysis.known;
    const answer = count?.answer;
    const kind = codeNoun(store.state.game);
    const possible = (digits) => {
      const are = `${digits === "1" ? "is" : "are"} possible`;
      const amount = quantity(digits, kind);
      const isLong = digits.length > MAX_DIGITS_IN_LINE;
      return html`${isLong ? html`${lead(amount)}${instead(`${decimal(digits)} ${kind}s`)}` : amount} ${hasExample ? lead(are) : html`<span class="unit">${are}</span>`}`;
    };
    const atLeast = (digits) =>
      html`At least ${possible(digits && digits !== "0" ? digits : "1")}${count.isStopped ? lead(" (the count was stopped)") : nothing}`;
    if (!answer) return count?.isStopped ? atLeast() : "";
    if (answer.exact) return possible(answer.count);
    if (count.isDone) return atLeast(answer.count ?? answer.least);
    const least = answer.least === "0" ? "1" : answer.least; // the witness is a code
    const bound = answer.most && least !== "1" ? `${number(least)} to ${number(answer.most)} ${kind}s so far` : "";
    const short = `At least ${quantity(least, kind)}`;
    return html`${lead(bound || `${short}, counting …`)}${instead(short)}`;
  }

  // Render a note about incomplete rows, which do not count yet.
  drafts() {
    if (play.mode) return nothing;
    const rows = store.state.rows.flatMap((row, index) =>
      isEmpty(row) || isWhole(row) || row.off || row.broken ? [] : [index + 1],
    );
    if (!rows.length) return nothing;
    const text = rowList(rows);
    return html`<p class="hint">${text[0].toUpperCase()}${text.slice(1)} ${rows.length === 1 ? "is not complete, so it does" : "are not complete, so they do"} not count yet.</p>`;
  }

  corrections() {
    const { explain } = analysis.known;
    const found = explain?.answer;
    if (!found) return nothing;
    const { conflicts, corrections } = found;
    const { game } = store.state;
    const chances = percentages(corrections.map(({ chance }) => chance));
    const isOnly = corrections.length === 1 && found.all_corrections;
    const item = (each, n) => html`<li>
        <span>${each.changes.map((change) => html`Row ${change.row}: ${score(game, change.from)} → <strong>${score(game, change.to)}</strong> `)}
        ${each.codes === null ? nothing : html`<span class="hint">(leaves ${quantity(each.codes, codeNoun(game))})</span>`}</span>
        ${this.plausibility(chances[n], each.changes)}
        <span class="bar"><button class=${n || analysis.isOffline ? "quiet" : ""} aria-label=${applyLabel(game, each.changes)} @click=${() => this.apply(each.changes, !isOnly)}>Apply</button></span></li>`;
    return html`
      ${conflicts.length > 1 ? html`<p>${otherGroups(conflicts)}</p>` : nothing}
      ${
        corrections.length
          ? html`<h3>Likely corrections</h3>
      <ol class="corrections">${corrections.slice(0, MAX_LISTED).map(item)}</ol>
      <p class="bar doubts">${suspected(corrections).map((row) => this.doubt(row))}</p>
      ${
        corrections.length > MAX_LISTED
          ? html`<details><summary>${quantity(corrections.length - MAX_LISTED, "more correction")}</summary>
        <ol class="corrections" start=${MAX_LISTED + 1}>${corrections.slice(MAX_LISTED).map((each, n) => item(each, MAX_LISTED + n))}</ol></details>`
          : nothing
      }`
          : nothing
      }`;
  }

  // Render the button that marks a row as uncertain, or removes the mark.
  doubt(row) {
    const { unsure } = store.state.rows[row - 1];
    return html`<button class="quiet" aria-pressed=${unsure} @click=${() => store.changeRow(row - 1, { unsure: !unsure })}>I am not sure of row ${row}</button>`;
  }

  // Render the probability of a correction and the kinds of its mistakes.
  plausibility(chance, changes) {
    return html`<span class="plausibility">${[chance, speak(store.state.game, slips(changes))].filter(Boolean).join(": ")}</span>`;
  }

  suspicion() {
    const rows = analysis.indices.filter((index) => store.state.rows[index].unsure).map((index) => index + 1);
    if (!rows.length) return nothing;
    const asked = rows.join(",");
    const known = analysis.known[`suspect ${asked}`];
    if (!known) queueMicrotask(() => analysis.ask("suspect", { rows: asked }, `suspect ${asked}`));
    const { game } = store.state;
    const names = rowList(rows);
    if (known?.error) return html`<p class="fault">${known.error}</p>`;
    if (!known?.answer)
      return html`<p>${known?.isStopped ? "Stopped." : `Looking for the possible scores of ${names} …`}</p>`;
    return html`<h3>If you are not sure of ${names}</h3>
      ${
        known.answer.hypotheses.length
          ? html`<ul class="corrections">${known.answer.hypotheses.slice(0, MAX_LISTED).map(
              (
                each,
              ) => html`<li>${each.changes.map(({ row, to }) => html`row ${row}: <strong>${score(game, to)}</strong> `)}${each.changes.length ? nothing : "right as it is"}
        <span class="hint">(${each.codes === null ? "? codes" : quantity(each.codes, codeNoun(game))})</span>
        ${each.changes.length ? html`<span class="bar"><button class="quiet" aria-label=${applyLabel(game, each.changes)} @click=${() => this.apply(each.changes, known.answer.hypotheses.length > 1)}>Apply</button></span>` : nothing}</li>`,
            )}</ul>`
          : html`<p>No other score is possible if the other rows are right.</p>`
      }`;
  }

  work() {
    if (analysis.isWorking) {
      const doing = speak(store.state.game, analysis.known.count?.answer?.doing ?? "Working");
      return html`<p class="bar working ${analysis.indices.length ? "" : "patient"}"><progress aria-label="Working" title=${doing}></progress>
        <button class="quiet" @click=${() => {
          analysis.stop();
          analysis.tell();
        }}>Stop</button></p>`;
    }
    if (!analysis.isStopped || analysis.isOffline) return nothing;
    return html`<p class="bar working"><span class="lead">Some questions were stopped.</span> <button class="quiet" @click=${() => analysis.goOn()}>Go on</button></p>`;
  }
}

// Return the rows that the listed corrections change.
const suspected = (corrections) =>
  [...new Set(corrections.slice(0, MAX_LISTED).flatMap(({ changes }) => changes.map(({ row }) => row)))].sort(
    (one, other) => one - other,
  );

// Return "row 2 has the wrong score", or "rows 2 and 3 have the wrong scores".
const wrongScores = (rows) => `${rowList(rows)} ${rows.length === 1 ? "has the wrong score" : "have the wrong scores"}`;

// Return the text about the conflicts in addition to the first one, whose rows are highlighted on the board.
function otherGroups(conflicts) {
  const count = conflicts.length - 1;
  if (count > 2 || conflicts.some((rows) => rows.length === 1))
    return `${quantity(count, "more group")} of rows ${count === 1 ? "contradicts" : "contradict"} each other.`;
  return conflicts
    .slice(1)
    .map((rows) => `${capital(rowList(rows))} contradict each other, too.`)
    .join(" ");
}

// Return the label of a button that applies a correction: "Apply: row 3 to 2 black 1 white".
const applyLabel = (game, changes) =>
  `Apply: ${changes.map(({ row, to }) => `row ${row} to ${scoreWords(game, to)}`).join(", ")}`;

customElements.define("verdict-view", VerdictView);
