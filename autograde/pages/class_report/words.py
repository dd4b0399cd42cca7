"""The sentences of the page, in the order in which it shows them."""

from __future__ import annotations

from autograde.pages.marks import WORDS as MARKS  # noqa: F401 - for the templates
from bilingual import Text

TITLE = Text(en="Class report: {assignment}", zh="班级报告：{assignment}")
AS_OF = Text(en="As of {now} ({zone})", zh="截至{now}（{zone}）")
DUE = Text(en="Due {due} ({zone})", zh="截止时间{due}（{zone}）")
PSEUDONYMS = Text(
    en="Students appear under pseudonyms. Their names, the times of handing in, extensions and the "
    "words of errors are left out.",
    zh="学生以化名出现。姓名、提交时间、延期和报错内容均已略去。",
)

ENROLLED = Text(en="enrolled", zh="全班人数")
HANDED_IN = Text(en="handed in", zh="已提交")
GRADED = Text(en="graded", zh="已评分")
LATE_COUNT = Text(en="late", zh="迟交")
GRACE_COUNT = Text(en="within the grace period", zh="在宽限之内")
MEAN = Text(en="mean, of {most:g}", zh="平均分，满分{most:g}")
MEDIAN = Text(en="median", zh="中位数")
FULL_COUNT = Text(en="full marks", zh="满分人数")

POINTS = Text(en="Points", zh="得分分布")
HISTOGRAM = Text(
    en="How many submissions lie in each tenth of the points, before late penalties.",
    zh="得分每一成区间里各有多少份提交，未扣迟交分。",
)
BIN = Text(en="{low:g} to {high:g}: {count}", zh="{low:g}到{high:g}分：{count}份")
FAILED_POINTS = Text(
    en="A submission that could not be graded counts with the points that the gradebook has: those "
    "of the student's last one that could be graded, else 0.",
    zh="无法评分的提交按成绩库里的分数计：该学生此前有过可评分的提交，就是那一次的分数，否则为0分。",
)

WAITING_COUNT_0 = Text(
    en="Written answers that wait for the teacher: {count}. Until then they count as 0 here, as "
    "they do in the gradebook.",
    zh="等老师评分的书面回答：{count}份。评分之前，这里和成绩库一样都按0分计。",
)

EXERCISES = Text(en="Exercises", zh="各题得分")
EXERCISE = Text(en="exercise", zh="练习")
SHARES = Text(en="share of submissions", zh="占提交的比例")
MEAN_POINTS = Text(en="mean / points", zh="平均/满分")
MISCONCEPTIONS = Text(en="Misconceptions the class holds", zh="全班有哪些误解")
HELD_BY = Text(
    en="How many students hold each misconception of each exercise. a is the most frequent of its "
    "exercise; the stronger the colour, the larger the share of the class. The letters are "
    "explained below.",
    zh="每道题的每种误解各有多少学生。a是该题最常见的误解；颜色越浓，占全班的比例越大。字母的含义见下文。",
)
OTHER = Text(en="unnamed", zh="其他")
NONE_HELD = Text(en="Nobody holds a known misconception.", zh="没有发现已知的误解。")

ITEMS = Text(en="Item analysis", zh="题目分析")
SOLVED = Text(en="solved", zh="做对的比例")
MEAN_SHARE = Text(en="mean of the points", zh="平均得分率")
DISCRIMINATION = Text(en="discrimination", zh="区分度")
HERE_AND_REST = Text(en="points here, over points in the rest", zh="本题得分对其余得分")
MINUTES = Text(en="minutes, as stated", zh="标称分钟数")
DOTS = Text(
    en="points for this exercise (up) over points for the rest (right), {students} students",
    zh="本题得分（纵）对其余题目得分（横），{students}名学生",
)
ITEMS_WHY = Text(
    en="Solved: the share with full points. Discrimination: how the points here go with those for "
    "the rest of the chapter, from −1 to 1 (correlation of the exercise with the rest, itself left "
    "out). Near 0, or where nearly everybody has the same points, it does not tell students apart; "
    "below 0 those who are strong elsewhere lose points here: look at the task first. With "
    "fewer than {fewest} students there is no number. Answers that wait for the teacher do not "
    "count. How long students took is not known; the minutes are those that the exercise states.",
    zh="做对：得满分的比例。区分度：本题得分与本章其余题目得分的相关系数，从−1到1，其余不含本题。"
    "接近0说明这道题分不出高下，几乎人人得分相同时也是如此；小于0说明别处强的学生反而在这里丢分，"
    "先看看题目。不足{fewest}人时不给数字。等老师评分的回答不计入。学生实际用了多久无从得知，"
    "分钟数是题目标出的。",
)

