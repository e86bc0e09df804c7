"""The kinds of code space, by name. A new kind is one module and one line here."""

from mmsat.game.space.base import Space
from mmsat.game.space.distinct import Distinct
from mmsat.game.space.repeats import Repeats

SPACES: dict[str, Space] = {kind.name: kind for kind in (Repeats(), Distinct())}

__all__ = ["SPACES", "Space"]
