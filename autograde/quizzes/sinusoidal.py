"""Self-test of the chapter on sinusoidal encodings."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="Which columns of the interleaved table change fastest from one position to the "
            "next?",
            zh="在交错排布的编码表里，从一个位置到下一个位置，哪些列变化最快？",
        ),
        options=(
            Option(
                Text(en="The last ones (high dimensions).", zh="最后面的列（高维）。"),
                Text(
                    en="The reverse: their wavelength is tens of thousands of tokens at base "
                    "10000.",
                    zh="正好相反：base为10000时，它们的波长有几万个词元。",
                ),
            ),
            Option(
                Text(en="The first ones (low dimensions).", zh="最前面的列（低维）。"),
                Text(
                    en="Right: ω₀ = 1 radian per token is the largest frequency.",
                    zh="对：ω₀ = 1弧度/词元，是最大的频率。",
                ),
                right=True,
            ),
            Option(
                Text(en="All change equally fast.", zh="都一样快。"),
                Text(
                    en="Then all pairs would carry the same information, and d = 2 would be "
                    "enough.",
                    zh="那样每一对带的信息就都相同，d = 2就够了。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="What is the dot product $\\mathrm{PE}(7)\\cdot\\mathrm{PE}(7)$ for $d=128$?",
            zh="$d=128$时，点积$\\mathrm{PE}(7)\\cdot\\mathrm{PE}(7)$等于多少？",
        ),
        options=(
            Option(
                Text(en="64", zh="64"),
                Text(
                    en="Right: d/2 pairs, each sin² + cos² = 1. The norm is its root, 8.",
                    zh="对：d/2对，每对sin² + cos² = 1。它的平方根8就是范数。",
                ),
                right=True,
            ),
            Option(
                Text(en="1: the rows are normalised", zh="1，因为每行都归一化了"),
                Text(
                    en="The encoding has no such step: the norm is √(d/2).",
                    zh="没有归一化这一步：范数是√(d/2)。",
                ),
            ),
            Option(
                Text(en="It depends on position 7", zh="取决于位置7"),
                Text(
                    en="Each pair lies on the unit circle wherever the hand points.",
                    zh="无论指针指向哪里，每一对都在单位圆上。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Why does every frequency need both a sine *and* a cosine?",
            zh="为什么每个频率都要有正弦*和*余弦？",
        ),
        options=(
            Option(
                Text(
                    en="To double the number of distinct positions.",
                    zh="为了让可区分的位置数翻倍。",
                ),
                Text(
                    en="Many sines alone can tell positions apart too; the shift is what they "
                    "lack.",
                    zh="只用许多正弦也能区分位置；它们缺的是平移性质。",
                ),
            ),
            Option(
                Text(
                    en="So that the values stay between −1 and 1.", zh="为了让数值保持在−1到1之间。"
                ),
                Text(
                    en="A sine alone stays between −1 and 1 as well.",
                    zh="单独一个正弦也在−1到1之间。",
                ),
            ),
            Option(
                Text(
                    en="So that a shift by $k$ becomes one matrix that does not depend on $p$.",
                    zh="这样平移$k$步才是同一个矩阵，与$p$无关。",
                ),
                Text(
                    en="Right: sin ω(p + k) needs both sin ωp and cos ωp.",
                    zh="对：sin ω(p + k)既要用到sin ωp，也要用到cos ωp。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="How does $\\mathrm{PE}(p)\\cdot\\mathrm{PE}(p+k)$ behave as $k>0$ grows?",
            zh="$k>0$增大时，$\\mathrm{PE}(p)\\cdot\\mathrm{PE}(p+k)$怎样变化？",
        ),
        options=(
            Option(
                Text(en="It falls monotonically.", zh="单调下降。"),
                Text(
                    en="A sum of cosines is not monotone: about half of all steps go up.",
                    zh="余弦之和不是单调的：大约一半的步子是上升。",
                ),
            ),
            Option(
                Text(en="It depends on $p$ as well.", zh="还取决于$p$。"),
                Text(
                    en="It is Σᵢcos(ωᵢk): p cancels.",
                    zh="它等于Σᵢcos(ωᵢk)：p消去了。",
                ),
            ),
            Option(
                Text(
                    en="It is always close to 0, as for any two rows that differ.",
                    zh="总是接近0，任何两个不同的行都如此。",
                ),
                Text(
                    en="Neighbours are nearly parallel: cosine 0.966 at d = 64.",
                    zh="相邻的两个几乎平行：d = 64时余弦为0.966。",
                ),
            ),
            Option(
                Text(
                    en="It falls at first, then goes up and down.",
                    zh="先下降，然后有升有降。",
                ),
                Text(
                    en="Right: at d = 64 it rises for the first time from k = 5 to k = 6.",
                    zh="对：d = 64时，从k = 5到k = 6就第一次回升了。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A head should look at the *previous* token, using positions only. What makes "
            "it possible?",
            zh="要让一个头只凭位置就看向*前一个*词元，靠的是什么？",
        ),
        options=(
            Option(
                Text(
                    en="The bare dot product, which is larger for the past.",
                    zh="点积本身，过去的词元点积更大。",
                ),
                Text(
                    en="It is the same for k and −k: it cannot tell past from future.",
                    zh="它对k和−k一样，分不清过去和未来。",
                ),
            ),
            Option(
                Text(
                    en="The weights: with $W_QW_K^\\top=M_1$ the score is largest at $q=p-1$.",
                    zh="权重：取$W_QW_K^\\top=M_1$，得分在$q=p-1$处最大。",
                ),
                Text(
                    en="Right. The encoding supplies linear shifts, the weights choose one.",
                    zh="对。编码提供了线性的平移，权重从中选一个。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Nothing: absolute encodings cannot do it.",
                    zh="做不到：绝对位置编码没有这种能力。",
                ),
                Text(
                    en="They can: moving by an offset is a linear map of the absolute encoding.",
                    zh="做得到：移动几步，就是对绝对编码做一个线性变换。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Your code uses `[sin | cos]`; the checkpoint was trained with the interleaved "
            "layout and the same frequencies. What do you do?",
            zh="你的代码用`[sin | cos]`，而checkpoint是按交错排布、同样的频率训练的。怎么办？",
        ),
        options=(
            Option(
                Text(en="Permute the channels of the table.", zh="置换编码表的通道。"),
                Text(
                    en="Right: the numbers are the same, only in a different order; nothing is "
                    "lost.",
                    zh="对：数是同样的数，只是顺序不同，什么也没丢。",
                ),
                right=True,
            ),
            Option(
                Text(en="Nothing: the layouts are equivalent.", zh="什么也不用做：两种排布等价。"),
                Text(
                    en="Equivalent before training. The trained weights expect one of the two "
                    "orders.",
                    zh="训练之前是等价的；训练好的权重只认其中一种顺序。",
                ),
            ),
            Option(
                Text(
                    en="Train again, with the layout of your code.", zh="按你代码的排布重新训练。"
                ),
                Text(
                    en="No need: even for other frequencies you would only build the table that "
                    "the checkpoint was trained with.",
                    zh="没必要：就算频率也不同，照checkpoint训练时所用的编码表重新生成一张就行。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A model runs in bfloat16. Where may its encoding be rounded to 16 bits?",
            zh="模型以bfloat16运行。位置编码在哪一步可以舍入到16位？",
        ),
        options=(
            Option(
                Text(en="Positions, since they are integers.", zh="位置，因为它们是整数。"),
                Text(
                    en="bfloat16 cannot hold 257: it becomes 256.",
                    zh="bfloat16存不下257：会变成256。",
                ),
            ),
            Option(
                Text(en="Frequencies, since they are at most 1.", zh="频率，因为它们不超过1。"),
                Text(
                    en="Their rounding error is multiplied by the position: far away the angle may "
                    "be off by a whole turn.",
                    zh="舍入误差会乘上位置：位置一远，角度就可能差出一整圈。",
                ),
            ),
            Option(
                Text(en="Only the finished table.", zh="只在整张表算完之后。"),
                Text(
                    en="Right: sines lie between −1 and 1, where bfloat16 is precise enough.",
                    zh="对：正弦值在−1到1之间，bfloat16的精度够用。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Why can the encoding be added at the input only, and still be seen by the last "
            "layer?",
            zh="位置编码只在输入处加一次，为什么最后一层仍然看得见位置？",
        ),
        options=(
            Option(
                Text(
                    en="Attention keeps the order of its inputs anyway, even without positions.",
                    zh="注意力本来就保留输入的顺序，没有位置也一样。",
                ),
                Text(
                    en="It is equivariant: it cannot tell one order from another (chapter 1).",
                    zh="它是等变的：分不出不同的顺序（见第1章）。",
                ),
            ),
            Option(
                Text(
                    en="Residual connections carry the sum through all layers.",
                    zh="残差连接把词与位置之和一路带到最后一层。",
                ),
                Text(
                    en="Right; the price is that position and word share the channels, values "
                    "included.",
                    zh="对；代价是位置和词共用通道，连值里也混着位置。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Layer normalisation restores it in each layer.",
                    zh="LayerNorm每层都恢复它。",
                ),
                Text(
                    en="It centres and rescales each vector; it knows no positions.",
                    zh="它只把每个向量减去均值再缩放，并不知道位置。",
                ),
            ),
        ),
    ),
)
