"""Why a board is inconsistent: minimal conflicts, cheapest corrections, and their words.

Called, it is `mmsat.explain.explain.explain`.
"""

from mmsat.face import make_callable

make_callable(__name__)
