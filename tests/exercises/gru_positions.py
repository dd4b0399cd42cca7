"""Right answers to gru_positions, written differently."""

import torch


def module(x, W, U, b, c, state):
    gru = torch.nn.GRU(x.shape[1], x.shape[1])
    weights = {"weight_ih_l0": W, "weight_hh_l0": U, "bias_ih_l0": b, "bias_hh_l0": c}
    gru.load_state_dict(weights)
    return gru(x[:, None], state[None, None])[0][:, 0].detach()


def cell(x, W, U, b, c, state):
    h, out = state[None], []
    for t in range(len(x)):
        h = torch.gru_cell(x[t : t + 1], h, W, U, b, c)
        out.append(h)
    return torch.cat(out)


def formula(x, W, U, b, c, state):
    d = x.shape[1]
    out = torch.empty_like(x)
    of_words = x @ W.T + b  # all tokens at once: only the state must wait
    for t in range(len(x)):
        of_state = U @ state + c
        r = (of_words[t, :d] + of_state[:d]).sigmoid()
        z = (of_words[t, d : 2 * d] + of_state[d : 2 * d]).sigmoid()
        n = (of_words[t, 2 * d :] + r * of_state[2 * d :]).tanh()
        state = n + z * (state - n)
        out[t] = state
    return out


alternatives = [module, cell, formula]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
