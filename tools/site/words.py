"""What the site itself says, in both languages."""

from bilingual import Text

LOCALES = {"zh": "zh_CN", "en": "en"}  # as Sphinx names them
TITLE = Text(en="Positional encodings, hands on", zh="动手学位置编码")
QUESTION = Text(
    en="How does a Transformer know the order of words? Each position sets the hands of eight "
    "clocks. Drag the position: do two positions ever look the same?",
    zh="Transformer怎么知道词的先后？每个位置对应八个钟的指针。拖动位置看看：会不会有两个位置一模一样？",
)
WHY = Text(
    en="Left to itself, attention sees a sentence as a bag of words: “the dog bites the man” and "
    "“the man bites the dog” are one and the same to it. Hands like these are added to each word, "
    "and the order is back. [Chapter 2]({link}) builds them. All figures move on these pages; to "
    "solve the exercises and have them checked on the spot, open the notebooks.",
    zh="注意力本身只看到一袋词，“狗咬人”和“人咬狗”对它没有区别。"
    "给每个词加上这样一组指针，次序就回来了。[第2章]({link})会一步步做出来。"
    "所有的图在网页上就能拖动；要做练习、当场看到批改，请打开notebook。",
)
RESUME = Text(en="Go on where you were:", zh="接着上次读：")
COLUMNS = Text(
    en="| # | Chapter | Question | Two hours | A weekend | Everything |",
    zh="| # | 章 | 问题 | 两小时 | 一个周末 | 全部 |",
)
WAYS_TITLE = Text(en="Three ways through", zh="三条路线")
TWO_HOURS = Text(en="Two hours, section by section", zh="两小时，逐节列出")
MINUTES = Text(en="{minutes} min", zh="{minutes}分钟")
CHAPTERS = Text(en="Chapters", zh="章节")
HERE = Text(
    en="On this page you read and drag. To solve the exercises, run `make lab` in the course's "
    "folder and open `{path}` in JupyterLab.",
    zh="在这个网页上可以读、可以拖。要做练习，请在课程文件夹里运行`make lab`，"
    "然后在JupyterLab中打开`{path}`。",
)
OPEN = Text(
    en="Answer it in JupyterLab: `make lab`, then `{path}`.",
    zh="请在JupyterLab中作答：运行`make lab`，打开`{path}`。",
)
OR_HERE = Text(en="Or open it in the browser:", zh="也可以在浏览器中打开：")
CODE = Text(en="Code", zh="代码")
ANSWER = Text(en="Show what it puts out", zh="看结果")
FOLD = Text(en="Fold", zh="收起")
HINT = Text(en="Hint {level} of {total}", zh="提示 {level}/{total}")
QUIZ = Text(
    en="Choose an option: it opens and says why it is right or wrong.",
    zh="点开一个选项，就能看到它为什么对、为什么错。",
)
RIGHT = Text(en="Right.", zh="正确。")
WRONG = Text(en="Not quite.", zh="不对。")
CONTROLS = Text(en="Controls of the figure", zh="图的控件")
SCROLL = Text(en="Figure; scrolls sideways on a narrow screen", zh="图，屏幕较窄时可以左右滚动")
NO_SCRIPT = Text(
    en="With JavaScript switched on, this figure has sliders.",
    zh="打开JavaScript后，这张图带有滑块。",
)
NO_OUTPUT = Text(
    en="(What this cell shows depends on you and your machine: run it in the notebook.)",
    zh="（这个单元格的输出因人因机器而异，请在notebook中运行。）",
)
