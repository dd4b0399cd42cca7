"""What the figures of chapter 0 say."""

from bilingual import Text
from posenc_viz.labelling import controls, panel

show = controls(query=Text(en="query", zh="查询"), start=Text(en="start", zh="起点"))
distances = panel(
    x=Text(en="key position j (tokens)", zh="键的位置j（词元）"),
    y=Text(en="j − i (tokens)", zh="j − i（词元）"),
    title=Text(en="query at i = {i}", zh="查询在i = {i}"),
)
