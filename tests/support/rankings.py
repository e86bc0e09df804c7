"""Compare a ranking of codes, which numbers them in order, with a plain list of the same codes."""

from __future__ import annotations

from collections import Counter


def table_of(game, codes):
    """Return the number of codes by peg and color."""
    counted = Counter((peg, color) for code in codes for peg, color in enumerate(code))
    return [[counted[peg, color] for color in range(game.colors)] for peg in range(game.pegs)]


def check_ranking(ranking, codes, game):
    """Compare the ranks, codes, draws and table of a ranking with `codes`, which are sorted."""
    assert ranking.count == len(codes)
    assert [ranking.unrank(number) for number in range(len(codes))] == codes
    assert [ranking.rank(code) for code in codes] == list(range(len(codes)))
    assert sorted(map(ranking.draw, range(len(codes)))) == codes
    for start in {0, len(codes) // 2, max(0, len(codes) - 1), len(codes)}:
        assert list(ranking.codes(start)) == codes[start:]
    assert ranking.color_counts() == table_of(game, codes)
