"""Right answers to pooled_output, written differently."""

import torch


def sentence_by_sentence(h, mask):
    return torch.stack([rows[real].mean(dim=0) for rows, real in zip(h, mask, strict=True)])


def weights(h, mask):
    share = mask.double() / mask.double().sum(1, keepdim=True)
    return torch.einsum("bl,bld->bd", share, h.double()).float()


def filled(h, mask):
    total = h.masked_fill(~mask[..., None], 0.0).sum(dim=1)
    return total / mask.count_nonzero(dim=1)[:, None]


def matrix_product(h, mask):
    return (mask[:, None].float() @ h)[:, 0] / mask.float().sum(-1).unsqueeze(-1)


alternatives = [sentence_by_sentence, weights, filled, matrix_product]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(mask.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
