"""Exercise clinic_chart_biases: the chart of ward 3."""

from autograde.exercises._chart import charted, one_for_all
from autograde.kit.exercise import Exercise
from bilingual import Text

exercise = charted(
    Exercise(
        id="clinic_chart_biases",
        chapter="12_bug_clinic",
        title=Text(en="The chart of ward 3: biases", zh="三号病房的病历：偏置"),
        task=Text(
            en="""Return the chart of ward 3: a dictionary with the cases 10, 11, 12, 13. For
each, the letter of its fault (from the table above) and the name of one test that catches it:
`shape`, `shift`, `falls`, `crop`, `direction`, `golden`. Write it
like `{0: ("x", "shape")}`.

`examine` runs the tests. Each fault and each test counts on its own.""",
            zh="""返回三号病房的病历：一个字典，包含病例10、11、12、13。每例给出错误的代号（见上表），
以及一个能查出它的测试的名字：`shape`、`shift`、`falls`、`crop`、`direction`、`golden`。
写法如`{0: ("x", "shape")}`。

测试都可以运行：`examine`会显示各个测试的结论。每个错误、每个测试分别计分。""",
        ),
        signature="clinic_chart_biases() -> {case: (letter, test)}",
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
                en="The golden sample looks back only, and sees one side of an encoder.",
                zh="基准样本只看之前的键，编码器的两侧它只看到一侧。",
            ),
        ),
    ),
    cases={
        10: ("d", {"golden"}),
        11: ("a", {"falls", "golden"}),
        12: ("e", {"direction"}),
        13: ("b", {"falls", "golden"}),
    },
    shows={
        "a": Text(
            en="bucket numbers would begin at 0 again where the exact ones end",
            zh="那样的话精确的桶用完之后，编号又会从0开始",
        ),
        "b": Text(
            en="the token itself would get the number 0 of the padding",
            zh="那样的话词元自身会拿到填充的0",
        ),
        "c": Text(
            en="no scores are divided here: these patients return a bias or its bucket",
            zh="这里没有得分可除：病人返回的是偏置或桶号",
        ),
        "d": Text(
            en="the first head would subtract a whole point per token",
            zh="那样的话第一个头每个词元会扣整整1",
        ),
        "e": Text(
            en="3 ahead and 3 back would get one number",
            zh="那样的话3个之前和3个之后会得到同一个数",
        ),
        "f": Text(
            en="the slopes of neighbouring heads would all differ by the same amount",
            zh="那样的话相邻两个头的斜率之差会处处相等",
        ),
    },
    tests="shape shift falls crop direction golden",
)


one_for_all(
    exercise,
    "crop",
    en="You chose `crop` throughout. All four depend on the distance alone, so a longer text "
    "changes nothing in them.",
    zh="你一律选了`crop`。这四例都只取决于距离，文本变长对它们毫无影响。",
)


@exercise.misconception(
    en="Cases 11 and 12 are swapped: 11 goes back to bucket 0 far away, 12 does not tell left "
    "from right.",
    zh="病例11和12弄反了：11在远处回到0号桶，12不分左右。",
)
def buckets_swapped() -> dict[int, tuple[str, str]]:
    return {10: ("d", "golden"), 11: ("e", "falls"), 12: ("a", "direction"), 13: ("b", "falls")}
