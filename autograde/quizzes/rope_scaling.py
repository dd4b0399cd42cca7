"""Self-test of the chapter on scaling RoPE to longer texts."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="Why does plain RoPE fail on texts longer than those of training?",
            zh="文本比训练时长，普通的RoPE为什么就不行了？",
        ),
        options=(
            Option(
                Text(
                    en="At large angles sine and cosine lose all of their significant digits in "
                    "float32.",
                    zh="角度太大，float32下正弦余弦丢光了有效位。",
                ),
                Text(
                    en="In float32 an angle of 100000 radians still has an error below 0.01; "
                    "the angles here are far smaller.",
                    zh="float32里，100000弧度的角度误差仍小于0.01；这里的角度远没有那么大。",
                ),
            ),
            Option(
                Text(
                    en="The slow pairs reach angles that training never showed.",
                    zh="低频对转到了训练中从没见过的角度。",
                ),
                Text(
                    en="Right: pairs with L/λ < 1 have seen only the first part of their circle.",
                    zh="对：L/λ < 1的对只见过圆的前一段。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The fast pairs repeat after a turn, so that positions are confused.",
                    zh="高频对转满一圈就会重复，位置就混淆了。",
                ),
                Text(
                    en="They repeat within the trained length too, hundreds of times; the model "
                    "copes with that.",
                    zh="在训练长度之内它们也重复了几百次，模型早就应付得来。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Where does $d/(d-2)$ in NTK-aware scaling come from?",
            zh="NTK-aware缩放里的$d/(d-2)$是怎么来的？",
        ),
        options=(
            Option(
                Text(
                    en="From a fit on LLaMA models.",
                    zh="在LLaMA模型上拟合出来的。",
                ),
                Text(
                    en="That is YaRN's temperature. This exponent is derived.",
                    zh="那是YaRN的温度。这个指数是推导出来的。",
                ),
            ),
            Option(
                Text(
                    en="The slowest pair's exponent is $-(d-2)/d$; the base must undo it.",
                    zh="最低频一对的指数是$-(d-2)/d$，base要抵消它。",
                ),
                Text(
                    en="Right: b′^((d − 2)/d) = s b^((d − 2)/d).",
                    zh="对：b′^((d − 2)/d) = s b^((d − 2)/d)。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="It keeps the mean frequency as it was.",
                    zh="它让所有频率的平均值与缩放之前保持一致。",
                ),
                Text(
                    en="No mean enters: the fastest is kept, the slowest divided by s.",
                    zh="与平均无关：最高频的不变，最低频的除以s。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A head has 128 channels, of which 64 turn. Which $d$ goes into the NTK base?",
            zh="一个头有128个通道，其中64个旋转。算NTK的base时$d$取多少？",
        ),
        options=(
            Option(
                Text(en="64, the channels that turn", zh="64，即旋转的通道数"),
                Text(
                    en="Right: the frequencies are b^(−2i/64), and the last exponent is −62/64.",
                    zh="对：频率是b^(−2i/64)，最后一个指数是−62/64。",
                ),
                right=True,
            ),
            Option(
                Text(en="128, the full width of the head", zh="128，即整个头的宽度"),
                Text(
                    en="Then the slowest pair is divided by 15.3 instead of 16 at s = 16.",
                    zh="那样s = 16时最低频的一对只除以15.3，而不是16。",
                ),
            ),
            Option(
                Text(en="32, the number of pairs", zh="32，即通道对的个数"),
                Text(
                    en="The formula counts channels, not pairs.",
                    zh="公式数的是通道，不是对。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A config says `rope_type` dynamic, factor 4. The text is four times as long as in "
            "training. By what is the slowest frequency divided in Hugging Face?",
            zh="配置写着`rope_type`为dynamic，factor为4。文本是训练长度的四倍。"
            "在Hugging Face里，最低的频率除以多少？",
        ),
        options=(
            Option(
                Text(en="4, the factor", zh="4，就是factor"),
                Text(
                    en="In this type the factor is not the stretch.",
                    zh="在这种类型里，factor不是扩展倍数。",
                ),
            ),
            Option(
                Text(en="16, factor times stretch", zh="16，factor乘扩展倍数"),
                Text(
                    en="Nearly: f − 1 is subtracted, so that nothing changes at the trained "
                    "length.",
                    zh="差一点：还要减去f − 1，这样在训练长度处才什么都不变。",
                ),
            ),
            Option(
                Text(en="13, that is $4\\cdot4-3$", zh="13，即$4\\cdot4-3$"),
                Text(
                    en="Right: s = f l/L − (f − 1) with f = 4 and l = 4L.",
                    zh="对：s = f l/L − (f − 1)，其中f = 4，l = 4L。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="YaRN at $s=16$: $0.1\\ln s+1=1.277$. By which factor do the scores grow?",
            zh="YaRN取$s=16$：$0.1\\ln s+1=1.277$。得分变为原来的多少倍？",
        ),
        options=(
            Option(
                Text(en="1.277", zh="1.277倍"),
                Text(
                    en="That is for q and for k, each; their product has both.",
                    zh="那是q和k各自乘的数，乘积里两个都有。",
                ),
            ),
            Option(
                Text(en="1.631", zh="1.631倍"),
                Text(
                    en="Right: the square, as q and k are both multiplied.",
                    zh="对：平方，因为q和k都乘了。",
                ),
                right=True,
            ),
            Option(
                Text(en="0.613", zh="0.613倍"),
                Text(
                    en="That is t itself; the logits are divided by it.",
                    zh="那是t本身，logits要除以它。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="What is Llama 3.1's scaling?",
            zh="Llama 3.1的缩放是什么？",
        ),
        options=(
            Option(
                Text(
                    en="YaRN with a factor of 8, and an attention factor on q and k.",
                    zh="factor为8的YaRN，并在q和k上乘一个注意力因子。",
                ),
                Text(
                    en="There is no such factor, and the ramp ends at 4 turns, not 32.",
                    zh="它没有这个因子，斜坡到4圈为止，不是32圈。",
                ),
            ),
            Option(
                Text(
                    en="Position interpolation by 8, then a long fine-tuning.",
                    zh="扩展倍数为8的位置插值，再长时间微调。",
                ),
                Text(
                    en="Only pairs with waves longer than L have their frequencies divided by the "
                    "full 8; those with waves shorter than L/4 keep theirs.",
                    zh="只有波长超过L的对，频率才完全除以8；波长短于L/4的对，频率不变。",
                ),
            ),
            Option(
                Text(
                    en="NTK-by-parts with $\\alpha=1$ and $\\beta=4$.",
                    zh="$\\alpha=1$、$\\beta=4$的NTK-by-parts。",
                ),
                Text(
                    en="Right: frequencies are kept for wavelengths below L/4 and divided by 8 "
                    "above L.",
                    zh="对：波长短于L/4的对，频率不变；长于L的，频率除以8。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A model's perplexity on 32K texts is as low as on 2K texts. What follows?",
            zh="一个模型在32K文本上的困惑度和2K时一样低。说明什么？",
        ),
        options=(
            Option(
                Text(
                    en="It uses all 32K tokens, or it would be higher.",
                    zh="它用上了全部32K个词元，不然会更高。",
                ),
                Text(
                    en="A model that reads only the last page gives the same curve.",
                    zh="只读最后一页的模型，曲线也是这样。",
                ),
            ),
            Option(
                Text(
                    en="No harm shows; whether the long context is used needs another test.",
                    zh="只看得出没有坏处；长上下文用没用上，要另外测。",
                ),
                Text(
                    en="Right: give the same tokens more context in front, and test retrieval at "
                    "many depths.",
                    zh="对：给同样的词元在前面添上更多上下文，再在多个深度上测检索。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The frequencies need no scaling.",
                    zh="频率不需要缩放。",
                ),
                Text(
                    en="It may well be that the scaling made the curve flat.",
                    zh="曲线变平，也许正是缩放的功劳。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Base 10000, 128 channels: $\\sum_i\\cos k\\omega_i$ is negative for the first "
            "time at $k=1707$. What does that say?",
            zh="base为10000、128个通道时，$\\sum_i\\cos k\\omega_i$第一次为负是在$k=1707$。"
            "这说明什么？",
        ),
        options=(
            Option(
                Text(
                    en="From there on, far keys have negative scores, so that softmax leaves them "
                    "out.",
                    zh="再远的键得分为负，softmax就不看它们了。",
                ),
                Text(
                    en="Softmax sees differences only: subtracting a constant from all scores "
                    "changes nothing.",
                    zh="softmax只看差：所有得分都减去同一个常数，什么也不变。",
                ),
            ),
            Option(
                Text(
                    en="No model with this base can be trained on longer texts.",
                    zh="用这个base的模型，训练文本不能更长。",
                ),
                Text(
                    en="Llama 2 was trained at 4096 with it. The sum is an average over random "
                    "vectors, and learned ones are not random.",
                    zh="Llama 2就用它训练到了4096。这个和是对随机向量的平均，"
                    "而学出来的向量并不随机。",
                ),
            ),
            Option(
                Text(
                    en="There a key like the query has, on average, no lead over a random one.",
                    zh="到那里，与查询相像的键平均不再领先于随机的键。",
                ),
                Text(
                    en="Right: the sum is proportional to that lead. A bound for the average, not "
                    "a wall.",
                    zh="对：这个和正比于领先的幅度。它说的只是平均情形，不是一堵越不过去的墙。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A factor $c=1+\\ln s/\\sigma^2$ on the scores keeps attention as sharp with $s$ "
            "times the keys. Log-n scaling takes $1+\\ln s/\\ln L$. For which scores is that "
            "right?",
            zh="键增加到$s$倍时，得分乘$c=1+\\ln s/\\sigma^2$，注意力就不会变平。"
            "log-n缩放乘的是$1+\\ln s/\\ln L$。它适合怎样的得分？",
        ),
        options=(
            Option(
                Text(en="For those with variance $\\ln L$.", zh="方差为$\\ln L$的得分。"),
                Text(
                    en="Right: compare the two. At $L=4096$ that is 8.3; YaRN's 0.1 is right for "
                    "5, while s is near 1.",
                    zh="对：两式一比就知道。$L=4096$时是8.3；s接近1时，YaRN的0.1适合方差为5的得分。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="For those with standard deviation $\\ln L$.", zh="标准差为$\\ln L$的得分。"
                ),
                Text(
                    en="The formula has σ², the variance: σ is the square root of ln L, 2.9 at "
                    "4096.",
                    zh="公式里是方差σ²，所以σ是ln L的平方根，4096处为2.9。",
                ),
            ),
            Option(
                Text(
                    en="For all scores: it follows from the number of keys alone.",
                    zh="对所有得分都适合，因为它只由键的个数推出。",
                ),
                Text(
                    en="The entropy grows by ln s for all of them, but how much a factor wins "
                    "back depends on the spread.",
                    zh="对哪种得分，熵都增加ln s，可是乘一个因子能补回多少，取决于得分有多分散。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A model of trained length 512 uses Self-Extend with a window of 128 and groups of "
            "8. About how long may a text be before a distance is new?",
            zh="模型的训练长度是512个词元，Self-Extend的窗口为128，每组8个。文本大约多长，"
            "才会出现没见过的距离？",
        ),
        options=(
            Option(
                Text(en="4096, which is $512\\cdot8$", zh="4096，即$512\\cdot8$"),
                Text(
                    en="That would be so if near distances were grouped too; in the window they "
                    "are kept exact and use up 128 of the 512.",
                    zh="近处也分组才会如此；窗口以内的距离是精确的，512里用掉了128。",
                ),
            ),
            Option(
                Text(en="1024, which is $128\\cdot8$", zh="1024，即$128\\cdot8$"),
                Text(
                    en="It is not the window that is grouped, but what lies beyond it.",
                    zh="分组的不是窗口，而是窗口以外。",
                ),
            ),
            Option(
                Text(
                    en="3200, which is $(512-128)\\cdot8+128$", zh="3200，即$(512-128)\\cdot8+128$"
                ),
                Text(
                    en="Right: 128 exact distances, then 384 that serve eight tokens each.",
                    zh="对：128个精确的距离，余下384个，每个管8个词元。",
                ),
                right=True,
            ),
        ),
    ),
)
