"""Self-test of the chapter on positions beyond one dimension."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="An image of 10 rows of 30 patches is read row by row. How far apart in the "
            "sequence "
            "are a patch and the one below it?",
            zh="一幅10行、每行30块的图像按行读取。一块和它下方的那块，在序列里相隔多远？",
        ),
        options=(
            Option(
                Text(en="1", zh="1"),
                Text(en="That is the neighbour to the right.", zh="那是右边的邻居。"),
            ),
            Option(
                Text(en="10", zh="10"),
                Text(
                    en="If the image were read column by column, neighbours across would be 10 "
                    "apart, and the patch below 1 away.",
                    zh="那是按列读取：左右的邻居相隔10，下方那一块只隔1。",
                ),
            ),
            Option(
                Text(en="30", zh="30"),
                Text(
                    en="Right: a whole row lies between, and the number changes with the width.",
                    zh="对：中间隔着一整行，而且这个数随宽度变化。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="One row down multiplies queries and keys by $U$, one column on both by $V$. What "
            "must hold so that scores depend on the displacement alone?",
            zh="向下一行，查询和键都乘以$U$；向右一列，都乘以$V$。"
            "要让得分只取决于位移，必须满足什么？",
        ),
        options=(
            Option(
                Text(
                    en="$U$ and $V$ are orthogonal; nothing more.",
                    zh="$U$、$V$正交就行，别无要求。",
                ),
                Text(
                    en="With UV ≠ VU the score at one displacement changes from place to "
                    "place: 10.2 shows it.",
                    zh="若UV ≠ VU，同样的位移在不同地方得分不同：10.2节演示过。",
                ),
            ),
            Option(
                Text(en="They are orthogonal and $UV=VU$.", zh="正交，而且$UV=VU$。"),
                Text(
                    en="Right: then they share their planes, and pair i turns by αᵢy + βᵢx.",
                    zh="对：这样它们共用平面，第i对转αᵢy + βᵢx。",
                ),
                right=True,
            ),
            Option(
                Text(en="$U=V$.", zh="$U=V$。"),
                Text(
                    en="Then (1, 0) and (0, 1) would be the same place.",
                    zh="那样(1, 0)和(0, 1)就成了同一处。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A head of 64 channels uses axial RoPE for images. Which frequencies do its row "
            "pairs "
            "and its column pairs have?",
            zh="一个64通道的头对图像用轴向RoPE。它的行对和列对各用哪些频率？",
        ),
        options=(
            Option(
                Text(
                    en="Rows the 16 fast ones of `frequencies(64)`, columns the 16 slow ones.",
                    zh="行用`frequencies(64)`里较高的16个，列用较低的16个。",
                ),
                Text(
                    en="Then a step across hardly turns anything: columns would be blurred.",
                    zh="那样向右走一步几乎都不转，列就分不清了。",
                ),
            ),
            Option(
                Text(
                    en="Both use all 32 of `frequencies(64)`.",
                    zh="两者都用`frequencies(64)`的全部32个。",
                ),
                Text(
                    en="That would be 64 pairs, twice as many as the head has.",
                    zh="那就要64对，是这个头的通道对总数的两倍。",
                ),
            ),
            Option(
                Text(en="Both use `frequencies(32)`.", zh="两者都用`frequencies(32)`。"),
                Text(
                    en="Right: each axis is a RoPE of its own on half of the head.",
                    zh="对：每个轴都是在半个头上的一个RoPE。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="What is true of the logits of axial RoPE, for any fixed query and key vector?",
            zh="对任意固定的查询和键向量，轴向RoPE的logits有什么性质？",
        ),
        options=(
            Option(
                Text(
                    en="They fall with the straight distance of the two patches in the image.",
                    zh="它们随两块在图像上的直线距离下降。",
                ),
                Text(
                    en="For equal vectors (0, 6) already beats (3, 3), which is nearer; other "
                    "vectors "
                    "may even peak far away.",
                    zh="向量相等时，(0, 6)就已经超过更近的(3, 3)；换别的向量，峰值还可能在远处。",
                ),
            ),
            Option(
                Text(
                    en="They are a sum of a function of the row displacement and one of the column "
                    "displacement.",
                    zh="它们是行位移的函数与列位移的函数之和。",
                ),
                Text(
                    en="Right; the softmax turns that sum into a product of weights.",
                    zh="对；softmax再把这个和变成权重之积。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="They are a product of two such functions.", zh="它们是两个这样的函数之积。"
                ),
                Text(
                    en="The pairs are added up in a dot product; products appear after the "
                    "softmax.",
                    zh="点积把各对相加；积要到softmax之后才出现。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A ViT table for 14 × 14 patches is wanted for 28 × 28. What is the first step?",
            zh="14×14块的ViT表要用于28×28。第一步是什么？",
        ),
        options=(
            Option(
                Text(
                    en="Put the class row aside and bring the others into a 14 × 14 grid.",
                    zh="把分类词元那一行放到一边，把其余各行排成14×14的网格。",
                ),
                Text(
                    en="Right: interpolation needs the two axes, and the class token has no place "
                    "in "
                    "the image.",
                    zh="对：插值需要两个轴，而分类词元在图像里没有位置。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Interpolate the 197 rows along the sequence to 785.",
                    zh="把197行沿着序列插值成785行。",
                ),
                Text(
                    en="Each new row of the image then holds half of an old one.",
                    zh="那样图像新的一行只对应旧行的一半。",
                ),
            ),
            Option(
                Text(
                    en="Append random rows and go on training.", zh="在后面补上随机的行，继续训练。"
                ),
                Text(
                    en="Then old row 15 still holds what was learned for (1, 0) of 14 columns, and "
                    "now serves (0, 14) of 28.",
                    zh="这样一来，原本为14列时的(1, 0)学的那一行，现在给了28列时的(0, 14)。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="In ChatGLM-6B, what changes for the words *after* a gap when the filling gets "
            "longer?",
            zh="在ChatGLM-6B里，补全的内容变长时，空缺*之后*的词有什么变化？",
        ),
        options=(
            Option(
                Text(en="Nothing.", zh="毫无变化。"),
                Text(
                    en="Right: written words share the place of [MASK] in the first stream and "
                    "count in the second.",
                    zh="对：写出的词在第一串里共用[MASK]的位置，在第二串里计数。",
                ),
                right=True,
            ),
            Option(
                Text(en="Their first position grows.", zh="它们的第一个位置变大。"),
                Text(
                    en="[MASK] counts as one token, however much will be written there.",
                    zh="不管将来补多少，[MASK]都只算一个词元。",
                ),
            ),
            Option(
                Text(en="Their second position grows.", zh="它们的第二个位置变大。"),
                Text(
                    en="The second stream is 0 in the whole prompt.", zh="整个prompt的第二串都是0。"
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Three words are at 0, 1, 2; then comes an image of 4 × 10 merged patches. Where "
            "is the next word in Qwen2-VL?",
            zh="三个词的位置是0、1、2，接着是一幅4×10块（合并后）的图像。在Qwen2-VL里，"
            "下一个词的位置是多少？",
        ),
        options=(
            Option(
                Text(en="(43, 43, 43)", zh="(43, 43, 43)"),
                Text(
                    en="That counts the patches: right for the cache, not for positions. A few "
                    "images would use up the trained range.",
                    zh="这是把块数全算上了：缓存的长度是这样，位置不是。"
                    "否则几幅图就会用完训练过的范围。",
                ),
            ),
            Option(
                Text(en="(13, 13, 13)", zh="(13, 13, 13)"),
                Text(
                    en="Right: the image reaches 3 + 9 = 12 in width, and text goes on one "
                    "after. The weakness: for the same 40 patches in one row it would be 43, "
                    "so the gap depends on the shape.",
                    zh="对：图像在宽上到3 + 9 = 12，文本再加1。弱点是间隔取决于形状："
                    "同样40块排成一行，就成了43。",
                ),
                right=True,
            ),
            Option(
                Text(en="(4, 7, 13)", zh="(4, 7, 13)"),
                Text(
                    en="Each axis on its own: then text would no longer be at (p, p, p).",
                    zh="三个轴各数各的，文本的位置就不再是(p, p, p)了。",
                ),
            ),
            Option(
                Text(en="(4, 4, 4)", zh="(4, 4, 4)"),
                Text(
                    en="Patch (1, 1) is there in height and width; the word would be among the "
                    "patches.",
                    zh="高和宽上的4是块(1, 1)的位置，词的坐标就和图像块重叠了。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Why does Qwen3-VL deal the pairs out to time, height and width in turn?",
            zh="Qwen3-VL为什么把各对轮流分给时间、高和宽？",
        ),
        options=(
            Option(
                Text(
                    en="So that a text without images keeps the positions of RoPE.",
                    zh="为了让没有图像的文本保持RoPE的位置。",
                ),
                Text(
                    en="That holds for every arrangement, since words are at (p, p, p).",
                    zh="任何安排都如此，因为词的位置是(p, p, p)。",
                ),
            ),
            Option(
                Text(
                    en="To save positions, so that longer videos fit into the window.",
                    zh="为了节省位置，让窗口里装得下更长的视频。",
                ),
                Text(
                    en="Sections choose pairs; how positions are counted is another matter.",
                    zh="轴分配选的是通道对，怎样数位置是另一回事。",
                ),
            ),
            Option(
                Text(
                    en="So that every axis gets fast pairs as well as slow ones.",
                    zh="为了让每个轴都既有高频对，又有低频对。",
                ),
                Text(
                    en="Right: in consecutive sections time has only fast ones and width only slow "
                    "ones.",
                    zh="对：连续分配时，时间只有高频对，宽只有低频对。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="RoPE-Mixed learns the wave vectors of each head. Does a head's score still depend "
            "on the displacement of two patches alone?",
            zh="RoPE-Mixed的每个头各学一组波矢。一个头的得分，还只取决于两块之间的位移吗？",
        ),
        options=(
            Option(
                Text(
                    en="Only at the start: training moves the wave vectors away from the right "
                    "angle.",
                    zh="只在开始时如此：训练会让波矢不再垂直。",
                ),
                Text(
                    en="A right angle is where training begins, not a condition. Any wave vector "
                    "turns a pair by an angle that is linear in row and column.",
                    zh="垂直只是训练的起点，不是条件。无论哪个波矢，"
                    "每对转过的角度都是行与列的线性函数。",
                ),
            ),
            Option(
                Text(
                    en="No, since the heads disagree about directions.",
                    zh="不，因为各个头的方向不一致。",
                ),
                Text(
                    en="A score is computed within one head, whose queries and keys turn by the "
                    "same wave vectors.",
                    zh="得分是在一个头之内算的，它的查询和键用的是同一组波矢。",
                ),
            ),
            Option(
                Text(en="Yes, whatever is learned.", zh="是的，无论学成什么样。"),
                Text(
                    en="Right: angles are linear in row and column, so only the displacement is "
                    "left.",
                    zh="对：角度是行与列的线性函数，相减之后只剩位移。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="You load the weights of a ViT-MAE, but your fixed table of sines has the rows in "
            "its first half, and the table of the checkpoint has the columns there. What happens "
            "on square images?",
            zh="你加载了ViT-MAE的权重，但你的固定正弦表前一半是行，checkpoint的那张表前一半是列。"
            "输入正方形图像会怎样？",
        ),
        options=(
            Option(
                Text(
                    en="Nothing: both axes have the same frequencies, so the halves are alike.",
                    zh="没事：两个轴频率相同，两半是一样的。",
                ),
                Text(
                    en="They hold the same numbers at different patches. The weights after the "
                    "table have learned which half is which.",
                    zh="数是同样的数，却在不同的块上。后面的权重已经学会了哪一半是哪个轴。",
                ),
            ),
            Option(
                Text(
                    en="There is no error, and the model sees the image mirrored across its "
                    "diagonal.",
                    zh="不报错，但在模型看来，图像沿对角线翻了过去。",
                ),
                Text(
                    en="Right: row and column are exchanged, and a square grid has room for both.",
                    zh="对：行和列互换了，而正方形的网格两种都放得下。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The weights are refused, because the shapes differ.",
                    zh="形状不同，权重加载不了。",
                ),
                Text(
                    en="The table has the same shape both ways, and a fixed table need not be "
                    "loaded at all.",
                    zh="两种次序下表的形状相同；而且固定的表根本不必加载。",
                ),
            ),
        ),
    ),
)
