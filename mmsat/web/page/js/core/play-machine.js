// The states of a game against the computer, in both roles, and of a puzzle. All transitions are in `next`. An event
// that does not belong to a state does not change it, so an answer that arrives too late has no effect.

/** @import { Cell } from "./types.js" */

/** @typedef {"guess" | "keep" | "solve"} Role Who guesses: the player, the computer, or the player of a puzzle. */

/**
 * @typedef {"opening" | "idle" | "making" | "guessing" | "scoring" | "thinking" | "answering" | "stuck" | "over"} Phase
 * - opening: the page is loading, with the board of its address and possibly with a saved game.
 * - idle: no game.
 * - making: a puzzle is being created.
 * - guessing: the player enters a guess.
 * - scoring: the guess was submitted, but its score has not arrived yet.
 * - thinking: the computer looks for a guess.
 * - answering: the player enters the score of the computer's guess.
 * - stuck: there is no guess, because the scores contradict each other or the server cannot be reached.
 * - over: the result is shown.
 */

/**
 * @typedef {object} Settings
 * @property {boolean} evil Whether the codemaker has no code, and each score leaves as many codes as possible.
 * @property {boolean} hard Whether each guess must use the information of all earlier scores.
 * @property {number} boards The number of codes that are guessed at the same time.
 * @property {string} strategy The strategy of the computer.
 * @property {number} lies The maximum number of wrong scores of the codemaker.
 * @property {number} seed The seed of the code.
 */

/**
 * @typedef {object} Result
 * @property {"found" | "solved" | "revealed" | "ended" | "changed"} kind
 * @property {string} [code] The code, if it is revealed.
 */

/**
 * @typedef {object} State
 * @property {Phase} phase
 * @property {number} turn The number of the current question to the server. Answers to earlier questions are ignored.
 * @property {Role | null} role
 * @property {Settings} settings
 * @property {number} count The number of rows of the game so far.
 * @property {string} played The board of these rows.
 * @property {Cell[][][]} scores For each board, the score of each row; empty unless the player guesses.
 * @property {(number | null)[]} found For each board, the number of the guess that found its code, from 1.
 * @property {number} selected The index of the shown board.
 * @property {Cell[] | null} guess The guess of the computer.
 * @property {Cell[] | null} solution The code of a puzzle.
 * @property {number} grade The grade of a puzzle.
 * @property {string | null} day The date of a daily puzzle.
 * @property {number} hints The number of hints that were shown.
 * @property {number} tries The number of wrong codes that were submitted.
 * @property {Cell[] | null} wrong The wrong code that was submitted last.
 * @property {{row: number, score: Cell[]} | null} misfit A row that contradicts this code, with
 * its score for this code.
 * @property {number} seconds The number of seconds since the creation of a puzzle started.
 * @property {string} failure Why the last request failed.
 * @property {boolean} canRetry Whether the same request may succeed later.
 * @property {Result | null} result
 */

/** @typedef {{type: string, [key: string]: any}} GameEvent */

/** @type {Settings} */
export const SETTINGS = { evil: false, hard: false, boards: 1, strategy: "auto", lies: 0, seed: 0 };

/** @type {State} */
export const IDLE = {
  phase: "idle",
  turn: 0,
  role: null,
  settings: SETTINGS,
  count: 0,
  played: "",
  scores: [],
  found: [],
  selected: 0,
  guess: null,
  solution: null,
  grade: 0,
  day: null,
  hints: 0,
  tries: 0,
  wrong: null,
  misfit: null,
  seconds: 0,
  failure: "",
  canRetry: false,
  result: null,
};

/** @type {State} */
export const OPENING = { ...IDLE, phase: "opening" };

/** @type {(state: State) => boolean} */
export const isRunning = ({ phase }) => !["opening", "idle", "making", "over"].includes(phase);

/** @type {(state: State, change: Partial<State>) => State} */
const over = (state, change) => ({ ...state, phase: "over", failure: "", canRetry: false, guess: null, ...change });

/** @typedef {(state: State, event: GameEvent) => State} Step */

/** @type {Step} */
const begin = ({ turn }, { role, settings, played }) => ({
  ...IDLE,
  turn: turn + 1,
  role,
  settings: { ...SETTINGS, ...settings },
  phase: role === "keep" ? "thinking" : "guessing",
  played,
  scores: role === "guess" ? Array.from({ length: settings.boards ?? 1 }, () => []) : [],
  found: role === "guess" ? Array(settings.boards ?? 1).fill(null) : [],
});

