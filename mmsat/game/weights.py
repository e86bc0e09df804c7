"""Weights of codes that are not equally likely, given by color or by code.

If they are given by color, the weight of a code is the product of the weights of its colors, as if
the color of each peg were drawn independently with these probabilities. In games without repeats,
too, the weight of a code is this product. If they are given by code, codes without a given weight
have weight 0 and cannot be the secret code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from numbers import Rational, Real
from typing import Any

from mmsat._util.arguments import (
    RULES,
    Rule,
    attempt,
    check_constructor,
    instance_of,
    items_of,
)
from mmsat._util.files import decode
from mmsat._util.text import PERCENT_UNITS, quantity, read_number
from mmsat.errors import Description, Fault, InputError, Place
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import BoardReader, PlacedText, speller

SOURCE = "the weights"
"""The name of the weights in error messages."""
LARGE_EXPONENT = re.compile(r"[eE][-+]?[\d_]{3}")
"""Exponents of three or more digits, which are rejected: a short text such as 1e999999999 would be
a huge number."""
MAX_WEIGHT_CHARACTERS = 40
"""Maximum number of characters of a weight. It bounds the size of exact sums and products."""


@check_constructor
@dataclass(frozen=True)
class Weights:
    """Relative probabilities of codes. The weights need not add up to 1.

    `Weights.of_colors`, `Weights.of_codes` and `Weights.parse` read weights in any form. The
    constructor needs fractions, either by color or by code.

    Raises
    ------
    InputError
        If an argument has the wrong type, or if there is not one weight per color.

    Examples
    --------
    >>> weights = mmsat.Weights.of_colors("2x3", [4, 2, 1])
    >>> mmsat.codes("2x3/12=1.0", weights=weights).odds()[0]
    (Fraction(10, 13), Fraction(2, 13), Fraction(1, 13))
    """

    game: Game
    """The game of the codes."""
    colors: tuple[Fraction, ...] = ()
    """The weights by color; empty if they are given by code."""
    codes: Mapping[Code, Fraction] | None = None
    """The weights by code, 0 for missing codes; None if they are given by color."""

    def __post_init__(self) -> None:
        weights = self.colors if self.codes is None else self.codes.values()
        num_expected = self.game.colors if self.codes is None else 0
        if len(self.colors) != num_expected:
            found = Description(quantity(len(self.colors), "weight"))
            expected = quantity(num_expected, "weight")
            rule = "weights are given either by color or by code"
            raise InputError([Fault(rule, found, expected, part="colors")], SOURCE)
        if not any(weights):
            raise InputError.of(SOURCE, "a weight above 0", Description("none"))

    @classmethod
    def of_colors(cls, game: Game | str, weights: Sequence[Fraction | float | str]) -> Weights:
        """Make weights from one weight per color.

        The weight of a code is the product of the weights of its pegs.

        Parameters
        ----------
        game : Game or str
            The game, or its size or name, such as "4x6" or "mastermind".
        weights : sequence of Fraction, float or str
            The weight of each color, 0 or more: 3, 0.25 or "1/4".

        Returns
        -------
        Weights
            The weights, as exact fractions.

        Raises
        ------
        InputError
            If a weight is invalid or missing, or if all weights are 0; the error lists every fault.
        """
        game, faults = Game.of(game), list[Fault]()
        given_weights = attempt(items_of, weights)
        if given_weights is None:
            raise InputError.of(SOURCE, f"a list of {game.colors} weights", weights)
        if len(given_weights) != game.colors:
            rule = f"the game {game} has {quantity(game.colors, 'color')}"
            description = Description(quantity(len(given_weights), "weight"))
            faults.append(Fault(rule, description, f"{game.colors} weights"))
        fractions = [
            _read_weight(weight, faults, part=f"color {number}")
            for number, weight in enumerate(given_weights, 1)
        ]
        if not faults and not any(fractions):
            faults.append(Fault("", Description("none"), "a weight above 0"))
        InputError.refuse(faults, SOURCE)
        return cls(game, tuple(fractions))

    @classmethod
    def of_codes(
        cls,
        game: Game | str,
        weights: Mapping[Code, Fraction | float | str] | Mapping[str, Fraction | float | str],
    ) -> Weights:
        """Make weights from a mapping of codes to weights.

        Parameters
        ----------
        game : Game or str
            The game, or its size or name, such as "4x6" or "mastermind".
        weights : mapping of codes to Fraction, float or str
            The weight of each code, 0 or more. Codes are text, or colors from 0. Missing codes have
            weight 0.

        Returns
        -------
        Weights
            The weights, as exact fractions.

        Raises
        ------
        InputError
            If a code or a weight is invalid, or if all weights are 0; the error lists every fault.
        """
        game, faults = Game.of(game), list[Fault]()
        items = attempt(lambda mapping: [*mapping.items()], weights)
        if items is None:
            raise InputError.of(SOURCE, "a mapping from codes to weights", weights)
        weight_by_code: dict[Code, Fraction] = {}
        code_faults: list[Fault] = []
        codes = game.read_codes({f"code {code}": code for code, _ in items}, None, code_faults)
        # Faults are listed in the order of the mapping: those of a weight, then those of its code.
        # The part of a code's fault is `code 1122`, or for a single peg, `code 1122, column 3`.
        faults_of_part: dict[str, list[Fault]] = {}
        for fault in code_faults:
            faults_of_part.setdefault(fault.part.partition(", column")[0], []).append(fault)
        for (given_code, weight), code in zip(items, codes, strict=True):
            part = f"code {given_code}"
            number = _read_weight(weight, faults, part=part)
            faults += faults_of_part.get(part, [])
            if code is None:
                continue
            if not game.contains(code) or code in weight_by_code:
                faults.append(Fault("", given_code, "each code of the game at most once"))
            weight_by_code[code] = number
        if not faults and not any(weight_by_code.values()):
            faults.append(Fault("", Description("none"), "a weight above 0"))
        InputError.refuse(faults, SOURCE)
        return cls(game, (), {code: weight for code, weight in weight_by_code.items() if weight})

    @classmethod
    def parse(cls, game: Game, text: str) -> Weights:
        """Read weights from text.

        Parameters
        ----------
        game : Game
            The game of the codes.
        text : str
            One weight per color, such as "4,2,1,1,1/2,1", or lines with a code and its weight. A
            weight is a whole number, a decimal, a fraction or a percentage. In lines, `#` starts a
            comment.

        Returns
        -------
        Weights
            The weights, as exact fractions.

        Raises
        ------
        InputError
            If the text is invalid; the error lists every fault.
        """
        if "\n" not in text and _is_color_list(text):
            return cls.of_colors(game, text.split(","))
        faults: list[Fault] = []
        texts: list[PlacedText] = []
        weights: list[Fraction] = []
        for number, line in enumerate(text.split("\n"), 1):
            pieces = line.partition("#")[0].replace("=", " ").replace(",", " ").split()
            place = Place(number, 1)
            if not pieces:
                continue
            if len(pieces) != 2:
                faults.append(place.fault("", line, "a code and its weight, such as 1122 3"))
                continue
            texts.append(PlacedText(pieces[0], place))
            weights.append(_read_weight(pieces[1], faults, line=number, column=1))
        weight_by_code: dict[Code, Fraction] = {}
        codes = BoardReader(speller(game)).read_codes(texts, faults)
        for code_text, code, weight in zip(texts, codes, weights, strict=True):
            if code is None:
                continue
            if not game.contains(code) or code in weight_by_code:
                faults.append(
                    code_text.place.fault("", code_text.text, "each code of the game at most once")
                )
            weight_by_code[code] = weight
        InputError.refuse(faults, SOURCE)
        return cls.of_codes(game, weight_by_code)

    def weigh(self, codes: Iterable[Sequence[int]]) -> tuple[list[int], Fraction]:
        """Return the weights of codes as multiples of a unit weight.

        Parameters
        ----------
        codes : iterable of sequence of int
            The codes, with colors from 0.

        Returns
        -------
        multiples : list of int
            The weight of each code, divided by the unit weight.
        unit : Fraction
            The unit weight.
        """
        if self.codes is not None:
            scale = lcm(*(weight.denominator for weight in self.codes.values()))
            multiples = {code: int(weight * scale) for code, weight in self.codes.items()}
            return [multiples.get(tuple(code), 0) for code in codes], Fraction(1, scale)
        scale = lcm(*(weight.denominator for weight in self.colors))
        color_multiples = [int(weight * scale) for weight in self.colors]
        products = [prod([color_multiples[color] for color in code]) for code in codes]
        return products, Fraction(1, scale**self.game.pegs)


def load_weights(game: Game, spec: str) -> Weights:
    """Return the weights that `spec` states.

    They are weights by color, such as `4,2,1,1,1,1`, or the name of a file of weights by code.
    Raises InputError for invalid weights, or if the file cannot be read.
    """
    if _is_color_list(spec) or game.colors == 1:  # a single weight has no comma
        return Weights.of_colors(game, spec.split(","))
    try:
        with open(spec, "rb") as file:  # noqa: PTH123  (pathlib takes long to load)
            # A file has weights by code. Because of the line end, a file of one line is not read as
            # weights by color.
            return Weights.parse(game, decode(file.read(), spec) + "\n")
    except OSError as error:
        expected = "one weight per color, such as 4,2,1,1,1,1, or the name of a file"
        raise InputError.of(SOURCE, expected, spec, str(error.strerror)) from None


def _is_color_list(text: str) -> bool:
    """Return whether a text is a comma-separated list, and so has weights by color."""
    pieces = text.split(",")
    is_list = len(pieces) > 1 and not {"=", "#"} & {*text}
    return is_list and all(len(piece.split()) < 2 for piece in pieces)


def _read_weight(weight: object, faults: list[Fault], **place: Any) -> Fraction:
    """Return a weight; if it is invalid, append a fault and return 0.

    `place` has the fields of Fault that state the position of the weight.
    """
    number = attempt(_to_weight, weight.strip() if isinstance(weight, str) else weight)
    if number is None:
        shown = weight[:MAX_WEIGHT_CHARACTERS] if isinstance(weight, str) else weight
        faults.append(Fault("", shown, "a number from 0, such as 3, 0.25, 1/4 or 25%", **place))
        return Fraction(0)
    return number


def _to_weight(weight: Any) -> Fraction:
    """Convert text or a number to a weight; raise an exception for anything else."""
    if (
        isinstance(weight, bool)
        or len(str(weight)) > MAX_WEIGHT_CHARACTERS
        or LARGE_EXPONENT.search(str(weight))
    ):
        raise ValueError(weight)
    # numpy floats are Real, but Fraction does not accept all of them
    is_float = isinstance(weight, Real) and not isinstance(weight, Rational)
    if isinstance(weight, str):
        weight = read_number(weight, PERCENT_UNITS)
    number = Fraction(float(weight) if is_float else weight)
    # A fraction has a numerator and a denominator. A float such as 1e-300 has a huge one.
    if number < 0 or len(str(number)) > 2 * MAX_WEIGHT_CHARACTERS:
        raise ValueError(weight)
    return number


def _read_fractions(values: object) -> tuple[Fraction, ...]:
    """Return a sequence of Fractions as a tuple; raise TypeError for other objects."""
    fractions = tuple(items_of(values))
    if not all(isinstance(value, Fraction) for value in fractions):
        raise TypeError("not Fractions")
    return fractions


def _require_fractions(weight_by_code: Any) -> Mapping[Code, Fraction]:
    """Return a mapping of codes to Fractions unchanged; raise an exception for other objects."""
    _read_fractions([*weight_by_code.values()])
    return weight_by_code  # type: ignore[no-any-return]


RULES["Weights.game"] = instance_of("a Game; Weights.of_colors also reads its name", Game)
RULES["Weights.colors"] = Rule(
    "a sequence of Fractions; Weights.of_colors also reads other numbers", _read_fractions
)
RULES["Weights.codes"] = Rule(
    "a mapping of codes to Fractions; Weights.of_codes also reads other numbers", _require_fractions
)
RULES["weights"] = instance_of(
    "Weights, such as Weights.of_colors(game, [1, 1, 2]) with one weight per color", Weights
)
