"""What the figures of chapter 14 say."""

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.labelling import controls, panel

encoding = Text(en="encoding", zh="编码")
looking = controls(
    name=encoding,
    layer=Text(en="layer", zh="层"),
    head=Text(en="head", zh="头"),
    tries=[
        Try(
            en="the layer above: where does the stripe lie now?",
            zh="上面一层：条纹现在在哪里？",
            layer=1,
        ),
        Try(
            en="ALiBi, same task: which head comes nearest to looking one back?",
            zh="ALiBi做同一个任务：哪个头最接近只看前一个词元？",
            name="alibi",
        ),
        Try(
            en="a model that has not learned it: what do its heads look at?",
            zh="没学会的模型：它的头在看什么？",
            name="sinusoidal",
            layer=1,
        ),
    ],
)
weights = panel(
    x=Text(en="key (tokens)", zh="键（词元）"),
    y=Text(en="query (tokens)", zh="查询（词元）"),
    title=Text(
        en="one back {back:.2f}, after the same token {after:.2f}",
        zh="前一个{back:.2f}，相同词元之后{after:.2f}",
    ),
    colour_label=Text(en="attention weight", zh="注意力权重"),
)
taking = controls(
    first=Text(en="first pair", zh="从第几对起"),
    count=Text(en="how many pairs", zh="几对"),
    silent=Text(en="take the channels away, not just stop them", zh="去掉通道，而不只是停转"),
    tries=[
        Try(
            en="the fastest three standing still: is anything left?",
            zh="最高频的三对停转：还剩下什么吗？",
            count=3,
        ),
        Try(
            en="pairs 4 and 5 without their channels: do the bars of layer 1 fall?",
            zh="第4、5对去掉通道：第1层的条会降吗？",
            first=4,
            count=2,
            silent=True,
        ),
        Try(
            en="pairs 4 to 7 without theirs: down to where?",
            zh="第4到7对都去掉通道：降到哪里？",
            first=4,
            count=4,
            silent=True,
        ),
    ],
)
back_bars = panel(
    x=Text(en="head of layer 0", zh="第0层的头"),
    y=Text(en="weight one back", zh="前一个词元上的权重"),
    title=Text(en="pairs {first} to {last} {how}", zh="第{first}到{last}对{how}"),
)
still = Text(en="standing still", zh="停转")
gone = Text(en="without channels", zh="去掉通道")
after_bars = panel(
    x=Text(en="head of layer 1", zh="第1层的头"),
    y=Text(en="weight after the same token", zh="相同词元之后的权重"),
    title=Text(en="loss {loss:.2f}", zh="损失{loss:.2f}"),
)
stretching = controls(
    scaling=Text(en="scaling", zh="缩放"),
    factor=Text(en="factor", zh="倍数"),
    score_factor=Text(en="scores times", zh="得分乘以"),
    log_n=Text(en="log-n scaling", zh="log-n缩放"),
    tries=[
        Try(
            en="interpolation, factor 8: where does it hurt?",
            zh="位置插值，8倍：伤在哪里？",
            scaling="interpolation",
            factor=8,
        ),
        Try(
            en="YaRN, factor 8: what do the first 128 bytes pay?",
            zh="YaRN，8倍：前128个字节付出多少？",
            scaling="YaRN",
            factor=8,
        ),
        Try(en="log-n alone: does it help?", zh="只用log-n：有用吗？", scaling="none", log_n=True),
    ],
)
past = panel(
    x=Text(en="position (bytes)", zh="位置（字节）"),
    y=Text(en="loss (nats per byte)", zh="损失（奈特/字节）"),
    title=Text(
        en="first 128: {near:.2f}; last 512: {far:.2f}",
        zh="最前128个：{near:.2f}；最后512个：{far:.2f}",
    ),
)
untouched = Text(en="untouched", zh="原样")
scaled = Text(en="as set", zh="按当前设置")
filling = panel(
    x=Text(en="depth (0: start)", zh="深度（0为开头）"),
    y=Text(en="length (tokens)", zh="长度（词元）"),
    title=Text(en="{name}: share found", zh="{name}：找到的比例"),
)
hiding = controls(
    case=Text(en="case of chapter 12", zh="第12章的病例"),
    written=Text(en="read in pieces of eight bytes", zh="分块读，每次八个字节"),
    tries=[
        Try(
            en="case 18 in pieces: can you see it?",
            zh="病例18，分块读：看得出来吗？",
            case=18,
            written=True,
        ),
        Try(en="case 16: from which position on?", zh="病例16：从哪个位置起？", case=16),
        Try(
            en="case 14: is the faulty one worse everywhere?",
            zh="病例14：出错的那个处处都更差吗？",
            case=14,
        ),
    ],
)
planted_in = panel(
    x=Text(en="position (bytes)", zh="位置（字节）"),
    y=Text(en="loss (nats per byte)", zh="损失（奈特/字节）"),
    title=Text(
        en="case {case}, {reading}: {before:.2f} becomes {after:.2f}",
        zh="病例{case}，{reading}：{before:.2f}变成{after:.2f}",
    ),
)
at_once = Text(en="in one pass", zh="一次读完")
in_pieces = Text(en="in pieces", zh="分块读")
healthy = Text(en="healthy", zh="健康")
broken = Text(en="with the fault", zh="植入错误之后")
forgetting = controls(
    name=encoding,
    sinks=Text(en="sinks kept", zh="留下的汇点数"),
    window=Text(en="window", zh="窗口"),
    renumber=Text(en="number again in the cache", zh="在缓存里重新编号"),
    tries=[
        Try(
            en="ALiBi, four sinks, old numbers: do they do harm?",
            zh="ALiBi，四个汇点，编号不变：有害吗？",
            name="alibi",
            sinks=4,
        ),
        Try(
            en="the sinusoids, numbered again: better than with the old numbers?",
            zh="正弦，重新编号：比编号不变好吗？",
            name="sinusoidal",
            sinks=8,
            window=16,
            renumber=True,
        ),
        Try(en="the widest window: what comes back?", zh="最宽的窗口：什么又回来了？", window=256),
    ],
)
loss_of_writing = panel(
    x=Text(en="position (bytes)", zh="位置（字节）"),
    y=Text(en="loss of the byte being written", zh="正在写的字节的损失"),
    title=Text(
        en="last 128: all kept {whole:.2f}, evicted {less:.2f}",
        zh="最后128个：全留{whole:.2f}，驱逐{less:.2f}",
    ),
)
all_kept = Text(en="all kept", zh="全部保留")
evicted = Text(en="evicted", zh="驱逐之后")
