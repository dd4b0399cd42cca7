"""The study folder: which file is new, untouched, renewed or rescued, and in which order to write.

For each file there are three versions: the course's now (`notebooks/`), the learner's (`study/`),
and the course's as last given (`study/.course/`). The order is: keep the learner's file, replace
it and what JupyterLab last saved of it, then renew `.course`. Killed at any moment, the next run
completes the same update.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import nbformat
from ipykernel.ipkernel import IPythonKernel

from bilingual import Text
from bilingual.files import write_whole
from tools.build.unseen import as_new
from tools.study import texts
from tools.study.files import bytes_or_none, files_below, keep
from tools.study.matching import answers_left_behind
from tools.study.merge import renew
from tools.study.reading import read, read_or_none
from tools.study.trust import is_trusted, trust

BASE = ".course"
NOTEBOOK = ".ipynb"


@dataclass(frozen=True)
class Outcome:
    """What happened to one file of the study folder."""

    name: Path
    text: Text
    failed: bool = False


@dataclass(frozen=True)
class StudyFolder:
    """The learner's folder `study`, given out from the folder `course`, at the time `now`."""

    course: Path
    study: Path
    now: datetime

    def renew(self) -> Iterator[Outcome]:
        """Renew file by file; yield what happened to each. Each failure says how far it got."""
        names, earlier = files_below(self.course), files_below(self.study / BASE)
        elsewhere = self._answers_left_behind(earlier)
        for name in names:
            try:
                yield self._renew_file(name, elsewhere)
            except (OSError, ValueError) as reason:
                yield Outcome(name, texts.FAILED.format(reason=reason), failed=True)
        for name in earlier:
            if name not in names and (self.study / name).exists():
                yield Outcome(name, texts.RETIRED)

    def _renew_file(self, name: Path, elsewhere: Mapping[str, str]) -> Outcome:
        path, base_path = self.study / name, self.study / BASE / name
        new, base = as_given((self.course / name).read_bytes(), name), bytes_or_none(base_path)
        current = mine = bytes_or_none(path)
        text = texts.NEW if current is None else texts.RENEWED_UNWRITTEN
        if current is not None and name.suffix == NOTEBOOK and read_or_none(current) is None:
            mine, text = self._rescue(path, current)
        elif current is not None and _is_same(name, base, new):
            return Outcome(name, texts.UNTOUCHED)
        elif current not in (None, base, new):
            change = texts.RENEWED if name.suffix == NOTEBOOK else texts.REPLACED
            text = change.format(copy=self._keep(path, current))
        result = _renewed(name, base, mine, new, elsewhere)
        if bytes_or_none(path) != current:
            raise BlockingIOError(f"{path} was saved at this very moment; run this again")
        if result != current and (reason := _write(path, mine, result)):
            text = texts.UNTRUSTED.format(text=text, reason=reason)
        try:
            self._renew_checkpoint(name, base, new, elsewhere)
            write_whole(base_path, new)
        except (OSError, ValueError) as reason:
            return Outcome(name, texts.UNFINISHED.format(text=text, reason=reason), failed=True)
        return Outcome(name, text)

    def _renew_checkpoint(
        self, name: Path, base: bytes | None, new: bytes, elsewhere: Mapping[str, str]
    ) -> None:
        """Renew what JupyterLab last saved: from there a rescue would bring back the old course."""
        path = _checkpoint(self.study / name)
        saved = bytes_or_none(path)
        if name.suffix == NOTEBOOK and read_or_none(saved) is not None:
            times = path.stat()
            _write(path, saved, _renewed(name, base, saved, new, elsewhere))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # the learner saved it then

    def _rescue(self, path: Path, damaged: bytes) -> tuple[bytes | None, Text]:
        """Keep the damaged bytes; return the last readable save that JupyterLab left, or None."""
        copy = self._keep(path, damaged, "damaged")
        saves = (
            path.with_name(f".~{path.name}"),  # the former file, there while a save goes on
            _checkpoint(path),
        )
        times = {save: save.stat().st_mtime for save in saves if save.exists()}
        for save in sorted(times, key=times.__getitem__, reverse=True):
            data = save.read_bytes()
            if read_or_none(data) is not None:
                time = datetime.fromtimestamp(times[save]).isoformat(" ", "minutes")
                return data, texts.RESCUED.format(copy=copy, time=time)
        return None, texts.RESTARTED.format(copy=copy)

    def _keep(self, path: Path, data: bytes, reason: str = "") -> str:
        return keep(path, data, self.now, reason).relative_to(self.study).as_posix()

    def _answers_left_behind(self, earlier: list[Path]) -> dict[str, str]:
        """Return the answers, by exercise id, that the coming update takes out of a notebook."""
        left: dict[str, str] = {}
        for name in earlier:
            try:
                new = bytes_or_none(self.course / name)  # what cells say, whatever they show
                base = bytes_or_none(self.study / BASE / name)
                mine = bytes_or_none(self.study / name)
            except OSError:  # said where it is renewed
                continue
            versions = read_or_none(base), read_or_none(mine), read_or_none(new)
            if name.suffix == NOTEBOOK and versions[0] and versions[1]:
                left |= answers_left_behind(*versions)
        return left


