"""Self-test of the chapter on rotary position embedding."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="The requirement was $\\langle f(q,m),f(k,n)\\rangle=g(q,k,n-m)$, with one map $f$ "
            "for queries and keys. Why must position not change the length of a vector?",
            zh="要求是$\\langle f(q,m),f(k,n)\\rangle=g(q,k,n-m)$，查询和键用同一个映射$f$。"
            "为什么位置不能改变向量的长度？",
        ),
        options=(
            Option(
                Text(en="Because softmax needs bounded scores.", zh="因为softmax要求得分有界。"),
                Text(
                    en="Softmax takes any real number. The reason lies in the requirement itself.",
                    zh="softmax对任何实数都行。原因就在要求本身。",
                ),
            ),
            Option(
                Text(
                    en="At $m=n$ and $q=k$ the score is $|f(q,m)|^2$, and must not depend on $m$.",
                    zh="取$m=n$、$q=k$时得分就是$|f(q,m)|^2$，它不能随$m$变化。",
                ),
                Text(
                    en="Right: the distance is 0 for every m, so the square is the same for every "
                    "m.",
                    zh="对：此时无论m是多少，距离都是0，所以平方也总是同一个数。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Because queries are normalised before attention.",
                    zh="因为查询在注意力之前做了归一化。",
                ),
                Text(
                    en="The derivation assumes nothing of the kind; q is any vector.",
                    zh="推导里没有这样的假设，q是任意向量。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="With key minus query as distance, which identity is the right one?",
            zh="距离取键减查询时，哪个等式是对的？",
        ),
        options=(
            Option(
                Text(en="$R_m^\\top R_n=R_{m-n}$", zh="$R_m^\\top R_n=R_{m-n}$"),
                Text(
                    en="Transposing turns back: Rₘᵀ = R₋ₘ, so the sum is n − m.",
                    zh="转置就是反着转：Rₘᵀ = R₋ₘ，所以合起来是n − m。",
                ),
            ),
            Option(
                Text(en="$R_m^\\top R_n=R_{n-m}$", zh="$R_m^\\top R_n=R_{n-m}$"),
                Text(en="Right: back by m, forward by n.", zh="对：先反着转m步，再正着转n步。"),
                right=True,
            ),
            Option(
                Text(en="$R_m^\\top R_n=R_{m+n}$", zh="$R_m^\\top R_n=R_{m+n}$"),
                Text(
                    en="That is RₘRₙ, without the transpose; then the score would see the sum "
                    "of the positions.",
                    zh="那是没有转置的RₘRₙ；那样得分看到的就是两个位置之和。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A checkpoint was trained with neighbours in pairs; your code pairs $i$ with "
            "$i+D/2$. What do you do?",
            zh="某个checkpoint训练时是相邻两个通道为一对，你的代码却把$i$和$i+D/2$配成一对。"
            "怎么办？",
        ),
        options=(
            Option(
                Text(
                    en="Nothing: RoPE sees distances only, and both layouts turn pairs by the same "
                    "angles.",
                    zh="不用管：RoPE只看距离，两种排布转的角度也一样。",
                ),
                Text(
                    en="Other channels would turn together, and the scores are wrong, without any "
                    "error.",
                    zh="一起转的通道变了，得分全错，而且不报错。",
                ),
            ),
            Option(
                Text(
                    en="Reorder the rows of $W_Q$, $W_K$ and $W_V$ within each head.",
                    zh="在每个头内重排$W_Q$、$W_K$、$W_V$的行。",
                ),
                Text(
                    en="W_V stays: values are not rotated, and W_O expects their order.",
                    zh="W_V不用动：值不旋转，而且W_O是配着它原来的次序训练的。",
                ),
            ),
            Option(
                Text(
                    en="Reorder the rows of $W_Q$ and $W_K$ within each head (any biases and gains "
                    "too).",
                    zh="只在每个头内重排$W_Q$和$W_K$的行（有偏置、gain的一起重排）。",
                ),
                Text(
                    en="Right: even rows first, then odd ones, head by head.",
                    zh="对：每个头里先偶数行，再奇数行。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="What did the RoFormer paper prove about distance?",
            zh="关于距离，RoFormer论文证明了什么？",
        ),
        options=(
            Option(
                Text(
                    en="The score of any query and any key falls steadily with the distance.",
                    zh="任意查询与任意键的得分，都随距离一路下降。",
                ),
                Text(
                    en="It ripples: for q = k = 1, D = 128 it first rises from 11 to 12 "
                    "tokens, and content can put the peak anywhere.",
                    zh="它起伏不定：q = k = 1、D = 128时从11到12个词元就第一次回升；内容还能把"
                    "峰值放到任何地方。",
                ),
            ),
            Option(
                Text(
                    en="An upper bound on the score, and it plotted how that bound falls.",
                    zh="得分的一个上界，并画图显示它大体下降。",
                ),
                Text(
                    en="Right: summation by parts, eq. (35)–(37). That the bound falls is "
                    "plotted, not proved; and the score below it is free.",
                    zh="对：分部求和，式(35)–(37)。上界会下降只是画了图，没有证明；上界之下，"
                    "得分怎么走都行。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The model works on texts of any length, because only differences of "
                    "positions enter.",
                    zh="模型在任何长度的文本上都能用，因为得分里只有位置之差。",
                ),
                Text(
                    en="Measured: perplexity 20.07 at 512 tokens, 79.25 at 15512 (ALiBi paper, "
                    "Table 2).",
                    zh="实测：512个词元时困惑度为20.07，15512时为79.25（ALiBi论文，表2）。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Why is RoPE applied in every layer, while sinusoids are added once?",
            zh="正弦编码只加一次，RoPE为什么每层都要用？",
        ),
        options=(
            Option(
                Text(
                    en="It adds nothing to the h that layers hand on; each turns q and k.",
                    zh="它不往逐层传下去的h里加东西，每层都转q和k。",
                ),
                Text(
                    en="Right: only q and k turn, and positions reach later layers through the "
                    "attention weights alone. What is added stays in that h, where every "
                    "layer can read it.",
                    zh="对：只有q和k在转，位置只能经由注意力权重传到后面的层。"
                    "相加的编码则留在那个h里，每层都读得到。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Because each layer has different frequencies.", zh="因为每一层的频率不同。"
                ),
                Text(
                    en="In most models they are the same in all layers; where there are two sets, "
                    "as in Gemma 3 (8.10), that is not why each layer turns.",
                    zh="多数模型各层频率相同；有的用两组频率，如Gemma 3（8.10节），"
                    "但每层都转也不是为了这个。",
                ),
            ),
            Option(
                Text(
                    en="Once would do: repeating it only makes positions clearer to later layers.",
                    zh="其实一次就够：重复只是让后面的层把位置看得更清楚。",
                ),
                Text(
                    en="With the first layer alone, later layers would see position only through "
                    "what the first has mixed.",
                    zh="只在第一层用，后面的层就只能从第一层混合的结果里间接看到位置。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Your unit tests check the norms of q and k, gradients, and that scores and output "
            "do not change when the text moves. Which fault passes them all?",
            zh="你的单元测试检查了q和k的范数、梯度，还有文本平移时得分和输出都不变。"
            "哪种错误能全部通过？",
        ),
        options=(
            Option(
                Text(en="The missing minus in rotate_half.", zh="rotate_half里少了负号。"),
                Text(
                    en="That is not a rotation: norms change at once.",
                    zh="那就不是旋转了，范数马上会变。",
                ),
            ),
            Option(
                Text(en="Values rotated too.", zh="值也旋转了。"),
                Text(
                    en="Then the output depends on where the text stands: the shift test fails.",
                    zh="那样输出会随文本位置变化，平移测试通不过。",
                ),
            ),
            Option(
                Text(en="The angle with the opposite sign.", zh="角度的符号反了。"),
                Text(
                    en="Right: it mirrors time and keeps every property. Compare with values from "
                    "the original code.",
                    zh="对：时间被镜像了，所有性质却照样成立。只有拿原代码的数值来比才能发现。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A model has QK-norm, with a learned gain per channel, and RoPE. Where must the "
            "norm stand, so that scores depend on the distance alone?",
            zh="模型用了QK-norm（逐通道的gain是学来的），又用RoPE。归一化应当放在哪里，"
            "得分才只取决于距离？",
        ),
        options=(
            Option(
                Text(
                    en="After the rotation: what is bounded must be the very vectors that meet.",
                    zh="放在旋转之后：要限制大小的，正是相遇的那两个向量。",
                ),
                Text(
                    en="The bound holds in both orders. But here the gains stand between the two "
                    "rotations, which no longer meet, unless both channels of each pair have the "
                    "same gain.",
                    zh="两种次序都有界。可这样一来，gain夹在两个旋转之间，"
                    "两个旋转碰不到一起，除非每一对的两个通道gain相同。",
                ),
            ),
            Option(
                Text(en="Before the rotation.", zh="放在旋转之前。"),
                Text(
                    en="Right: the gain is then part of the projection, and the two rotations "
                    "meet in between.",
                    zh="对：这时gain成了投影的一部分，两个旋转在中间相遇。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Either will do, since a rotation keeps lengths.",
                    zh="放在前面、后面都行，因为旋转不改变长度。",
                ),
                Text(
                    en="That is true of a norm without a gain, as in Llama 4. A gain per channel "
                    "does not commute with a rotation.",
                    zh="没有gain的归一化才如此，Llama 4就是这样。逐通道的gain与旋转不可交换。",
                ),
            ),
        ),
    ),
)
