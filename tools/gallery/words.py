"""The title and description of each figure of docs/gallery.md, in both languages."""

from __future__ import annotations

from bilingual import Text

WORDS: dict[str, tuple[Text, Text]] = {
    "heat_map": (
        Text(en="Heat map of a table", zh="表格的热力图"),
        Text(
            en="64 rows of positions, 32 columns of channels. On the left red and blue change "
            "from row to row, on the right hardly at all; an orange frame marks row 20.",
            zh="64行是位置，32列是通道。左边红蓝逐行交替，右边几乎不变；橙色框标出第20行。",
        ),
    ),
    "plane": (
        Text(en="Rotation plane with phasors", zh="旋转平面与相量"),
        Text(
            en="On the left two arrows end on a circle, an arc joins them. On the right four "
            "arrows stand tip to tail: where the last ends, its first coordinate is the score.",
            zh="左图两支箭头的尖端在圆上，一段弧连着它们。右图四支箭头首尾相接，"
            "最后一支终点的横坐标就是得分。",
        ),
    ),
    "clocks": (
        Text(en="Clock hands of the frequencies", zh="各频率的时钟指针"),
        Text(
            en="Eight circles with two hands each. On the left the hands stand far apart, on the "
            "right they cover each other.",
            zh="八个圆，各有两根指针。左边的指针相距很远，右边的两根重合。",
        ),
    ),
    "score_by_distance": (
        Text(en="Score against distance, for any encoding", zh="得分随距离的变化，适用于任何编码"),
        Text(
            en="Three curves start at 1. ALiBi falls on a straight line; the two others fall "
            "fast, then waver, RoPE with a large base above the sinusoids.",
            zh="三条曲线都从1开始。ALiBi沿直线下降；另外两条先快后慢、起伏不定，"
            "base较大的RoPE在正弦之上。",
        ),
    ),
    "attention_with_bias": (
        Text(en="Attention matrix with its bias", zh="注意力矩阵与偏置"),
        Text(
            en="Three tables of 3 × 3: scores, ALiBi's bias with −∞ for later keys, and the "
            "weights, which are 0 there and add up to 1 in each row.",
            zh="三张3×3的表：得分；ALiBi的偏置，后面的键是−∞；权重，那里为0，每行之和为1。",
        ),
    ),
    "ruler": (
        Text(en="Bucket ruler", zh="分桶标尺"),
        Text(
            en="Two strips over 140 distances, cut where a bucket ends. The cuts are one token "
            "apart at first, then ever wider; the last bucket never ends. An orange line marks 40.",
            zh="两条标尺，横跨140个距离，桶与桶之间切开。起初每个词元一桶，越往后越宽，"
            "最后一桶没有尽头。橙色线标出40。",
        ),
    ),
    "timeline": (
        Text(en="Cache timeline", zh="缓存时间线"),
        Text(
            en="Two staircases of numbered cells, a row for each step, the present one framed. "
            "Crosses are evicted keys. As stored, the newest key stands at 6; renumbered, at 4.",
            zh="两个由编号格子组成的阶梯，每步一行，当前这一步加了框。叉号是已驱逐的键。"
            "按存下的位置，最新的键在6；重新编号后在4。",
        ),
    ),
    "frequency_scaling": (
        Text(en="Frequency-scaling curves", zh="频率缩放曲线"),
        Text(
            en="Four curves from 1 to 1/8 over 32 pairs. Interpolation lies flat at the bottom, "
            "NTK-aware is a straight line, the two others keep the fast pairs and bend down.",
            zh="32对通道上的四条曲线，从1到1/8。插值一直贴着底，NTK-aware是一条直线，"
            "另外两条保留快的对，随后弯下来。",
        ),
    ),
    "loss_by_position": (
        Text(en="Loss against position", zh="损失随位置的变化"),
        Text(
            en="Three falling curves. The best guess of a coin that remembers 4 tosses is level "
            "from position 4 on, the one that remembers 16 from 16 on, the third keeps falling.",
            zh="三条下降的曲线。猜硬币的最佳策略若只记得4次，从位置4起就不再下降；"
            "记得16次，从16起；第三条一直在降。",
        ),
    ),
    "bars": (
        Text(en="Bars", zh="柱形图"),
        Text(
            en="Three bars, one for each token, from 0 to 1; the first is the highest.",
            zh="三根柱子，每个词元一根，范围从0到1；第一根最高。",
        ),
    ),
    "head": (
        Text(en="A head, from its input to its output", zh="一个头，从输入到输出"),
        Text(
            en="Seven small tables with their numbers, joined by arrows: x, then Q, K and V, "
            "scores, weights, output. An orange frame around the scores says where the bias goes.",
            zh="七张写着数的小表，用箭头相连：x，然后是Q、K、V，得分，权重，输出。"
            "得分外的橙色框标出偏置加在哪里。",
        ),
    ),
    "history": (
        Text(en="Works along the years", zh="历年的工作"),
        Text(
            en="Three bands over the years 2017 to 2024, each work with a mark and its name; names "
            "that would touch stand one below the other.",
            zh="2017到2024年，三个类别各占一条，每项工作有标记和名字；会碰到一起的名字上下错开。",
        ),
    ),
}
