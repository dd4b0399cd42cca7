"""Self-test of chapter 13."""

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
            en="A port of a Llama 3.1 checkpoint ignores `rope_scaling`. Ten short questions are "
            "answered well. What does that show?",
            zh="某个移植版运行Llama 3.1时忽略了`rope_scaling`，十个短问题都答得很好。"
            "这说明了什么？",
        ),
        _wrong(
            Text(en="That the scaling is not needed.", zh="说明不需要缩放。"),
            Text(
                en="It is: at position 8192 the cosine between the right key and the wrong one "
                "is down to 0.77.",
                zh="需要：到位置8192，缩放过与没缩放的键之间，余弦只剩0.77。",
            ),
        ),
        _right(
            Text(en="Next to nothing.", zh="几乎什么也说明不了。"),
            Text(
                en="Right: the error is zero at distance 0 and grows with it. A test must go as "
                "far as the texts will.",
                zh="对：误差在距离0处为零，随距离增长。文本会有多长，就要测到多长。",
            ),
        ),
        _wrong(
            Text(en="That the base is right.", zh="说明base是对的。"),
            Text(
                en="A base that is a little off shows little at the start, too (one that is far "
                "off, such as a default of 10000, spoils short texts as well: 13.5).",
                zh="base差得不多时，开头同样看不大出来"
                "（差得多，例如误用默认的10000，短文本也会坏，见13.5节）。",
            ),
        ),
    ),
    _question(
        Text(
            en="`max_position_embeddings` is 131072 and `rope_scaling` is yarn, factor 4, "
            "original 32768. What length was the model trained on, before the stretch?",
            zh="`max_position_embeddings`是131072，`rope_scaling`是yarn，factor为4，"
            "original为32768。扩展之前的训练长度是多少？",
        ),
        _wrong(
            Text(en="131072", zh="131072"),
            Text(
                en="That is 4 × 32768: what the stretch is to reach.",
                zh="那是4 × 32768：扩展要达到的长度。",
            ),
        ),
        _wrong(
            Text(en="524288", zh="524288"),
            Text(
                en="The field holds the stretch already; do not multiply again.",
                zh="这个字段已含扩展，不要再乘一遍。",
            ),
        ),
        _right(
            Text(en="32768", zh="32768"),
            Text(en="Right. By this length YaRN counts turns.", zh="对。YaRN按这个长度来数圈。"),
        ),
    ),
    _question(
        Text(
            en="You want this model to read texts twice as long as it allows now. What do you "
            "write?",
            zh="要让上题的模型读现在允许长度两倍的文本，该写什么？",
        ),
        _right(
            Text(
                en="factor 8, original 32768 as before, maximum 262144",
                zh="factor 8，original仍为32768，最大长度262144",
            ),
            Text(
                en="Right: the stretch counts from the trained length, which stays.",
                zh="对：扩展倍数从训练长度算起，训练长度不变。",
            ),
        ),
        _wrong(
            Text(
                en="factor 2, original 131072, maximum 262144",
                zh="factor 2，original 131072，最大长度262144",
            ),
            Text(
                en="Turns, and the stretch, would be counted from a length that was never trained "
                "on: pairs that never went round in training would be slowed by a factor of 2 "
                "at most, where 8 is needed.",
                zh="这样是从没训练过的长度数圈、算倍数：训练时没转满一圈的对，至多放慢到1/2，"
                "而需要的是1/8。",
            ),
        ),
        _wrong(
            Text(
                en="factor 6, original 32768, maximum 262144",
                zh="factor 6，original 32768，最大长度262144",
            ),
            Text(en="Stretches multiply: 4 times 2 is 8.", zh="倍数相乘：4乘2是8。"),
        ),
    ),
    _question(
        Text(
            en="A config has `sliding_window: 32768`. What do you know?",
            zh="某份配置里有`sliding_window: 32768`。由此知道什么？",
        ),
        _wrong(
            Text(en="Every layer sees 32768 tokens back.", zh="每层只看得到之前32768个词元。"),
            Text(
                en="`use_sliding_window` may be false, and `layer_types` or a pattern may leave "
                "layers out.",
                zh="`use_sliding_window`可能为false，`layer_types`或周期也可能排除某些层。",
            ),
        ),
        _wrong(
            Text(en="The cache never grows beyond 32768 keys.", zh="缓存不会超过32768个键。"),
            Text(en="Only in layers that use the window.", zh="只有用窗口的层才是这样。"),
        ),
        _right(
            Text(en="A width, and no more.", zh="一个宽度，仅此而已。"),
            Text(
                en="Right: other fields say whether and where it is used. In Qwen2.5 no layer "
                "uses it.",
                zh="对：用不用、哪些层用，要看别的字段。Qwen2.5没有一层用它。",
            ),
        ),
    ),
    _question(
        Text(
            en="Which of these does a Llama config in Hugging Face's format never say?",
            zh="下面哪一项，Hugging Face格式的Llama配置从来不写？",
        ),
        _wrong(
            Text(en="The base.", zh="base。"),
            Text(
                en="`rope_theta` says it, since the first models with a base other than 10000.",
                zh="自从有了base不是10000的模型，配置里就写着`rope_theta`。",
            ),
        ),
        _right(
            Text(en="Which two channels are a pair.", zh="哪两个通道是一对。"),
            Text(
                en="Right: that follows from `model_type`; a wrong layout runs, and talks "
                "nonsense.",
                zh="对：那由`model_type`决定；排布错了照样能跑，只是胡言乱语。",
            ),
        ),
        _wrong(
            Text(en="The number of KV heads.", zh="KV头数。"),
            Text(en="`num_key_value_heads` says it.", zh="`num_key_value_heads`写着。"),
        ),
    ),
    _question(
        Text(
            en="YaRN with factor 4 is switched on for a server whose texts have 500 tokens. What "
            "changes for them?",
            zh="某服务器开了factor为4的YaRN，而文本只有500个词元。对它们有什么变化？",
        ),
        _wrong(
            Text(
                en="Nothing: no text is longer than in training.",
                zh="没有变化：这些文本都没有超过训练长度。",
            ),
            Text(
                en="The scaling is static: it is in force at every position.",
                zh="这种缩放是静态的，在每个位置都起作用。",
            ),
        ),
        _right(
            Text(
                en="Scores grow by a factor of about 1.30, and slow pairs turn more slowly.",
                zh="得分约乘1.30，低频对转得更慢。",
            ),
            Text(
                en="Right: (0.1 ln 4 + 1)² = 1.30. So it is switched on for long texts only.",
                zh="对：(0.1 ln 4 + 1)² = 1.30。所以只在文本很长时才开。",
            ),
        ),
        _wrong(
            Text(en="All distances shrink to a quarter.", zh="所有距离都缩到四分之一。"),
            Text(
                en="That is position interpolation; YaRN leaves fast pairs alone.",
                zh="那是位置插值；YaRN不动高频对。",
            ),
        ),
    ),
    _question(
        Text(
            en="A config has `rope_type: dynamic` and `type: yarn`. What is the safest thing a "
            "reader of configs can do?",
            zh="某份配置里写着`rope_type: dynamic`和`type: yarn`。读配置的程序怎样做最稳妥？",
        ),
        _wrong(
            Text(en="Take `rope_type`, the newer name.", zh="取`rope_type`，它是新名字。"),
            Text(
                en="transformers does, as does 11.4, where the rules were given. But "
                "perhaps the old line was meant, and frequencies would be wrong without a word.",
                zh="transformers这样做，11.4节给定的规则也这样做。可是也许本意是旧的那行，"
                "频率就会错得悄无声息。",
            ),
        ),
        _right(
            Text(en="Stop, and name both fields.", zh="停下来，并指出这两个字段。"),
            Text(en="Right: nobody can know which holds.", zh="对：谁也没法知道以哪个为准。"),
        ),
        _wrong(
            Text(en="Apply neither.", zh="两个都不用，就当没有缩放，照常运行。"),
            Text(
                en="Then the model runs unscaled, and short texts do not show it.",
                zh="那样模型就不缩放了，短文本还看不出来。",
            ),
        ),
    ),
    _question(
        Text(
            en="According to its config a model has 4 heads in 96 channels; its `q_proj` has 128 "
            "rows. What is likely?",
            zh="按配置，某模型4个头、96个通道；它的`q_proj`却有128行。多半是怎么回事？",
        ),
        _right(
            Text(en="`head_dim` is missing.", zh="漏了`head_dim`。"),
            Text(en="Right: 128 rows are 4 heads of 32.", zh="对：128行就是4个头，每头32。"),
        ),
        _wrong(
            Text(en="The weights are damaged.", zh="权重坏了。"),
            Text(
                en="A damaged file rarely keeps a whole number of rows per head.",
                zh="文件要是坏了，行数很难恰好还能被头数整除。",
            ),
        ),
        _wrong(
            Text(en="Only 96 of the 128 rows turn.", zh="128行里只转96行。"),
            Text(
                en="Partial rotation does not change the number of rows; `partial_rotary_factor` "
                "states it.",
                zh="部分旋转不改变行数；它由`partial_rotary_factor`说明。",
            ),
        ),
    ),
    _question(
        Text(
            en="A converter of layouts works for a model with 64 heads and 8 KV heads, and fails "
            "for one with 32 and 4. What do you look at?",
            zh="某个排布转换程序，对64个头、8个KV头的模型是对的，对32和4的就错了。该看哪里？",
        ),
        _wrong(
            Text(en="At the base, which may differ.", zh="看base，它可能不同。"),
            Text(en="The rows of a projection do not depend on it.", zh="投影矩阵的行与base无关。"),
        ),
        _right(
            Text(en="At the number of parts into which keys are cut.", zh="看键到底被切成了几份。"),
            Text(
                en="Right: 64 / 8 is 8 as well. Taking the number of query heads in a group for "
                "the "
                "number of KV heads is right only where the two are equal.",
                zh="对：64 / 8恰好也是8。把每组的查询头数当成KV头数，只有两者相等时才对。",
            ),
        ),
        _wrong(
            Text(en="At the values, which are permuted too.", zh="看值，它也被重排了。"),
            Text(en="Then the first model would fail as well.", zh="那样第一个模型也会错。"),
        ),
    ),
    _question(
        Text(
            en="All layers of Gemma 3 but every sixth have a window. Which layer's stored keys "
            "give the next position?",
            zh="Gemma 3每六层里，前五层有窗口，第六层没有。下一个位置要看哪一层存了多少键？",
        ),
        _wrong(
            Text(en="Any layer: all have seen the same text.", zh="哪层都行：读的是同一段文本。"),
            Text(
                en="A layer with a window forgets; its count stops at the width.",
                zh="有窗口的层会遗忘，数到窗口宽度就不再变。",
            ),
        ),
        _wrong(
            Text(en="The first.", zh="第一层。"),
            Text(
                en="It has a window: beyond that window all tokens would get one position.",
                zh="第一层有窗口：超过之后所有词元都挤在同一个位置。",
            ),
        ),
        _right(
            Text(en="One that sees everything.", zh="没有窗口、看得到全部文本的那种层。"),
            Text(
                en="Right. Better still is to count tokens where they arrive.",
                zh="对。更好的办法是在词元到来时就数。",
            ),
        ),
    ),
)
