// The screen of games and puzzles: the offered games, the state of the current game, and its result.

import { dateText, NOTHING, puzzleOf, read, streak } from "./core/history.js";
import { CLASSIC, isWhole, readCode } from "./core/notation.js";
import { decimal, quantity } from "./core/numbers.js";
import { resultText } from "./core/share.js";
import { keep, recall } from "./core/storage.js";
import { capital, codeNoun, unknownBest } from "./core/words.js";
import { play } from "./play.js";
import { goToScreen, readPanel, showScreen } from "./tabs.js";
import {
  analysis,
  canDrawKeys,
  code,
  html,
  KEYS,
  keys,
  nothing,
  partSign,
  peg,
  phrase,
  score,
  scoreWords,
  store,
  View,
} from "./view.js";

const BOARDS = [1, 2, 4, 8];
const STRATEGIES = {
  auto: "the best available",
  optimal: "provably best (small games)",
  knuth: "fewest codes at worst (Knuth)",
  "expected-size": "fewest codes on average",
  entropy: "most information",
  "most-parts": "most different scores",
  sampled: "random samples",
  "any-consistent": "the first possible code",
  "random-consistent": "a random possible code",
};
const DAILY = CLASSIC; // the game of the puzzle of the day
const GRADES = ["very easy", "easy", "medium", "hard", "very hard", "extreme"];
const OPTIONS = { evil: false, hard: false, boards: 1, strategy: "auto", grade: 1 };

class PlayView extends View {
  options = { ...OPTIONS, ...recall("localStorage", "play-options") };
  copied = "";
  wasRunning = false;

  connectedCallback() {
    super.connectedCallback();
    play.addEventListener("change", () => {
      if (play.state.phase !== "over") this.copied = "";
      document.body.dataset.role = play.mode ?? "";
      if (play.mode && !this.wasRunning) showScreen("play"); // also if a link started a puzzle
      this.wasRunning = play.mode !== null;
      this.update();
    });
  }

  // Render. If this hides the focused control, move the focus to this view; a change of the board that ends a game,
  // for example, can hide the board.
  update() {
    super.update();
    if (this.checkVisibility() && !document.activeElement.checkVisibility()) this.querySelector("[data-focus]").focus();
  }

  choose(change) {
    this.options = { ...this.options, ...change };
    keep("localStorage", "play-options", this.options);
    this.update();
  }

  begin(role) {
    const { evil, hard, boards, strategy } = this.options;
    const settings = role === "guess" ? { evil: evil && boards === 1, hard, boards } : { strategy };
    this.focusBoard(() => play.begin(role, settings), role);
  }

  again() {
    const { role, grade } = play.state;
    if (role === "solve") return this.pose(grade || 1);
    this.focusBoard(() => play.again(), role);
  }

  // Create a puzzle, and move the focus to the row for its code.
  async pose(grade, daily) {
    await play.pose(grade, daily);
    if (play.mode === "solve") document.querySelector("board-view").move(store.locked, 0);
    else if (this.contains(document.activeElement)) this.querySelector("#new-puzzle")?.focus(); // no puzzle was created
  }

  // Start a game, and move the focus to the first cell to fill in.
  focusBoard(start, role) {
    const board = document.querySelector("board-view");
    if (role === "keep") play.addEventListener("shown", () => board.focusCell(), { once: true });
    start();
    if (role === "guess") board.move(0, 0);
  }

  // Continue an interrupted game, and move the focus to the board.
  comeBack() {
    play.comeBack();
    document.querySelector("board-view").move(store.cursor.row, store.cursor.cell);
  }

  view() {
    const { phase } = play.state;
    const content = play.mode ? this.game() : phase === "over" ? this.result() : this.offers();
    return html`${phase === "over" ? nothing : html`<p class="play-message">${play.message}</p>`}
      ${play.state.canRetry ? html`<p class="bar"><button class="minor" @click=${() => play.retry()}>Try again</button></p>` : nothing}
      ${content}
      ${play.before ? html`<p class="bar"><button class="quiet" @click=${() => play.goBack()}>${play.mode ? "End the game and return to my earlier board" : "Return to my earlier board"}</button></p>` : nothing}`;
  }

  game() {
    const { role, scores, settings } = play.state;
    return html`
      ${settings.hard ? html`<p class="hint">Hard mode: each guess has to use the information of all scores.</p>` : nothing}
      ${settings.evil ? html`<p class="hint">The computer has no code: each score leaves as many codes as possible.</p>` : nothing}
      ${scores.length > 1 ? this.boards() : nothing}
      ${play.hint?.told.length ? html`<details class="told" open><summary>Steps found so far</summary><ul>${play.hint.told.map((text) => html`<li>${phrase(store.state.game, text)}</li>`)}</ul></details>` : nothing}
      ${play.hint ? html`<p class="puzzle-hint">${phrase(store.state.game, play.hint.text)}</p>` : nothing}
      <p class="bar game">
        ${
          role === "solve"
            ? html`<button class="quiet" @click=${() => this.hint()}>${play.hint ? "More help" : "Hint"}</button>
          <button class="quiet" @click=${() => print()}>Print</button>`
            : nothing
        }
        ${role === "keep" ? nothing : html`<button class="quiet" @click=${() => play.giveUp()}>Give up<span class="more"> and show the ${codeNoun(store.state.game)}${scores.length > 1 ? "s" : ""}</span></button>`}
        <button class="quiet" data-focus @click=${() => play.end()}>End the game<span class=${play.before ? "" : "more"}> and keep its rows</span></button>
      </p>`;
  }

