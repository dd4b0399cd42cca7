"""A class of 80 made-up names through every shape of download, twice: nobody lost or doubled."""

import random
from collections import Counter

import pytest

from tests.autograde.collecting.a_class import CHAPTER, FILE, put, zipped

FAMILY = (*"王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗", "欧阳", "司马")
GIVEN = (*"伟芳娜敏静丽强磊洋艳勇军杰娟涛明超", "秀英", "小雨", "子涵")
# fmt: off
LATIN = [("Ada", "Lovelace"), ("Alan", "Turing"), ("José", "García"), ("Łukasz", "Kaiser"),
         ("Anne-Marie", "O'Neil"), ("Grace", "Hopper"), ("Bo", "Li"), ("Bo Li", "Wang")]
# fmt: on


def a_class(count):
    """Return student ids with first and last names; some of the names are several students'."""
    drawn = random.Random(2026)
    people = [*LATIN, *((drawn.choice(GIVEN), drawn.choice(FAMILY)) for _ in range(count - 8))]
    return {f"2026{number:04}": name for number, name in enumerate(people, 1)}


NAMES = a_class(80)
CALLED = {
    one: last + first if first in GIVEN else f"{first} {last}"
    for one, (first, last) in NAMES.items()
}
TWICE = {name for name, count in Counter(CALLED.values()).items() if count > 1}
NAMESAKES = {one for one, name in CALLED.items() if name in TWICE}


def slug(student):
    """Return a name as Canvas writes it, last name first."""
    first, last = NAMES[student]
    return "".join(letter for letter in (last + first).lower() if letter.isalnum())


SHAPES = {  # what a path is, and whether it tells namesakes apart
    "moodle": ("{name}_{n}_assignsubmission_file_{file}", False),
    "moodle, folders": ("{name}_{n}_assignsubmission_file/{file}", False),
    "moodle, ids in the names": ("{id} {name}_{n}_assignsubmission_file/{file}", True),
    "canvas": ("{slug}_{n}_{upload}_{file}", False),
    "canvas, with its ids": ("{slug}_{id}_{upload}_{file}", True),
    "blackboard": ("第5章 2班_{id}_attempt_2026-09-14-20-{minute:02}-00_{file}", True),
    "folders, id and name": ("计科2班/{id}_{name}/{file}", True),
    "folders, name and id": ("{name}-{id}/附件/{file}", True),
    "folders, written together": ("{id}{name}/{file}", True),
    "folders, names": ("{name}/{file}", False),
    "files": ("{id}_{name}_{file}", True),
    "files, a group behind": ("{id}_2_{file}", True),
    "files, blanks": ("{id} {name} {file}", True),
    "files, written together": ("{id}{name}{file}", True),
    "files, brackets": ("{chapter}（{id}+{name}）.ipynb", True),
    "files, names": ("{name}_{file}", False),
}


def download(shape, students):
    """Return the files of a class by name, each its student's id; namesakes may share a name."""
    files = {}
    for n, student in enumerate(students, 1):
        words = {"id": student, "name": CALLED[student], "slug": slug(student), "n": 7000 + n}
        words |= {"upload": 90_000 + n, "minute": n % 60, "file": FILE, "chapter": CHAPTER}
        files[shape.format(**words)] = student
    return files


@pytest.mark.parametrize("shape", SHAPES)
def test_a_class_of_80_is_collected_twice(shape, new_inbox):
    path, tells_apart = SHAPES[shape]
    missing = {"20260005", "20260050", "20260070"}
    clear = NAMES.keys() - missing - (set() if tells_apart else NAMESAKES)
    files = download(path, NAMES.keys() - missing)
    inbox = new_inbox(NAMES)
    put(inbox.archive, {"all.zip": zipped(files)})
    platform = "files" if shape.startswith("files") else None
    for _ in range(2):
        assert inbox.collect(platform=platform)
        assert inbox.submitted() == {student: student for student in clear}
    assert inbox.aside() == {}
    text = inbox.screen.getvalue()
    assert text.count(f"Handed in: {len(clear)} of 80") == 2
    assert text.count(f"{80 - len(clear)} missing. Files left out: {len(files) - len(clear)};") == 2


def test_in_gbk_nobody_is_lost(new_inbox):
    """As Windows in China packs names: in GBK, without a mark that says so."""
    students = [one for one in NAMES if CALLED[one].isalpha() and one not in NAMESAKES][8:60]
    packed = zipped({f"{one}_{'N' * 2 * len(CALLED[one])}_{FILE}": one for one in students})
    for one in students:
        name = CALLED[one].encode("gbk")
        packed = packed.replace(f"{one}_{'N' * len(name)}".encode(), f"{one}_".encode() + name)
    inbox = new_inbox(NAMES)
    put(inbox.archive, {"作业.zip": packed})
    assert inbox.collect(platform="files")
    assert inbox.submitted() == {one: one for one in students}
