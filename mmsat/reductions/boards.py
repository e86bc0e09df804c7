"""What all reductions from boards share: a certificate is a code of the source's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.notation.speller import speller
from mmsat.reductions.base import Reduction

if TYPE_CHECKING:
    from mmsat.game.row import Code


class FromBoard(Reduction[Board, "Code"]):
    """Certificates are consistent codes of a board."""

    source_kind = "board"

    def is_certificate(self, certificate: Code) -> bool:
        """Whether it is a consistent code of the source."""
        return self.source.is_consistent(certificate)

    def spell(self, certificate: Code) -> str:
        """As the source's game spells it."""
        return speller(self.source.game).print_code(certificate)
