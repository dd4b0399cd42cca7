"""The student of each file in a download, by what the platform wrote; why files do not count."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from autograde.collecting.class_list import ClassList, Unclear, normalised
from autograde.collecting.downloads import ARCHIVE, NOTEBOOK, Upload
from autograde.collecting.limits import OUTSIDE, Allowance, DoesNotCount, is_inside
from autograde.collecting.platforms import Mark, mark_of, without_chapter
from autograde.handed_in.cells import read_cells
from autograde.handed_in.escaped import escaped
from autograde.handed_in.files import NotGradable
from autograde.handed_in.problem import OTHER_CHAPTER, PARSED, chapter_of, not_a_notebook
from bilingual import Text, listed

ARCHIVES = 20  # of one student
PACKED = (ARCHIVE, ".rar", ".7z", ".tar", ".tgz", ".gz", ".bz2", ".xz")

RENAME = Text(
    en=" (is it the platform's own archive? then give it another name)",
    zh="（如果它是平台自己的压缩包，请换个名字）",
)
NOT_ITS_SHAPE = Text(en="not a name that {platform} gives", zh="不是{platform}的命名方式")
NO_FOLDER = Text(
    en="in no folder that names a student of the class list",
    zh="文件夹名里没有名单上的学号或姓名",
)
OTHERS = Text(
    en="it is {student}'s, and its name names another student: {others}",
    zh="它是{student}的，名称里却有别的学生：{others}",
)
NOT_NOTEBOOK = Text(en="neither a notebook nor a .zip", zh="既不是notebook，也不是.zip")
NOT_OPENED = Text(
    en="only a .zip is opened: unpack this archive and put its notebook in its place",
    zh="只能打开.zip：请先解压，再把里面的notebook放在它原来的位置",
)
ENDS_IN_TXT = Text(
    en="its name ends in .txt: take that off and collect again",
    zh="文件名末尾多了.txt：请去掉，再收一次",
)
NOT_CHAPTER = Text(en="its name does not contain {chapter}", zh="文件名里没有{chapter}")
OF_OTHER_CHAPTER = Text(
    en="it is the notebook of {other}, not of {chapter}",
    zh="是{other}的notebook，不是{chapter}的",
)
NO_CELLS = Text(
    en="its name does not contain {chapter}, and it has none of the chapter's graded cells",
    zh="文件名里没有{chapter}，里面也没有本章的评分单元格",
)
NONE_WITHIN = Text(en="there is no notebook in it", zh="里面没有notebook")
ARCHIVE_WITHIN = Text(
    en="there is no notebook in it, only another archive ({file}), which is not opened",
    zh="里面没有notebook，只有另一个压缩包（{file}），不再往里打开",
)
MANY_ARCHIVES = Text(
    en="the student has handed in more than {count} archives", zh="该学生交的压缩包超过{count}个"
)


@dataclass(frozen=True)
class LeftOut:
    """A file that does not count; student: None if not clear."""

    file: str
    why: Text
    student: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A student's notebook of the chapter, one of perhaps several.

    copy: the number that a browser or platform puts behind a name that it has seen before.
    is_renamed: whether the name lacks the chapter's, so that only the cells show the chapter.
    """

    student: str
    mark: Mark
    upload: Upload
    copy: int
    has_released_name: bool
    is_renamed: bool = False

    @property
    def time(self) -> datetime | None:
        """Return when the platform says that it was handed in."""
        return self.mark.time or self.upload.time

    @property
    def order(self) -> tuple[datetime, int, int, bool, str]:
        """Return a sort key for a student's uploads, the latest last; students choose no time."""
        time = self.time or datetime.min.replace(tzinfo=UTC)
        return time, self.mark.upload, self.copy, self.has_released_name, self.upload.name


