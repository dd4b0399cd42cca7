"""Right answers to clinic_bucket_encoder, written differently."""

import math

import torch


def borders(relative):
    edges = torch.tensor([math.ceil(8 * 16 ** (n / 8)) for n in range(1, 8)])
    n = relative.abs()
    side = torch.where(n < 8, n, 8 + torch.bucketize(n, edges, right=True))
    return torch.where(relative > 0, side + 16, side)


def one_by_one(relative):
    def bucket(r):
        n = abs(r)
        side = n if n < 8 else min(15, 8 + int(8 * math.log(n / 8) / math.log(16)))
        return side + 16 if r > 0 else side

    return torch.tensor([bucket(r) for r in relative.flatten().tolist()]).view(relative.shape)


alternatives = [borders, one_by_one]

equivalent = {
    (
        "side = torch.where(n < 8, n, far.long().clamp(max=15))  →  side = torch.where(n <= "
        "8, n, far.long().clamp(max=15))"
    ): "8 is bucket 8 on both sides",
    (
        "side = torch.where(n < 8, n, far.long().clamp(max=15))  →  side = torch.where(n < "
        "9, n, far.long().clamp(max=15))"
    ): "8 is bucket 8 on both sides",
    (
        "side = torch.where(n < 8, n, far.long().clamp(max=15))  →  side = torch.where(n < "
        "7, n, far.long().clamp(max=15))"
    ): "at 7 the logarithmic part is 7.6, bucket 7 too",
    (
        "far = 8 + 8 * (n.clamp(min=1) / 8).log() / math.log(128 / 8)  →  far = 8 + 8 * "
        "(n.clamp(min=2) / 8).log() / math.log(128 / 8)"
    ): "below 8 it is not read",
    (
        "far = 8 + 8 * (n.clamp(min=1) / 8).log() / math.log(128 / 8)  →  far = 8 + 8 * "
        "(n.clamp(min=0) / 8).log() / math.log(128 / 8)"
    ): "below 8 it is not read",
}
