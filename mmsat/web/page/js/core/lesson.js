// The lines of a deduction as they are read: their names, and the pegs that they are about.

/**
 * The pegs of a guess that a step is about, by their indices: those of a color that the step decides
 * at this peg or counts. If there are none, those of the same peg or color as a new fact; else all.
 *
 * @type {(frame: {new: number[][], new_counts: number[]}, guess: import("./types.js").Cell[]) => number[]}
 */
export function pegsOfStep({ new: decided, new_counts: counted }, guess) {
  const colors = guess.map((color) => Number(color) - 1);
  const places = colors.map((_, n) => n);
  /** @type {((n: number) => boolean)[]} */
  const choices = [
    (n) => counted.includes(colors[n]) || decided.some(([peg, color]) => peg === n && color === colors[n]),
    (n) => decided.some(([peg, color]) => peg === n || color === colors[n]),
  ];
  return choices.map((isChosen) => places.filter(isChosen)).find((found) => found.length) ?? places;
}

/**
 * The name of a line: an introduction comes before the steps, and conclusions come after them.
 *
 * @type {(line: import("./steps.js").Line, place: number, steps: number) => string}
 */
export const lineName = ({ number }, place, steps) =>
  number ? `Step ${number} of ${steps}` : place ? "Conclusion" : "Introduction";
