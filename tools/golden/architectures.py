"""What transformers computes for positions in each of its architectures, from the default config.

__main__.py says how to run this. If a default config is made of others, each of them is a case of
its own; the whole has frequencies here if it rotates outside its parts. A long row of numbers is
kept as its length, eight of its numbers and its sum.
"""

from __future__ import annotations

import inspect
import re
import string
import warnings
from collections.abc import Iterator
from typing import Any

import transformers
from transformers import PreTrainedConfig, PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

from tools.golden.upstream_model import build, model_classes, modeling_modules
from tools.golden.upstream_pairs import layout_of_functions
from tools.golden.upstream_trace import Trace, trace
from tools.golden.upstream_values import module_values, own_rotary

UNRELATED = re.compile(
    "token|drop|initializ|init_|label|vocab|expert|moe|router|loss|beam|mamba|conv|cost|std|_act|"
    "activation|eps|cache|bias$|mean|rate|coef|mel|num_queries|ssm|_norm|norm_|weight|quant|prob|"
    "intermediate|ffn|mlp|linear_|index_|logit|^_|chunk_size_feed|architectures|dtype|version|mask_"
)
LAYER = re.compile(r"^(.*?)\.?(\d+)(?:\.|$)")


def architectures() -> Iterator[dict[str, Any]]:
    """Each model_type: its default config, what its modules hold, what its layers do."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    for model_type in CONFIG_MAPPING_NAMES:
        yield {"model_type": model_type, **_case(CONFIG_MAPPING[model_type], {})}
    yield {"model_type": "falcon", **_case(transformers.FalconConfig, {"alibi": True})}


def _case(cls: type[PreTrainedConfig], more: dict[str, Any]) -> dict[str, Any]:
    year = re.search(r"Copyright (?:\(c\) )?(20\d\d)", inspect.getsource(inspect.getmodule(cls)))
    case = {"file": cls.__module__.partition(".")[2].replace(".", "/") + ".py"}
    case |= {"year": int(year[1])} if year else {}
    try:
        config = cls(**more)
    except Exception as error:  # whatever upstream's own default does
        return case | {"values": {"left_out": f"default config: {_first_line(error)}"}}
    case |= {"config": _related(config)}
    if parts := _parts(config):
        return case | {"values": {"parts": parts, **own_rotary(config)}}
    return case | {"values": _values(cls, more)}


def _parts(config: PreTrainedConfig) -> dict[str, str]:
    """Return the configs inside that are architectures of their own; MPT's attn_config is not."""
    parts = ((name, part) for name, part in vars(config).items() if _is_part(part))
    return {name: part.model_type for name, part in parts}


def _is_part(value: Any) -> bool:
    return isinstance(value, PreTrainedConfig) and value.model_type in CONFIG_MAPPING_NAMES


def _related(config: PreTrainedConfig) -> dict[str, Any]:
    """Return what may matter for positions: no vocabulary, no dropout, no experts."""
    plain = PreTrainedConfig().to_dict()
    return {
        name: value
        for name, value in config.to_dict().items()
        if value is not None
        and (name == "pad_token_id" or not UNRELATED.search(name))
        and (name not in plain or value != plain[name])
        and not _is_part(vars(config).get(name))
    } | {"model_type": config.model_type}


def _values(cls: type[PreTrainedConfig], more: dict[str, Any]) -> dict[str, Any]:
    failures = []
    for model in model_classes(cls)[:4]:
        try:
            values = {
                "class": model.__name__,
                **module_values(build(model, cls(**more)), cls(**more)),
            }
        except Exception as error:
            failures.append(f"{model.__name__}: {_first_line(error)}")
            continue
        return values | _layers(model, cls(**more))
    return {"left_out": failures[0] if failures else "no model takes this config alone"}


def _first_line(error: Exception) -> str:
    return next((line for line in str(error).splitlines() if line), type(error).__name__)[:120]


def _layers(model: type[PreTrainedModel], config: PreTrainedConfig) -> dict[str, Any]:
    """Return the layers, or why the model did not run; and which channels turn together."""
    try:
        passed = trace(model, config)
    except Exception as error:
        functions = layout_of_functions(modeling_modules(type(config)))
        return {"not_traced": _first_line(error)} | ({"functions": functions} if functions else {})
    pairs = list({str(p): p for p in passed.rotations.values()}.values())
    return {"layers": _runs(passed), **({"pairs": pairs} if pairs else {})}


def _runs(passed: Trace) -> dict[str, Any]:
    """Return for each stack of layers its kinds of layers, and a letter for each layer."""
    stacks: dict[str, dict[int, dict[str, Any]]] = {}
    for name in (*passed.rotations, *passed.masks):
        if match := LAYER.match(name):
            layer = stacks.setdefault(match[1], {}).setdefault(int(match[2]), {"rotates": False})
            layer["rotates"] |= name in passed.rotations
            if name in passed.masks and "mask" not in layer:
                layer["mask"], layer["window"] = passed.masks[name]
    return {name: _lettered([s[i] for i in sorted(s)]) for name, s in stacks.items()}


def _lettered(layers: list[dict[str, Any]]) -> dict[str, Any]:
    kinds = [kind for i, kind in enumerate(layers) if kind not in layers[:i]]
    letters = string.ascii_uppercase
    return {
        "order": "".join(letters[kinds.index(layer)] for layer in layers),
        **dict(zip(letters, kinds, strict=False)),
    }


GOLDENS = [  # library, call, cases
    ("transformers", "CONFIG_MAPPING[model_type](), and the model made of it", architectures),
]
