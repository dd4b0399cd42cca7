"""What a graded submission may use. Set here, or in course.toml, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

MEBI = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Seconds of wall clock, mebibytes, counts; an exercise's seconds stand in the exercise."""

    cell_seconds: float = 30.0
    submission_seconds: float = 180.0
    memory: int = 4096  # of new memory, MiB, for each process; for all together with a cgroup
    file: int = 64  # MiB, also of all files together
    processes: int = 64  # threads count
    output: int = 1_000_000  # characters of one cell's output
    restarts: int = 3  # of a worker that a cell has killed
