"""What the figures of chapter 13 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

models = {
    "Llama 3.1 8B": "llama_3_1_8b",
    "Qwen2.5 7B + YaRN": "qwen_2_5_7b_yarn",
    Text(en="Gemma 3 4B, global layers", zh="Gemma 3 4B，全局层"): "gemma_3_4b_saved_again",
    "DeepSeek-V3": "deepseek_v3",
}
model = Text(en="model", zh="模型")
ignoring = controls(
    model=model,
    position=Text(en="distance", zh="距离"),
    tries=[
        Try(
            en="all frequencies divided: how soon does a short prompt show it?",
            zh="所有频率都除以8：多短的prompt就看得出来？",
            model="gemma_3_4b_saved_again",
            position=200,
        ),
        Try(
            en="a stretch of 40: at which distance is half the cosine left?",
            zh="扩展40倍：余弦降到一半时，距离是多少？",
            model="deepseek_v3",
            position=4000,
        ),
    ],
)
apart = panel(
    x=Text(en="distance", zh="距离"),
    y=Text(en="cosine to the right rotation", zh="与正确旋转的余弦"),
    title=Text(en="distance {position}: {cosine:.3f}", zh="距离{position}：{cosine:.3f}"),
)
reaching = controls(
    model=model,
    times=Text(en="times as long", zh="加长倍数"),
    tries=[
        Try(
            en="eight times: do more pairs go further, or the same ones further still?",
            zh="八倍：走得更远的对变多了，还是同样那些对走得更远了？",
            times=8,
        ),
        Try(
            en="DeepSeek-V3, with 32 pairs: how many go further if nothing is set?",
            zh="DeepSeek-V3只有32对：什么也不改，有几对走得更远？",
            model="deepseek_v3",
        ),
    ],
)
circle = panel(
    x=Text(en="pair i (fast to slow)", zh="第i对（从高频到低频）"),
    y=Text(en="share of the circle", zh="占整圈的比例"),
    title=Text(
        en="{length} tokens: {beyond} pairs go further if nothing is set, {left} as written",
        zh="{length}个词元：什么也不改有{beyond}对走得更远，按写出的配置{left}对",
    ),
)
before = Text(en="up to the allowed length", zh="原先允许的长度以内")
nothing_set = Text(en="longer, nothing set", zh="加长，什么也不改")
as_written = Text(en="longer, as written", zh="加长，按写出的配置")
paying = controls(
    model=model,
    times=Text(en="times as long", zh="加长倍数"),
    tries=[
        Try(
            en="position interpolation: why does the left end not rise?",
            zh="位置插值：左端为什么没有升高？",
            model="gemma_3_4b_saved_again",
        ),
        Try(
            en="eight times instead of four: does the lead grow twice as much?",
            zh="从四倍改成八倍：领先也多涨一倍吗？",
            model="qwen_2_5_7b_yarn",
            times=8,
        ),
    ],
)
lead = panel(
    x=Text(en="distance (tokens)", zh="距离（词元）"),
    y=Text(en="lead of a key like the query", zh="与查询相像的键领先多少"),
    title=Text(
        en="scores × {scores:.2f}; a neighbour's lead × {near:.2f}",
        zh="得分乘{scores:.2f}；相邻词元的领先乘{near:.2f}",
    ),
)
now = Text(en="as published", zh="发布时的配置")
stretched = Text(en="stretched", zh="加长之后")
