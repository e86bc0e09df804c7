// A game against the computer, in both roles, and puzzles. Sends the questions to the server, and changes the board
// according to the states in core/play-machine.js. The server keeps no state: the code follows from the seed.

import { analysis } from "./analysis.js";
import { ask } from "./api.js";
import { hintAt, stepsBefore } from "./core/hints.js";
import { record } from "./core/history.js";
import { active, address, board, isEmpty, isWhole, spell } from "./core/notation.js";
import { plain } from "./core/phrases.js";
import { isRunning, isSameGame, next, OPENING, resumed } from "./core/play-machine.js";
import { keep, recall } from "./core/storage.js";
import { capital, message, refusal, speak } from "./core/words.js";
import { entries } from "./entries.js";
import { isOffline, words } from "./faults.js";
import { announce } from "./live.js";
import { store } from "./store.js";

const AREA = "sessionStorage";
const MAX_SEED = 2 ** 31;

const drawSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % MAX_SEED;
const hasGuess = (row) => row.guess.every((color) => color !== null);

class Play extends EventTarget {
  state = OPENING;
  before = null; // the position before the game, if it had rows
  card = {}; // the rating of a finished game: {skill, best}; best is null if it cannot be computed
  left = null; // the game that was interrupted by the browser's Back: {state, position}
  hint = null; // the shown hint: {text, rows, told}; `told` has the steps that earlier hints gave completely
  #isOwnChange = false;
  #message = ""; // the last announced message
  #messageText = () => this.message;
  #hintText = () => (this.hint ? plain(store.state.game, speak(store.state.game, this.hint.text)) : "");
  #guesses = new Map(); // the guesses of the computer, by the board of the turn
  #asked = null; // the board for which the computer looks for a guess
  #making = null; // the AbortController of the puzzle that is being created
  #steps = null; // the answer with the steps of the puzzle, for hints
  #adopted = null; // the board of a link that is being checked as a puzzle

  constructor() {
    super();
    store.addEventListener("change", () => this.#follow());
  }

  // Return the role of the player in a running game, or null.
  get mode() {
    return isRunning(this.state) ? this.state.role : null;
  }

  // Return whether the user enters rows without scores.
  get hidesScores() {
    return this.mode === "guess" || this.mode === "solve";
  }

  // Return whether the screen of games shows the result of a game. Then the rows cannot be changed.
  get showsResult() {
    const { phase, result } = this.state;
    return phase === "over" && result.kind !== "changed" && document.body.dataset.screen === "play";
  }

  // Return the number of shown rows: without the empty last row if it cannot be filled in.
  get shownRows() {
    const { length } = store.state.rows;
    if (this.hidesScores) return Math.min(length, store.locked + 1);
    return this.showsResult || this.mode === "keep" ? Math.max(1, length - 1) : length;
  }

  get isWaiting() {
    return ["scoring", "thinking"].includes(this.state.phase);
  }

  get isMaking() {
    return this.state.phase === "making";
  }

  get canSubmit() {
    const row = store.state.rows[store.locked];
    return this.state.phase === "guessing" && row !== undefined && hasGuess(row);
  }

  get message() {
    const guesses = store.state.rows.filter(hasGuess).map((row) => row.guess);
    return message(this.state, store.state.game, guesses);
  }

  // Return why the last guess or code was refused, or why the computer has no guess; "" if there is no problem.
  get complaint() {
    const { phase, wrong, failure } = this.state;
    return ["guessing", "stuck"].includes(phase) && (wrong || failure) ? this.message : "";
  }

  // Go to the next state. Then lock or unlock rows, hide or show the analysis, and save the game as this state
  // requires. Returns whether the state has changed.
  #step(event) {
    const before = this.state;
    this.state = next(before, event);
    if (this.state === before) return false;
    if (isRunning(before) !== isRunning(this.state) || before.role !== this.state.role) this.#toggle();
    this.#save();
    const { message } = this;
    if (message !== this.#message) announce(this.#messageText);
    this.#message = message;
    this.dispatchEvent(new Event("change"));
    return true;
  }

  // Save the running game for a reload of the page, and in its entry of the browser's history.
  #save() {
    keep(AREA, "play", this.mode && { ...this.state, mode: this.mode });
    if (this.mode || entries.place.game) entries.note({ game: this.mode && this.state });
  }

