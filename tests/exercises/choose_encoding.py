"""Right answers to choose_encoding, written differently."""


def by_table(needs):
    longer = needs["trained"] < needs["length"]
    own = needs.get("checkpoint")
    rules = [
        (own == "RoPE" and longer, "RoPE + YaRN"),
        (own == "learned" and longer, "learned + resize"),
        (own, own),
        (needs.get("images"), "axial RoPE"),
        (longer, "ALiBi"),
        (needs.get("fixed_form"), "learned"),
        (True, "RoPE"),
    ]
    return next(name for holds, name in rules if holds)


def by_match(needs):
    longer = not needs["length"] <= needs["trained"]
    match needs:
        case {"checkpoint": "RoPE" | "learned" as own} if longer:
            return own + (" + YaRN" if own == "RoPE" else " + resize")
        case {"checkpoint": str(own)}:
            return own
        case {"images": True}:
            return "axial RoPE"
        case {"fixed_form": True} if not longer:
            return "learned"
    return "ALiBi" if longer else "RoPE"


alternatives = [by_table, by_match]
