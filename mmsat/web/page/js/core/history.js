// The puzzle of the day, and the history of solved puzzles, which is stored in this browser only.

const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
const GRADES = [2, 1, 2, 2, 3, 3, 4]; // the grade of the puzzle of each day, from Sunday to Saturday

/**
 * @typedef {object} History
 * @property {Record<string, {tries: number, hints: number}>} days The solved puzzles of the day, by date.
 * @property {number} solved The number of all solved puzzles.
 */

/** @type {History} */
export const NOTHING = { days: {}, solved: 0 };

/**
 * Return the local date as text, such as 2026-01-31.
 *
 * @type {(date: Date) => string}
 */
export const dateText = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/**
 * Return the seed and the grade of the puzzle of a day.
 *
 * @type {(day: string) => {seed: number, grade: number, day: string}}
 */
export const puzzleOf = (day) => ({
  day,
  seed: Number(day.replaceAll("-", "")),
  grade: GRADES[new Date(`${day}T00:00:00Z`).getUTCDay()],
});

/** @type {(day: string) => string} */
const dayBefore = (day) => new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

/**
 * Return a stored history. Invalid values are ignored.
 *
 * @param {any} stored
 * @returns {History}
 */
export function read(stored) {
  const days = stored?.days !== null && typeof stored?.days === "object" ? stored.days : {};
  const isDay = (/** @type {[string, any]} */ [day, entry]) =>
    /^\d{4}-\d\d-\d\d$/.test(day) && Number.isInteger(entry?.tries) && Number.isInteger(entry?.hints);
  return {
    days: Object.fromEntries(Object.entries(days).filter(isDay)),
    solved: Number.isInteger(stored?.solved) && stored.solved >= 0 ? stored.solved : 0,
  };
}

/**
 * Return the history after a solved puzzle. A puzzle of the day is recorded only the first time.
 *
 * @param {unknown} stored
 * @param {{day: string | null, tries: number, hints: number}} result
 * @returns {History}
 */
export function record(stored, { day, tries, hints }) {
  const { days, solved } = read(stored);
  if (day === null || day in days) return { days, solved: solved + 1 };
  const all = Object.entries({ ...days, [day]: { tries, hints } }).sort(([one], [other]) => (one < other ? -1 : 1));
  return { days: Object.fromEntries(all.slice(-MAX_DAYS)), solved: solved + 1 };
}

/**
 * Return the number of consecutive days with a solved puzzle, up to today, or up to yesterday if the
 * puzzle of today is not solved yet.
 *
 * @type {(history: History, today: string) => number}
 */
export function streak({ days }, today) {
  let day = today in days ? today : dayBefore(today);
  let length = 0;
  for (; day in days; day = dayBefore(day)) length += 1;
  return length;
}
