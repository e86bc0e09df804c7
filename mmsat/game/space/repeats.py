"""Every sequence of colors is a code."""

from mmsat.game.space.space import Space


class Repeats(Space):
    """A color may stand at several pegs."""

    name = "repeats"
    suffix = ""
    summary = "a color may repeat"

    def size(self, pegs: int, colors: int) -> int:
        """Colors ** pegs."""
        return int(colors**pegs)
