"""A cgroup: one limit of memory and processes for a worker and all that it starts, together.

The limits of a process hold for each process alone. A cgroup holds for all, if this machine lets
us make one: as root, or below a systemd scope that was delegated to the user.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from confined.limits import MEBI, Limits

PREFIX = "posenc_"  # followed by the grader's `owner`
ENDING = 60.0  # seconds for a machine that is busy
ROOT = Path("/sys/fs/cgroup")
UNIFIED = {"memory": "memory.max", "pids": "pids.max"}  # version 2
HANDED_DOWN = "cgroup.subtree_control"  # of version 2: the controllers of the groups within
SEPARATE = {"memory": "memory.limit_in_bytes", "pids": "pids.max"}  # version 1, a tree per limit


@dataclass(frozen=True)
class ControlGroup:
    """The folders of the group, the one for memory first.

    `add` puts processes into it, `close` removes it.
    """

    folders: tuple[Path, ...]

    def add(self, process: int) -> None:
        """Put a process, and the children that it will have, under the limits."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(process))

    def memory_events(self) -> tuple[int, int]:
        """Return how often it reached its memory limit, and how often memory ended a process."""
        unified = self.folders[0] / "memory.events"
        separate = self.folders[0] / "memory.oom_control"
        lines = (unified if unified.exists() else separate).read_text().splitlines()
        events = dict(line.split() for line in lines)
        at_limit = events.get("max") or (self.folders[0] / "memory.failcnt").read_text()
        return int(at_limit), int(events["oom_kill"])

    def close(self) -> None:
        """End what is still in the group, and remove it; OSError if that takes a minute."""
        until = time.monotonic() + ENDING
        for folder in self.folders:
            while folder.exists():
                try:
                    self._end_all(folder)
                    folder.rmdir()
                except OSError:  # processes are still ending, or another process removed it
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.01)

    def _end_all(self, folder: Path) -> None:
        for process in (folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)


def new_group(limits: Limits) -> ControlGroup:
    """Return a new group with these limits; OSError if this machine does not allow it.

    Empty groups of graders that were killed are removed from the same folders.
    """
    paths = dict(_own_groups())
    name = f"{PREFIX}{owner(os.getpid())}-{os.urandom(4).hex()}"
    most = {"memory": limits.memory * MEBI, "pids": limits.processes + 2}
    if (ROOT / "cgroup.controllers").exists():
        parent = _parent(_visible(ROOT, paths.get("", "/")))
        _remove_orphans(parent)
        return _new_folders([(parent / name, {UNIFIED[what]: most[what] for what in UNIFIED})])
    parents = {what: _visible(ROOT / what, paths.get(what, "/")) for what in SEPARATE}
    for parent in parents.values():
        _remove_orphans(parent)
    return _new_folders([(parents[what] / name, {SEPARATE[what]: most[what]}) for what in SEPARATE])


def owner(process: int) -> str:
    """Return the identity of a process: its number, which may be reused, and its start time.

    Raises OSError if there is no such process.
    """
    _, _, fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")  # after its name
    return f"{process}-{fields.split()[19]}"


def _own_groups() -> list[tuple[str, str]]:
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    fields = [line.split(":", 2) for line in lines]
    return [
        (controller, path)
        for _, controllers, path in fields
        for controller in controllers.split(",")
    ]


def _visible(root: Path, path: str) -> Path:
    # a container may see its own group as the root
    below = root / path.lstrip("/")
    return below if below.is_dir() else root


def _parent(own: Path) -> Path:
    # a group with processes, such as the grader's own, cannot limit the groups within it, unless
    # it is the root; a slice above it can
    try:
        (own / HANDED_DOWN).write_text("+memory +pids")
        return own
    except OSError:
        above = [group for group in own.parents if group.is_relative_to(ROOT)]
        for group in above:
            if UNIFIED.keys() <= set((group / HANDED_DOWN).read_text().split()):
                return group
        raise


def _remove_orphans(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        if not _is_running(folder.name.removeprefix(PREFIX).rpartition("-")[0]):
            with contextlib.suppress(OSError):  # its processes are ending, or another was faster
                folder.rmdir()


def _is_running(grader: str) -> bool:
    try:
        return owner(int(grader.partition("-")[0])) == grader
    except OSError:
        return False


def _new_folders(limits_of: list[tuple[Path, dict[str, int]]]) -> ControlGroup:
    group = ControlGroup(tuple(folder for folder, _ in limits_of))
    new: list[Path] = []
    try:
        for folder, settings in limits_of:
            folder.mkdir()
            new.append(folder)
            for name, value in settings.items():
                (folder / name).write_text(str(value))
    except OSError:
        ControlGroup(tuple(new)).close()
        raise
    return group
