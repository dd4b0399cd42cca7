"""What the figures of chapter 4 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

moved_by = Text(en="the sentence starts at", zh="句子的起点")
query_i = Text(en="query i", zh="查询i")
key_j = Text(en="key j", zh="键j")
moved_sentence = controls(
    start=moved_by,
    tries=[
        Try(
            en="one token later: is that enough to change a picture?",
            zh="只晚一个词元：图会变吗？",
            start=1,
        ),
        Try(
            en="much later: do the scores grow, or only change?",
            zh="晚很多：得分变大了，还是只是变了样？",
            start=90,
        ),
    ],
)
scores = panel(x=key_j, y=query_i, title=Text(en="{name} from {start}", zh="{name}，从{start}起"))
worth = controls(
    largest=Text(en="largest distance m", zh="最大距离m"),
    tries=[
        Try(
            en="clip at 1: what is left of the distance?",
            zh="在1处截断：距离还剩下什么？",
            largest=1,
        ),
        Try(
            en="m = 20: does either query favour its neighbours?",
            zh="m = 20：有哪个查询偏爱近邻吗？",
            largest=20,
        ),
    ],
)
added = panel(
    x=Text(en="relative position j − i (tokens)", zh="相对位置j − i（词元）"),
    y=Text(en="added to the score", zh="加到得分上的值"),
    title=Text(en="Shaw's term, clipped at m = {largest}", zh="Shaw的项，在m = {largest}截断"),
)
first_query = Text(en="query 1", zh="查询1")
second_query = Text(en="query 2", zh="查询2")
slide = controls(
    step=Text(en="step", zh="步骤"),
    memory=Text(en="memory (keys)", zh="记忆（键）"),
    tries=[
        Try(
            en="with the padding: reading row by row, what comes fifth?",
            zh="补上一列：逐行读下去，第五个是什么？",
            step=2,
        ),
        Try(
            en="two keys of memory: which numbers of the first row are correct?",
            zh="加两个记忆里的键：查询0那一行，哪些数是对的？",
            step=3,
            memory=2,
        ),
        Try(
            en="the same, masked: are all wrong numbers hidden?",
            zh="再加上掩码：错的数都遮住了吗？",
            step=4,
            memory=2,
        ),
    ],
)
shifted = panel(title=Text(en="Rel-shift, step {step} of 4", zh="rel-shift，第{step}步，共4步"))
pad = Text(en="pad", zh="补")
back = Text(en="distance {b}", zh="距离{b}")
key = Text(en="key {j}", zh="键{j}")
query = Text(en="query {i}", zh="查询{i}")
ruler = controls(
    relative=Text(en="relative position", zh="相对位置"),
    buckets=Text(en="buckets", zh="桶数"),
    max_distance="max_distance",
    reach=Text(en="shown on each side", zh="两侧各显示"),
    tries=[
        Try(
            en="112 before: in which strip does one token more change the bucket?",
            zh="之前112：再远一个词元，哪条标尺会换桶？",
            relative=-112,
        ),
        Try(
            en="keys after the query: which bucket does the decoder put them in?",
            zh="查询之后的键：解码器把它们放进哪个桶？",
            relative=60,
        ),
        Try(
            en="close up: which bucket does the encoder never use?",
            zh="凑近看：编码器从不用哪个桶？",
            relative=0,
            reach=12,
        ),
    ],
)
strips = panel(
    x=Text(en="relative position j − i (tokens)", zh="相对位置j − i（词元）"),
    title=Text(
        en="j − i = {relative}: bucket {decoder} in the decoder, {encoder} in the encoder",
        zh="j − i = {relative}：解码器{decoder}号桶，编码器{encoder}号桶",
    ),
)
decoder = Text(en="decoder", zh="解码器")
encoder = Text(en="encoder", zh="编码器")
delta = controls(
    span=Text(en="span m", zh="范围m"),
    tries=[
        Try(
            en="m = 6: from which distance on do earlier keys share a row? And later ones?",
            zh="m = 6：更早的键从多远起共用一行？更晚的呢？",
            span=6,
        ),
        Try(
            en="m = 10: which corner is larger, that of earlier or of later keys?",
            zh="m = 10：更早和更晚，哪个角更大？",
            span=10,
        ),
    ],
)
rows = panel(
    x=key_j,
    y=query_i,
    title=Text(en="row δ(i, j) of 2m = {rows}", zh="行号δ(i, j)，共2m = {rows}行"),
    colour_label=Text(en="row", zh="行号"),
)
side_by_side = controls(
    method=Text(en="method", zh="方法"),
    start=moved_by,
    tries=[
        Try(
            en="absolute, later: which maps change?",
            zh="绝对位置，晚一些：哪些图会变？",
            method="absolute",
            start=30,
        ),
        Try(
            en="DeBERTa, later: which maps change?",
            zh="DeBERTa，晚一些：哪些图会变？",
            method="DeBERTa",
            start=30,
        ),
    ],
)
perplexity = panel(
    x=Text(en="input length (tokens)", zh="输入长度（词元）"),
    y=Text(en="perplexity", zh="困惑度"),
    title=Text(en="Trained on 512 tokens", zh="训练长度为512个词元"),
)
sinusoidal = Text(en="sinusoidal", zh="正弦")

terms = (
    Text(en="word–word", zh="词对词"),
    Text(en="word–position", zh="词对位置"),
    Text(en="position–word", zh="位置对词"),
    Text(en="position–position", zh="位置对位置"),
)
steps = {
    Text(en="① by distance", zh="①按距离"): 1,
    Text(en="② pad a column", zh="②左边补一列"): 2,
    Text(en="③ cut Lq numbers, read again", zh="③丢掉Lq个数，重新读"): 3,
    Text(en="④ causal mask", zh="④因果掩码"): 4,
}
methods = {Text(en="absolute", zh="绝对"): "absolute"} | {
    name: name for name in ("Shaw", "Transformer-XL", "T5", "DeBERTa")
}
