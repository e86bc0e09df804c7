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
 * The name of a line: an introduction comes before the steps, and conclusions come after them.
 *
 * @type {(steps: NumberedStep[], line: number) => string}
 */
export function lineName(steps, line) {
  const numbers = lineNumbers(steps);
  if (line === 0) return "Introduction";
  return line > numbers.length ? "Conclusion" : `Step ${numbers[line - 1]} of ${steps.length}`;
}
