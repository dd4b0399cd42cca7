"""CONTRIBUTING.md is true: in a copy of the tree, each row is done as it says, and that is enough.

"Enough" is what the tests say that would complain, and that no other file had to change. Notebooks
are built without being run: that they run is for tests/notebooks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product

import pytest

from autograde.kit.catalogue import chapter_exercises
from tests.one_test import one_test
from tests.repository import new_encoding
from tests.repository.course_copy import CourseCopy
from tests.repository.test_files import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PLACEHOLDERS = {"NN_name": "[0-9][0-9]_*", "NAME": "*", "ID": "*", "name": "*"}
BUILT = ("study/", "reports/", "dist/", "demo/", "build/", "autograded/", ".venv")
FIRST = "chapters/00_start.py"
OTHER = ("key_minus_query", "second_distance")  # an exercise like another one, under its own name
ANEW = (("key_minus_query", "third_distance"), ("equal_sums", "order_sums"))  # in another chapter
EXERCISE_FILES = ("autograde/exercises/{}.py", "tests/exercises/{}.py", "tests/bank/{}.toml")
BUILD = """
from tools.build.contents import ROOT, chapters
from tools.build.notebooks import build_chapter, build_index, build_lists

course = chapters()
for chapter in course:
    if chapter.name in {chapters}:
        build_chapter(chapter, ROOT, run=False)
build_index(course, ROOT, run=False)
build_lists(course, ROOT)
"""
FIGURE = """
# %%
def closer(query=5, start=0):
    return show(query, start)


explore(closer, **label.show, query=(0, 9), start=(0, 50, 10))

# %% [markdown] lang="en"
# *Picture: the same ten bars, seen from the query at 5.*

# %% [markdown] lang="zh"
# *图：同样的十根柱子，查询在位置5。*

"""
SECTION = '# %% [markdown] lang="en" way="two_hours"\n# ## 13.4 A first exercise\n'
EXERCISE = '''
# %% exercise="second_distance"
def second_distance(q_positions, k_positions):
    """Return the relative position of every key to every query, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    return k_positions[None, :] - q_positions[:, None]  # (1, Lk) - (Lq, 1)
    ### END SOLUTION


# %% check="second_distance"
check("second_distance", second_distance)

