"""Self-test of the extrapolation laboratory: what a table says, and what it does not."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="The plain loss of a model falls from 1.5 to 1.4 when the windows become 8 times as "
            "long. What do you conclude?",
            zh="窗口变成8倍长，模型的普通损失从1.5降到1.4。你得出什么结论？",
        ),
        options=(
            Option(
                Text(
                    en="It uses the longer context, since more text helps to predict.",
                    zh="它用上了更长的上下文：读得多，就猜得准。",
                ),
                Text(
                    en="Perhaps. But longer windows also have a smaller share of tokens with "
                    "little context, and different bytes in their second half.",
                    zh="也许。但窗口变长之后，缺少上下文的词元占比也变小了，后一半里的字节也换了一批。",
                ),
            ),
            Option(
                Text(en="Nothing yet about positions.", zh="关于位置，还得不出结论。"),
                Text(
                    en="Right: compare each byte with itself in a fresh window first.",
                    zh="对：先让每个字节和新窗口里的自己比。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Its encoding extrapolates, at least to 8 times the length.",
                    zh="它的编码能外推，至少外推到8倍长度。",
                ),
                Text(
                    en="A model that breaks a little can still show this, if the text gets easier.",
                    zh="文本变容易的话，略有失效的模型也会这样。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="After 150 steps (9.3) learned positions have a smaller excess at 1024 than RoPE. "
            "Why is that no merit?",
            zh="训练150步后（9.3节），可学习编码在1024上的超额损失比RoPE小。为什么这不算优点？",
        ),
        options=(
            Option(
                Text(
                    en="It hardly uses positions yet, and untrained rows are small.",
                    zh="模型还几乎没用上位置，没训练过的行数值又小。",
                ),
                Text(
                    en="Right. As training goes on, its loss falls and its excess rises to 0.6.",
                    zh="对。继续训练，损失往下走，超额损失就升到0.6。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="Rows past 127 were trained as well, by windows that were longer.",
                    zh="127之后的行也训练过了：有些训练窗口碰巧比较长。",
                ),
                Text(
                    en="They were never looked up, so their gradient was zero.",
                    zh="它们从没被查过，梯度一直是零。",
                ),
            ),
            Option(
                Text(
                    en="RoPE was trained for almost twice as long.", zh="RoPE训练的时间几乎是两倍。"
                ),
                Text(
                    en="Both had the same steps and the same batches.",
                    zh="两者步数相同，训练批次也相同。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="ALiBi's excess at 8 times the trained length is +0.000. Which sentence is "
            "supported?",
            zh="ALiBi在8倍训练长度上的超额损失是+0.000。哪句话有依据？",
        ),
        options=(
            Option(
                Text(
                    en="It makes use of bytes about 1024 back.",
                    zh="它能用上大约1024个字节以前的内容。",
                ),
                Text(
                    en="Use would show as a *negative* excess: the control has at most 128 bytes.",
                    zh="用上了会表现为*负的*超额损失：对照最多只有128字节。",
                ),
            ),
            Option(
                Text(
                    en="Length does it no harm that can be measured, on this model and text.",
                    zh="在这个模型和这段文本上，测不出长度对它有害。",
                ),
                Text(en="Right, and no more than that.", zh="对，仅此而已。"),
                right=True,
            ),
            Option(
                Text(en="It is the best encoding for long text.", zh="它是最适合长文本的编码。"),
                Text(
                    en="Excess says what length costs. The loss itself, and retrieval, are other "
                    "questions.",
                    zh="超额损失说的是长度的代价。损失本身、检索能力，是另外的问题。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Method A beats B in the mean of 3 seeds, but loses in one of them. What do you "
            "report?",
            zh="方法A在3个种子的平均值上胜过B，但在其中一个种子上输了。你怎么报告？",
        ),
        options=(
            Option(
                Text(
                    en="That A is better than B, as the mean over all seeds shows.",
                    zh="A比B好，各个种子的平均值说明了这一点。",
                ),
                Text(
                    en="The mean may hang on one seed; the next run could reverse it.",
                    zh="平均值可能全靠一个种子；再跑一次也许就反过来。",
                ),
            ),
            Option(
                Text(
                    en="That they are equal: one seed of three speaks against a difference.",
                    zh="两者相同：三个种子里有一个相反，差别就不成立。",
                ),
                Text(
                    en="Not shown either: an undecided difference is not an absent one.",
                    zh="这也没有证明：没分出胜负不等于没有差别。",
                ),
            ),
            Option(
                Text(
                    en="The means with their spread: the ordering is not stable.",
                    zh="平均值和离散程度，并说明次序不稳定。",
                ),
                Text(en="Right. More seeds could decide it.", zh="对。更多的种子才能定夺。"),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="NoPE's excess is lower than RoPE's. Should you drop RoPE?",
            zh="NoPE的超额损失比RoPE低。该不该弃用RoPE？",
        ),
        options=(
            Option(
                Text(en="Yes, it extrapolates better.", zh="该，它外推更好。"),
                Text(
                    en="Excess is measured from each model's own level, and NoPE's level was the "
                    "worst of all.",
                    zh="超额损失是从各自的水平算起的，而NoPE自己的水平最差。",
                ),
            ),
            Option(
                Text(
                    en="No: without an encoding, NoPE cannot know any order of the words.",
                    zh="不该：没有位置编码，NoPE根本不可能知道词的顺序。",
                ),
                Text(
                    en="With a causal mask and two layers it can (chapter 1); here it learns it "
                    "slowly.",
                    zh="有因果掩码、有两层时它能知道（第1章）；只是在这里学得慢。",
                ),
            ),
            Option(
                Text(
                    en="Not because of this: at the trained length RoPE's loss is far lower.",
                    zh="不能凭这个：在训练长度上RoPE的损失低得多。",
                ),
                Text(
                    en="Right. Decide by the loss at the length that you need.",
                    zh="对。按你要用的长度上的损失来定。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="After interpolation by 8 and some fine-tuning, the excess at 1024 has fallen from "
            "1.3 to 0.3. What must be shown beside it?",
            zh="插值8倍再微调一阵之后，1024上的超额损失从1.3降到0.3。旁边还必须给出什么？",
        ),
        options=(
            Option(
                Text(
                    en="The same tuning without interpolation, and the loss at the trained length "
                    "after each.",
                    zh="不插值、只做同样微调的结果，以及两种微调之后训练长度上的损失。",
                ),
                Text(
                    en="Right. In chapter 9 direct tuning leaves 0.06 to 0.07, and interpolation "
                    "costs as much at 128 as at 1024.",
                    zh="对。第9章里，直接微调只剩0.06至0.07；而插值在128上的代价与1024上一样大。",
                ),
                right=True,
            ),
            Option(
                Text(en="Nothing: three quarters are gone.", zh="不用：已经去掉了四分之三。"),
                Text(
                    en="Gone because of what? Interpolation and tuning were changed together.",
                    zh="是什么去掉的？插值和微调是同时改的。",
                ),
            ),
            Option(
                Text(
                    en="The same tuning with three more seeds, to see whether 1.3 and 0.3 hold up.",
                    zh="再用三个种子做同样的微调，看1.3和0.3是否站得住。",
                ),
                Text(
                    en="More seeds make the two numbers firmer. They do not say whether "
                    "interpolation had a part in them.",
                    zh="种子多了，两个数更可靠，但仍看不出插值有没有出力。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="In the ALiBi paper the perplexity of rotary stays below that of sinusoidal at all "
            "lengths beyond the trained one. In chapter 9 its excess is lower at all of them if "
            "embeddings are not scaled, but higher at 4 and 8 times the length if they are "
            "multiplied by √d. What follows?",
            zh="ALiBi论文里，超过训练长度之后，旋转编码的困惑度处处低于正弦。第9章里，嵌入不乘系数时，"
            "它的超额损失也处处更低；乘了√d，在4倍和8倍训练长度上却更高。这说明什么？",
        ),
        options=(
            Option(
                Text(en="One of the two probably has a bug.", zh="其中一个大概有bug。"),
                Text(
                    en="Possible, not implied: model, text, training and measure all differ.",
                    zh="有可能，但推不出来：模型、文本、训练、测法都不同。",
                ),
            ),
            Option(
                Text(
                    en="The ordering of two methods that both break depends on the setting.",
                    zh="两种都会失效的方法孰高孰低，取决于具体设置。",
                ),
                Text(
                    en="Right. So the setting has to be stated. All agree on one thing: both "
                    "break.",
                    zh="对。所以设置必须写明；各方一致的只是，两者都会失效。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The small experiment refutes the paper, whose runs had one seed each.",
                    zh="小实验推翻了论文，因为论文里每种方法只用了一个种子。",
                ),
                Text(
                    en="It refutes at most the claim that it is so *everywhere*.",
                    zh="它至多推翻“处处如此”的说法。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="Which one result would show that a model *uses* context beyond its trained length?",
            zh="哪一个结果能说明模型*用上了*训练长度以外的上下文？",
        ),
        options=(
            Option(
                Text(
                    en="Flat perplexity from 1 to 8 times that length.",
                    zh="从1倍到8倍长度，困惑度持平。",
                ),
                Text(
                    en="A model that looks at its last hundred tokens alone is flat too.",
                    zh="只看最近一百个词元的模型，困惑度也会持平。",
                ),
            ),
            Option(
                Text(en="Attention weights beyond it are above 0.", zh="那之外的注意力权重大于0。"),
                Text(
                    en="After a softmax all visible weights are above 0.",
                    zh="softmax之后，看得见的权重都大于0。",
                ),
            ),
            Option(
                Text(
                    en="The same last tokens have a lower loss with the far context than without.",
                    zh="同样的末尾词元，有远处上下文时损失比没有时低。",
                ),
                Text(en="Right: only what is read can help.", zh="对：读到的才能有帮助。"),
                right=True,
            ),
        ),
    ),
)
