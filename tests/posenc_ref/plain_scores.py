"""Scores written from their formulas, with a vector for every pair of tokens.

What posenc_ref, which makes no (Lq, Lk, D) tensor, is compared with.
"""

import torch

from posenc_ref import deberta_bucket, relative_positions, sinusoidal


def distances(q_positions, k_positions):
    """Return key - query with room for heads: (Lq, Lk) or (B, 1, Lq, Lk)."""
    relative = relative_positions(q_positions, k_positions)
    return relative[:, None] if relative.dim() == 3 else relative


def shaw_scores_plain(q, k, q_positions, k_positions, table):
    m = len(table) // 2
    vectors = k[..., None, :, :] + table[distances(q_positions, k_positions).clamp(-m, m) + m]
    return (q[..., None, :] * vectors).sum(-1) * q.shape[-1] ** -0.5


def bert_relative_scores_plain(q, k, q_positions, k_positions, table, *, variant):
    q, k = q[..., None, :], k[..., None, :, :]
    vectors = table[len(table) // 2 - distances(q_positions, k_positions)]
    scores = (q * (k + vectors)).sum(-1)
    if variant == "key_query":
        scores = scores + (k * vectors).sum(-1)
    return scores * q.shape[-1] ** -0.5


def transformer_xl_terms_plain(q, k, q_positions, k_positions, u, v, weight):
    u, v, w = u[:, None], v[:, None], weight.unflatten(0, u.shape)  # w: (H, D, d)
    distance = -relative_positions(q_positions, k_positions)  # query - key
    r = sinusoidal(distance, w.shape[-1], layout="concatenated", dtype=w.dtype)
    r = torch.einsum("hed,...ijd->...hije", w, r)
    content, position = (lambda x: x @ k.mT), (lambda x: (x[..., None, :] * r).sum(-1))
    terms = content(q), position(q), content(u), position(v)
    return [term * q.shape[-1] ** -0.5 for term in terms]


def deberta_terms_plain(
    q, k, q_positions, k_positions, relative_q, relative_k, *, p2c_index, max_distance
):
    span = relative_k.shape[1] // 2
    distance = -relative_positions(q_positions, k_positions)  # query - key
    if max_distance is not None:
        distance = deberta_bucket(distance, buckets=span, max_distance=max_distance)
    r_k, r_q = (
        table.transpose(0, 1)[(d + span).clamp(0, 2 * span - 1)].movedim(-2, -4)
        for table, d in (
            (relative_k, distance),
            (relative_q, distance if p2c_index == "code" else -distance),
        )
    )  # (…, H, Lq, Lk, D)
    q, k = q[..., None, :], k[..., None, :, :]
    return (q * k).sum(-1), (q * r_k).sum(-1), (k * r_q).sum(-1)


def cope_term_plain(q, at, table):
    share = at.frac()[..., None]
    vectors = (1 - share) * table[at.floor().long()] + share * table[at.ceil().long()]
    return (q[..., None, :] * vectors).sum(-1)


def rel_shift_plain(x, keys, zero):
    """Return out[i, j] = x[i, zero + j - i], 0 where there is no such column."""
    out = x.new_zeros(*x.shape[:-1], keys)
    for i in range(x.shape[-2]):
        for j in range(keys):
            if 0 <= zero + j - i < x.shape[-1]:
                out[..., i, j] = x[..., i, zero + j - i]
    return out
