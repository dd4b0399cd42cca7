"""Rebuild tests/golden/*.json: what other people's libraries answer, for the tests to compare with.

The libraries are no part of the course's environment, so this runs in one of its own, by hand,
when an upstream answer is added or renewed. CI never runs it. From the repository's root:

    python3.11 -m venv build/golden
    build/golden/bin/python -m pip install torch==2.13.0
    build/golden/bin/python -m pip install transformers==5.23.0 positional-encodings==6.0.3 \
        x-transformers==2.31.10 mpmath==1.3.0 rotary-embedding-torch==0.9.1 torchdiffeq==0.2.5
    build/golden/bin/python -m pip install --no-deps --target build/golden_files \
        nemo-toolkit==1.23.0 torchscale==0.3.0 swissarmytransformer==0.4.12
    build/golden/bin/python tools/golden.py          all, or the files named after it

Three repositories are in no registry. Of each, one file goes to build/golden_files, at
OWNER/NAME/PATH, from raw.githubusercontent.com/OWNER/NAME/COMMIT/PATH:

    chijames/KERPLE==73f1ee2d24722cdbe277d473899321218f5cbd00
        megatron/mpu/layers.py
    facebookresearch/RAM==eff93c70445cbfcd0f9070c5c231d5466e282fb8
        projects/cope/src/cope/context_position.py
    mcleish7/arithmetic==55af9d5e3d9b2265ae7638b4f2936c9a70538cc4
        cramming/architectures/embeddings.py

The calls are in golden_NAME.py, one file for each stem of posenc_ref. A golden file names library,
version and call beside the values. Numbers are the shortest decimals that give back the same
float64; a float32 answer is written as that float64.
"""

from __future__ import annotations

import golden_absolute
import golden_alibi
import golden_bias
import golden_bias_heads
import golden_deberta
import golden_deberta_heads
import golden_kv_cache
import golden_learned
import golden_published
import golden_relative
import golden_rope
import golden_rope_glm
import golden_rope_heads
import golden_rope_more
import golden_rope_more_heads
import golden_rope_scaling
import golden_score
import golden_sinusoidal
from golden_write import write_all

MODULES = (
    golden_absolute,
    golden_alibi,
    golden_bias,
    golden_bias_heads,
    golden_deberta,
    golden_deberta_heads,
    golden_kv_cache,
    golden_learned,
    golden_published,
    golden_relative,
    golden_rope,
    golden_rope_glm,
    golden_rope_heads,
    golden_rope_more,
    golden_rope_more_heads,
    golden_rope_scaling,
    golden_score,
    golden_sinusoidal,
)

if __name__ == "__main__":
    write_all([golden for module in MODULES for golden in module.GOLDENS])
