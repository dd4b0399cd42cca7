"""What a teacher has to do about what was collected: times, and files that were left out."""

from __future__ import annotations

from collections.abc import Iterator

from autograde.collecting.class_list import NOBODY
from autograde.collecting.plan import Plan
from autograde.collecting.submitted import Changes
from autograde.collecting.whose import NO_FOLDER
from autograde.teacher.lateness import UNKNOWN_DELAY
from bilingual import Text

TIMESTAMP = Text(
    en="into submitted/STUDENT/{chapter}/timestamp.txt (2026-09-14 12:15:00 UTC), and then grade; "
    "collecting again keeps them.",
    zh="写进submitted/STUDENT/{chapter}/timestamp.txt（2026-09-14 12:15:00 UTC），再评分；"
    "以后再收，也会保留。",
)
NOT_LATE = Text(
    en="Notebooks without a time, as from Moodle 4: {count}; none of them counts as late. "
    "Find the times on the platform, write those of late work {timestamp}",
    zh="{count}份没有提交时间（新版Moodle就是如此），因此不会算作迟交。请在平台上查出时间，"
    "把迟交的{timestamp}",
)
MARKED_LATE = Text(
    en="Notebooks that Canvas marks late without a time: {count}; {cost}. To deduct the "
    "actual number of days, write the times {timestamp}",
    zh="Canvas只把{count}份标为迟交，没有给出时间：{cost}。要按实际天数扣分，请把时间{timestamp}",
)
NO_COST = Text(
    en="they count as within the grace period, and lose nothing", zh="算在宽限之内，不扣分"
)
ONE_DAY = Text(
    en="each counts as one day late, as in time where the student has an extension",
    zh="都按迟交1天算，有延期的学生不算迟交",
)
FROM_FUTURE = Text(
    en="Times in the future, which do not count: {count}. Is timezone in course.toml that of the "
    "platform?",
    zh="{count}个时间在将来，不算数：course.toml里的timezone是平台所用的时区吗？",
)
COPY_IN = Text(
    en="To count a file that was left out, put it at "
    "submitted/STUDENT/{chapter}/{chapter}.ipynb as it came, and its time into timestamp.txt "
    "beside it (2026-09-14 12:15:00 UTC): without a time it is late only if Canvas calls it so. "
    "Then collect again: both stay, and give-back can name its page for the platform.",
    zh="略过的文件若应当算数，请原样放到submitted/STUDENT/{chapter}/{chapter}.ipynb，"
    "提交时间写进旁边的timestamp.txt（2026-09-14 12:15:00 UTC），"
    "没有时间的，只有Canvas标为迟交才算迟交。然后再收一次：两者都会保留，give-back也能按平台的方式给它的网页命名。",
)

OF_NOBODY = Text(
    en="Files of nobody on the class list: {count}. Add the students, or write their names there "
    "as the platform does (first and last name may have a column each), run "
    "python -m autograde students with the list, and collect again.",
    zh="{count}个文件没有认出是谁的：请在班级名单里补上这些学生，或者把姓名改成平台上的写法"
    "（姓、名可以各占一列），运行python -m autograde students导入名单，再收一次。",
)


def advice(plan: Plan, changes: Changes) -> Iterator[Text]:
    """Yield what the teacher has to do about the table, if anything."""
    future = sum(one.is_from_future for one in plan.notebooks.values())
    untimed = sum(not one.is_from_future for one in plan.untimed)
    if future:
        yield FROM_FUTURE.format(count=future)
    timestamp = TIMESTAMP.format(chapter=plan.chapter)
    # without a time, Canvas still says LATE
    if untimed and plan.due and plan.late_policy and plan.platform != "canvas":
        yield NOT_LATE.format(count=untimed, timestamp=timestamp)
    marked = sum(one.delay == UNKNOWN_DELAY for one in plan.notebooks.values())
    if marked and plan.due and plan.late_policy:
        cost = NO_COST if plan.late_policy.grace else ONE_DAY
        yield MARKED_LATE.format(count=marked, cost=cost, timestamp=timestamp)
    missing = set(plan.missing).difference(changes.earlier)
    if any(one.student in missing for one in plan.left_out):
        yield COPY_IN.format(chapter=plan.chapter)
    if missing and (count := sum(one.why in (NOBODY, NO_FOLDER) for one in plan.left_out)):
        yield OF_NOBODY.format(count=count)
