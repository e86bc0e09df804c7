"""Codes that are not equally likely: weights of colors, or of the codes themselves.

By colors, the weight of a code is the product of those of its pegs, as if each was drawn from a jar
with so many of each color (without repeats: among the codes without). Or a list of codes, or of
words, says what each weighs; codes that it leaves out weigh nothing, and cannot be the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from numbers import Rational, Real
from typing import Any

from mmsat.arguments import attempt, items_of
from mmsat.english import quantity
from mmsat.errors import Fault, InputError, Place
from mmsat.files import decode
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.notation.speller import speller

SOURCE = "the weights"
LARGE_EXPONENT = re.compile(r"[eE][-+]?[\d_]{3}")
"""What makes a short weight a number of any length: 1e999999999."""
LONGEST = 40
"""Characters of a weight at most."""


@frozen
class Weights:
    """How likely codes are beside each other; the weights need not add up to 1."""

    game: Game
    colors: tuple[Fraction, ...] = ()
    """By color, from 0; nothing where codes have their own weights."""
    codes: Mapping[Code, Fraction] | None = None
    """By code; the others weigh nothing."""

    @classmethod
    def of_colors(cls, game: Game | str, weights: Sequence[Fraction | float | str]) -> Weights:
        """Make weights of the colors; raise InputError with every fault."""
        game, faults = Game.of(game), list[Fault]()
        given = attempt(items_of, weights)
        if given is None:
            raise InputError.of(SOURCE, f"a list of {game.colors} weights", weights)
        if len(given) != game.colors:
            rule = f"a {game} game has {quantity(game.colors, 'color')}, each with a weight"
            faults.append(Fault(rule, len(given), f"{game.colors} weights"))
        found = [
            _read(weight, faults, part=f"color {number}") for number, weight in enumerate(given, 1)
        ]
        if not faults and not any(found):
            faults.append(Fault("some color weighs more than 0", 0, "a weight"))
        InputError.refuse(faults, SOURCE)
        return cls(game, tuple(found))

    @classmethod
    def of_codes(
        cls,
        game: Game | str,
        weights: Mapping[Code, Fraction | float | str] | Mapping[str, Fraction | float | str],
    ) -> Weights:
        """Make weights of codes, given as text or as colors from 0.

        Raises InputError with every fault.
        """
        game, faults = Game.of(game), list[Fault]()
        items = attempt(lambda given: [*given.items()], weights)
        if items is None:
            raise InputError.of(SOURCE, "a mapping from codes to weights", weights)
        found: dict[Code, Fraction] = {}
        for given, weight in items:
            part = f"code {given}"
            number = _read(weight, faults, part=part)
            try:
                code = game.read_code(given, part)
            except InputError as error:
                faults += error.faults
                continue
            if not game.contains(code) or code in found:
                rule = "a code of the game has a weight, once"
                faults.append(Fault(rule, given, "another code"))
            found[code] = number
        if not faults and not any(found.values()):
            faults.append(Fault("some code weighs more than 0", 0, "a weight"))
        InputError.refuse(faults, SOURCE)
        return cls(game, (), {code: weight for code, weight in found.items() if weight})

    @classmethod
    def parse(cls, game: Game, text: str) -> Weights:
        """Read `4,2,1,1,1/2,1`, a weight for each color, or lines of a code and its weight.

        A weight is a whole number, a decimal or a fraction; `#` begins a comment.
        """
        if "\n" not in text and _are_of_colors(text):
            return cls.of_colors(game, text.split(","))
        spell, faults = speller(game), list[Fault]()
        found: dict[Code, Fraction] = {}
        for number, line in enumerate(text.split("\n"), 1):
            pieces = line.partition("#")[0].replace("=", " ").replace(",", " ").split()
            place = Place(number, 1)
            if not pieces:
                continue
            if len(pieces) != 2:
                faults.append(place.fault("a line is a code and its weight", line, "1122 3"))
                continue
            code = spell.read_code(pieces[0], place, faults)
            weight = _read(pieces[1], faults, line=number, column=1)
            if code is None:
                continue
            if not game.contains(code) or code in found:
                rule = "what has a weight is a code of the game, once"
                faults.append(place.fault(rule, pieces[0], "another code"))
            found[code] = weight
        InputError.refuse(faults, SOURCE)
        return cls.of_codes(game, found)

    def weigh(self, codes: Iterable[Sequence[int]]) -> tuple[list[int], Fraction]:
        """The weights of codes as whole numbers, and the unit that they are multiples of."""
        if self.codes is not None:
            scale = lcm(*(weight.denominator for weight in self.codes.values()))
            own = {code: int(weight * scale) for code, weight in self.codes.items()}
            return [own.get(tuple(code), 0) for code in codes], Fraction(1, scale)
        scale = lcm(*(weight.denominator for weight in self.colors))
        colors = [int(weight * scale) for weight in self.colors]
        found = [prod([colors[color] for color in code]) for code in codes]
        return found, Fraction(1, scale**self.game.pegs)


def load_weights(game: Game, spec: str) -> Weights:
    """Read the weights of colors, or a file of that name; raises InputError."""
    if _are_of_colors(spec) or game.colors == 1:
        return Weights.of_colors(game, spec.split(","))
    try:
        with open(spec, "rb") as file:  # noqa: PTH123  (pathlib takes long to load)
            return Weights.parse(game, decode(file.read(), spec) + "\n")
    except OSError as error:
        rule = f"weights are a number for each color, or a file ({error.strerror})"
        raise InputError.of(SOURCE, "4,2,1,1,1,1, or the name of a file", spec, rule) from None


def _are_of_colors(text: str) -> bool:
    """Whether a text is one weight for each color, with commas between them."""
    pieces = text.split(",")
    is_list = len(pieces) > 1 and not {"=", "#"} & {*text}
    return is_list and all(len(each.split()) < 2 for each in pieces)


def _read(weight: object, faults: list[Fault], **place: Any) -> Fraction:
    """Return a weight; append the fault of anything else, with its place as in Fault."""
    found = attempt(_weight_of, weight.strip() if isinstance(weight, str) else weight)
    if found is None:
        shown = weight[:LONGEST] if isinstance(weight, str) else weight
        faults.append(Fault("", shown, "a number from 0, such as 3, 0.25 or 1/4", **place))
        return Fraction(0)
    return found


def _weight_of(weight: Any) -> Fraction:
    """Return text or a number as a weight; raise an exception for anything else."""
    if isinstance(weight, bool) or len(str(weight)) > LONGEST or LARGE_EXPONENT.search(str(weight)):
        raise ValueError(weight)
    is_float = isinstance(weight, Real) and not isinstance(weight, Rational)  # also of numpy
    found = Fraction(float(weight) if is_float else weight)
    if found < 0 or len(str(found)) > 2 * LONGEST:
        raise ValueError(weight)
    return found
