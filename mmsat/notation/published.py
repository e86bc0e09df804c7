"""The published games for people and for JSON, each with a board line of its own."""

from typing import Any

from mmsat.game.definition import to_definition
from mmsat.game.row import Row
from mmsat.game.variants import VARIANTS, Variant
from mmsat.notation.speller import speller


def by_year() -> list[Variant]:
    """All games, by year and name; those of no year first."""

    def key(each: Variant) -> tuple[int, str]:
        return int(each.year[:4]) if each.year[:4].isdecimal() else 0, each.name

    return sorted(VARIANTS.values(), key=key)


def as_dict(variant: Variant) -> dict[str, Any]:
    """One game for JSON; the number of codes is a string, as it can be huge."""
    game = variant.game
    return {
        "name": variant.name,
        "title": variant.title,
        "year": variant.year,
        "game": str(game),
        "codes": str(game.size),
        "notation": notation(variant),
        "rules": variant.rules,
        "reading": variant.reading or None,
        "turns": list(variant.turns),
        "players": variant.players,
        "source": variant.source,
        **{key: value for key, value in to_definition(game).items() if key != "name"},
    }


def notation(variant: Variant) -> str:
    """A board line of the game: a guess, and a score that a code gets."""
    game = variant.game
    table = game.space.table()
    if table:
        guess, code = table[len(table) // 3], table[len(table) // 2]
    else:
        *_, step = (1, *game.scoring.factors(game.colors)[1:])
        guess = tuple(peg * (step + (step > 1)) % game.colors for peg in range(game.pegs))
        code = (*guess[1:], (guess[-1] + 1) % game.colors)
    return f"{variant.name}/{speller(game).print_row(Row(guess, game.score(code, guess)))}"
