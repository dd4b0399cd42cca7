"""What the figures of chapter 3 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

learning = controls(
    step=Text(en="training step", zh="训练步数"),
    tries=[
        Try(en="before training: which rows are alike?", zh="训练之前：哪些行相像？", step=0),
        Try(
            en="step 160: what has the table learned first?",
            zh="第160步：表最先学会了什么？",
            step=160,
        ),
    ],
)
rows = panel(
    x=Text(en="position q (tokens)", zh="位置q（词元）"),
    y=Text(en="position p (tokens)", zh="位置p（词元）"),
    colour_label=Text(en="cosine", zh="余弦"),
)
learned_at = Text(en="learned, step {step}", zh="可学习的，第{step}步")
sinusoidal = Text(en="sinusoidal", zh="正弦")
blank = controls(
    p=Text(en="position p", zh="位置p"),
    tries=[
        Try(
            en="a blank at the start: where is the other side of the hill?",
            zh="空位在开头：峰的另一侧去哪儿了？",
            p=0,
        ),
        Try(en="a blank at the end: is the hill higher now?", zh="空位在末尾：峰变高了吗？", p=31),
    ],
)
weights = panel(
    x=Text(en="position of the letter (tokens)", zh="字母的位置（词元）"),
    y=Text(en="attention weight", zh="注意力权重"),
    title=Text(en="A blank at {p}", zh="空位在位置{p}"),
)
learned = Text(en="learned", zh="可学习的")
none = Text(en="none", zh="无位置")
guesses = panel(
    x=Text(en="position of the blank (tokens)", zh="空位的位置（词元）"),
    y=Text(en="share of right guesses", zh="命中率"),
    title=Text(en="Beyond the training length", zh="超出训练长度"),
)
learned_on_32 = Text(en="learned at length 32", zh="可学习，训练长度32")
learned_on_24 = Text(en="learned at length 24", zh="可学习，训练长度24")
sinusoidal_on_24 = Text(en="sinusoidal, at length 24", zh="正弦，训练长度24")
cost = controls(
    rows=Text(en="rows N", zh="行数N"),
    dim=Text(en="dimension d", zh="维度d"),
    tries=[
        Try(
            en="131072 rows: how many blocks would cost as much?",
            zh="131072行：抵得上几个块？",
            rows=131072,
        ),
        Try(
            en="where the lines cross: why just here?",
            zh="两线相交处：为什么恰好在这里？",
            rows=9216,
        ),
        Try(
            en="a wider model: does the crossing move left or right?",
            zh="更宽的模型：交点左移还是右移？",
            dim=8192,
        ),
    ],
)
parameters = panel(
    x=Text(en="rows N (tokens)", zh="行数N（词元）"),
    y=Text(en="parameters (millions)", zh="参数量（百万个）"),
    title=Text(
        en="{rows:.0f} rows: {millions:.1f} million parameters",
        zh="{rows:.0f}行：{wan:.0f}万个参数",
    ),
)
table = Text(en="table, N·d", zh="表，N·d")
block = Text(en="one block, about 12·d²", zh="一个块，约12·d²")
padded = controls(
    padding=Text(en="padding", zh="填充"),
    tries=[
        Try(en="no padding: do the two rows agree?", zh="没有填充：两行一样吗？", padding=0),
        Try(en="more padding than words", zh="填充比词还多", padding=6),
    ],
)
counts = panel(title=Text(en="padding on the left: {padding}", zh="左边有{padding}处填充"))
counting_columns = Text(en="counting columns", zh="按列计数")
counting_tokens = Text(en="counting tokens", zh="按词元计数")
rule = panel(
    x=Text(en="position p of the blank (tokens)", zh="空位的位置p（词元）"),
    y=Text(en="weight on position p − 1", zh="落在位置p − 1上的权重"),
    title=Text(en="One rule, learned place by place", zh="同一条规则，逐处学习"),
)
