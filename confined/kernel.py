"""The system calls of Linux that Python 3.11 does not offer. Each raises OSError when refused."""

from __future__ import annotations

import ctypes
import os
import sys

NEW_NS, NEW_CGROUP, NEW_UTS, NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEW_USER, NEW_PID, NEW_NET = 0x10000000, 0x20000000, 0x40000000

BIND, RECURSIVE, PRIVATE, DETACH = 0x1000, 0x4000, 0x40000, 2
NO_SUID, NO_DEVICES = 2, 4

PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
MOUNT_SETATTR = 442  # one number on every machine since Linux 5.12
READ_ONLY_TREE = 1 | 2 | 4  # MOUNT_ATTR_RDONLY | NOSUID | NODEV
AT_RECURSIVE = 0x8000

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38

LIBC = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def checked(result: int, what: str) -> int:
    """Return what a call returned; raise OSError with its errno if that was -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave the namespaces in `flags` for new ones (unshare(2))."""
    checked(LIBC.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount `source` at `target` (mount(2))."""
    words = [os.fsencode(word) or None for word in (source, target, kind, options)]
    result = LIBC.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])
    checked(result, f"mount {target}")


def read_only(target: str) -> None:
    """Make the mount at `target` and all below it read-only, without devices and setuid."""
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY_TREE, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    path = os.fsencode(target)
    result = LIBC.syscall(MOUNT_SETATTR, -100, path, AT_RECURSIVE, ctypes.byref(attributes), size)
    checked(result, f"mount_setattr {target}")


def pivot_into(root: str) -> None:
    """Make `root` the root of this process, and let go of the old one (pivot_root(2))."""
    number = PIVOT_ROOT[os.uname().machine]
    os.chdir(root)
    checked(LIBC.syscall(number, b".", b"."), "pivot_root")
    checked(LIBC.umount2(b".", DETACH), "umount")
    os.chdir("/")


def process_control(option: int, value: int) -> None:
    """Set an attribute of this process (prctl(2)); does nothing unless this is Linux."""
    if sys.platform != "linux":
        return
    checked(LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


def advise(start: int, size: int, advice: int) -> None:
    """Tell the kernel how the memory from address `start` on will be used (madvise(2))."""
    result = LIBC.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), advice)
    checked(result, f"madvise {advice}")


def drop_capabilities() -> None:
    """Give up every capability of this process, for good (capset(2))."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3, this process
    nothing = (ctypes.c_uint32 * 6)()
    checked(LIBC.capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")
