"""Questions on relative positions."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        Text(
            en="The same sentence comes forty tokens later. Which of the four terms of "
            "$(x_i+p_i)A(x_j+p_j)^\\top$ stay the same?",
            zh="同一个句子晚四十个词元出现。$(x_i+p_i)A(x_j+p_j)^\\top$的四项中，哪些不变？",
        ),
        (
            Option(
                Text(en="Only word–word.", zh="只有“词对词”。"),
                Text(
                    en="Right: each of the other three contains pᵢ or pⱼ.",
                    zh="对：其余三项都含pᵢ或pⱼ。",
                ),
                right=True,
            ),
            Option(
                Text(en="Word–word and position–position.", zh="“词对词”和“位置对位置”。"),
                Text(
                    en="Position–position is pᵢApⱼᵀ; in general it depends on both positions, not "
                    "on their distance alone.",
                    zh="“位置对位置”是pᵢApⱼᵀ；一般说来它与两个位置都有关，不是只与距离有关。",
                ),
            ),
            Option(
                Text(
                    en="All of them, as the words move together.", zh="全部，因为词是一起移动的。"
                ),
                Text(
                    en="Run 4.1 again: the change was about three quarters of the largest score.",
                    zh="再运行一遍4.1节：变化的最大值约为得分最大值的四分之三。",
                ),
            ),
        ),
    ),
    Question(
        Text(
            en="In Shaw's method with $m=16$, two keys are 20 and 300 tokens before the query. "
            "What can a head tell from this term about their distances?",
            zh="Shaw的方法取$m=16$，有两个键，分别在查询之前20个和300个词元处。凭这一项，"
            "关于它们的距离，一个头能看出什么？",
        ),
        (
            Option(
                Text(en="Which one is further.", zh="能看出哪个更远。"),
                Text(
                    en="Both are clipped to 16 and read the same row.",
                    zh="两者都截断到16，读同一行。",
                ),
            ),
            Option(
                Text(
                    en="Only that both are at least 16 back.",
                    zh="只知道两者都在之前，距离至少16。",
                ),
                Text(
                    en="Right. The row tells the side, but not the distance.",
                    zh="对。从这一行只看得出在哪一侧，看不出多远。",
                ),
                right=True,
            ),
            Option(
                Text(en="Nothing: an error is raised.", zh="什么也看不出：会报错。"),
                Text(
                    en="That is BERT's `relative_key`, which does not clip.",
                    zh="那是BERT的`relative_key`，它不截断。",
                ),
            ),
        ),
    ),
    Question(
        Text(
            en="What are $u$ and $v$ in Transformer-XL?",
            zh="Transformer-XL里的$u$和$v$是什么？",
        ),
        (
            Option(
                Text(
                    en="Learned vectors instead of the query's position, the same for all queries.",
                    zh="可学习的向量，代替查询的位置，对所有查询都一样。",
                ),
                Text(
                    en="Right: u meets the words of the keys, v the distances.",
                    zh="对：u与键的内容做点积，v与距离做点积。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Learned vectors instead of the query's position, one for each position.",
                    zh="可学习的向量，代替查询的位置，每个位置各一个。",
                ),
                Text(
                    en="Then the score would count from the start of the text again: an absolute "
                    "position.",
                    zh="那样得分又要从文本开头数位置，回到了绝对位置。",
                ),
            ),
            Option(
                Text(
                    en="Learned vectors instead of the sinusoids, one for each distance.",
                    zh="可学习的向量，代替正弦，每个距离各一个。",
                ),
                Text(
                    en="The distance is still the sinusoid Rᵢ₋ⱼ; it is Shaw who has learned "
                    "vectors for it.",
                    zh="距离仍由正弦向量Rᵢ₋ⱼ表示；距离用可学习向量的是Shaw。",
                ),
            ),
        ),
    ),
    Question(
        Text(
            en="After Transformer-XL's rel-shift, what is to the right of the diagonal?",
            zh="做完Transformer-XL的rel-shift，对角线右边是什么？",
        ),
        (
            Option(
                Text(
                    en="The scores of the later keys, by their negative distances.",
                    zh="更晚的那些键的得分，按负的距离排好。",
                ),
                Text(
                    en="They were never computed: there is no column for them.",
                    zh="它们根本没算过：没有对应的列。",
                ),
            ),
            Option(
                Text(en="Zeros, everywhere.", zh="全是0。"),
                Text(
                    en="Only the place next to the diagonal is a pad zero.",
                    zh="只有紧挨对角线的那一格是补的0。",
                ),
            ),
            Option(
                Text(
                    en="A zero, then scores of the next query.",
                    zh="一个0，然后是下一个查询的得分。",
                ),
                Text(
                    en="Right. The causal mask removes them; without one they are a bug.",
                    zh="对。因果掩码会去掉它们；没有掩码就是错误。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        Text(
            en="T5's decoder has 32 buckets and a maximum of 128. From which distance on are all "
            "keys in one bucket?",
            zh="T5的解码器有32个桶，最大距离128。从多远开始，所有的键共用一个桶？",
        ),
        (
            Option(
                Text(en="32", zh="32"),
                Text(
                    en="There are 32 buckets, but from 16 on they grow wider.",
                    zh="桶有32个，但从16开始越来越宽。",
                ),
            ),
            Option(
                Text(en="113", zh="113"),
                Text(
                    en="Right: 16 · 8^(15/16) ≈ 112.4.",
                    zh="对：16 · 8^(15/16) ≈ 112.4。",
                ),
                right=True,
            ),
            Option(
                Text(en="128", zh="128"),
                Text(
                    en="At 128 the formula would already give bucket 32; bucket 31 begins earlier.",
                    zh="到128时公式已经会给出32号桶了；31号桶开始得更早。",
                ),
            ),
        ),
    ),
    Question(
        Text(
            en="You port a DeBERTa with c2p as its only relative term. What are its scores divided "
            "by?",
            zh="你在移植一个DeBERTa，它的相对项只有c2p。得分应除以什么？",
        ),
        (
            Option(
                Text(en="$\\sqrt{3D}$, always", zh="一律$\\sqrt{3D}$"),
                Text(
                    en="The 3 counts the terms: c2c, c2p and p2c.",
                    zh="3是项数：c2c、c2p和p2c。",
                ),
            ),
            Option(
                Text(en="$\\sqrt{D}$", zh="$\\sqrt{D}$"),
                Text(
                    en="The sum of two uncorrelated terms has twice the variance.",
                    zh="两个不相关的项之和，方差是两倍。",
                ),
            ),
            Option(
                Text(en="$\\sqrt{2D}$", zh="$\\sqrt{2D}$"),
                Text(
                    en="Right: D times (1 plus the number of relative terms).",
                    zh="对：D乘以（1加相对项的个数）。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        Text(
            en="Why do relative terms have to be added in every layer, while an absolute vector is "
            "added once?",
            zh="为什么相对项每一层都要加，绝对位置向量却只加一次？",
        ),
        (
            Option(
                Text(
                    en="The residual stream (the h handed on from layer to layer) is one vector "
                    "per token: what belongs to a pair is not in it.",
                    zh="残差流（逐层传下去的h）是每个词元一个向量，属于一对词元的东西不在其中。",
                ),
                Text(
                    en="Right: a relative term exists only within the attention of a layer, and "
                    "each layer computes its own.",
                    zh="对：相对项只存在于一层的注意力里，而注意力在每一层都重新计算。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="What a distance means differs from layer to layer, so each has to learn a "
                    "table of its own.",
                    zh="同一个距离在各层的含义不同，所以每一层都得另学一张表。",
                ),
                Text(
                    en="T5 refutes this: one table serves all layers. It can, because a number "
                    "means the same in each. Transformer-XL's term is a dot product with the "
                    "layer's own queries; that is why it needs a $W$ in each layer.",
                    zh="T5就是反例，一张表供所有层用，因为一个数在各层的含义相同。"
                    "Transformer-XL的项要与本层的查询做点积，所以才每层都要一个$W$。",
                ),
            ),
            Option(
                Text(
                    en="It is a habit: an absolute vector, too, would help more if it were added "
                    "in every layer.",
                    zh="这只是习惯：绝对位置向量若也每一层都加，效果同样会更好。",
                ),
                Text(
                    en="Adding it again piles it up and crowds out the words (2.9).",
                    zh="反复加会越积越多，把词挤出去（2.9节）。",
                ),
            ),
        ),
    ),
    Question(
        Text(
            en="An encoder with T5's bias alone reads the same word eight times. Can its outputs "
            "differ from token to token?",
            zh="一个只用T5偏置的编码器，读到同一个词重复八遍。各词元的输出会不同吗？",
        ),
        (
            Option(
                Text(
                    en="Yes, the weights differ near the ends.",
                    zh="会，靠近两端时权重不同。",
                ),
                Text(
                    en="The weights do differ; but they average equal values.",
                    zh="权重确实不同，可它们平均的是相同的值。",
                ),
            ),
            Option(
                Text(en="No: all values are equal.", zh="不会：所有的值都相同。"),
                Text(
                    en="Right. Any weights that sum to 1 give the same average.",
                    zh="对。只要权重之和为1，平均值就一样。",
                ),
                right=True,
            ),
            Option(
                Text(en="Only with more than one layer.", zh="只有多于一层时才会不同。"),
                Text(
                    en="Tokens equal after the first layer are equal after the second as well.",
                    zh="第一层之后各词元仍然相同，第二层之后也一样。",
                ),
            ),
        ),
    ),
)
