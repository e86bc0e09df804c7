// What the page tells a player of a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLASSIC, readCode } from "../../../mmsat/web/page/js/core/notation.js";
import { IDLE } from "../../../mmsat/web/page/js/core/play-machine.js";
import { gameText } from "../../../mmsat/web/page/js/core/share.js";
import {
  markTitle,
  message,
  partAmount,
  partWord,
  refusal,
  scoreWords,
  speak,
} from "../../../mmsat/web/page/js/core/words.js";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const WORDS = {
  ...CLASSIC,
  line: "daily-word",
  title: "Daily word game",
  pegs: 5,
  colors: 26,
  noun: "letter",
  symbols: LETTERS.map((symbol) => ({ symbol, background: "none", ink: "none" })),
  marks: [
    { symbol: "G", name: "in place", also: "" },
    { symbol: "Y", name: "elsewhere", also: "" },
    { symbol: "-", name: "absent", also: "" },
  ],
  words: true,
};
const row = (word, marks) => ({ guess: readCode(WORDS, word), score: [...marks] });
const fault = (found, number) => ({
  found,
  expected: "a guess that uses the information of all scores",
  rule: `hard mode; this one ignores information of row ${number}`,
});

test("a guess that hard mode forbids is refused with what it lacks", () => {
  const rows = [row("SLATE", "---GY"), row("NETTY", "-Y-G-")];
  const told = (word, number = 1) => refusal(WORDS, rows, fault(word, number));
  assert.equal(told("CRANE"), "Hard mode: place 4 must be T (row 1).");
  assert.equal(told("CROWD"), "Hard mode: place 4 must be T, and E must be used (row 1).");
  assert.equal(told("MOUTH"), "Hard mode: E must be used (row 1).");
  assert.equal(told("MOTTO", 2), "Hard mode: E must be used (row 2).");
  assert.equal(told("ENTTE", 2), "Hard mode: the guess has to use the marks of row 2.");
  assert.equal(told("CRANE", 9), "");
  const twice = [row("EERIE", "Y---Y")];
  assert.equal(refusal(WORDS, twice, fault("CRANE", 1)), "Hard mode: E must be used twice (row 1).");
  const pegs = [{ guess: [1, 1, 2, 2], score: [1, 1] }];
  assert.equal(
    refusal(CLASSIC, pegs, fault("3333", 1)),
    "Hard mode: 3333 can't be the code, because of the score of row 1.",
  );
});

test("a word that is not in the list is named, and other faults are left to the server", () => {
  const unknown = { found: "zzzzz", expected: "a word of the list of this game", rule: "" };
  assert.equal(refusal(WORDS, [], unknown), "ZZZZZ is not in the word list.");
  assert.equal(refusal(WORDS, [], { found: "1", expected: "5 letters", rule: "" }), "");
});

test("a game begins and ends in the words of its game", () => {
  const settings = { ...IDLE.settings };
  const begun = { ...IDLE, phase: "guessing", role: "guess", settings, scores: [[]], found: [null] };
  assert.match(message(begun, WORDS, []), /^I have a word\. Guess 1: choose 5 letters/);
  assert.match(message(begun, CLASSIC, []), /^I have a code\. Guess 1: choose 4 pegs/);
  const over = { ...begun, phase: "over", count: 1, scores: [[["G", "G", "G", "G", "G"]]], result: { kind: "found" } };
  assert.equal(message(over, WORDS, [readCode(WORDS, "NETTY")]), "Found in 1 guess: NETTY.");
  const pairs = { ...CLASSIC, symbols: ["1A", "1B", "2A"].map((symbol) => ({ ...CLASSIC.symbols[0], symbol })) };
  assert.equal(message(over, pairs, [[1, 3, 2, 2]]), "Found in 1 guess: 1A 2A 1B 1B.");
  assert.equal(
    gameText(WORDS, [[["G", "G", "G", "G", "G"]]], [1], true),
    "Daily word game: found in 1, hard mode\n🟩🟩🟩🟩🟩",
  );
});

const BULLS = { ...CLASSIC, noun: "digit", has_repeats: false };
const PIN = { ...BULLS, has_repeats: true };
const JOTTO = { ...WORDS, marks: [], parts: ["color"] };

test("each game has its own words", () => {
  assert.equal(scoreWords(CLASSIC, [1, 2]), "1 black 2 white");
  assert.equal(scoreWords(BULLS, [1, 2]), "1 bull 2 cows");
  assert.equal(scoreWords(BULLS, [0, "?"]), "0 bulls ? cows");
  assert.equal(scoreWords(PIN, [1, 2]), "1 black 2 white");
  assert.equal(scoreWords(WORDS, ["G", "Y", "-", "?", null]), "green, yellow, grey, not read, not read");
  assert.equal(scoreWords(JOTTO, [1]), "1 letter");
  assert.deepEqual([partWord(BULLS, 0), partWord(CLASSIC, 1), partWord(JOTTO, 0)], ["bulls", "white", "letters"]);
  assert.equal(partAmount(JOTTO, 0, 3), "3 letters");
  assert.equal(markTitle(WORDS, "G"), "green: in place");
});

for (const [game, text, spoken] of [
  [CLASSIC, "row 1 has 1 black (of 1 black 2 white)", "row 1 has 1 black (of 1 black 2 white)"],
  [BULLS, "row 1 has 1 black (of 1 black 2 white)", "row 1 has 1 bull (of 1 bull 2 cows)"],
  [BULLS, "one white too many", "one cow too many"],
  [BULLS, "black = right color and place", "bull = right digit and place"],
  [BULLS, "Pegs 1 and 2 are 3; peg 4 is 5", "Places 1 and 2 are 3; place 4 is 5"],
  [BULLS, "row 1 scores ? black 0 white", "row 1 scores ? bulls 0 cows"],
  [BULLS, "off by more than 1 key peg", "off by more than 1 point"],
  [PIN, "there are only 4 pegs to score", "there are only 4 places to score"],
  [PIN, "a color may repeat", "a digit may repeat"],
  [WORDS, "So no code gets exactly these scores.", "So no word gets exactly these scores."],
  [WORDS, "more than 2 key pegs", "more than 2 marks"],
  [JOTTO, "row 2 has 3 colors", "row 2 has 3 letters"],
]) {
  test(`${game.noun}, “${text}”: ${spoken}`, () => assert.equal(speak(game, text), spoken));
}
