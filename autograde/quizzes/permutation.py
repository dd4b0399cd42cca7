"""Self-test of the chapter on order."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="You reorder the tokens of a sentence. What happens to the outputs of attention "
            "without a mask and without positions?",
            zh="把一句话的词元重排。没有掩码、没有位置编码的注意力，输出会怎样？",
        ),
        options=(
            Option(
                Text(
                    en="Nothing changes: attention is permutation invariant and ignores order.",
                    zh="不变：注意力是置换不变的，它根本不看顺序。",
                ),
                Text(
                    en="The matrix of outputs does change: its rows are reordered. Only what is "
                    "pooled from it is invariant.",
                    zh="输出矩阵是变了的：各行跟着重排了。只有池化之后才不变。",
                ),
            ),
            Option(
                Text(
                    en="They are reordered likewise: attention is permutation equivariant.",
                    zh="跟着同样重排：注意力是置换等变的。",
                ),
                Text(
                    en="Right: f(PX) = P f(X). Every token keeps its output and takes it along.",
                    zh="对：f(PX) = P f(X)。每个词元的输出不变，随词元一起搬走。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="They are reordered, and each of them gets new values as well.",
                    zh="跟着重排，而且每一个的数值也都变了。",
                ),
                Text(
                    en="That needs something tied to positions: a positional encoding or a mask.",
                    zh="那需要与位置挂钩的东西：位置编码或者掩码。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="`x[[1, 2, 0]]` equals `P @ x`. Where is the 1 in row 0 of P?",
            zh="`x[[1, 2, 0]]`等于`P @ x`。P的第0行里，1在哪一列？",
        ),
        options=(
            Option(
                Text(en="In column 1.", zh="第1列。"),
                Text(
                    en="Right: row 0 of the result is row 1 of x, so P₀₁ = 1.",
                    zh="对：结果的第0行是x的第1行，所以P₀₁ = 1。",
                ),
                right=True,
            ),
            Option(
                Text(en="In column 0.", zh="第0列。"),
                Text(
                    en="Then row 0 would stay where it is.",
                    zh="那样第0行就留在原地了。",
                ),
            ),
            Option(
                Text(en="In column 2.", zh="第2列。"),
                Text(
                    en="That is the transpose: it sends row 0 to position 1 and fetches row 2 to "
                    "position 0.",
                    zh="那是转置：它把第0行送到位置1，把第2行取到位置0。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Which step of the proof uses the fact that a sum does not depend on the order of "
            "its terms?",
            zh="证明的哪一步用到了“求和与各项的次序无关”？",
        ),
        options=(
            Option(
                Text(en="The projections, $(PX)W=P(XW)$.", zh="投影，$(PX)W=P(XW)$。"),
                Text(
                    en="This is only the bracketing of matrix products.",
                    zh="这只用到矩阵乘法的结合律。",
                ),
            ),
            Option(
                Text(en="The output, $P^\\top P=I$.", zh="输出，$P^\\top P=I$。"),
                Text(
                    en="This says that going there and back changes nothing.",
                    zh="这只表示一去一回等于没动。",
                ),
            ),
            Option(
                Text(
                    en="The softmax, $\\mathrm{softmax}(PSP^\\top)=PAP^\\top$.",
                    zh="softmax，$\\mathrm{softmax}(PSP^\\top)=PAP^\\top$。",
                ),
                Text(
                    en="Right: the denominator of a row has the same terms, reordered.",
                    zh="对：每一行的分母还是那些项，只是次序变了。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A sentence classifier has 12 layers, no mask and no positions, and takes the mean "
            "of the outputs. Can training teach it to tell “cat catches mouse” from “mouse catches "
            "cat”?",
            zh="一个句子分类器有12层，没有掩码，也没有位置编码，最后对输出求平均。"
            "训练能让它分清“猫抓老鼠”和“老鼠抓猫”吗？",
        ),
        options=(
            Option(
                Text(
                    en="Yes, with enough layers: each one mixes the words a little further.",
                    zh="能，层数够多就行：每一层都把词再混合一遍，越混越清楚。",
                ),
                Text(
                    en="A chain of equivariant layers is equivariant, however long.",
                    zh="等变的层串起来还是等变的，串多长都一样。",
                ),
            ),
            Option(
                Text(
                    en="Yes, with more heads: one of them can learn which word comes first.",
                    zh="能，多加几个头就行：其中一个可以学会哪个词在前面。",
                ),
                Text(
                    en="Each head is equivariant, and so are the heads side by side.",
                    zh="每个头都是等变的，并排放在一起也一样。",
                ),
            ),
            Option(
                Text(
                    en="No: both sentences give the same vector for any weights.",
                    zh="不能，无论权重是什么，两句话都得到同一个向量。",
                ),
                Text(
                    en="Right: equivariance, then a mean, is invariance. Nothing is left to learn "
                    "from.",
                    zh="对：先等变再求平均就是不变，没有任何差别可供学习。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="One causal attention layer, no positions. You exchange tokens 0 and 1 of ten. "
            "Which outputs at positions 2 to 9 change?",
            zh="一层因果注意力，没有位置编码。交换十个词元中的词元0和1，位置2到9中哪些输出会变？",
        ),
        options=(
            Option(
                Text(en="None of them.", zh="都不变。"),
                Text(
                    en="Right: each of them sums over the same keys and values as before.",
                    zh="对：它们求和所用的键和值与之前完全相同。",
                ),
                right=True,
            ),
            Option(
                Text(en="All of them.", zh="全都变。"),
                Text(
                    en="That is what happens from the second layer on.",
                    zh="从第二层起才会这样。",
                ),
            ),
            Option(
                Text(en="Only the last one.", zh="只有最后一个变。"),
                Text(
                    en="The last one sees all tokens, but as a bag: the order is not in its sums.",
                    zh="最后一个看得见所有词元，但只是词袋：求和里没有次序。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Uniform causal attention reads a channel that is 1 at BOS (position 0) and 0 "
            "elsewhere. What does position 4 read?",
            zh="均匀的因果注意力读取一个通道，BOS（位置0）处为1，其余为0。位置4读到多少？",
        ),
        options=(
            Option(
                Text(en="1/4", zh="1/4"),
                Text(
                    en="Position 4 sees five tokens: itself and four before.",
                    zh="位置4看得见五个词元：它自己和之前四个。",
                ),
            ),
            Option(
                Text(en="1/5", zh="1/5"),
                Text(
                    en="Right: 1/(t + 1) with t = 4.",
                    zh="对：1/(t + 1)，t = 4。",
                ),
                right=True,
            ),
            Option(
                Text(en="1", zh="1"),
                Text(
                    en="That would be a sum. Attention weights sum to 1, so the token reads a "
                    "mean.",
                    zh="那是求和。注意力权重之和为1，读到的是平均。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Why do masked language models (BERT) need positions more than causal ones?",
            zh="为什么掩码语言模型（BERT）比因果模型更需要位置编码？",
        ),
        options=(
            Option(
                Text(
                    en="They are trained on less text, which is too little to learn any order "
                    "from.",
                    zh="因为它们的训练文本更少，少到不足以从中学会词与词之间的先后顺序。",
                ),
                Text(
                    en="No amount of text helps: the function itself cannot see order.",
                    zh="文本再多也没用：这个函数本身就看不见顺序。",
                ),
            ),
            Option(
                Text(
                    en="Their sentences are longer, and the longer the text, the more order "
                    "matters.",
                    zh="因为它们的句子更长，而文本越长，词的次序就越重要，越少不了。",
                ),
                Text(
                    en="Two words are enough for the problem.",
                    zh="两个词就足以出现这个问题。",
                ),
            ),
            Option(
                Text(
                    en="They look both ways: without a causal mask nothing is tied to positions.",
                    zh="它们双向都看：没有因果掩码，就没有任何东西与位置挂钩。",
                ),
                Text(
                    en="Right: two equal [MASK] tokens then get the same output at any depth.",
                    zh="对：那样的话，两个相同的[MASK]无论多少层之后输出都一样。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="What is wrong with `scores.softmax(-1).tril()` as causal attention?",
            zh="用`scores.softmax(-1).tril()`做因果注意力，错在哪里？",
        ),
        options=(
            Option(
                Text(
                    en="It hides the past instead of the future.",
                    zh="遮住的是过去，而不是未来。",
                ),
                Text(
                    en="`tril` keeps the lower triangle, key ≤ query: that side is right.",
                    zh="`tril`保留下三角，即键 ≤ 查询，这一边没有弄反。",
                ),
            ),
            Option(
                Text(
                    en="The denominator contains later tokens, which leak: no row but the last "
                    "sums to 1.",
                    zh="分母里有之后的词元：除最后一行外，各行之和都不是1，信息就泄露了。",
                ),
                Text(
                    en="Right: set the scores to −∞ before the softmax.",
                    zh="对：应当在softmax之前把这些得分设成−∞。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Nothing: after `tril` the future has weight 0, which is all that a "
                    "mask does.",
                    zh="没有错：`tril`之后未来的权重是0，掩码要做的也就是这个。",
                ),
                Text(
                    en="Its weight is 0, but what is missing from 1 gives its scores away.",
                    zh="权重是0，但各行比1少了多少，恰好透露了未来的得分。",
                ),
            ),
        ),
    ),
)
