"""Hard problems turned into boards, and answers carried back.

Called, it is `mmsat.reduce.reduce.reduce`.
"""

from mmsat.face import make_callable

make_callable(__name__)
