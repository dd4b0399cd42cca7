"""Right answers to rotated_channels, written differently."""


def by_match(config):
    match config:
        case {"qk_rope_head_dim": int(turning), "qk_nope_head_dim": int(still)}:
            return still + turning, turning
        case {"head_dim": int(head)}:
            pass
        case {"hidden_size": width, "num_attention_heads": heads}:
            head = width // heads
    return head, round(head * config.get("partial_rotary_factor", 1))


def as_a_list(config):
    turning = config.get("qk_rope_head_dim")
    if turning:
        return [turning + config["qk_nope_head_dim"], turning]
    head = config.get("head_dim")
    if head is None:
        head = int(config["hidden_size"] / config["num_attention_heads"])
    share = config.get("partial_rotary_factor")
    return [head, head if share is None else int(share * head)]


alternatives = [by_match, as_a_list]
