"""Exercise clinic_chart_rotations: the chart of ward 2."""

from autograde.exercises._chart import charted, one_for_all
from autograde.kit.exercise import Exercise
from bilingual import Text

exercise = charted(
    Exercise(
        id="clinic_chart_rotations",
        chapter="12_bug_clinic",
        title=Text(en="The chart of ward 2: rotations", zh="二号病房的病历：旋转"),
        task=Text(
            en="""Return the chart of ward 2: a dictionary with the cases 5, 6, 7, 8, 9. For
each, the letter of its fault (from the table above) and the name of one test that catches it:
`shape`, `norm`, `shift`, `order`, `near`, `golden`. Write it
like `{0: ("x", "shape")}`.

`examine` runs the tests. Each fault and each test counts on its own.""",
            zh="""返回二号病房的病历：一个字典，包含病例5、6、7、8、9。每例给出错误的代号（见上表），
以及一个能查出它的测试的名字：
`shape`、`norm`、`shift`、`order`、`near`、`golden`。写法如`{0: ("x", "shape")}`。

测试都可以运行：`examine`会显示各个测试的结论。每个错误、每个测试分别计分。""",
        ),
        signature="clinic_chart_rotations() -> {case: (letter, test)}",
        points=2,
        difficulty=2,
        minutes=5,
        hints=(
            Text(
                en="Begin with the faults that nobody here has: how would each of them show, and "
                "did you see it?",
                zh="先排除没人犯的错误：犯了它会有什么症状，你见到了吗？",
            ),
            Text(
                en="`examine` with the tests and the patients of the ward prints which test "
                "catches which case.",
                zh="对本病房的测试和病人调用`examine`，就会打印哪个测试查出了谁。",
            ),
            Text(
                en="The golden sample of this ward has one head. Whose fault shows only with "
                "several?",
                zh="本病房的基准样本只有一个头。哪种错误要有多个头才显得出来？",
            ),
        ),
    ),
    cases={
        5: ("e", {"shift", "golden"}),
        6: ("b", {"golden"}),
        7: ("f", {"order", "golden"}),
        8: ("a", {"near"}),
        9: ("d", {"norm", "shift", "golden"}),
    },
    shows={
        "a": Text(
            en="with one head it would be right, and with more the slow pairs would be missing",
            zh="那样的话一个头时是对的，头多了就没有低频对",
        ),
        "b": Text(
            en="the score of 5 and 3 would be the healthy score of 3 and 5",
            zh="那样的话5与3的得分会等于健康程序里3与5的得分",
        ),
        "c": Text(
            en="lengths would change, and with them the scores of a moved text",
            zh="那样的话长度会变，移动文本后的得分也会变",
        ),
        "d": Text(
            en="lengths would change: one half is computed from a mixture of old and new",
            zh="那样的话长度会变：有一半是用新旧混杂的数算的",
        ),
        "e": Text(
            en="scores would change when the text moves, although every length is kept",
            zh="那样的话长度虽然不变，文本一移动得分就变",
        ),
        "f": Text(
            en="the same word would get the same score at every place",
            zh="那样的话同一个词放在哪里得分都一样",
        ),
        "g": Text(
            en="values do not occur in this ward",
            zh="本病房里根本没有值",
        ),
    },
    tests="shape norm shift order near golden",
)


one_for_all(
    exercise,
    "shift",
    en="`shift` does not see cases 6, 7 and 8: they are shift-invariant, and wrong.",
    zh="病例6、7、8，`shift`都查不出：它们平移不变，却是错的。",
)


@exercise.misconception(
    en="Case 6 has its minus sign, on the wrong half. Without it lengths would change.",
    zh="病例6有负号，只是放错了一半。真少了负号，长度会变。",
)
def minus_missing() -> dict[int, tuple[str, str]]:
    return {
        5: ("e", "shift"),
        6: ("c", "golden"),
        7: ("f", "order"),
        8: ("a", "near"),
        9: ("d", "norm"),
    }