  // Render the boards of a game with several codes. Each board is a button that selects it.
  boards() {
    const { scores, found, selected } = play.state;
    const { game, rows: played } = store.state;
    const state = (n) => (found[n] ? `found in ${found[n]}` : "open");
    const name = (n) =>
      `Board ${n + 1}, ${state(n)}${scores[n].length ? `, last score: ${scoreWords(game, scores[n].at(-1))}` : ""}`;
    return html`<div class="boards" role="group" aria-label="Boards">
      ${scores.map(
        (rows, n) => html`<button class="quiet ${found[n] ? "found" : ""}" aria-pressed=${n === selected}
          aria-label=${name(n)} @click=${() => play.select(n)}>
          <strong>Board ${n + 1}${found[n] ? " ✓" : ""}</strong>
          ${rows.slice(0, found[n] ?? rows.length).map((each, row) => this.scored(game, played[row].guess, each))}
        </button>`,
      )}</div>`;
  }

  // Render a guess with its score in a small size. On a phone, only the score is visible; the guesses are on the board.
  scored(game, guess, parts) {
    if (game.words && game.marks.length)
      return html`<span class="code">${guess.map((color, n) => peg(game, color, parts[n]))}</span>`;
    return html`<span class="scored">${code(game, guess)} ${canDrawKeys(game, parts) ? keys(game, parts) : this.numbers(game, parts)}</span>`;
  }

  // Render a score with too many key pegs to draw: the number of each kind of key pegs, or the score in words.
  numbers(game, parts) {
    if (game.marks.length || !game.parts.every((name) => KEYS.includes(name))) return score(game, parts);
    return html`<span class="amounts">${parts.map((part, n) => html`${partSign(game, n)} ${part} `)}</span>`;
  }

