"""Each game speaks its own words on the board, and none of another kind of game."""

from __future__ import annotations

import random
import re

import pytest

from mmsat import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import published_games_by_year
from mmsat.play import draw_code
from tests.support.page_visit import DESKTOP, PHONE

PUBLISHED = {str(published.game): published.game for published in published_games_by_year()}
"""One game for each first part of a board line."""
HEAR = """() => {
  const views = document.querySelectorAll("game-view, board-view, verdict-view");
  const texts = [];
  for (const view of views) {
    texts.push(view.textContent);
    for (const element of view.querySelectorAll("[aria-label], [title], [placeholder]"))
      for (const name of ["aria-label", "title", "placeholder"])
        texts.push(element.getAttribute(name) ?? "");
  }
  const games = document.querySelector("#game").textContent; // lists other games
  return texts.map(text => text.replace(games, "").replace(/\\s+/g, " "));
}"""
"""Returns all texts and names of the board, of its palette, of the verdict, and of the rules."""


def foreign_words(game):
    """Return a pattern of the words of other kinds of games."""
    noun = speller(game).noun
    if noun == "letter":
        words = {"pegs?", "colors?", "digits?", "bulls?", "cows?", "codes?"}
        return pattern(words | ({"black", "white"} - set(game.parts)))
    words = {"letters?", "words?", "tiles?", "green", "yellow", "grey"}
    if noun != "digit":
        return pattern(words | {"bulls?", "cows?", "digits?"})
    if game.space.has_repeats:
        return pattern(words | {"bulls?", "cows?", "pegs?", "colors?"})
    return pattern(words | {"black", "white", "pegs?", "colors?"})


def pattern(words):
    return re.compile(rf"\b({'|'.join(sorted(words))})\b", re.IGNORECASE)


def boards(game):
    """Return a board with a right score, and one with a contradiction."""
    rng = random.Random(49)
    secret, guess = draw_code(game, rng), draw_code(game, rng)
    right = Board(game).with_row(guess, game.score(secret, guess))
    other = next(
        score
        for code in iter(lambda: draw_code(game, rng), None)
        if (score := game.score(code, guess)) != right.rows[0].score
    )
    return right, right.with_row(guess, other)


@pytest.mark.parametrize("options", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_game_speaks_the_words_of_another_kind(visit_in, options):
    visit = visit_in(**options)
    visit.open("4x6").wait_for_verdict("are possible")
    page = visit.page
    page.wait_for_function("() => document.querySelector('#game').options.length > 5")
    for game in PUBLISHED.values():
        foreign = foreign_words(game)
        for board, verdict in zip(boards(game), ("possible|Solved", "contradict"), strict=True):
            page.evaluate("line => mmsat.store.load(line)", str(board))
            visit.wait_for_verdict(verdict)
            row = len(board.rows)
            for cell in (0, game.pegs):
                page.evaluate("([row, cell]) => mmsat.store.moveTo(row, cell)", [row, cell])
                page.wait_for_function(
                    "cell => document.querySelectorAll('.row.empty .cell')[cell]?.tabIndex === 0",
                    arg=cell,
                )
                check(page, foreign, str(board))
    assert visit.errors == []


def check(page, foreign, line):
    texts = page.evaluate(HEAR)
    assert len(texts) > 20
    for text in texts:
        found = foreign.search(text)
        assert found is None, (line, found[0], text[max(0, found.start() - 60) : found.end() + 60])


@pytest.mark.parametrize("line", ["bulls-and-cows/0123=1.1", "8x8db/12345678=3"])
def test_a_repeated_color_is_named_where_codes_have_no_repeats(visit, line):
    visit.open(line).wait_for_verdict("are possible")
    page = visit.page
    page.locator(".row.empty .guess .cell").first.click()
    visit.press("1", "2")
    used = page.locator(".palette .used-up").evaluate_all(
        "all => all.map(each => each.getAttribute('aria-label'))"
    )
    noun = "digit" if "bulls" in line else "color"
    assert used == [f"put {noun} {n}, already in this guess" for n in (1, 2)]
    assert "repeated" not in page.inner_text(".rows")
    visit.press("1")
    row = page.locator(".row").nth(1)
    note = f"{noun} 1 is repeated, but no code repeats a {noun}"
    assert note in row.inner_text()
    assert note in row.get_attribute("aria-label")
    visit.press("ArrowLeft", "3")
    assert "repeated" not in page.inner_text(".rows")


def test_a_color_may_repeat_in_other_games(desk):
    desk.open("4x6").wait_for_verdict("are possible")
    desk.page.focus(".rows .cell[tabindex='0']")
    desk.press("1", "1")
    assert desk.page.locator(".palette .used-up").count() == 0
    assert "repeated" not in desk.page.inner_text(".rows")


@pytest.mark.parametrize("line", ["4x6", "bulls-and-cows", "4x5x5", "3x5x5k", "12x10", "35x4"])
def test_the_palette_offers_exactly_the_possible_numbers(desk, line):
    """A number is disabled if no score has it together with the parts that were entered before."""
    desk.open(line).wait_for_verdict("possible|so far|At least")
    page = desk.page
    game = Board.parse(line).game
    place = len(game.parts) - 1
    for black in (0, game.pegs - 2, game.pegs - 1, game.pegs):
        given = [black, *[0] * (place - 1)]
        page.evaluate(
            "([pegs, given]) => { const { store } = mmsat;"
            " store.changeRow(0, { score: store.state.rows[0].score.map((_, n) => given[n] ?? null)"
            " }); store.moveTo(0, pegs + given.length); }",
            [game.pegs, given],
        )
        last = given[-1]
        page.wait_for_function(
            "([cell, given]) => document.querySelectorAll('.row')[0]"
            ".querySelectorAll('.score .cell')[cell].textContent.trim().endsWith(String(given))",
            arg=[place - 1, last],
        )
        offered = page.locator(".palette .choices .cell:not([aria-disabled])").all_inner_texts()
        scores = ((n, (*given, n)) for n in range(game.pegs + 1))
        possible = [n for n, score in scores if game.scoring.flaw(game.pegs, score) is None]
        assert [*map(int, offered[:-1])] == possible, black
        if game.parts == ("black", "white"):
            most = game.pegs - black
            assert possible == ([0] if most <= 1 else [*range(most + 1)])
