"""Right answers to clinic_bucket_past, written differently."""

import math

import torch


def borders(distance):
    # the first distance of each of the buckets 17 … 31
    edges = torch.tensor([math.ceil(16 * 8 ** (n / 16)) for n in range(1, 16)])
    return torch.where(distance < 16, distance, 16 + torch.bucketize(distance, edges, right=True))


def one_by_one(distance):
    def bucket(n):
        return n if n < 16 else min(31, 16 + int(16 * math.log(n / 16) / math.log(8)))

    return torch.tensor([bucket(n) for n in distance.flatten().tolist()]).view(distance.shape)


alternatives = [borders, one_by_one]

equivalent = {
    "….long()": "distances are integers",
    "… 16 * (distance / 16).log() / math.log(128 / 16)": "log 0 is not chosen",
    (
        "return torch.where(distance < 16, distance, far.long().clamp(max=31))  →  return "
        "torch.where(distance <= 16, distance, far.long().clamp(max=31))"
    ): "16 is bucket 16 on both sides",
    (
        "return torch.where(distance < 16, distance, far.long().clamp(max=31))  →  return "
        "torch.where(distance < 17, distance, far.long().clamp(max=31))"
    ): "16 is bucket 16 on both sides",
    (
        "return torch.where(distance < 16, distance, far.long().clamp(max=31))  →  return "
        "torch.where(distance < 15, distance, far.long().clamp(max=31))"
    ): "at 15 the logarithmic part is 15.5, bucket 15 too",
    (
        "far = 16 + 16 * (distance.clamp(min=1) / 16).log() / math.log(128 / 16)  →  far = "
        "16 + 16 * (distance.clamp(min=2) / 16).log() / math.log(128 / 16)"
    ): "below 16 it is not read",
    (
        "far = 16 + 16 * (distance.clamp(min=1) / 16).log() / math.log(128 / 16)  →  far = "
        "16 + 16 * (distance.clamp(min=0) / 16).log() / math.log(128 / 16)"
    ): "below 16 it is not read",
}
