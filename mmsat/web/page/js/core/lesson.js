// The lines of a deduction: their names, and the pegs that they are about.

/**
 * Return the indices of the pegs of a guess that a step is about: the pegs whose color the step decides at
 * this peg or counts. If there are none, return the pegs that share the peg or the color of a new fact; if
 * there are none either, all pegs.
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
 * Return the name of a line. A line without a number is an introduction before the steps, or a conclusion after them.
 *
 * @type {(line: import("./steps.js").Line, place: number, steps: number) => string}
 */
export const lineName = ({ number }, place, steps) =>
  number ? `Step ${number} of ${steps}` : place ? "Conclusion" : "Introduction";