  result() {
    const { role, result } = play.state;
    const isWon = result.kind === "found" && role === "guess";
    const figures = this.figures();
    return html`<section class="result" aria-label="Result">
      <p class="play-message outcome ${isWon || result.kind === "solved" ? "good" : ""}">${play.message}</p>
      ${result.kind === "revealed" ? this.revealed(result.code) : nothing}
      ${figures.length ? html`<dl>${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : nothing}
      ${this.isJudged && play.card.best !== undefined ? html`<p class="hint">${unknownBest(play.state.settings, play.card.best)}</p>` : nothing}
      ${play.state.scores.length > 1 ? this.boards() : nothing}
      ${role === "solve" ? this.history() : nothing}
      <p class="bar">
        <button data-focus @click=${() => this.again()}>${role === "solve" ? "Another puzzle" : "Play again"}</button>
        ${figures.length ? html`<button class="quiet" @click=${() => this.share()}>Copy the result</button>` : nothing}
        ${result.kind === "changed" ? nothing : html`<button class="quiet" @click=${() => this.review()}>${role === "solve" ? "Explain this puzzle" : "Review this game"}</button>`}
        <button class="quiet" @click=${() => play.end()}>Close</button>
        <span role="status">${this.copied}</span>
      </p></section>`;
  }

  // Return whether the guesses of the game are compared with best play.
  get isJudged() {
    const { role, count, result } = play.state;
    return role !== "solve" && count > 0 && result.kind !== "changed";
  }

  // Return the numbers of a result as [name, value].
  figures() {
    const { role, result, count, found, settings, grade, tries, hints } = play.state;
    if (result.kind === "changed") return [];
    if (role === "solve") return [...(grade ? [["grade", grade]] : []), ["wrong codes", tries], ["hints", hints]];
    if (!this.isJudged) return [];
    const { skill, best } = play.card;
    const mode = settings.hard ? " in hard mode" : "";
    const places = found.map((at) => at ?? "–").join(", ");
    return [
      ["guesses", count],
      ...(best ? [[`best play${mode}, on average`, decimal(best)]] : []),
      ...(typeof skill === "number"
        ? [[role === "keep" ? "skill of the computer, of 100" : "skill, of 100", Math.round(100 * skill)]]
        : []),
      ...(found.length > 1 ? [[`${codeNoun(store.state.game)}s found in guesses`, places]] : []),
    ];
  }

  // Render the revealed codes as pegs. The message above contains them as text.
  revealed(codes) {
    const { game } = store.state;
    return html`<p class="revealed" aria-hidden="true">${codes.split(", ").map((text) => code(game, readCode(game, text)))}</p>`;
  }

  async share() {
    const { game, rows } = store.state;
    const scores = rows.filter(isWhole).map((row) => row.score);
    try {
      await navigator.clipboard.writeText(resultText(play.state, game, scores));
      this.copied = play.state.role === "solve" ? "Copied, without the code." : "Copied, without the guesses.";
    } catch {
      this.copied = "The browser does not allow copying.";
    }
    this.update();
  }

  hint() {
    document.querySelector("board-view").refuse(""); // remove an old message about a refused input
    play.giveHint();
  }

  // Show the review of the game or the steps of the puzzle, which are far below the board on a phone. The
  // screen of games keeps the result.
  review() {
    const { role, settings } = play.state;
    const review = document.querySelector("review-view");
    if (role === "solve") play.removeCode();
    goToScreen("board");
    document.querySelector("board-view").putAway(true);
    const ask = () => (role === "solve" ? analysis.ask("steps") : review.begin(settings.hard));
    readPanel(role === "solve" ? "why" : "review", store.state.lies ? null : ask());
  }

  history() {
    const stored = read(recall("localStorage", "puzzles") ?? NOTHING);
    if (!stored.solved) return nothing;
    const days = streak(stored, dateText(new Date()));
    return html`<p class="hint">${quantity(stored.solved, "puzzle")} solved in this browser.${days ? ` Puzzles of the day in a row: ${days}.` : ""}</p>`;
  }

  offers() {
    if (play.isMaking) {
      return html`<p class="bar"><button class="quiet" data-focus @click=${() => play.stopMaking()}>Stop</button></p>`;
    }
    const { lies } = store.state;
    return html`
      ${play.left ? html`<p class="bar"><button class="quiet" @click=${() => this.comeBack()}>Continue the game that you left</button></p>` : nothing}
      ${lies ? html`<p>The codemaker may lie: up to ${quantity(lies, "score")} ${lies === 1 ? "is" : "are"} wrong.</p>` : nothing}
      <div class="offers">${this.guessing()}${this.keeping()}${this.puzzles()}</div>`;
  }

  guessing() {
    const { evil, hard, boards } = this.options;
    const noun = codeNoun(store.state.game);
    return html`<section aria-labelledby="offer-guess">
      <h3 id="offer-guess">Guess the computer's ${noun}</h3>
      <p class="bar"><label for="boards">${capital(noun)}s at the same time</label>
        <select id="boards" @change=${(event) => this.choose({ boards: Number(event.target.value) })}>
          ${BOARDS.map((count) => html`<option ?selected=${count === boards}>${count}</option>`)}
        </select></p>
      <p><label><input type="checkbox" .checked=${hard} @change=${(event) => this.choose({ hard: event.target.checked })}>
        Hard mode: each guess must use all scores so far</label></p>
      <p><label><input type="checkbox" .checked=${evil && boards === 1} ?disabled=${boards > 1} @change=${(event) => this.choose({ evil: event.target.checked })}>
        The computer cheats fairly: it has no code, and each score leaves as many codes as possible</label></p>
      <p><button data-focus @click=${() => this.begin("guess")}>Start guessing</button></p>
    </section>`;
  }

  keeping() {
    return html`<section aria-labelledby="offer-keep">
      <h3 id="offer-keep">Let the computer guess your ${codeNoun(store.state.game)}</h3>
      <p class="bar"><label for="strategy">The computer plays</label>
        <select id="strategy" @change=${(event) => this.choose({ strategy: event.target.value })}>
          ${Object.entries(STRATEGIES).map(([name, text]) => html`<option value=${name} ?selected=${name === this.options.strategy}>${text}</option>`)}
        </select></p>
      <p><button class="quiet" @click=${() => this.begin("keep")}>Let it guess</button></p>
    </section>`;
  }

  puzzles() {
    const today = dateText(new Date());
    const { days } = read(recall("localStorage", "puzzles") ?? NOTHING);
    const daily = puzzleOf(today);
    return html`<section aria-labelledby="offer-puzzle">
      <h3 id="offer-puzzle">Solve a puzzle</h3>
      <p class="hint">Some scored guesses that fit only one code.</p>
      <p><button class="quiet" @click=${() => this.pose(daily.grade, { ...daily, game: DAILY.line })}>Puzzle of the day</button>
        <span class="hint">${DAILY.title}, ${DAILY.line}</span>
        ${today in days ? html`<span class="tag">solved</span>` : nothing}</p>
      <p class="bar"><label for="grade">Difficulty</label>
        <select id="grade" @change=${(event) => this.choose({ grade: Number(event.target.value) })}>
          ${GRADES.map((name, n) => html`<option value=${n + 1} ?selected=${n + 1 === this.options.grade}>${n + 1} ${name}</option>`)}
        </select>
        <button id="new-puzzle" class="quiet" @click=${() => this.pose(this.options.grade)}>New puzzle</button></p>
      ${this.history()}
    </section>`;
  }
}

customElements.define("play-view", PlayView);
