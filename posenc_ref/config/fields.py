"""The fields of a config by all the names that they have had, and the remarks on them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from posenc_ref.config.families import CHANNELS, OWN_HEADS
from posenc_ref.config.names import NAMES, OF_POSITIONS, READ
from posenc_ref.config.remarks import ConfigError, Remark


def load(config: Mapping[str, Any] | str | PathLike[str]) -> dict[str, Any]:
    """Return the config as a dict: as given, or from the JSON file at that path.

    Raises:
        ConfigError: it is neither; the file holds no JSON object.
        OSError: the file cannot be read.
    """
    if isinstance(config, str | PathLike):
        try:
            config = json.loads(Path(config).read_text(encoding="utf-8"))
        except ValueError as error:  # not JSON, or not UTF-8
            raise ConfigError("not_a_config", got=str(error)) from error
    if not isinstance(config, Mapping):
        raise ConfigError("not_a_config", got=type(config).__name__)
    return dict(config)


class Fields:
    """A config, the remarks on it so far, and what it leaves unsaid."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Start without remarks; ConfigError if `model_type` is not a name."""
        self.config = config
        self.remarks: list[Remark] = []
        self.unsaid: list[str] = []
        if not isinstance(config.get("model_type"), str | None):
            raise ConfigError("not_a_name", field="model_type", value=config["model_type"])

    def remark_unread(self, *more: str) -> None:
        """Remark on each field about positions that nothing here reads."""
        for name, value in self.config.items():
            if OF_POSITIONS.search(name) and value and name not in READ and name not in more:
                self.remark("unknown_field", field=name)

    def remark(self, name: str, **values: Any) -> None:
        """Add a remark, once."""
        new = Remark(name, values)
        if new not in self.remarks:
            self.remarks.append(new)

    def unsay(self, name: str) -> None:
        """Note that the config does not say this, once."""
        if name not in self.unsaid:
            self.unsaid.append(name)

    def name_and_value(self, quantity: str) -> tuple[str, Any]:
        """Return (the config's name of a quantity, its value), or (today's name, None)."""
        names = NAMES[quantity].split()
        for name in names:
            if self.config.get(name) is not None:
                return name, self.config[name]
        return names[0], None

    def own(self, layer: int) -> Mapping[str, Any]:
        """Return the fields of one layer in `per_layer_config`."""
        by_layer = self.config.get("per_layer_config") or {}
        return by_layer.get(f"{layer:02d}") or by_layer.get(str(layer)) or {}

    def number(self, quantity: str) -> float | None:
        """Return a quantity, or None.

        Raises:
            ConfigError: it is not a number.
        """
        name, value = self.name_and_value(quantity)
        return None if value is None else number(name, value)

    def integer(self, quantity: str) -> int | None:
        """Return a quantity that is a count; None if it is missing, or differs between stages.

        Raises:
            ConfigError: it is not a positive integer.
        """
        name, value = self.name_and_value(quantity)
        if isinstance(value, list | tuple | dict):
            self.unsay(f"one {name}")
            return None
        return None if value is None else integer(name, value)

    def head_dim(self) -> int | None:
        """Return the channels of a head, or None if the config does not say."""
        if (size := self.integer("head_dim")) is not None:
            return size
        width = CHANNELS.get(self.config.get("model_type"))
        channels = self.config.get(width) if width else self.integer("hidden_size")
        heads = self.integer("heads")
        if channels is None or heads is None or self.config.get("model_type") in OWN_HEADS:
            return None
        if channels % heads:
            self.remark("not_whole", a=channels, b=heads, whole=channels // heads)
        return integer("head_dim", channels // heads)


def number(name: str, value: object) -> float:
    """Return a value that must be a finite number.

    Raises:
        ConfigError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ConfigError("not_a_number", field=name, value=value)
    return value


def integer(name: str, value: object) -> int:
    """Return a value that must be an integer of at least 1.

    Raises:
        ConfigError: it is not.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # MusicFlamingo has 1200.0
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError("not_an_integer", field=name, value=value)
    return value


def counts(name: str, values: object) -> list[int]:
    """Return a value that must be a list of integers of at least 1.

    Raises:
        ConfigError: it is not.
    """
    return [integer(name, value) for value in entries(name, values)]


def entries(name: str, values: object) -> Sequence[Any]:
    """Return a value that must be a list.

    Raises:
        ConfigError: it is not.
    """
    if not isinstance(values, list | tuple):
        raise ConfigError("not_a_list", field=name, value=values)
    return values
