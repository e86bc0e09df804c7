// The answers about a position: for each question, the answer so far and whether it is complete. Answers about
// an earlier position are dropped.

/**
 * @typedef {object} Answer
 * @property {boolean} isDone Whether no further results are expected.
 * @property {boolean} isStopped Whether the question was stopped before its answer was complete.
 * @property {string | null} error Why there is no answer.
 * @property {any} [answer] The answer, which is partial until the question is done.
 * @property {import("./phrases.js").Reason | null} [reason] Of `check`: why the rows of the conflict contradict each
 *   other.
 * @property {({rows: number[], has: (boolean | null)[][], new: number[][], counts: [number, number][],
 *   new_counts: number[]} | null)[]} [frames] Of `steps`: what is known after each line.
 */

/**
 * @typedef {object} Answers
 * @property {string | null} key The position, including all settings that change an answer.
 * @property {Record<string, Answer>} known
 */

/**
 * @typedef {{type: "position", key: string}
 *   | {type: "asked" | "stopped" | "dropped", key: string | null, name: string}
 *   | {type: "noted" | "answered", key: string | null, name: string, document: object}
 *   | {type: "refused", key: string | null, name: string, message: string}} AnswerEvent
 */

/** @type {Answers} */
export const UNKNOWN = { key: null, known: {} };

/**
 * Return the answers after an event; the same object if the event changes nothing.
 *
 * @param {Answers} answers
 * @param {AnswerEvent} event
 * @returns {Answers}
 */
export function next(answers, event) {
  if (event.type === "position") return event.key === answers.key ? answers : { key: event.key, known: {} };
  if (event.key !== answers.key) return answers;
  const { [event.name]: before, ...others } = answers.known;
  if (event.type === "dropped") return before ? { ...answers, known: others } : answers;
  return { ...answers, known: { ...answers.known, [event.name]: { ...before, ...change(event) } } };
}

/**
 * @param {Exclude<AnswerEvent, {type: "position"}>} event
 * @returns {Answer}
 */
function change(event) {
  switch (event.type) {
    case "noted":
      return { isDone: false, isStopped: false, error: null, ...event.document };
    case "answered":
      return { isDone: true, isStopped: false, error: null, ...event.document };
    case "stopped":
      return { isDone: true, isStopped: true, error: null };
    case "refused":
      return { isDone: true, isStopped: false, error: event.message };
    default:
      return { isDone: false, isStopped: false, error: null };
  }
}

/** @type {(answers: Answers) => boolean} */
export const isWorking = ({ known }) => Object.values(known).some((answer) => !answer.isDone);

/** @type {(answers: Answers) => string[]} */
export const stopped = ({ known }) => Object.keys(known).filter((name) => known[name].isStopped);
