"""Boards of any size with a known answer, the same ones for the same seed.

Called, it is `mmsat.generate.generate.generate`.
"""

from mmsat.face import make_callable

make_callable(__name__)
