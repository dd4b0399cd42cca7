"""Configs of real models as their makers published them, cut down to what positions depend on.

Each `.json` here keeps the names, values and order that stand in a config.json on the Hugging Face
Hub, but for `model_type`, put first, and leaves out what says nothing of positions or of the sizes
of heads (vocabulary, norms, dropout). Nothing is filled in. `SOURCES` says where each was read: the
repository, its revision after @; after "in" a copy, if the repository requires an account.
"""

from __future__ import annotations

from pathlib import Path

SOURCES = {
    "llama_3_1_8b": "meta-llama/Llama-3.1-8B-Instruct, in vtriple/Llama-3.1-8B-yara",
    "qwen_2_5_7b_yarn": "Qwen/Qwen2.5-7B-Instruct@d1e200f",
    "gemma_3_4b": "google/gemma-3-4b-it, in mlx-community/gemma-3-4b-it-bf16",
    "gemma_3_4b_saved_again": "YFolla/gemma-3-dnd (transformers 4.50.3)",
    "deepseek_v3": "deepseek-ai/DeepSeek-V3, in cann/cann-recipes-train (verl_patches)",
    "bloomz_1b7": "bigscience/bloomz-1b7@56394a1",
    "qwen_2_vl_7b": "Qwen/Qwen2-VL-7B-Instruct-GPTQ-Int8@34bb8e5",
}


def published(name: str) -> Path:
    """Return the path of a config in `SOURCES`; `from_config` and `python -m posenc_ref` take it.

    Raises:
        ValueError: there is none of that name; the message lists those that there are.
    """
    if name not in SOURCES:
        raise ValueError(f"name is one of {', '.join(SOURCES)}, got {name!r}")
    return Path(__file__).parent / f"{name}.json"
