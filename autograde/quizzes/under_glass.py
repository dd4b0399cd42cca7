"""Self-test of chapter 14: what its trained models show."""

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
            en="The ALiBi model answers 99% of the induction task, and no head of its lower layer "
            "puts more than 0.19 on the token before; without the head that puts 0.19 there, the "
            "loss rises from 0.065 to 6.23. What follows?",
            zh="ALiBi模型在归纳任务上答对99%，下层却没有一个头给前一个词元的权重超过0.19；"
            "可是关掉得0.19的那个头，损失从0.065升到6.23。这说明什么？",
        ),
        _wrong(
            Text(
                en="It has no previous-token head: it does the task in a different way.",
                zh="它没有前一词元头，做法不同。",
            ),
            Text(
                en="Then silencing one lower head would not undo the task: without any single one "
                "of the others, the loss is only 0.09 to 0.11.",
                zh="那样的话，关掉下层一个头不会让任务垮掉；单独关掉别的哪一个，"
                "损失都只有0.09至0.11。",
            ),
        ),
        _right(
            Text(
                en="Even a head of low mean weight is indispensable here.",
                zh="平均权重不高的头，在这里照样少不了。",
            ),
            Text(
                en="Right: its slope makes a blur of it, 0.24 on the token itself, 0.19 and 0.14 "
                "before it, and the layer above reads that. Ablation proves, a score only finds.",
                zh="对：它的斜率只给得出一团模糊，自身0.24，前一个0.19，再前一个0.14，"
                "上层读的就是这一团。"
                "头的得分只能用来找，消融才能证明。",
            ),
        ),
        _wrong(
            Text(en="It counts the length of the block.", zh="它靠数出那一段的长度来回答。"),
            Text(
                en="The noise between two occurrences of the block is not equally long: no fixed "
                "distance leads to the answer.",
                zh="两轮之间的噪声长短不一，没有哪个固定的距离能得到答案。",
            ),
        ),
    ),
    _question(
        Text(
            en="Head 0 of RoPE's upper layer is silenced, and the induction loss rises from 0.003 "
            "to 0.06. Silencing head 0 of the lower layer takes it to 1.51. May you call the "
            "upper one unimportant?",
            zh="关掉RoPE上层的头0，归纳任务的损失从0.003升到0.06；关掉下层的头0，升到1.51。"
            "能说上层的那个不重要吗？",
        ),
        _wrong(
            Text(en="Yes: the loss says what it is worth.", zh="能：损失就是它的价值。"),
            Text(
                en="It says what it is worth while the others are there.",
                zh="损失说的是别的头都在时它值多少。",
            ),
        ),
        _wrong(
            Text(
                en="Yes: induction is done below and only copied above.",
                zh="能，因为归纳是在下层完成的，上层只是照抄。",
            ),
            Text(
                en="The head with a weight of 0.62 right after the same token is in the upper "
                "layer.",
                zh="在相同词元之后权重达到0.62的头，在上层。",
            ),
        ),
        _right(
            Text(
                en="No: silence it together with the others that look there.",
                zh="不能：要和看同一处的头一起关掉再说。",
            ),
            Text(
                en="Right: heads 1 and 2 cost 0.30 and 0.59 singly, 0 and 2 together 2.05, all "
                "three 5.79. One ablation at a time overlooks what is shared.",
                zh="对：头1、头2单独关掉是0.30和0.59，头0和头2一起是2.05，三个一起是5.79。"
                "一次只关一个，看不出分担的工作。",
            ),
        ),
    ),
    _question(
        Text(
            en="In the induction model, each of the slowest four of RoPE's eight pairs is made to "
            "stand still, one at a time, and the loss stays at 0.00. Why?",
            zh="归纳模型里，RoPE八对中最低频的四对，每次让一对停转，损失始终是0.00。为什么？",
        ),
        _right(
            Text(
                en="Within 64 tokens they hardly turned anyway.",
                zh="64个词元之内，它们本来就没转多少。",
            ),
            Text(
                en="Right: the fastest of them by 0.63 radians at most. They compare content, and "
                "go on doing so; take their channels from the upper layer, all four at once, and "
                "the loss is 3.52.",
                zh="对：其中最快的也至多转0.63弧度。它们比较的是内容，停转之后照样比较；"
                "把四对的通道一起从上层去掉，损失就是3.52。",
            ),
        ),
        _wrong(
            Text(en="The model does not use them.", zh="模型根本没有用到它们。"),
            Text(
                en="It does: without their channels the upper heads have less to match by.",
                zh="用到了：去掉它们的通道，上层的头能比对的就少了。",
            ),
        ),
        _wrong(
            Text(
                en="The other pairs take over what they did for position.",
                zh="其他的对接手了它们在位置上的工作。",
            ),
            Text(
                en="Nothing was trained after the ablation, so nothing could take over.",
                zh="去掉之后没有再训练，谁也没法接手。",
            ),
        ),
    ),
    _question(
        Text(
            en="Loss of the text models within the trained 128 bytes: RoPE 1.64, ALiBi 1.76. Over "
            "the last 128 of 1024: 3.69 and 1.93. You will read 1000 bytes, without training "
            "again. What do the first two numbers say about it?",
            zh="文本模型在训练过的128字节以内的损失：RoPE 1.64，ALiBi 1.76；"
            "1024字节里的最后128个：3.69和1.93。你要读1000字节，不再训练。前两个数对此说明了什么？",
        ),
        _wrong(
            Text(
                en="That RoPE has the better start, which must be worth something later on.",
                zh="RoPE起点更好，到后面总该占些便宜。",
            ),
            Text(
                en="At the end it is 1.8 nats worse than ALiBi, and worse than the sinusoids.",
                zh="到末尾，它比ALiBi差1.8奈特，也不如正弦。",
            ),
        ),
        _wrong(
            Text(en="That both will lose the same.", zh="两者会变差得一样多。"),
            Text(
                en="One gets worse by 2.05 nats, the other by 0.17.",
                zh="一个多了2.05奈特，另一个只多0.17。",
            ),
        ),
        _right(
            Text(en="Nothing: measure at 1000.", zh="什么也没说明：要在1000处量。"),
            Text(
                en="Right: the order within the trained length is reversed outside it.",
                zh="对：训练长度以内的次序，到外面就反过来了。",
            ),
        ),
    ),
    _question(
        Text(
            en="T5's text loss only creeps from 1.80 to 2.23 at eight times the length. In rows of "
            "256, four times what its needle model was trained on, that model finds fewer than "
            "half of the needles at every depth but the first. How do the two go together?",
            zh="T5的文本损失到八倍长度也只从1.80慢慢升到2.23。可在长256（训练长度的四倍）的行里，"
            "T5的找针模型除了深度0，每种深度找到的都不到一半。这两件事怎么说得通？",
        ),
        _right(
            Text(
                en="Near bytes are enough to guess the next, not to find a needle.",
                zh="猜下一个字节，近处就够了；找针不够。",
            ),
            Text(
                en="Right: a low loss far out does not show that the model finds what is asked. "
                "ALiBi's is flat as well, and its needle model finds every one at 256.",
                zh="对：远处损失低，不等于要找的东西找得到。ALiBi的损失也是平的，"
                "而它的找针模型在256处每根都找到了。",
            ),
        ),
        _wrong(
            Text(
                en="They do not: one of the two must have been measured wrongly.",
                zh="说不通：两个数里总有一个量错了。",
            ),
            Text(
                en="Both can be measured again in seconds; they ask different things.",
                zh="两个都能在几秒内重新量，它们问的不是一回事。",
            ),
        ),
        _wrong(
            Text(en="The needle model is too small.", zh="找针的模型太小了。"),
            Text(
                en="It has two layers like the other, and up to 64 tokens it finds 80% and more "
                "at every depth.",
                zh="它和另一个一样有两层，在64个词元以内，每种深度都找得到80%以上。",
            ),
        ),
    ),
    _question(
        Text(
            en="Positions are rounded to bfloat16 in the trained RoPE model (case 16). The mean "
            "loss of the first 128 bytes is 1.738 before and after. When does a loss show it?",
            zh="在训练好的RoPE模型里，把位置舍入成bfloat16（病例16）。前128字节的平均损失，前后都是1.738。"
            "损失什么时候才显出来？",
        ),
        _wrong(
            Text(en="Never: it is below rounding.", zh="永远不会：它小于舍入误差。"),
            Text(
                en="From 256 on it is 3.37 instead of 2.69: not all whole numbers are exact any "
                "more.",
                zh="256以后是3.37，本来是2.69：不再是每个整数都精确了。",
            ),
        ),
        _right(
            Text(en="From position 257 on.", zh="从位置257起。"),
            Text(
                en="Right: bfloat16 holds all whole numbers up to 256. A test on short texts "
                "passes.",
                zh="对：bfloat16放得下256以内的全部整数。只用短文本测试，就会通过。",
            ),
        ),
        _wrong(
            Text(
                en="In training, where rounded gradients add up over many thousand steps.",
                zh="训练时，舍入的梯度经过成千上万步累积起来才看得出。",
            ),
            Text(
                en="Positions have no gradient, and windows of 128 bytes have none beyond 256.",
                zh="位置没有梯度，而且128字节的窗口里没有超过256的位置。",
            ),
        ),
    ),
    _question(
        Text(
            en="A fault in the NTK base is planted (case 14), and within 128 bytes the loss "
            "*falls*, from 1.764 to 1.757. What do you do?",
            zh="植入一个NTK的base算错的错误（病例14），128字节以内的损失反而*降了*，从1.764到1.757。"
            "你怎么办？",
        ),
        _right(
            Text(
                en="Compare its logits with those of a right implementation.",
                zh="拿它的logits与正确实现的逐一比较。",
            ),
            Text(
                en="Right: that finds it at once. From 256 on the same fault costs 0.13: a loss "
                "says how well a model guesses, not whether it is the model you meant.",
                zh="对：一比就发现。256以后，同一个错误多出0.13。损失说的是猜得好不好，"
                "不是它是不是你要的那个模型。",
            ),
        ),
        _wrong(
            Text(en="Keep it, for it is an improvement.", zh="留着它：这是改进。"),
            Text(
                en="By 0.007 on short texts, and worse by 0.13 on long ones, for which the "
                "scaling was made.",
                zh="短文本上好了0.007，长文本上差了0.13，而缩放正是为长文本做的。",
            ),
        ),
        _wrong(
            Text(
                en="Take more text until the faulty loss is the larger.",
                zh="用更多文本取平均，直到出错的那个损失更大为止。",
            ),
            Text(
                en="Measuring until the result is the one you want finds nothing.",
                zh="一直量到合意为止，什么也发现不了。",
            ),
        ),
    ),
    _question(
        Text(
            en="A stream is four times as long as the trained length, and old keys are evicted. "
            "With the last 64 alone the loss is 1.68; with four sinks that keep their numbers, "
            "and the last 60, it is 1.80. Why are the sinks no help here?",
            zh="文本流是训练长度的四倍，旧的键被驱逐。只留最后64个，损失是1.68；"
            "保留原编号的四个汇点加最后60个，是1.80。汇点在这里为什么没有帮助？",
        ),
        _wrong(
            Text(
                en="Four are too few for a model with eight heads in two layers.",
                zh="两层一共八个头，四个汇点太少了。",
            ),
            Text(
                en="No head gives the first byte even its fair share: there is nothing to keep.",
                zh="没有一个头给第一个字节的权重达到平均份额：没有什么可留的。",
            ),
        ),
        _wrong(
            Text(
                en="Sinks take keys away from the window.",
                zh="汇点占掉了窗口里的位置。",
            ),
            Text(
                en="Four, yes; but with the same 64 keys renumbered the loss is 1.68 again.",
                zh="是占了四个，但留下同样64个键，重新编号之后损失又是1.68。",
            ),
        ),
        _right(
            Text(
                en="The model never grew any, and never saw their distances.",
                zh="它没长出过汇点，而那些距离它也没见过。",
            ),
            Text(
                en="Right: renumbered, so that distances stay short, they cost nothing: 1.68.",
                zh="对：重新编号，距离就不会变长，也就没有代价，又是1.68。",
            ),
        ),
    ),
    _question(
        Text(
            en="Text models are tuned for 20 steps on rows of 512, and a control on rows of 128. "
            "The loss from byte 256 on: with untouched frequencies 3.17 becomes 2.23, control "
            "3.21; scaled by parts, 2.02 becomes 1.79, control 1.79. What brought the gain of the "
            "scaled model?",
            zh="文本模型用长512的行微调20步，对照用长128的行。看第256个字节以后的损失：频率不变时，"
            "3.17降到2.23，对照3.21；用NTK-by-parts时，2.02降到1.79，对照1.79。"
            "频率缩放过的模型，进步是什么带来的？",
        ),
        _wrong(
            Text(
                en="The long rows, as with untouched frequencies.", zh="长的行，和频率不变时一样。"
            ),
            Text(
                en="Without them it is the same. Only the untouched model learned from them.",
                zh="不用长的行，损失也一样。从长的行里学到东西的，只有频率不变的模型。",
            ),
        ),
        _right(
            Text(en="Twenty steps with new frequencies.", zh="在新频率下练的20步。"),
            Text(
                en="Right: rows of 128 show those just as well. Interpolation says the same: "
                "2.45, control "
                "2.44. Without a control you would have thanked the long rows.",
                zh="对：新频率用长128的行照样适应得了。位置插值也是这样：2.45，对照2.44。"
                "没有对照，你就会归功于长的行。",
            ),
        ),
        _wrong(
            Text(en="More bytes in each step.", zh="每步更多的字节。"),
            Text(
                en="Both had 1024 a step: 8 rows of 128, or 2 of 512.",
                zh="两者每步都是1024个：8行长128，或者2行长512。",
            ),
        ),
    ),
)
