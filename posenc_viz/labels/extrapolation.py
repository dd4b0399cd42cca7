"""What the figures of chapter 9 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

methods = {
    "learned": Text(en="learned", zh="可学习编码"),
    "sinusoidal": Text(en="sinusoidal", zh="正弦"),
    "sinusoidal_scaled": Text(en="sinusoidal × √d", zh="正弦×√d"),
    "t5": "T5",
    "rope": "RoPE",
    "alibi": "ALiBi",
    "kerple": "KERPLE",
    "nope": "NoPE",
    "rope+pi": "RoPE + PI",
    "rope+ntk": "RoPE + NTK",
    "rope+parts": "RoPE + NTK-by-parts",
    "rope+yarn": "RoPE + YaRN",
}
offered = {  # KERPLE's lines are ALiBi's
    name: method
    for method, name in methods.items()
    if method not in ("kerple", "sinusoidal_scaled")
}
groups = {
    Text(en="those that break, and NoPE", zh="会失效的，加上NoPE"): "break",
    Text(en="those that hold", zh="撑得住的"): "hold",
    Text(en="RoPE and its scalings", zh="RoPE及其缩放"): "scaled",
}
losses = {"excess": Text(en="excess loss", zh="超额损失"), "loss": Text(en="loss", zh="损失")}
quantities = {name: what for what, name in losses.items()}
training = panel(
    x=Text(en="training step", zh="训练步"), y=Text(en="nats per byte", zh="奈特/字节")
)
loss_at_128 = Text(en="loss at 128", zh="128上的损失")
excess_at_1024 = Text(en="excess at 1024", zh="1024上的超额损失")
by_position = controls(
    one=Text(en="method (solid)", zh="方法（实线）"),
    other=Text(en="method (dashed)", zh="方法（虚线）"),
    doublings=Text(en="trained length doubled (times)", zh="训练长度翻倍（次）"),
    closer=Text(en="look closely at 0", zh="放大0附近"),
    tries=[
        Try(
            en="rows never trained, angles never seen: which jumps, which climbs?",
            zh="没训练过的行，没见过的角度：哪种跳上去，哪种爬上去？",
            one="learned",
            other="rope",
        ),
        Try(
            en="T5 up close: a jump or a drift?",
            zh="凑近看T5：是跳上去，还是慢慢漂移？",
            one="t5",
            other="alibi",
            closer=True,
        ),
        Try(
            en="windows of 256: is it the same curve, cut off?",
            zh="256的窗口：是同一条曲线的前一段吗？",
            doublings=1,
        ),
    ],
)
excess_by_position = panel(
    x=Text(en="position in the window (bytes)", zh="窗口中的位置（字节）"),
    y=Text(en="excess loss (nats per byte)", zh="超额损失（奈特/字节）"),
    title=Text(
        en="length {length}: excess {one} and {other}", zh="长度{length}：超额损失{one}与{other}"
    ),
)
by_length = controls(
    group=Text(en="methods", zh="方法"),
    seed=Text(en="seed", zh="种子"),
    what=Text(en="show", zh="显示"),
    tries=[
        Try(
            en="the loss: which is worst at 128 and beats RoPE at 1024?",
            zh="损失：哪种在128处最差，到1024却胜过RoPE？",
            what="loss",
        ),
        Try(en="those that hold: which drifts?", zh="撑得住的：哪一种在慢慢漂移？", group="hold"),
        Try(
            en="RoPE and its scalings: which one makes 256 worse?",
            zh="RoPE及其缩放：哪种缩放让256处更差？",
            group="scaled",
        ),
    ],
)
by_length_curves = panel(
    x=Text(en="length of the test (bytes)", zh="测试长度（字节）"),
    y=Text(en="nats per byte", zh="奈特/字节"),
    title=Text(en="{what}, seed {seed}", zh="{what}，种子{seed}"),
)
fine_tuning = panel(
    x=Text(en="step of fine-tuning", zh="微调步"), y=Text(en="nats per byte", zh="奈特/字节")
)
interpolated_by_8 = Text(en="interpolated by 8", zh="插值8倍")
direct = Text(en="direct", zh="直接微调")
short_windows = Text(en="short windows", zh="短窗口微调")
loss_at_1024 = Text(en="loss at 1024", zh="1024上的损失")
same_bytes = Text(en="the same bytes in windows of 128", zh="同样的字节，放在128的窗口里")
tuned_head = controls(
    steps=Text(en="steps", zh="步数"),
    factor=Text(en="stretch s", zh="扩展倍数s"),
    tries=[
        Try(en="100 steps: is it back at 3?", zh="100步：回到3了吗？", steps=100),
        Try(
            en="s = 4, all steps: where does it end?",
            zh="s = 4，走完所有步：停在哪里？",
            steps=500,
            factor=4.0,
        ),
    ],
)
head = panel(
    x=Text(en="distance k (tokens)", zh="距离k（词元）"),
    y=Text(en="score", zh="得分"),
    title=Text(
        en="stretch {factor:g}, {steps} steps: looks {back} back",
        zh="扩展{factor:g}倍，{steps}步：看向{back}个词元之前",
    ),
)
goal = Text(en="wanted", zh="想要的")
tuned = Text(en="after these steps", zh="走完这些步之后")
yours = panel(
    x=Text(en="position (bytes)", zh="位置（字节）"),
    y=Text(en="excess loss (nats per byte)", zh="超额损失（奈特/字节）"),
    title=Text(en="Yours: trained at 32", zh="你的结果：训练长度32"),
)
tables = {
    "alibi_2": Text(en="ALiBi, Table 2", zh="ALiBi，表2"),
    "alibi_3": Text(en="ALiBi, Table 3", zh="ALiBi，表3"),
    "kerple_3": Text(en="KERPLE, Table 3", zh="KERPLE，表3"),
    "yarn_1": Text(en="YaRN, Table 1", zh="YaRN，表1"),
}
sources = {name: table for table, name in tables.items()}
published = controls(
    table=Text(en="table", zh="表"),
    tries=[
        Try(
            en="32 times the trained length: which two lines take off?",
            zh="训练长度的32倍：哪两条线升得最高？",
            table="kerple_3",
        ),
        Try(
            en="tuned for 8192: where do the lines turn up?",
            zh="为8192微调过：线从哪里翘起？",
            table="yarn_1",
        ),
    ],
)
perplexity = panel(
    x=Text(en="input length (tokens)", zh="输入长度（词元）"), y=Text(en="perplexity", zh="困惑度")
)
