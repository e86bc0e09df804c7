"""The list of published games for display and for JSON, each with an example board line."""

from typing import Any

from mmsat.game.definition import to_definition
from mmsat.game.row import Row
from mmsat.game.variants import VARIANTS, Variant
from mmsat.notation.speller import speller


def by_year() -> list[Variant]:
    """Return all published games by year and name, first the games without a year."""

    def key(variant: Variant) -> tuple[int, str]:
        return int(variant.year[:4]) if variant.year[:4].isdecimal() else 0, variant.name

    return sorted(VARIANTS.values(), key=key)


def as_dict(variant: Variant) -> dict[str, Any]:
    """Return a published game for JSON. The number of codes is a string because it can be huge."""
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
    """Return an example board line of a game: one guess with a possible score."""
    game = variant.game
    table = game.space.table()
    if table:
        guess, code = table[len(table) // 3], table[len(table) // 2]
    else:
        *_, step = (1, *game.scoring.factors(game.colors)[1:])
        guess = tuple(peg * (step + (step > 1)) % game.colors for peg in range(game.pegs))
        code = (*guess[1:], (guess[-1] + 1) % game.colors)
    return f"{variant.name}/{speller(game).print_row(Row(guess, game.score(code, guess)))}"