/** @type {Step} */
const pose = ({ turn }, { solution, grade, count, played, day = null }) => ({
  ...IDLE,
  turn: turn + 1,
  role: "solve",
  phase: "guessing",
  solution,
  grade,
  count,
  played,
  day,
});

/** @type {Step} */
const make = ({ turn }) => ({ ...IDLE, phase: "making", turn: turn + 1 });

/** @type {Step} */
const end = ({ turn }) => ({ ...IDLE, turn: turn + 1 });

/** @type {Step} */
const changed = (state) => over(state, { turn: state.turn + 1, result: { kind: "changed" } });

/** @type {Step} */
const reveal = (state, { code }) => over(state, { turn: state.turn + 1, result: { kind: "revealed", code } });

/** @type {Step} */
const select = (state, { index, played }) => ({ ...state, selected: index, played });

// Events that any state accepts.
/** @type {Record<string, Step>} */
const ALWAYS = { begin, pose, make, end };

/** @type {Record<Phase, Record<string, Step>>} */
const STEPS = {
  opening: { opened: (_, { saved }) => resumed(saved) },
  idle: {},
  making: {
    tick: (state, { seconds }) => ({ ...state, seconds }),
    failed: ({ turn }, { message }) => ({ ...IDLE, turn: turn + 1, failure: message }),
  },
  guessing: {
    submit: (state) => ({
      ...state,
      phase: "scoring",
      turn: state.turn + 1,
      failure: "",
      canRetry: false,
      misfit: null,
    }),
    select,
    hint: (state) => ({ ...state, hints: state.hints + 1 }),
    changed,
    reveal,
    failed: (state, { message, canRetry = false }) => ({ ...state, failure: message, canRetry }),
  },
  scoring: {
    scored: (state, { scores, found, played }) => {
      const after = {
        ...state,
        count: state.count + 1,
        played,
        scores: state.scores.map((rows, index) => [...rows, scores[index]]),
        found: state.found.map((at, index) => at ?? (found[index] ? state.count + 1 : null)),
      };
      return after.found.every((at) => at !== null)
        ? over(after, { result: { kind: "found" } })
        : { ...after, phase: "guessing", failure: "" };
    },
    judged: (state, { isRight, wrong = null, misfit = null }) =>
      isRight
        ? over(state, { result: { kind: "solved" } })
        : { ...state, phase: "guessing", tries: state.tries + 1, wrong, misfit },
    changed,
    reveal,
    failed: (state, { message, canRetry = false }) => ({ ...state, phase: "guessing", failure: message, canRetry }),
  },
  thinking: {
    think: (state) => ({ ...state, turn: state.turn + 1 }),
    thought: (state, { guess, played, count }) => ({ ...state, phase: "answering", guess, played, count }),
    found: (state, { count, played = state.played }) => over(state, { count, played, result: { kind: "found" } }),
    failed: (state, { message, canRetry = false }) => ({ ...state, phase: "stuck", failure: message, canRetry }),
  },
  answering: {
    think: (state) => ({ ...state, phase: "thinking", turn: state.turn + 1, guess: null }),
  },
  stuck: {
    think: (state) => ({ ...state, phase: "thinking", turn: state.turn + 1, failure: "", canRetry: false }),
  },
  over: {
    select,
    changed: (state) => (state.result?.kind === "changed" ? state : end(state, { type: "end" })),
  },
};

/**
 * Return the state after an event. An event with a `turn` is the answer to the question of this turn.
 *
 * @param {State} state
 * @param {GameEvent} event
 * @returns {State}
 */
export function next(state, event) {
  if (event.turn !== undefined && event.turn !== state.turn) return state;
  const step = ALWAYS[event.type] ?? STEPS[state.phase][event.type];
  return step ? step(state, event) : state;
}

/**
 * Return the state from which a saved game resumes after the page was reloaded. Open questions are sent again.
 *
 * @param {Partial<State> | null} saved
 * @returns {State}
 */
export function resumed(saved) {
  const state = { ...IDLE, ...saved };
  if (state.phase === "scoring") return { ...state, phase: "guessing" };
  if (["answering", "stuck"].includes(state.phase)) return { ...state, phase: "thinking", failure: "" };
  return isRunning(state) ? state : IDLE;
}

/**
 * Return whether two states belong to the same game.
 *
 * @param {State} state
 * @param {Partial<State> | null} other
 * @returns {boolean}
 */
export function isSameGame(state, other) {
  /** @type {(game: Partial<State>) => string} */
  const identity = ({ role, settings, solution }) => JSON.stringify([role, settings?.seed, solution]);
  return state.role !== null && Boolean(other) && identity(state) === identity(other ?? {});
}
