"""Who caused a failure: the student, or the grader."""

from __future__ import annotations

import os
from typing import BinaryIO

WORDS = 2000  # characters of what a process wrote as it ended
NO_MEMORY = (
    "本机内存不足，评分用的进程因此被结束；请减小--workers，再运行同一条命令 · "
    "this machine has too little memory, so a grading process was ended: run the same command "
    "again, with fewer --workers"
)


class WorkerLost(Exception):
    """The worker died, hung, or replied with nonsense: the student's doing, and it is gone."""


class GraderError(RuntimeError):
    """The grader's own machinery failed: no student is to blame, and grading can be retried."""


class PermanentError(GraderError):
    """It recurs at every try and for every submission, until a teacher mends the cause."""


def last_words(stderr: BinaryIO) -> str:
    """Return the end of what a process wrote to this file as it ended; "" if the kernel ended it.

    The text stays in the file, for every grader that shares it.
    """
    if stderr.closed:
        return ""
    descriptor = stderr.fileno()
    start = max(os.fstat(descriptor).st_size - 4 * WORDS, 0)  # a character has up to 4 bytes
    return os.pread(descriptor, 4 * WORDS, start).decode(errors="replace")[-WORDS:]
