"""What the museum's page says, in both languages."""

from __future__ import annotations

from bilingual import Text

TITLE = Text(en="Museum of positional encodings", zh="位置编码博物馆")
INTRODUCTION = Text(
    en="{count} architectures of Hugging Face transformers {version}, as their default configs "
    "have them. Each row is read by `posenc_ref.from_config`; frequencies, slopes, buckets and "
    "tables equal those that the library's own models compute, and where such a model could be "
    "run without weights ({run} of them) so do the layers. The year is that of the copyright line "
    "in the file of the config, which for some is that of a relative (GPT-SW3 has GPT-2's). The "
    "length is `max_position_embeddings`, or the original one where frequencies are scaled. "
    "A default may differ from what is published (DeBERTa's relative attention is off): "
    "`python -m posenc_ref CONFIG.json` reads yours.",
    zh="Hugging Face transformers {version}的{count}个架构，都是默认配置的样子。每一行由"
    "`posenc_ref.from_config`读出；频率、斜率、分桶和表与该库自己的模型算出的一致，"
    "不带权重也能跑一遍的模型（{run}个），各层也一致。"
    "年份取自配置文件的版权行，有的文件其实属于更早的同类（GPT-SW3用的是GPT-2的）。"
    "长度是`max_position_embeddings`，频率有缩放时取缩放前的。"
    "默认值可能与公开的权重不同（例如DeBERTa的相对注意力默认是关的）："
    "`python -m posenc_ref CONFIG.json`可以读你手里的那一份。",
)
LEFT_OUT = Text(
    en="Not shown: {parts} architectures made of others, whose parts have rows of their own "
    "({beside} also have fields of positions themselves, which are not compared); {none} without "
    "a module of positions; {unread} whose encodings `posenc_ref` does not know; {broken} whose "
    "defaults build no model.",
    zh="没有列出的：{parts}个由别的架构组成，各部分自成一行（其中{beside}个自己还有关于位置的字段，这些没有比较）；{none}个没有位置模块；"
    "{unread}个的编码`posenc_ref`不认识；{broken}个用默认值建不出模型。",
)
HEAD = (
    Text(en="Year", zh="年份"),
    Text(en="Architecture", zh="架构"),
    Text(en="Encoding", zh="编码"),
    Text(en="Base", zh="base"),
    Text(en="Share that turns", zh="旋转的比例"),
    Text(en="Scaling", zh="缩放"),
    Text(en="Window", zh="窗口"),
    Text(en="Layers without positions", zh="没有位置的层"),
    Text(en="Length", zh="长度"),
)
KINDS = {
    "rope": Text(en="RoPE", zh="RoPE"),
    "rope_2d": Text(en="RoPE 2-D", zh="二维RoPE"),
    "alibi": Text(en="ALiBi", zh="ALiBi"),
    "t5": Text(en="T5 buckets", zh="T5的桶"),
    "learned": Text(en="learned", zh="可学习的表"),
    "sinusoidal": Text(en="sinusoidal", zh="正弦"),
}
SHORT = {  # under a bar
    "rope": "RoPE",
    "rope_2d": "RoPE",
    "alibi": "ALiBi",
    "t5": "T5",
    "learned": "table",
    "sinusoidal": "sine",
}
STILL = Text(en="{still} of {all}", zh="{all}层中的{still}层")
SORT = Text(en="Choose a column to sort by it.", zh="点列名，按该列排序。")
YEAR = Text(en="year of the file", zh="文件的年份")
BASES = Text(en="base of RoPE", zh="RoPE的base")
LENGTHS = Text(en="length before scaling (tokens)", zh="缩放前的长度（词元）")
ENCODINGS = Text(en="encoding", zh="编码")
COUNTS = Text(en="architectures", zh="架构数")
COUNT_TITLE = Text(en="How many have it", zh="各有多少")
BASE_TITLE = Text(en="Base by year", zh="历年的base")
LENGTH_TITLE = Text(en="Length by year", zh="历年的长度")
PICTURE = Text(
    en="First: dots for the base of RoPE by year, most at 10000, more and more above since 2023, "
    "up to 100 million. Second: the length before scaling, rising to a million; the few below 100 "
    "are small parts, such as CLIP's text encoder with 77. Third: bars, RoPE and learned tables "
    "(table) the highest, sines, T5 and ALiBi far below.",
    zh="第一幅：各年RoPE的base，多数是10000，2023年起越来越多的点往上走，最高到一亿。"
    "第二幅：缩放前的长度，逐年升到一百万；低于100的是些小部件，如CLIP的文本编码器，77。"
    "第三幅：柱形，RoPE和可学习的表（table）最高，正弦（sine）、T5和ALiBi远低于它们。",
)
