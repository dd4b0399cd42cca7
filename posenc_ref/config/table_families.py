"""Which table a model adds to its embeddings, by model_type; see families.py."""

from __future__ import annotations

# a learned row for each position
TEXT = """
aimv2_text_model albert align_text_model bert bert-generation big_bird blip_text_model bros canine
chinese_clip_text_model clip_text_model clipseg_text_model clvp_decoder convbert deberta deberta-v2
distilbert dpr electra ernie flaubert flava_text_model fnet gpt_neo groupvit_text_model
instructblip_qformer instructblipvideo_qformer lxmert megatron-bert metaclip_2_text_model
mobilebert muse_glimmer_vision muse_spark_vision owlv2_text_model owlvit_text_model
rembert roc_bert sam3_lite_text_text_model siglip2_text_model siglip_text_model splinter
squeezebert step3p5_vision tapas visual_bert xclip_text_model xlm
"""
ROWS = {
    ("", "n_positions", 0): "decision_transformer gpt-sw3 gpt2 gpt_bigcode imagegpt openai-gpt",
    (
        "",
        "max_position_embeddings",
        2,
    ): "biogpt mra nystromformer opt pp_formulanet_text trocr yoso",
    ("", "max_source_positions", 0): """
audioflamingo3_encoder moss_transcribe_diarize_audio qwen2_audio_encoder voxtral_encoder
""",
    ("", "num_position_embeddings", 0): "molmo2_vision",
    ("decoder", "max_target_positions", 0): "whisper",
    ("encoder", "max_encoder_position_embeddings", 0): "led",
    ("decoder", "max_decoder_position_embeddings", 0): "led",
    ("", "num_patches", 0): "cosmos3_edge_vision siglip2_vision_model",
    ("encoder decoder", "max_position_embeddings", 0): """
bigbird_pegasus blenderbot blenderbot-small prophetnet
""",
    ("encoder decoder", "max_position_embeddings", 2): "bart mbart mvp plbart",
}
# the same, counted from the row after that of padding: 512 of RoBERTa's 514 rows can be used
AFTER_PADDING = """
altclip_text_model bridgetower_text_model camembert clap_text_model data2vec-text ibert layoutlmv3
lilt longformer luke markuplm mpnet roberta roberta-prelayernorm xlm-roberta xlm-roberta-xl xmod
"""
# a learned row for each patch of the image, and so many for other tokens
PATCH_ROWS = {
    0: """
aimv2_vision_model glm4v_moe_vision glm4v_vision glm_image_vision granite_docling_vision
groupvit_vision_model idefics2_vision idefics3_vision ijepa janus_vision_model minicpm_ocr_vision
minicpmv4_6_vision minicpmv4_7_vision ovis2_vision paddleocr_vl_vision phi4_multimodal_vision
siglip_vision_model smolvlm_vision
""",
    1: """
altclip_vision_model blip_2_vision_model blip_vision_model bridgetower_vision_model
chinese_clip_vision_model clip_vision_model clipseg_vision_model dinov2 dinov2_with_registers dpt
flava_image_model git_vision_model instructblip_vision_model instructblipvideo_vision_model
internvl_vision kosmos_2_vision_model llama4_vision_model metaclip_2_vision_model
mgp-str mllama_vision_model owlv2_vision_model owlvit_vision_model qianfan_ocr_vision timesformer
tipsv2_vision_model unlimited_ocr_vision_encoder vilt vit vit_mae vit_msn vitdet xclip_vision_model
""",
    2: "deit",  # one for distillation
    8: "pixio",
}
# sines, then cosines; frequencies by the exponent: (stack, field, offset, exponent)
SINES = {
    ("encoder decoder", "max_position_embeddings", 0, "paper"): "marian pegasus",
    ("encoder decoder", "max_position_embeddings", 2, "tensor2tensor"): "fsmt m2m_100 nllb-moe",
    ("", "max_position_embeddings", 2, "tensor2tensor"): """
kosmos_2_5_text_model kosmos_2_text_model xglm
""",
    ("", "max_position_embeddings", 0, "tensor2tensor"): """
fun_asr_nano_encoder qwen3_asr_encoder tipsv2_text_model
""",
    ("", "max_source_positions", 0, "tensor2tensor"): """
qwen2_5_omni_audio_encoder qwen3_omni_moe_audio_encoder
""",
    ("", "max_position_embeddings", 0, "paper"): "canary_decoder videoprism_text_model",
    ("", "n_positions", 0, "paper"): "ctrl",
    ("encoder", "max_source_positions", 2, "tensor2tensor"): "speech_to_text",
    ("decoder", "max_target_positions", 2, "tensor2tensor"): "speech_to_text",
    ("encoder", "max_source_positions", 0, "tensor2tensor"): "whisper",
}


def _by_type(rows: dict[tuple, str]) -> dict[str, list[tuple]]:
    """Return for each model type the conventions under which it is listed, a row for each stack."""
    tables: dict[str, list[tuple]] = {}
    for (stacks, *convention), types in rows.items():
        for model_type in types.split():
            for stack in stacks.split() or [""]:
                tables.setdefault(model_type, []).append((stack, *convention))
    return tables


PADDED = frozenset(AFTER_PADDING.split())
LEARNED = _by_type(ROWS | {("", "max_position_embeddings", 0): TEXT + AFTER_PADDING})
PATCHES = {name: extra for extra, types in PATCH_ROWS.items() for name in types.split()}
SINUSOIDAL = _by_type(SINES)
