"""Right answers to stretched_config, written differently."""

import copy


def in_a_copy(config, times):
    new = copy.deepcopy(config)
    place = "rope_parameters" if new.get("rope_parameters") else "rope_scaling"
    scaling = new.get(place) or {}
    kind = scaling.get("rope_type") or scaling.get("type") or "default"
    if kind == "dynamic":
        return new
    if kind in ("linear", "yarn", "llama3"):
        scaling["factor"] *= times
    else:
        scaling.pop("type", None)
        scaling["rope_type"] = "yarn"
        scaling["factor"] = float(times)
        scaling["original_max_position_embeddings"] = new["max_position_embeddings"]
    new[place] = scaling
    new["max_position_embeddings"] *= times
    return new


def by_cases(config, times):
    longest = config["max_position_embeddings"]
    place, old = "rope_scaling", config.get("rope_scaling")
    if config.get("rope_parameters") is not None:
        place, old = "rope_parameters", config["rope_parameters"]
    old = {} if old is None else old
    kinds = [old[name] for name in ("rope_type", "type") if name in old] + ["default"]
    match kinds[0]:
        case "dynamic":
            return {**config}
        case "default" | "mrope":
            scaling = {name: value for name, value in old.items() if name != "type"}
            scaling.update(rope_type="yarn", factor=times, original_max_position_embeddings=longest)
        case _:
            scaling = {**old, "factor": old["factor"] * times}
    return {**config, place: scaling, "max_position_embeddings": times * longest}


alternatives = [in_a_copy, by_cases]
