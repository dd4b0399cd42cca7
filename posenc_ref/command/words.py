"""The sentences of `python -m posenc_ref`, in both languages."""

from __future__ import annotations

from bilingual import Text

HEAD = (
    Text(en="layers", zh="层"),
    Text(en="encoding", zh="编码"),
    Text(en="layout", zh="布局"),
    Text(en="base", zh="base"),
    Text(en="channels", zh="通道"),
    Text(en="scaling", zh="缩放"),
    Text(en="q, k times", zh="q、k乘"),
    Text(en="sees", zh="看到"),
)
KINDS = {
    "rope": Text(en="RoPE", zh="RoPE"),
    "alibi": Text(en="ALiBi", zh="ALiBi"),
    "t5": Text(en="T5 buckets", zh="T5的桶"),
    "none": Text(en="none", zh="没有"),
    "no attention": Text(en="no attention", zh="没有注意力"),
}
ADDED = Text(en="table, at the input", zh="表，加在输入上")
REACHES = {
    "all": Text(en="all", zh="全部"),
    "sliding": Text(en="window {width}", zh="窗口{width}"),
    "unsaid": Text(en="all or {width}", zh="全部或{width}"),
    "chunked": Text(en="chunk of {width}", zh="{width}一块"),
}
CHANNELS = Text(en="{rotated} of {head}", zh="{head}个中的{rotated}个")
UNKNOWN = Text(en="not said", zh="未说明")
NO_TYPE = Text(en="no model_type", zh="没有model_type")
WAVES = Text(
    en="Base {base}: the slowest of {pairs} pairs turns once in {longest} tokens, {ratio} times "
    "the trained {trained}. {unfinished} pairs never turned once within that length; beyond it "
    "their angles are new.",
    zh="base={base}：{pairs}对中最慢的一对每{longest}个词元转一圈，是训练长度{trained}的{ratio}倍。"
    "{unfinished}对在这个长度内一圈也没转完，超出之后角度就是没见过的。",
)
NEAR = Text(
    en="Base {base}: these layers see {window} tokens back, and distances beyond do not occur: the "
    "length of the text is nothing to them.",
    zh="base={base}：这些层只看到前{window}个词元，更远的距离不会出现，文本多长与它们无关。",
)
STANDING = Text(
    en="{standing} of {pairs} pairs stand still.", zh="{pairs}对中有{standing}对静止不动。"
)
TEMPERATURE = Text(
    en="q and k are multiplied by {factor}, so scores by {square}.",
    zh="q和k都乘{factor}，得分就乘{square}。",
)
SCORES = Text(
    en="Latent attention multiplies its scores by {factor} besides.",
    zh="潜在注意力还把得分乘以{factor}。",
)
TABLES = {
    "learned": Text(
        en="Table{stack}: {rows} learned rows ({field}), position p in row p + {offset}.",
        zh="表{stack}：{rows}行学习得到的向量（{field}），位置p在第p+{offset}行。",
    ),
    "sinusoidal": Text(
        en="Table{stack}: {rows} rows of sines, then cosines ({field}), position p in row "
        "p + {offset}.",
        zh="表{stack}：{rows}行，先正弦后余弦（{field}），位置p在第p+{offset}行。",
    ),
}
SLOPES = Text(
    en="ALiBi slopes of {heads} heads, from {first} to {last}; no length is built in.",
    zh="{heads}个头的ALiBi斜率，从{first}到{last}；没有写死长度。",
)
BUCKETS = Text(
    en="T5: {buckets} buckets, the last begins before distance {longest}; {tables}.",
    zh="T5：{buckets}个桶，最后一个桶从距离{longest}之前开始；{tables}。",
)
OWN_TABLE = Text(en="a table in each layer", zh="每层各有一张表")
ONE_TABLE = Text(en="one table for all layers", zh="所有层共用一张表")
UNSAID = Text(
    en="The config does not say, and it was not guessed: {names}.",
    zh="配置没有说明，也没有去猜：{names}。",
)
SET = Text(
    en="For texts {times} times as long, {length} tokens, set:",
    zh="要让文本长到{times}倍，即{length}个词元，写入：",
)
COST = Text(
    en="That changes {changed} of {pairs} pairs, the slowest to 1/{slowest} of its speed, in short "
    "texts too; scores grow by {scores}.",
    zh="这会改变{pairs}对中的{changed}对，最慢的一对降到原速的1/{slowest}，短文本也受影响；"
    "得分乘{scores}。",
)
CACHE = Text(
    en="Keys and values of one text in 16 bits: {now} now, {then} then. Computing attention over "
    "a whole text costs {square} times as much in layers that see all.",
    zh="一段文本的键和值（16位）：现在{now}，之后{then}。看到全部的层算一整段注意力，代价是{square}倍。",
)
REASONS = {
    "alibi": Text(
        en="Nothing to set for longer texts: ALiBi has no length. Far keys weigh almost nothing.",
        zh="更长的文本不用改设置：ALiBi没有长度。只是远处的键几乎没有权重。",
    ),
    "t5": Text(
        en="Nothing to set for longer texts: all far distances share the last bucket.",
        zh="更长的文本不用改设置：远距离都落在最后一个桶里。",
    ),
    "rows_end": Text(
        en="No setting makes it read longer texts: the table has no more rows. They would have to "
        "be added and trained.",
        zh="没有什么设置能让它读更长的文本：表里没有更多的行，只能加行再训练。",
    ),
    "nothing_far": Text(
        en="Nothing to set for longer texts: no layer that rotates sees beyond its window.",
        zh="更长的文本不用改设置：旋转的层都看不到窗口以外。",
    ),
    "no_base": Text(
        en="How to go further cannot be said: the config does not give the base, or the channels "
        "of a head.",
        zh="无法说明怎样加长：配置没有给出base或每头的通道数。",
    ),
    "no_length": Text(
        en="How to go further cannot be said: the config gives no max_position_embeddings.",
        zh="无法说明怎样加长：配置没有给出max_position_embeddings。",
    ),
    "longrope": Text(
        en="No rule for longer texts: LongRoPE's divisors were searched for this length.",
        zh="更长的文本没有规则可循：LongRoPE的除数是为这个长度搜索出来的。",
    ),
    "dynamic": Text(
        en="Nothing to set for longer texts: dynamic NTK follows the length by itself. A cache of "
        "rotated keys does not fit it.",
        zh="更长的文本不用改设置：dynamic NTK自己跟着长度走。但它与存旋转后键的缓存不合。",
    ),
    "proportional": Text(
        en="No published rule for longer texts: most pairs stand still already.",
        zh="更长的文本没有公开的规则：多数通道对本来就不动。",
    ),
    "image": Text(
        en="Positions are rows and columns of an image: a larger image brings larger ones.",
        zh="位置是图像的行和列：图像变大，位置也变大。",
    ),
}