  // Hide the analysis when a game starts, and show it when the game ends.
  #toggle() {
    entries.isFixed = this.mode !== null;
    if (this.mode) this.left = null; // another game replaces it
    this.#asked = null;
    this.hint = null;
    this.#steps = null;
    analysis.isQuiet = this.hidesScores;
    if (!this.mode) {
      store.unlock();
      if (store.state.puzzle) this.#put({ puzzle: false });
    }
    analysis.refresh();
  }

  // Change the position on behalf of the computer, without a step for Undo or an entry in the browser's history.
  #put(change) {
    const { isFixed } = entries;
    entries.isFixed = true;
    this.#change(() => store.amend({ ...store.state, ...change }));
    entries.isFixed = isFixed;
  }

  #change(action) {
    this.#isOwnChange = true;
    action();
    this.#isOwnChange = false;
  }

  #remember() {
    this.before = store.state.rows.every(isEmpty) ? null : store.state;
  }

  begin(role, settings = {}) {
    this.stopMaking();
    this.#step({ type: "end" });
    this.#guesses.clear();
    this.card = {};
    this.#remember();
    store.abandonReading(); // an answer that arrives later would end the game
    entries.isFixed = true;
    store.clear();
    if (this.before) store.notice = "Your board is kept: “End the game and return to my earlier board” brings it back.";
    const { lies } = store.state;
    const played = board(store.state, []);
    this.#step({ type: "begin", role, played, settings: { ...settings, lies, seed: drawSeed() } });
    store.lock(0);
    if (role === "keep") this.#think();
  }

  // Start another game with the same settings.
  again() {
    const { role, settings } = this.state;
    this.begin(role, settings);
  }

  // End the game, and restore the board from before the game.
  goBack() {
    const { before } = this;
    this.before = null;
    this.end();
    store.change(before);
  }

  end() {
    this.#step({ type: "end" });
  }

  // Return the game that was running when the page was unloaded.
  get saved() {
    return recall(AREA, "play");
  }

  // Called when the page has loaded. Resume the saved game if its rows are on the board, unless the player has
  // started another game in the meantime.
  open(saved) {
    if (this.state.phase !== "opening") {
      analysis.isQuiet = this.hidesScores;
      return analysis.refresh();
    }
    const state = next(this.state, { type: "opened", saved });
    if (state.role === null || state.played !== this.#rows(state.count)) {
      keep(AREA, "play", null);
      this.state = next(this.state, { type: "opened", saved: null });
      analysis.isQuiet = false;
      analysis.refresh();
      return this.#follow();
    }
    this.#restore(state);
  }

  #restore(state) {
    this.state = state;
    store.lock(this.hidesScores ? state.count : 0);
    this.#toggle();
    this.#save();
    this.dispatchEvent(new Event("change"));
    this.#follow();
    if (this.hidesScores) store.moveTo(state.count, Math.max(0, store.state.rows[state.count].guess.indexOf(null)));
    if (state.hints) this.#recallHint();
  }

  // Return whether the game on the screen is the game of the entry that the browser went to. If it is, the game does
  // not change, and its current board is stored in the entry.
  goesOn(game) {
    const isSame = isSameGame(this.state, game);
    if (isSame) {
      entries.replace(store.state, address(store.state));
      this.#save();
    }
    return isSame;
  }

  // Interrupt the game when the browser goes to an entry without it. The player can continue it later.
  leave() {
    this.before = null;
    this.left = { state: this.state, position: store.state };
    store.state = { ...store.state, puzzle: false }; // the address no longer marks the board as a puzzle
    this.#step({ type: "end" });
  }

  // Resume the game of the entry that the browser went to, if its rows are on the board.
  resume(game) {
    const state = resumed(game);
    if (this.mode || !isRunning(state) || state.played !== this.#rows(state.count)) return;
    this.#restore({ ...state, turn: this.state.turn + 1 });
  }

  // Continue the interrupted game.
  comeBack() {
    const { state, position } = this.left;
    this.#remember();
    entries.isFixed = true;
    this.#change(() => store.change(position));
    this.#restore({ ...resumed(state), turn: this.state.turn + 1 });
  }

  // Return the board of the first `count` rows, or null if they do not exist or are not complete.
  #rows(count) {
    const indices = Array.from({ length: count }, (_, n) => n);
    const rows = store.state.rows.slice(0, count);
    return rows.length === count && rows.every(isWhole) ? board(store.state, indices) : null;
  }

  // React to a change of the board by the user.
  #follow() {
    if (this.#isOwnChange || this.state.phase === "opening") return;
    if (store.state.puzzle && this.mode !== "solve") return this.#adopt();
    if (this.mode === "keep") return this.#think();
    const { phase, count, played } = this.state;
    if ((this.hidesScores || phase === "over") && this.#rows(count) !== played) this.#step({ type: "changed" });
  }

  // Submit the guess of the player.
  submit() {
    if (!this.canSubmit) return;
    this.#step({ type: "submit" });
    if (this.mode === "solve") this.#judge();
    else this.#score();
  }

  // Return the board of the game with the scores of one of its codes.
  #boardOf(index) {
    const { scores, count } = this.state;
    const rows = store.state.rows.map((row, n) => (n < count ? { ...row, score: scores[index][n] } : row));
    return board(
      { ...store.state, rows },
      Array.from({ length: count }, (_, n) => n),
    );
  }

  async #score() {
    const { turn, count, settings, selected } = this.state;
    const { seed, evil, hard, lies } = settings;
    const { guess } = store.state.rows[count];
    store.lock(count + 1);
    store.moveTo(count + 1, 0);
    const given = { guess: spell(store.state.game, guess), evil, hard, lies };
    const score = (_, index) => ask("play", { ...given, board: this.#boardOf(index), seed: (seed + index) % MAX_SEED });
    try {
      const answers = await Promise.all(this.state.scores.map(score));
      if (turn !== this.state.turn) return;
      const { rows } = store.state;
      if (rows[count]?.guess !== guess) return this.#step({ type: "changed" });
      const scores = answers.map(({ answer }) => answer.score);
      this.#put({ rows: rows.map((row, n) => (n === count ? { ...row, score: scores[selected] } : row)) });
      const found = answers.map(({ answer }) => answer.found);
      store.lock(count + 1);
      this.#step({ type: "scored", turn, scores, found, played: this.#rows(count + 1) });
      if (this.state.phase === "over") this.#judgeGame();
    } catch (error) {
      if (turn !== this.state.turn) return;
      store.lock(count);
      store.moveTo(count, 0);
      this.#fail(error);
    }
  }

  // Show another board of a game with several codes.
  select(index) {
    const { phase, scores } = this.state;
    if (!(phase === "guessing" || this.showsResult) || !scores[index]) return;
    const rows = store.state.rows.map((row, n) => (n < this.state.count ? { ...row, score: scores[index][n] } : row));
    this.#put({ rows });
    this.#step({ type: "select", index, played: this.#rows(this.state.count) });
  }

  // Rate a finished game: the skill of its guesses, and the average number of guesses of best play.
  async #judgeGame() {
    const { turn, settings, played, count, phase } = this.state;
    if (phase !== "over" || !count) return;
    const { evil, hard, lies, boards } = settings;
    const take = (found) => {
      if (turn !== this.state.turn) return;
      this.card = { ...this.card, ...found };
      this.dispatchEvent(new Event("change"));
    };
    const reviewed = async () => take({ skill: (await ask("review", { board: played, hard })).answer.skill });
    // If scores are numbers, a guess that uses the information of all scores is a possible code.
    const rule = store.state.game.marks.length ? { hard } : { consistent_only: hard };
    const compared = async () => {
      const { answer } = await ask("suggest", { board: board(store.state, []), others: 0, ...rule });
      take({ best: answer.expected_guesses });
    };
    if (lies || boards > 1) return take({ best: null });
    await Promise.allSettled([reviewed(), evil ? take({ best: null }) : compared()]);
  }

  #fail(error) {
    const [fault] = error.faults ?? [];
    const text = (fault && refusal(store.state.game, store.state.rows, fault)) || words(error);
    this.#step({ type: "failed", message: text, canRetry: isOffline(error) });
  }

  retry() {
    if (this.mode === "keep") this.#think();
    else this.submit();
  }

  // Create a puzzle and put it on the board. It has exactly one solution, and the analysis is hidden until the end. The
  // seed of the puzzle of the day is given by its date.
  async pose(grade, { seed = drawSeed(), day = null, game = board(store.state, []) } = {}) {
    this.stopMaking();
    const making = new AbortController();
    this.#making = making;
    this.#step({ type: "make" });
    const began = Date.now();
    const timer = setInterval(
      () => this.#step({ type: "tick", seconds: Math.round((Date.now() - began) / 1000) }),
      1000,
    );
    try {
      const { answer, position } = await ask("puzzle", { board: game, grade, seed }, { signal: making.signal });
      if (making.signal.aborted) return;
      this.#remember();
      store.abandonReading();
      entries.isFixed = true;
      this.#change(() => store.accept(position, { lies: 0, puzzle: true }));
      this.#solve(position.rows.length, answer.code, answer.grade, day);
    } catch (error) {
      if (this.#making === making)
        this.#step({ type: "failed", message: error.name === "AbortError" ? "" : capital(words(error)) });
    } finally {
      clearInterval(timer);
      if (this.#making === making) this.#making = null;
    }
  }

  #solve(count, solution, grade, day = null) {
    store.lock(count);
    this.#step({ type: "pose", solution, grade, count, day, played: this.#rows(count) });
  }

  // Start the puzzle of a link. If it does not have exactly one solution, show its rows as a normal board.
  async #adopt() {
    const count = active(store.state).length;
    const line = board(store.state);
    if (this.#adopted === line) return;
    this.#adopted = line;
    this.#step({ type: "end" });
    try {
      const { listed } = (await ask("codes", { board: line, limit: 2 })).answer;
      // The game may have been resumed meanwhile.
      if (this.mode || !store.state.puzzle || line !== board(store.state)) return;
      if (listed.length === 1 && count) this.#solve(count, listed[0], 0);
      else this.#put({ puzzle: false });
    } catch (error) {
      this.#put({ puzzle: false });
      this.#fail(error);
    } finally {
      if (this.#adopted === line) this.#adopted = null;
    }
    analysis.refresh();
  }

  // Remove the code of a finished puzzle from the board, so that only the given rows remain.
  removeCode() {
    this.#put({ rows: store.state.rows.slice(0, this.state.count) });
  }

  stopMaking() {
    this.#making?.abort();
    this.#making = null;
    if (this.isMaking) this.#step({ type: "end" });
  }

  // Check the submitted code of a puzzle. If it is wrong, find a row that it contradicts.
  async #judge() {
    const { turn, solution, count, played, day } = this.state;
    const { game, rows } = store.state;
    const guess = spell(game, rows[count].guess);
    const { cursor } = store;
    if (guess === spell(game, solution)) {
      const { tries, hints } = this.state;
      keep("localStorage", "puzzles", record(recall("localStorage", "puzzles"), { day, tries, hints }));
      return this.#step({ type: "judged", isRight: true });
    }
    try {
      const { wrong, scores } = (await ask("scores", { board: played, code: guess })).answer;
      const misfit = wrong.length ? { row: wrong[0], score: scores[wrong[0] - 1] } : null;
      this.#step({ type: "judged", turn, isRight: false, wrong: rows[count].guess, misfit });
      if (store.cursor === cursor) store.moveTo(count, 0); // unless the player has started to change the code
    } catch (error) {
      if (turn === this.state.turn) this.#fail(error);
    }
  }

  // Show the next hint of a puzzle: where to look, then what follows there, then the complete step.
  async giveHint() {
    const { turn, played } = this.state;
    try {
      this.#steps ??= (await ask("steps", { board: played })).answer;
    } catch (error) {
      return this.#fail(error);
    }
    if (turn === this.state.turn && this.#step({ type: "hint" })) this.#showHint();
  }

  // Show the last hint again after the page was reloaded.
  async #recallHint() {
    const { turn, hints, played } = this.state;
    try {
      const { answer } = await ask("steps", { board: played });
      if (turn !== this.state.turn || hints !== this.state.hints || this.mode !== "solve") return;
      this.#steps = answer;
      this.#showHint();
    } catch {
      // The error is ignored: the next hint sends the question again.
    }
  }

  #showHint() {
    const { game, rows } = store.state;
    const number = this.state.hints - 1;
    const told = stepsBefore(game, rows, this.#steps, number);
    this.hint = { ...hintAt(game, rows, this.#steps, number), told };
    const places = this.hint.rows.map((row) => row - 1);
    analysis.light(() => places);
    announce(this.#hintText);
    this.dispatchEvent(new Event("change"));
  }

  async giveUp() {
    const { role, settings, turn, played, solution } = this.state;
    if (role === "solve") return this.#step({ type: "reveal", code: spell(store.state.game, solution) });
    const { seed, evil } = settings;
    try {
      const boards = this.state.scores.map((_, index) =>
        ask("play", {
          board: evil ? played : this.#boardOf(index),
          seed: (seed + index) % MAX_SEED,
          evil,
          reveal: true,
        }),
      );
      const codes = (await Promise.all(boards)).map(({ answer }) => answer.code);
      this.#step({ type: "reveal", turn, code: codes.join(", ") });
      this.#judgeGame();
    } catch (error) {
      if (turn === this.state.turn) this.#fail(error);
    }
  }

  // If the computer guesses, show its guess for the scored rows, unless it is already shown.
  async #think() {
    const { state } = store;
    const line = board(state);
    const known = this.#guesses.get(line);
    if (!known && this.#asked === line && this.state.phase === "thinking") return;
    this.#asked = line;
    this.#step({ type: "think" });
    const gap = this.#gap();
    if (gap >= 0) {
      const { guess, score } = store.state.rows[gap];
      if (!store.isFilling) store.moveTo(gap, guess.length + score.indexOf(null));
      return this.#step({ type: "thought", guess, played: this.#rows(gap), count: gap });
    }
    const { turn, settings } = this.state;
    const count = active(state).length;
    if (known) return this.#show(known, line);
    try {
      const hasEnded = count > 0 && (await ask("play", { board: line })).answer.found;
      if (hasEnded) {
        this.#step({ type: "found", turn, count, played: line });
        return this.#judgeGame();
      }
      const { strategy, seed, lies } = settings;
      const { answer } = await ask("suggest", { board: line, others: 0, strategy, seed, lies });
      if (turn !== this.state.turn) return;
      this.#guesses.set(line, answer.guess);
      this.#show(answer.guess, line);
    } catch (error) {
      if (turn !== this.state.turn) return;
      const contradicts = count && error.status === 422 && error.message.startsWith("No code");
      if (contradicts) error.message += " Correct a row, and I go on.";
      this.#fail(error);
    }
  }

  // Return the index of a row whose score was emptied after a later guess had been shown; -1 if there is none. The
  // computer waits for this score.
  #gap() {
    const { rows } = store.state;
    const isCounted = (row) => hasGuess(row) && !row.off;
    const last = rows.findLastIndex(isCounted);
    return rows.findIndex((row, index) => index < last && isCounted(row) && !isWhole(row));
  }

  // Show a guess in the row below the scored rows. It replaces a guess that is out of date.
  #show(guess, line) {
    const { game, rows } = store.state;
    const isOpen = (row) => hasGuess(row) && !isWhole(row) && !row.off;
    const open = rows.find(isOpen);
    const isNew = open?.guess.join() !== guess.join() || rows.filter(isOpen).length > 1;
    if (isNew) {
      const kept = rows.filter((row) => isWhole(row));
      const row = { guess, score: game.parts.map(() => null), off: false, unsure: false };
      const filled = store.isFilling && store.cursor.cell >= game.pegs ? kept.indexOf(rows[store.cursor.row]) : -1;
      this.#put({ rows: [...kept, row] });
      if (filled < 0) store.moveTo(kept.length, game.pegs);
      else store.moveTo(filled, store.cursor.cell);
    } else this.#placeCursor(rows.indexOf(open), open.score);
    this.#step({ type: "thought", guess, played: line, count: active(store.state).length });
    if (isNew) this.dispatchEvent(new Event("shown"));
  }

  // Move the cursor to the first missing part of the score if Undo has moved it elsewhere.
  #placeCursor(index, score) {
    const { row, cell } = store.cursor;
    const { pegs } = store.state.game;
    const isElsewhere = row === index && (!store.isFilling || cell < pegs) && score[cell - pegs] === null;
    if (row > index || isElsewhere) store.moveTo(index, pegs + score.indexOf(null));
  }
}

export const play = new Play();
