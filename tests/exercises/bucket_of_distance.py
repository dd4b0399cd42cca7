"""Right answers to bucket_of_distance, written differently."""

import math

import torch


def _one(r, bidirectional, buckets, max_distance):
    ahead = 0
    if bidirectional:
        buckets //= 2
        ahead = buckets if r > 0 else 0
        n = abs(r)
    else:
        n = max(0, -r)
    exact = buckets // 2
    if n < exact:
        return ahead + n
    share = math.log(n / exact) / math.log(max_distance / exact)
    return ahead + min(buckets - 1, exact + int(share * (buckets - exact)))


def one_by_one(relative, bidirectional, buckets=32, max_distance=128):
    rows = [_one(r, bidirectional, buckets, max_distance) for r in relative.flatten().tolist()]
    return torch.tensor(rows).view(relative.shape)


def as_hugging_face(relative, bidirectional, buckets=32, max_distance=128):
    offset = torch.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        offset = offset + (relative > 0).long() * buckets
        relative = relative.abs()
    else:
        relative = -torch.min(relative, torch.zeros_like(relative))
    exact = buckets // 2
    large = exact + (
        torch.log(relative.float() / exact) / math.log(max_distance / exact) * (buckets - exact)
    ).to(torch.long)
    large = torch.min(large, torch.full_like(large, buckets - 1))
    return offset + torch.where(relative < exact, relative, large)


alternatives = [one_by_one, as_hugging_face]

equivalent = {  # mutant → why it is right too
    "return ahead + torch.where(distance < exact, distance, far)"
    "  →  return ahead + torch.where(distance <= exact, distance, far)": "at e both give e",
    "….int()": "int32 chooses rows as well; the text promises no more than integers",
    "….long()": "integers already, or a mask of 0 and 1",
}
