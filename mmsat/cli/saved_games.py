"""Files with saved games of `mmsat play`."""

import json
import os

from mmsat._util.files import atomic_write
from mmsat.cli.output import say
from mmsat.play.saved import Saved, SavedBoards


def save_game(saved: Saved | SavedBoards, file: str) -> None:
    """Save a game to a file, and print how to resume it."""
    atomic_write(file, [json.dumps(saved.to_dict()), "\n"])
    say(f"saved; continue with mmsat play --resume {file}")


def unused_file_name() -> str:
    """Return the name of a file that does not exist."""
    names = ("mmsat-game.json", *(f"mmsat-game-{number}.json" for number in range(2, 1000)))
    return next(name for name in names if not os.path.exists(name))
