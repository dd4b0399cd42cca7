"""Landlock: a process gives up the files that are not on its list (Linux 5.13, landlock(7)).

It needs no rights and no namespaces, and holds for all children. Here it is a second wall behind
the view of namespaces, and the first if there are no namespaces.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from confined import kernel

CREATE, ADD_RULE, RESTRICT = 444, 445, 446  # one set of numbers on every machine
READ = (1 << 0) | (1 << 2) | (1 << 3)  # execute, read a file, list a folder
FILE_RIGHTS = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 14)  # the rights that a single file can have
RIGHTS_OF_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights on files each version knows
TCP = 0b11  # bind, connect: since version 4
SCOPES = 0b11  # abstract sockets and signals to the outside: since version 6


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scopes")]


class _Beneath(ctypes.Structure):
    _pack_, _layout_ = 1, "ms"  # Python 3.14 asks for the second, which the first implies
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """Return the version of landlock in this kernel, 0 if it has no landlock."""
    return max(kernel.LIBC.syscall(CREATE, None, ctypes.c_size_t(0), 1), 0)


def restrict(read: Iterable[Path], write: Iterable[Path]) -> None:
    """Let this process only read below `read`, and both read and write below `write`."""
    abi = version()
    if not abi:
        raise OSError("this kernel has no landlock")
    every = (1 << RIGHTS_OF_ABI.get(abi, 16)) - 1
    rules = _Ruleset(every, TCP if abi >= 4 else 0, SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    descriptor = kernel.LIBC.syscall(CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    ruleset = kernel.checked(descriptor, "landlock_create_ruleset")
    try:
        for path in read:
            _allow(ruleset, path, READ & every)
        for path in write:
            _allow(ruleset, path, every)
        kernel.process_control(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.checked(kernel.LIBC.syscall(RESTRICT, ruleset, 0), "landlock_restrict_self")
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = rights if path.is_dir() else rights & FILE_RIGHTS
        rule = _Beneath(rights, parent)
        result = kernel.LIBC.syscall(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
        kernel.checked(result, f"landlock_add_rule {path}")
    finally:
        os.close(parent)
