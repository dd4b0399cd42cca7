"""seccomp: the system calls that graded code may not make, whatever else it may reach.

A list of what is refused, not of what is allowed: torch, OpenMP and matplotlib change what they
use from version to version, and an honest answer must not die of that. What is refused opens new
ground in the kernel or reaches into other processes.
"""

from __future__ import annotations

import errno
import importlib
import mmap
import socket
from types import ModuleType

from confined import kernel

REFUSED = (
    # other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    # new namespaces and mounts
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at",
    # the kernel itself
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "reboot", "swapon", "swapoff", "acct", "quotactl", "syslog", "personality",
    "add_key", "request_key", "keyctl", "settimeofday", "clock_settime", "clock_adjtime",
    "adjtimex",
    "sethostname", "setdomainname", "iopl", "ioperm", "modify_ldt", "vhangup", "lookup_dcookie",
    "mbind", "migrate_pages", "move_pages", "set_mempolicy", "fanotify_init", "name_to_handle_at",
    "landlock_create_ruleset",
    # queues and memory that outlive a process, memory that no limit counts, a session of its own
    "mq_open", "mq_unlink", "msgget", "semget", "shmget", "memfd_create", "memfd_secret", "setsid",
)  # fmt: skip
NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW… flags together
TYPE_INTO_TERMINAL = 0x5412  # TIOCSTI
SHARED_WITHOUT_A_FILE = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS  # counts for no process


def library() -> ModuleType:
    """Return pyseccomp, which asks programs where libseccomp lies; ImportError if it is missing."""
    try:
        return importlib.import_module("pyseccomp")
    except RuntimeError as missing:
        raise ImportError(str(missing)) from missing


def refuse_system_calls() -> None:
    """Refuse them from now on, to this process and its children (EPERM).

    Raises OSError or ImportError where there is no seccomp or libseccomp.
    """
    seccomp = library()
    refused = seccomp.ERRNO(errno.EPERM)
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in REFUSED:
        try:
            rules.add_rule(refused, name)
        except OSError as error:  # a call that this libseccomp or machine does not know
            if error.errno not in (errno.EINVAL, errno.EDOM, errno.EFAULT):
                raise
    for bit in range(32):
        if NEW_NAMESPACES >> bit & 1:
            flag = seccomp.Arg(0, seccomp.MASKED_EQ, 1 << bit, 1 << bit)
            rules.add_rule(refused, "clone", flag)
    # flags of clone3 lie in memory, out of a filter's sight: glibc falls back to clone
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rules.add_rule(refused, "ioctl", seccomp.Arg(1, seccomp.EQ, TYPE_INTO_TERMINAL))
    shared = seccomp.Arg(3, seccomp.MASKED_EQ, SHARED_WITHOUT_A_FILE, SHARED_WITHOUT_A_FILE)
    rules.add_rule(refused, "mmap", shared)
    # a worker ends with the grader
    rules.add_rule(refused, "prctl", seccomp.Arg(0, seccomp.EQ, kernel.PR_SET_PDEATHSIG))
    rules.add_rule(refused, "socket", seccomp.Arg(0, seccomp.NE, socket.AF_UNIX))
    rules.load()
