// Links with faults: what can be read is kept, and nothing else is made up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { address, CLASSIC, isEmpty, isWhole, UNREAD } from "../../../mmsat/web/page/js/core/notation.js";
import { draftOf, separate } from "../../../mmsat/web/page/js/core/repair.js";

const fault = (column, found, line = 1) => ({ line, column, found, expected: "something else", rule: "" });
const MARKS = [
  { symbol: "-", name: "absent", also: "" },
  { symbol: "Y", name: "elsewhere", also: "🟨" },
  { symbol: "G", name: "in place", also: "🟩" },
];
const WORDS = {
  ...CLASSIC,
  pegs: 5,
  colors: 26,
  parts: ["1", "2", "3", "4", "5"],
  marks: MARKS,
  symbols: [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((symbol) => ({ symbol })),
};
const PAIRS = {
  ...CLASSIC,
  parts: ["black", "blue", "white"],
  symbols: [..."12345"].flatMap((color) => [..."ABCDE"].map((shape) => ({ symbol: `${color}${shape}` }))),
};
const JOINED = {
  ...CLASSIC,
  joined: true,
  colors: 30,
  symbols: Array.from({ length: 30 }, (_, n) => ({ symbol: `${n + 1}` })),
};

test("rows with faults are separated from the others, at their places", () => {
  const { readable, broken } = separate("4x6/1122=1.1/9999=0.2/3345=0.2/112=1", [
    fault(14, "9999"),
    fault(32, "112"),
    fault(36, "1"),
  ]);
  assert.equal(readable, "4x6/1122=1.1/3345=0.2");
  assert.deepEqual([...broken.keys()], [1, 3]);
  assert.equal(broken.get(1).text, "9999=0.2");
  assert.deepEqual(
    broken.get(3).faults.map(({ column }) => column),
    [1, 5],
  );
});

test("nothing is kept if the game has a fault, or the place of a fault is unknown", () => {
  assert.equal(separate("foo/1122=1.1", [fault(1, "foo")]), null);
  assert.equal(separate("4x6/1122=1.1/99=1", [fault(14, "99"), fault(null, null)]), null);
  assert.equal(separate("4x6/1122=1.1", [fault(1, "1122", 2)]), null);
  assert.equal(separate("4x6/1122=1.1", []), null);
});

test("a row without any text is left out", () => {
  const { readable, broken } = separate("4x6//1122=1.1", [fault(5, "4x6//1122=1.1")]);
  assert.equal(readable, "4x6/1122=1.1");
  assert.equal(broken.size, 0);
});

for (const [name, game, text, faults, guess, score] of [
  ["unknown colors", CLASSIC, "9999=0.2", [fault(1, "9999")], [null, null, null, null], [0, 2]],
  ["one unknown color", CLASSIC, "1192=0.2", [fault(1, "1192")], [1, 1, null, 2], [0, 2]],
  ["a short guess", CLASSIC, "112=1.0", [fault(1, "112")], [1, 1, 2, null], [1, 0]],
  ["a long guess", CLASSIC, "11223=1.0", [fault(1, "11223")], [1, 1, 2, null], [1, 0]],
  ["half a score", CLASSIC, "1122=1", [fault(6, "1")], [1, 1, 2, 2], [1, null]],
  ["a score without its dot", CLASSIC, "1122=11", [fault(6, "11")], [1, 1, 2, 2], [null, null]],
  ["too many numbers", CLASSIC, "1122=1.1.1", [fault(6, "1.1.1")], [1, 1, 2, 2], [1, null]],
  ["no score", CLASSIC, "1122", [fault(1, "1122")], [1, 1, 2, 2], [null, null]],
  ["an unread peg", CLASSIC, "1?29=0.2", [fault(4, "9")], [1, UNREAD, 2, null], [0, 2]],
  ["an unknown mark", WORDS, "crane=GZ---", [fault(8, "Z")], [3, 18, 1, 14, 5], ["G", null, "-", "-", "-"]],
  ["a shared mark", WORDS, "crane=🟩--", [fault(7, "🟩--")], [3, 18, 1, 14, 5], ["G", "-", "-", null, null]],
  ["an unknown pair", PAIRS, "1A2Z3C4D=1.1.1", [fault(3, "2Z")], [1, null, 13, 19], [1, 1, 1]],
  ["a joined guess", JOINED, "30-31-2=1.1", [fault(1, "30-31-2")], [30, null, 2, null], [1, 1]],
]) {
  test(`a row with ${name} keeps the cells that can be read`, () => {
    const row = draftOf(game, { text, faults });
    assert.deepEqual(row.guess, guess);
    assert.deepEqual(row.score, score);
    assert.ok(!isWhole(row));
    assert.ok(!isEmpty(row));
    const position = { game, rows: [row], lies: 0, by: "rows" };
    assert.equal(address(position), `#${game.line}/${text}`);
  });
}
