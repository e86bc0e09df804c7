"""The kinds of code space, by name; a list of words is told by a game's definition instead."""

from collections.abc import Mapping

from mmsat.game.space.space import Space
from mmsat.registry import Instances, Registry

_kinds = Registry(__name__, ("repeats", "distinct"), Space)  # type: ignore[type-abstract]
SPACES: Mapping[str, Space] = Instances(_kinds)

__all__ = ["SPACES", "Space"]