'''
THINKING = """# %% [markdown] lang="en"
# ### Think: no positions
#
# What could a model without positions still do? Write it down, then
# check it with question 1 of the self-test at the end of this chapter.

# %% [markdown] lang="zh"
# ### 想一想：没有位置
#
# 没有位置信息的模型还能做什么？先写下来，再用本章末尾自测的第1题核对。

# %% [markdown] thinking="without_positions" points=3
# <div lang="en">
#
# **Model answer.** Whatever does not depend on order. 3 points for a case with its reason.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 一切与次序无关的事。举一例并说明理由，得3分。
#
# </div>

"""
LAST = '# %% [markdown] lang="en"\n# Stuck? There are three hints, and they cost no points.'


@dataclass(frozen=True)
class Row:
    """A row of CONTRIBUTING.md: its edits, the files they touch, and what is then built."""

    edit: Callable[[CourseCopy], None]
    files: set[str]
    chapters: set[str] = field(default_factory=set)
    built: set[str] = field(default_factory=set)


def correct_sentences(course: CourseCopy) -> None:
    course.replace(
        FIRST,
        ("Equal: the order is gone.", "Equal: the order is lost."),
        ("相等：顺序不见了。", "相等：顺序丢了。"),
    )
    course.replace(
        "autograde/exercises/key_minus_query.py",
        ("the two lengths\nmay differ", "their lengths\nmay differ"),
        ("两者长度可以不同", "两者的长度可以不同"),
        ("one row per query, one column per key", "a row per query, a column per key"),
        ('two rows of "\n            "three numbers.', 'two rows, "\n            "three columns.'),
    )
    course.replace(
        "autograde/quizzes/start.py",
        ("What does a positional encoding give to a Transformer?", "What do positions give it?"),
        ("位置编码给了Transformer什么？", "位置给了它什么？"),
    )


def add_misconception(course: CourseCopy) -> None:
    path = "autograde/exercises/key_minus_query.py"
    course.write(
        path,
        course.read(path)
        + """

@exercise.misconception(
    en="You subtracted 1 once too often: the token itself is at distance -1.",
    zh="你多减了1：词元到自身的距离成了-1。",
)
def one_too_far(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return k_positions[None, :] - q_positions[:, None] - 1
""",
    )


def add_exercise(course: CourseCopy) -> None:
    for file in EXERCISE_FILES:
        course.derive(file.format(OTHER[0]), file.format(OTHER[1]), OTHER)
    opening = (("minutes, 6 points", "minutes, 8 points"), ("钟，共6分", "钟，共8分"))
    course.replace(FIRST, *opening, (LAST, EXERCISE + LAST))


def add_thinking_question(course: CourseCopy) -> None:
    course.replace(
        FIRST,
        ("8 points.", "8 points, and\n# 3 more for a question that a teacher grades."),
        ("共8分。", "共8分，另有一道由教师评分的题，3分。"),
        (LAST, THINKING + LAST),
    )


def add_chapter(course: CourseCopy) -> None:
    for new, file in product(ANEW, EXERCISE_FILES):
        course.derive(
            file.format(new[0]),
            file.format(new[1]),
            new,
            *([("00_start", "13_again")] if file.startswith("autograde") else []),
        )
    course.derive("autograde/quizzes/start.py", "autograde/quizzes/again.py", ("first", "last"))
    course.derive(
        "posenc_viz/labels/start.py", "posenc_viz/labels/again.py", ("chapter 0", "chapter 13")
    )
    course.derive(
        FIRST,
        "chapters/13_again.py",
        *ANEW,
        ('quiz("start")', 'quiz("again")'),
        ("labels import start as", "labels import again as"),
        ("en: Start here", "en: Start again"),
        ("zh: 从这里开始", "zh: 再来一次"),
        ("# # 0 · Start here", "# # 13 · Start again"),
        ("# # 0 · 从这里开始", "# # 13 · 再来一次"),
        ("# ## 0.", "# ## 13."),
        (SECTION, FIGURE + SECTION),
    )


def exercise_files(name: str) -> set[str]:
    return {file.format(name) for file in EXERCISE_FILES}


START, AGAIN = "00_start", "13_again"
TABLES = {
    *("README.md", "README.zh.md", "notebooks/index.ipynb"),
    "autograde/kit/chapters.json",
}
ROWS = {
    # the chapter first: it is derived from one that the other rows change
    "chapter": Row(
        add_chapter,
        {
            "chapters/13_again.py",
            "autograde/quizzes/again.py",
            "posenc_viz/labels/again.py",
            *exercise_files("third_distance"),
            *exercise_files("order_sums"),
        },
        {AGAIN, "12_bug_clinic"},  # the one before it links to it
        TABLES,
    ),
    "sentences": Row(
        correct_sentences,
        {FIRST, "autograde/exercises/key_minus_query.py", "autograde/quizzes/start.py"},
        {START},
    ),
    "misconception": Row(add_misconception, {"autograde/exercises/key_minus_query.py"}),
    "exercise": Row(add_exercise, {FIRST, *exercise_files("second_distance")}, {START}, TABLES),
    "thinking": Row(add_thinking_question, {FIRST}, {START}),
    "encoding": Row(new_encoding.add_encoding, new_encoding.FILES, built={"docs/reference.md"}),
}
WHO_WOULD_COMPLAIN = (
    *("tests/exercises/test_kit.py", "tests/bank", "tests/chapters"),
    *("tests/repository/test_notebooks.py", "tests/repository/test_readmes.py"),
    "--ignore=tests/chapters/test_ways_run.py",  # compares outputs, which these notebooks lack
    "--ignore=tests/posenc_ref/test_compile.py",  # has no row of its own for an encoding
    *new_encoding.WHO_WOULD_COMPLAIN,
)
TOUCHED = (
    "00_start again belongs every_chapter key_minus_query second_distance third_distance "
    "order_sums staircase test_readmes test_reference test_rooms"
)


def notebooks(chapters: set[str]) -> set[str]:
    return {
        f"{room}/{name}/{name}.ipynb" for room in ("notebooks", "solutions") for name in chapters
    }


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> CourseCopy:
    """A copy in which every row is done and what it names is built."""
    copy = CourseCopy(tmp_path_factory.mktemp("contributing") / "course")
    for row in ROWS.values():
        row.edit(copy)
    chapters = sorted(set().union(*(row.chapters for row in ROWS.values())))
    run = copy.run("-c", BUILD.format(chapters=chapters))
    assert run.returncode == 0, run.stdout + run.stderr
    page = copy.run("-m", "tools.reference")
    assert page.returncode == 0, page.stderr
    return copy


@pytest.mark.slow
def test_the_rows_and_what_is_built_are_all_that_changes(course):
    parts = (row.files | notebooks(row.chapters) | row.built for row in ROWS.values())
    assert course.changed() == set().union(*parts)


@pytest.mark.slow
def test_the_affected_tests_pass(course):
    """Of what the rows touch, and of what they add."""
    which = ("-k", " or ".join(TOUCHED.split()), "-m", "not browser")
    run = course.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *which, *WHO_WOULD_COMPLAIN)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    sources = sorted(name for name in course.changed() if name.endswith(".py"))
    lint = course.run("-m", "ruff", "check", "--no-cache", *sources)
    assert lint.returncode == 0, lint.stdout


@pytest.mark.slow
def test_an_encoding_is_missed_until_it_is_exported(course):
    exports = course.read(new_encoding.EXPORTS)
    course.write(new_encoding.EXPORTS, (ROOT / new_encoding.EXPORTS).read_text(encoding="utf-8"))
    page = course.run("-m", "tools.reference")
    course.write(new_encoding.EXPORTS, exports)
    assert page.returncode != 0
    assert new_encoding.EXPORTS in page.stderr
    assert "staircase.staircase" in page.stderr


def test_notebooks_show_tasks_and_checks_but_no_hint_and_no_misconception():
    """So that the first two ask for `make build`, and the others do not."""
    (path,) = ROOT.glob("solutions/05_rope/*.ipynb")
    text = path.read_text(encoding="utf-8")
    for exercise in chapter_exercises("05_rope"):
        assert all(check.sentence.en[:25] in text for check in exercise.checks)
        hidden = [*exercise.hints, *(wrong.sentence for wrong in exercise.misconceptions)]
        assert not any(sentence.zh[:12] in text for sentence in hidden)


def paths_in(text: str) -> set[str]:
    """Return the paths that stand as code in a text, without those that git ignores."""
    return {
        span
        for span in re.findall(r"`([\w./-]+)`", text)
        if "/" in span and not span.startswith(BUILT)
    }


@one_test([(name,) for name in sorted(paths_in(TEXT))], str)
def test_a_path_that_is_named_exists(name):
    pattern = re.sub("|".join(PLACEHOLDERS), lambda word: PLACEHOLDERS[word[0]], name)
    assert list(ROOT.glob(pattern.rstrip("/")))


def test_commands_that_are_named_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"`(?:\w+=\S+ )?make ([\w-]+)", TEXT))
    assert {"build", "test", "lab", "check"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    for script in re.findall(r"`python ([\w/]+\.py)", TEXT):
        assert (ROOT / script).is_file(), script
    for module in re.findall(r"`python -m ([\w.]+)", TEXT):
        assert find_spec(module), module
