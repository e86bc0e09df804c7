// The numbers of the lines of a deduction.

/** @typedef {{supposed: object | null, steps: NumberedStep[]}} NumberedStep A step as the server sends it. */

/**
 * The numbers of the lines of a chain of steps, such as "3" or "4.1". A supposition has two lines:
 * before its steps, and after them.
 *
 * @type {(steps: NumberedStep[], prefix?: string) => string[]}
 */
export const lineNumbers = (steps, prefix = "") =>
  steps.flatMap(({ supposed, steps: nested }, index) => {
    const number = `${prefix}${index + 1}`;
    return supposed ? [number, ...lineNumbers(nested, `${number}.`), number] : [number];
  });

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
 * @type {(steps: NumberedStep[], line: number) => string}
 */
export function lineName(steps, line) {
  const numbers = lineNumbers(steps);
  if (line === 0) return "Introduction";
  return line > numbers.length ? "Conclusion" : `Step ${numbers[line - 1]} of ${steps.length}`;
}
