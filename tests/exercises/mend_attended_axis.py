"""Right answers to mend_attended_axis, written differently."""

import torch


def matrix_product(x):
    return torch.softmax(x @ x.transpose(1, 2) * x.shape[2] ** -0.5, dim=-1) @ x


def fused(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)


def transposed(x):
    y = x.transpose(0, 1)  # (L, B, d), as the broken code expected
    weights = (torch.einsum("ibd,jbd->bij", y, y) / x.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("bij,jbd->ibd", weights, y).transpose(0, 1)


def sentence_by_sentence(x):
    return torch.stack([(s @ s.T / s.shape[1] ** 0.5).softmax(1) @ s for s in x])


alternatives = [matrix_product, fused, transposed, sentence_by_sentence]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
