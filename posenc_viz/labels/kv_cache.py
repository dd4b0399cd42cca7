"""What the figures of chapter 8 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

cost = controls(
    dim=Text(en="width d", zh="宽度d"),
    length=Text(en="tokens so far n", zh="至今的词元数n"),
    tries=[
        Try(
            en="small model, long text: which term leads?",
            zh="小模型，长文本：哪一项占上风？",
            dim=64,
            length=20000,
        ),
        Try(en="large model, short text", zh="大模型，短文本", dim=4096, length=100),
    ],
)
work = panel(
    x=Text(en="tokens so far n", zh="至今的词元数n"),
    y=Text(en="multiplications for the next token", zh="下一个词元的乘法次数"),
    title=Text(
        en="{length} tokens: a cache does 1/{length} of the work, {share:.0%} of it scores and sum",
        zh="{length}个词元时有缓存只需1/{length}，其中得分与加权和占{share:.0%}",
    ),
)
no_cache = Text(en="no cache", zh="无缓存")
cache = Text(en="cache", zh="有缓存")
scores_and_sum = Text(en="cache: scores and sum", zh="有缓存：得分与加权和")
error = panel(
    x=Text(en="position given to the new token", zh="给新词元的位置"),
    y=Text(en="relative error of its output", zh="输出的相对误差"),
    title=Text(en="the right position is 11", zh="正确的位置是11"),
)
one_row = controls(
    position=Text(en="position of the new token", zh="新词元的位置"),
    query_at_zero=Text(en="query taken to be at 0", zh="误把查询放在0处"),
    tries=[
        Try(
            en="the query at 0: whose row is wrong?",
            zh="把查询放在0：哪一种的那一行错了？",
            query_at_zero=True,
        ),
        Try(
            en="far on: how many keys share T5's last bucket?",
            zh="写到很后面：有多少个键共用T5的最后一个桶？",
            position=150,
        ),
    ],
)
alibi_row = panel(
    y=Text(en="added to the score", zh="加到得分上的数"),
    title=Text(en="ALiBi's row", zh="ALiBi的一行"),
)
t5_row = panel(
    y=Text(en="bucket", zh="桶"), title=Text(en="T5's row, as buckets", zh="T5的一行，以桶表示")
)
key_position = Text(en="position of the key", zh="键的位置")
head = Text(en="head {number}", zh="头{number}")
arriving = controls(
    sinks=Text(en="sinks kept", zh="留下的汇点数"),
    window=Text(en="window w", zh="窗口w"),
    step=Text(en="step", zh="步"),
    tries=[
        Try(
            en="the cache is just full: which key goes at the next step?",
            zh="缓存刚满：下一步哪个会被驱逐？",
            step=5,
        ),
        Try(
            en="no sinks: do the two tables show the same distances?",
            zh="没有汇点：两张表里的距离一样吗？",
            sinks=0,
        ),
        Try(
            en="a wide window: is anything renumbered?",
            zh="窗口很宽：有哪个键改了编号吗？",
            sinks=3,
            window=7,
        ),
    ],
)
table = panel(
    x=Text(en="key", zh="键"),
    y=Text(en="step", zh="步"),
    title=Text(en="{name}: oldest key {back} back", zh="{name}：最旧与最新的键相距{back}"),
)
as_stored = Text(en="as stored", zh="按存下的位置")
renumbered = Text(en="renumbered", zh="重新编号")
moved_key = panel(
    x=Text(en="steps", zh="步数"),
    y=Text(en="relative error of the key", zh="键的相对误差"),
    title=Text(en="a key that is moved", zh="一个被移动的键"),
)
bfloat16_once = Text(en="bfloat16, once", zh="bfloat16，转一次")
every_step = Text(en="{n}, every step", zh="{n}，每步转")
