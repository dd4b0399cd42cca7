"""Why no setting lets a model read longer texts, in both languages; names as in stretch.py."""

from __future__ import annotations

from bilingual import Text

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
    "patches_end": Text(
        en="A larger image has more patches than the table has rows: the table has to be resized "
        "as an image is, and should be trained on.",
        zh="图像变大，图像块就比表的行数多：表要像图像那样插值放大，最好再训练一下。",
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
    "no_types": Text(
        en="How to go further cannot be said: the config does not say which layers see all, and "
        "how far the others do.",
        zh="无法说明怎样加长：配置没有说明哪些层看到全部，其余的看多远。",
    ),
    "no_kind": Text(
        en="How to go further cannot be said: the config does not say which encoding it has.",
        zh="无法说明怎样加长：配置没有说明用的是哪种编码。",
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
