"""What the figures of chapter 5 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

plane = controls(
    position=Text(en="position m of the query", zh="查询的位置m"),
    distance=Text(en="distance r", zh="距离r"),
    theta=Text(en="angle per token θ", zh="每个词元的角度θ"),
    tries=[
        Try(
            en="carry both far: does the angle between them change?",
            zh="两个一起搬到远处，夹角变不变？",
            position=60,
        ),
        Try(
            en="the same place: is the score what it is without rotation?",
            zh="放在同一个位置，得分是不是就等于不旋转时的得分？",
            distance=0,
        ),
        Try(
            en="a fast pair: how many distances give nearly the best score?",
            zh="换成高频的一对，有几个距离的得分接近最高？",
            distance=1,
            theta=1.0,
        ),
    ],
)
pair = panel(
    x=Text(en="first channel", zh="第一个通道"),
    y=Text(en="second channel", zh="第二个通道"),
    title=Text(en="q at {m}, k at {n}: {apart:.0f}° apart", zh="q在{m}，k在{n}：夹角{apart:.0f}°"),
)
score = panel(
    x=Text(en="distance r (tokens)", zh="距离r（词元）"),
    y=Text(en="score", zh="得分"),
    title=Text(
        en="score at distance {distance}: {score:.1f}", zh="距离{distance}处的得分：{score:.1f}"
    ),
)
hands = controls(
    position=Text(en="position m", zh="位置m"),
    distance=Text(en="distance r", zh="距离r"),
    base="base",
    tries=[
        Try(
            en="six tokens apart: which hand has nearly come round?",
            zh="隔6个词元：哪根指针差不多转了一圈？",
            distance=-6,
        ),
        Try(
            en="a larger base: which hand keeps its pace?",
            zh="base调大：哪根指针没有变慢？",
            base=500000.0,
        ),
    ],
)
eight_pairs = Text(en="eight pairs at {m} and {n}", zh="八对通道，在位置{m}和{n}")
query = Text(en="query", zh="查询")
key = Text(en="key", zh="键")
blocks = panel(title=Text(en="First three blocks of R₁", zh="R₁的前三个块"))
decay = controls(
    dim=Text(en="head dimension D", zh="头的维度D"),
    base="base",
    reach=Text(en="largest distance", zh="最大距离"),
    tries=[
        Try(
            en="few channels, far away: is this a decay?",
            zh="通道少，距离远，这还算衰减吗？",
            dim=16,
            reach=2047,
        ),
        Try(
            en="a large base: where is the first rise now?",
            zh="base很大时，第一次回升在哪里？",
            base=500000.0,
        ),
    ],
)
falling = panel(
    x=Text(en="distance |r| (tokens)", zh="距离|r|（词元）"),
    y=Text(en="score / score at 0", zh="得分/距离0处的得分"),
    title=Text(
        en="rises at {rises} of {reach} steps, first at {first}",
        zh="{reach}步中有{rises}步回升，首次在{first}",
    ),
)
law = panel(
    x=Text(en="distance |r| (tokens)", zh="距离|r|（词元）"),
    y=Text(en="mean of the cosines", zh="余弦的平均"),
    title=Text(en="Decay is a matter of the base", zh="衰减的快慢由base决定"),
)
its_law = Text(en="its law", zh="对应的对数律")
bound = panel(
    x=Text(en="distance |r| (tokens)", zh="距离|r|（词元）"),
    y=Text(en="mean of $|S_j|$", zh="$|S_j|$的平均"),
    title=Text(en="What the paper plots", zh="论文画的是这个"),
)
equal_vectors = panel(
    x=Text(en="distance |r| (tokens)", zh="距离|r|（词元）"),
    y=Text(en="score", zh="得分"),
    title=Text(en="The score of q = k", zh="q = k时的得分"),
)
output = controls(
    start=Text(en="position of the first token", zh="第一个词元的位置"),
    values_too=Text(en="rotate the values too", zh="值也旋转"),
    tries=[
        Try(en="start at 100: what changes?", zh="起点设为100，什么变了？", start=100),
        Try(en="the same, values rotated too", zh="同上，值也旋转", start=100, values_too=True),
    ],
)
outputs = panel(
    title=Text(
        en="output from position {start}; differs by {moved:.2f} from start 0",
        zh="起点{start}的输出；与起点0相比变化{moved:.2f}",
    )
)
token = Text(en="token {t}", zh="词元{t}")
standing = controls(
    band=Text(en="eight pairs that stand still (0: none)", zh="不转的八对（0：没有）"),
    tries=[
        Try(en="the fastest stopped: where is the peak?", zh="最高频的不转：峰到哪去了？", band=1),
        Try(
            en="the slowest stopped: what is left at 100000?",
            zh="最低频的不转：100000处还剩多少？",
            band=4,
        ),
    ],
)
token_before = panel(
    x=Text(en="distance r (tokens)", zh="距离r（词元）"),
    y=Text(en="score / largest", zh="得分/最大值"),
    title=Text(en="the token before", zh="前一个词元"),
)
same_word = panel(
    x=Text(en="tokens back", zh="之前多少个词元"),
    y=Text(en="score / largest", zh="得分/最大值"),
    title=Text(en="the same word", zh="同一个词"),
)
