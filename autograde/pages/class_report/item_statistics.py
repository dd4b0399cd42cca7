"""Item analysis: how many solved each exercise, and whether it tells students apart.

Discrimination is the corrected item–rest correlation: Pearson's between the points for an exercise
and those for the rest of the chapter, without the exercise itself, which would agree with itself.
Source: Henrysson, Correction of item-total correlations in item analysis, Psychometrika 28, 1963.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from statistics import StatisticsError, correlation

from autograde.pages.class_report.exercise_counts import ExerciseCount
from autograde.register.register import Column, Register, Row
from bilingual import Text

FEWEST = 10  # students; with fewer a correlation is mostly chance: at 10 its error is about 0.3
WIDTH, HEIGHT, EDGE = 120, 44, 5
RADIUS, MOST_IN_DOT = 2.0, 6  # a dot for more grows no further: it stays inside the edge

TOO_FEW = Text(en="too few students", zh="人数太少")
ALL_THE_SAME = Text(en="all have the same points", zh="大家得分相同")
REST_THE_SAME = Text(en="the same points in all the rest", zh="其余题目大家得分相同")
NO_REST = Text(en="there is no other exercise", zh="没有别的题")


@dataclass(frozen=True)
class Dot:
    """Students with the same points, in units of the drawing; the area is their number."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class ItemStatistics:
    """The item analysis of one exercise.

    students: how many have points for it, waiting ones left out. solved: their share with full
    points. mean: the share of the points that they have on average. discrimination: None if
    `reason` says why there is no number. dots: points here over points in the rest.
    """

    column: Column
    students: int
    solved: float | None
    mean: float | None
    discrimination: float | None
    reason: Text | None
    dots: tuple[Dot, ...]
    width: int = WIDTH
    height: int = HEIGHT


def item_statistics(register: Register, counts: list[ExerciseCount]) -> list[ItemStatistics]:
    """Return the statistics of each exercise; the rest leaves out what waits for a teacher."""
    settled = [one.column for one in counts if not one.marks["waiting"]]
    return [_of(register, one, settled) for one in counts]


def _of(register: Register, count: ExerciseCount, settled: list[Column]) -> ItemStatistics:
    column = count.column
    rest = [one for one in settled if one.name != column.name]
    rows = [row for row in register.in_state("graded") if _has_points(row, column)]
    points = [_points(row, [column]) for row in rows]
    others = [_points(row, rest) for row in rows]
    number, reason = _discrimination(points, others, bool(rest))
    return ItemStatistics(
        column,
        len(rows),
        count.marks["full"] / len(rows) if rows else None,
        count.mean / column.points if count.mean is not None and column.points else None,
        number,
        reason,
        _dots(others, sum(one.points for one in rest), points, column.points),
    )


def _has_points(row: Row, column: Column) -> bool:
    result = row.result(column.name)
    return result is not None and not result.has_no_points_yet


def _points(row: Row, columns: list[Column]) -> float:
    results = (row.result(column.name) for column in columns)
    return sum(result.score for result in results if result)


def _discrimination(
    points: list[float], others: list[float], has_rest: bool
) -> tuple[float | None, Text | None]:
    if not has_rest:
        return None, NO_REST
    if len(points) < FEWEST:
        return None, TOO_FEW
    try:
        return correlation(points, others), None
    except StatisticsError:
        return None, ALL_THE_SAME if len(set(points)) == 1 else REST_THE_SAME


def _dots(xs: list[float], most_x: float, ys: list[float], most_y: float) -> tuple[Dot, ...]:
    if not (most_x and most_y):
        return ()
    counted = Counter(zip(xs, ys, strict=True))
    return tuple(
        Dot(
            EDGE + (WIDTH - 2 * EDGE) * min(1.0, x / most_x),
            HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * min(1.0, y / most_y),
            RADIUS * sqrt(min(count, MOST_IN_DOT)),
        )
        for (x, y), count in counted.items()
    )
