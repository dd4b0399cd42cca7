"""Right answers to mend_ignored_factor, written differently."""


def with_a_fallback(config):
    scaling = config["rope_scaling"]
    lengths = (scaling.get("original_max_position_embeddings"), config["max_position_embeddings"])
    quotient = lengths[1] / lengths[0] if lengths[0] else 1.0
    return scaling.get("factor") or max(1.0, quotient)


def by_match(config):
    longest = config["max_position_embeddings"]
    match config["rope_scaling"]:
        case {"factor": int(factor) | float(factor)}:
            return float(factor)
        case {"original_max_position_embeddings": int(trained)} if trained < longest:
            return longest / trained
    return 1.0


alternatives = [with_a_fallback, by_match]
equivalent = {  # mutant → why it is right too
    "return max(longest / scaling.get('original_max_position_embeddings', longest), 1.0)  →  "
    "return max(1.0, longest / scaling.get('original_max_position_embeddings', longest))": "the "
    "larger of two",
}
