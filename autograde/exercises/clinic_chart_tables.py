"""Exercise clinic_chart_tables: the chart of ward 1."""

from autograde.exercises._chart import charted, one_for_all
from autograde.kit.exercise import Exercise
from bilingual import Text

exercise = charted(
    Exercise(
        id="clinic_chart_tables",
        chapter="12_bug_clinic",
        title=Text(en="The chart of ward 1: tables", zh="一号病房的病历：编码表"),
        task=Text(
            en="""Return the chart of ward 1: a dictionary with the cases 1, 2, 3, 4. For each,
the letter of its fault (from the table above) and the name of one test that catches it:
`shape`, `norm`, `shift`, `near`, `batch`, `golden`. Write it
like `{0: ("x", "shape")}`.

`examine` runs the tests. Each fault and each test counts on its own.""",
            zh="""返回一号病房的病历：一个字典，包含病例1、2、3、4。每例给出错误的代号（见上表），
以及一个能查出它的测试的名字：
`shape`、`norm`、`shift`、`near`、`batch`、`golden`。写法如`{0: ("x", "shape")}`。

测试都可以运行：`examine`会显示各个测试的结论。每个错误、每个测试分别计分。""",
        ),
        signature="clinic_chart_tables() -> {case: (letter, test)}",
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
                en="Case 3 has every property; only a known number can tell.",
                zh="病例3什么性质都有，只有已知的数才分得出。",
            ),
        ),
    ),
    cases={
        1: ("a", {"near", "golden"}),
        2: ("e", {"near", "golden"}),
        3: ("d", {"golden"}),
        4: ("c", {"batch"}),
    },
    shows={
        "a": Text(
            en="frequencies would rise from pair to pair, and neighbouring rows would have "
            "nothing in common",
            zh="那样的话频率会逐对升高，相邻的行毫无共同之处",
        ),
        "b": Text(
            en="the norm of the rows would wander, and here it stays",
            zh="那样的话各行的范数会飘，这里却不变",
        ),
        "c": Text(
            en="a token's row would depend on the sentences above it, and with one sentence all "
            "rows would be equal",
            zh="那样的话词元的行会取决于它上方的句子；只有一句时，各行都相同",
        ),
        "d": Text(
            en="row 0 would be zeros first, then ones",
            zh="那样的话第0行会先是一串0，再是一串1",
        ),
        "e": Text(
            en="all pairs would turn at one speed",
            zh="那样的话所有的对会转得一样快",
        ),
        "f": Text(
            en="short texts would be right: the first positions are exact in 16 bits",
            zh="那样的话短文本会是对的：16位下靠前的位置是准确的",
        ),
    },
    tests="shape norm shift near batch golden",
)


one_for_all(
    exercise,
    "shift",
    en="You chose `shift` throughout. Any speeds, any order of columns and even equal rows pass "
    "it: it asks only that rows 2 apart be equally similar.",
    zh="你一律选了`shift`。频率不对、列序不对，甚至各行相同的程序，它都放行："
    "它只要求相隔2行的相似度处处相等。",
)


@exercise.misconception(
    en="Cases 1 and 2 are swapped. Both are too fast; in case 2 all pairs turn at the *same* "
    "speed.",
    zh="病例1和2弄反了。两者都太快，而病例2是所有的对*一样*快。",
)
def speeds_swapped() -> dict[int, tuple[str, str]]:
    return {1: ("e", "near"), 2: ("a", "near"), 3: ("d", "golden"), 4: ("c", "batch")}
