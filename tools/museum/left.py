"""What from_config does not read in upstream's models, each with its reason.

Everything else in tests/golden/architectures.json is compared, and the museum leaves out the
architectures in ROTARY_LEFT and TABLES_LEFT.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

OWN_POSITIONS = re.compile("rope_|position_embedding|positional_e")

# rotary numbers that only upstream has, or only from_config
ROTARY_LEFT = {
    "bros": "sinusoids of the corners of a box",
    "clvp_encoder": "the size of its heads follows projection_dim, in the code",
    "deepseek_v4": "each layer rotates in two places, with two bases",
    "efficientloftr": "features of an image, not a transformer of this kind",
    "ernie4_5_vl_moe_text": "its frequencies are handed out to time, height and width in the code",
    "EvollaModel": "the same as evolla",
    "evolla": "a protein encoder, whose config is not an architecture of its own",
    "llama4_vision_model": "keeps angles, not frequencies",
    "minimax_m3_vl_vision": "three axes, sizes in the code",
    "nemotron_asr_streaming_encoder": "Transformer-XL's sinusoids of distances",
    "parakeet_encoder": "Transformer-XL's sinusoids of distances",
    "pixtral": "even frequencies for rows, odd ones for columns",
}
# tables of other shapes than rows and patches
TABLES_LEFT = {
    "audio-spectrogram-transformer": "patches of a spectrogram",
    "deepseek_ocr2_sam_vision_model": "SAM: a grid, and relative rows and columns",
    "dots3_note_text": "no table: the weight of a norm",
    "fastspeech2_conformer": "Transformer-XL's sinusoids of distances",
    "fun_asr_nano_encoder": "as wide as its stacked frames",
    "gemma4_vision": "a table for each axis",
    "got_ocr2_vision": "SAM",
    "hiera": "patches with a stride",
    "hunyuan_vl_vision": "rows for the longest side allowed",
    "inkling2_vision": "a table for each axis",
    "kimi_k25_vision": "a grid, and sines for time",
    "layoutlm": "boxes, too",
    "layoutlmv3": "boxes, too",
    "lilt": "boxes, too",
    "mistral_large4_text": "no table: a learned factor",
    "mlcd": "the class token's angles",
    "mlcd_vision_model": "the class token's angles",
    "mpnet": "T5's buckets too, in the code alone",
    "musicgen_decoder": "cosines before sines",
    "musicgen_melody_decoder": "cosines before sines",
    "patchtst": "normalised sines over patches of a series",
    "pp_formulanet_vision": "SAM",
    "pvt": "a table for each stage",
    "radio": "a larger grid than the image, cut",
    "sam2_hiera_det_model": "a window's table, repeated",
    "sam3_vit_model": "a smaller grid than the image, repeated",
    "sam_hq_vision_model": "SAM",
    "sam_vision_model": "SAM",
    "seamless_m4t": "four stacks under one config",
    "seamless_m4t_v2": "four stacks under one config",
    "seggpt": "two images above one another",
    "slanext_vision": "SAM",
    "unlimited_ocr_sam_vision_model": "SAM",
    "videoprism_vision_model": "space and time",
    "vivit": "tubes of a video",
    "wav2vec2-conformer": "Transformer-XL's sinusoids of distances",
    "yolos": "rows for detections, too",
}
WHOLES_LEFT = {"musicflamingo": "rotates the features of its audio by their time, outside layers"}
LAYERS_LEFT = {
    "albert": "one layer, run as often as there are layers",
    "deepseek_v4": ROTARY_LEFT["deepseek_v4"],
    "hrm_text": "layers run several times",
    "mllama_text_model": "layers of cross-attention do not run without an image",
}


def has_own_positions(case: Mapping[str, Any]) -> bool:
    """Return whether an architecture made of others has positions of its own that are not compared.

    Chameleon's frequencies are compared; the sines that DETR adds are not.
    """
    if "parts" not in case["values"] or rotates_beside_parts(case):
        return False
    return any(map(OWN_POSITIONS.search, case["config"]))


def rotates_beside_parts(case: Mapping[str, Any]) -> bool:
    """Return whether an architecture made of others also rotates in layers of its own."""
    return "own_rotary" in case["values"] and case["model_type"] not in WHOLES_LEFT
