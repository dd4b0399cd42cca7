"""What the figures of chapter 6 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

wavelength = Text(en="wavelength λ (tokens)", zh="波长λ（词元）")
factor = Text(en="stretch s", zh="扩展倍数s")
length = Text(en="trained length L", zh="训练长度L")
trained_head = panel(
    x=Text(en="distance k (tokens back)", zh="距离k（键在k个词元之前）"),
    y=Text(en="score", zh="得分"),
    title=Text(en="One head, trained up to 512", zh="一个头，训练到512"),
)
target = Text(en="what it was trained on", zh="训练目标")
seen = controls(
    length=length,
    factor=factor,
    base="base",
    tries=[
        Try(
            en="32 times as long: are there more pairs with new angles, or do the same go further?",
            zh="长到32倍：碰到新角度的对变多了，还是同样那些对走得更远？",
            factor=32,
        ),
        Try(
            en="a larger base: does training see more or less of the circle?",
            zh="更大的base：训练时见过的圆弧是多了还是少了？",
            base=500000.0,
        ),
    ],
)
circle = panel(
    x=Text(en="pair i (fast to slow)", zh="第i对（从高频到低频）"),
    y=Text(en="share of the circle", zh="占整圈的比例"),
    title=Text(en="{new} of 64 pairs never went round", zh="64对中有{new}对没转完一圈"),
)
seen_before = Text(en="seen in training", zh="训练中见过")
needed = Text(en="needed now", zh="现在需要")
ramp = controls(
    length=length,
    alpha=Text(en="α (turns)", zh="α（圈）"),
    width=Text(en="β − α (turns)", zh="β − α（圈）"),
    tries=[
        Try(
            en="Llama 3.1's thresholds: how many pairs lie on the ramp?",
            zh="Llama 3.1的边界：有几对落在斜坡上？",
            width=3,
        ),
        Try(
            en="both thresholds far up: does any pair keep all of its frequency?",
            zh="两个边界都很大：还有哪一对的频率原样不变？",
            alpha=200,
            width=200,
        ),
        Try(
            en="trained on 8192: which way do the thresholds move, and why?",
            zh="训练长度8192：边界往哪边移？为什么？",
            length=8192,
        ),
    ],
)
share_kept = panel(
    x=wavelength,
    y=Text(en="γ, share of ω that is kept", zh="γ，ω保留的比例"),
    title="α = {alpha}, β = {beta}",
)
sharpened = controls(
    sigma=Text(en="spread σ of the scores", zh="得分的标准差σ"),
    length=length,
    tries=[
        Try(
            en="σ² = 5: up to which s does YaRN follow the formula?",
            zh="σ² = 5：s到多大，YaRN还与公式相符？",
            sigma=2.2,
        ),
        Try(
            en="sharper heads: which rule is further above the formula?",
            zh="更尖锐的头：哪条规则超出公式更多？",
            sigma=3.0,
        ),
    ],
)
temperature = panel(
    x=factor,
    y=Text(en="factor on the scores", zh="得分乘的倍数"),
    title=Text(
        en="σ = {sigma}: {needed:.2f} at s = 16, by the formula",
        zh="σ = {sigma}：s = 16时按公式要{needed:.2f}",
    ),
)
exact = Text(en="by the formula", zh="按公式")
log_n = Text(en="log n", zh="log n缩放")
compared = controls(
    length=length,
    factor=factor,
    base="base",
    tries=[
        Try(
            en="almost no stretch: do the methods agree?",
            zh="只扩展一点点：各种方法一致吗？",
            factor=2,
        ),
        Try(
            en="32 times: which leave the fast pairs alone?",
            zh="32倍：哪些方法不动高频对？",
            factor=32,
        ),
    ],
)
head = controls(
    method=Text(en="method", zh="方法"),
    factor=factor,
    decay=Text(en="decay in the target (tokens)", zh="目标里的decay（词元）"),
    tries=[
        Try(
            en="interpolation: small far away, and what does it do to the slope?",
            zh="位置插值：远处压住了，坡度变成什么样？",
            method="PI",
        ),
        Try(
            en="NTK with twice the s: does it help?",
            zh="NTK把s加倍：有用吗？",
            method="NTK-aware",
            factor=16,
        ),
        Try(
            en="the step of 6.2: small far away, but what of 40 tokens back?",
            zh="6.2节的做法：远处压住了，距离40处呢？",
            method="6.2",
        ),
        Try(
            en="a head taught a slow decay, nothing scaled: is plain RoPE still bad far away?",
            zh="学的是慢衰减，什么都不缩放：普通RoPE在远处还差吗？",
            method="RoPE",
            decay=160,
        ),
    ],
)
scaled_head = panel(
    x=Text(en="distance k (tokens back)", zh="距离k（键在k个词元之前）"),
    y=Text(en="score", zh="得分"),
    title=Text(en="{method}, s = {factor}", zh="{method}，s = {factor}"),
)
scaling_names = {
    "RoPE": Text(en="plain", zh="不缩放"),
    "PI": Text(en="interpolation", zh="位置插值"),
    "NTK-aware": "NTK-aware",
    "NTK-by-parts": Text(en="by parts", zh="NTK-by-parts"),
    "YaRN": "YaRN",
    "Llama 3.1": "Llama 3.1",
    "6.2": Text(en="step of 6.2", zh="6.2节的台阶"),
}
scalings = {name: method for method, name in scaling_names.items()}
score = Text(en="score", zh="得分")
goal = Text(en="wanted", zh="目标")
slowed = panel(
    x=wavelength,
    y=Text(en="slowed by ω/ω′", zh="放慢的倍数ω/ω′"),
    title="L = {length}, s = {factor}",
)
grouped = controls(
    window=Text(en="window w", zh="窗口w"),
    group=Text(en="group size G", zh="每组个数G"),
    tries=[
        Try(en="larger groups: is the line crossed?", zh="组更大：还越线吗？", group=16),
        Try(en="ReRoPE: one group for all", zh="ReRoPE：全部归为一组", group=4096),
        Try(en="plain RoPE", zh="普通的RoPE", group=1),
    ],
)
true_distance = Text(en="true distance (tokens)", zh="真实距离（词元）")
seen_distance = Text(en="distance seen", zh="看到的距离")
distances = panel(
    x=true_distance,
    y=Text(en="distance (tokens)", zh="距离（词元）"),
    title=Text(en="largest distance seen: {largest}", zh="看到的最大距离：{largest}"),
)
grouped_head = panel(
    x=true_distance,
    y=score,
    title=Text(
        en="|score| beyond the window: at most {wildest:.2f}",
        zh="窗口之外，|得分|最大为{wildest:.2f}",
    ),
)
