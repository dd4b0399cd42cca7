"""Right answers to config_positions, written differently."""


def by_match(config):
    length = config.get("max_position_embeddings", config.get("n_positions"))
    match config:
        case {"relative_attention_num_buckets": _}:
            return "T5", None
        case {"alibi": True} | {"position_embedding_type": "alibi"}:
            return "ALiBi", length
        case {"rope_parameters": dict(scaling)} | {"rope_scaling": dict(scaling)}:
            kind = scaling.get("rope_type") or scaling.get("type") or "default"
            suffix = "" if kind == "default" else " + " + kind
            return "RoPE" + suffix, scaling.get("original_max_position_embeddings") or length
        case {"rope_theta": _} | {"rope_scaling": None} | {"rope_parameters": None}:
            return "RoPE", length
    return "learned", length


def as_a_list(config):
    length = None
    for key in ("n_positions", "max_position_embeddings"):
        length = config.get(key, length)
    if "relative_attention_num_buckets" in config:
        return ["T5", None]
    if config.get("alibi") is True or config.get("position_embedding_type") == "alibi":
        return ["ALiBi", length]
    if not any(key.startswith("rope_") for key in config):
        return ["learned", length]
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kinds = [scaling[key] for key in ("rope_type", "type") if key in scaling] + ["default"]
    name = "RoPE + " + kinds[0]
    length = scaling.get("original_max_position_embeddings", length)
    return [name.removesuffix(" + default"), length]


alternatives = [by_match, as_a_list]
