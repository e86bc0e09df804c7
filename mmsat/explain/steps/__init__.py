"""How a contradiction or a certain fact follows from a board, in a chain of small steps.

Called, it is `mmsat.explain.steps.steps.steps`.
"""

from mmsat.face import make_callable

make_callable(__name__)
