"""Returns a list and a dict that contain each other."""

ANSWER = """
inner, outer = [], {}
inner.append(outer)
outer.update(inner=inner, outer=outer)


def key_minus_query(q_positions, k_positions):
    return outer
"""
