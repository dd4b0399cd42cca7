r"""Train the models under glass: eight encodings, five tasks and a text; write their weights.

    python -m experiments.glass              all, one seed: a quarter of an hour of an idle core
    python -m experiments.glass --seeds 3    three seeds, for the spread
    python -m experiments.glass --subjects text --encodings rope

Stop it whenever you like; the same command resumes from the last checkpoint, in build/. Weights of
seed 0 go to posenc_glass/weights/, losses of all seeds to recipes.json beside them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from safetensors.torch import save

from bilingual.files import write_whole
from experiments.glass_train import Recipe, measured, train
from experiments.record import read
from posenc_glass import ENCODINGS
from posenc_glass.models import SUBJECTS
from posenc_ref import TinyLM

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "posenc_glass" / "weights"
STEPS = {
    "copy": 400, "induction": 700, "lookup": 400, "count": 400, "sort": 700, "text": 600
}  # fmt: skip


def main() -> None:
    """Train the models that are not trained yet; store weights, recipes and losses."""
    options = parse()
    torch.set_num_threads(1)  # sums in one order: a run repeats to the last digit
    console = Console()
    for seed in range(options.seeds):
        for subject in options.subjects:
            for encoding in options.encodings:
                rows = 16 if subject == "text" else 32
                recipe = Recipe(subject, encoding, seed, STEPS[subject], rows)
                run(recipe, options.work, options.out, console)


def run(recipe: Recipe, work: Path, out: Path, console: Console) -> None:
    """Train one model, unless recipes.json has its hash, and store weights and losses."""
    recipes = out / "recipes.json"
    entry = read(recipes).get(recipe.name, {"seeds": {}})
    if entry["seeds"].get(str(recipe.seed), {}).get("hash") == recipe.hash:
        return
    out.mkdir(parents=True, exist_ok=True)  # if this fails, fail before training
    checkpoint = work / f"{recipe.name}-{recipe.hash[:12]}.pt"
    model = rounded(train(recipe, checkpoint, console.log))
    values = measured(model, recipe.subject)
    entry["seeds"][str(recipe.seed)] = {"hash": recipe.hash} | values
    if recipe.seed == 0:
        packed = save(weights_of(model))
        write_whole(out / f"{recipe.name}.safetensors", packed)
        entry["recipe"] = asdict(recipe)
        entry["sha256"] = hashlib.sha256(packed).hexdigest()
    write_whole(recipes, packed_recipes(read(recipes) | {recipe.name: entry}))
    console.log(f"seed {recipe.seed} {recipe.name}: {values}")


def rounded(model: TinyLM) -> TinyLM:
    """Return the model with its weights rounded to 16 bits, in float32 again."""
    return model.half().float().eval()


def weights_of(model: TinyLM) -> dict[str, torch.Tensor]:
    """Return its weights in 16 bits, without the output's, which are the word embeddings."""
    state = model.state_dict()
    del state["output.weight"]
    return {name: weight.half() for name, weight in state.items()}


def packed_recipes(recipes: dict[str, Any]) -> bytes:
    """Return the recipes as JSON, one per line."""
    lines = (f" {json.dumps(name)}: {json.dumps(recipes[name])}" for name in sorted(recipes))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def parse() -> argparse.Namespace:
    """Return the options; a wrong one ends the program with a message."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", type=int, choices=range(1, 10), default=1, metavar="N",
        help="0, 1, … so many (1); weights of 0 alone are kept")  # fmt: skip
    for name, choices in (("subjects", SUBJECTS), ("encodings", tuple(ENCODINGS))):
        parser.add_argument(
            f"--{name}", nargs="+", choices=choices, default=list(choices), metavar="NAME",
            help=", ".join(choices),
        )  # fmt: skip
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="for weights and recipes")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "glass", help="checkpoints")
    return parser.parse_args()


if __name__ == "__main__":
    main()
