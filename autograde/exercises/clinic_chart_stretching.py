"""Exercise clinic_chart_stretching: the chart of ward 4."""

from autograde.exercises._chart import charted
from autograde.kit.exercise import Exercise
from bilingual import Text

exercise = charted(
    Exercise(
        id="clinic_chart_stretching",
        chapter="12_bug_clinic",
        title=Text(
            en="The chart of ward 4: stretching and rounding", zh="四号病房的病历：扩展与舍入"
        ),
        task=Text(
            en="""Return the chart of ward 4: a dictionary with the cases 14, 15, 16, 17. For
each, the letter of its fault (from the table above) and the name of one test that catches it:
`shape`, `norm`, `golden`, `reach`, `precise`, `apart`. Write it
like `{0: ("x", "shape")}`.

`examine` runs the tests. Each fault and each test counts on its own.""",
            zh="""返回四号病房的病历：一个字典，包含病例14、15、16、17。每例给出错误的代号（见上表），
以及一个能查出它的测试的名字：`shape`、`norm`、`golden`、`reach`、`precise`、`apart`。
写法如`{0: ("x", "shape")}`。

测试都可以运行：`examine`会显示各个测试的结论。每个错误、每个测试分别计分。""",
        ),
        signature="clinic_chart_stretching() -> {case: (letter, test)}",
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
                en="Two faults need a stretch to show, two need 16 bits.",
                zh="两个错误要扩展才显形，两个要16位才显形。",
            ),
        ),
    ),
    cases={
        14: ("e", {"reach"}),
        15: ("c", {"reach"}),
        16: ("a", {"precise", "apart"}),
        17: ("f", {"precise"}),
    },
    shows={
        "a": Text(
            en="some neighbouring positions would share a row from 256 on",
            zh="那样的话从256起，有些相邻的位置会共用一行",
        ),
        "b": Text(
            en="fast pairs would be slowed and slow ones kept; nobody here has a ramp",
            zh="那样的话高频对会被放慢，低频对反而保留；这里谁也没有斜坡",
        ),
        "c": Text(
            en="every angle would be divided by the square of the stretch",
            zh="那样的话每个角度都会除以扩展倍数的平方",
        ),
        "d": Text(
            en="cos² + sin² would not be 1, or a factor would act on a score; neither occurs here",
            zh="那样的话cos² + sin²会不等于1，或得分上会多出因子；这里都没有",
        ),
        "e": Text(
            en="the fastest pair would be right and the slowest a little too fast",
            zh="那样的话最高频的一对是对的，最低频的略微偏快",
        ),
        "f": Text(
            en="rows would stay apart and drift away from the true ones, further with every token",
            zh="那样的话各行仍不相同，但会越走越偏",
        ),
    },
    tests="shape norm golden reach precise apart",
)


@exercise.misconception(
    en="Cases 16 and 17 are swapped: rounded positions make stairs, rounded frequencies a drift.",
    zh="病例16和17弄反了：位置被舍入是台阶，频率被舍入是漂移。",
)
def roundings_swapped() -> dict[int, tuple[str, str]]:
    return {14: ("e", "reach"), 15: ("c", "reach"), 16: ("f", "precise"), 17: ("a", "precise")}


@exercise.misconception(
    en="`apart` sees the stairs of case 16. The rows of case 17 are all different, only wrong.",
    zh="`apart`看得见病例16的台阶。病例17的各行都不相同，只是不对。",
)
def apart_for_both() -> dict[int, tuple[str, str]]:
    return {14: ("e", "reach"), 15: ("c", "reach"), 16: ("a", "apart"), 17: ("f", "apart")}
