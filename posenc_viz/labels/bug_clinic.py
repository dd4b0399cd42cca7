"""What the figures of chapter 12 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

patients = {"healthy": Text(en="healthy", zh="健康程序")} | {
    f"case {n}": Text(en=f"case {n}", zh=f"病例{n}") for n in range(1, 22)
}


table = controls(
    patient=Text(en="patient", zh="病人"),
    dim=Text(en="dimension d", zh="维度d"),
    tries=[
        Try(
            en="case 2, eight columns: how many different ones?",
            zh="病例2，8列：其中有几种不同的列？",
            patient="case 2",
            dim=8,
        ),
        Try(
            en="case 3: is anything missing, or only moved?",
            zh="病例3：是少了什么，还是只挪了地方？",
            patient="case 3",
        ),
        Try(
            en="case 4, one sentence: which positions do its tokens get?",
            zh="病例4，只有一句：各个词元的位置是几？",
            patient="case 4",
        ),
    ],
)
rows = panel(
    x=Text(en="column", zh="列"),
    y=Text(en="position in tokens", zh="位置（词元）"),
    title=Text(en="the table of: {patient}", zh="{patient}的表"),
)
profile = controls(
    patient=Text(en="patient", zh="病人"),
    start=Text(en="query moved by", zh="查询移动"),
    tries=[
        Try(
            en="case 6, far away: do the last two curves still agree?",
            zh="病例6，搬到远处：后两条曲线还重合吗？",
            patient="case 6",
            start=60,
        ),
        Try(
            en="case 7: what does the score know of the distance?",
            zh="病例7：得分还知道距离吗？",
            patient="case 7",
        ),
        Try(
            en="case 9, one step: is that enough to part the curves?",
            zh="病例9，只移一步：曲线就分开了吗？",
            patient="case 9",
            start=1,
        ),
    ],
)
scores = panel(
    x=Text(en="key − query, tokens", zh="键−查询，词元"),
    y=Text(en="score", zh="得分"),
    title=Text(en="{patient}, moved by {start}", zh="{patient}，移动{start}"),
)
healthy = Text(en="healthy", zh="健康")
query_at_0 = Text(en="query at 0", zh="查询在0")
query_moved = Text(en="query moved", zh="查询已移动")
rounding = controls(
    start=Text(en="first position", zh="起始位置"),
    pair=Text(en="pair of channels", zh="通道对"),
    tries=[
        Try(
            en="the beginning of the text: who is wrong here?", zh="文本开头：这里谁错了？", start=0
        ),
        Try(
            en="the fastest pair: why does case 17 get it right?",
            zh="最高频的一对：病例17为什么没错？",
            pair=0,
        ),
        Try(
            en="the far end: how wide is a step of case 16?",
            zh="最远处：病例16的一级台阶有多宽？",
            start=4000,
        ),
    ],
)
cosines = panel(
    x=Text(en="position in tokens", zh="位置（词元）"),
    y=Text(en="cosine of the pair", zh="这一对的余弦"),
    title=Text(
        en="bfloat16 from position {start} on, pair {pair}",
        zh="bfloat16，从位置{start}起，第{pair}对",
    ),
)
float32 = "float32"
case_16 = Text(en="case 16", zh="病例16")
case_17 = Text(en="case 17", zh="病例17")
matrix = controls(
    one=Text(en="first test", zh="第一个测试"),
    two=Text(en="second test", zh="第二个测试"),
    tries=[
        Try(
            en="two properties, no golden value: who gets away?",
            zh="两种性质，没有基准值：谁漏过去了？",
            one="norm",
            two="shift",
        ),
        Try(
            en="golden with precise: does another pair miss fewer?",
            zh="golden加precise：换一对测试，能漏得更少吗？",
            one="golden",
            two="precise",
        ),
    ],
)
tests = panel(
    x=Text(en="case", zh="病例"),
    y=Text(en="test", zh="测试"),
    title=Text(
        en="{one}, {two}: {missed} of 21 missed",
        zh="{one}、{two}：21例漏掉{missed}例",
    ),
    colour_label=Text(en="1: caught", zh="1：查出"),
)
