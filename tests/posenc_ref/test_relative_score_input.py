"""What Shaw, BERT, Transformer-XL and XLNet refuse, and with which words."""

import re

import pytest
import torch

from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.shaw import shaw_scores, shaw_values
from posenc_ref.transformer_xl import transformer_xl_terms
from posenc_ref.xlnet import xlnet_scores
from tests.posenc_ref.test_relative_score_transforms import (
    at_4_and_6,
    heads,
    qk,
    table,
    weight,
)


def weights(batch=2, dtype=torch.float32):
    return torch.ones(batch, 3, 4, 6, dtype=dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_positions_between_tokens_have_no_row(dtype):
    between = [at.to(dtype) + 0.5 for at in at_4_and_6()]
    for call in (
        lambda: shaw_scores(*qk(), *between, table()),
        lambda: shaw_values(weights(), *between, table()),
        lambda: bert_relative_scores(*qk(), *between, table()),
    ):
        with pytest.raises(TypeError, match=f"positions must be integers .* got {dtype}"):
            call()
    assert sum(transformer_xl_terms(*qk(), *between, heads(), heads(), weight())).isfinite().all()


@pytest.mark.parametrize("batch", [1, 3])
def test_a_batch_of_positions_is_not_stretched(batch):
    rows = [at.expand(batch, -1) for at in at_4_and_6()]
    with pytest.raises(ValueError, match=re.escape(f"(2, 3, 4, 6) and ({batch}, 4, 6)")):
        shaw_values(weights(), *rows, table())


def test_weights_and_tables_that_do_not_fit_are_refused():
    with pytest.raises(TypeError, match=r"weights must be floating point, .* got torch\.int64"):
        shaw_values(weights(dtype=torch.int64), *at_4_and_6(), table())
    for other, shape in ((torch.tensor(1.0), "()"), (table()[:4], "(4, 8)"), (table()[0], "(8,)")):
        with pytest.raises(ValueError, match=re.escape(f"table must be (2m + 1, D), got {shape}")):
            shaw_values(weights(), *at_4_and_6(), other)
        with pytest.raises(ValueError, match=re.escape(f"(2·max_length - 1, 8), got {shape}")):
            bert_relative_scores(*qk(), *at_4_and_6(), other)
    for past in (-1, 13):
        with pytest.raises(ValueError, match=re.escape(f"row of the table (13, 8), got {past}")):
            shaw_values(weights(), *at_4_and_6(), table(), past=past)
    with pytest.raises(ValueError, match="variant must be one of key, key_query, got 'query'"):
        bert_relative_scores(*qk(), *at_4_and_6(), table(), variant="query")


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"same_segment": torch.ones(2, 4, 6)}, TypeError, "must be boolean, got torch.float32"),
        ({"same_segment": torch.ones(1, 4, 6).bool()}, ValueError, "(2, 4, 6), got (1, 4, 6)"),
        ({"segment_bias": heads()[:1]}, ValueError, "segment_bias must be (3, 8), got (1, 8)"),
        ({"segment_embedding": heads()[None]}, ValueError, "must be (2, 3, 8), got (1, 3, 8)"),
    ],
    ids=["not boolean", "batch", "bias", "embedding"],
)
def test_segments_that_do_not_fit_are_refused(changed, error, message):
    segments = {
        "same_segment": torch.ones(2, 4, 6).bool(),
        "segment_bias": heads(),
        "segment_embedding": torch.stack((heads(), heads())),
    }
    with pytest.raises(error, match=re.escape(message)):
        xlnet_scores(*qk(), *at_4_and_6(), heads(), heads(), weight(), **(segments | changed))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda table: table.long(), "must be floating point, .* got torch.int64"),
        (lambda table: table + 0j, "must be floating point, .* got torch.complex64"),
        (lambda table: table.tolist(), "must be a tensor, got list"),
    ],
)
def test_tables_are_of_floats(wrong, message):
    no_table, no_heads = wrong(table()), wrong(heads())
    for call, name in (
        (lambda: shaw_scores(*qk(), *at_4_and_6(), no_table), "table"),
        (lambda: shaw_values(weights(), *at_4_and_6(), no_table), "table"),
        (lambda: bert_relative_scores(*qk(), *at_4_and_6(), no_table), "table"),
        (lambda: transformer_xl_terms(*qk(), *at_4_and_6(), no_heads, heads(), weight()), "u"),
        (
            lambda: transformer_xl_terms(*qk(), *at_4_and_6(), heads(), heads(), wrong(weight())),
            "weight",
        ),
    ):
        with pytest.raises(TypeError, match=f"{name} {message}"):
            call()


def test_sinusoids_have_pairs():
    for d in (1, 5):
        with pytest.raises(ValueError, match=rf"weight must be \(24, d\), d even, got \(24, {d}\)"):
            transformer_xl_terms(*qk(), *at_4_and_6(), heads(), heads(), torch.zeros(24, d))
