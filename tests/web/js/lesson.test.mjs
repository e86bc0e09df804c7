// The counter of a deduction has the numbers of its sentences.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineName, lineNumbers } from "../../../mmsat/web/page/js/core/lesson.js";

const plain = { supposed: null, steps: [] };
const supposition = (steps) => ({ supposed: { peg: 1, color: 1, true: true }, steps });

test("lines of nested suppositions have the numbers of their steps", () => {
  const steps = [plain, supposition([plain, supposition([plain]), plain]), plain];
  assert.deepEqual(lineNumbers(steps), ["1", "2", "2.1", "2.2", "2.2.1", "2.2", "2.3", "2", "3"]);
});

test("only steps are counted", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((line) => lineName([plain, plain], line)),
    ["Introduction", "Step 1 of 2", "Step 2 of 2", "Conclusion", "Conclusion"],
  );
});
