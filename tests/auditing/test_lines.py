"""Lines of JSON in the kernel are parsed as by the plain twin, and judged as by `Judge`."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import mmsat
from mmsat._core import read_lines
from mmsat.auditing import Block, audit, judge
from mmsat.auditing.audit import (
    FALLBACK,
    NUM_FIELDS,
    OTHER_GAME,
    PARSED,
    find_notation,
    judge_block,
)
from mmsat.auditing.batch import (
    CODES_PER_FURTHER_ROW,
    MAX_ROWS,
    MIN_ROWS_FOR_TABLE,
    find_batch,
)
from mmsat.auditing.judge import Judge, Request, judge_boards, judge_one
from mmsat.auditing.output import ChunkResult
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from tests.support import tiers, twins
from tests.support.board_arrays import as_arrays
from tests.support.random_boards import inconsistent_boards, random_board, random_secret

NAMES = ("4x6", "5x8", "4x5d", "3x3b", "4x4w", "5x6p", "3x5o", "daily-word", "12x2", "1x1")
FALLBACK_NAMES = ("4x5!", "2x30", "2x2x3")
"""Games that the kernel does not parse: the name is printed otherwise, or symbols are long."""
MIXED_NAMES = (*NAMES[:4], "3x5o", "1x1", *FALLBACK_NAMES)
PIECES = (
    *(b'"', b"\\", b"{", b"}", b",", b":", b" ", b"\t", b"\r", b"\x0b", b"/", b"=", b".", b"?"),
    *(b"0", b"1", b"9", b"00", b"-1", b"1.5", b"1e5", b"null", b"true", b"\xff", b"\xc3\xa9"),
    *(b"\\u0041", b"\x00", b"\x7f", b'"id": 5,', b'"slip": 3, ', b'"x": "y", ', b"[1]", b"4x6/"),
)


def random_line(rng, game):
    """A line of a log, as programs may write it."""
    secret = random_secret(rng, game)
    rows = []
    for _ in range(rng.choice([0, *range(1, 9)] * 4 + [MAX_ROWS + 2])):
        guess = random_secret(rng, game)
        lie = random_secret(rng, game) if rng.random() < 0.2 else secret
        rows.append((guess, game.score(lie, guess)))
    board = str(mmsat.Board(game, tuple(rows)))
    fields = {"id": rng.choice(["7", "", "a b", "é", 7, 0, 10**17, None]), "board": board}
    if rows and rng.random() < 0.3:
        score = speller(game).print_score(rows[0][1])
        fields["slip"] = {"row": rng.randint(1, len(rows) + 1), "true": score}
    if rng.random() < 0.3:
        fields |= {"player": rng.choice(["Ann", "Zoë", 5, 2.5, None, [1]])}
    items = [*fields.items()]
    if rng.random() < 0.3:
        rng.shuffle(items)
    separators = rng.choice([None, (",", ":"), (" , ", " : ")])
    line = json.dumps(dict(items), separators=separators, ensure_ascii=rng.random() < 0.5)
    return line.encode()


def mutate(rng, line):
    """Return the line, most often with some bytes removed, inserted or repeated."""
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        start, end = sorted(rng.randint(0, len(line)) for _ in range(2))
        line = rng.choice(
            [
                line[:start] + rng.choice(PIECES) + line[start:],
                line[:start] + rng.choice(PIECES) + line[min(start + 1, end) :],
                line[:start] + line[min(end, start + 3) :],
                line[:end] + line[start:],
            ]
        )
    return line.replace(b"\n", b"")


def random_lines(seed, count, names=MIXED_NAMES):
    rng = random.Random(seed)
    games = [mmsat.Game.parse(name) for name in names]
    lines = [mutate(rng, random_line(rng, rng.choice(games))) for _ in range(count)]
    return [*lines, b"", b" \t", b"\x0c", b'"4x6/1122=1.1"', b"null"]


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_parses_the_same_lines_as_the_twin(name):
    game, notation = find_notation(name)
    assert game is not None
    lines = random_lines(name, tiers.share(3000, least=300), (name,))
    text = b"\n".join(lines)
    ends = np.cumsum([len(line) + 1 for line in lines]) - 1
    states = np.zeros(len(lines), dtype=np.uint8)
    fields = np.zeros((len(lines), NUM_FIELDS), np.int64)
    max_rows = text.count(b"=")
    guesses, scores = (np.zeros((max_rows, n), np.uint8) for n in (game.pegs, len(game.parts)))
    num_rows = read_lines(text, ends, notation, states, fields, guesses, scores)
    first, spell = 0, speller(game)
    for line, state, line_fields in zip(lines, states.tolist(), fields.tolist(), strict=True):
        expected = twins.read_line(line, game)
        assert (state == PARSED) == (expected is not None), line
        if expected is None:
            continue
        begin, end, board, board_end, count, row, right, right_end = line_fields
        last = first + count
        rows = [
            (spell.print_code(guess), spell.print_score(score))
            for guess, score in zip(
                guesses[first:last].tolist(), scores[first:last].tolist(), strict=True
            )
        ]
        slip = (row, text[right:right_end].decode()) if row else None
        assert expected == (text[begin:end].decode(), text[board:board_end].decode(), rows, slip)
        first = last
    assert first == num_rows
    assert (states == PARSED).sum() > len(lines) // 10
    assert (states == FALLBACK).any()


def test_lines_of_another_game_can_be_parsed_later():
    text = b'{"board": "4x6/1122=1.1"}'
    ends = np.array([len(text)])
    states, fields = np.zeros(1, np.uint8), np.zeros((1, NUM_FIELDS), np.int64)
    scores = np.zeros((1, 2), np.uint8)
    _, notation = find_notation("5x8")
    guesses = np.zeros((1, 5), np.uint8)
    assert read_lines(text, ends, notation, states, fields, guesses, scores) == 0
    assert states.tolist() == [OTHER_GAME]
    _, notation = find_notation("4x6")
    guesses = np.zeros((1, 4), np.uint8)
    assert read_lines(text, ends, notation, states, fields, guesses, scores) == 1
    assert (guesses.tolist(), scores.tolist()) == ([[0, 0, 1, 1]], [[1, 1]])


@pytest.mark.parametrize("depth", ["verdict", "reasons"])
def test_the_kernel_and_the_fallback_write_the_same_records(depth):
    """The records have the same bytes for all lines, valid or not."""
    lines = random_lines(depth, tiers.share(1500, least=150))
    block = Block(10, "some log.jsonl", 5, b"\n".join(lines) + b"\n")
    fast = judge_block(Judge(Request(depth)), block)
    slow = ChunkResult.of(Judge(Request(depth)).judge([*block.records()]))
    assert fast.judged.splitlines() == slow.judged.splitlines()
    assert fast.rejected.splitlines() == slow.rejected.splitlines()
    assert fast.records == slow.records == fast.judged.count(b"\n") + fast.rejected.count(b"\n")
    assert fast.summary.to_dict() == slow.summary.to_dict()


def test_bulk_judgments_equal_those_of_single_boards():
    """In games of every kind, for consistent and inconsistent boards."""
    rng = random.Random(5)
    boards = [*inconsistent_boards(tiers.share(400, least=40), seed=8)]
    boards += [random_board(rng, rows=MAX_ROWS + 2) for _ in range(tiers.share(200, least=20))]
    num_with_reasons = 0
    for board in boards:
        batch = find_batch(board.game)
        if batch is None or not board.rows:
            continue
        guesses, scores, starts = as_arrays([board] * 2)
        rows = batch.translate(guesses, scores)
        result = judge_boards(batch, rows, starts, lambda _, b=board: b, with_reasons=True)
        assert result == [judge_one(board, with_reasons=True)] * 2
        num_with_reasons += bool(result[0].reason_entries and not rows.is_unsupported.any())
    assert num_with_reasons > tiers.at_least(40)


@pytest.mark.parametrize("name", ["5x8", "6x8!", "7x4b", "6x6w", "daily-word", "6x5"])
def test_bulk_judgments_in_larger_games(name):
    game = Game.parse(name) if name[0].isdigit() else mmsat.Game.of(name)
    rng = random.Random(name)
    boards = []
    while len(boards) < tiers.share(30, least=4):
        secret, rows = random_secret(rng, game), []
        for _ in range(rng.randint(2, 6)):
            guess = random_secret(rng, game)
            lie = random_secret(rng, game) if rng.random() < 0.5 else secret
            rows.append((guess, game.score(lie, guess)))
        boards.append(mmsat.Board(game, tuple(rows)))
    batch = find_batch(game)
    guesses, scores, starts = as_arrays(boards)
    rows = batch.translate(guesses, scores)
    result = judge_boards(batch, rows, starts, lambda index: boards[index], with_reasons=True)
    assert result == [judge_one(board, with_reasons=True) for board in boards]
    assert not rows.is_unsupported.any()
    assert any(entry.reason_entries for entry in result)


def test_tables_are_made_only_if_they_are_worthwhile(monkeypatch):
    """Not for the verdicts of few rows, nor for shared grids, whose guesses are unknown."""
    created = []
    for module in (judge, audit):
        monkeypatch.setattr(module, "find_batch", lambda game: created.append(str(game)))
    line = b'{"id": "7", "board": "4x6/1122=1.1/3345=0.2"}\n'
    rows = MIN_ROWS_FOR_TABLE + Game.parse("4x6").size // CODES_PER_FURTHER_ROW
    grid = b'{"id": 7, "board": "daily-word/?????=--YG-/?????=GGGGG"}\n'
    assert judge_block(Judge(Request("verdict")), Block(1, "a", 1, line * (rows // 2 - 1))).judged
    assert judge_block(Judge(Request("reasons")), Block(1, "a", 1, grid)).judged
    assert not created
    judge_block(Judge(Request("verdict")), Block(1, "a", 1, line * (rows // 2)))
    judge_block(Judge(Request("reasons")), Block(1, "a", 1, line))
    assert {*created} == {"4x6"}
