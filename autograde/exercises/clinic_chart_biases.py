"""Exercise clinic_chart_biases: the chart of ward 3."""

from autograde.exercises._chart import charted
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
`shape`, `shift`, `falls`, `crop`, `direction`, `golden`. For example
`{10: ("f", "shape"), 11: ("b", "crop")}`.

The tests can be run: `examine` shows what each says. Each fault and each test counts on its
own.""",
            zh="""返回三号病房的病历：一个字典，包含病例10、11、12、13。每例给出错误的字母（见上表），
以及一个抓得住它的测试的名字：`shape`、`shift`、`falls`、`crop`、`direction`、`golden`。
例如`{10: ("f", "shape"), 11: ("b", "crop")}`。

测试都可以运行：`examine`会显示各个测试的结论。每个错误、每个测试分别计分。""",
        ),
        signature="clinic_chart_biases() -> {case: (letter, test)}",
        points=2,
        difficulty=2,
        minutes=8,
        hints=(
            Text(
                en="Begin with the letters that belong to nobody: which symptom of theirs did "
                "you not see?",
                zh="先排除不属于任何人的字母：它们该有的症状，你有哪个没见到？",
            ),
            Text(
                en="`examine` with the tests and the patients of the ward prints who catches whom.",
                zh="对本病房的测试和病人调用`examine`，就会打印谁抓住了谁。",
            ),
            Text(
                en="The golden sample looks back only, and sees one side of an encoder.",
                zh="黄金样本只往回看，编码器的两侧它只看到一侧。",
            ),
        ),
    ),
    cases={
        10: ("a", {"golden"}),
        11: ("c", {"falls", "golden"}),
        12: ("d", {"direction"}),
        13: ("e", {"falls", "golden"}),
    },
    shows={
        "a": Text(
            en="the first head would lose a whole point a token",
            zh="那样的话第一个头每个词元会扣整整1",
        ),
        "b": Text(
            en="the differences of neighbouring heads would be equal",
            zh="那样的话相邻两头之差会处处相等",
        ),
        "c": Text(
            en="bucket numbers would begin at 0 again where the exact ones end",
            zh="那样的话精确的桶用完之后，编号又会从0开始",
        ),
        "d": Text(
            en="3 ahead and 3 back would get one number",
            zh="那样的话往前3个和往回3个会得到同一个数",
        ),
        "e": Text(
            en="the token itself would get the number 0 of the padding",
            zh="那样的话词元自身会拿到填充的0",
        ),
        "f": Text(
            en="no scores are divided here: these patients return a bias or its bucket",
            zh="这里没有得分可除：病人返回的是偏置或桶号",
        ),
    },
    tests="shape shift falls crop direction golden",
)


@exercise.misconception(
    en="You trust the golden value with everything. Its sample is too small for some of these "
    "cases.",
    zh="你把一切都交给黄金值了。对其中几例来说，它的样本太小。",
)
def golden_for_all() -> dict[int, tuple[str, str]]:
    return {10: ("a", "golden"), 11: ("c", "golden"), 12: ("d", "golden"), 13: ("e", "golden")}


@exercise.misconception(
    en="You chose `crop` throughout. All four depend on the distance alone, so a longer text "
    "changes nothing in them.",
    zh="你一律选了`crop`。这四例都只取决于距离，文本变长对它们毫无影响。",
)
def crop_for_all() -> dict[int, tuple[str, str]]:
    return {10: ("a", "crop"), 11: ("c", "crop"), 12: ("d", "crop"), 13: ("e", "crop")}


@exercise.misconception(
    en="Cases 11 and 12 are swapped: 11 goes back to bucket 0 far away, 12 does not tell left "
    "from right.",
    zh="病例11和12弄反了：11在远处回到0号桶，12不分左右。",
)
def buckets_swapped() -> dict[int, tuple[str, str]]:
    return {10: ("a", "golden"), 11: ("d", "falls"), 12: ("c", "direction"), 13: ("e", "falls")}


@exercise.misconception(
    en="You chose `shape` throughout. All of these programs return the right shape: that is why "
    "they live so long.",
    zh="你一律选了`shape`。这些程序返回的形状全都对，所以才活得这么久。",
)
def only_shapes() -> dict[int, tuple[str, str]]:
    return {10: ("a", "shape"), 11: ("c", "shape"), 12: ("d", "shape"), 13: ("e", "shape")}
