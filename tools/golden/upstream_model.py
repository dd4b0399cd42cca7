"""A model of transformers with its default config: weights without memory, positions computed.

Weights go to the device "meta". Tensors made by modules of positions stay real. So the largest
architecture takes a second and no memory.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from transformers import PreTrainedConfig, PreTrainedModel

POSITIONS = re.compile(r"posit|sinus|rotary|rope|alibi|relpos", re.IGNORECASE)
FACTORIES = {torch.empty, torch.zeros, torch.ones, torch.rand, torch.randn, torch.full}
SMALL = 10_000  # numbers that may be real anywhere
LENGTH = 8  # tokens of the text that is run
LARGE = 100_000_000  # numbers that may not be real even in a table of positions


class WithoutWeights(TorchFunctionMode):
    """Puts tensors that a factory makes on "meta", except small ones and those of positions."""

    real = 0  # how many constructors of positions are under way

    def __torch_function__(
        self, func: Callable, types: Any, args: tuple = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call a function of torch; if it is a factory, choose the device of its result."""
        kwargs = dict(kwargs or {})
        if func in FACTORIES and str(kwargs.get("device") or "cpu") == "cpu":
            sizes = kwargs["size"] if "size" in kwargs else args[0] if _is_size(args[0]) else args
            limit = LARGE if self.real else 0 if func is torch.empty else SMALL
            if prod(int(size) for size in sizes) > limit:
                kwargs["device"] = "meta"
        return func(*args, **kwargs)


def _is_size(argument: object) -> bool:
    return isinstance(argument, tuple | list)


def model_classes(config: type[PreTrainedConfig]) -> list[type[PreTrainedModel]]:
    """Return the models of a config, from the modules beside its file; bare ones first."""
    classes = [
        thing
        for module in modeling_modules(config)
        for thing in vars(module).values()
        if inspect.isclass(thing)
        and issubclass(thing, PreTrainedModel)
        and thing.__module__ == module.__name__
        and thing.config_class is config
        and _has_forward(thing)
    ]
    return sorted(classes, key=lambda cls: (not cls.__name__.endswith("Model"), "For" in str(cls)))


def _has_forward(cls: type[PreTrainedModel]) -> bool:
    """Return whether it has a forward of its own, and is not only a base of others."""
    own = cls.__mro__[: cls.__mro__.index(PreTrainedModel)]
    return any("forward" in vars(base) for base in own)


def modeling_modules(config: type[PreTrainedConfig]) -> list[ModuleType]:
    """Return the modules modeling_*.py beside a config's file."""
    package = config.__module__.rpartition(".")[0]
    folder = Path(inspect.getfile(config)).parent
    return [import_module(f"{package}.{file.stem}") for file in sorted(folder.glob("modeling_*"))]


@contextmanager
def positions_are_real(modules: list[ModuleType], mode: WithoutWeights) -> Iterator[None]:
    """Build the classes whose names match POSITIONS with real numbers."""
    changed = []
    for module in modules:
        for name, thing in list(vars(module).items()):
            plain = inspect.isclass(thing) and issubclass(thing, nn.Module)
            if plain and not issubclass(thing, PreTrainedModel) and POSITIONS.search(name):
                changed.append((thing, thing.__dict__.get("__init__")))
                thing.__init__ = _real(thing.__init__, mode)
    try:
        yield
    finally:
        for thing, init in changed:
            if init is None:
                del thing.__init__
            else:
                thing.__init__ = init


def _real(init: Callable, mode: WithoutWeights) -> Callable:
    @wraps(init)
    def build(self: nn.Module, *args: Any, **kwargs: Any) -> None:
        mode.real += 1
        try:
            init(self, *args, **kwargs)
        finally:
            mode.real -= 1

    return build


def build(cls: type[PreTrainedModel], config: PreTrainedConfig) -> PreTrainedModel:
    """Return the model, its weights on "meta" and never drawn."""
    mode, post_init = WithoutWeights(), PreTrainedModel.post_init
    PreTrainedModel.post_init = lambda self: None
    try:
        with positions_are_real(modeling_modules(type(config)), mode), mode:
            return cls(config).eval()
    finally:
        PreTrainedModel.post_init = post_init


def inputs(model: PreTrainedModel, config: PreTrainedConfig) -> dict[str, Tensor]:
    """Return a text or a picture, on "meta"."""
    if model.main_input_name == "pixel_values":
        size = config.image_size
        height, width = size if isinstance(size, tuple | list) else (size, size)
        channels = getattr(config, "num_channels", 3)
        return {"pixel_values": torch.empty(1, channels, height, width)}
    tokens = torch.zeros(1, LENGTH, dtype=torch.long)
    parameters = inspect.signature(model.forward).parameters
    names = ("input_ids", "decoder_input_ids")
    if "input_ids" not in parameters and "inputs_embeds" in parameters:
        return {"inputs_embeds": torch.empty(1, LENGTH, config.hidden_size)}
    return {name: tokens for name in names if name in parameters}
