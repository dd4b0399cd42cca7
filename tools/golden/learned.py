"""What upstream libraries answer for learned positions; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import GPT2Config, GPT2Model
from transformers.models.opt.modeling_opt import OPTLearnedPositionalEmbedding
from transformers.models.roberta.modeling_roberta import RobertaEmbeddings


def learned_gpt2() -> Iterator[dict[str, Any]]:
    """wte(tokens) + wpe(positions): three tokens, then two more with the three in the cache."""
    config = GPT2Config(
        vocab_size=7, n_positions=8, n_embd=4, n_layer=1, n_head=1, bos_token_id=0, eos_token_id=0
    )
    model, cache = GPT2Model(config).eval(), None
    for past, tokens in ((0, [[1, 2, 3]]), (3, [[2, 6]])):
        with torch.no_grad():
            output = model(torch.tensor(tokens), past_key_values=cache, output_hidden_states=True)
        cache = output.past_key_values
        yield {
            "past": past,
            "tokens": tokens,
            "wte": model.wte.weight.tolist(),
            "wpe": model.wpe.weight.tolist(),
            "values": output.hidden_states[0].tolist(),
        }


def learned_gpt2_exact() -> Iterator[dict[str, Any]]:
    """The same in float64 and in bfloat16, up to the last of 40 positions."""
    config = GPT2Config(
        vocab_size=5, n_positions=40, n_embd=2, n_layer=1, n_head=1, bos_token_id=0, eos_token_id=0
    )
    for dtype in ("float64", "bfloat16"):
        model = GPT2Model(config).eval().to(getattr(torch, dtype))
        tokens, at = [[1, 2, 4, 0]], [[0, 1, 38, 39]]
        with torch.no_grad():
            output = model(
                torch.tensor(tokens), position_ids=torch.tensor(at), output_hidden_states=True
            )
        yield {
            "dtype": dtype,
            "positions": at,
            "tokens": tokens,
            "wte": model.wte.weight.tolist(),
            "wpe": model.wpe.weight.tolist(),
            "values": output.hidden_states[0].tolist(),
        }


def learned_opt_exact() -> Iterator[dict[str, Any]]:
    """The same in float64 and in bfloat16, with left padding and without."""
    mask = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1]]
    for dtype in ("float64", "bfloat16"):
        module = OPTLearnedPositionalEmbedding(7, 3).to(getattr(torch, dtype))
        values = module(torch.tensor(mask))
        yield {
            "dtype": dtype,
            "mask": mask,
            "weight": module.weight.tolist(),
            "values": values.tolist(),
        }


def positions_roberta() -> Iterator[dict[str, Any]]:
    """Tokens are numbered from padding_idx + 1, padding stands at padding_idx wherever it is."""
    mask = torch.tensor([[0, 0, 1, 1], [1, 1, 1, 0], [1, 0, 1, 1], [0, 0, 0, 0]])
    for padding_idx in (0, 1, 3):
        tokens = torch.where(mask == 1, 9, padding_idx)
        ask = RobertaEmbeddings.create_position_ids_from_input_ids
        yield {
            "padding_idx": padding_idx,
            "mask": mask.tolist(),
            "values": ask(tokens, padding_idx).tolist(),
        }


def learned_opt() -> Iterator[dict[str, Any]]:
    """Position p is row p + 2; positions are counted from the padding mask, padding is row 1."""
    module, mask = OPTLearnedPositionalEmbedding(6, 4), [[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]
    values = module(torch.tensor(mask))
    yield {"mask": mask, "weight": module.weight.tolist(), "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "GPT2Model(config).eval()(tokens, past_key_values=the cache of the case before, "
        "output_hidden_states=True).hidden_states[0]",
        learned_gpt2,
    ),
    ("transformers", "OPTLearnedPositionalEmbedding(6, 4)(mask)", learned_opt),
    (
        "transformers",
        "RobertaEmbeddings.create_position_ids_from_input_ids(tokens, padding_idx), "
        "tokens padding_idx where mask is 0",
        positions_roberta,
    ),
    (
        "transformers",
        "GPT2Model(config).eval().to(dtype)(tokens, position_ids=positions, "
        "output_hidden_states=True).hidden_states[0]",
        learned_gpt2_exact,
    ),
    ("transformers", "OPTLearnedPositionalEmbedding(7, 3).to(dtype)(mask)", learned_opt_exact),
]
