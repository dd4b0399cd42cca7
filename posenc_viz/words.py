"""What a board of controls says, in both languages."""

from bilingual import Text

RUN_ME = Text(en="run this cell for the sliders", zh="运行本单元格即可使用滑块")
RESET = Text(en="Reset", zh="重置")
TRY = Text(en="Try this:", zh="试一试：")
BUSY = Text(en="Computing …", zh="正在计算……")
SLOW = Text(
    en="This takes a moment: the picture follows when you let go.",
    zh="这张图算得慢：松手后才更新。",
)
FAILED = Text(
    en="This setting raised an error; the picture is still the last good one.",
    zh="这组设置出错了，图仍是上一次成功的结果。",
)
