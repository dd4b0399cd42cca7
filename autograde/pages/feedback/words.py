"""The sentences of the page, in the order in which it shows them."""

from __future__ import annotations

from autograde.notebook.report import NO_POINTS as NO_POINTS
from autograde.notebook.report import SAME as SAME
from autograde.notebook.report import UNCHANGED as UNCHANGED
from autograde.pages.marks import SIGNS as SIGNS
from autograde.pages.marks import WORDS as MARKS  # noqa: F401 - for the templates
from bilingual import Text

TITLE = Text(en="Feedback: {notebook}", zh="反馈：{notebook}")
STUDENT = Text(en="Student {student}", zh="学号{student}")
POINTS = Text(en="points", zh="分")
EXERCISE = Text(en="exercise", zh="练习")
EARNED = Text(en="points", zh="得分")
LATE = Text(
    en="Late penalty: −{points}, already taken off the total.",
    zh="迟交扣分：−{points}，已从总分中扣除。",
)
TIMES = Text(
    en="Handed in {handed_in}, due {due} ({zone}).",
    zh="提交时间{handed_in}，截止时间{due}（{zone}）。",
)
EXTENDED = Text(
    en="Handed in {handed_in}, due with your extension {due} ({zone}).",
    zh="提交时间{handed_in}，你的截止时间延期到{due}（{zone}）。",
)
UNTIMED = Text(
    en="Handed in after the deadline, {due} ({zone}): the platform marks it late without a time.",
    zh="在截止时间{due}（{zone}）之后提交：平台只记为迟交，没有给出时间。",
)
COMMENT = Text(en="Your teacher's comment", zh="老师的评语")
HAS_COMMENT = Text(en="with a comment", zh="有评语")
NO_ANSWER = Text(en="No answer was given.", zh="没有作答。")
WAITING_POINTS = Text(
    en="{points} more points wait for your teacher and are not counted yet.",
    zh="另有{points}分等老师评分，尚未计入。",
)
WAITING = Text(
    en="Your teacher has yet to read this answer.",
    zh="老师还没有评这道题。",
)

CHECKED = Text(en="What was checked", zh="检查了什么")
PASSED = Text(en="passed", zh="通过")
FAILED = Text(en="failed", zh="未通过")
UNSOLVED = Text(en="Not solved: the stub was left in place.", zh="未作答：占位代码还在原处。")
RESTORED = Text(
    en="Not solved: in the notebook that you handed in, this exercise's cell is empty or missing.",
    zh="未作答：你交的notebook里，这道题的单元格是空的，或者已被删掉。",
)
LIKELY = Text(en="Likely cause", zh="很可能的原因")
NOT_JUDGED = Text(
    en="No check ran here. The cells said:", zh="这里没有运行任何检查。单元格的输出是："
)
HINT = Text(en="Hint {level} of {total}", zh="提示{level}/{total}")
MORE_HINTS = Text(
    en='hint("{id}") in the notebook gives the others.',
    zh='其余提示：在notebook中运行hint("{id}")。',
)
TASK = Text(en="The task", zh="题目")
ANSWER = Text(en="Your answer", zh="你的解答")

AS_WRITTEN = Text(
    en="Drawing this page took too long: texts and code are shown as they were written.",
    zh="这一页排版用时过长，文字和代码按原样显示。",
)
CELL = Text(en="Cell {first} of the notebook", zh="notebook的第{first}个单元格")
CELLS = Text(en="Cells {first} to {last} of the notebook", zh="notebook的第{first}至{last}个单元格")
PICTURE = Text(en="a picture that the cell showed", zh="单元格显示的图")
CUT = Text(en="… the rest is left out", zh="……其余部分从略")
