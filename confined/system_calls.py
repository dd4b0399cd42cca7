"""seccomp: the system calls that graded code may make, whatever else it may reach.

`system_calls.txt` lists what containers may use, a list that many programs have tested. We refuse
the calls on it that a notebook does not need, and calls that reach into other processes, expose
more of the kernel, or take memory that no limit counts. A call that is not on the list fails with
ENOSYS, so that a library tries an older call; a refused call fails with EPERM.
"""

from __future__ import annotations

import errno
import importlib
import mmap
import socket
from pathlib import Path
from types import ModuleType
from typing import Any

from confined import kernel

ALLOWED = Path(__file__).with_name("system_calls.txt")
REFUSED = (
    # other processes, and a session of its own
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "setsid",
    # new namespaces and mounts
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at",
    "landlock_create_ruleset",
    # the kernel itself
    "reboot", "syslog", "keyctl", "adjtimex", "clock_adjtime", "clock_adjtime64", "modify_ldt",
    "mbind", "set_mempolicy", "fanotify_mark", "remap_file_pages",
    # queues and memory that outlive a process, memory that no limit counts, a machine's store of
    # asynchronous requests
    "mq_open", "mq_unlink", "msgget", "semget", "shmget", "ipc", "memfd_create", "memfd_secret",
    "io_setup", "io_submit", "io_getevents", "io_cancel", "io_destroy",
)  # fmt: skip
NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW… flags together
TYPE_INTO_TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
SHARED_WITHOUT_A_FILE = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS  # no process's limit counts it
GROWS_DOWN = 0x100  # MAP_GROWSDOWN: a stack, which is not data
INT = 0xFFFFFFFF  # the bits that the kernel reads of a 64-bit argument that is an int


def library() -> ModuleType:
    """Return pyseccomp, which runs programs to find libseccomp; ImportError if one is missing."""
    try:
        return importlib.import_module("pyseccomp")
    except RuntimeError as missing:
        raise ImportError(str(missing)) from missing


def filters() -> list[Any]:
    """Return the filters that a worker loads, in this order; its children inherit them.

    Raises OSError or ImportError if there is no seccomp or libseccomp.
    """
    seccomp = library()
    return [_allowed(seccomp), _refused(seccomp)]


def _allowed(seccomp: ModuleType) -> Any:
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    lines = ALLOWED.read_text(encoding="utf-8").splitlines()
    for name in " ".join(line for line in lines if not line.startswith("#")).split():
        # its flags are in memory, which filters cannot see: clone does the same
        if name != "clone3":
            _add(rules, seccomp.ALLOW, name)
    return rules


def _refused(seccomp: ModuleType) -> Any:
    refused = seccomp.ERRNO(errno.EPERM)
    rules = seccomp.SyscallFilter(seccomp.ALLOW)

    def refuse(name: str, argument: int, mask: int, value: int) -> None:
        rules.add_rule(refused, name, seccomp.Arg(argument, seccomp.MASKED_EQ, mask, value))

    for name in REFUSED:
        _add(rules, refused, name)
    for bit in range(32):
        if NEW_NAMESPACES >> bit & 1:
            refuse("clone", 0, 1 << bit, 1 << bit)
    for request in TYPE_INTO_TERMINAL:
        refuse("ioctl", 1, INT, request)
    for flags in (SHARED_WITHOUT_A_FILE, GROWS_DOWN):
        refuse("mmap", 3, flags, flags)
    refuse("prctl", 0, INT, kernel.PR_SET_PDEATHSIG)  # a worker ends with the grader
    for name in ("socket", "socketpair"):
        rules.add_rule(refused, name, seccomp.Arg(0, seccomp.NE, socket.AF_UNIX))
    return rules


def _add(rules: Any, action: int, name: str) -> None:
    try:
        rules.add_rule(action, name)
    except OSError as error:  # a call that this libseccomp or machine does not know
        if error.errno not in (errno.EINVAL, errno.EDOM, errno.EFAULT):
            raise
