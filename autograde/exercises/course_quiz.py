"""Exercise course_quiz: one question from each chapter, drawn with the learner's own number."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

import torch

from autograde.exercises._brief import brief
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import Wrong, expect
from autograde.quizzes.choose import CHAPTERS, draw, is_seed
from bilingual import Text

EXAMPLE = 2026  # the number that the chapter prints
BY_CHANCE = 6  # of twelve right: 93 of 100 who guess have no more

exercise = Exercise(
    id="course_quiz",
    chapter="11_choose",
    title=Text(en="The quiz over the course", zh="全课测验"),
    task=Text(
        en="""Answer the twelve questions of your own paper, as a dictionary: `"seed"` is the
number you gave to `paper`, 1 to 12 are your letters. For example
`{"seed": 2026, 1: "A", 2: "C"}`, and so on to 12. A wrong letter gets its reason.

This is a self-test: the key is part of the course that you have installed, so a right paper proves
nothing. It counts one point, for having taken it.""",
        zh="""回答你自己那份试卷的十二道题，返回一个字典：`"seed"`是你交给`paper`的数，
1到12是你选的字母。例如`{"seed": 2026, 1: "A", 2: "C"}`，一直写到12。答错会说明为什么。

这是自测：答案就在你安装的课程里，所以全对也证明不了什么。只计一分，算作你做过了。""",
    ),
    signature='course_quiz() -> {"seed": int, 1: letter, …, 12: letter}',
    points=1,
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


@exercise.truth
def paper_of_2026() -> dict[Any, Any]:
    """Return the right letters of the paper that the chapter prints."""
    return {"seed": 2026, **_letters(_key(2026))}


def _key(seed: int) -> dict[int, int]:
    drawn = enumerate(draw(seed), start=1)
    return {n: [option.right for option in question.options].index(True) for n, question in drawn}


def _letters(places: Mapping[int, int]) -> dict[int, str]:
    return {n: ascii_uppercase[at] for n, at in places.items()}


def _seed(paper: Any) -> int:
    expect(
        isinstance(paper, Mapping),
        'return a dictionary {"seed": …, 1: "A", …}',
        '请返回字典{"seed": …, 1: "A", …}',
    )
    seed = paper.get("seed")
    expect(
        is_seed(seed),
        f'"seed" is {brief(seed)}, expected the whole number that you gave to `paper`',
        f'"seed"是{brief(seed)}，应为你交给`paper`的整数',
    )
    return seed


def _letter(paper: Mapping[Any, Any], number: int) -> str:
    entry = paper.get(number, paper.get(str(number)))
    return entry.strip().upper() if isinstance(entry, str) else ""


def _other_paper(paper: Mapping[Any, Any], seed: int, number: int) -> Text | None:
    """Return why the letters may be those of another paper, if they fit this one badly."""
    letters = {n: _letter(paper, n) for n in range(1, CHAPTERS + 1)}
    if seed != EXAMPLE and letters == _letters(_key(EXAMPLE)):
        return Text(
            en=f'These are the answers to paper {EXAMPLE}, and "seed" says {seed}.',
            zh=f'这是试卷{EXAMPLE}的答案，而"seed"写的是{seed}。',
        )
    right = sum(letters[n] == letter for n, letter in _letters(_key(seed)).items())
    if right > BY_CHANCE or not all(letters.values()):
        return None
    prompt = draw(seed)[number - 1].prompt
    return Text(
        en=f"Only {right} of {CHAPTERS} letters fit paper {seed}, as many as guesses may: are "
        f"these answers to another paper? Question {number} of this one is: {prompt.en}",
        zh=f"试卷{seed}的{CHAPTERS}个字母只对了{right}个，瞎猜也可能这么多：这是另一份试卷的答案吗？"
        f"这份试卷的第{number}题是：{prompt.zh}",
    )


def _ask(number: int) -> None:
    def right(answer: Function, rng: torch.Generator) -> None:
        paper = answer()
        seed = _seed(paper)
        options = draw(seed)[number - 1].options
        letter, letters = _letter(paper, number), ascii_uppercase[: len(options)]
        expect(
            len(letter) == 1 and letter in letters,
            f"question {number}: your answer is {brief(paper.get(number, paper.get(str(number))))}"
            f", expected one of {', '.join(letters)}",
            f"第{number}题：你的回答是{brief(paper.get(number, paper.get(str(number))))}"
            f"，应为{'、'.join(letters)}之一",
        )
        option = options[letters.index(letter)]
        if not option.right:
            other = _other_paper(paper, seed, number)
            raise Wrong(
                f"question {number}, {letter}, “{option.text.en}”: {option.because.en}"
                + (f" {other.en}" if other else ""),
                f"第{number}题，{letter}，“{option.text.zh}”：{option.because.zh}"
                + (other.zh if other else ""),
            )

    right.__name__ = f"question_{number}"
    exercise.check(en=f"question {number}", zh=f"第{number}题")(right)


for _number in range(1, CHAPTERS + 1):
    _ask(_number)


@exercise.misconception(
    en="These are the answers to another paper: 2027, under the number 2026. Print the paper of "
    "your own number.",
    zh="这是另一份试卷的答案：题是2027的，编号却写着2026。请打印自己编号的试卷。",
)
def another_paper() -> dict[Any, Any]:
    return {"seed": 2026, **_letters(_key(2027))}


@exercise.misconception(
    en="The letters count from the wrong end: you took the last option for A.",
    zh="字母数反了：你把最后一个选项当成了A。",
)
def from_the_end() -> dict[Any, Any]:
    sizes = {n: len(question.options) for n, question in enumerate(draw(2026), start=1)}
    return {"seed": 2026, **_letters({n: sizes[n] - 1 - at for n, at in _key(2026).items()})}


@exercise.misconception(
    en="You chose A throughout. Options are shuffled: that is a guess.",
    zh="你全选了A。选项是打乱过的，这等于瞎猜。",
)
def all_first() -> dict[Any, Any]:
    return {"seed": 2026, **dict.fromkeys(range(1, CHAPTERS + 1), "A")}
