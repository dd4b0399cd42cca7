"""The sentences of `python -m posenc_ref`, in both languages."""

from __future__ import annotations

from bilingual import Text

HEAD = (
    Text(en="layers", zh="层"),
    Text(en="encoding", zh="编码"),
    Text(en="layout", zh="排布"),
    Text(en="base", zh="base"),
    Text(en="channels", zh="通道"),
    Text(en="scaling", zh="缩放"),
    Text(en="q, k times", zh="q、k乘"),
    Text(en="sees", zh="看到"),
)
UNKNOWN = Text(en="not said", zh="未说明")
KINDS = {
    "unsaid": UNKNOWN,
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
CHANNELS = Text(en="{rotated} of {head}", zh="{rotated} / {head}")
WAVES = Text(
    en="Base {base}: the slowest of {pairs} pairs turns once in {longest} tokens, {ratio} times "
    "max_position_embeddings, {trained}.",
    zh="base={base}：{pairs}对中频率最低的一对每{longest}个词元转一圈，"
    "是max_position_embeddings（{trained}）的{ratio}倍。",
)
WAVES_BEFORE = Text(
    en="Base {base}, before scaling: the slowest of {pairs} pairs turned once in {longest} tokens, "
    "{ratio} times the trained {trained}.",
    zh="base={base}，缩放之前：{pairs}对中频率最低的一对每{longest}个词元转一圈，"
    "是训练长度{trained}的{ratio}倍。",
)
UNFINISHED = Text(
    en="{unfinished} pairs do not turn once within that length; beyond it their angles are new.",
    zh="{unfinished}对在这个长度内转不满一圈，超出之后角度就是没见过的。",
)
UNFINISHED_BEFORE = Text(
    en="{unfinished} pairs did not turn once within that length; without the scaling their angles "
    "beyond it would be new.",
    zh="{unfinished}对在这个长度内转不满一圈，不缩放的话，超出之后角度就是没见过的。",
)
FINISHED = Text(
    en="Every pair that turns makes a whole turn within that length.",
    zh="凡是转动的对，在这个长度内都转满了一圈。",
)
SLOWED = Text(
    en="{scaling} slows {slowed} pairs, so that no angle is new up to {until} tokens.",
    zh="{scaling}放慢{slowed}对，{until}个词元以内不会遇到没见过的角度。",
)
BEYOND = Text(
    en="The config allows {allowed}: for the rest the model has to be trained on longer texts.",
    zh="配置允许{allowed}：多出的部分要靠更长的文本训练。",
)
NEAR = Text(
    en="Base {base}: these layers see no farther than {window} tokens, so that larger distances do "
    "not occur, however long the text.",
    zh="base={base}：这些层最远只看{window}个词元，更远的距离不会出现，文本多长都一样。",
)
STANDING = Text(
    en="{standing} of {pairs} pairs stand still.", zh="{pairs}对中有{standing}对静止不动。"
)
TEMPERATURE = Text(
    en="q and k are multiplied by {factor}, so scores by {square}.",
    zh="q和k都乘{factor}，得分就乘{square}。",
)
SCORES = Text(
    en="Latent attention multiplies its scores by {factor} (mscale_all_dim).",
    zh="隐向量注意力的得分另乘{factor}（mscale_all_dim）。",
)
TABLES = {
    "learned": Text(
        en="Table{stack}: {rows} learned rows ({field}), position p in row p + {offset}.",
        zh="表{stack}：{rows}行可学习的向量（{field}），位置p在第p+{offset}行。",
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
DIVIDED = Text(
    en="Falcon's code divides the bias by √D, together with q·k.",
    zh="Falcon的代码把偏置与q·k一起除以√D。",
)
BUCKETS = Text(
    en="T5: {buckets} buckets, the last begins before distance {longest}; {tables}.",
    zh="T5：{buckets}个桶，最后一个桶从距离{longest}之前开始；{tables}。",
)
OWN_TABLE = Text(en="a table in each layer", zh="每层各有一张表")
ONE_TABLE = Text(en="one table for all layers", zh="所有层共用一张表")
UNSAID = Text(
    en="The config leaves this to the code that loads it, and it was not guessed: {names}.",
    zh="配置没有说明，由读取它的代码决定，这里不去猜：{names}。",
)
SET = Text(
    en="For texts {times} times as long, {length} tokens, set:",
    zh="要读{times}倍长的文本，即{length}个词元，请设为：",
)
COST = Text(
    en="That changes {changed} of {pairs} pairs, the slowest to 1/{slowest} of its frequency, in "
    "short texts too.",
    zh="这会改变{changed}对（共{pairs}对），频率最低的一对降到原来的1/{slowest}，短文本也受影响。",
)
COST_SCORES = Text(en="Scores are multiplied by {scores}.", zh="得分都乘{scores}。")
CACHE = Text(
    en="Keys and values of one text in 16 bits: {now} now, {then} then. Computing attention over "
    "a whole text costs {square} times as much in layers that see all.",
    zh="一段文本的键和值（16位）：现在{now}，之后{then}。在看到全部的层里，对整段文本算一遍注意力，"
    "计算量是现在的{square}倍。",
)
