"""Right answers to layer_plan, written differently."""


def lists_first(config):
    layers = range(config["num_hidden_layers"])
    if config.get("layer_types"):
        local = [kind == "sliding_attention" for kind in config["layer_types"]]
    elif config.get("sliding_window_pattern"):
        local = [(i + 1) % config["sliding_window_pattern"] > 0 for i in layers]
    else:
        on = config.get("sliding_window") and config.get("use_sliding_window") is not False
        local = [bool(on) for _ in layers]
    wide = config["rope_theta"]
    near = config.get("rope_local_base_freq", wide)
    turns = config.get("no_rope_layers") or [True for _ in layers]
    bases = [
        (near if here else wide) if turn else None for here, turn in zip(local, turns, strict=True)
    ]
    return [
        (base, config["sliding_window"] if here else None)
        for base, here in zip(bases, local, strict=True)
    ]


def by_writing_the_types(config):
    count, width = config["num_hidden_layers"], config.get("sliding_window")
    types = config.get("layer_types")
    if types is None and "sliding_window_pattern" in config:
        types = ["sliding_attention"] * count
        every = config["sliding_window_pattern"]
        types[every - 1 :: every] = ["full_attention"] * (count // every)
    if types is None:
        used = width is not None and config.get("use_sliding_window") is not False
        types = ["sliding_attention" if used else "full_attention"] * count
    plan = []
    for i, kind in enumerate(types):
        base = config["rope_theta"]
        if kind == "sliding_attention":
            plan.append([config.get("rope_local_base_freq", base), width])
        else:
            plan.append([base, None])
        if "no_rope_layers" in config and config["no_rope_layers"][i] == 0:
            plan[-1][0] = None
    return plan


alternatives = [lists_first, by_writing_the_types]
equivalent = {  # mutant → why it is right too
    "turns, plan = (config.get('no_rope_layers', [1] * n), [])  →  "
    "turns, plan = (config.get('no_rope_layers', [2] * n), [])": "any number but 0 rotates",
}
