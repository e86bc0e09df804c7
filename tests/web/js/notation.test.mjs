// Addresses: what is written is read again.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  active,
  address,
  board,
  CLASSIC,
  emptyRow,
  isEmpty,
  isWhole,
  numberedBoard,
  readAddress,
  UNREAD,
} from "../../../mmsat/web/page/js/core/notation.js";

const row = (guess, score, more = {}) => ({ guess, score, off: false, unsure: false, ...more });
const ROWS = [
  row([1, 1, 2, 2], [1, 1]),
  row([3, UNREAD, 4, 5], [0, 2], { off: true }),
  row([6, 6, 1, null], [null, null]),
];
const position = { game: CLASSIC, rows: ROWS, lies: 0, by: "rows" };

test("an address has the whole rows and all settings", () => {
  assert.equal(address(position), "#4x6/1122=1.1/3?45=0.2&off=2");
  const lying = { ...position, lies: 2, by: "pegs", puzzle: true };
  assert.equal(address(lying), "#4x6/1122=1.1/3?45=0.2&off=2&lies=2&by=pegs&puzzle=1");
});

test("an address is read as it was written", () => {
  for (const lies of [0, 1, 7]) {
    for (const by of ["rows", "pegs"]) {
      for (const puzzle of [false, true]) {
        const found = readAddress(address({ ...position, lies, by, puzzle }));
        assert.equal(found.line, "4x6/1122=1.1/3?45=0.2");
        assert.deepEqual([...found.off], [2]);
        assert.deepEqual([found.lies, found.by, found.puzzle], [lies, lies ? by : "rows", puzzle]);
      }
    }
  }
});

test("only whole rows that are not ignored count", () => {
  assert.deepEqual(active(position), [0]);
  assert.equal(board(position), "4x6/1122=1.1");
  assert.equal(numberedBoard(position, [1]), "4x6/3?45=?.?/3?45=0.2");
  assert.ok(isEmpty(emptyRow(CLASSIC)) && !isWhole(emptyRow(CLASSIC)));
});

test("a custom game is a document", () => {
  const game = { ...CLASSIC, definition: { pegs: 4, symbols: "RGBYOP" } };
  const document = JSON.parse(board({ ...position, game }, [0, 1]));
  assert.deepEqual(document.rows[1], { guess: [3, null, 4, 5], black: 0, white: 2 });
});
