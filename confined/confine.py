"""Gives up, layer by layer, what graded code does not need; reports which layers hold.

A zygote calls `leave_world` once; each worker calls `confine` before it reads anything from a
student. docs/security.md says what each layer protects against.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from confined import kernel
from confined.landlock import restrict
from confined.limits import Limits
from confined.process_limits import set_process_limits
from confined.system_calls import filters
from confined.view import SCRATCH, below_scratch, enter_view, mount_scratch, readable_entries

OWN_WORLD = (
    kernel.NEW_NS | kernel.NEW_PID | kernel.NEW_NET | kernel.NEW_IPC | kernel.NEW_UTS
    | kernel.NEW_CGROUP
)  # fmt: skip
NOBODY = 1_900_000_000  # plus the worker's number: users that no system gives to anyone

Layers = dict[str, str]  # each layer tried, and "" if it holds, else the reason


@dataclass(frozen=True)
class Setup:
    """What all workers of a zygote have in common; the limits are the zygote's own.

    hidden: packages of this course that workers may not read. layers: the layers common to all.
    covered: readable paths below the writable folders. filters: of system calls.
    """

    hidden: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    layers: Layers = field(default_factory=lambda: {"namespaces": "not asked for"})
    covered: list[Path] = field(default_factory=list)
    filters: list[Any] = field(default_factory=list)


def prepare(setup: Setup) -> None:
    """Build the filters, which takes a while and is the same for all workers."""
    with _layer(setup.layers, "seccomp"):
        setup.filters.extend(filters())


def leave_world(setup: Setup) -> None:
    """Enter a view of the disk in namespaces; without them the process keeps its own."""
    with _layer(setup.layers, "namespaces"):
        own_mounts()
        setup.covered.extend(below_scratch(setup.hidden))
        enter_view(setup.hidden)


def own_mounts() -> None:
    """Enter a new mount namespace, whose mounts no other process sees."""
    if os.geteuid() == 0:
        kernel.unshare(kernel.NEW_NS)
    else:
        user, group = os.geteuid(), os.getegid()
        kernel.unshare(kernel.NEW_USER | kernel.NEW_NS)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    kernel.mount("none", "/", flags=kernel.RECURSIVE | kernel.PRIVATE)


def own_world(setup: Setup) -> None:
    """Give the next child its own processes, network and queues; does nothing without a view."""
    if not setup.layers["namespaces"]:
        kernel.unshare(OWN_WORLD)


def confine(number: int, scratch: str, setup: Setup) -> Layers:
    """Give up the rest; return each layer with its error, "" if it holds.

    number: the worker's number, which gives it a user of its own if the grader is root.
    scratch: the folder to work in without a view; in a view that is an empty /tmp.
    """
    layers = dict(setup.layers)
    world = not layers["namespaces"]
    if world:
        mount_scratch(setup.limits.file, setup.covered)
    write = [Path(folder) for folder in (SCRATCH if world else (scratch,))]
    read = [Path("/")] if world else readable_entries(setup.hidden)
    with _layer(layers, "user"):
        needed = () if world else (sys.base_prefix, sys.prefix, str(Path(scratch).parent))
        _be_nobody(NOBODY + number, write, needed)
    kernel.process_control(kernel.PR_SET_PDEATHSIG, 9)  # after the change of user, which clears it
    with _layer(layers, "limits"):
        set_process_limits(setup.limits)
    with _layer(layers, "landlock"):
        restrict(read, [*write, Path("/dev/null")])
    if setup.filters:
        with _layer(layers, "seccomp"):
            kernel.process_control(kernel.PR_SET_NO_NEW_PRIVS, 1)
            for syscall_filter in setup.filters:
                syscall_filter.load()
    os.chdir(write[0])
    os.environ.update(HOME=str(write[0]), TMPDIR=str(write[0]))
    tempfile.tempdir = None  # the zygote's; Python looks for it again
    return layers


def _be_nobody(user: int, owned: list[Path], needed: Sequence[str]) -> None:
    """Drop all rights; as root, PermissionError if only root can enter `needed` folders."""
    closed = _closed_to_others(needed)
    if os.geteuid() == 0 and not closed:
        for folder in owned:
            os.chown(folder, user, user)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    kernel.drop_capabilities()
    if os.geteuid() == 0:
        raise PermissionError(f"it needs {closed}, which only root can enter")


def _closed_to_others(folders: Sequence[str]) -> Path | None:
    path_parts = [part for folder in folders for part in (Path(folder), *Path(folder).parents)]
    return next((part for part in path_parts if not part.stat().st_mode & stat.S_IXOTH), None)


@contextlib.contextmanager
def _layer(layers: Layers, name: str) -> Iterator[None]:
    try:
        yield
        layers[name] = ""
    except (OSError, ImportError, KeyError, AttributeError) as error:  # not on this system
        layers[name] = f"{type(error).__name__}: {error}"


def tier(layers: Layers) -> int:
    """Return how strongly a worker is confined: 1 is the strongest, 3 only a separate process."""

    def holds(*names: str) -> bool:
        return all(layers.get(name) == "" for name in names)

    if holds("namespaces", "landlock", "seccomp", "limits", "user"):
        return 1
    return 2 if holds("landlock", "seccomp", "limits", "user") else 3
