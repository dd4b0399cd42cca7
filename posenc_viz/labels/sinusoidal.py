"""What the figures of chapter 2 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

binary = panel(
    x=Text(en="channel (digit)", zh="通道（二进制位）"),
    y=Text(en="position (tokens)", zh="位置（词元）"),
    title=Text(en="Positions in binary", zh="位置的二进制写法"),
)
clocks = controls(
    position=Text(en="position p", zh="位置p"),
    distance=Text(en="distance k", zh="距离k"),
    tries=[
        Try(
            en="one token apart: on which clocks do the hands differ?",
            zh="相隔1个词元：哪些钟的两根指针分得开？",
            distance=1,
        ),
        Try(
            en="position 200: has the slowest hand come round?",
            zh="位置200：最慢的指针转完一圈了吗？",
            position=200,
        ),
    ],
)
two_positions = Text(en="positions {here} and {there}", zh="位置{here}和{there}")
heat = controls(
    dim=Text(en="dimension d", zh="维度d"),
    base="base",
    tries=[
        Try(
            en="one clock: after how many tokens does row 0 nearly come back?",
            zh="只有一只钟：隔多少个词元，第0行差不多又回来？",
            dim=2,
        ),
        Try(
            en="a small base: does any column stand still now?",
            zh="base很小：还有不动的列吗？",
            base=3.0,
        ),
        Try(
            en="few dimensions and a small base: does any row come back?",
            zh="维度少，base又小：有哪一行会绕回来吗？",
            dim=4,
            base=3.0,
        ),
    ],
)
table = panel(
    x=Text(en="dimension (channel)", zh="维度（通道）"),
    y=Text(en="position (tokens)", zh="位置（词元）"),
    title=Text(en="The table", zh="编码表"),
)
distance = panel(
    x=Text(en="position p (tokens)", zh="位置p（词元）"),
    y=Text(en="distance / norm", zh="距离/范数"),
    title=Text(en="How far is row p from row 0?", zh="第p行离第0行多远？"),
)
shift = panel(title=Text(en="The shift matrix $M_3$", zh="平移矩阵$M_3$"))
falling = controls(
    dim=Text(en="dimension d", zh="维度d"),
    reach=Text(en="range (tokens)", zh="范围（词元）"),
    tries=[
        Try(
            en="512 channels: does it fall more smoothly?",
            zh="512个通道：下降得更平滑吗？",
            dim=512,
        ),
        Try(en="far away: does it still fall?", zh="看得远一些：还在下降吗？", reach=500),
    ],
)
dot_product = panel(
    x=Text(en="distance k (tokens)", zh="距离k（词元）"),
    y=Text(en="dot product / (d/2)", zh="点积 / (d/2)"),
    title="d = {dim}",
)
look_back = controls(
    offset=Text(en="shift k", zh="平移k"),
    tries=[
        Try(
            en="3 before: which key does query 20 look at?",
            zh="之前第3个：查询20看的是哪个键？",
            offset=3,
        ),
        Try(
            en="10 before: which keys do the first ten queries look at?",
            zh="之前第10个：开头十个查询看哪个键？",
            offset=10,
        ),
        Try(
            en="k below 0: would a causal mask let this head work?",
            zh="k小于0：有因果掩码时，这个头还管用吗？",
            offset=-5,
        ),
    ],
)
scores = panel(
    x=Text(en="key q (tokens)", zh="键q（词元）"),
    y=Text(en="query p (tokens)", zh="查询p（词元）"),
    title=Text(en="$A = M_k$, k = {offset}", zh="$A = M_k$，k = {offset}"),
    colour_label=Text(en="score", zh="得分"),
)
survival = panel(
    x=Text(en="layers passed", zh="经过的层数"),
    y=Text(en="share of the position", zh="位置所占的比例"),
    title=Text(en="Does the position survive?", zh="位置信息留得住吗？"),
)
with_residuals = Text(en="once, with residuals", zh="只加一次，有残差")
no_residuals = Text(en="once, no residuals", zh="只加一次，无残差")
every_layer = Text(en="again in every layer", zh="每层都加")
perplexity = panel(
    x=Text(en="input length (tokens)", zh="输入长度（词元）"),
    y=Text(en="perplexity", zh="困惑度"),
    title=Text(en="Trained at length 512", zh="训练长度为512个词元"),
)
sinusoidal = Text(en="sinusoidal", zh="正弦")
