"""Self-test of the first chapter: what the course is about, and how one works in it."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(
            en="What does a positional encoding give to a Transformer?",
            zh="位置编码给了Transformer什么？",
        ),
        options=(
            Option(
                Text(
                    en="What each word means, and what it means beside its neighbours.",
                    zh="每个词是什么意思，以及与邻近的词放在一起是什么意思。",
                ),
                Text(
                    en="The first is the job of the embedding, the second that of attention.",
                    zh="前者是词嵌入的事，后者是注意力的事。",
                ),
            ),
            Option(
                Text(
                    en="Where each token is, which a sum over tokens cannot tell.",
                    zh="每个词元在哪里，这是求和得不到的信息。",
                ),
                Text(
                    en="Right: attention adds up over tokens, and a sum has no order.",
                    zh="对：注意力对词元求和，而求和不管顺序。",
                ),
                right=True,
            ),
            Option(
                Text(en="More speed on long texts.", zh="长文本上更快的速度。"),
                Text(
                    en="It costs a little. Some encodings help a model to *read* longer texts, "
                    "but none makes attention cheaper by itself.",
                    zh="它反而要多花一点时间。有的编码能帮模型*读懂*更长的文本，但没有哪种本身会让注意力变快。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="The query is at position 5, the key at position 3. What is their relative "
            "position in this course?",
            zh="查询在位置5，键在位置3。按本课程的约定，相对位置是多少？",
        ),
        options=(
            Option(
                Text(en="$2$", zh="$2$"),
                Text(
                    en="That is query − key, or the distance without its sign. Some papers and "
                    "libraries use it: check before you copy a formula.",
                    zh="这是查询−键，或者不带符号的距离。有的论文和库这样用：抄公式之前先看清楚。",
                ),
            ),
            Option(
                Text(en="$8$", zh="$8$"),
                Text(
                    en="A sum of positions changes when the whole text moves; a difference does "
                    "not.",
                    zh="整段文本平移，位置之和就变了，位置之差不变。",
                ),
            ),
            Option(
                Text(en="$-2$", zh="$-2$"),
                Text(
                    en="Right: key − query is 3 − 5 = −2. The key comes before the query, so it "
                    "is negative.",
                    zh="对：键−查询是3 − 5 = −2。键在查询之前，所以为负。",
                ),
                right=True,
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="You changed your answer, ran only the check cell, and the report is the old one. "
            "Why?",
            zh="你改了答案，只运行了检查单元格，报告却和原来一样。为什么？",
        ),
        options=(
            Option(
                Text(
                    en="The check keeps its first result, and only a restart of the kernel "
                    "clears it.",
                    zh="检查只认第一次的结果，要重启内核才会重新检查。",
                ),
                Text(
                    en="The check runs again each time, as often as you like; the best result "
                    "counts for your progress.",
                    zh="检查每次都重新运行，次数不限；进度里记的是最好的一次。",
                ),
            ),
            Option(
                Text(
                    en="The answer cell was not run: the kernel still has the old function.",
                    zh="作答单元格没有运行：内核里还是旧的函数。",
                ),
                Text(
                    en="Right: text on the page is not code in the kernel until its cell runs.",
                    zh="对：页面上的文字，要等单元格运行之后才会进入内核。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The notebook was not saved: the check reads the file, not the page "
                    "you see.",
                    zh="notebook没有保存：检查读的是文件，不是你看到的页面。",
                ),
                Text(
                    en="Saving writes the file; the kernel does not read it.",
                    zh="保存只是写文件，内核并不读它。",
                ),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="A report says 0.75 of 2 points and “likely cause”. What does that mean?",
            zh="报告写着得0.75分（满分2分），还有“很可能的原因”。这是什么意思？",
        ),
        options=(
            Option(
                Text(
                    en="Some checks passed, and your results point to a known mistake.",
                    zh="有几项检查通过了，而从你的结果能看出一种已知的错误。",
                ),
                Text(
                    en="Right: each check is worth some of the points, and known mistakes were "
                    "compared with your answer.",
                    zh="对：每项检查都有分值；已知的错误也都与你的答案比较过。",
                ),
                right=True,
            ),
            Option(
                Text(
                    en="The code is 37.5% similar to ours, and the cause is the part that differs.",
                    zh="代码和标准答案有37.5%相似，“原因”就是两者不同的那一部分。",
                ),
                Text(
                    en="Your code is not compared with ours: only what it returns counts.",
                    zh="检查不拿你的代码和标准答案比，只看它返回什么。",
                ),
            ),
            Option(
                Text(
                    en="A hint was opened, which costs points; the cause names that hint and "
                    "its cost.",
                    zh="看了提示，所以扣了分；“原因”写的是看了哪一条、扣了多少。",
                ),
                Text(en="Hints cost nothing.", zh="看提示不扣分。"),
            ),
        ),
    ),
    Question(
        prompt=Text(
            en="The course is updated. What happens to your notebooks at the next `make lab`?",
            zh="课程更新了。下次运行`make lab`时，你的notebook会怎样？",
        ),
        options=(
            Option(
                Text(en="They are replaced by the new ones.", zh="被新的替换掉。"),
                Text(
                    en="Only the course's own text is replaced. What you wrote is found by the "
                    "exercise's name and kept.",
                    zh="换掉的只有课程自己的正文。你写的内容会按练习名找出来，保留下来。",
                ),
            ),
            Option(
                Text(en="Nothing, ever.", zh="永远不会变。"),
                Text(
                    en="Then corrections would never reach you.",
                    zh="那样你就永远看不到修订了。",
                ),
            ),
            Option(
                Text(
                    en="Their text is renewed, your answers stay, and the old files are kept.",
                    zh="正文更新，你的答案保留，旧文件另存一份。",
                ),
                Text(
                    en="Right: the old files are in `before-update/`.",
                    zh="对：旧文件就在`before-update/`里。",
                ),
                right=True,
            ),
        ),
    ),
)
