"""Functions whose result is made once, also where several threads need it at the same time for the first time"""

import threading
from collections.abc import Callable
from functools import cache, update_wrapper
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def once(function: Function) -> Function:
    """The function with its results stored by its arguments, each computed by one thread while the others wait.

    ``functools.cache`` alone lets two threads compute the same result, and each uses its own. Where it is machine code,
    the one that is not stored is freed while addresses in it are in use.
    """
    results, lock = dict[Any, Any](), threading.RLock()

    def compute(*arguments: Any) -> Any:
        with lock:
            if arguments not in results:
                results[arguments] = function(*arguments)
            return results[arguments]

    return cast(Function, update_wrapper(cache(compute), function))