TOGETHER = Text(en="Which misconceptions go together", zh="哪些误解会一起出现")
MISCONCEPTION = Text(en="misconception", zh="误解")
STUDENTS_OF_BOTH = Text(en="left alone, both, right alone", zh="只有左边、两种都有、只有右边")
FIRST_ONLY = Text(en="the left one alone", zh="只有左边的")
BOTH = Text(en="both", zh="两种都有")
SECOND_ONLY = Text(en="the right one alone", zh="只有右边的")
TOGETHER_WHY = Text(
    en="Pairs from different exercises; at least three students hold both. φ is 1 if the same "
    "students hold both, 0 if one is independent of the other; pairs from 0.3 on are listed.",
    zh="不同题目的两种误解，至少三名学生两种都有。φ为1表示持有两者的是同一批学生，"
    "为0表示有一种与有没有另一种无关；列出0.3及以上的。",
)
TOGETHER_FEW = Text(
    en="Not shown for fewer than {fewest} graded students.", zh="评分不足{fewest}人，看不出来。"
)
TOGETHER_NONE = Text(en="No two stand out.", zh="没有明显一起出现的两种误解。")

ONE_BY_ONE = Text(en="Exercise by exercise", zh="逐题分析")
CHECK = Text(en="check", zh="检查")
PASSED = Text(en="passed, of {graded}", zh="通过，共{graded}份")
STUDENTS = Text(en="students: {count}", zh="学生：{count}人")
RAISED = Text(en="ended in an error: ", zh="运行出错：")
UNNAMED = Text(en="Wrong in a way that has no name. Not met:", zh="错误类型未收录。没有做到：")
BY_HAND_ONLY = Text(en="Graded by hand: no checks.", zh="人工评分，没有自动检查。")

STUDENT = Text(en="student", zh="学生")
STUCK = Text(en="Who is stuck", zh="谁卡住了")
STUCK_WHY = Text(
    en="Exercises that earned no points; the students with the most of them come first.",
    zh="一分未得的练习；这类练习多的学生排在前面。",
)
LATE = Text(en="Who is late", zh="谁迟交了")
HOURS = Text(en="late by", zh="迟交时长")
HANDED_IN_AT = Text(en="handed in", zh="提交时间")
DUE_AT = Text(en="due", zh="截止时间")
EXTENDED = Text(en="extended", zh="已延期")
DAYS_LATE = Text(en="days counted", zh="按几天计")
PENALTY = Text(en="penalty", zh="扣分")
EXTENSIONS = Text(en="Who has an extension", zh="谁获准延期")
NOT_RUN = Text(en="What could not be run or graded", zh="哪些没能运行或评分")
WHY = Text(en="why", zh="原因")
WHOLE = Text(en="the whole submission", zh="整份提交")
NO_CELL = Text(en="the cell is missing", zh="缺少这个单元格")
BY_HAND = Text(en="Left to grade by hand", zh="待人工评分")
MISSING = Text(en="Not in the gradebook", zh="成绩库中没有的提交")
WAITING = Text(en="Handed in, not graded yet: {count}", zh="已提交，尚未评分：{count}人")
AGAIN = Text(
    en="Handed in again, not graded yet, so their points are the earlier ones: {count}",
    zh="又交了一份，尚未评分，得分仍是之前那份的：{count}人",
)
ABSENT = Text(en="Nothing handed in: {count}", zh="没有提交：{count}人")
NOBODY = Text(en="Nobody.", zh="没有。")
NOTHING = Text(en="Nothing.", zh="没有。")

ALIKE = Text(en="Whose answers are alike", zh="谁的答案相似")
ALIKE_WHY = Text(
    en="Pairs whose answers share more than their exercise suggests. Names, numbers, comments, "
    "layout and order do not count; what was released, the course's solution and what many write "
    "carry no weight. Written answers of more than a few words are listed if they are equal apart "
    "from whitespace, with all who gave them. This is where to look, not a finding: two "
    "people can think alike, and may have been allowed to work together. Anyone not listed may "
    "still have copied.",
    zh="下面各对答案的相同之处超出了题目本身的要求。变量名、数字、注释、排版和顺序都不计；发布的代码、"
    "课程的参考解答和许多人都有的写法不占权重。书面回答不计空白、一字不差才列出，相同的列在一起，"
    "寥寥几个字的不列。这里只提示该看哪里，不下结论：两个人可能想到一起，也可能允许合作；没有列出的，也不等于没有抄。",
)
SHARE = Text(en="{share:.0%} alike", zh="相似{share:.0%}")
SHARED_LINES = Text(
    en="Marked: statements that both wrote and few others did.",
    zh="标出的是两人都写、而别人少写的语句。",
)
NO_LINES = Text(
    en="The lines are left out: they can say who wrote them.",
    zh="代码行已略去：它们可能透露作者。",
)
SAME_WORDS = Text(en="{count} students, the same words", zh="{count}人，一字不差")
WRITTEN_ANSWER = Text(en="Their answer", zh="他们的回答")
NO_PAIR = Text(en="No pair stands out.", zh="没有特别相似的一对。")
NOT_COMPARED = Text(en="Not compared", zh="没有比较的答案")
NOT_COMPARED_WHY = Text(
    en="These answers are not Python, are very long, or take too long to read: look at them "
    "yourself.",
    zh="这些答案不是Python代码，或者太长、太费时间，没能读出来：请自己看一看。",
)
