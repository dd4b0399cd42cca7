"""The HTML of a figure: a picture with a name, and controls if `figures.js` can play it.

The picture is SVG, one for each panel. Without scripts the picture shows, but no controls. A
sampled figure names the file of its frames, which `figures.js` loads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from markupsafe import Markup

from bilingual import language
from posenc_viz import Choice, Explorer, Switch
from posenc_viz.explorer import Settings
from posenc_viz.font import readable
from posenc_viz.panel import Panel
from posenc_viz.style import one_line
from posenc_viz.words import RESET, TRY
from tools.site.cell_image import as_element
from tools.site.grid import Axis
from tools.site.ink import UNITS
from tools.site.words import CONTROLS, NO_SCRIPT, SCROLL

Marks = Sequence[Sequence[str]]  # of each panel: its view, what stands still, what moves
LEAST = 0.6  # of its width: a panel that would be narrower goes below its neighbour
BUTTON = Markup('<button type="button" class="{}" data-setting="{}">{}</button>')
SLIDER = Markup(
    '<label class="course-control"><span>{name}</span><input type="range" min="0" max="{last}" '
    'step="1" value="{at}" data-names="{names}" autocomplete="off"><output>{shown}</output></label>'
)
CHECKBOX = Markup(
    '<label class="course-control"><input type="checkbox"{ticked} autocomplete="off">'
    "<span>{name}</span></label>"
)
CHOICE = Markup(
    '<fieldset class="course-control course-choice"><legend>{name}</legend>{options}</fieldset>'
)
OPTION = Markup(
    '<label><input type="radio" name="{group}" value="{at}"{chosen} autocomplete="off">'
    "<span>{shown}</span></label>"
)


def still_figure(marks: Marks, panels: Sequence[Panel]) -> Markup:
    """Return a figure without controls."""
    return Markup('<figure class="course-figure">{}</figure>').format(_picture(marks, panels))


def live_figure(address: str, marks: Marks, explorer: Explorer, axes: list[Axis]) -> Markup:
    """Return a figure with a control for each axis; the file `address` has its frames."""
    group = address.removesuffix(".js").replace("/", "-")
    controls = Markup("").join(_control(explorer, axis, f"{group}-{axis.name}") for axis in axes)
    tries = [
        BUTTON.format("course-try", _numbers(axes, setting), words.label())
        for words, setting in explorer.tries
    ]
    invitation = Markup("<span>{}</span>").format(TRY.label()) if tries else ""
    return Markup(
        '<figure class="course-figure" data-frames="{address}" data-sizes="{sizes}">{picture}'
        '<div class="course-controls" role="group" aria-label="{group}" hidden>{controls}{reset}'
        '<div class="course-tries">{invitation}{tries}</div></div>'
        "<noscript><p>{no_script}</p></noscript></figure>"
    ).format(
        address=address,
        sizes=json.dumps([len(axis.stops) for axis in axes]),
        picture=_picture(marks, explorer.panels),
        group=CONTROLS.label(),
        controls=controls,
        reset=BUTTON.format("course-reset", _numbers(axes, explorer.start), RESET.label()),
        invitation=invitation,
        tries=Markup(" ").join(tries),
        no_script=NO_SCRIPT.label(),
    )


def _picture(marks: Marks, panels: Sequence[Panel]) -> Markup:
    between = "；" if language() == "zh" else "; "
    return Markup(
        '<div class="course-picture" tabindex="0" role="group" aria-label="{scroll}">'
        '<div class="course-panels" role="img" aria-label="{name}">{panels}</div></div>'
    ).format(
        scroll=SCROLL.label(),
        name=between.join(one_line(readable(panel.title)) for panel in panels),
        panels=Markup("").join(map(_panel, marks, panels)),
    )


def _panel(marks: Sequence[str], panel: Panel) -> Markup:
    view, *parts = marks
    width, height = (int(each) / UNITS for each in view.split(" ")[2:])
    groups = Markup("").join(Markup(f"<g>{as_element(part)}</g>") for part in parts)
    return Markup(
        '<div class="course-panel" style="flex:{share:.0f} 1 {least:.0f}px;max-width:{most:.0f}px;'
        '--ratio:{ratio:.4f}">'
        '<svg viewBox="{view}" aria-hidden="true">{groups}</svg></div>'
    ).format(
        share=width,
        least=max(LEAST * width, LEAST * panel.width),
        most=1.2 * width,
        ratio=width / height,
        view=view,
        groups=groups,
    )


def _numbers(axes: list[Axis], setting: Settings) -> str:
    return json.dumps([axis.stops.index(setting[axis.name]) for axis in axes])


def _control(explorer: Explorer, axis: Axis, group: str) -> Markup:
    name, at = explorer.label(axis.name), axis.stops.index(axis.control.start)
    if isinstance(axis.control, Switch):
        return CHECKBOX.format(name=name, ticked=Markup(" checked") if at else "")
    if isinstance(axis.control, Choice):
        options = [
            OPTION.format(
                group=group, at=number, chosen=Markup(" checked") * (number == at), shown=label
            )
            for number, label in enumerate(axis.names)
        ]
        return CHOICE.format(name=name, options=Markup("").join(options))
    return SLIDER.format(
        name=name,
        last=len(axis.stops) - 1,
        at=at,
        names=json.dumps(axis.names),
        shown=axis.names[at],
    )
