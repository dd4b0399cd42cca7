"""Whose doing it is that something failed: a student's, or the grader's."""

from __future__ import annotations

NO_MEMORY = (
    "本机内存不足，评分用的进程因此被结束；请减小--workers，再运行同一条命令 · "
    "this machine has too little memory, which ended a process that grades: run the same command "
    "again, with fewer --workers"
)


class WorkerLost(Exception):
    """The worker died, hung, or spoke nonsense: the student's doing, and the worker is gone."""


class GraderError(RuntimeError):
    """The grader's own machinery failed: no student is to blame, and grading can be retried."""
