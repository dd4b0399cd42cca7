"""Right answers to config_contradictions, written differently."""


def by_questions(config):
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    new, old = scaling.get("rope_type"), scaling.get("type")
    inner, outer = scaling.get("rope_theta"), config.get("rope_theta")
    trained, factor = scaling.get("original_max_position_embeddings"), scaling.get("factor")
    longest = config.get("max_position_embeddings")
    is_yarn = new == "yarn" or old == "yarn"
    questions = {
        "kind": None not in (new, old) and new != old,
        "base": None not in (inner, outer) and inner != outer,
        "length": is_yarn
        and None not in (trained, factor, longest)
        and longest != trained * factor,
        "heads": config.get("head_dim") is None
        and config.get("hidden_size", 0) % config.get("num_attention_heads", 1) != 0,
        "layers": {"layer_types", "num_hidden_layers"} <= config.keys()
        and len(config["layer_types"]) != config["num_hidden_layers"],
    }
    return frozenset(name for name, contradicts in questions.items() if contradicts)


def name_by_name(config):
    names = []
    scaling = config.get("rope_parameters")
    if not scaling:
        scaling = config.get("rope_scaling") or {}
    if {"rope_type", "type"} <= scaling.keys() and scaling["rope_type"] != scaling["type"]:
        names.append("kind")
    if (
        "rope_theta" in scaling
        and config.get("rope_theta", scaling["rope_theta"]) != (scaling["rope_theta"])
    ):
        names.append("base")
    lengths = {**config, **scaling}
    if (
        "yarn" in (scaling.get("rope_type"), scaling.get("type"))
        and {
            "max_position_embeddings",
            "original_max_position_embeddings",
            "factor",
        }
        <= lengths.keys()
    ):
        trained = lengths["max_position_embeddings"] / lengths["factor"]
        if trained != lengths["original_max_position_embeddings"]:
            names.append("length")
    width, heads = config.get("hidden_size", 0), config.get("num_attention_heads", 1)
    if "head_dim" not in config and width != width // heads * heads:
        names.append("heads")
    kinds = config.get("layer_types") or []
    if kinds and len(kinds) != config.get("num_hidden_layers", len(kinds)):
        names.append("layers")
    return set(names)


alternatives = [by_questions, name_by_name]
