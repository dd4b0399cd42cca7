"""The texts of a board of controls, in both languages."""

from bilingual import Text

RUN_ME = Text(en="run this cell for the sliders", zh="运行本单元格即可使用滑块")
RESET = Text(en="Reset", zh="重置")
TRY = Text(en="Try this:", zh="试一试：")
BUSY = Text(en="Computing …", zh="正在计算……")
LOST = Text(
    en="The kernel that drew this picture is gone.",
    zh="画这张图的内核已不在运行。",
)
RERUN = Text(en="Run the cells up to here", zh="运行到这里")
SLOW = Text(
    en="This takes a moment: the picture follows when you let go.",
    zh="这张图算得慢：松手后才更新。",
)
FAILED = Text(
    en="This setting raised an error; the picture is still the last good one.",
    zh="这组设置出错了，图仍是上一次成功的结果。",
)
