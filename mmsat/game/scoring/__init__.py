"""The kinds of scoring, by name: each module here defines one, and needs no further line."""

from importlib import import_module
from pkgutil import iter_modules

from mmsat.game.scoring.base import HIGHEST, Mark, Scoring
from mmsat.game.scoring.pairs import Pairs


def _kinds() -> dict[str, Scoring]:
    """What the modules define, in alphabetical order of their names; the default comes first."""
    names = [module.name for module in iter_modules(__path__) if module.name != "base"]
    modules = [import_module(f"{__name__}.{name}") for name in names]
    found = {
        each.name: each()
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Scoring)
        and each.__module__ == module.__name__
    }
    return {"black-white": found["black-white"], **found}


SCORINGS = _kinds()

__all__ = ["HIGHEST", "SCORINGS", "Mark", "Pairs", "Scoring"]
