"""The files of a download that a teacher copied into `submitted/`, recognised by their bytes.

Namesakes' files are left out until a teacher copies each to its student. A file's prefix names the
feedback page for `give-back`, and Canvas's LATE costs points, so no student may get the prefix of
another's file. If a file may be several students', nothing is recorded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256

from autograde.collecting.class_list import ClassList
from autograde.collecting.downloads import ARCHIVE, NOTEBOOK, Upload
from autograde.collecting.limits import Allowance, DoesNotCount
from autograde.collecting.plan import Plan
from autograde.collecting.platforms import SHAPES, Mark, mark_of


def marks_of_copies(
    plan: Plan, uploads: Iterable[Upload], digests: Mapping[str, str]
) -> dict[str, Mark]:
    """Return what the platform wrote in front of copied files, by student, if that is clear.

    digests: the hash of the copied notebook, by student.
    """
    marks: dict[str, dict[str, Mark]] = defaultdict(dict)  # by student and account, the latest
    for upload in uploads if plan.platform in SHAPES and digests else ():
        mark = mark_of(plan.platform, upload.parts, plan.chapter, plan.students, plan.zone)
        who = _may_be_of(mark, plan.students, digests) if mark else set()
        hashes = set(_digests(upload)) if who else set()
        for student in who:
            earlier = marks[student].get(mark.account, mark)
            if digests[student] in hashes and earlier.upload <= mark.upload:
                marks[student][mark.account] = mark
    several = Counter(account for accounts in marks.values() for account in accounts)
    return {
        student: mark
        for student, accounts in marks.items()
        for account, mark in accounts.items()
        if len(accounts) == several[account] == 1
    }


def _may_be_of(mark: Mark, students: ClassList, copied_in: Collection[str]) -> set[str]:
    """Return the students, among these, who may have handed a file in: all if it names nobody."""
    student = students.student(mark.who, mark.number)
    meant = {student} if isinstance(student, str) else students.others(mark.who)
    return meant.intersection(copied_in) if meant else set(copied_in)


def _digests(upload: Upload) -> Iterator[str]:
    """Yield the hashes of the notebooks in a file, as far as they can be read."""
    allowance = Allowance()
    with suppress(DoesNotCount):
        for file in upload.packed(allowance) if upload.suffix == ARCHIVE else [upload]:
            if file.suffix == NOTEBOOK:
                yield sha256(file.content(allowance)).hexdigest()
