"""Self-test of the chapter on learned positions."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="Why do neighbouring rows of a learned table end up alike?",
            zh="为什么可学习的表里，相邻两行最后会变得相像？",
        ),
        options=(
            Option(
                Text(en="They are initialised alike.", zh="初始化时就相像。"),
                Text(
                    en="They start as independent random vectors; their cosines are of either "
                    "sign, about 0 on average.",
                    zh="它们一开始是互相独立的随机向量，余弦有正有负，平均约为0。",
                ),
            ),
            Option(
                Text(
                    en="A blank at either position needs nearly the same letters, so the two "
                    "rows get similar gradients.",
                    zh="空位在这两处，要看的几乎是同一批字母，两行得到的梯度也就相近。",
                ),
                Text(
                    en="Right: the method has no order in it. Training brings it in.",
                    zh="对：方法里本来没有顺序，是训练带进来的。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The loss has a term that pulls neighbouring rows together.",
                    zh="损失里有一项，把相邻两行往一起拉。",
                ),
                Text(
                    en="There is no such term: each row holds weights like any others.",
                    zh="没有这一项：每一行都和别的参数没有两样。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="GPT-2 has 7 tokens in its cache and is fed one more. Which row does the new token "
            "get?",
            zh="GPT-2的缓存里有7个词元，再送入一个词元。新词元取第几行？",
        ),
        options=(
            Option(
                Text(
                    en="Row 0: it is the first token of this input.",
                    zh="第0行：它是这次输入的第一个。",
                ),
                Text(
                    en="Then every generated token would be at the beginning of the text.",
                    zh="那样每个生成的词元都在文本的开头。",
                ),
            ),
            Option(
                Text(en="Row 8: it is the eighth token.", zh="第8行：它是第八个词元。"),
                Text(
                    en="Rows count from 0: the eighth token has row 7.",
                    zh="行号从0数起：第八个词元取第7行。",
                ),
            ),
            Option(
                Text(en="Row 7.", zh="第7行。"),
                Text(
                    en="Right: its position is the number of tokens before it.",
                    zh="对：它的位置就是之前的词元数。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A table has $N=8$ rows. Which of these fails *silently* at position 8?",
            zh="一张表有$N=8$行。在位置8，下面哪一种会*不声不响*地出错？",
        ),
        options=(
            Option(
                Text(
                    en="Adding the slice `table[8:9]` to a single token",
                    zh="给单个词元加上切片`table[8:9]`",
                ),
                Text(
                    en="Right: the slice has no rows, and broadcasting leaves a tensor without "
                    "the token.",
                    zh="对：切片里一行也没有，广播之后词元就没了。",
                ),
                right=True,
            ),
            Option(
                Text(en="`table[torch.tensor([8])]`", zh="`table[torch.tensor([8])]`"),
                Text(
                    en="A look-up by index raises an IndexError on the CPU.",
                    zh="按下标查表，在CPU上会抛出IndexError。",
                ),
            ),
            Option(
                Text(en="`nn.Embedding` called with 8", zh="用8去调用`nn.Embedding`"),
                Text(
                    en="It raises too; on a GPU as a device-side assertion.",
                    zh="也会报错；在GPU上是设备端断言。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A table has 2048 rows, but all training texts had 1024 tokens. What are rows 1024 "
            "to 2047?",
            zh="一张表有2048行，但训练文本都只有1024个词元。第1024到2047行是什么？",
        ),
        options=(
            Option(
                Text(
                    en="A continuation of the pattern of the first 1024.",
                    zh="前1024行规律的延续。",
                ),
                Text(
                    en="Their gradient was exactly zero all the time: nothing was continued.",
                    zh="它们的梯度自始至终恰好是零：没有延续任何东西。",
                ),
            ),
            Option(
                Text(en="Copies of row 1023.", zh="第1023行的副本。"),
                Text(
                    en="Only code that clamps behaves like that; the rows themselves were never "
                    "touched.",
                    zh="只有把位置截到末行的代码才会这样；这些行本身从没更新过。",
                ),
            ),
            Option(
                Text(
                    en="The random numbers that they started with (or those, shrunk by weight "
                    "decay).",
                    zh="初始的随机数（或者被权重衰减缩小了的随机数）。",
                ),
                Text(
                    en="Right, and the model has never met such vectors.",
                    zh="对，模型从来没有见过这样的向量。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A row of a batch is `· · a b c`, padded on the left. A decoder with a plain table, "
            "such as GPT-2, should give a, b, c the positions …",
            zh="批次中有一行是`· · a b c`，做了左填充。对GPT-2这种普通的表，a、b、c的位置应是……",
        ),
        options=(
            Option(
                Text(en="2, 3, 4", zh="2、3、4"),
                Text(
                    en="That counts padding: the text would change with the width of the batch.",
                    zh="这是把填充也数了进去：批次变宽，文本的位置就跟着变。",
                ),
            ),
            Option(
                Text(en="0, 1, 2", zh="0、1、2"),
                Text(
                    en="Right: `cumsum` of the mask minus 1. (OPT and RoBERTa then look up rows "
                    "2, 3, 4, by their own convention.)",
                    zh="对：掩码的`cumsum`减1。（OPT和RoBERTa再按各自的约定去取第2、3、4行。）",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="It does not matter: the padding is masked.",
                    zh="无所谓，填充反正被掩码遮住了。",
                ),
                Text(
                    en="The mask hides the padding; it does not move the tokens back to their "
                    "rows.",
                    zh="掩码遮住的是填充，并不会把词元挪回它们的行。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="$W[x;p]=W_xx+W_pp$. What does concatenating offer that one added table does not?",
            zh="$W[x;p]=W_xx+W_pp$。与相加一张表相比，拼接多了什么？",
        ),
        options=(
            Option(
                Text(
                    en="Products of word and position inside the projection.",
                    zh="投影里有了词与位置的乘积。",
                ),
                Text(
                    en="The projection is linear: it adds the two and never multiplies them.",
                    zh="投影是线性的：只会把两者相加，不会相乘。",
                ),
            ),
            Option(
                Text(
                    en="Queries, keys and values can each see a different table.",
                    zh="查询、键、值可以各看到一张不同的表。",
                ),
                Text(
                    en="Right: each projection has its own Wₚ. The price is more channels.",
                    zh="对：每个投影有自己的Wₚ。代价是通道更多。",
                ),
                right=True,
            ),
            Option(
                Text(en="Positions past the end.", zh="表尽头之后的位置。"),
                Text(
                    en="The same rows are looked up; the end is the same.",
                    zh="查的是同样的行，尽头也一样。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A GRU in front of the Transformer replaces the table. What is the price?",
            zh="在Transformer前面放一个GRU代替位置表。代价是什么？",
        ),
        options=(
            Option(
                Text(
                    en="It cannot read more tokens than in training.",
                    zh="读不了比训练时更多的词元。",
                ),
                Text(
                    en="It has no table, so no end (how well it reads there is another question).",
                    zh="它没有表，也就没有尽头（读得好不好是另一回事）。",
                ),
            ),
            Option(
                Text(
                    en="It needs a table of positions as well.",
                    zh="另外还需要一张位置表。",
                ),
                Text(
                    en="It needs none: exchanging two tokens changes all later states, so that the "
                    "order is in them.",
                    zh="不需要：交换两个词元，后面所有状态都会变，顺序就在状态里。",
                ),
            ),
            Option(
                Text(en="Tokens must be read one after the other.", zh="词元必须一个接一个地读。"),
                Text(
                    en="Right: each state waits for the one before it, in training too.",
                    zh="对：每个状态都要等前一个，训练时也一样。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A learned table of 1024 rows becomes one of 2048: (a) with new random rows, (b) "
            "with rows 0 to 1023 repeated, or (c) by interpolation. For which of the three do "
            "*short* texts change, before any fine-tuning?",
            zh="把1024行的可学习表变成2048行：(a)加新的随机行，(b)把第0到1023行再抄一遍，(c)用插值拉长。"
            "微调之前，哪几种会让*短*文本也变？",
        ),
        options=(
            Option(
                Text(
                    en="For none of them: a short text uses the first rows, as before.",
                    zh="哪一种都不会：短文本用的还是开头那些行。",
                ),
                Text(
                    en="So it does, but in (c) row 1 is now what row ½ would have been: each step "
                    "is half as long as in training.",
                    zh="用的确实是开头那些行，但(c)里的第1行相当于原来的第½行，每一步只有训练时的一半。",
                ),
            ),
            Option(
                Text(
                    en="Only for (c): one step is now half of what training showed.",
                    zh="只有(c)：现在的一步只有训练时的一半。",
                ),
                Text(
                    en="Right. (a) and (b) keep the first 1024 rows and fail beyond them: (a) has "
                    "noise there, and in (b) positions p and p + 1024 look alike. Measure both: "
                    "short texts, and the loss by position beyond 1024.",
                    zh="对。(a)和(b)的前1024行没动，问题出在后面：(a)是噪声，"
                    "(b)分不清位置p和p + 1024。短文本的损失、1024以后各位置的损失，两头都要测。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="For (a) and (c): both put in rows that were never trained.",
                    zh="(a)和(c)：两者都加进了没训练过的行。",
                ),
                Text(
                    en="The random rows of (a) come after row 1023, which no short text reaches.",
                    zh="(a)的随机行都在第1023行之后，短文本用不到。",
                ),
            ),
        ),
    ),
)
