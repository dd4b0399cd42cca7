"""Right answers to bert_input, written differently."""

import torch


def functional(tokens, segments, words, segment_table, table, gain, bias, eps=1e-12):
    positions = torch.arange(tokens.shape[1])
    x = words[tokens] + segment_table[segments] + table[positions]
    return torch.nn.functional.layer_norm(x, gain.shape, gain, bias, eps)


def loop(tokens, segments, words, segment_table, table, gain, bias, eps=1e-12):
    rows = []
    for text, kind in zip(tokens.tolist(), segments.tolist(), strict=True):
        for t, (word, segment) in enumerate(zip(text, kind, strict=True)):
            x = words[word] + segment_table[segment] + table[t]
            var, mean = torch.var_mean(x, unbiased=False)
            rows.append(gain * (x - mean) * torch.rsqrt(var + eps) + bias)
    return torch.stack(rows).view(*tokens.shape, -1)


def moments(tokens, segments, words, segment_table, table, gain, bias, eps=1e-12):
    x = table[: tokens.shape[1]] + words[tokens] + segment_table[segments]
    x = x - x.mean(dim=2, keepdim=True)
    return bias + gain * x / torch.sqrt(x.square().mean(dim=2, keepdim=True) + eps)


alternatives = [functional, loop, moments]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(tokens.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
    "….half().to(segments.dtype)": "whole numbers as small as these are exact in float16",
}
