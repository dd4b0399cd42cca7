"""What the decks themselves say, in both languages."""

from bilingual import Text

CHAPTER = Text(
    en="{minutes} minutes in the notebook · {count} exercises",
    zh="自学约{minutes}分钟 · {count}道练习",
)
HINTS = Text(en="Hints, one at a time:", zh="提示，一次给一条：")
KEYS = Text(
    en="Keys: arrows or Space go on, S opens the speaker notes, F the full screen, O the overview. "
    "The deck needs no network. `?print-pdf` behind the address makes it a PDF by the browser's "
    "print.",
    zh="按键：方向键或空格翻页，S打开讲稿，F全屏，O看全部幻灯片。不需要网络。"
    "在网址后面加`?print-pdf`，再用浏览器打印，就得到PDF。",
)
