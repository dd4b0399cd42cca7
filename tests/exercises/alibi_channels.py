"""Right answers to alibi_channels, written differently."""

import math

import torch
from torch.nn.functional import pad


def multiples_of_256_on_the_keys(q, k, positions, slopes):
    width = q.shape[-1] + 2
    high = positions - positions % 256  # eight bits, whatever their size
    places = torch.stack((high, positions - high), -1).to(k).expand(len(k), -1, -1)
    m = (slopes * math.sqrt(width)).to(q).view(-1, 1, 1).expand(-1, q.shape[1], 2)
    return torch.cat((q * math.sqrt(width / (width - 2)), m), -1), torch.cat((k, places), -1)


def filled_in(q, k, positions, slopes):
    heads, dim = len(q), q.shape[-1]
    new_q, new_k = pad(q.float() * (1 + 2 / dim) ** 0.5, (0, 2)), pad(k.float(), (0, 2))
    for head in range(heads):
        new_q[head, :, dim] = 256 * slopes[head] * (dim + 2) ** 0.5
        new_q[head, :, dim + 1] = slopes[head] * (dim + 2) ** 0.5
    for key, position in enumerate(positions.tolist()):
        new_k[:, key, dim], new_k[:, key, dim + 1] = divmod(position, 256)
    return new_q.to(q.dtype), new_k.to(k.dtype)


alternatives = [multiples_of_256_on_the_keys, filled_in]

NAMED = "def alibi_channels(q, k, positions, slopes):  →  "
equivalent = {  # mutant → why it is right too
    "….long()": "positions are integers",
    NAMED + "positions = positions.float()": "they are below 2^24",
    NAMED + "slopes = slopes.float()": "slopes are float32",
    "digits = torch.stack((positions // 256, positions % 256), dim=-1)"
    "  →  digits = torch.stack((positions // 256, positions % 256), dim=1)": "there is one axis",
    "of_heads = torch.stack((256 * m, m), dim=-1)[:, None].expand(-1, q.shape[1], -1)"
    "  →  of_heads = torch.stack((256 * m, m), dim=1)[:, None].expand(-1, q.shape[1], -1)": "so",
    "return (torch.cat((q, of_heads.to(q.dtype)), -1), torch.cat((k, of_keys.to(k.dtype)), -1))"
    "  →  return (torch.cat((q, of_heads.to(q.dtype)), -1), torch.cat((k, of_keys), -1))": "`cat` "
    "takes the floating dtype of the two",
}
