"""Self-test of the chapter on linear biases."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="In the first of 8 heads a query sees two keys of equal content, one of them a "
            "token further back. What is its weight, compared with the other's?",
            zh="共8个头，看第一个头：两个键内容相同，其中一个远一个词元。"
            "它的权重与另一个的相比如何？",
        ),
        options=(
            Option(
                Text(
                    en="It is $e^{-1/2}\\approx0.61$ times the other's.",
                    zh="是另一个的$e^{-1/2}\\approx0.61$倍。",
                ),
                Text(
                    en="Right: the slope is 1/2, and the exponential makes it a factor.",
                    zh="对：斜率是1/2，取指数就成了一个因子。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="It is the other's weight, with 1/2 subtracted from it.",
                    zh="等于另一个的减去1/2。",
                ),
                Text(
                    en="The bias is subtracted from the *score*, before the softmax.",
                    zh="偏置是从*得分*里减的，在softmax之前。",
                ),
            ),
            Option(
                Text(
                    en="At $D=64$ it is $e^{-1/16}$ times the other's.",
                    zh="$D=64$时是另一个的$e^{-1/16}$倍。",
                ),
                Text(
                    en="That would divide the bias by √D; it is not divided.",
                    zh="那是把偏置也除以了√D；其实它不除。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="When may all queries share the row $+m\\,j$?",
            zh="什么时候所有查询可以共用一行$+m\\,j$？",
        ),
        options=(
            Option(
                Text(
                    en="Always: softmax sees no constant.", zh="任何时候，因为softmax不受常数影响。"
                ),
                Text(
                    en="Without a mask, −m|i − j| and +m j do not differ by a constant.",
                    zh="没有掩码时，−m|i − j|与+m j相差的不是常数。",
                ),
            ),
            Option(
                Text(en="In encoders only.", zh="只有在编码器里。"),
                Text(
                    en="There it makes every token look at the end of the text.",
                    zh="在那里，它会让每个词元都看向文本末尾。",
                ),
            ),
            Option(
                Text(en="With a causal mask.", zh="有因果掩码时。"),
                Text(
                    en="Right: there −m(i − j) = −m i + m j, and −m i is the same for the "
                    "whole row.",
                    zh="对：这时−m(i − j) = −m i + m j，而−m i对整行都一样。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A checkpoint has 12 heads. Which slopes does it use?",
            zh="某个checkpoint有12个头，它用的是哪些斜率？",
        ),
        options=(
            Option(
                Text(en="$2^{-8h/12}$, $h=1,\\dots,12$.", zh="$2^{-8h/12}$，$h=1,\\dots,12$。"),
                Text(
                    en="The formula is for powers of two; the published code does something else.",
                    zh="这个式子用于2的幂；公开的代码另有做法。",
                ),
            ),
            Option(
                Text(
                    en="Those of 8 heads, then 4 of those of 16 heads.",
                    zh="8个头的那些，再加上16个头里的4个。",
                ),
                Text(
                    en="Right: every second one of 16, from the first: 0.707, 0.354, 0.177, 0.088.",
                    zh="对：从16个里隔一个取一个，从第一个取起：0.707、0.354、0.177、0.088。",
                ),
                right=True,
            ),
            Option(
                Text(en="12 equal steps from 1/12 to 1.", zh="从1/12到1的12个等差数。"),
                Text(
                    en="Equal steps crowd all reaches together; the slopes are geometric.",
                    zh="等差会让各头的有效范围挤在一起；斜率是等比的。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="What does KERPLE's $-r_1\\ln(1+r_2|i-j|)$ become after the exponential?",
            zh="KERPLE的$-r_1\\ln(1+r_2|i-j|)$取指数之后是什么？",
        ),
        options=(
            Option(
                Text(en="A power law, $(1+r_2|i-j|)^{-r_1}$.", zh="幂律$(1+r_2|i-j|)^{-r_1}$。"),
                Text(
                    en="Right: at distance 1000 it still leaves 1/1001 for r₁ = r₂ = 1.",
                    zh="对：r₁ = r₂ = 1时，距离1000处还留着1/1001。",
                ),
                right=True,
            ),
            Option(
                Text(en="Exponential decay.", zh="指数衰减。"),
                Text(
                    en="That is ALiBi: an exponential of a line.",
                    zh="那是ALiBi：直线取指数。",
                ),
            ),
            Option(
                Text(
                    en="A negative power of a logarithm, $\\ln(1+r_2|i-j|)^{-r_1}$.",
                    zh="对数的负幂$\\ln(1+r_2|i-j|)^{-r_1}$。",
                ),
                Text(
                    en="The exponential undoes the logarithm: none is left.",
                    zh="取指数正好抵消对数，结果里不再有对数。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="ALiBi's perplexity stays level from 512 to 15512 tokens. What does that show?",
            zh="从512到15512个词元，ALiBi的困惑度保持平稳。这说明什么？",
        ),
        options=(
            Option(
                Text(en="It uses all 15512 tokens.", zh="它用上了全部15512个词元。"),
                Text(
                    en="With the context kept full (sliding window, Table 15) more context gives "
                    "no gain to speak of.",
                    zh="让上下文始终是满的（滑动窗口，表15），更多的上下文几乎没有带来好处。",
                ),
            ),
            Option(
                Text(en="The model was fine-tuned on long texts.", zh="模型在长文本上微调过。"),
                Text(
                    en="It was not: that is why the table is remarkable.",
                    zh="没有微调，所以这张表才引人注目。",
                ),
            ),
            Option(
                Text(en="It does not break there.", zh="它在那里没有失效。"),
                Text(
                    en="Right, and no more: with 8 heads the reach ends at 1768 tokens, so that "
                    "keys beyond it have weight near 0. Whether they are used takes a "
                    "measurement: the "
                    "same last tokens with more context, or a fact hidden at several "
                    "distances.",
                    zh="对，仅此而已：8个头时有效范围到1768个词元为止，更远的键权重都接近0。"
                    "用没用上要另外测：同样的末尾词元给更多上下文，"
                    "或把一条事实藏在不同距离处去找。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A bfloat16 model adds the row $+m\\,j$. What must still be computed in float32 or "
            "better?",
            zh="模型用bfloat16，偏置是一行$+m\\,j$。哪一步仍须用float32或更高精度来算？",
        ),
        options=(
            Option(
                Text(en="The slopes: they are too small.", zh="斜率：它们太小了。"),
                Text(
                    en="Being small does no harm: 2⁻⁸ is exact in bfloat16.",
                    zh="小不要紧：2⁻⁸在bfloat16里是精确的。",
                ),
            ),
            Option(
                Text(
                    en="The product of slope and position, and its sum with the scores.",
                    zh="斜率与位置的乘积，以及它与得分的相加。",
                ),
                Text(
                    en="Right: bfloat16 keeps 8 significant bits, so that far into the text "
                    "neighbouring keys get the same bias.",
                    zh="对：bfloat16只有8位有效二进制位，到了文本深处，"
                    "相邻的键得到的偏置就一样了。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The values: they are added up over many keys, which loses digits.",
                    zh="值：它们要对许多键求和，位数就这样丢了。",
                ),
                Text(
                    en="The bias does not touch the values.",
                    zh="偏置不碰值。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="In the Forgetting Transformer one token has the gate 0.05, all others have 1. By "
            "what are the weights of a later query multiplied, before they are made to add up "
            "to 1?",
            zh="Forgetting Transformer里，一个词元的门是0.05，其余都是1。对之后的某个查询，"
            "归一化之前，权重各乘多少？",
        ),
        options=(
            Option(
                Text(
                    en="Keys before that token by 0.05; the token itself and all later ones by 1.",
                    zh="那个词元之前的键乘0.05；它自己和之后的键乘1。",
                ),
                Text(
                    en="Right: the sum runs from $j+1$ to $i$, so a key is spared its own gate.",
                    zh="对：求和从$j+1$到$i$，键自己的门不算在内。",
                ),
                right=True,
            ),
            Option(
                Text(en="That token by 0.05, all others by 1.", zh="那个词元乘0.05，其余乘1。"),
                Text(
                    en="A gate closes on what came before it: every sum that runs across this "
                    "token has its logarithm.",
                    zh="门关上的是它之前的一切：跨过这个词元的求和里，都有它的对数。",
                ),
            ),
            Option(
                Text(
                    en="Keys up to and including that token by 0.05, and by an even smaller "
                    "factor the further back they are.",
                    zh="到那个词元为止的键乘0.05，越早的乘得越小。",
                ),
                Text(
                    en="The other gates are 1, with logarithm 0, so distance adds nothing. And "
                    "the token's own gate does not count against it.",
                    zh="其余的门是1，对数为0，距离不起作用。而且词元自己的门不算在自己身上。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="KERPLE with three parameters, $-r_1\\ln(1+r_2\\,d^{\\,r_3})$: after the "
            "exponential, the factor falls like $d^{-p}$ far out, where $d$ is the distance. "
            "What is $p$?",
            zh="三个参数的KERPLE，$-r_1\\ln(1+r_2\\,d^{\\,r_3})$：取指数之后，"
            "远处按$d^{-p}$下降，$d$是距离，$p$是多少？",
        ),
        options=(
            Option(
                Text(en="$r_1$, as with two parameters", zh="$r_1$，与两个参数时一样"),
                Text(en="That is so for $r_3=1$ only.", zh="只有$r_3=1$时如此。"),
            ),
            Option(
                Text(en="$r_3$, the one in the exponent", zh="$r_3$，就是指数上的那个"),
                Text(
                    en="$r_1$ stands before the logarithm, so it multiplies the exponent.",
                    zh="$r_1$乘在对数前面，所以也乘在指数上。",
                ),
            ),
            Option(
                Text(en="$r_1r_3$", zh="$r_1r_3$"),
                Text(
                    en="Right: $(1+r_2d^{r_3})^{-r_1}$, and far out the 1 does not count.",
                    zh="对：$(1+r_2d^{r_3})^{-r_1}$，远处的1可以忽略。",
                ),
                right=True,
            ),
        ),
    ),
)
