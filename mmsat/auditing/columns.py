"""The columns of tables of games, recognized by common names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mmsat.english import join_words, noun_phrase
from mmsat.errors import Fault
from mmsat.game.game import Game

NAMES: Mapping[str, str] = {
    "board": "board",
    "game": "game",
    "game_id": "game_id match match_id session session_id puzzle puzzle_id",
    "id": "id",
    "rules": "rules variant game_type",
    "turn": "turn turn_number turn_no guess_number guess_no guess_nr guess_num guess_index number "
    "no nr n row row_number round round_number attempt attempt_number try step move move_number",
    "guess": "guess guessed guess_code word",
    "score": "score feedback marks result response answer reply key clue hint",
    "black": "black blacks black_peg black_pegs bull bulls hit hits exact",
    "white": "white whites white_peg white_pegs cow cows blow blows near misplaced",
    "blue": "blue blues blue_peg blue_pegs",
    "color": "color colors colour colours",
}
"""The names of each role of a column, in lower case with `_` between words."""
ROLES = {name: role for role, names in NAMES.items() for name in names.split()}
COUNTS = ("black", "white", "blue", "color")
"""The roles of columns that are parts of a score."""
WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
GAP = re.compile(r"[\W_]+")


def find_roles(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the columns of each role, whatever the case of the names and the gaps between words.

    Columns with other names have no role.
    """
    columns_of: dict[str, list[int]] = {}
    for column, name in enumerate(names):
        words = WORD_START.sub("_", name.replace("#", " number ")).lower()
        role = ROLES.get(GAP.sub("_", words).strip("_"))
        if role is not None:
            columns_of.setdefault(role, []).append(column)
    return columns_of


def find_columns(
    names: Sequence[str], line: int | None, game: Game | None, faults: list[Fault]
) -> dict[str, int]:
    """Return the column of each role in a table of boards or of guesses.

    Append every missing column and every ambiguity to `faults`. `game` is the game of the guesses
    if the table does not name it.
    """
    candidates = find_roles(names)
    header = ", ".join(names)

    def refuse(rule: str, expected: str) -> None:
        faults.append(Fault(rule, header, expected, line))

    for role, columns in candidates.items():
        if len(columns) > 1:
            same = join_words(repr(names[column].strip()) for column in columns)
            refuse(f"{same} have the same meaning", f"one column with the {role}")
    columns_of = {role: columns[0] for role, columns in candidates.items()}
    counts = [role for role in COUNTS if role in candidates]
    if "board" in candidates and "guess" in candidates and ("score" in candidates or counts):
        refuse(
            "a row has a whole board or one guess",
            "either a column 'board' or columns for guess and score",
        )
    if "board" in candidates:
        return columns_of
    if "guess" not in candidates:
        refuse("", "a column 'board', or columns for guess and score, such as id,guess,black,white")
        return columns_of
    if not counts and "score" not in candidates:
        refuse(
            "", "a column 'score', or one column per number of a score, such as 'black' and 'white'"
        )
    elif counts and "score" in candidates:
        refuse("both could be the score", f"either 'score' or {join_words(map(repr, counts))}")
    elif counts and game is not None and {*counts} != {*game.parts}:
        kinds = ["score"] if game.scoring.marks else game.parts
        columns_needed = noun_phrase("column", [repr(kind) for kind in kinds])
        refuse("", f"the {columns_needed} for scores of {game}")
    if not {"game", "rules"} & {*candidates} and game is None:
        refuse("the file does not name a game", "a column 'rules', or --game, such as --game 4x6")
    return columns_of
