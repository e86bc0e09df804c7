// Numbers of any size in text.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decimal,
  estimated,
  fraction,
  log2,
  number,
  percent,
  percentages,
  quantity,
  range,
  rowList,
} from "../../../mmsat/web/page/js/core/numbers.js";

const SPACE = "\u202f";

test("whole numbers have groups of digits, at any size", () => {
  assert.equal(number("1296"), `1${SPACE}296`);
  assert.equal(number(2n ** 64n).replaceAll(SPACE, ""), String(2n ** 64n));
  assert.equal(number(10n ** 50n), "about 1.00 × 10⁵⁰");
});

test("fractions are exact beyond the range of doubles", () => {
  assert.equal(fraction("-3/4"), -0.75);
  assert.equal(decimal("625/144"), "4.34");
  const large = 10n ** 400n;
  assert.equal(fraction(`${3n * large}/${2n * large}`), 1.5);
  assert.equal(decimal(`${large}/3`), "about 3.33 × 10³⁹⁹");
});

test("percentages, quantities and lists of rows", () => {
  assert.deepEqual(["1/3", "0", "1/200"].map(percent), ["33 %", "0 %", "0.5 %"]);
  assert.deepEqual(["223/224", "1", "199/201"].map(percent), ["over 99 %", "100 %", "99 %"]);
  assert.deepEqual([quantity(1, "code"), quantity("2", "code")], ["1 code", "2 codes"]);
  assert.deepEqual([[2], [2, 5], [1, 2, 5]].map(rowList), ["row 2", "rows 2 and 5", "rows 1, 2 and 5"]);
});

test("logarithms of powers of two are exact, of huge ones nearly", () => {
  for (let n = 0; n < 60; n += 1) assert.equal(log2(2n ** BigInt(n)), n);
  assert.ok(Math.abs(log2(2n ** 4000n) - 4000) < 1e-6);
});

test("samples are scaled to all codes, or stay fractions if the number of codes is unknown", () => {
  assert.equal(estimated(463, null, 8537), "≈\u202f5.4 %");
  assert.equal(estimated(5, 10n ** 12n, 1000), "≈\u202f5 billion");
  assert.equal(estimated(1, "100", 1000), "≈\u202f0.1");
});

test("percentages that belong together have the same digits", () => {
  assert.deepEqual(percentages(["64/129", "64/129", "1/129"]), ["49.6 %", "49.6 %", "0.8 %"]);
  assert.deepEqual(percentages(["16/37", "16/37", "5/37"]), ["43 %", "43 %", "14 %"]);
  assert.deepEqual(percentages(["9999/10000", "1/10000", "0", null]), ["over 99.9 %", "< 0.1 %", "0 %", ""]);
  assert.deepEqual(percentages(["1", "1/200"]), ["100 %", "0.5 %"]);
});

test("bounds are written with what they exclude", () => {
  const bounds = [
    [0, 4],
    [1, 4],
    [4, 4],
    [0, 0],
    [0, 1],
    [1, 3],
  ];
  assert.deepEqual(
    bounds.map((each) => range(each, 4)),
    ["", "at least 1", "4", "0", "0–1", "1–3"],
  );
});
