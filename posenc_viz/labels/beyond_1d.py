"""What the figures of chapter 10 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

score_share = Text(en="score / largest", zh="得分/最大值")
row = Text(en="row", zh="行")
column = Text(en="column", zh="列")
down = Text(en="row (patches)", zh="行（块）")
across = Text(en="column (patches)", zh="列（块）")
flattened = controls(
    row=row,
    column=column,
    width=Text(en="patches in a row", zh="每行块数"),
    tries=[
        Try(
            en="column 0: what turns deep red in the row above?",
            zh="第0列：上一行里，变成深红的是什么？",
            column=0,
        ),
        Try(
            en="a wider image: where is the patch below?",
            zh="图像变宽：下方那一块到哪去了？",
            width=16,
        ),
    ],
)
steps = panel(
    x=across,
    y=down,
    title=Text(en="steps from ({row}, {column})", zh="到({row}, {column})的步数"),
    colour_label=Text(en="steps", zh="步"),
)
line_scores = panel(
    x=across,
    y=down,
    title=Text(en="RoPE along the line: score / largest", zh="沿线的RoPE：得分/最大值"),
)
phases = controls(
    pair=Text(en="pair", zh="对"),
    row=row,
    column=column,
    tries=[
        Try(en="a slow pair: what does one step do?", zh="低频的一对：走一步变多少？", pair=7),
        Try(
            en="the fastest column pair: which columns look alike?",
            zh="最高频的列对：哪几列看起来一样？",
            pair=4,
        ),
        Try(
            en="patch (0, 0): where do all hands point?",
            zh="块(0, 0)：所有指针指向哪里？",
            row=0,
            column=0,
        ),
    ],
)
cosines = panel(
    x=Text(en="column x (patches)", zh="列x（块）"),
    y=Text(en="row y (patches)", zh="行y（块）"),
    title=Text(
        en="pair {pair}: cosine to patch ({row}, {column})",
        zh="第{pair}对：与块({row}, {column})的夹角余弦",
    ),
)
patch = Text(en="patch ({row}, {column})", zh="块({row}, {column})")
directions = controls(
    row=row,
    column=column,
    count=Text(en="directions", zh="方向数"),
    tries=[
        Try(
            en="8 directions: is what is near in the image now near for the head too?",
            zh="8个方向：图像上近的，对头来说也近了吗？",
            count=8,
        ),
        Try(
            en="4 directions from a corner: does the other corner matter?",
            zh="4个方向，从一角出发：对角那里怎样？",
            row=0,
            column=0,
            count=4,
        ),
    ],
)
scores = panel(
    x=across,
    y=down,
    title=Text(
        en="score / largest from ({row}, {column})", zh="从({row}, {column})出发：得分/最大值"
    ),
)
cuts = panel(
    x=Text(en="distance (patches)", zh="距离（块）"),
    y=score_share,
    title=Text(en="{count} directions", zh="{count}个方向"),
)
along_the_row = Text(en="along the row", zh="沿着行")
diagonally = Text(en="diagonally", zh="沿对角线")
new_column = Text(en="new column", zh="新的列")
new_row = Text(en="new row", zh="新的行")
along_the_sequence = Text(en="along the sequence", zh="沿着序列")
on_the_grid = Text(en="on the grid", zh="在网格上")
resolution = controls(
    side=Text(en="patches per side", zh="每边块数"),
    keep=Text(en="keep the", zh="保持"),
    tries=[
        Try(
            en="four times as fine, step kept: how much of the scene is bright?",
            zh="每边块数变成四倍，保持步长：景物有多大一部分是亮的？",
            side=32,
        ),
        Try(
            en="the same with the extent kept: what is different from 8 × 8?",
            zh="同上，保持范围：和8×8有什么不同？",
            side=32,
            keep="extent",
        ),
    ],
)
kept_scores = panel(
    x=across,
    y=down,
    title=Text(
        en="score / largest, {side} × {side} patches, {kept} kept",
        zh="得分/最大值，{side}×{side}块，保持{kept}",
    ),
)
step = Text(en="step", zh="步长")
extent = Text(en="extent", zh="范围")
gap_filling = controls(
    gap=Text(en="place of the gap", zh="空缺的位置"),
    written=Text(en="words written", zh="写出的词数"),
    tries=[
        Try(
            en="twice as many words: which old numbers change?",
            zh="词数加倍：原来的数哪些变了？",
            written=6,
        ),
        Try(
            en="the gap at the end, as in a chat: which numbers stay the same?",
            zh="空缺在末尾，像对话那样：哪些数不再变？",
            gap=5,
        ),
    ],
)
two_positions = panel(title=Text(en="The two positions of every token", zh="每个词元的两个位置"))
in_the_text = Text(en="in the text", zh="文本中")
in_the_filling = Text(en="in the filling", zh="补全中")
sequence = controls(
    words=Text(en="words before", zh="前面的词数"),
    steps=Text(en="steps in time", zh="时间步数"),
    height=Text(en="height (patches)", zh="高（块）"),
    width=Text(en="width (patches)", zh="宽（块）"),
    tries=[
        Try(
            en="a column of 8 patches: which line leads?",
            zh="8块竖排：哪条线最高？",
            height=8,
            width=1,
        ),
        Try(
            en="8 steps of 2 × 2: where does the text go on?",
            zh="8个时间步，每步2×2：文本从哪里继续？",
            steps=8,
            height=2,
            width=2,
        ),
        Try(
            en="9 patches in a square: more positions than 8 in a column?",
            zh="9块排成正方形：比8块竖排占的位置多吗？",
            height=3,
            width=3,
        ),
    ],
)
positions = panel(
    x=Text(en="place in the sequence (tokens)", zh="在序列中的位置（词元）"),
    y=Text(en="position", zh="位置"),
    title=Text(en="{patches} patches take {taken} positions", zh="{patches}个块占{taken}个位置"),
)
time_axis = Text(en="time t", zh="时间t")
height_axis = Text(en="height h", zh="高h")
width_axis = Text(en="width w", zh="宽w")
axes = (Text(en="time", zh="时间"), Text(en="height", zh="高"), Text(en="width", zh="宽"))
kinds = {
    "chunked": Text(en="Chunked: (16, 24, 24)", zh="连续：(16, 24, 24)"),
    "interleaved": Text(en="Interleaved: (24, 20, 20)", zh="交错：(24, 20, 20)"),
}
speeds = panel(
    x=Text(en="pair", zh="对"),
    y=Text(en="axis", zh="轴"),
    title="{kind}",
    colour_label=Text(en="radians per step, log10", zh="弧度/步，log10"),
)
turned = panel(x=across, y=down, title=Text(en="turned by {turn:.1f} rad", zh="转过{turn:.1f}弧度"))
