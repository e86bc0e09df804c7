// Settings, the running game and the history of puzzles, kept by the browser. If storage is blocked
// or full, everything works without.

/**
 * @template T
 * @param {() => T} action
 * @returns {T | null}
 */
const attempt = (action) => {
  try {
    return action();
  } catch {
    return null;
  }
};

/** @typedef {"localStorage" | "sessionStorage"} Area */

/**
 * The value of a key, or null.
 *
 * @param {Area} area
 * @param {string} key
 */
export const recall = (area, key) => attempt(() => JSON.parse(globalThis[area].getItem(key) ?? "null"));

/**
 * Keep a value under a key; null removes it.
 *
 * @param {Area} area
 * @param {string} key
 * @param {unknown} value
 */
export const keep = (area, key, value) =>
  attempt(() =>
    value === null ? globalThis[area].removeItem(key) : globalThis[area].setItem(key, JSON.stringify(value)),
  );
