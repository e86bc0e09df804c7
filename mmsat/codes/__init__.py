"""The codes that are consistent with a board: how many there are, and which.

Called, it is `mmsat.codes.codes.codes`.
"""

from mmsat.face import make_callable

make_callable(__name__)
