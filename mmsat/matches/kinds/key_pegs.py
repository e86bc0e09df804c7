"""A point for each colored key peg that the codemaker places."""

from mmsat.game.game import Game
from mmsat.matches.kinds.points import Points
from mmsat.matches.round import Round


class KeyPegs(Points):
    """The codemaker gets a point for each black key peg placed in the round.

    The rules have "colored key pegs", as the others are white. In games that are scored otherwise,
    what is right in place counts, or where that is not told, all that is.
    """

    name = "key-pegs"
    summary = "the codemaker gets a point for each black key peg placed"

    def count_points(self, now: Round) -> int:
        """The key pegs."""
        return sum(count_colored_keys(self.game, score) for _, score in now.board.rows)


def count_colored_keys(game: Game, score: tuple[int | None, ...]) -> int:
    """The black key pegs of a score, or what stands for them."""
    known = [part or 0 for part in score]
    if game.scoring.marks:
        right = game.score((0,) * game.pegs, (0,) * game.pegs)[0]
        return known.count(right)
    return known[game.parts.index("black")] if "black" in game.parts else sum(known)
