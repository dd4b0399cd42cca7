"""Limits the outputs of one notebook together, in addition to the limits of each cell."""

from __future__ import annotations

import json
from dataclasses import dataclass

from nbformat import NotebookNode, from_dict

from autograde.grading.limits import OUTPUT_CHARACTERS, OUTPUT_PIXELS, OUTPUTS
from confined.outputs import PICTURES, Output, pixels_of


@dataclass
class OutputBudget:
    """What is left for the outputs of one notebook."""

    outputs: int = OUTPUTS
    characters: int = OUTPUT_CHARACTERS
    pixels: int = OUTPUT_PIXELS

    def fit(self, outputs: list[Output]) -> list[NotebookNode]:
        """Return those of a cell's outputs that fit."""
        nodes = []
        for output in outputs[: self.outputs]:
            size = len(json.dumps(output))
            pixels = _pixels(output) if size <= self.characters else 0
            if size <= self.characters and pixels <= self.pixels:
                self.characters -= size
                self.pixels -= pixels
                nodes.append(from_dict(output))  # `fit_outputs` made it valid
        self.outputs -= len(nodes)
        return nodes


def _pixels(output: Output) -> int:
    pictures = ((kind, output.get("data", {}).get(kind, "")) for kind in PICTURES)
    return sum(pixels_of(picture, kind, len(picture)) for kind, picture in pictures)
