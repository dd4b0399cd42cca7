"""What `import posenc_ref` gives to graded code: names that accept any operation and hold nothing.

After an exercise a chapter uses the reference, and its cells must run; but no exercise may be
answered with the reference, by call, copy, cache or source. So the reference is not in the process
that is graded. A stand-in accepts every operation and returns a stand-in, until an answer is
checked: from then on (`StandIn.cut_off`) each use of one raises `ReferenceUsed`.
"""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any


class ReferenceUsed(Exception):
    """An answer uses the reference that it is compared with."""


class StandIn:
    """A value that every operation accepts."""

    cut_off = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Accept any arguments."""

    def __getattr__(self, name: str) -> Any:
        """Return a stand-in; AttributeError for Python's own names with two underscores."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _another()

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """Let a class inherit from it: it inherits nothing."""
        return ()

    def __iter__(self) -> Iterator[Any]:
        """Yield nothing; for `a, b = …`, one stand-in per name."""
        frame = sys._getframe(1)
        code, at = frame.f_code.co_code, max(frame.f_lasti, 0)
        count = code[at + 1] if code[at] == dis.opmap["UNPACK_SEQUENCE"] else 0
        return iter([_another() for _ in range(count)])

    def __enter__(self) -> Any:
        """Return a stand-in for the `as` of a `with`."""
        return _another()

    def __exit__(self, *raised: Any) -> None:
        """Let an exception propagate."""

    def __format__(self, form: str) -> str:
        """Return an ellipsis, whatever the format."""
        return "…"

    def __repr__(self) -> str:
        """Return the name of what is replaced."""
        return "<posenc_ref>"

    def __hash__(self) -> int:
        """Return the identity, so that it can be a key."""
        return id(self)

    @classmethod
    def __torch_function__(
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Return a stand-in for every function of torch."""
        return _another()


def _another(*args: Any, **kwargs: Any) -> StandIn:
    if StandIn.cut_off:
        raise ReferenceUsed("the course's own packages are not there while an answer is graded")
    return StandIn()


def _number(value: Any) -> Any:
    _another()
    return value


OPERATIONS = """
    call getitem add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow
    matmul rmatmul and rand or ror xor rxor lshift rshift neg pos abs invert eq ne lt le gt ge round
"""
for _operation in OPERATIONS.split():
    setattr(StandIn, f"__{_operation}__", _another)
for _name, _value in (("bool", True), ("len", 0), ("int", 1), ("float", 1.0), ("index", 1)):
    setattr(StandIn, f"__{_name}__", lambda self, value=_value: _number(value))
for _name in ("setitem", "delitem"):
    setattr(StandIn, f"__{_name}__", lambda self, *args: _number(None))
StandIn.__contains__ = lambda self, item: _number(True)


class StandInModule(types.ModuleType):
    """A module that has every name."""

    __path__: Sequence[str] = ()

    def __getattr__(self, name: str) -> Any:
        """Return a stand-in; AttributeError for Python's own names."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return StandIn()


class StandIns(MetaPathFinder, Loader):
    """Finds a stand-in for some packages and for all that is below them."""

    def __init__(self, packages: Sequence[str]) -> None:
        """Stand in for `packages`."""
        self.packages = frozenset(packages)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return the spec of a stand-in, None for other modules."""
        if name.partition(".")[0] not in self.packages:
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        """Return the module."""
        return StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: the module is empty."""


def stand_in_for(packages: Sequence[str]) -> None:
    """From now on import stand-ins for these packages, even if they are installed."""
    sys.meta_path.insert(0, StandIns(packages))
