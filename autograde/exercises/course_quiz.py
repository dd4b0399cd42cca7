"""Exercise course_quiz: one question from each chapter, drawn with the learner's own number."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import Wrong, expect
from autograde.kit.question import Question
from autograde.quizzes.choose import CHAPTERS, draw, is_seed
from bilingual import Text

exercise = Exercise(
    id="course_quiz",
    chapter="11_choose",
    title=Text(en="The quiz over the course", zh="全课测验"),
    task=Text(
        en="""Answer the twelve questions of your own paper, as a dictionary: `"seed"` is the
number you gave to `paper`, 1 to 12 are your letters. For example
`{"seed": 2026, 1: "A", 2: "C"}`, and so on to 12. Each question counts on its own; an answer that
is wrong is told why.""",
        zh="""回答你自己那份试卷的十二道题，返回一个字典：`"seed"`是你交给`paper`的数，
1到12是你选的字母。例如`{"seed": 2026, 1: "A", 2: "C"}`，一直写到12。
每题单独计分；答错会说明为什么。""",
    ),
    signature='course_quiz() -> {"seed": int, 1: letter, …, 12: letter}',
    points=6,
    difficulty=3,
    minutes=25,
    hints=(
        Text(
            en="Question n belongs to chapter n - 1. Its slider or its section “What is not true” "
            "often has the answer.",
            zh="第n题出自第n-1章。答案常在那一章的滑块或“哪些说法不对”一节里。",
        ),
        Text(
            en="The same number in `paper(…)` and under `seed`: otherwise you answer questions "
            "that nobody asked you.",
            zh="`paper(…)`里和`seed`下要写同一个数，否则你答的就不是自己的题。",
        ),
        Text(
            en="Press check early: each wrong letter comes with its reason, the others stay.",
            zh="早一点运行检查：每个错的字母都会说明理由，其余的不受影响。",
        ),
    ),
)


def _asked(given: Any, number: int) -> Question:
    expect(
        isinstance(given, Mapping),
        'return a dictionary {"seed": …, 1: "A", …}',
        '请返回字典{"seed": …, 1: "A", …}',
    )
    seed = given.get("seed")
    expect(
        is_seed(seed),
        f'"seed" is {seed!r}, expected the whole number that you gave to `paper`',
        f'"seed"是{seed!r}，应为你交给`paper`的整数',
    )
    return draw(seed)[number - 1]


def _letter(given: Mapping[Any, Any], number: int, letters: str) -> str:
    said = given.get(number, given.get(str(number)))
    letter = said.strip().upper() if isinstance(said, str) else ""
    expect(
        len(letter) == 1 and letter in letters,
        f"question {number}: your answer is {said!r}, expected one of {', '.join(letters)}",
        f"第{number}题：你的回答是{said!r}，应为{'、'.join(letters)}之一",
    )
    return letter


def _ask(number: int) -> None:
    def right(answer: Function, rng: torch.Generator) -> None:
        given = answer()
        question = _asked(given, number)
        letters = ascii_uppercase[: len(question.options)]
        letter = _letter(given, number, letters)
        chosen = question.options[letters.index(letter)]
        if not chosen.right:
            raise Wrong(
                f"question {number}, {letter}: {chosen.because.en}",
                f"第{number}题，{letter}：{chosen.because.zh}",
            )

    right.__name__ = f"question_{number}"
    exercise.check(en=f"question {number}", zh=f"第{number}题")(right)


for _number in range(1, CHAPTERS + 1):
    _ask(_number)


def _key(seed: int) -> dict[int, int]:
    drawn = enumerate(draw(seed), start=1)
    return {n: [option.right for option in asked.options].index(True) for n, asked in drawn}


@exercise.misconception(
    en="These are the answers to another paper: 2027, under the number 2026. Print the paper of "
    "your own number.",
    zh="这是另一份试卷的答案：题是2027的，编号却写着2026。请打印自己编号的试卷。",
)
def another_paper() -> dict[Any, Any]:
    return {"seed": 2026, **{n: ascii_uppercase[at] for n, at in _key(2027).items()}}


@exercise.misconception(
    en="The letters count from the wrong end: you took the last option for A.",
    zh="字母数反了：你把最后一个选项当成了A。",
)
def from_the_end() -> dict[Any, Any]:
    sizes = {n: len(asked.options) for n, asked in enumerate(draw(2026), start=1)}
    letters = {n: ascii_uppercase[sizes[n] - 1 - at] for n, at in _key(2026).items()}
    return {"seed": 2026, **letters}


@exercise.misconception(
    en="You chose A throughout. Options are shuffled: that is a guess.",
    zh="你全选了A。选项是打乱过的，这等于瞎猜。",
)
def all_first() -> dict[Any, Any]:
    return {"seed": 2026, **dict.fromkeys(range(1, CHAPTERS + 1), "A")}
