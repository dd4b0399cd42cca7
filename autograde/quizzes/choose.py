"""Quiz over chapters 0 to 11: three questions for each, and `draw`, one paper of them."""

from random import Random

from autograde.kit.question import Option, Question
from bilingual import Text

Prompt = tuple[str, str]  # English, Chinese
Choice = tuple[str, str, str, str]  # an option in both languages, then why it is right or wrong


def _ask(prompt: Prompt, right: Choice, *wrong: Choice) -> Question:
    options = [
        Option(Text(en, zh), Text(*because), right=choice is right)
        for choice in (right, *wrong)
        for en, zh, *because in [choice]
    ]
    return Question(Text(*prompt), _shuffled(options, Random(prompt[0])))


def _shuffled(options: list[Option], chance: Random) -> tuple[Option, ...]:
    # of a seeded Random, only `random()` gives the same numbers in every version of Python
    return tuple(sorted(options, key=lambda option: chance.random()))


COURSE: tuple[tuple[Question, ...], ...] = (
    (  # 0, 1, …: one group for each chapter
        _ask(
            (
                "What does a positional encoding tell a Transformer?",
                "位置编码告诉Transformer什么？",
            ),
            (
                "Where each token is, or how far apart two are.",
                "每个词元在哪里，或两个相隔多远。",
                "Right: attention alone does not see order.",
                "对：注意力本身看不见顺序。",
            ),
            (
                "What each word means, and which words it usually goes with.",
                "每个词是什么意思，通常与哪些词一起出现。",
                "That is the embedding of the token.",
                "那是词嵌入的事。",
            ),
            (
                "How many tokens the text has.",
                "文本有多少个词元。",
                "The shape of the tensor says that already.",
                "张量的形状已经说明了。",
            ),
        ),
        _ask(
            (
                "A query stands at 9, a key at 4. What is their relative position in this course?",
                "查询在9，键在4。按本课程的约定，相对位置是多少？",
            ),
            (
                "-5",
                "-5",
                "Right: key minus query; the past is negative.",
                "对：键减查询，过去为负。",
            ),
            (
                "5",
                "5",
                "That is query minus key, the sign of some papers and of BERT's code.",
                "这是查询减键，有些论文和BERT的代码是这个符号。",
            ),
            (
                "13",
                "13",
                "Nobody needs the sum: it changes when the sentence moves.",
                "和没有用：句子一移动它就变。",
            ),
        ),
        _ask(
            (
                "Your answer returns the right shape and wrong numbers. What does its report say?",
                "你的答案形状正确、数不对。报告会怎么说？",
            ),
            (
                "Points for what passed, the checks that failed, perhaps a cause.",
                "通过的检查得分，没通过的逐项指出，也许附上原因。",
                "Right: each check counts on its own.",
                "对：每项检查单独计分。",
            ),
            (
                "Almost nothing until every check has passed: points come at the end.",
                "几乎什么也不说：要等全部通过，最后才给分。",
                "Checks are reported one by one.",
                "检查是逐项报告的。",
            ),
            (
                "Full points: a check looks at shape and dtype, not at each number.",
                "满分：检查看的只是形状和dtype，不会去看每一个数。",
                "Shape is one check among several, if there is one for it at all.",
                "形状最多是几项检查之一。",
            ),
        ),
    ),
    (
        _ask(
            (
                "Attention without mask or positions: the tokens are reordered. What happens to "
                "the outputs?",
                "没有掩码和位置的注意力：把词元重排，输出会怎样？",
            ),
            (
                "They are reordered in the same way.",
                "以同样的方式重排。",
                "Right: equivariant, f(PX) = P f(X).",
                "对：等变，f(PX) = P f(X)。",
            ),
            (
                "Nothing changes.",
                "完全不变。",
                "That is invariance. It holds only after pooling.",
                "那是不变，池化之后才成立。",
            ),
            (
                "They are reordered, and their values change.",
                "重排了，数值也变了。",
                "Each token still meets the same keys, so its output keeps its numbers.",
                "每个词元面对的键没有变，输出的数也就不变。",
            ),
        ),
        _ask(
            (
                "A causal model of one layer has no positions. What does the last output know of "
                "the order of the earlier words?",
                "单层因果模型，没有位置编码。最后一个输出对前面各词的顺序知道多少？",
            ),
            (
                "Nothing: they are a bag of words.",
                "一无所知：前文只是一个词袋。",
                "Right: a weighted sum over a set; two layers can do better.",
                "对：对一个集合求加权和；两层就能做得更好。",
            ),
            (
                "Everything: the mask tells it which word came first.",
                "全知道：掩码会告诉它哪个词先来，哪个词后来。",
                "The mask says which keys come earlier, not in which order.",
                "掩码只说哪些键在前，没说它们谁先谁后。",
            ),
            (
                "The order of the last two, and nothing of those before.",
                "只知道最后两个的顺序，更早的都不知道。",
                "All earlier keys enter the same sum in the same way.",
                "前面所有的键以同样的方式进入同一个和。",
            ),
        ),
        _ask(
            (
                "Which sentence about decoders without positional encoding (NoPE) is right?",
                "关于没有位置编码的解码器（NoPE），哪句话对？",
            ),
            (
                "The mask lets them count: they learn, a little worse.",
                "有掩码就能计数，所以学得会，只是略差。",
                "Right: perplexity 20.97 against 20.42 with a learned table (Haviv et al. "
                "2022, Table 1).",
                "对：困惑度20.97，可学习的表是20.42（Haviv等，2022，表1）。",
            ),
            (
                "They cannot learn language: to them every text is a bag of words.",
                "学不会语言：对它们来说，任何文本都只是一个词袋。",
                "A causal mask breaks the symmetry; an encoder without positions fails.",
                "因果掩码打破了对称性；学不会的是没有位置的编码器。",
            ),
            (
                "They are equally good at any length.",
                "任何长度都一样好。",
                "In Kazemnejad et al. 2023 NoPE is level up to 1.4 times the trained length, and "
                "broken at 1.8.",
                "在Kazemnejad等（2023）中，NoPE只平稳到训练长度的1.4倍，到1.8倍就坏了。",
            ),
        ),
    ),
    (
        _ask(
            (
                "Which matrix turns the sinusoids of position p into those of p + k?",
                "哪个矩阵把位置p的正弦编码变成p + k的？",
            ),
            (
                "A block-diagonal rotation that depends on k alone.",
                "只取决于k的分块对角旋转。",
                "Right: by ω k in each pair of channels.",
                "对：每一对通道转ω k。",
            ),
            (
                "A rotation whose angles depend on p as well as on k.",
                "一个旋转，它的角度既取决于p也取决于k。",
                "The addition theorems leave no p in it.",
                "由两角和公式，里面没有p。",
            ),
            (
                "None: the map is not linear.",
                "没有：这个映射不是线性的。",
                "Sine and cosine of a sum are linear in those of the parts.",
                "由两角和公式，和的正弦、余弦是各部分正弦、余弦的线性组合。",
            ),
        ),
        _ask(
            (
                "How does the dot product of the sinusoids of p and p + k behave as k grows?",
                "k增大时，p与p + k的正弦编码的点积怎样变化？",
            ),
            (
                "It falls at first, then goes up and down; it is the same for -k.",
                "先下降，然后起伏；对-k也一样。",
                "Right: a sum of cosines, which knows the distance but not the direction.",
                "对：它是余弦之和，知道距离，不知道方向。",
            ),
            (
                "It falls steadily.",
                "一路下降。",
                "A sum of cosines rises again.",
                "余弦之和会再升起来。",
            ),
            (
                "It is 0 for every k but 0.",
                "除k = 0外都是0。",
                "The rows are not orthogonal: neighbours are very much alike.",
                "各行并不正交：相邻的两行非常相像。",
            ),
        ),
        _ask(
            (
                "Sines are defined at every position. Does the model extrapolate?",
                "正弦在每个位置都有定义。模型就能外推吗？",
            ),
            (
                "No: defined is not trained.",
                "不能：有定义不等于训练过。",
                "Right: with training at 512, perplexity is 20.05 there and 43.54 at 1012 (Press "
                "et al. 2022, Table 2).",
                "对：训练长度512处，困惑度是20.05，1012处是43.54（Press等，2022，表2）。",
            ),
            (
                "Yes: they are periodic.",
                "能：正弦都是周期函数。",
                "The slow ones never complete a period, and taken together they do not repeat.",
                "低频的那些连一个周期都没走完，合在一起更不会重复。",
            ),
            (
                "No: far rows are too long.",
                "不能：远处的行范数太大。",
                "All rows have one norm: sin² + cos² = 1 in each pair.",
                "各行的范数都相同：每一对里sin² + cos² = 1。",
            ),
        ),
    ),
    (
        _ask(
            (
                "A GPT-2 in PyTorch, with a table of 1024 rows, reads a text of 1025 tokens. What "
                "happens?",
                "PyTorch写的GPT-2，表有1024行，让它读1025个词元的文本，会怎样？",
            ),
            (
                "An error: there is no such row.",
                "报错：没有这一行。",
                "Right, and it is the good case: clamping would be silent.",
                "对，而且这是好事，截到末行（clamp）才是悄无声息的。",
            ),
            (
                "The last token is read a little worse.",
                "最后一个词元读得差一点。",
                "There is no row to be worse.",
                "根本没有那一行，谈不上变差。",
            ),
            (
                "It starts again at row 0, as a ring buffer does.",
                "像环形缓冲区那样，从第0行重新开始。",
                "No common code does that, and positions would collide.",
                "常见的代码都不这样做，位置也会重合。",
            ),
        ),
        _ask(
            (
                "How many parameters does a learned table of 1024 rows and width 768 have, in "
                "a model of 12 layers?",
                "可学习的表有1024行，宽768，模型12层。它有多少参数？",
            ),
            (
                "786,432",
                "786432",
                "Right: 1024 × 768, added once at the input.",
                "对：1024 × 768，只在输入处加一次。",
            ),
            (
                "9,437,184",
                "9437184",
                "That is a table in each layer; there is one for all.",
                "那是每层一张表，其实总共只有一张。",
            ),
            (
                "12,288",
                "12288",
                "That is 1024 × 12. A row is as wide as the model.",
                "这是1024 × 12。一行与模型一样宽。",
            ),
        ),
        _ask(
            (
                "A batch is padded on the left, and positions are 0, 1, 2, … by column. Which "
                "model suffers although padding is masked?",
                "一批文本做了左填充，位置按列编为0、1、2……，填充已遮住。哪种模型仍会出错？",
            ),
            (
                "One with a learned table.",
                "用可学习的表的模型。",
                "Right: a short text gets rows from the middle of a long one.",
                "对：短文本拿到了长文本中段的行。",
            ),
            (
                "One with RoPE, whose angles are then too large.",
                "用RoPE的模型：角度会转得过大。",
                "All its tokens move alike; scores see the distance alone.",
                "所有词元一起平移，得分只看距离。",
            ),
            (
                "One with ALiBi, whose bias then counts padding.",
                "用ALiBi的模型：偏置会把填充也数进去。",
                "A bias of the distance does not change when all tokens move.",
                "所有词元一起平移时，按距离的偏置不变。",
            ),
        ),
    ),
    (
        _ask(
            (
                "What does Shaw's method add that T5's does not?",
                "Shaw的方法加了什么，而T5没有？",
            ),
            (
                "A vector for each distance, whose dot product with the query is added.",
                "每个距离一个向量，它与查询的点积加到得分上。",
                "Right: q · a; T5 adds a number that no word changes.",
                "对：q · a；T5加的是一个与词无关的数。",
            ),
            (
                "A number for each distance.",
                "每个距离一个数。",
                "That is T5.",
                "那正是T5。",
            ),
            (
                "A rotation of each key.",
                "对每个键的旋转。",
                "That is RoPE.",
                "那是RoPE。",
            ),
        ),
        _ask(
            (
                "From which distance on does a causal T5 (32 buckets, maximum 128) give all keys "
                "the same number?",
                "因果T5（32个桶，最大距离128）从多远起，给所有键同一个数？",
            ),
            (
                "113",
                "113",
                "Right: the last bucket begins there.",
                "对：最后一个桶从那里开始。",
            ),
            (
                "128",
                "128",
                "The formula rounds down: bucket 31 begins before 128.",
                "公式向下取整：第31号桶在128之前就开始了。",
            ),
            (
                "32",
                "32",
                "Half of the 32 buckets hold one distance each, the rest grow.",
                "32个桶里一半各装一个距离，其余越来越宽。",
            ),
        ),
        _ask(
            (
                "An encoder has relative scores only, and the text is one word eight times. "
                "What can it not do?",
                "编码器只有相对得分，文本是同一个词重复八遍。它做不到什么？",
            ),
            (
                "Tell the first from the fifth.",
                "分清第一个和第五个。",
                "Right: all values are equal, so all outputs are.",
                "对：值都相同，所以输出都相同。",
            ),
            (
                "Give the nearest word more weight.",
                "给最近的词更大的权重。",
                "It can; only the mixture of equal values does not show it.",
                "它能；只是相同的值混合后看不出来。",
            ),
            (
                "Read a text that starts at 5000.",
                "读一段从5000开始的文本。",
                "That is what relative scores are good at.",
                "这正是相对得分擅长的。",
            ),
        ),
    ),
    (
        _ask(
            (
                "Why does a RoPE score depend on the distance alone?",
                "RoPE的得分为什么只取决于距离？",
            ),
            (
                "The transpose of a rotation is its inverse, so of two angles only the "
                "difference is left.",
                "旋转的转置就是它的逆，所以两个角度只剩下差。",
                "Right: the product of both is the rotation by n - m.",
                "对：两者之积是转n - m的旋转。",
            ),
            (
                "The angles are small.",
                "角度很小。",
                "The fastest pair turns by a radian a token.",
                "最高频的那一对每个词元转一弧度。",
            ),
            (
                "A rotation keeps the norm.",
                "旋转不改变范数。",
                "Necessary, not enough: turning by p² keeps norms too.",
                "必要但不够，按p²旋转也不改变范数。",
            ),
        ),
        _ask(
            (
                "RoPE and the decay of scores with distance: what is proven?",
                "RoPE的得分随距离衰减：究竟证明了什么？",
            ),
            (
                "An upper bound, which the paper then plots.",
                "一个上界；论文又把它画了出来。",
                "Right: that the bound falls is plotted, not proved. For q = k = 1, d = 128, the "
                "score itself rises at 997 of 2047 steps.",
                "对：至于上界会下降，论文只画了图，没有证明。q = k = 1、d = 128时，"
                "2047步里得分本身有997步是上升的。",
            ),
            (
                "The score falls with every step away from the query.",
                "离查询每远一步，得分都会下降。",
                "Take for key the query turned by 1000: its score is largest 1000 tokens away.",
                "拿转过1000个位置的查询当键，得分最大处就在相隔1000个词元的地方。",
            ),
            (
                "The score falls exponentially with the distance.",
                "得分随距离的增大按指数下降。",
                "A sum of cosines does not.",
                "余弦之和不会这样。",
            ),
        ),
        _ask(
            (
                "A checkpoint with interleaved pairs is run with half-split code. What do you see?",
                "checkpoint用交错排布训练，代码却按前后半排布运行，会看到什么？",
            ),
            (
                "No error, norms kept, shift invariance kept, wrong scores.",
                "不报错，范数不变，平移不变，得分却不对。",
                "Right: a golden value finds it; reordering the rows of W fixes it.",
                "对：靠基准值才查得出来；要改就重排W的行。",
            ),
            (
                "A shape error.",
                "形状报错。",
                "Both layouts have the same shapes.",
                "两种排布形状相同。",
            ),
            (
                "The same scores: reordered channels do not change a dot product.",
                "得分相同：通道换个次序，点积的结果并不会改变。",
                "Different channels are paired, so different numbers come out.",
                "配对的通道不同，算出的数就不同。",
            ),
        ),
    ),
    (
        _ask(
            (
                "Which pairs of RoPE meet angles never seen, on texts longer than in training?",
                "文本比训练时更长时，RoPE的哪些对会遇到没见过的角度？",
            ),
            (
                "The slow ones, with less than one turn in training.",
                "低频对，训练时还没转满一圈。",
                "Right: the fast ones have seen every angle many times.",
                "对：高频对把每个角度都见过许多遍了。",
            ),
            (
                "The fast ones.",
                "高频对。",
                "They have turned many times: no angle is new.",
                "它们转过许多圈，没有新的角度。",
            ),
            (
                "All of them alike.",
                "全都一样。",
                "By-parts scaling works because they differ.",
                "NTK-by-parts之所以有效，正因为它们不同。",
            ),
        ),
        _ask(
            (
                "Position interpolation by 8, no fine-tuning. What happens?",
                "位置插值8倍，不微调，会怎样？",
            ),
            (
                "Angles stay in range, but neighbours are blurred: clearly worse until tuned.",
                "角度不出范围，但相邻位置分不清了，微调之前明显变差。",
                "Right: already by 4, perplexity is 16.10 at step 0, 7.12 after 200 steps (Chen et "
                "al. 2023, Table 3).",
                "对：4倍时已是这样，第0步困惑度16.10，200步后7.12（Chen等，2023，表3）。",
            ),
            (
                "Everything is as before.",
                "一切照旧。",
                "Near words turn apart by an eighth of the angle the model knows.",
                "相邻的词之间，转过的角度只有训练时的八分之一。",
            ),
            (
                "Long texts get angles beyond training.",
                "长文本的角度超出训练范围。",
                "That is what interpolation avoids.",
                "插值避免的正是这个。",
            ),
        ),
        _ask(
            (
                "For s = 16, YaRN has the factor 0.1 ln 16 + 1 = 1.277. What is multiplied by it?",
                "s = 16时，YaRN的因子是0.1 ln 16 + 1 = 1.277。它乘在哪里？",
            ),
            (
                "Queries and keys, so scores grow by its square, 1.63.",
                "查询和键，所以得分乘以它的平方，即1.63。",
                "Right: both sides carry it.",
                "对：两边各乘一次。",
            ),
            (
                "Scores: they grow by 1.277.",
                "得分：放大到1.277倍。",
                "It is multiplied into cos and sin, which turn queries and keys both.",
                "它乘进cos和sin，而查询和键都用它们来旋转。",
            ),
            (
                "Values.",
                "值。",
                "Values are not touched by RoPE at all.",
                "RoPE根本不碰值。",
            ),
        ),
    ),
    (
        _ask(
            (
                "Which slopes does ALiBi have with 8 heads?",
                "8个头的ALiBi，斜率是哪些？",
            ),
            (
                "1/2, 1/4, …, 1/256, fixed.",
                "1/2、1/4、……、1/256，固定不变。",
                "Right: geometric, and not learned.",
                "对：等比数列，不参与学习。",
            ),
            (
                "1, 1/2, …, 1/128, fixed.",
                "1、1/2、……、1/128，固定不变。",
                "That counts heads from 0.",
                "这是把头从0数起了。",
            ),
            (
                "Learned, one for each head, with the other weights.",
                "学习得到，每个头一个，与其他权重一起训练。",
                "Press et al. fixed them before training; those of KERPLE are learned.",
                "Press等在训练前就定好了；学习的是KERPLE。",
            ),
        ),
        _ask(
            (
                "ALiBi's perplexity stays flat at 30 times the trained length. What is shown?",
                "在训练长度的30倍处，ALiBi的困惑度依然平稳。这说明什么？",
            ),
            (
                "It does not break; no use of far words is shown.",
                "它没有崩；没说明它用上远处的词。",
                "Right: with a sliding window the curve is flat as well.",
                "对：用滑动窗口评测，曲线同样平稳。",
            ),
            (
                "It uses all of the text, or perplexity would rise.",
                "它用上了全部文本，否则困惑度就会上升。",
                "Then perplexity should fall with more context; it stays.",
                "那困惑度应随上下文变长而下降，但它没有。",
            ),
            (
                "Its slopes have learned to fit texts of any length.",
                "它的斜率学会了适应任意长度的文本。",
                "Its slopes are fixed; nothing about them is learned.",
                "它的斜率是固定的，没有什么可学。",
            ),
        ),
        _ask(
            (
                "When is one row m j for all queries as good as -m (i - j)?",
                "什么时候，所有查询共用的一行m j与-m (i - j)一样好？",
            ),
            (
                "With a causal mask, in float32, with no sink logit.",
                "有因果掩码、用float32、没有sink logit时。",
                "Right: a row then differs by a constant, which softmax does not see.",
                "对：这时一行只差一个常数，softmax不受影响。",
            ),
            (
                "With a mask or without, in any dtype, both ways.",
                "有没有掩码都一样，用任何dtype、两边都看也行。",
                "In both directions the penalty would change its sign.",
                "双向时，查询之后的键不但不扣分，反而加分。",
            ),
            (
                "Only where all heads of a layer share one slope.",
                "只有同一层里各头的斜率全都相等时。",
                "Slopes may differ, since each head has a softmax of its own: BLOOM does it.",
                "斜率可以不同，因为每个头各做各的softmax：BLOOM就是这样做的。",
            ),
        ),
    ),
    (
        _ask(
            (
                "What does a KV cache hold for a model with RoPE, in the usual code?",
                "用RoPE的模型，常见代码的KV缓存里存什么？",
            ),
            (
                "Keys already turned, and values.",
                "已经旋转过的键，以及值。",
                "Right: a key's rotation depends on its own position alone.",
                "对：键的旋转只取决于它自己的位置。",
            ),
            (
                "Keys, values and queries of every token so far.",
                "至今每个词元的键、值和查询。",
                "Old queries are never used again.",
                "旧的查询不会再用。",
            ),
            (
                "Keys and values, both turned to their positions.",
                "键和值，都按各自的位置旋转过。",
                "Values are not turned: outputs would depend on the absolute place.",
                "值不旋转：否则输出会取决于绝对位置。",
            ),
        ),
        _ask(
            (
                "32 layers, 32 query heads, 8 KV heads, 128 channels a head, 16 bits. How large "
                "is the KV cache for one token?",
                "32层，32个查询头，8个KV头，每个头128个通道，16位。一个词元的KV缓存有多大？",
            ),
            (
                "128 KiB",
                "128 KiB",
                "Right: 2 × 32 × 8 × 128 numbers of 2 bytes.",
                "对：2 × 32 × 8 × 128个数，各2字节。",
            ),
            (
                "512 KiB",
                "512 KiB",
                "That caches a key and a value for every query head.",
                "这是给每个查询头都存了一份键和值。",
            ),
            (
                "64 KiB",
                "64 KiB",
                "Keys and values: twice that.",
                "键和值都要存：还得乘2。",
            ),
        ),
        _ask(
            (
                "Llama 2 drops the oldest words of a stream. Which must stay for it not to break?",
                "Llama 2读一段没有尽头的文本，丢弃最旧的词。要让它不崩，必须留下哪些？",
            ),
            (
                "The first few, the sinks.",
                "最前面的几个，即attention sink（汇点）。",
                "Right: they take the weight that heads have to spare.",
                "对：它们收走各个头多余的权重。",
            ),
            (
                "None: a window of the latest words is enough.",
                "不用留：有最近一段的窗口就够。",
                "Llama 2 breaks as soon as the first tokens leave; a model without sinks may not.",
                "在Llama 2里，开头几个词元一离开就崩；没有汇点的模型倒未必。",
            ),
            (
                "All: dropping any of them breaks the model.",
                "全部：丢掉哪一个，模型都会崩。",
                "Sinks and a window keep the loss low in the StreamingLLM paper.",
                "StreamingLLM的论文里，汇点加窗口就能让损失保持很低。",
            ),
        ),
    ),
    (
        _ask(
            (
                "Why is the excess loss a better measure of what a longer text costs than the loss "
                "at 1024?",
                "衡量文本变长的代价，为什么超额损失比1024处的损失更好？",
            ),
            (
                "It compares the same bytes, so an easier text cannot pass for a better method.",
                "它比的是同样的字节，所以不会把容易的文本当成好的方法。",
                "Right: the loss of the same bytes in a fresh window is subtracted.",
                "对：减去了同样的字节在新窗口里的损失。",
            ),
            (
                "It is always positive, so methods can be ranked by its size alone.",
                "它总是正的，所以各种方法按它的大小排一排就行。",
                "It can be negative, if more context helps.",
                "上下文有帮助时，它可以是负的。",
            ),
            (
                "It needs a single pass over the text, so it is faster to compute.",
                "它只需把文本读一遍，所以算起来比较快。",
                "It takes two passes instead of one.",
                "它要算两遍，而不是一遍。",
            ),
        ),
        _ask(
            (
                "A wins over B in the mean of three seeds and loses in one. What do you report?",
                "三个种子的平均上A胜过B，其中一个种子上却输了。你怎么报告？",
            ),
            (
                "The spread, and that the order is not stable.",
                "离散程度，以及次序并不稳定。",
                "Right: an ordering is a claim about every seed.",
                "对：次序是对每个种子的断言。",
            ),
            (
                "A is better: what counts in the end is the mean over seeds.",
                "A更好：说到底，要看的就是几个种子的平均。",
                "One more seed might turn it round.",
                "再多一个种子可能就反过来。",
            ),
            (
                "Only the seeds in which A wins.",
                "只报告A赢的种子。",
                "That is choosing the result.",
                "那是在挑结果。",
            ),
        ),
        _ask(
            (
                "Which of these shows that a model *uses* far context?",
                "下面哪一项能说明模型*用上*了远处的上下文？",
            ),
            (
                "Its loss on the same words falls when far words are added.",
                "有了远处的词，同一批待测词元的损失更低。",
                "Right: the words asked and the near text are the same; only far words were added.",
                "对：待测词元和近处的文本都没变，多的只有远处的词。",
            ),
            (
                "Its loss stays flat as texts get longer, up to 30 times as long.",
                "文本变长，直到训练长度的30倍，损失都保持平稳。",
                "A model that ignores far words is flat as well.",
                "不理会远处词的模型也是平稳的。",
            ),
            (
                "It reads texts of that length without error or loss of speed.",
                "读这么长的文本也不报错，速度也没有明显变慢。",
                "So does plain RoPE, with a loss that explodes.",
                "普通RoPE也能这样，损失却暴涨。",
            ),
        ),
    ),
    (
        _ask(
            (
                "An image has 30 patches a row, numbered row by row. By how much do the "
                "numbers of a patch and of the one just below it differ?",
                "图像每行30块，逐行编号。上下相邻的两块，编号相差多少？",
            ),
            (
                "30",
                "30",
                "Right, while neighbours to the side are 1 apart.",
                "对，而左右相邻只差1。",
            ),
            (
                "1",
                "1",
                "In the image, yes; not in the number that the model sees.",
                "在图像上是；在模型看到的编号里不是。",
            ),
            (
                "31",
                "31",
                "That is one row down and one column on.",
                "那是向下一行再向右一列。",
            ),
        ),
        _ask(
            (
                "What are the frequencies of axial RoPE in a head of 64 channels?",
                "64个通道的头，轴向RoPE的频率是怎样的？",
            ),
            (
                "Those of a head of 32, once for rows and once for columns.",
                "与32通道的头相同，行用一份，列用一份。",
                "Right: each axis has half of the channels.",
                "对：每个轴占一半通道。",
            ),
            (
                "Those of a head of 64, both axes in every pair.",
                "与64通道的头相同，每一对兼管两个轴。",
                "In axial RoPE a pair belongs to one axis.",
                "轴向RoPE里，一对只属于一个轴。",
            ),
            (
                "Those of a head of 64: the fast half for rows, the slow for columns.",
                "与64通道的头相同，频率较高的一半给行，较低的一半给列。",
                "Then columns could not tell neighbours apart.",
                "那样列方向就分不清相邻的块了。",
            ),
        ),
        _ask(
            (
                "A text without images goes through a model with sections (t, h, w). Which "
                "positions do its tokens have?",
                "没有图像的文本经过用M-RoPE（t、h、w）的模型，词元的位置是什么？",
            ),
            (
                "t = h = w, the same as RoPE in one dimension.",
                "t = h = w，与一维RoPE相同。",
                "Right: exactly.",
                "对：完全相同。",
            ),
            (
                "t counts, h = w = 0: only images have height and width.",
                "t递增，h = w = 0：图像才有高和宽。",
                "Then the pairs of h and w would not turn on text.",
                "那样h和w的那些对在文本上就不转了。",
            ),
            (
                "None: without images there is nothing to place.",
                "没有位置：没有图像，就没有什么要定位。",
                "Text needs order as ever.",
                "文本照样需要顺序。",
            ),
        ),
    ),
    (
        _ask(
            (
                "A RoPE checkpoint trained at a length of 4096 tokens is wanted for 65536, "
                "sixteen times that. What do you do?",
                "某个RoPE模型的训练长度是4096个词元，想用到十六倍，即65536。该怎么做？",
            ),
            (
                "Scale its angles (YaRN), tune, measure.",
                "缩放角度（YaRN），微调，实测。",
                "Right: what was learned is kept, and angles stay in the trained range.",
                "对：学到的都留着，角度也留在训练过的范围里。",
            ),
            (
                "Replace RoPE by ALiBi, which extrapolates as it is.",
                "把RoPE换成ALiBi，它不用改就能外推到那里。",
                "The weights were trained for rotations; they would have to learn again.",
                "模型是按旋转训练的，得重新学。",
            ),
            (
                "Feed longer texts: RoPE is relative, so they just work.",
                "直接输入更长的文本：RoPE是相对位置，本来就行。",
                "Perplexity explodes: a model trained at 2048 exceeds 1000 at 4096 (Chen et "
                "al. 2023, Table 1).",
                "困惑度会暴涨，训练长度为2048的模型，在4096处就超过1000（Chen等，2023，表1）。",
            ),
        ),
        _ask(
            (
                "While decoding, which of these costs grows with the context?",
                "解码时，下面哪种代价随上下文增长？",
            ),
            (
                "A bias: one number per head and key.",
                "偏置：每个头每个键一个数。",
                "Right, though it stays small beside the scores themselves.",
                "对，不过与得分本身的计算量相比仍然很小。",
            ),
            (
                "The rotation of RoPE, with a cache of rotated keys.",
                "RoPE的旋转，缓存里是旋转过的键。",
                "One query and one key are turned, whatever the length.",
                "不管多长，只转一个查询和一个键。",
            ),
            (
                "The look-up in a learned table, one row for each key.",
                "可学习的表的查表，每个键一行。",
                "One row, for the new token alone, whatever the length.",
                "不管多长，只给新词元查一行。",
            ),
        ),
        _ask(
            (
                "“Our encoding is 37% better.” What do you ask first?",
                "“我们的编码好37%。”你先问什么？",
            ),
            (
                "Better in what, at which length, over how many seeds?",
                "好在哪个指标，多长，几个种子？",
                "Right: without these, and a source, the number says nothing.",
                "对：没有这些，也没有出处，这个数毫无意义。",
            ),
            (
                "How many parameters it has.",
                "它有多少参数。",
                "Worth knowing, but the claim is not yet one that can be checked.",
                "值得知道，但这个说法还没到可以验证的地步。",
            ),
            (
                "Nothing, if it is from a reviewed paper whose code is public.",
                "不用问：只要它出自经过评审、公开了代码的论文。",
                "A number without measure, setting and source proves nothing.",
                "没有指标、设置和出处的数字什么也证明不了。",
            ),
        ),
    ),
)

questions: tuple[Question, ...] = tuple(one for group in COURSE for one in group)


def draw(seed: int) -> tuple[Question, ...]:
    """Return one question of each chapter, options shuffled; the same for the same seed.

    seed: a whole number, 0 or more; the papers of two numbers may share some questions.

    Raises ValueError for any other seed.
    """
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        message = Text(
            en=f"your number is {seed!r}, expected 0 or a larger whole number, no quotes",
            zh=f"你的编号是{seed!r}，应为不小于0的整数，不带引号",
        )
        raise ValueError(str(message))
    chance = Random(seed)
    drawn = [group[int(chance.random() * len(group))] for group in COURSE]
    return tuple(Question(one.prompt, _shuffled(list(one.options), chance)) for one in drawn)
