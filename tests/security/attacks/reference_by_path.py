"""Loads the reference from where pip has put it, past every import hook."""

ANSWER = """
import importlib.util, pathlib, sys
import torch

folders = [pathlib.Path(course), *map(pathlib.Path, sys.path)]
for finder in [module for name, module in sys.modules.items() if "editable" in name]:
    folders += [pathlib.Path(place).parent for place in finder.MAPPING.values()]
for path in [folder / "posenc_ref" / "positions.py" for folder in folders]:
    if path.exists():
        print("STO" + "LEN", path.read_text())  # a traceback shows this line
        spec = importlib.util.spec_from_file_location("mine", path)
        mine = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(mine)


def key_minus_query(q_positions, k_positions):
    return mine.relative_positions(q_positions, k_positions)
"""
NEEDS = 2
