"""The command line of `python -m posenc_ref`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from bilingual import LANGUAGES, Text, language
from bilingual.command import require_language
from posenc_ref.command.explain import explain
from posenc_ref.config.fields import load
from posenc_ref.config.remarks import ConfigError
from posenc_ref.from_config import from_config

WHAT = Text(
    en="Explain what a model's config.json says of positions, layer by layer.",
    zh="逐层解释一个模型的config.json对位置说了什么。",
)
WHICH = Text(
    en="a config.json of Hugging Face transformers", zh="Hugging Face transformers的config.json"
)
HOW_LONG = Text(
    en="what to set for texts that many times as long (4)", zh="文本长到几倍时该怎么设置（4）"
)
TONGUE = Text(en="zh, en or both, for this once", zh="只这一次：zh、en或both")
NO_TIMES = Text(
    en="a number above 1 and below 10000, not {given!r}",
    zh="应为大于1、小于10000的数，而不是{given!r}",
)
NOT_READ = Text(en="{path} cannot be read: {reason}", zh="读不了{path}：{reason}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the explanation, or an error on stderr and exit with 2."""
    require_language()
    parser = argparse.ArgumentParser(prog="python -m posenc_ref", description=WHAT.label())
    parser.add_argument("config", type=Path, metavar="CONFIG.json", help=WHICH.label())
    parser.add_argument("--times", type=_times, default=4.0, metavar="N", help=HOW_LONG.label())
    parser.add_argument("--language", choices=LANGUAGES, help=TONGUE.label())
    options = parser.parse_args(arguments)
    tongue = options.language or language()
    try:
        config = load(options.config)
        paragraphs = list(explain(config, from_config(config), options.times))
    except ConfigError as error:
        en, zh = error.remark.in_both()
        _fail(Text(en=en, zh=zh).in_language(tongue))
    except OSError as error:
        reason = error.strerror or str(error)
        _fail(NOT_READ.format(path=options.config, reason=reason).in_language(tongue))
    title = str(config.get("model_type") or options.config)
    tongues = ("zh", "en") if tongue == "both" else (tongue,)
    for tongue in tongues:
        print(title, *(text.in_language(tongue) for text in paragraphs), sep="\n\n", end="\n\n")


def _times(text: str) -> float:
    try:
        times = float(text)
    except ValueError:
        times = math.nan
    if not 1 < times < 10_000:
        raise argparse.ArgumentTypeError(NO_TIMES.format(given=text).label())
    return times


def _fail(message: str) -> None:
    print(message, file=sys.stderr)
    raise SystemExit(2)
