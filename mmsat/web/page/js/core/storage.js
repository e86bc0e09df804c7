// Storage in the browser for settings, the running game and the history of puzzles. If storage is blocked or
// full, the page works without it.

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
 * Return the value of a key, or null.
 *
 * @param {Area} area
 * @param {string} key
 */
export const recall = (area, key) => attempt(() => JSON.parse(globalThis[area].getItem(key) ?? "null"));

/**
 * Store a value under a key. The value null removes the key.
 *
 * @param {Area} area
 * @param {string} key
 * @param {unknown} value
 */
export const keep = (area, key, value) =>
  attempt(() =>
    value === null ? globalThis[area].removeItem(key) : globalThis[area].setItem(key, JSON.stringify(value)),
  );
