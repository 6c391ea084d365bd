"""Results that are kept for the objects they were made from, so that arms which share parts share what follows from these.

Descriptions of parts never change once they are made; so the same object means the same result. What is kept is not written to.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")
MOST = 64
_FOUND: OrderedDict[tuple[tuple[int, ...], Hashable], tuple[tuple[Any, ...], Any]] = OrderedDict()
_LOCK = Lock()


def kept(parts: tuple[Any, ...], key: Hashable, make: Callable[[], T]) -> T:
    """What `make` gives, found before for the very same parts and an equal key, or found now; the last ones used are kept.

    Examples
    --------
    >>> part = [1, 2, 3]
    >>> first = kept((part,), "twice", lambda: [2 * each for each in part])
    >>> kept((part,), "twice", lambda: None) is first, kept(([1, 2, 3],), "twice", lambda: None)
    (True, None)
    """
    place = tuple(map(id, parts)), key
    with _LOCK:
        found = _FOUND.get(place)
        if found is not None:
            _FOUND.move_to_end(place)
            return found[1]  # type: ignore[no-any-return]
    made = make()
    with _LOCK:
        _FOUND[place] = parts, made  # the parts stay, so that their numbers are not given to others
        while len(_FOUND) > MOST:
            _FOUND.popitem(last=False)
    return made
