"""What the figures of chapter 7 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

reach = controls(
    head=Text(en="head", zh="头"),
    heads=Text(en="number of heads H", zh="头数H"),
    length=Text(en="length", zh="长度"),
    tries=[
        Try(
            en="12 heads: which sees further, head 8 or the last?",
            zh="12个头：第8个和最后一个，哪个看得更远？",
            heads=12,
            head=8,
        ),
        Try(en="the most short-sighted of 8", zh="8个头里看得最近的", head=1),
    ],
)
weights = panel(
    x=Text(en="distance i − j (tokens)", zh="距离i − j（词元）"),
    y=Text(en="attention weight", zh="注意力权重"),
    title=Text(
        en="reach of head {head}: {reach:.0f} tokens",
        zh="第{head}个头的有效范围：{reach:.0f}个词元",
    ),
)
first_head = Text(en="first head", zh="第一个头")
this_head = Text(en="head {head}", zh="第{head}个头")
last_head = Text(en="last head", zh="最后一个头")
forms = controls(
    form=Text(en="form", zh="形式"),
    head=Text(en="head", zh="头"),
    tries=[
        Try(
            en="symmetric: which half is the same as before?",
            zh="symmetric：哪一半和刚才一样？",
            form="symmetric",
        ),
        Try(
            en="key_only: what is left of the query?",
            zh="key_only：查询还剩下什么？",
            form="key_only",
        ),
        Try(en="the last head: is its bias 0?", zh="最后一个头：它的偏置是0吗？", head=8),
    ],
)
bias = panel(
    x=Text(en="key j", zh="键j"),
    y=Text(en="query i", zh="查询i"),
    title=Text(en="{form}, slope 1/{inverse:.0f}", zh="{form}，斜率1/{inverse:.0f}"),
)
tails = controls(
    r1="r₁",
    r2="r₂",
    tries=[
        Try(
            en="a heavy tail: what is left far away?",
            zh="很重的尾巴：远处还剩多少？",
            r1=0.5,
            r2=2.0,
        ),
        Try(en="steep: nearer to ALiBi?", zh="陡一些：更像ALiBi吗？", r1=3.0, r2=2.0),
    ],
)
factors = panel(
    x=Text(en="distance |i − j| (tokens)", zh="距离|i − j|（词元）"),
    y=Text(en="factor on the weight", zh="权重所乘的因子"),
    title=Text(en="How fast is the past forgotten?", zh="过去被遗忘得多快？"),
)
kerple_log = Text(en="KERPLE log", zh="KERPLE对数核")
kerple_power = Text(en="KERPLE power", zh="KERPLE幂核")
alibi_slope_1_32 = Text(en="ALiBi, slope 1/32", zh="ALiBi，斜率1/32")
cosines = panel(
    x=Text(en="distance |i − j| (tokens)", zh="距离|i − j|（词元）"),
    y=Text(en="bias", zh="偏置"),
    title=Text(en="A sum of cosines beside a logarithm", zh="余弦之和与对数"),
)
sandwich_head_8_of = Text(en="Sandwich, head 8 of 8", zh="Sandwich，8个头中的第8个")
perplexity = panel(
    x=Text(en="input length (tokens)", zh="输入长度（词元）"),
    y=Text(en="perplexity", zh="困惑度"),
    title=Text(en="Trained on 512 tokens", zh="训练长度为512个词元"),
)
sinusoidal = Text(en="sinusoidal", zh="正弦")
rotary = Text(en="rotary", zh="旋转")
doors = controls(
    stop=Text(en="gate of the full stop", zh="句号的门"),
    others=Text(en="all other gates", zh="其余的门"),
    tries=[
        Try(en="a closed gate: what is left before it?", zh="门关上：之前还剩什么？", stop=0.05),
        Try(
            en="this gate alone: does distance count?",
            zh="只有这一个门：距离还起作用吗？",
            stop=0.05,
            others=1.0,
        ),
        Try(en="all gates alike: ALiBi", zh="门都一样：ALiBi", stop=0.9, others=0.9),
    ],
)
gated = panel(
    x=Text(en="key j", zh="键j"),
    y=Text(en="query i", zh="查询i"),
    title=Text(en="weights; gates {others}, at 4 {stop}", zh="权重；门为{others}，位置4为{stop}"),
)
last_query = panel(
    x=Text(en="key j", zh="键j"),
    y=Text(en="attention weight", zh="注意力权重"),
    title=Text(en="weights of the last query", zh="最后一个查询的权重"),
)
with_gates = Text(en="with the gates", zh="用门")
fixed_slope = Text(en="ALiBi, slope of the other gates", zh="ALiBi，斜率取自其余的门")
