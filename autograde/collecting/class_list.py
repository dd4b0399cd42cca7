"""The class list, and which student a text names: by id, or by a name that only one student has.

Words are compared as people read them: without case, accents, zero-width and direction marks, and
with full-width digits as plain ones. A word ends at a blank or a punctuation mark, and wherever
digits, Latin letters and other letters meet.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nbgrader.api import Gradebook

from autograde.teacher.errors import CannotBegin
from bilingual import Text, listed

# An id is a folder, a cell of a table and a word of a shell: letters, digits, and . _ @ + - within.
PLAIN_ID = re.compile(r"[^\W_]([\w.@+ -]{0,62}\w)?", re.UNICODE)
WORD = re.compile(r"[0-9]+|[a-z]+|[^\W_0-9a-z]+")
INVISIBLE = ("Mn", "Cf")  # Unicode's categories of accents, and of zero-width and direction marks
SHORTEST_NAME = 3  # letters; a shorter word, such as "2", may be a group, an attempt, a copy
SUFFIXES = ("ipynb", "zip")
HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]{2,}")

NO_LIST = Text(
    en="The gradebook has no students: import the class list first (python -m autograde students).",
    zh="成绩库里没有学生：请先导入班级名单（python -m autograde students）。",
)
PLAIN = Text(  # what `PLAIN_ID` matches
    en="letters and digits, with . _ - @ + or a blank within",
    zh="只能由字母和数字组成，中间可以有. _ - @ +或空格",
)
NOT_PLAIN = Text(
    en="Student ids must be {plain}, not {ids}: "
    "correct the class list (nbgrader db student remove, add).",
    zh="学号{plain}，不能是{ids}：请改正班级名单（nbgrader db student remove、add）。",
)
NOBODY = Text(en="names nobody on the class list", zh="没有班级名单上的人")
SEVERAL = Text(en="names several students: {students}", zh="含有几名学生：{students}")
NAMESAKES = Text(
    en="several students have this name: {students}", zh="这个姓名不止一人：{students}"
)
UNNUMBERED = Text(
    en="several students have this name: {students}; give them lms_user_id (Canvas's own number) "
    "in the class list, import it, and collect again",
    zh="这个姓名不止一人：{students}；请在班级名单里填上他们的lms_user_id（Canvas自己的编号），"
    "导入名单，再收一次",
)

Words = tuple[str, ...]


@dataclass(frozen=True)
class Unclear:
    """Why it is not clear which student a text names."""

    why: Text


class ClassList:
    """The students by id, and all the ways to write their names."""

    def __init__(
        self,
        names: Mapping[str, tuple[str, str]],
        numbers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Take first and last names by id; raise `CannotBegin` for an id that is not plain.

        numbers: the platform's own number by id, for students whose number is known.
        """
        if not names:
            raise CannotBegin(NO_LIST)
        odd = [one for one in names if not is_plain_id(one)]
        if odd:
            raise CannotBegin(NOT_PLAIN.format(plain=PLAIN, ids=listed(map(ascii, odd))))
        self.names = dict(sorted(names.items()))
        students: dict[Words, set[str]] = defaultdict(set)
        for student, (first, last) in self.names.items():
            for words in {words_of(student), *_forms(first, last)} - {()}:
                students[words].add(student)
        cuts: dict[Words, set[str]] = defaultdict(set)
        for student, name in self.names.items():
            for words in _cuts("".join(name)):
                cuts[words].add(student)
        students = cuts | students  # a name as the list has it comes first
        self.students = {words: frozenset(those) for words, those in students.items()}
        self.longest = max(map(len, self.students))
        numbered: dict[str, set[str]] = defaultdict(set)
        for student, number in numbers.items():
            numbered[number].add(student)
        self.numbered = {number: frozenset(those) for number, those in numbered.items()}

    def student(self, text: str, number: str = "") -> str | Unclear:
        """Return the one student whom a text names, or why that is not clear.

        number: the platform's for the student; if the list lacks it, it may be an id.
        """
        by_number = self.numbered.get(number)
        text = text if by_number else f"{text} {number}"
        words = tuple(word for word in words_of(text) if word not in SUFFIXES)
        meant = self._mentions(text)
        if words in self.students:
            meant.append(self.students[words])  # perhaps short, but the whole text
        if by_number:
            meant.append(by_number)
        if not meant:
            return Unclear(NOBODY)
        common = frozenset.intersection(*meant)
        if len(common) == 1:
            return next(iter(common))
        students = listed(sorted(frozenset.union(*meant)))
        namesakes = UNNUMBERED if number and not by_number else NAMESAKES
        return Unclear((namesakes if common else SEVERAL).format(students=students))

    def others(self, text: str, student: str | None = None) -> set[str]:
        """Return the students besides `student` whom a text names; short words name nobody."""
        return set().union(*(those for those in self._mentions(text) if student not in those))

    def _mentions(self, text: str) -> list[frozenset[str]]:
        words, mentions, start = words_of(text), [], 0
        while start < len(words):
            ends = range(min(start + self.longest, len(words)), start, -1)  # the longest name first
            end = next((end for end in ends if words[start:end] in self.students), None)
            if end and not _is_short(words[start:end]):
                mentions.append(self.students[words[start:end]])
            start = end or start + 1
        return mentions


def read_class_list(gradebook: Gradebook) -> ClassList:
    """Return the gradebook's students; raise `CannotBegin` if there are none."""
    students = gradebook.students
    return ClassList(
        {one.id: (one.first_name or "", one.last_name or "") for one in students},
        {one.id: one.lms_user_id for one in students if one.lms_user_id},
    )


def is_plain_id(name: str) -> bool:
    """Return whether a name is plain text to everything: shells, paths and spreadsheets."""
    return bool(PLAIN_ID.fullmatch(name)) and unicodedata.is_normalized("NFC", name)


def normalised(text: str) -> str:
    """Return a text in the form in which it is compared."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(one for one in letters if unicodedata.category(one) not in INVISIBLE).casefold()


def words_of(text: str) -> Words:
    """Return the words of a text."""
    return tuple(WORD.findall(normalised(text)))


def _forms(first: str, last: str) -> Iterable[Words]:
    """Yield the ways to write a name: either part first, with blanks or without.

    If all of it is in one column, the family name is one or several of its words.
    """
    parts = [first, last] if words_of(first) and words_of(last) else (first + last).split()
    for index in range(len(parts)):
        name = words_of(" ".join(parts[index:] + parts[:index]))
        yield name
        yield ("".join(name),) if name else ()


def _cuts(name: str) -> Iterable[Words]:
    """Yield the ways to cut a name of Han characters in two, either part first.

    The list may have it in one column, and a platform in two, with a blank in between.
    """
    if HAN.fullmatch(name):
        for index in range(1, len(name)):
            yield name[:index], name[index:]
            yield name[index:], name[:index]


def _is_short(words: Words) -> bool:
    name = "".join(words)
    return name.isascii() and len(name) < SHORTEST_NAME
