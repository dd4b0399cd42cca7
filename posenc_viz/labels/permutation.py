"""What the figures of chapter 1 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

words = (
    Text(en="cat", zh="猫"),
    Text(en="catches", zh="抓"),
    Text(en="mouse", zh="老鼠"),
    Text(en="big", zh="大"),
)
to = Text(en="→ {word}", zh="→{word}")
cat_first = Text(en="cat catches mouse", zh="猫抓老鼠")
mouse_first = Text(en="mouse catches cat", zh="老鼠抓猫")
drag = controls(
    number=Text(en="order (0 to 23)", zh="次序（0到23）"),
    strength=Text(en="position vectors", zh="位置向量强度"),
    tries=[
        Try(
            en="position vectors at full strength: are the last two tables still the same?",
            zh="位置向量开到最大：后两张表还一样吗？",
            strength=1.0,
        ),
        Try(
            en="order 0, position vectors at full strength: why are these two equal again?",
            zh="第0种次序，位置向量开到最大：为什么又一样了？",
            number=0,
            strength=1.0,
        ),
    ],
)
order = "P"
reordered = Text(en="computed again", zh="重排后重新算出")
carried_along = Text(en="P A Pᵀ, off by {apart}", zh="P A Pᵀ，相差{apart}")
exchange = controls(
    first=Text(en="first of the pair", zh="左边的词元"),
    count=Text(en="layers", zh="层数"),
    tries=[
        Try(
            en="one layer: which positions notice nothing?", zh="一层：哪些位置毫无察觉？", count=1
        ),
        Try(
            en="the first two exchanged, three layers: does the last position notice?",
            zh="交换最前面两个，三层：最后一个位置察觉得到吗？",
            first=0,
            count=3,
        ),
        Try(
            en="the last two exchanged: which positions can see the exchange?",
            zh="交换最后两个：哪些位置看得见？",
            first=6,
        ),
    ],
)
changes = panel(
    x=Text(en="position", zh="位置"),
    y=Text(en="change (norm)", zh="变化（范数）"),
    title=Text(
        en="layers: {count}; tokens {first} and {second} exchanged",
        zh="{count}层，交换词元{first}和{second}",
    ),
)
counters = panel(
    x=Text(en="position t (tokens)", zh="位置t（词元）"),
    y=Text(en="value", zh="数值"),
    title=Text(en="A counter that fades", zh="越来越模糊的计数器"),
)
counter = Text(en="counter", zh="计数器")
step_on = Text(en="step to the next position", zh="到下一位置的差")
one_layer = panel(
    x=Text(en="token", zh="词元"),
    y=Text(en="weight", zh="权重"),
    title=Text(en="one layer", zh="一层"),
)
two_layers = panel(
    x=Text(en="token", zh="词元"),
    y=Text(en="weight", zh="权重"),
    title=Text(en="two layers", zh="两层"),
)
perplexity = panel(
    x=Text(en="input length (tokens)", zh="输入长度（词元）"),
    y=Text(en="perplexity", zh="困惑度"),
    title=Text(en="Trained at length 1024", zh="训练长度为1024个词元"),
)
head = controls(
    method=Text(en="position goes in", zh="位置从哪里进来"),
    start=Text(en="position of the first token", zh="第一个词元的位置"),
    swapped=Text(en="exchange cat and mouse", zh="猫和老鼠对调"),
    tries=[
        Try(
            en="nowhere, cat and mouse exchanged: which rows of O are new?",
            zh="不放位置，猫和老鼠对调：O有哪几行是新的？",
            swapped=True,
        ),
        Try(
            en="added to x, the sentence starts at 40: which matrices change?",
            zh="加到x上，句子从40开始：哪些矩阵会变？",
            method="added",
            start=40,
        ),
        Try(
            en="Q and K turned, starting at 40: where does the change stop?",
            zh="旋转Q和K，从40开始：变化到哪里为止？",
            method="turned",
            start=40,
        ),
        Try(
            en="a bias on S, starting at 40: does anything change?",
            zh="给S加偏置，从40开始：还有什么会变？",
            method="bias",
            start=40,
        ),
    ],
)
ways = {
    Text(en="nowhere", zh="不放位置"): "none",
    Text(en="added to x", zh="加到x上"): "added",
    Text(en="turns Q and K", zh="旋转Q和K"): "turned",
    Text(en="a bias on S", zh="给S加偏置"): "bias",
}
marks = {
    "none": {},
    "added": {"x": "+ PE"},
    "turned": {"q": Text(en="turned", zh="旋转"), "k": Text(en="turned", zh="旋转")},
    "bias": {"scores": Text(en="+ bias", zh="+偏置")},
}
computed = panel(
    title=Text(en="A head at positions {start} to {end}", zh="一个头，位置{start}到{end}")
)
