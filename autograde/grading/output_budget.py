"""How much all outputs of one notebook may take, beside the limit that each cell has."""

from __future__ import annotations

import json
from dataclasses import dataclass

from nbformat import NotebookNode, from_dict

from autograde.grading.limits import OUTPUT_CHARACTERS, OUTPUTS
from confined.outputs import Output


@dataclass
class OutputBudget:
    """What the outputs of one notebook may still take."""

    outputs: int = OUTPUTS
    characters: int = OUTPUT_CHARACTERS

    def fit(self, outputs: list[Output]) -> list[NotebookNode]:
        """Return those of a cell's outputs that fit."""
        nodes = []
        for output in outputs[: self.outputs]:
            size = len(json.dumps(output))
            if size <= self.characters:
                self.characters -= size
                nodes.append(from_dict(output))  # `fit_outputs` made it valid
        self.outputs -= len(nodes)
        return nodes
