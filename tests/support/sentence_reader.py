"""Parse the sentence about a conflict into the statements of the rows, as a player would.

It was written without reference to the generator of the sentences. Each statement becomes a
predicate over codes. A sentence with any other words, or with a reference to something that was not
stated, is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mmsat.game.notation.board_reader import speller
from mmsat.game.words import Words
from tests.support import twins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat.game.board import Board

Holds = "Callable[[tuple[int, ...]], bool]"

SENTENCE = re.compile(
    r"Rows (?P<rows>[\d, and]+) can't (?P<all>both|all) be right(?:: (?P<why>.+))?\."
)
NUMBER = r"\d+"
COUNT = rf"(?:at least {NUMBER}|at most {NUMBER}|exactly {NUMBER}|{NUMBER} to {NUMBER})"


class Statement(NamedTuple):
    """The statement of one row."""

    row: int
    holds: Callable[[tuple[int, ...]], bool]


class UnreadableError(AssertionError):
    """The words have no meaning for a player."""


class SentenceReader:
    """Reads sentences about the conflicts of one board."""

    def __init__(self, board: Board) -> None:
        """Store the game's symbols and terms."""
        self.board, game = board, board.game
        print_code = speller(game).print_code
        self.colors = {print_code((color,)): color for color in range(game.colors)}
        self.noun = game.color_symbols.noun
        self.is_bare = self.noun in {"letter", "digit"}
        names = sorted(map(re.escape, self.colors), key=len, reverse=True)
        name = rf"(?:{'|'.join(names)})(?!\w)"
        self.name = re.compile(name)
        noun = "" if self.is_bare else f"{self.noun}s? "
        several = rf"(?P<colors>{name}(?:, {name})*(?: (?:and|or) {name})?)"
        pegs = rf"(?:peg|place)s? (?P<pegs>{NUMBER}(?:, {NUMBER})*(?: and {NUMBER})?)"
        counted = rf"{COUNT} (?:{'|'.join(names)})s?(?!\w)"
        self.kinds: list[tuple[re.Pattern[str], Callable[[re.Match[str]], object]]] = [
            (re.compile(rf"{pegs} (?:is|are) {noun}(?P<color>{name})"), self.is_color),
            (re.compile(rf"{pegs} (?:is|are) not {noun}{several}"), self.is_not),
            (
                re.compile(rf"{pegs} comes? (?P<side>before|after) {noun}(?P<color>{name})"),
                self.side,
            ),
            (re.compile(rf"there is no {noun}{several}"), self.there_is_no),
            (
                re.compile(rf"there is (?P<colors>an? {name}(?:(?:,| and) an? {name})*)"),
                self.there_is,
            ),
            (re.compile(rf"{noun}{several} (?:is|are) in the code"), self.there_is),
            (
                re.compile(rf"there (?:is|are) (?P<counts>{counted}(?:(?:,| and) {counted})*)"),
                self.there_are,
            ),
            (
                re.compile(
                    rf"{noun}{several} (?:has|have) (?P<count>{COUNT}) (?:peg|place)s?(?: each)?"
                ),
                self.has,
            ),
        ]

    def read(self, sentence: str) -> list[Statement]:
        """Return the statements in the order of the sentence, or nothing if no reason is given."""
        result = SENTENCE.fullmatch(sentence)
        if result is None:
            raise UnreadableError(sentence)
        rows = [int(number) - 1 for number in re.findall(r"\d+", result["rows"])]
        if (result["all"] == "both") != (len(rows) == 2):
            raise UnreadableError(sentence)
        why = result["why"]
        if why is None:
            return []
        statements = [*self.of_all(rows, why)] or [self.of_row(part) for part in why.split("; ")]
        if [statement.row for statement in statements] != rows:
            raise UnreadableError(sentence)
        return statements

    def of_all(self, rows: list[int], why: str) -> Iterator[Statement]:
        """Yield the statements of a reason that is about all rows together."""
        board, game = self.board, self.board.game
        if why == "they score the same guess differently":
            first, second = (board.rows[row] for row in rows)
            assert first.guess == second.guess
            assert min(first.guess) >= 0  # else they can have been two
            pairs = [*zip(first.score, second.score, strict=True)]
            differ = [i for i, pair in enumerate(pairs) if None not in pair and len({*pair}) == 2]
            assert differ
            for row in rows:
                yield Statement(row, self.gets_parts(row, differ))
        elif why in {"no word fits both", "no word fits all of them"}:
            assert isinstance(game.space, Words)
            assert why.endswith("both") == (len(rows) == 2)
            for row in rows:
                yield Statement(row, self.gets_parts(row, range(len(game.parts))))
        elif result := re.fullmatch(
            rf"they share no {self.noun}, and together they score (at least )?(\d+) of (\d+) pegs",
            why,
        ):
            guesses = [board.rows[row].guess for row in rows]
            assert len(rows) == 2
            assert not {*guesses[0]} & {*guesses[1]}
            assert min(map(min, guesses)) >= 0
            read = [[part for part in board.rows[row].score if part is not None] for row in rows]
            is_partial = any(None in board.rows[row].score for row in rows)
            assert bool(result[1]) == is_partial
            assert int(result[2]) == sum(map(sum, read)) > int(result[3]) == game.pegs
            for row, parts in zip(rows, read, strict=True):
                yield Statement(row, self.shares(row, sum(parts)))

        elif re.fullmatch(r".+ in row \d+ contradicts .+|.+ contradict each other", why):
            scores = re.findall(r"(?:^|, | and | contradicts )(.+?) in row (\d+)", why)
            assert (" contradicts " in why) == (len(scores) == 2)
            for words, number in scores:
                row = int(number) - 1
                stated = self.board.rows[row].score
                score = self.read_score(words)
                named = [i for i, value in enumerate(score) if value is not None]
                assert all(score[i] == stated[i] for i in named)
                yield Statement(row, self.gets_parts(row, named))

    def shares(self, row: int, pegs: int):
        guess = self.board.rows[row].guess
        return lambda code: sum(twins.cross_out(code, guess)) >= pegs

    def gets_parts(self, row: int, which):
        """Return the predicate that the guess, or a completion of it, gets these parts."""
        board = self.board
        guess, read = board.rows[row]
        wanted = tuple(part if i in which else None for i, part in enumerate(read))
        guesses = [guess] if min(guess) >= 0 else twins.possible_guesses(board.game, guess)
        scoring = board.game.scoring
        return lambda code: any(twins.agrees(scoring, code, guess, wanted) for guess in guesses)

    def of_row(self, clause: str) -> Statement:
        """Return the statement of a clause about one row."""
        if result := re.fullmatch(r"row (\d+) scores (.+)", clause):
            row = int(result[1]) - 1
            assert self.read_score(result[2]) == self.board.rows[row].score
            return Statement(row, self.gets_parts(row, range(len(self.board.game.parts))))
        if result := re.fullmatch(r"row (\d+) has (.+) \(of (.+)\)", clause):
            row = int(result[1]) - 1
            whole, some = self.read_score(result[3]), self.read_score(result[2])
            assert whole == self.board.rows[row].score
            which = [i for i, part in enumerate(some) if part is not None]
            assert 0 < len(which) < len(whole)
            assert all(some[i] == whole[i] for i in which)
            return Statement(row, self.gets_parts(row, which))
        result = re.fullmatch(r"row (\d+) says (that )?(.+)", clause)
        if result is None or (result[2] is None) != result[3].startswith("there "):
            raise UnreadableError(clause)
        return Statement(int(result[1]) - 1, self.all_of(result[3]))

    def read_score(self, words: str) -> tuple[int | None, ...]:
        """Read a score in words; parts that are not named, and parts with a `?`, are None."""
        pairs = re.findall(r"(\d+|\?) ([a-z]+)", words)
        assert " ".join(map(" ".join, pairs)) == words
        names = [part.removesuffix("s") for part in self.board.game.parts]
        score: list[int | None] = [None] * len(names)
        for number, name in pairs:
            score[names.index(name.removesuffix("s"))] = None if number == "?" else int(number)
        return tuple(score)

    def all_of(self, text: str):
        """Return the predicate of statements that are joined by commas and `and`."""
        held = []
        remainder = text
        while remainder:
            read = [(kind.match(remainder), mean) for kind, mean in self.kinds]
            ends = [
                (outcome.end(), outcome, mean)
                for outcome, mean in read
                if outcome and re.match(r"$|, | and ", remainder[outcome.end() :])
            ]
            if not ends:
                raise UnreadableError(remainder)
            end, result, mean = max(ends, key=lambda item: item[0])
            held.append(mean(result))
            remainder = re.sub(r"^(, | and )", "", remainder[end:])
        return lambda code: all(holds(code) for holds in held)

    def names(self, text: str) -> list[int]:
        return [self.colors[name] for name in self.name.findall(text)]

    @staticmethod
    def pegs(found) -> list[int]:
        return [int(number) - 1 for number in re.findall(NUMBER, found["pegs"])]

    def is_color(self, found):
        pegs, color = self.pegs(found), self.colors[found["color"]]
        return lambda code: all(code[peg] == color for peg in pegs)

    def is_not(self, found):
        pegs, colors = self.pegs(found), self.names(found["colors"])
        return lambda code: all(code[peg] not in colors for peg in pegs)

    def side(self, found):
        assert self.board.game.scoring.name == "order"  # else no color is before another
        pegs, color = self.pegs(found), self.colors[found["color"]]
        if found["side"] == "before":
            return lambda code: all(code[peg] < color for peg in pegs)
        return lambda code: all(code[peg] > color for peg in pegs)

    def there_is_no(self, found):
        colors = self.names(found["colors"])
        return lambda code: not {*colors} & {*code}

    def there_is(self, found):
        colors = self.names(re.sub(r"\ban? ", "", found["colors"]))
        return lambda code: {*colors} <= {*code}

    def there_are(self, found):
        bounds = []
        for count, name in re.findall(rf"({COUNT}) (\S+?)(?=,|$| and )", found["counts"]):
            low, high = self.bounds(count)
            symbol = name if name in self.colors and high == 1 else name.removesuffix("s")
            bounds.append((self.colors[symbol], low, high))
        assert bounds
        return lambda code: all(low <= code.count(color) <= high for color, low, high in bounds)

    def has(self, found):
        colors = self.names(found["colors"])
        low, high = self.bounds(found["count"])
        assert (len(colors) > 1) == found[0].endswith(" each")
        return lambda code: all(low <= code.count(color) <= high for color in colors)

    def bounds(self, count: str) -> tuple[int, int]:
        numbers = [int(number) for number in re.findall(NUMBER, count)]
        if count.startswith("at least"):
            return numbers[0], self.board.game.pegs
        if count.startswith("at most"):
            return 0, numbers[0]
        return numbers[0], numbers[-1]
