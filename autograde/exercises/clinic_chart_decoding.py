"""Exercise clinic_chart_decoding: the chart of ward 5."""

from autograde.exercises._chart import charted, one_for_all
from autograde.kit.exercise import Exercise
from bilingual import Text

exercise = charted(
    Exercise(
        id="clinic_chart_decoding",
        chapter="12_bug_clinic",
        title=Text(en="The chart of ward 5: decoding", zh="五号病房的病历：解码"),
        task=Text(
            en="""Return the chart of ward 5: a dictionary with the cases 18, 19, 20, 21. For
each, the letter of its fault (from the table above) and the name of one test that catches it:
`shape`, `decode`, `chunks`, `causal`, `group`, `golden`. Write it
like `{0: ("x", "shape")}`.

`examine` runs the tests. Each fault and each test counts on its own.""",
            zh="""返回五号病房的病历：一个字典，包含病例18、19、20、21。每例给出错误的代号（见上表），
以及一个能查出它的测试的名字：`shape`、`decode`、`chunks`、`causal`、`group`、`golden`。
写法如`{0: ("x", "shape")}`。

测试都可以运行：`examine`会显示各个测试的结论。每个错误、每个测试分别计分。""",
        ),
        signature="clinic_chart_decoding() -> {case: (letter, test)}",
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
                en="In pieces of one token, case 19 is right. In which pieces is it wrong?",
                zh="每块一个词元时，病例19是对的。怎样分块它才会错？",
            ),
        ),
    ),
    cases={
        18: ("d", {"decode", "chunks"}),
        19: ("f", {"chunks"}),
        20: ("b", {"group"}),
        21: ("a", {"decode", "chunks"}),
    },
    shows={
        "a": Text(
            en="the nearest key would be penalised most while decoding",
            zh="那样的话解码时离得最近的键扣得最多",
        ),
        "b": Text(
            en="prefill and decoding would agree, and query heads would read a stranger's keys",
            zh="那样的话预填充与解码一致，但查询头读了别人的键",
        ),
        "c": Text(
            en="a stored key would move at every step",
            zh="那样的话存好的键每一步都会移动",
        ),
        "d": Text(
            en="one place after the first piece would stay empty, and all later tokens would be "
            "off",
            zh="那样的话第一块后面会空出一格，后面的词元全都错位",
        ),
        "e": Text(
            en="a later key would change an earlier output, and here it does not",
            zh="那样的话后面的键会改变前面的输出，这里没有",
        ),
        "f": Text(
            en="pieces of equal length would be right, a shorter last piece wrong",
            zh="那样的话各块等长时是对的，最后一块短了就错",
        ),
    },
    tests="shape decode chunks causal group golden",
)


one_for_all(
    exercise,
    "decode",
    en="`decode` sees neither case 19 nor 20: token by token all pieces are equal, and wrong heads "
    "are wrong both ways.",
    zh="病例19和20，`decode`都查不出：逐个词元时各块等长；头读错了，两种算法错得一样。",
)


one_for_all(
    exercise,
    "chunks",
    en="`chunks` does not see case 20: pieces and one pass agree, as both read the wrong heads.",
    zh="病例20，`chunks`查不出：分块与一次算完一致，两者都读错了头。",
)


@exercise.misconception(
    en="Cases 18 and 19 are swapped: 18 is off even in pieces of equal length, 19 in unequal "
    "pieces alone.",
    zh="病例18和19弄反了：18在各块等长时也错，19只在各块不等长时才错。",
)
def starts_swapped() -> dict[int, tuple[str, str]]:
    return {18: ("f", "decode"), 19: ("d", "chunks"), 20: ("b", "group"), 21: ("a", "decode")}
