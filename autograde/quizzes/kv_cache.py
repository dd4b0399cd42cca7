"""Self-test of the chapter on decoding with a KV cache."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="Why does a cache hold keys and values, but no queries?",
            zh="缓存里为什么有键和值，却没有查询？",
        ),
        options=(
            Option(
                Text(en="Queries are larger and would not fit.", zh="查询更大，放不下。"),
                Text(
                    en="Per head a query has as many numbers as a key. Size is not the reason.",
                    zh="逐个头来看，一个查询所含的数和一个键一样多，大小不是原因。",
                ),
            ),
            Option(
                Text(
                    en="An old query is needed only for the row of an old token, which is done.",
                    zh="旧的查询只用来算旧词元的那一行，而那一行已经算完了。",
                ),
                Text(
                    en="Right: the new row needs the new query, and every key and value so far.",
                    zh="对：新的一行要的是新的查询，以及至今所有的键和值。",
                ),
                right=True,
            ),
            Option(
                Text(en="Queries change with every new token.", zh="每来一个新词元，查询都会变。"),
                Text(
                    en="With a causal mask nothing of an old token changes, its query included.",
                    zh="有因果掩码时，旧词元的一切都不变，查询也是。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A batch was padded on the left, and positions count real tokens. One row holds 3 "
            "tokens in 10 columns. Which position does its new token get?",
            zh="一批文本做了左填充，位置按实际词元编号。某一行10列里有3个词元，"
            "它的新词元位置是多少？",
        ),
        options=(
            Option(
                Text(en="3", zh="3"),
                Text(
                    en="Right: one more than the largest position of a real token, which is 2.",
                    zh="对：实际词元的最大位置是2，再加1。",
                ),
                right=True,
            ),
            Option(
                Text(en="10", zh="10"),
                Text(
                    en="That counts columns. A learned table then gives a row that no text of 3 "
                    "tokens has ever used.",
                    zh="这是在按列数推算。可学习的编码表会取出一行，而3个词元的文本从没用过那一行。",
                ),
            ),
            Option(
                Text(en="0", zh="0"),
                Text(
                    en="That is what you get from a layer that counts only the tokens of this "
                    "call.",
                    zh="如果一层只数“这次给了几个词元”，就会算成0。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A cache of 1000 tokens kept tokens 0–3 and 900–999, without renumbering. Which "
            "position does the next token get?",
            zh="1000个词元的缓存只留下了词元0–3和900–999，没有重新编号。下一个词元的位置是多少？",
        ),
        options=(
            Option(
                Text(en="104", zh="104"),
                Text(
                    en="104 columns are left, but the window's keys are still at 900 to 999: "
                    "for the new query they would lie in its own future.",
                    zh="剩下104列，但窗口里的键位置仍是900到999，对新查询来说，"
                    "它们都成了“未来”的键。",
                ),
            ),
            Option(
                Text(en="1000", zh="1000"),
                Text(
                    en="Right: eviction removes keys, it does not move them.",
                    zh="对：驱逐只是删掉一些键，并没有移动它们。",
                ),
                right=True,
            ),
            Option(
                Text(en="999", zh="999"),
                Text(en="Token 999 is there already.", zh="那是词元999的位置。"),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="`F.scaled_dot_product_attention(q, k, v, is_causal=True)` with one query and 500 "
            "keys gives …",
            zh="一个查询、500个键时，`F.scaled_dot_product_attention(q, k, v, "
            "is_causal=True)`给出的是……",
        ),
        options=(
            Option(
                Text(en="attention over all 500 keys", zh="对全部500个键的注意力"),
                Text(
                    en="That is what you want. For one query leave is_causal out; a mask for "
                    "padding stays.",
                    zh="这是你想要的。只有一个查询时，别用is_causal（填充的掩码仍要加）。",
                ),
            ),
            Option(
                Text(en="an error", zh="一个报错"),
                Text(en="It runs, which is why it is dangerous.", zh="它能跑，所以才危险。"),
            ),
            Option(
                Text(en="the value of key 0", zh="键0的值"),
                Text(
                    en="Right: the triangle begins at the top left, so query 0 sees key 0 alone.",
                    zh="对：三角形从左上角开始，查询0只看得到键0。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="With a cache, the work for one more token …",
            zh="有了缓存，再多生成一个词元的计算量……",
        ),
        options=(
            Option(
                Text(en="is the same however long the text is", zh="与文本多长无关"),
                Text(
                    en="The work of the projections is. Scores and the weighted sum still touch "
                    "every cached key and value.",
                    zh="投影确实如此。但得分和加权和仍要碰每一个缓存的键和值。",
                ),
            ),
            Option(
                Text(en="grows linearly with the text's length", zh="随文本长度线性增长"),
                Text(
                    en="Right: 3d² + 2nd multiplications in a layer of attention at length n.",
                    zh="对：长度为n时，一层注意力做3d² + 2nd次乘法。",
                ),
                right=True,
            ),
            Option(
                Text(en="grows with the square of the text's length", zh="随文本长度的平方增长"),
                Text(
                    en="That is the work for one token without a cache, where all rows are made "
                    "again.",
                    zh="那是没有缓存时的计算量：每一行都要重算。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A window moves on by one token a step, and a rotated bfloat16 cache is renumbered. "
            "What do you do?",
            zh="窗口每步移动一个词元，缓存里是旋转过的键，存成bfloat16，还要重新编号。该怎么做？",
        ),
        options=(
            Option(
                Text(
                    en="Turn the stored keys back by one token every step.",
                    zh="每一步把存着的键反向转一个位置。",
                ),
                Text(
                    en="Every turn is rounded to bfloat16 and stored: errors pile up to half the "
                    "size of the key in 1024 steps.",
                    zh="每转一次都舍入成bfloat16再存，1024步后误差堆到键的一半大小。",
                ),
            ),
            Option(
                Text(
                    en="Keep the key as first stored, with its position; turn once, by the "
                    "difference.",
                    zh="保留最初存下的键和它的位置，用时按差值转一次。",
                ),
                Text(
                    en="Right: one rounding, however many steps have gone by.",
                    zh="对：不管过了多少步，只舍入一次。",
                ),
                right=True,
            ),
            Option(
                Text(en="Change the numbers and leave the keys.", zh="只改编号，存着的键不动。"),
                Text(
                    en="A rotated key carries its position in its angle; a number beside it moves "
                    "nothing.",
                    zh="旋转过的键把位置带在角度里，改旁边的编号什么也挪不动。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Dynamic NTK changes the frequencies as the text grows. Which cache fits?",
            zh="动态NTK会随文本变长而改变频率。哪种缓存适合它？",
        ),
        options=(
            Option(
                Text(en="Rotated keys: they are ready to use.", zh="旋转过的键：拿来就能用。"),
                Text(
                    en="Old keys were turned with old frequencies, new queries with new ones: "
                    "the score is no longer a function of the distance.",
                    zh="旧键按旧频率转，新查询按新频率转：得分不再是距离的函数。",
                ),
            ),
            Option(
                Text(
                    en="Either, as long as the position of each token is stored with it.",
                    zh="都行，只要把每个词元的位置也一起存下来。",
                ),
                Text(
                    en="The angle is position times frequency: undoing it also takes the "
                    "frequencies of the step at which each key was stored.",
                    zh="角度等于位置乘频率：要转回去，还得知道每个键存入那一步所用的频率。",
                ),
            ),
            Option(
                Text(
                    en="Un-rotated keys, all turned at each step.",
                    zh="未旋转的键，每一步全部重转。",
                ),
                Text(
                    en="Right: then all keys are turned with the frequencies of this step.",
                    zh="对：这样所有键都按这一步的频率旋转。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="The rotated keys and the values of a paragraph were cached where it stood in one "
            "text. You insert them into another text, with the keys turned by the difference of "
            "the positions. What is still wrong?",
            zh="一个段落在某篇文本里时，存下了旋转过的键，以及值。现在把它们插到另一篇文本里，"
            "键也按位置差值转好了。还有什么不对？",
        ),
        options=(
            Option(
                Text(
                    en="From the second layer on, both still hold what stood before the paragraph.",
                    zh="从第二层起，键和值里还带着它原来的前文。",
                ),
                Text(
                    en="Right: they come from outputs of the layer before, which looked at the old "
                    "text. Only in the first layer do they depend on the token alone. A common "
                    "*beginning* has nothing before it, so its cache is exact.",
                    zh="对：它们由前一层的输出算来，而那些输出看过旧的前文。只有第一层的键和值，才仅由词元本身决定。"
                    "公共的*开头*前面什么也没有，所以它的缓存是精确的。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Nothing: RoPE sees only distances, and those have been corrected.",
                    zh="没有了：RoPE只看距离，而距离已经改对了。",
                ),
                Text(
                    en="With the same contents that would do. But from the second layer on, the "
                    "content of a vector depends on the text before it.",
                    zh="内容相同的话是这样。但从第二层起，向量的内容取决于前文。",
                ),
            ),
            Option(
                Text(
                    en="The values must be turned by the same difference, as the keys were.",
                    zh="值也要按同样的差值旋转，就像键那样转一遍才行。",
                ),
                Text(
                    en="RoPE never turns values, so there is nothing to correct in them.",
                    zh="RoPE从不旋转值，值里没有什么要改。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Three documents are packed into one row, each with positions from 0. You keep the "
            "causal mask by position. What does the first document read?",
            zh="三篇文档打包成一行，每篇的位置都从0数起，因果掩码仍按位置生成。第一篇会读到什么？",
        ),
        options=(
            Option(
                Text(
                    en="Itself alone: the other documents come later in the row.",
                    zh="只有自己：在这一行里，另外两篇都排在更晚的地方。",
                ),
                Text(
                    en="Later in the row, but at small positions, and the mask asks for positions.",
                    zh="在行里是更晚，位置却很小，而掩码只看位置。",
                ),
            ),
            Option(
                Text(
                    en="The other documents too, wherever their positions are not after its own.",
                    zh="另外两篇里，凡是位置不大于查询的词元，也会读到。",
                ),
                Text(
                    en="Right: position 2 of the first sees positions 0 to 2 of all three. No "
                    "shape changes; a document mask fixes it.",
                    zh="对：第一篇的位置2看得见三篇各自的位置0到2。形状都不变，要用文档掩码来改正。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Itself alone, since RoPE sees only distances.",
                    zh="只有自己，因为RoPE打分只看相对的距离。",
                ),
                Text(
                    en="RoPE gives scores their distance; it hides nothing. Hiding is the task of "
                    "the mask.",
                    zh="RoPE给得分带上距离，却什么也不遮住。遮住是掩码的事。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Latent attention stores one vector c per token and moves the key matrix to the "
            "query. Why are the position's channels kept apart from c?",
            zh="隐向量注意力每个词元只存一个向量c，并把得到键的那个矩阵挪到查询一侧。"
            "为什么带位置的通道要与c分开？",
        ),
        options=(
            Option(
                Text(
                    en="A rotation must not change the norm of the latent.",
                    zh="旋转不能改变隐向量的范数。",
                ),
                Text(
                    en="No rotation changes a norm. What matters is where it is in the product.",
                    zh="旋转本来就不改变范数。要紧的是它在乘积里的位置。",
                ),
            ),
            Option(
                Text(
                    en="RoPE needs keys of an even number of channels, but c may have an odd one.",
                    zh="RoPE要求键的通道数是偶数，而c的可能是奇数。",
                ),
                Text(
                    en="What would turn is the key made from c, and its channels are even.",
                    zh="要转的是由c得到的键，它的通道数是偶数。",
                ),
            ),
            Option(
                Text(
                    en="Turned keys would ask for a different absorbed query at every distance.",
                    zh="键若旋转，每个距离都需要一个不同的吸收后的查询。",
                ),
                Text(
                    en="Right: the rotation stands between query and matrix, and depends on both "
                    "positions. In channels of its own it leaves one query for all keys.",
                    zh="对：旋转夹在查询和矩阵之间，而且取决于查询和键的位置。另设通道之后，"
                    "一个查询就能对上所有的键。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Latent attention has a latent of 512 numbers, 64 rotated channels and 128 heads. "
            "How many numbers does its cache hold per token and layer?",
            zh="某个隐向量注意力层的隐向量有512个数，旋转64个通道，共128个头。每个词元每层，"
            "缓存里存多少个数？",
        ),
        options=(
            Option(
                Text(en="512: the rotation can be done later.", zh="512个：旋转可以以后再做。"),
                Text(
                    en="The rotated channels have a key of their own, which the latent does not "
                    "hold.",
                    zh="旋转的通道有自己的键，隐向量里没有。",
                ),
            ),
            Option(
                Text(en="576", zh="576个"),
                Text(
                    en="Right: one latent and one rotated key, and all heads share both.",
                    zh="对：一个隐向量加一个旋转过的键，都由各头共用。",
                ),
                right=True,
            ),
            Option(
                Text(en="8704, which is $512+128\\cdot64$", zh="8704个，即$512+128\\cdot64$"),
                Text(
                    en="Every head has a rotated query of its own, but there is only one rotated "
                    "key.",
                    zh="每个头各有自己的旋转查询，但旋转的键只有一个。",
                ),
            ),
        ),
    ),
)
