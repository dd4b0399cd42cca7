"""What the learner reads: in the terminal about each file, in a notebook beside a cell."""

from bilingual import Text

NEW = Text(en="new", zh="新增")
UNTOUCHED = Text(en="up to date, not touched", zh="已是最新，未改动")
RENEWED = Text(
    en="renewed, everything you wrote is kept; as it was: {copy}",
    zh="已更新，你写的内容全部保留；更新前的文件：{copy}",
)
REPLACED = Text(
    en="replaced by the course's version; your copy is kept as {copy}",
    zh="已换成课程的新版本；你改过的那份保留为{copy}",
)
RENEWED_UNWRITTEN = Text(en="renewed; you had not changed it", zh="已更新；你没有改动过它")
RESCUED = Text(
    en="RESCUED: the file was damaged and is kept as {copy}; in its place: your save of {time}",
    zh="已抢救：文件损坏，原样保留为{copy}；现已换成你在{time}保存的版本",
)
RESTARTED = Text(
    en="RESCUED: the file was damaged and is kept as {copy}; in its place: a fresh copy, without "
    "your answers. To get them out, open the damaged file in JupyterLab (right click, Open With, "
    "Editor), search for the name of an exercise, and copy your lines, without quotes and \\n",
    zh="已抢救：文件损坏，原样保留为{copy}；现已换成全新的副本，里面没有你的答案。要取回答案，"
    "请在JupyterLab里打开损坏的文件（右键，Open With，Editor），搜索练习的名字，"
    "把你写的各行复制出来，去掉引号和\\n",
)
RETIRED = Text(en="no longer in the course; your copy stays", zh="课程中已没有它，你的文件保留不动")
FAILED = Text(
    en="NOT renewed, the file is as it was: {reason}",
    zh="未能更新，文件保持原样：{reason}",
)
UNFINISHED = Text(
    en="{text}. But its checkpoint (.ipynb_checkpoints) or the course's copy of it (.course) could "
    "not be renewed: {reason}. Remove the cause, then run this again",
    zh="{text}。但它的检查点（.ipynb_checkpoints）或课程原件（.course）未能更新：{reason}。"
    "请排除原因后再运行一次",
)
UNTRUSTED = Text(
    en="{text}. But Jupyter could not record that it trusts this notebook: {reason}. If a figure "
    "is missing there, run its cell again",
    zh="{text}。但Jupyter未能把它记为可信的笔记本：{reason}。如果其中有图不显示，重新运行所在的单元格即可",
)

NEW_START = Text(
    en="The course was updated: this exercise now starts from the code below. "
    "Your answer above is as you left it.",
    zh="课程已更新：本练习的起始代码改成了下面这样。上方你的答案保持原样。",
)
TEXT_CHANGED = Text(
    en="The cell above is as the course has it. You had changed it; your version is kept below.",
    zh="上方单元格是课程的内容。你改过它，你的版本保留在下方。",
)
TEXT_GONE = Text(
    en="The course no longer has the cell below. You had changed it, so it is kept.",
    zh="新版课程不再包含下面这个单元格。你改过它，所以保留了下来。",
)
EXERCISE_GONE = Text(
    en="This notebook no longer has the exercise `{exercise}`. Your answer to it is kept below.",
    zh="本笔记本不再包含练习`{exercise}`，你的答案保留在下方。",
)
