"""What the figures of chapter 11 say."""

from collections.abc import Sequence

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

encodings = {
    "learned": Text(en="learned", zh="可学习的表"),
    "sinusoidal": Text(en="sinusoidal", zh="正弦"),
    "T5": "T5",
    "RoPE": "RoPE",
    "RoPE + YaRN": "RoPE + YaRN",
    "ALiBi": "ALiBi",
    "axial RoPE": Text(en="axial RoPE", zh="轴向RoPE"),
    "none": Text(en="none", zh="无"),
}
checkpoints = {encodings[name]: name for name in ("none", "RoPE", "learned")}
lengths = {
    Text(en="as in training", zh="与训练同长"): 0,
    Text(en="longer", zh="更长"): 1,
    Text(en="a stream", zh="流式"): 2,
}
requirements = (
    Text(en="length", zh="长度"),
    Text(en="input", zh="输入"),
    Text(en="weights", zh="权重"),
    Text(en="all", zh="全部"),
)


def listed(names: Sequence[str]) -> Text:
    """Return the encodings of these names, one after another."""
    twins = [Text(en=name, zh=getattr(encodings[name], "zh", name)) for name in names]
    return Text(en=", ".join(t.en for t in twins), zh="、".join(t.zh for t in twins))


chooser = controls(
    length=Text(en="text", zh="文本"),
    images=Text(en="images", zh="图像"),
    checkpoint=Text(en="weights to keep", zh="要沿用的权重"),
    tries=[
        Try(
            en="a stream: does anything still fit as it is?",
            zh="流式：还有直接可用的吗？",
            length=2,
        ),
        Try(
            en="a learned table, longer texts",
            zh="可学习的表，遇上更长的文本",
            length=1,
            checkpoint="learned",
        ),
        Try(
            en="images, a higher resolution than in training",
            zh="图像，分辨率比训练时高",
            length=1,
            images=True,
        ),
    ],
)
fit = panel(
    x=Text(en="requirement", zh="要求"),
    y=Text(en="encoding", zh="编码"),
    title=Text(en="still in: {left}", zh="剩下：{left}"),
    colour_label=Text(en="fits", zh="可用"),
)
step_work = controls(
    heads=Text(en="query heads", zh="查询头"),
    kv_heads=Text(en="KV heads", zh="KV头"),
    length=Text(en="keys n", zh="键数n"),
    tries=[
        Try(
            en="100 keys: is the bias more expensive than RoPE yet?",
            zh="100个键：偏置比RoPE更贵了吗？",
            length=100,
        ),
        Try(
            en="as many KV heads as query heads: which line is on top?",
            zh="KV头与查询头一样多：最上面是哪条线？",
            heads=8,
            kv_heads=8,
        ),
        Try(en="one KV head for all", zh="所有查询头共用一个KV头", kv_heads=1),
    ],
)
operations = panel(
    x=Text(en="keys n", zh="键数n"),
    y=Text(en="operations", zh="运算次数"),
    title=Text(
        en="n = {length}: bias {bias:,} ({percent:.1f}% of scores), RoPE {rope:,}",
        zh="n = {length}：偏置{bias:,}（得分的{percent:.1f}%），RoPE {rope:,}",
    ),
)
scores = Text(en="scores", zh="得分")
rope_unrotated = Text(en="RoPE, un-rotated", zh="RoPE，未旋转缓存")
bias_row = Text(en="ALiBi, T5: a row", zh="ALiBi、T5：一行")
rope_rotated = Text(en="RoPE, rotated", zh="RoPE，旋转过的缓存")
learned_once = Text(en="learned: once", zh="可学习：仅一次")
families = {
    "absolute": Text(en="absolute", zh="绝对"),
    "relative": Text(en="relative", zh="相对"),
    "bias": Text(en="bias", zh="偏置"),
    "cache": Text(en="cache", zh="缓存"),
    "images": Text(en="images", zh="图像"),
    "rotary": Text(en="rotary", zh="旋转"),
    "none": Text(en="none", zh="无"),
}
history = panel(
    x=Text(en="year of the arXiv number", zh="arXiv编号的年份"),
    title=Text(en="Main works cited here", zh="本课程引用的主要工作"),
)
