"""What no config says, by model_type: which channels pair, which table a model adds, and how.

The model types are those of Hugging Face transformers 5.23.0. The code of each convention is in
models/MODEL_TYPE/modeling_MODEL_TYPE.py there (a part's type begins with the name of the whole).
These tables are tested against that code's results, in tests/golden/architectures.json. A field of
the config overrides the table.
"""

from __future__ import annotations

# rotary, channels i and i + D/2 a pair: `rotate_half` of LLaMA's file
HALF = """
afmoe apertus arcee aria_text bamba beam bitnet cohere_compass_text cohere_compass_vision
cosmos3_edge_text csm csm_depth_decoder_model cwm dbrx deepseek_ocr2_encoder deepseek_ocr2_text
dia_decoder dia_encoder diffllama diffusion_gemma_text dinov3_vit doge dots1
dots3_note_vision_encoder embedding_gemma2_text ernie4_5_vl_moe_vision
emu3_text_model esmc esm eurobert exaone4 exaone4_5_vision exaone_moe falcon falcon_h1 flex_olmo
flint gemma gemma2 gemma3_text gemma3n_text gemma4_text gemma4_unified_text glm4_moe
glm4v_moe_text glm4v_moe_vision glm4v_vision glm5_next_vision glm_image_text glm_ocr_vision
glmasr_encoder gpt_neox gpt_neox_japanese gpt_oss granite granite4_vision_text granite_docling_text
granite_swa granitemoe granitemoe_swa granitemoeshared gte higgs_audio_v2 hrm_text
hunyuan_v1_dense hunyuan_v1_moe hy_v3 hy_v4 hyperclovax jais2 jetmoe jina_embeddings_v3
kimi_k25_vision kolibri1 laguna lasr_encoder lfm2 lfm2_moe lfm3 lfm3_vl_vision llama mellum mimi
mimi_decoder mimi_encoder mimo_v2_flash minicpm3 minimax minimax_m2 minimax_m3_vl_text
minimax_m3_vl_vision ministral ministral3 mistral mixtral mlcd mlcd_vision_model mllama_text_model
modernbert modernbert-decoder molmo2_text moshi muse_glimmer_assistant muse_glimmer_text
muse_glimmer_vision muse_spark_text muse_spark_vision nanochat nemotron
nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp nemotron3_diarization_audio
neomme nomic_bert olmo olmo2 olmo3 olmo_hybrid olmoe paddleocr_vl_text
paddleocr_vl_vision persimmon phi phi3 phi4_multimodal phimoe pixtral pocket_tts
pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder pocket_tts_audio_tokenizer_encoder
qwen2 qwen2_5_omni_dit qwen2_5_omni_talker qwen2_5_omni_text qwen2_5_omni_vision_encoder
qwen2_5_vl qwen2_5_vl_text qwen2_5_vl_vision qwen2_moe qwen2_vl qwen2_vl_text qwen2_vl_vision qwen3
qwen3_5_moe_text qwen3_5_moe_vision qwen3_5_text qwen3_5_vision qwen3_moe qwen3_next
qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_text qwen3_omni_moe_vision_encoder
qwen3_vl_moe_text qwen3_vl_moe_vision qwen3_vl_text qwen3_vl_vision qwen4_exp_vision
recurrent_gemma seed_oss smollm3 solar_open stablelm starcoder2 step3p5 step3p5_vision timesfm2_5
ultrabert unlimited_ocr_text vaultgemma video_llama_3_vision voxtral_realtime_encoder
voxtral_realtime_text xcodec2 zaya
"""
# rotary, channels 2i and 2i + 1 a pair: `rotate_every_two`, `view_as_complex`, `rope_interleave`
INTERLEAVED_TYPES = """
axk1 axk2 bailing_hybrid blt blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher
codegen cohere cohere2 cohere2_moe deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4 dots3_note_text
efficientloftr ernie4_5 ernie4_5_moe ernie4_5_vl_moe_text glm glm4 glm4_moe_lite glm4v_text
glm_moe_dsa glm_ocr_text gptj helium inkling2_vision llama4_text longcat_flash mistral4
mistral_large4_text moonshine openai_privacy_filter roformer sam3_vit_model youtu
"""
# layers with full attention do not rotate; layers with a window do
STILL = "afmoe cohere2 cohere2_moe exaone4 exaone_moe flint kolibri1"
# layers of two kinds: if the config has no list, the code decides which layer is which
MIXED = """
afmoe beam cohere2 cohere2_moe cwm dots3_note_text embedding_gemma2_text exaone4 exaone_moe flint
gemma2 gemma3_text gemma3n_text gemma4_text gemma4_unified_text gpt_oss granite_swa granitemoe_swa
kolibri1 lfm3 llama4_text mimo_v2_flash modernbert modernbert-decoder muse_glimmer_text
muse_spark_text neomme olmo3 ultrabert vaultgemma
"""
# the code sets the size of heads, not hidden_size / num_attention_heads
OWN_SIZE = """
afmoe beam canary_decoder cohere2_moe cosmos3_edge_text cwm dia_decoder dia_encoder
diffusion_gemma_text embedding_gemma2_text ernie4_5 flint gemma gemma2 gemma3_text gemma3n_text
gemma4_text gemma4_unified_text glm glm4 gpt_oss helium higgs_audio_v2 hrm_text hy_v3 jetmoe
kolibri1 laguna lfm3 llama4_text mellum mimo_v2_flash minimax_m2 minimax_m3_vl_text ministral3
molmo2_text muse_glimmer_assistant muse_glimmer_text muse_spark_text neomme openai_privacy_filter
paddleocr_vl_text qwen2_5_omni_dit qwen2_5_omni_talker qwen3 qwen3_5_moe_text qwen3_5_text
qwen3_next qwen3_omni_moe_talker_code_predictor qwen3_vl_text seed_oss solar_open step3p5
timesfm2_5 vaultgemma voxtral_realtime_encoder xcodec2 zaya
"""
# the same of layers that do not rotate
SKIPPING = "llama4_text mistral_large4_text smollm3"
# any attention is without positions
NOPE = """
falcon_mamba glm5_next_text granitemoehybrid jamba kimi_linear mamba mamba2 nemotron_h rwkv xlstm
zamba zamba2
"""


INTERLEAVED = frozenset(INTERLEAVED_TYPES.split())
ROTARY = frozenset(HALF.split()) | INTERLEAVED
FULL_STANDS_STILL = frozenset(STILL.split())
TWO_KINDS = frozenset(MIXED.split())
OWN_HEADS = frozenset(OWN_SIZE.split())
SKIPS = frozenset(SKIPPING.split())
FULL_FIRST = frozenset({"modernbert", "modernbert-decoder"})  # layers 0, 3, 6, … are full
AXIAL = frozenset({"dinov3_vit"})  # though its config says nothing of axes
BASE_IN_CODE = dict.fromkeys(("codegen", "gptj", "roformer"), 10000.0)
CHANNELS = {"qwen2_vl_vision": "embed_dim"}  # its hidden_size is that of the text beside it
ALIBI = frozenset({"bloom", "mpt"})
T5_OWN_TABLE = frozenset({"umt5"})
T5 = frozenset(["longt5", "mt5", "pop2piano", "switch_transformers", "t5", "udop"]) | T5_OWN_TABLE
WITHOUT_POSITIONS = frozenset(NOPE.split())
# a type of layers: its name in rope_parameters, if that differs
LABELS = {"compressed_sparse_attention": "compress", "heavily_compressed_attention": "compress"}
