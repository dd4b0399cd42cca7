"""Lines of Chinese prose are joined; what Markdown reads line by line stays."""

from bilingual.hanzi import join_lines


def test_line_breaks_beside_hanzi_are_removed(subtests):
    for source, joined in [
        ("第一行，\n第二行", "第一行，第二行"),
        ("长度\n$L$\n的句子", "长度$L$的句子"),
        ("有`a`\n两个", "有`a`两个"),
        ("- 一\n  续行", "- 一续行"),
        ("叫作\n*词元*\n（token）", "叫作*词元*（token）"),
        ("完。\n**粗体。**", "完。**粗体。**"),
    ]:
        with subtests.test(source=source, joined=joined):
            assert join_lines(source) == joined


def test_other_line_breaks_stay(subtests):
    for source in [
        "一段。\n\n另一段。",
        "# 标题\n正文",
        "- 一\n- 二",
        "一：\n1. 二\n2. 三",
        "| 甲 | 乙 |\n|---|---|\n| 丙 | 丁 |",
        "```python\n中 = 1\n文 = 2\n```",
        "$$\n甲\n=乙\n$$",
        "*图：完。*\n后文",  # joined, the star would no longer close the emphasis
        "two lines\nof English",
    ]:
        with subtests.test(source=source):
            assert join_lines(source) == source
