// Sends the questions about the position to the server whenever the position changes. `core/answers.js` has the states
// of the answers.

import { ask } from "./api.js";
import { isWorking, next, stopped, UNKNOWN } from "./core/answers.js";
import { active, board, numberedBoard } from "./core/notation.js";
import { conflictText, isInformative } from "./core/phrases.js";
import { speak } from "./core/words.js";
import { isOffline, words } from "./faults.js";
import { store } from "./store.js";

const NUMBERED = ["check", "explain", "steps", "suspect"]; // the answers to these questions contain row numbers
const STRICT = ["steps", "suspect", "review"]; // these questions assume that all scores are right
const RETRY_MS = 4000;

class Analysis extends EventTarget {
  answers = UNKNOWN;
  indices = []; // the indices of the rows that are sent: complete and not ignored
  line = ""; // the board that is sent
  numbered = ""; // the board that is sent with the questions in NUMBERED
  game = ""; // the game in the notation of the board line, such as 4x6
  own = ""; // the guess of the user that is compared with the best guesses
  #usedPlaces = () => []; // returns the indices of the highlighted rows
  /** @type {(row: import("./core/types.js").Row) => number[]} Returns the indices of the highlighted pegs of a row. */
  pegsOf = () => [];
  /**
   * The moment of the game that the review shows: after the row with the index `place`, or before it. `codes` is the
   * number of possible codes at this moment, or null if it is unknown. If the moment is null, all rows are shown.
   *
   * @type {{place: number, codes: string | null, isBefore?: boolean} | null}
   */
  moment = null;
  isHidden = false; // whether a running game hides the analysis
  isOffline = false;
  #losses = 0; // number of lost connections
  #asked = {}; // the questions sent about this position, by name: [question, further parameters]
  #controller = new AbortController();
  #retry = 0;

  // Return whether no analysis is shown: during a game that hides it, and while the board is a puzzle.
  get isQuiet() {
    return this.isHidden || Boolean(store.state.puzzle);
  }

  set isQuiet(isHidden) {
    this.isHidden = isHidden;
  }

  get key() {
    return this.answers.key;
  }

  get known() {
    return this.answers.known;
  }

  // Return a sentence about the rows that contradict each other, with the reason if there is a short one;
  // "" if there are none.
  get conflict() {
    const { game, rows, lies, by } = store.state;
    const { answer, reason } = this.known.check ?? {};
    const told = isInformative(rows, reason) ? reason : null;
    return speak(game, conflictText(game, rows, { conflict: answer?.conflict ?? null, reason: told, lies, by }));
  }

  // Return whether only the deduction steps explain why the rows contradict each other.
  get needsSteps() {
    const { rows, lies } = store.state;
    const { answer, reason } = this.known.check ?? {};
    return !lies && (answer?.conflict?.length ?? 0) > 1 && !isInformative(rows, reason);
  }

  get used() {
    return new Set(this.#usedPlaces());
  }

  // Highlight rows, and in each of them the pegs whose indices `pegs` returns. `places` is a function that returns row
  // indices. It is called at each rendering, because a shown step may change until its answer is complete.
  light(places, pegs = (_row) => []) {
    this.#usedPlaces = places;
    this.pegsOf = pegs;
    this.tell("used");
  }

  // Show the board after a row, or before it (see `moment`). The value null shows all rows again.
  showMoment(moment) {
    this.moment = moment;
    this.light(() => (this.moment && !this.moment.isBefore ? [this.moment.place] : []));
    this.tell("moment");
  }

  // Return whether a row was played after the moment that the review shows.
  isLater(index) {
    if (!this.moment) return false;
    const { place, isBefore } = this.moment;
    return isBefore ? index >= place : index > place;
  }

  // Notify the views of a change: of one answer (by its name, such as "check" or "codes 21"), of whether questions are
  // open or stopped ("work"), of the highlighted rows ("used"), of the moment that a review shows ("moment"), or of
  // everything (null).
  tell(name = null) {
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  #step(event) {
    const before = this.answers;
    const work = this.#work;
    this.answers = next(before, event);
    if (this.answers !== before) this.tell(event.name ?? null);
    if (this.#work !== work) this.tell("work");
  }

  // Send the questions about the position, unless they have already been sent for this position.
  refresh() {
    const { game, lies, by } = store.state;
    const indices = active(store.state);
    const [line, numbered] = [board(store.state, indices), numberedBoard(store.state, indices)];
    const key = JSON.stringify([numbered, lies, by, this.isQuiet, store.isUnread]);
    if (key === this.key) return;
    if (this.game !== game.line) this.own = "";
    this.stop();
    Object.assign(this, { indices, line, numbered, game: game.line });
    this.#usedPlaces = () => [];
    this.moment = null;
    this.#asked = {};
    this.#step({ type: "position", key });
    if (this.isQuiet || store.isUnread) return;
    for (const question of ["check", "count", "odds"]) this.ask(question);
    this.ask("suggest", { compare: true });
    if (this.own) this.compare(this.own);
  }

  #given(question) {
    const { lies, by } = store.state;
    const given = { board: NUMBERED.includes(question) ? this.numbered : this.line };
    return lies && !STRICT.includes(question) ? { ...given, lies, by } : given;
  }

  // Send one question about the position and store its answer under `name`. If the position changes before the answer
  // arrives, the answer is ignored.
  async ask(question, more = {}, name = question) {
    const { key } = this;
    const { signal } = this.#controller;
    const losses = this.#losses;
    this.#asked[name] = [question, more];
    this.#step({ type: "asked", key, name });
    const note = (document) => this.#step({ type: "noted", key, name, document });
    try {
      const found = await ask(question, { ...this.#given(question), ...more }, { signal, note });
      // If the connection was lost after this question was sent, its answer does not show that the server
      // is available again.
      if (key === this.key && losses === this.#losses) this.isOffline = false;
      this.#step({ type: "answered", key, name, document: found });
      if (key === this.key && question === "check" && found.answer.verdict === "inconsistent") this.ask("explain");
    } catch (error) {
      if (error.name === "AbortError") return this.#step({ type: "stopped", key, name });
      if (!isOffline(error)) return this.#step({ type: "refused", key, name, message: words(error) });
      if (key === this.key) this.#wait();
      this.#step({ type: "stopped", key, name });
    }
  }

  // Send the stopped questions again after a delay. This repeats until the server can be reached.
  #wait() {
    this.#losses++;
    this.isOffline = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.isOffline && this.goOn(), RETRY_MS);
  }

  // Abort all open questions about the position. Answers and partial answers are kept.
  stop() {
    this.#controller.abort();
    this.#controller = new AbortController();
  }

  // Send the stopped questions again.
  goOn() {
    for (const name of stopped(this.answers)) this.ask(...this.#asked[name], name);
  }

  // Return as a text whether questions are open, and whether some were stopped.
  get #work() {
    return `${this.isWorking} ${this.isStopped}`;
  }

  get isWorking() {
    return isWorking(this.answers);
  }

  get isStopped() {
    return stopped(this.answers).length > 0;
  }

  // Compare a guess of the user with the best guesses. The value "" removes the comparison.
  compare(guess) {
    this.own = guess;
    if (guess) return this.ask("evaluate", { guess }, "own");
    this.#step({ type: "dropped", key: this.key, name: "own" });
  }
}

export const analysis = new Analysis();
store.addEventListener("change", () => analysis.refresh());
