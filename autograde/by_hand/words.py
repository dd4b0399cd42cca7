"""The sentences of the page, in the order in which it shows them."""

from __future__ import annotations

from bilingual import Text

TITLE = Text(en="{chapter}: grading by hand", zh="{chapter}：人工评分")
QUESTIONS = Text(en="Questions", zh="题目")
WAITING = Text(en="{count} waiting", zh="{count}份待评")
PROGRESS = Text(en="{graded} of {total} graded", zh="已评{graded}份，共{total}份")
NAMES_HIDDEN = Text(
    en="Names are hidden and the order is drawn; --names shows them.",
    zh="姓名已隐藏，顺序随机；加上--names可显示姓名。",
)
KEYS = Text(en="Keys", zh="快捷键")
KEYS_ABOUT = Text(
    en="They work while the frame is around an answer, not in a field.",
    zh="边框在某个回答上、不在输入框里时有效。",
)
KEY_TABLE = (
    ("0 … 9", Text(en="that many points, saved at once", zh="给这么多分，立即保存")),
    (".", Text(en="half a point more; again takes it off", zh="加半分，再按取消")),
    ("⌫", Text(en="take the points away", zh="撤销分数")),
    ("c", Text(en="write a comment", zh="写评语")),
    ("Esc", Text(en="leave the field", zh="离开输入框")),
    ("Enter", Text(en="save and go to the next one waiting", zh="保存，转到下一个待评的")),
    ("Ctrl Enter", Text(en="the same, in a comment", zh="同上，在评语里用")),
    ("n p", Text(en="next, previous answer", zh="下一个、上一个回答")),
    ("?", Text(en="this table", zh="显示本表")),
)
QUESTION = Text(en="The question", zh="题目")
KEY = Text(en="Key and points", zh="参考答案与评分")
NO_KEY = Text(en="The course has no key for this question.", zh="课程没有给出这道题的参考答案。")
ANSWERS = Text(en="Answers", zh="回答")
NONE = Text(en="Nobody has answered yet.", zh="还没有人作答。")
ANSWER = Text(en="Answer {number}", zh="回答{number}")
SAME = Text(en="{count} students, the same words", zh="{count}名学生，内容相同")
BLANK = Text(en="Left as it was released.", zh="与发布时一样，没有作答。")
AS_WRITTEN = Text(
    en="Drawing this answer took too long: it is shown as it was written.",
    zh="这个回答排版用时过长，按原样显示。",
)
POINTS = Text(en="Points", zh="分数")
COMMENT = Text(en="Comment (Markdown)", zh="评语（Markdown）")
SAVE = Text(en="Save and go on", zh="保存并继续")
STATE = Text(en="points: {score} of {most}", zh="{score}分，满分{most}分")
LOOK_AGAIN = Text(
    en="points by hand: {score}; graded again since, save to keep them",
    zh="手工给了{score}分，之后又重新评过：保存即可保留",
)
AUTOMATIC = Text(
    en="The grader gives {points}; points typed here replace them.",
    zh="评分程序给{points}分；在这里输入的分数会取而代之。",
)
NOT_YET = Text(en="Not saved yet.", zh="尚未保存。")
PAGES = Text(en="Pages of answers", zh="回答的各页")

CHANGED = Text(
    en="Not saved. Entered elsewhere meanwhile: points {points}, comment “{comment}”. "
    "Save again to replace them.",
    zh="未保存：其间别处填了{points}分，评语“{comment}”。再保存一次就会替换。",
)
OFFLINE = Text(
    en="Not saved: no reply. Is the command still running in its terminal?",
    zh="未保存：没有回应。终端里的命令还在运行吗？",
)
NOT_WRITTEN = Text(
    en="Not saved: the gradebook cannot be written: {why}.",
    zh="未保存：成绩库无法写入：{why}。",
)
NOT_READ = Text(
    en="The gradebook cannot be read: {why}. Load the page again.",
    zh="成绩库无法读取：{why}。请重新载入本页。",
)
NO_ENTRY = Text(
    en="Access denied: use the full address that the terminal shows.",
    zh="无法进入：请使用终端里显示的完整地址。",
)
NOT_THERE = Text(en="There is no such page.", zh="没有这个页面。")
