"""`progress()`: where the reader is in the course, what is next, how long the rest takes."""

from __future__ import annotations

from datetime import datetime

from IPython import get_ipython
from IPython.display import display

from autograde.kit.catalogue import chapter, exercise, listed_exercise, questions, quiz_names
from autograde.kit.way import NAMES, WAYS, Way, way_named
from autograde.notebook.course_way import (
    Step,
    chapter_steps,
    choose_way,
    chosen_way,
    furthest,
    minutes_left,
    next_step,
    steps,
)
from autograde.notebook.place import place
from autograde.notebook.records import best_score, right_prompts
from autograde.notebook.review_questions import met
from autograde.notebook.review_schedule import due_count
from autograde.notebook.section_links import Line, as_html, as_text, link_to
from bilingual import Text, page_languages
from bilingual.setting import speaking

WIDTH = 10  # of a bar, in characters

POINTS = Text(en="points", zh="分")
QUIZ = Text(en="self-test, answered right", zh="自测，答对")
TOTAL = Text(en="All chapters", zh="全部章节")
MINUTES = Text(en="about {left} min left", zh="约剩{left}分钟")
HOURS = Text(en="about {left} h left", zh="约剩{left}小时")
DONE = Text(en="done", zh="已完成")
WAY = Text(en="Your way: {way}", zh="你的路线：{way}")
OTHERS = Text(
    en="progress(way={id!r}) takes the way “{way}”.",
    zh="progress(way={id!r})改走“{way}”路线。",
)
LEFT = Text(en="You left at: ", zh="上次停在：")
NEXT = Text(en="Next: ", zh="接下来：")
REVIEW = Text(en="Questions due in review() today: {due}.", zh="review()：今天有{due}题该复习了。")
MORE = Text(
    en='progress("{name}") shows the exercises of a chapter.',
    zh='progress("{name}")显示一章里的各道练习。',
)
TWO_WAYS = Text(
    en="progress() takes one way, got {first!r} and {second!r}",
    zh="progress()一次只能选一条路线，却收到了{first!r}和{second!r}",
)
STEP = 5  # minutes: nobody's estimate is finer


def progress(chapter_name: str | None = None, *, way: Way | None = None) -> None:
    """Show the way, where the reader left off, what is next, and the points of all chapters or one.

    chapter_name: e.g. "02_sinusoidal"; lists its exercises, and counts questions answered right.
    way: "two_hours", "weekend" or "everything", to switch to that way; it may be passed in place
    of a chapter.
    Raises `UnknownName` for a chapter or a way that does not exist, ValueError for two ways.
    """
    chapter_name, way = way_named(chapter_name), way_named(way)
    if chapter_name in WAYS:  # progress("weekend") means one thing only
        if way not in (None, chapter_name):
            raise ValueError(str(TWO_WAYS.format(first=chapter_name, second=way)))
        chapter_name, way = None, chapter_name
    if chapter_name is not None:
        chapter(chapter_name)  # refuse an unknown name once, before a choice is kept
    problem = choose_way(way) if way is not None else None
    if get_ipython() is None:
        print(as_text(_lines(chapter_name, problem)))
    else:
        display(bundle(chapter_name, problem), raw=True)


def bundle(chapter_name: str | None = None, problem: Text | None = None) -> dict[str, str]:
    """Return what `progress()` shows; its HTML has each language, so that it follows the switch."""
    html = ""
    for language in page_languages():
        with speaking(language):
            html += f'<div lang="{language}">{as_html(_lines(chapter_name, problem))}</div>'
    return {"text/plain": as_text(_lines(chapter_name, problem)), "text/html": html}


def course_lines() -> list[Line]:
    """Return the lines that `progress()` shows."""
    return _course(chosen_way())


def _lines(chapter_name: str | None, problem: Text | None) -> list[Line]:
    lines = course_lines() if chapter_name is None else _chapter(chapter_name)
    return [*lines, [str(problem)]] if problem else lines


def _course(way: Way) -> list[Line]:
    here, course = place(), steps(way)
    last = furthest(course, here)
    left = {n: minutes_left(parts, here, passed=n < last) for n, parts in course.items()}
    exercises = [one for parts in course.values() for step in parts for one in step.exercises]
    following = next_step(way, here)
    lines: list[Line] = [[_with_name(WAY, way)]]
    if here:
        title = chapter(here[0])[0].sections[here[1]].title
        lines.append([LEFT.label(), link_to(title, *here)])
    if following:
        lines.append([NEXT.label(), _linked(following)])
    lines += [[""], [f"{_line(TOTAL.label(), exercises)}  {_time(sum(left.values()))}"], [""]]
    for name, parts in course.items():
        names = [one for step in parts for one in step.exercises]
        lines.append(
            [_line("", names), _linked(parts[0], _heading(name)), f"  {_time(left[name])}"]
        )
    lines += [[""], [MORE.format(name=following.chapter if following else [*course][-1]).label()]]
    if due := due_count((candidate.name for candidate in met()), datetime.now().astimezone()):
        lines.append([REVIEW.format(due=due).label()])
    return [*lines, *([_with_name(OTHERS, other)] for other in WAYS if other != way)]


def _chapter(name: str) -> list[Line]:
    _info, ids = chapter(name)
    parts = chapter_steps(name, "everything")
    time = _time(minutes_left(parts, place(), passed=False))
    lines: list[Line] = [[f"{_line(_heading(name), ids)}  {time}"]]
    lines += [
        [f"  {_line(f'{task.title.label()} [{task.id}]', [task.id])}"]
        for task in map(exercise, ids)
    ]
    quiz = name.lstrip("0123456789").removeprefix("_")
    if quiz in quiz_names():
        prompts = {question.prompt.en for question in questions(quiz)}
        right, total = len(prompts & right_prompts(quiz)), len(prompts)
        lines.append([f"  {_bar(right, total)}  {right} / {total}  {QUIZ.label()}"])
    return lines


def _linked(step: Step, text: str | None = None) -> Line | str:
    title = text or step.section.title.label()
    return title if step.number is None else link_to(title, step.chapter, step.number)


def _with_name(sentence: Text, way: Way) -> str:
    """Return the sentence with the name of a way, in each language."""
    return sentence.format(id=way, way=NAMES[way]).label()


def _heading(name: str) -> str:
    number = name.partition("_")[0].lstrip("0") or "0"
    return f"{number} · {chapter(name)[0].title.label()}"


def _time(minutes: float) -> str:
    if minutes <= 0:
        return DONE.label()
    if minutes >= 300:
        return HOURS.format(left=round(minutes / 60)).label()
    return MINUTES.format(left=max(STEP, STEP * round(minutes / STEP))).label()


def _line(name: str, ids: list[str]) -> str:
    exercises = [listed_exercise(one) for one in ids]
    earned, points = sum(map(best_score, exercises)), sum(one.points for one in exercises)
    share = f"{earned:g} / {points:g}"
    return f"{_bar(earned, points)}  {share:>8} {POINTS.label()}  {name}"


def _bar(part: float, total: float) -> str:
    full = int(WIDTH * part / total) if total else 0  # full only when all is done
    return "█" * full + "░" * (WIDTH - full)
