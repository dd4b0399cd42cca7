"""The way that a reader has chosen: its sections, what is done, what is next."""

from __future__ import annotations

from dataclasses import dataclass

from autograde.kit.catalogue import (
    UnknownName,
    chapter,
    chapter_names,
    listed_exercise,
    questions,
)
from autograde.kit.chapter import Section
from autograde.kit.way import WAY, WAYS, Way, goes_through
from autograde.notebook.records import right_prompts, solved
from autograde.notebook.store import keep, load
from bilingual import Text


@dataclass(frozen=True)
class Step:
    """A section on a way: its chapter, its number in it, and the ids of its exercises on that way.

    number is None for exercises that the chapter does not list: a teacher's own.
    """

    chapter: str
    number: int | None
    section: Section
    exercises: tuple[str, ...]

    @property
    def has_items(self) -> bool:
        """Return whether there is something to solve or to answer."""
        return bool(self.exercises or self.section.quiz)

    def share(self) -> float:
        """Return the share of its exercises and quiz done, from 0 to 1; 0 if it has neither."""
        parts = [*map(solved, map(listed_exercise, self.exercises))]
        if self.section.quiz:
            prompts = {question.prompt.en for question in questions(self.section.quiz)}
            parts.append(len(prompts & right_prompts(self.section.quiz)) / len(prompts))
        return sum(parts) / len(parts) if parts else 0.0

    def exercise_minutes_left(self) -> float:
        """Return the minutes for its exercises, less the share solved of each."""
        exercises = map(listed_exercise, self.exercises)
        return sum(e.minutes * (1 - solved(e)) for e in exercises)


def chosen_way() -> Way:
    """Return the way that the reader has chosen, "everything" by default."""
    way = load("ways", "chosen").get("way")
    return way if way in WAYS else "everything"


def choose_way(way: Way) -> Text | None:
    """Keep the choice; return a sentence if that was not possible.

    Raises `UnknownName` for a way that does not exist.
    """
    if way not in WAYS:
        raise UnknownName(WAY, way, list(WAYS))
    return keep("ways", "chosen", {"way": way})


def steps(way: Way) -> dict[str, list[Step]]:
    """Return the sections of a way by chapter, in order; chapters without any are left out."""
    course = {name: chapter_steps(name, way) for name in chapter_names()}
    return {name: parts for name, parts in course.items() if parts}


def chapter_steps(name: str, way: Way) -> list[Step]:
    """Return the sections of a chapter on a way."""
    info, ids = chapter(name)
    parts = [
        Step(name, number, section, tuple(section.exercises_on(way)))
        for number, section in enumerate(info.sections)
        if goes_through(way, section.way)
    ]
    listed = {one for section in info.sections for one in section.exercises}
    own = {one: WAYS[0] for one in ids if one not in listed}
    if own:
        minutes = sum(listed_exercise(exercise_id).minutes for exercise_id in own)
        rest = 0 if info.sections else max(0, info.minutes - minutes)
        parts.append(Step(name, None, Section(info.title, WAYS[0], rest, own), tuple(own)))
    return parts


def minutes_left(parts: list[Step], here: tuple[str, int] | None, *, passed: bool) -> float:
    """Return the minutes that the rest of a chapter takes.

    Text counts as read up to the last section with something done, or up to `here`, where the
    reader left off; all of it counts once nothing is left to do. passed: whether the reader has
    gone on to a later chapter, the only sign that a chapter without exercises is read.
    """
    items = [step for step in parts if step.has_items]
    if all(step.share() == 1 for step in items) and (items or passed):
        return 0.0
    reached = (n for n, s in enumerate(parts) if s.share() > 0 or (s.chapter, s.number) == here)
    unread = parts[max(reached, default=-1) + 1 :]
    exercises = sum(step.exercise_minutes_left() for step in parts)
    return exercises + sum(step.section.minutes for step in unread)


def furthest(course: dict[str, list[Step]], here: tuple[str, int] | None) -> str:
    """Return the last chapter with something done, or where the reader left off; else ""."""
    done = [name for name, parts in course.items() if any(step.share() > 0 for step in parts)]
    return max([*done, *([here[0]] if here else [])], default="")


def next_step(way: Way, here: tuple[str, int] | None) -> Step | None:
    """Return the section to go on with: the first after all done ones, else the first undone one.

    here: where the reader left off. Sections with nothing to solve count as read up to `here`,
    unless it is in a later chapter than the next thing to solve. None if all is done.
    """
    course = [step for parts in steps(way).values() for step in parts]
    open_ones = [n for n, step in enumerate(course) if step.has_items and step.share() < 1]
    last = max((n for n, step in enumerate(course) if step.share() == 1), default=-1)
    if not open_ones:
        return None
    target = next((n for n in open_ones if n > last), None)
    if target is None:
        return course[open_ones[0]]
    at = [n for n, step in enumerate(course) if (step.chapter, step.number) == here]
    read = [n for n in at if course[n].chapter <= course[target].chapter]
    return course[min(max([last, *read]) + 1, target)]  # what lies between is still unread
