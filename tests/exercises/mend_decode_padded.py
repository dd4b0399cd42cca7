"""Right answers to mend_decode_padded, written differently."""

import torch


def running_sum(mask, new):
    extended = torch.cat((mask.long(), torch.ones(len(mask), new, dtype=torch.int64)), dim=1)
    return extended.cumsum(1)[:, -new:] - 1


def loop(mask, new):
    return torch.tensor([[sum(row) + step for step in range(new)] for row in mask.tolist()])


def padding_subtracted(mask, new):
    padding = (~mask).sum(1)
    return torch.arange(mask.shape[1], mask.shape[1] + new)[None, :] - padding[:, None]


alternatives = [running_sum, loop, padding_subtracted]

equivalent = {  # mutant → why it is right too
    "….int()": "int32 chooses rows as well; the text promises no more than integers",
    "tokens = mask.long().sum(1, keepdim=True)"
    "  →  tokens = mask.sum(1, keepdim=True)": "a sum of booleans is int64",
    "….half().to(mask.dtype)": "whole numbers as small as these are exact in float16",
    "….float()": "a mask of 0 and 1 stays one; it is made integer again",
    "….long()": "integers already, or a mask of 0 and 1",
}