@dataclass
class Sorter:
    """Sorts the files of one platform's download of a chapter by the students of a class list.

    platform: None for a download without a notebook or an archive, in which nothing counts.
    """

    platform: str | None
    chapter: str
    students: ClassList
    zone: tzinfo | None = None
    allowances: dict[str, Allowance] = field(default_factory=lambda: defaultdict(Allowance))
    archives: Counter[str] = field(default_factory=Counter)

    def sort(self, upload: Upload) -> Iterator[Candidate | LeftOut]:
        """Yield the notebooks in a file that may count, or why it does not count."""
        try:
            mark, student = self._whose(upload)
        except DoesNotCount as error:
            loose_archive = upload.suffix == ARCHIVE and not upload.source
            why = Text(en=error.why.en + RENAME.en, zh=error.why.zh + RENAME.zh)
            yield LeftOut(upload.name, why if loose_archive else error.why)
        else:
            yield from self._sort_for(student, mark, upload)

    def _whose(self, upload: Upload) -> tuple[Mark, str]:
        if not is_inside(upload.parts):
            raise DoesNotCount(OUTSIDE)
        if self.platform is None:
            raise DoesNotCount(_not_notebook(upload))
        mark = mark_of(self.platform, upload.parts, self.chapter, self.students, self.zone)
        if not mark:
            its_shape = NOT_ITS_SHAPE.format(platform=self.platform)
            raise DoesNotCount(NO_FOLDER if self.platform == "folders" else its_shape)
        who = without_chapter(self._copy().sub(r"\g<chapter>", mark.who), self.chapter)
        student = self.students.student(who, mark.number)
        if isinstance(student, Unclear):
            raise DoesNotCount(student.why)
        return mark, student

    def _sort_for(self, student: str, mark: Mark, upload: Upload) -> Iterator[Candidate | LeftOut]:
        try:
            self._refuse_others(student, mark.behind)
            if upload.suffix == NOTEBOOK:
                yield self._candidate(student, mark, upload)
            elif upload.suffix == ARCHIVE:
                yield from self._packed(student, mark, upload)
            else:
                raise DoesNotCount(_not_notebook(upload))
        except DoesNotCount as error:
            yield LeftOut(upload.name, error.why, student)

    def _refuse_others(self, student: str, behind: str) -> None:
        others = self.students.others(without_chapter(behind, self.chapter), student)
        if others:
            raise DoesNotCount(OTHERS.format(student=student, others=listed(sorted(others))))

    def _candidate(self, student: str, mark: Mark, upload: Upload) -> Candidate:
        name = upload.parts[-1]
        if not is_inside(upload.parts):
            raise DoesNotCount(OUTSIDE)
        renamed = normalised(self.chapter) not in normalised(name)
        if renamed and self.platform == "files":  # no other sign of student and chapter
            raise DoesNotCount(NOT_CHAPTER.format(chapter=self.chapter))
        copy = self._copy().search(name)
        number = int(copy["copy"]) if copy else 0
        released = name.endswith(f"{self.chapter}{NOTEBOOK}")
        return Candidate(student, mark, upload, number, released, renamed)

    def _packed(self, student: str, mark: Mark, upload: Upload) -> Iterator[Candidate | LeftOut]:
        self.archives[student] += 1
        if self.archives[student] > ARCHIVES:
            raise DoesNotCount(MANY_ARCHIVES.format(count=ARCHIVES))
        members = upload.packed(self.allowances[student])
        notebooks = [one for one in members if one.suffix == NOTEBOOK]  # no archive in an archive
        if not notebooks:
            packed = ["/".join(one.parts) for one in members if one.suffix in PACKED]
            within = ARCHIVE_WITHIN.format(file=escaped(packed[0])) if packed else NONE_WITHIN
            raise DoesNotCount(within)
        for notebook in notebooks:
            inner = replace(mark, behind="/".join(notebook.parts))
            yield from self._sort_for(student, inner, notebook)

    def _copy(self) -> re.Pattern[str]:
        # "05_rope-1.ipynb", "05_rope (1).ipynb", "05_rope_final(2).ipynb"
        chapter = re.escape(self.chapter)
        mark = rf"(?P<chapter>{chapter}(?=[-_ (]?\(?\d)|(?=\(\d))[-_ ]?\(?(?P<copy>\d{{1,3}})\)?"
        return re.compile(rf"{mark}(?=\.[a-zA-Z0-9]+$)")


def _not_notebook(upload: Upload) -> Text:
    """Return why a file is neither a notebook nor opened, and what a teacher can do about it."""
    if upload.parts[-1].lower().endswith(f"{NOTEBOOK}.txt"):  # Windows hides the .txt
        return ENDS_IN_TXT
    return NOT_OPENED if upload.suffix in PACKED else NOT_NOTEBOOK


def problem_of(content: bytes, chapter: str, grade_ids: Collection[str]) -> Text | None:
    """Return why a file's content cannot be graded; None if it can, as far as cells tell.

    grade_ids: of the chapter's cells, empty if the chapter was not released.
    """
    if len(content) > PARSED:
        return None
    try:
        names = _names(content)
    except NotGradable:
        return not_a_notebook(content)
    if not grade_ids or not names.isdisjoint(grade_ids):
        return None
    other = chapter_of(names)
    if other in (None, chapter):
        return OTHER_CHAPTER
    return OF_OTHER_CHAPTER.format(other=other, chapter=chapter)


def not_of_chapter(upload: Upload, chapter: str, grade_ids: Collection[str]) -> Text | None:
    """Return why a renamed notebook does not count; None if it has graded cells of the chapter."""
    try:
        names = _names(upload.content(Allowance(PARSED)))
    except (DoesNotCount, NotGradable):
        return NOT_CHAPTER.format(chapter=chapter)
    if not names.isdisjoint(grade_ids):
        return None
    other = chapter_of(names)
    if other in (None, chapter):
        return (NOT_CHAPTER if other else NO_CELLS).format(chapter=chapter)
    return OF_OTHER_CHAPTER.format(other=other, chapter=chapter)


def _names(content: bytes) -> set[str | None]:
    return {cell.name for cell in read_cells(content)}
