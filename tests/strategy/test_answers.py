"""Answers and partitions of the kernel, compared with the plain scorer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmsat import _core
from mmsat.game.game import Game
from mmsat.strategy.answers import decode_answer, kernel_form
from tests.support import tiers, twins

SIZES = ["1x1", "1x7", "4x6", "5x8!", "15x3", "16x2", "20x64", "32x64", "4x6b", "32x64b", "6x9w"]
PAIRS = ["1x2x3", "3x5x5", "4x5x5", "5x2x4"]


def kernel_answers(form, codes, guess):
    out = np.full(len(codes), 7777, dtype=np.uint16)
    _core.Scored(form, codes).score(guess, out)
    return out.tolist()


def draw_guesses(data, game, max_guesses):
    color = st.integers(0, game.colors - 1) | st.integers(0, min(game.colors - 1, 2))
    code = st.lists(color, min_size=game.pegs, max_size=game.pegs)
    return np.array(data.draw(st.lists(code, min_size=1, max_size=max_guesses)), dtype=np.uint8)


@pytest.mark.parametrize("size", [*SIZES, *PAIRS])
@settings(max_examples=tiers.share(30))
@given(data=st.data())
def test_answers_are_the_scores(size, data):
    game = Game.parse(size)
    codes = draw_guesses(data, game, 150)
    (guess,) = draw_guesses(data, game, 1)[:1]

    form = kernel_form(game)
    scores = [decode_answer(game, answer) for answer in kernel_answers(form, codes, guess)]

    assert scores == [twins.score(game.scoring, code, guess.tolist()) for code in codes.tolist()]
    assert decode_answer(game, form.win) == game.score(guess.tolist(), guess.tolist())


@pytest.mark.parametrize("size", [*SIZES, *PAIRS])
@settings(max_examples=tiers.share(15))
@given(data=st.data())
def test_partitions_count_the_scores(size, data):
    game = Game.parse(size)
    guesses, codes = draw_guesses(data, game, 70), draw_guesses(data, game, 12)
    codes = np.concatenate([codes] * data.draw(st.sampled_from([1, 2, 30])))

    form = kernel_form(game)
    out = np.full((len(guesses), len(form.answers)), 7777, dtype=np.uint32)
    _core.Scored(form, guesses).count(codes, out)

    for guess, row in zip(guesses.tolist(), out.tolist(), strict=True):
        counts = {
            decode_answer(game, answer): count
            for answer, count in zip(form.answers, row, strict=True)
            if count
        }
        assert counts == Counter(twins.score(game.scoring, code, guess) for code in codes.tolist())


@pytest.mark.parametrize("size", ["1x3", "2x2", "2x3", "3x4", "3x3b", "3x4w", "2x2x2", "3x2x2"])
def test_the_answers_of_a_form_include_all_scores(size):
    game = Game.parse(size)
    codes = [*twins.codes(game)]
    scores = {game.score(code, guess) for code in codes for guess in codes}
    listed = {decode_answer(game, answer) for answer in kernel_form(game).answers}

    assert scores <= listed
    if size in ("2x3", "3x4", "3x3b", "3x4w"):  # with fewer colors, some scores are impossible
        assert scores == listed


def test_invalid_arrays_are_refused():
    form = kernel_form(Game.parse("4x6"))
    codes = np.zeros((3, 4), dtype=np.uint8)
    with pytest.raises(ValueError, match="colors"):
        _core.Scored(form, codes + 6)
    with pytest.raises(ValueError, match="pegs"):
        _core.Scored(form, np.zeros((3, 5), dtype=np.uint8))
    with pytest.raises(ValueError, match="out"):
        _core.Scored(form, codes).score(codes[0], np.zeros(2, dtype=np.uint16))
    with pytest.raises(ValueError, match="shapes"):
        _core.Form(_core.Kind.PAIRS, 4, 25, 3)
    with pytest.raises(ValueError, match="pairs"):
        _core.Form(_core.Kind.PAIRS, 6, 25, 5)


def test_all_vector_widths_give_the_same_trees():
    """MMSAT_LANES limits the vector width that the kernel uses."""
    code = (
        "import mmsat\n"
        "for size in ('4x6', '4x7!', '3x2x3'):\n"
        "    for name in ('knuth', 'expected-size', 'entropy', 'most-parts'):\n"
        "        print(list(mmsat.analyze(size, name).distribution.values()))\n"
    )
    same_kernel = ["-S"] * sys.flags.no_site  # without `site`, the sanitizers' build is found
    outputs = {
        subprocess.run(
            [sys.executable, *same_kernel, "-c", code],
            env=os.environ | {"MMSAT_LANES": lanes},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for lanes in ("16", "32", "64")
    }
    assert len(outputs) == 1
