"""What a graded submission may use. Set here, or in course.toml, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

MEBI = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Wall-clock seconds, MiB, counts; an exercise has its own seconds."""

    cell_seconds: float = 30.0
    submission_seconds: float = 180.0
    memory: int = 4096  # MiB of new memory per process; with a cgroup, for all together
    file: int = 64  # MiB per file, and of all files together
    processes: int = 64  # threads included
    output: int = 1_000_000  # characters of one cell's output
    restarts: int = 3  # of a worker that a cell has killed
