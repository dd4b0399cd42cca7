"""Self-test of the bug clinic."""

from autograde.kit.question import Option, Question
from bilingual import Text


def _question(prompt: Text, *options: Option) -> Question:
    return Question(prompt=prompt, options=options)


def _wrong(text: Text, because: Text) -> Option:
    return Option(text, because)


def _right(text: Text, because: Text) -> Option:
    return Option(text, because, right=True)


questions = (
    _question(
        Text(
            en="A RoPE implementation keeps norms and its scores survive a shift of the text. What "
            "may still be wrong?",
            zh="某个RoPE实现不改变范数，文本平移后得分也不变。还可能有什么错？",
        ),
        _wrong(
            Text(en="Nothing: these two define RoPE.", zh="没有了：这两条就是RoPE的定义。"),
            Text(
                en="They leave the frequencies, the pairs and the direction of the turn open.",
                zh="频率、配对方式和转动方向，这两条都没有规定。",
            ),
        ),
        _right(
            Text(
                en="The direction of the turn, the pairs, the frequencies.",
                zh="转动方向、配对方式、频率。",
            ),
            Text(
                en="Right: cases 6 and 8 pass both tests. Conventions need a golden value.",
                zh="对：病例6和8都能通过这两个测试。约定要靠基准值来查。",
            ),
        ),
        _wrong(
            Text(en="The minus sign in the rotation may be missing.", zh="旋转里可能少了负号。"),
            Text(
                en="Then the norm would change: it is not a rotation any more.",
                zh="那样的话范数会变：它已经不是旋转了。",
            ),
        ),
    ),
    _question(
        Text(
            en="Your golden value was taken from one head, at position 1, in float32, without a "
            "stretch. Which fault can it see?",
            zh="你的基准值取自一个头、位置1、float32、没有扩展。它查得出哪个错误？",
        ),
        _wrong(
            Text(en="Positions rounded to bfloat16.", zh="位置被舍入到bfloat16。"),
            Text(
                en="The sample is float32, and 1 is exact in bfloat16 as well.",
                zh="样本是float32；何况1在bfloat16里也是准确的。",
            ),
        ),
        _wrong(
            Text(
                en="The model's width in place of the head's in the exponent.",
                zh="指数里把头的维度写成了模型的宽度。",
            ),
            Text(en="With one head the two are equal.", zh="只有一个头时，两者相等。"),
        ),
        _right(
            Text(en="Everything turns the other way.", zh="全都转反了方向。"),
            Text(
                en="Right: at position 1 the sine has the wrong sign.",
                zh="对：在位置1，正弦的符号就错了。",
            ),
        ),
    ),
    _question(
        Text(
            en="Token by token gives what one pass gives. What does that prove?",
            zh="逐个词元算与一次算完结果相同。这证明了什么？",
        ),
        _right(
            Text(
                en="That decoding agrees with prefill; both may be wrong alike.",
                zh="证明解码与预填充一致；两者可能错得一样。",
            ),
            Text(
                en="Right: tiled KV heads (case 20) are wrong both ways.",
                zh="对：平铺的KV头（病例20）两种算法都错。",
            ),
        ),
        _wrong(
            Text(en="That the attention is right.", zh="证明注意力是对的。"),
            Text(
                en="An equality of two ways of your own knows nothing of the convention.",
                zh="自己的两种算法相等，并不涉及约定。",
            ),
        ),
        _wrong(
            Text(
                en="That any way of cutting the text into pieces is right.",
                zh="证明文本怎样分块都对。",
            ),
            Text(
                en="Case 19 is right token by token and wrong for 5, 5, 2.",
                zh="病例19逐个词元时是对的，按5、5、2分块就错了。",
            ),
        ),
    ),
    _question(
        Text(
            en="The position is counted by `mask.cumsum(0)`, with the mask of shape (B, L). Which "
            "test names the fault most directly?",
            zh="位置用`mask.cumsum(0)`来数，掩码形状为(B, L)。哪个测试最直接地指出错误？",
        ),
        _wrong(
            Text(
                en="The norm of the rows, which would change with the position.",
                zh="各行的范数：它会随位置而变。",
            ),
            Text(
                en="Every row of the table has the same norm, whichever row it is.",
                zh="编码表每一行的范数都相同，取到哪一行都一样。",
            ),
        ),
        _right(
            Text(
                en="A sentence alone is encoded as in a batch.",
                zh="单独一句的编码与放在批次里一样。",
            ),
            Text(
                en="Right: the count runs down the batch, so the other sentences matter.",
                zh="对：它沿批次来数，所以结果要看同批的是哪些句子。",
            ),
        ),
        _wrong(
            Text(en="The shape of the result.", zh="结果的形状。"),
            Text(
                en="`cumsum` keeps the shape along any axis.", zh="`cumsum`沿哪个轴都不改变形状。"
            ),
        ),
    ),
    _question(
        Text(
            en="A model trained from scratch with the mirrored rotation of case 6 reaches the "
            "usual loss. Why?",
            zh="用病例6那种转反的旋转从头训练，模型达到了通常的损失。为什么？",
        ),
        _wrong(
            Text(
                en="A small model hardly uses positions in its attention at all.",
                zh="小模型里，注意力几乎不用位置。",
            ),
            Text(
                en="The scores depend on the distance, however small the model; exchange two "
                "words and they change.",
                zh="不管模型多小，得分都取决于距离；交换两个词，得分就变。",
            ),
        ),
        _wrong(
            Text(
                en="The loss was taken on texts too short to show the direction.",
                zh="量损失的文本太短，显不出转动方向。",
            ),
            Text(
                en="Length has nothing to do with it: the mirrored model is as expressive on "
                "any text.",
                zh="与长短无关：不管什么文本，转反的模型表达能力都一样。",
            ),
        ),
        _right(
            Text(
                en="The projections can learn the signs that undo the mirror.",
                zh="投影可以学到抵消转反的符号。",
            ),
            Text(
                en="Right: negating half of the channels of q and k gives RoPE's scores exactly.",
                zh="对：把q和k的一半通道取负，得到的恰好是RoPE的得分。",
            ),
        ),
    ),
    _question(
        Text(
            en="A test of yours has been green since the day it was written. What do you do first?",
            zh="你的某个测试从写好那天起一直是绿的。首先该做什么？",
        ),
        _wrong(
            Text(
                en="Delete it: a test that never fails costs time and finds nothing.",
                zh="删掉：从不失败的测试只会费时间，什么也发现不了。",
            ),
            Text(
                en="It may guard against a fault that nobody has made yet.",
                zh="它也许正防着一个还没人犯过的错误。",
            ),
        ),
        _right(
            Text(
                en="Plant a fault that it ought to catch, and see it fail.",
                zh="故意植入一个它本该查出的错误，看它失败一次。",
            ),
            Text(
                en="Right: a test that has never failed is not known to work.",
                zh="对：从没失败过的测试，没人知道它管不管用。",
            ),
        ),
        _wrong(
            Text(en="Nothing: green says that the code is right.", zh="什么也不用做：绿就是对。"),
            Text(
                en="It says that this test sees no fault, and whether it can see one is not known.",
                zh="它只说明这个测试没查出错误，而它查不查得出，还没人知道。",
            ),
        ),
    ),
    _question(
        Text(
            en="cos² + sin² = 1 holds for every pair of the table. Which fault of cases 14 to 17 "
            "does that exclude?",
            zh="表中每一对都满足cos² + sin² = 1。这排除了病例14到17中的哪个错误？",
        ),
        _right(
            Text(en="None of them.", zh="一个也没排除。"),
            Text(
                en="Right: every *wrong* angle has a cosine and a sine, too.",
                zh="对：*错误*的角度同样有余弦和正弦。",
            ),
        ),
        _wrong(
            Text(en="A base that grows too little.", zh="base增大得不够。"),
            Text(
                en="It changes angles, and any angle satisfies the equation.",
                zh="它改变的是角度，而任何角度都满足这个等式。",
            ),
        ),
        _wrong(
            Text(en="Rounded frequencies.", zh="频率被舍入。"),
            Text(
                en="The angles drift; cosine and sine still belong to one angle.",
                zh="角度会漂移，但余弦和正弦仍属于同一个角度。",
            ),
        ),
    ),
)
