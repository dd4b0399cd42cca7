"""The HTML of a figure: a picture with a name; with controls, where `figures.js` can play it.

Without a script the picture is there, the controls are not. Where a sampled figure comes from is
told by `data-` attributes: the name of its strips, how many frames lie in each.
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
from posenc_viz.words import RESET, TRY
from tools.site.grid import Axis
from tools.site.strips import PER_STRIP
from tools.site.words import CONTROLS, NO_SCRIPT, SAMPLED, SCROLL

Size = tuple[int, int]  # width, height in pixels
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


def still_figure(address: str, size: Size, panels: Sequence[Panel]) -> Markup:
    """Return a figure without controls."""
    return Markup('<figure class="course-figure">{}</figure>').format(
        _picture(address, size, panels)
    )


def live_figure(address: str, size: Size, explorer: Explorer, axes: list[Axis]) -> Markup:
    """Return a figure with a control for each axis; its strips lie beside the picture `address`."""
    name = address.removesuffix(".webp")
    frames = 1
    for axis in axes:
        frames *= len(axis.stops)
    controls = Markup("").join(
        _control(explorer, axis, f"{name}-{axis.name}".replace("/", "-")) for axis in axes
    )
    tries = [
        BUTTON.format("course-try", _numbers(axes, setting), words.label())
        for words, setting in explorer.tries
    ]
    invitation = Markup("<span>{}</span>").format(TRY.label()) if tries else ""
    return Markup(
        '<figure class="course-figure" data-strips="{strips}" data-per-strip="{per_strip}" '
        'data-sizes="{sizes}">{picture}'
        '<div class="course-controls" role="group" aria-label="{group}" hidden>{controls}{reset}'
        '<div class="course-tries">{invitation}{tries}</div></div>'
        "<noscript><p>{no_script}</p></noscript>"
        "<figcaption>{sampled}</figcaption></figure>"
    ).format(
        strips=name,
        per_strip=PER_STRIP,
        sizes=json.dumps([len(axis.stops) for axis in axes]),
        picture=_picture(address, size, explorer.panels),
        group=CONTROLS.label(),
        controls=controls,
        reset=BUTTON.format("course-reset", _numbers(axes, explorer.start), RESET.label()),
        invitation=invitation,
        tries=Markup(" ").join(tries),
        no_script=NO_SCRIPT.label(),
        sampled=SAMPLED.format(frames=frames).label(),
    )


def _picture(address: str, size: Size, panels: Sequence[Panel]) -> Markup:
    titles = (" ".join(readable(panel.title).split()) for panel in panels)
    return Markup(
        '<div class="course-picture" tabindex="0" role="group" aria-label="{scroll}">'
        '<img src="{address}" width="{width}" height="{height}" alt="{name}" loading="lazy"></div>'
    ).format(
        scroll=SCROLL.label(),
        address=address,
        width=size[0],
        height=size[1],
        name=("；" if language() == "zh" else "; ").join(titles),
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
