"""Rebuild tests/golden/*.json: answers of other people's libraries, which the tests compare with.

The libraries are not part of the course's environment, so this runs in its own, by hand, when an
upstream answer is added or updated. CI never runs it. From the repository's root:

    python3.11 -m venv build/golden
    build/golden/bin/python -m pip install torch==2.13.0
    build/golden/bin/python -m pip install transformers==5.23.0 positional-encodings==6.0.3 \
        x-transformers==2.31.10 mpmath==1.3.0 rotary-embedding-torch==0.9.1 torchdiffeq==0.2.5
    build/golden/bin/python -m pip install --no-deps --target build/golden_files \
        nemo-toolkit==1.23.0 torchscale==0.3.0 swissarmytransformer==0.4.12 timm==1.0.31
    build/golden/bin/python -m tools.golden          all, or the files that you name

Four repositories are in no registry. Of each, one file goes to build/golden_files, at
OWNER/NAME/PATH, from raw.githubusercontent.com/OWNER/NAME/COMMIT/PATH:

    chijames/KERPLE==73f1ee2d24722cdbe277d473899321218f5cbd00
        megatron/mpu/layers.py
    datamllab/LongLM==cdbbb061dc76438c46d7e1ddc500f8e4bf255574
        legacy_patch_before_4_38/llama_self_extend_patch.py
    facebookresearch/RAM==eff93c70445cbfcd0f9070c5c231d5466e282fb8
        projects/cope/src/cope/context_position.py
    mcleish7/arithmetic==55af9d5e3d9b2265ae7638b4f2936c9a70538cc4
        cramming/architectures/embeddings.py

The calls are in NAME.py beside this file, one for each family of posenc_ref. A golden file names
library, version and call beside the values. Numbers are the shortest decimals that give back the
same float64; a float32 answer is written as that float64.
"""

from __future__ import annotations

from importlib import import_module

from tools.golden.write import write_all

FAMILIES = (
    "absolute alibi architectures bias bias_heads deberta kv_cache latent_attention learned masks "
    "published recent relative rope rope_glm rope_grid rope_heads rope_scaling score sinusoidal "
    "xpos"
)

if __name__ == "__main__":
    modules = [import_module(f"tools.golden.{name}") for name in FAMILIES.split()]
    write_all([golden for module in modules for golden in module.GOLDENS])