def _checkpoint(path: Path) -> Path:
    return path.parent / ".ipynb_checkpoints" / f"{path.stem}-checkpoint{path.suffix}"


def _is_same(name: Path, base: bytes | None, new: bytes) -> bool:
    """Return whether the course has not changed; another version of Python changes nothing."""
    if base is None or base == new or name.suffix != NOTEBOOK:
        return base == new
    earlier, now = read_or_none(base), read(new)
    if earlier is None:
        return False  # the copy is damaged: the update writes a whole one
    for notebook in (earlier, now):
        notebook.metadata.pop("language_info", None)
    return earlier == now


def _write(path: Path, before: bytes | None, data: bytes) -> Exception | None:
    """Write a file of the study folder; a notebook is as trusted as it was `before`, if it was.

    Returns why Jupyter could not be asked, or told, whether it trusts the notebook.
    """
    write_whole(path, data)
    try:
        if path.suffix == NOTEBOOK and (before is None or is_trusted(read(before))):
            trust(read(data))
    except (OSError, sqlite3.Error) as reason:
        return reason
    return None


def _renewed(
    name: Path,
    base: bytes | None,
    mine: bytes | None,
    new: bytes,
    elsewhere: Mapping[str, str],
) -> bytes:
    """Return the bytes to put in the study folder; `mine` is the learner's file, None if absent."""
    if name.suffix != NOTEBOOK:
        return new
    course = read(new)
    learners = course if mine is None else read(mine)
    result = renew(None if mine is None else read_or_none(base), learners, course, elsewhere)
    for notebook, data in ((course, new), (learners, mine)):
        if result == notebook and data is not None:
            return data  # the same notebook keeps its very bytes
    return (nbformat.writes(result) + "\n").encode("utf-8")


def as_given(data: bytes, name: Path) -> bytes:
    """Return a file of the course as learners get it: a notebook that nobody has run.

    It names its language as the kernel does. JupyterLab would write that in by itself, and then ask
    to save a chapter that was only looked at.
    """
    if name.suffix != NOTEBOOK:
        return data
    notebook = read(data)
    as_new(notebook)
    notebook.metadata.language_info = IPythonKernel.language_info
    return (nbformat.writes(notebook) + "\n").encode("utf-8")


def renew_study(course: Path, study: Path) -> bool:
    """Renew `study` from `course`, print a line for each file; return whether none failed."""
    succeeded = True
    for outcome in StudyFolder(course, study, datetime.now()).renew():
        succeeded &= not outcome.failed
        print(f"{outcome.name.as_posix()}: {outcome.text.label()}", flush=True)
    return succeeded
