"""Board lines and board files, and the tables that a board file may contain.

A board line is a whole board in one URL-safe string, `4x6/1122=1.1/3345=0.2`. A known code, which
is excluded, is written among the rows as `3431=known`.

A board file has the game in the first line, then one row or known code per line. A `#` starts a
comment, unless a number follows immediately: `#1 1122 1 1` is row 1. If the game is missing,
guesses of four pegs and colors up to 6 are read as 4x6, and guesses of five pegs and colors up to 8
as 5x8, with a warning. If no guess repeats a color, a missing game is an error (except for colors
given by name), because the game may be one without repeats, such as bulls and cows.

`print_line` and `print_text` print these notations. In place of the rows, a board file may have a
table that a command printed:

    4x6
      row  guess    black  white  wrong
    !   1  1 1 2 2      1      1    32%
    !   2  1 1 2 2      0      2    68%  -> 1.1
    known  1 2 3 3

Key pegs, chances, corrections and everything below the rows are ignored. Markdown tables and lists
with headings are read, too: `| # | guess | black | white |`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from warnings import warn

from mmsat.errors import Description, Fault, GameWarning, InputError, Place
from mmsat.game import Code, Conventions, Row
from mmsat.game.game import Game
from mmsat.game.names import (
    GAME_PREFIX,
    OTHER_SIZE,
    WORD_PREFIX,
    find_game,
    is_game,
    nearest_games,
    plain_name,
    similar_size,
)
from mmsat.game.notation import KEY_PEG_WORDS, NAMES, OWN
from mmsat.game.notation.board_reader import (
    TITLE,
    BoardReader,
    PlacedText,
    own_speller,
    speller,
)

NUMBERED_ROW = rf"(?i)\s*(?:{TITLE}\b\.?\s*)?#[0-9]+(?=[\s.:)\]|,;])[^#]*\S"
"""A row with a number sign before its number, as in `#1 1122 1 1`."""
NUMBERED_COMMENT = r"\s*#\s+[0-9]{1,4}[\s.:)\]|,;]+(\S.*)"
"""A comment that starts with a number, and so may be meant as a row."""
SQUARES = {*"\U0001f7e9\U0001f7e8\U0001f7e7\U0001f7e6\u2b1b\u2b1c"}
"""The squares in the result grids that players of word games share. The grids omit the guesses."""
KNOWN_SUFFIX = "=known"
"""The text after a known code in a board line or file."""
SCORE_PART = r"\s*(?:[0-9]{1,2}|\?)\s*"
"""A number of a score, or `?` if it is unread."""
SPACED_ROWS = r"[^\s,;=]+=[^\s,;=]+([\s,;]+[^\s,;=]+=[^\s,;=]+)+"
"""Several rows that are separated by blanks, commas or semicolons."""
GAME_AND_ROW = r"([^\s:,=]*[^\s:,=0-9?-][^\s:,=]*)(?:\s*[:,]\s*|\s+)(\S.*)"
"""A game and a row without a slash between them. The text of the game does not consist of digits,
`?` and `-` alone, as a guess may."""
CLASSIC_SIZES = {4: ["4x6"], 5: ["5x8"]}
"""The sizes suggested for a guess of digits, by its length."""
MAX_CORRECTED_CHARACTERS = 100
"""The maximum length of a text for which a corrected board line is suggested, in characters."""
BoardParts = tuple[Game, tuple[Row, ...], tuple[Code, ...], Conventions]
"""The parts of a board: game, rows, known codes and conventions."""


def strip_comment(line: str) -> str:
    """Remove the comment of a line: `#1 1122 1 1` is a row, `# 1122 1 1` is a comment."""
    row = re.match(NUMBERED_ROW, line)
    start = row.end() if row else 0
    return line[:start] + line[start:].partition("#")[0].rstrip()


def is_line(text: str) -> bool:
    """Return whether a text is meant as a board line: a line with a slash, or only a game."""
    text = text.strip()
    return "\n" not in text and "#" not in text and ("/" in text or is_game(text))


def read_any_text(text: str, *, files: bool = True) -> BoardParts:
    """Read a board line or the text of a board file.

    Raises InputError with every error. If the text becomes a board line when its separators are
    replaced by slashes, the error suggests this board line.
    """
    read = read_line if is_line(text) else read_text
    try:
        return read(text, files=files)
    except InputError as error:
        corrected_size = _correct_size(text)
        if not corrected_size and any("did you mean" in fault.rule for fault in error.faults):
            raise
        correction = corrected_size or _join_rows(text)
        if not correction:
            InputError.refuse([*_missing_slash(text)])
            raise
        place = Place(error.faults[0].line or 1, error.faults[0].column or 1)
        expected = "a board line" if corrected_size else "rows joined by /"
        raise InputError(
            [place.fault(f"did you mean {correction}?", text.strip(), expected)]
        ) from None


def corrected_line(text: str) -> str:
    """Return the board line that a text with other separators or another sign means, or ""."""
    return _correct_size(text) or _join_rows(text)


def _correct_size(text: str) -> str:
    """Return a line such as `4*6/1122=1.1` as a board line, with `x` in its size, else ""."""
    start = re.match(rf"\s*({OTHER_SIZE})(?=[\s/]|$)", text)
    size = similar_size(start[1]) if start else ""
    if not start or not size or "\n" in text.strip() or len(text) > MAX_CORRECTED_CHARACTERS:
        return ""
    line = size + text[start.end() :].rstrip()
    try:
        read_line(line, files=False)
    except InputError:
        return _join_rows(line)
    return line


def _join_rows(text: str) -> str:
    """Return a line with its separators replaced by slashes if it is a board line then, else ""."""
    game, *pieces = re.split(r"[\s,;/]+", text.strip(" ,;/"))
    if len(text) > MAX_CORRECTED_CHARACTERS or "\n" in text or not pieces or not is_game(game):
        return ""
    are_rows = any("=" in piece for piece in pieces)  # else guesses, each with 1 or 2 numbers
    for row_length in (1,) if are_rows else (2, 3):
        rows = [pieces[start : start + row_length] for start in range(0, len(pieces), row_length)]
        texts = (row[0] if are_rows else f"{row[0]}={'.'.join(row[1:])}" for row in rows)
        line = "/".join([game, *texts])
        try:
            read_line(line, files=False)
        except InputError:
            continue
        return line
    return ""


def _missing_slash(text: str) -> Iterator[Fault]:
    """Yield a fault if a single line has a game, but no slash before its rows."""
    match = re.fullmatch(r"\s*([^\s,;/]+)[\s,;]+([^\s/][^/]*)", text.rstrip())
    if match and "\n" not in text and is_game(match[1]):
        expected = "a slash or a new line after the game, then rows such as 1122=1.1"
        yield Place(1, match.start(2) + 1).fault("", match[2], expected)


def read_game(text: str, place: Place, faults: list[Fault], *, files: bool = True) -> Game | None:
    """Read a size or the name of a game; return None after adding an error to `faults`.

    Raises InputError for errors in the file of a game.
    """
    try:
        return find_game(text, files=files)
    except InputError as error:
        if any(fault.line is not None for fault in error.faults):
            raise  # the places of these errors are in the file that defines the game
        faults += [replace(f, line=place.line, column=place.column) for f in error.faults]
        return None


def read_line(text: str, line_number: int = 1, *, files: bool = True) -> BoardParts:
    """Read a board line. Raises InputError with every error and its column.

    `line_number` is the line number in error messages. If `files` is False, a game in a file is
    an error.
    """
    faults: list[Fault] = []
    start_of_line = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    line_number += text.count("\n", 0, start_of_line)
    game_text, *row_texts = split_line(text[start_of_line:].rstrip())
    name_column = 1 + len(game_text) - len(game_text.lstrip())
    place = Place(line_number, name_column)
    name = plain_name(game_text)
    is_row = "=" in name and not name.startswith((GAME_PREFIX, WORD_PREFIX))
    if is_row and re.fullmatch(GAME_AND_ROW, name):
        expected = "the game and a slash before the rows"
        raise InputError([place.fault(_suggest_correction(name), name, expected)])
    if row_texts and not row_texts[-1]:
        row_texts.pop()  # a trailing slash
    if is_row:
        # Any classic game can split the row texts, because all have scores of two parts.
        pieces = _place_rows(CLASSIC_GAMES[0], [game_text, *row_texts], line_number, 1)
        inferred_game = _infer_game(pieces)
        warn(f"no game given; assuming {inferred_game}", GameWarning, 3)
        return read_rows(inferred_game, pieces, faults)
    game = read_game(name, place, faults, files=files)
    if game is None:
        raise InputError(faults)
    first_column = len(game_text) + 2  # after the game and the slash
    return read_rows(game, _place_rows(game, row_texts, line_number, first_column), faults)


def _place_rows(
    game: Game, row_texts: Iterable[str], line_number: int, column: int
) -> list[tuple[str, Place]]:
    """Return the rows of a line, with their places. The first piece starts at `column`.

    A slash inside a score does not separate rows.
    """
    pieces: list[tuple[str, Place]] = []
    for piece in row_texts:
        if pieces and "=" not in piece and _continues_score(game, pieces[-1][0], piece):
            row_start, start_place = pieces.pop()
            pieces.append((f"{row_start}/{piece}", start_place))
        else:
            pieces.append((piece, Place(line_number, column)))
        column += len(piece) + 1
    return pieces


def _continues_score(game: Game, previous_piece: str, piece: str) -> bool:
    """Return whether the slash before `piece` is inside a score, as in `1122=1/1`."""
    if game.scoring.marks or not re.fullmatch(SCORE_PART, piece):
        return False
    parts = previous_piece.partition("=")[2].split("/")
    return len(parts) < len(game.parts) and all(re.fullmatch(SCORE_PART, part) for part in parts)


def _suggest_correction(text: str) -> str:
    """Return a suggestion for a text without a game or without a slash after it, or "".

    For `4x6 1122=1.1`, it is "did you mean 4x6/1122=1.1?".
    """
    if len(text) > MAX_CORRECTED_CHARACTERS:
        return ""
    if match := re.fullmatch(GAME_AND_ROW, text):
        game, row = match.groups()
        games = [similar_size(game) or game] if is_game(game) else nearest_games(game)
        if re.fullmatch(SPACED_ROWS, row):
            row = "/".join(re.split(r"[\s,;]+", row))
    else:
        guess, row = text.partition("=")[0].strip(), text
        games = CLASSIC_SIZES.get(len(guess), []) if guess.isdecimal() else []
    return f"did you mean {games[0]}/{row}?" if games else ""


def read_rows(game: Game, pieces: Iterable[tuple[str, Place]], faults: list[Fault]) -> BoardParts:
    """Read rows and known codes. Raises InputError with every error, including `faults`."""
    reader = BoardReader(speller(game))
    rows: list[tuple[str, Place]] = []
    known_texts: list[PlacedText] = []
    for piece, place in pieces:
        if piece.rstrip().endswith(KNOWN_SUFFIX):
            code = piece.rstrip().removesuffix(KNOWN_SUFFIX)
            indent = len(code) - len(code.lstrip())
            known_texts.append(PlacedText(code.strip(), Place(place.line, place.column + indent)))
        else:
            rows.append((piece, place))
    board_rows, known_codes = reader.read_board(rows, known_texts, faults)
    InputError.refuse(faults)
    return (
        game,
        tuple(filter(None, board_rows)),
        tuple(filter(None, known_codes)),
        reader.conventions,
    )


def split_line(text: str) -> list[str]:
    """Split a board line into the game and the rows.

    The name of a file may contain slashes: it ends before the first piece with `=`.
    """
    pieces = text.split("/")
    if not text.lstrip().startswith((GAME_PREFIX, WORD_PREFIX)):
        return pieces
    name_end = next((index for index, piece in enumerate(pieces) if "=" in piece), len(pieces))
    return ["/".join(pieces[:name_end]).rstrip("/"), *pieces[name_end:]]


def print_line(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """Return the board line of a board, or JSON if no board line can define its game.

    Reading it returns the same board.
    """
    if game.is_nameless:
        import json

        from mmsat.game.notation.document import to_document

        return json.dumps(to_document(game, rows, known), ensure_ascii=False)
    return "/".join([str(game), *print_rows(game, rows, known)])


def print_rows(game: Game, rows: Sequence[Row], known: Sequence[Code]) -> list[str]:
    """Return the texts of the rows and the known codes, in the symbols of the game."""
    spell = own_speller(game)
    return [
        *map(spell.print_row, rows),
        *(f"{spell.print_code(code)}{KNOWN_SUFFIX}" for code in known),
    ]


Lines = list[tuple[int, str]]
"""The nonempty lines of a text, each with its number from 1."""
TABLE_HEAD = r" {2,}row  guess\b(.*)"
"""The line of headings of a table that a command printed."""
KNOWN_MARK = "known"
"""The label of a known code in a table that a command printed."""
WRONG_HEADING = "wrong"
"""The heading of the column with the chances that scores are wrong."""
GUESS, SCORE, NUMBER_COLUMN = "guess", "score", "number"
"""Kinds of columns."""
HEADINGS = {
    GUESS: ("guess", "guesses", "code", "word", "attempt", "try"),
    SCORE: ("score", "result", "feedback", "response", "reply", "answer", "hint", "marks"),
    NUMBER_COLUMN: ("#", "no", "nr", "number", "row", "turn", "round", "move", "step"),
}
"""Headings of columns by kind, except for the names of key pegs."""
SCORE_WORDS = {*KEY_PEG_WORDS, *chain.from_iterable(KEY_PEG_WORDS.values()), "b", "w", "blue"}
"""Headings of columns with numbers of key pegs."""
COLUMN_SEPARATORS = ("|", ";", "\t", ",", None)
"""Separators of columns; None for blanks."""
LOG_HEADINGS = r"[^,;\t|]*[a-z][^,;\t|]*[,;\t|](.*[,;\t|])?\s*(guess|board)"
"""The first line of a table in CSV: several names of columns, with one for guesses or boards."""
LOG_TITLE = r"(game|match|round|puzzle)\b\s*[#:]?\s*[0-9]"
"""A line above the rows of one game in a log of several games."""
MARKDOWN_RULE = r"[\s|:+-]*-[\s|:+-]*"
"""The line below the headings of a table in Markdown."""
MIN_MARGIN_WIDTH = 7
"""The minimum number of characters before the guess in a printed table: a mark, three digits, and
blanks."""
ROW_LABEL = r"!?\s*[0-9]+\s*"
"""The label of a row in a table that a command printed."""
KEY_PEGS = "[\u25cf\u25cb\u25c6\u00b7]+"
"""Drawn key pegs, which a table may show between the guess and the score."""
OMITTED_ROWS = r"\s*and [0-9,]+ (?:more )?rows"
"""A line in place of rows that the table omits."""


def convert_table(lines: Lines) -> Lines:
    """Convert the lines of a table that a command printed into rows such as `1 1 2 2=1.1`.

    Lines without such a table are returned unchanged. Raises InputError if the table omits rows.
    """
    table_start = next(
        (index for index, (_, text) in enumerate(lines) if re.fullmatch(TABLE_HEAD, text)),
        None,
    )
    if table_start is None:
        return lines
    # The margin, before the guesses, has the label of a row. The other columns are separated by
    # blanks.
    last_number, heading_line = lines[table_start]
    margin_width = max(MIN_MARGIN_WIDTH, heading_line.index("guess"))
    headings = re.sub(TABLE_HEAD, r"\1", heading_line).split()
    num_parts = len([name for name in headings if name != WRONG_HEADING])
    rows: list[tuple[int, list[str], list[str]]] = []
    for line_number, text in lines[table_start + 1 :]:
        if re.match(OMITTED_ROWS, text):
            raise InputError(
                [Fault("the table omits rows", text.strip(), "all rows", line_number, 1)]
            )
        margin = text[:margin_width]
        words = text[margin_width:].partition("  -> ")[0].split()
        is_row, is_known = re.fullmatch(ROW_LABEL, margin), margin.strip() == KNOWN_MARK
        if line_number != last_number + 1 or not (
            is_row or is_known or margin.isspace() or "->" in margin
        ):
            break  # the text below the table
        last_number = line_number
        if is_known:
            rows.append((line_number, words, [KNOWN_MARK]))
        elif is_row:
            words = words[: -1 if WRONG_HEADING in headings else None]  # omit the chance
            score_start = len(words) - num_parts
            score, pegs = words[score_start:], words[:score_start]
            rows.append(
                (
                    line_number,
                    pegs[:-1] if pegs and re.fullmatch(KEY_PEGS, pegs[-1]) else pegs,
                    score,
                )
            )
        elif rows and margin.isspace():  # the rest of a long guess, or marks below its pegs
            _, pegs, score = rows[-1]
            # The words are marks if the score consists of marks and is shorter than the guess. A
            # score in numbers is complete, and a known code has no score.
            continues_guess = num_parts or score == [KNOWN_MARK] or len(score) == len(pegs)
            (pegs if continues_guess else score).extend(words)
    separator = "." if num_parts else ""
    return lines[:table_start] + [
        (line, f"{' '.join(guess)}={separator.join(score)}") for line, guess, score in rows
    ]


def apply_headings(lines: Lines) -> Lines:
    """Convert the rows below a line of headings into `1122 = 1 black, ...`.

    Lines without headings are returned unchanged.
    """
    for heading_index, (_, text) in enumerate(lines[:2]):  # the first line may be the game
        if columns := _find_headings(text):
            headings, separator = columns
            rows = [
                line
                for line in lines[heading_index + 1 :]
                if not re.fullmatch(MARKDOWN_RULE, line[1])
            ]
            return lines[:heading_index] + [
                (line_number, _join_cells(row, headings, separator)) for line_number, row in rows
            ]
    return lines


def has_headings(line: str) -> bool:
    """Return whether a line consists of column headings, such as `# guess black white`."""
    return _find_headings(line) is not None


def _find_headings(text: str) -> tuple[list[str], str | None] | None:
    """Return the kinds of the columns and their separator, or None if a line has no headings."""
    for separator in COLUMN_SEPARATORS:
        kinds = [*map(_column_kind, _cells(text, separator))]
        if kinds.count(GUESS) == 1 and "" not in kinds and kinds[-1] != GUESS:
            return kinds, separator
    return None


def _cells(text: str, separator: str | None) -> list[str]:
    """Return the cells of a line. Consecutive tabs are one separator."""
    cells = [cell.strip() for cell in text.strip(" |\t").split(separator)]
    return [*filter(None, cells)] if separator == "\t" else cells


def _column_kind(cell: str) -> str:
    """Return the kind of a column: a key of `HEADINGS`, a word for key pegs, or "" if unknown."""
    word = cell.lower().removeprefix("# ").strip(" .:")
    for kind, words in HEADINGS.items():
        if word in words:
            return kind
    singular = word.removesuffix("s")
    return singular if singular in SCORE_WORDS else ""


def _join_cells(text: str, headings: list[str], separator: str | None) -> str:
    """Return a row as `guess = score`, with the name of a key peg after each number.

    If cells are missing, the row is returned unchanged.
    """
    cells = _cells(text, separator)
    if headings[0] == NUMBER_COLUMN and len(cells) == len(headings) - 1:
        headings = headings[1:]  # `#` was not a heading, but made the line a comment
    guess_index = headings.index(GUESS)
    num_score_cells = len(headings) - guess_index - 1
    if len(cells) < len(headings):
        return text
    headed_cells = zip(
        headings[guess_index + 1 :], cells[len(cells) - num_score_cells :], strict=True
    )
    score_cells = [
        cell if kind in HEADINGS else f"{cell} {kind}"
        for kind, cell in headed_cells
        if kind != NUMBER_COLUMN
    ]
    return (
        f"{' '.join(cells[guess_index : len(cells) - num_score_cells])} = {', '.join(score_cells)}"
    )


NUM_SAMPLE_ROWS = 5
"""To infer a game, this many rows are tried before all rows, so that a large file of another kind
is refused quickly."""
CLASSIC_GAMES = (Game.parse("4x6"), Game.parse("5x8"))
"""The games that are inferred for a board file without a game."""


def read_text(text: str, *, files: bool = True) -> BoardParts:
    """Read the text of a board file. Raises InputError with every error, its line and its column.

    If `files` is False, a game in a file is an error.
    """
    numbered_lines = [*enumerate(text.split("\n"), 1)]
    lines = [
        (line_number, content)
        for line_number, line in numbered_lines
        if (content := line.rstrip() if has_headings(line) else strip_comment(line)).strip()
    ]
    if len(lines) == 1 and "/" in lines[0][1]:
        line_number, content = lines[0]
        return read_line(content, line_number, files=files)  # a board line with comments around it
    if len(lines) > 1 and all(_is_board_line(content) for _, content in lines[:2]):
        description = Description(f"{len(lines):,} boards, one per line")
        raise InputError([Fault("", description, "one board")])
    lines = apply_headings(convert_table(lines))
    faults: list[Fault] = []
    game, rows = _split_game(lines, faults, files=files)
    InputError.refuse(faults)
    if game is None:
        game = _infer_game([(content, Place(line_number, 1)) for line_number, content in rows])
        warn(f"no game given; assuming {game}", GameWarning, 3)
    for line_number, line in numbered_lines:
        comment = re.fullmatch(NUMBERED_COMMENT, line)
        if comment and BoardReader(speller(game)).can_read(comment[1]):
            rule = "it may be a comment or a numbered row"
            faults.append(
                Fault(rule, line.strip(), "#1 before a row, ## before a comment", line_number, 1)
            )
    try:
        return read_rows(
            game, [(content, Place(line_number, 1)) for line_number, content in rows], faults
        )
    except InputError:
        InputError.refuse([*_further_games(rows)])
        raise


def _is_board_line(text: str) -> bool:
    """Return whether a line starts with a game and a slash."""
    game, slash, _ = text.partition("/")
    return bool(slash) and is_game(plain_name(game))


def _further_games(rows: Lines) -> Iterator[Fault]:
    """Yield a fault for each row that is the name of a game, and so begins another board."""
    rule = "a file has one board, or one board line per line"
    for line_number, content in rows:
        if is_game(plain_name(content.strip())):
            yield Place(line_number, 1).fault(rule, content.strip(), "a row of the first board")


def _split_game(lines: Lines, faults: list[Fault], *, files: bool) -> tuple[Game | None, Lines]:
    """Return the game and the lines below it, or None and all lines if the first is not a game."""
    if lines:
        line_number, content = lines[0]
        game_text = content.strip()
        if is_game(name := plain_name(game_text)):
            place = Place(line_number, 1 + len(content) - len(content.lstrip()))
            return read_game(name, place, faults, files=files), lines[1:]
    return None, lines


def _infer_game(rows: list[tuple[str, Place]]) -> Game:
    """Return the classic game that fits the rows.

    Raises InputError if no classic game fits, or if no guess repeats a color: then the game may be
    one without repeats. This does not apply to colors given by name. The error suggests a game, or
    the command that reads such a file.
    """
    rule, games = "", ["4x6", "bulls-and-cows"]
    for game in CLASSIC_GAMES if rows else ():
        faults: list[Fault] = []
        BoardReader(speller(game)).read_rows(rows[:NUM_SAMPLE_ROWS], faults)
        if faults:
            continue
        reader = BoardReader(speller(game))
        parsed_rows = reader.read_rows(rows, faults)
        if faults:
            continue
        has_repeats = any(row is not None and len({*row.guess}) < game.pegs for row in parsed_rows)
        alphabets = reader.conventions.alphabets
        if has_repeats or alphabets == {NAMES}:
            return game
        uses_digits = OWN in alphabets and game.pegs == 4
        games = [str(game), "bulls-and-cows" if uses_digits else f"{game.pegs}x10d"]
        rule = f"these rows fit {' and '.join(games)}"
    if any(SQUARES & {*content} for content, _ in rows):
        rule = "mmsat audit reads grids that players share: mmsat audit FILE --game daily-word"
    if any(content.startswith("p ") for content, _ in rows):
        rule = "mmsat reduce turns formulas and graphs into boards"
    content, place = rows[0] if rows else ("", Place(1, 1))
    if re.search(LOG_HEADINGS, content.lower()):
        rule = "mmsat audit reads tables of several games: mmsat audit FILE.csv --game 4x6"
    elif re.match(LOG_TITLE, content.lower()):
        rule = (
            "for several games, write one board line per line, or a table with one row per guess "
            "and a column game_id, which mmsat audit reads"
        )
    similar_games = nearest_games(content.strip().partition("/")[0])
    expected = f"the game in the first line, such as {' or '.join(similar_games or games)}"
    raise InputError([place.fault(rule, content.strip(), expected)])


def print_text(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """Return the text of the board file of a board, or JSON if no board line can define its game.

    Reading it returns the same board.
    """
    if game.is_nameless:
        from mmsat.game.notation.document import print_document

        return print_document(game, rows, known)
    return "".join(f"{line}\n" for line in [str(game), *print_rows(game, rows, known)])
