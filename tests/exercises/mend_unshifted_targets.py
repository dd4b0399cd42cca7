"""Right answers to mend_unshifted_targets, written differently."""

import torch


def gathered(logits, tokens):
    scores = logits.log_softmax(-1)[:, :-1]
    return -scores.gather(2, tokens[:, 1:].unsqueeze(2)).squeeze(2)


def loop(logits, tokens):
    rows = []
    for scores, row in zip(logits, tokens, strict=True):
        rows.append([s.logsumexp(0) - s[t] for s, t in zip(scores[:-1], row[1:], strict=True)])
    return torch.tensor([[float(x) for x in row] for row in rows])


alternatives = [gathered, loop]

equivalent = {  # mutant → why it is right too
    "….float()": "the inputs are float32",
    "….long()": "tokens are integers",
}
