"""The type of numpy arrays, without loading numpy."""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any
    """A numpy array; boards alone need no numpy, and their types can be read all the same."""
