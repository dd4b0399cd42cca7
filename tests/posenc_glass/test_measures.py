"""What is measured under glass, against loops over single tokens and numbers known by hand."""

import math

import pytest
import torch
from torch.nn.functional import cross_entropy

from posenc_glass import ENCODINGS, NOTHING, Rows, glass, lookup, text_part
from posenc_glass.measures import (
    after_the_same,
    attention_of,
    losses,
    needles_found,
    one_back,
    text_rows,
)


@pytest.fixture
def weights():
    return torch.rand(3, 2, 9, 9, generator=torch.Generator().manual_seed(0))


def test_one_back_is_the_diagonal_below(weights):
    expected = torch.stack([weights[:, :, i, i - 1] for i in range(1, 9)]).mean((0, 1))
    torch.testing.assert_close(one_back(weights), expected)


def test_after_the_same_reads_after_the_latest_occurrence(weights):
    tokens = torch.randint(4, (3, 9), generator=torch.Generator().manual_seed(1))
    read = []
    for b, row in enumerate(tokens.tolist()):
        for i, token in enumerate(row):
            earlier = [j for j in range(i) if row[j] == token]
            if earlier:
                read.append(weights[b, :, i, earlier[-1] + 1])
    torch.testing.assert_close(after_the_same(weights, tokens), torch.stack(read).mean(0))


def test_attention_is_that_of_every_layer():
    layers = attention_of(glass("copy", "rope"), torch.zeros(2, 5, dtype=torch.long))
    assert [layer.shape for layer in layers] == [(2, 4, 5, 5)] * 2
    torch.testing.assert_close(layers[1].sum(-1), torch.ones(2, 4, 5))


def test_losses_are_those_of_the_targets_alone():
    model, rows = glass("lookup", "alibi"), lookup(4, 20, torch.Generator().manual_seed(0))
    each = losses(model, rows)
    assert torch.equal(each.isnan(), rows.targets == NOTHING)
    with torch.no_grad():
        mean = cross_entropy(model(rows.tokens).flatten(0, 1), rows.targets.flatten())
    torch.testing.assert_close(each.nanmean(), mean)


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_long_text_read_in_pieces_is_read_as_a_whole(name):
    model, rows = glass("text", name), text_rows(text_part("test"), 300, 2)
    with torch.no_grad():
        whole = cross_entropy(model(rows.tokens).mT, rows.targets, reduction="none")
    torch.testing.assert_close(losses(model, rows), whole, rtol=1e-4, atol=1e-4)


def test_text_rows_follow_one_another():
    tokens = text_part("test")
    rows = text_rows(tokens, 100, 3)
    assert isinstance(rows, Rows)
    assert torch.equal(rows.tokens.flatten(), tokens[:300])
    assert torch.equal(rows.targets.flatten(), tokens[1:301])


def test_needles_are_found_where_the_model_reads():
    shares = needles_found(glass("lookup", "alibi"), 40, [0.0, 0.5, 1.0], rows=8)
    assert shares.shape == (3,)
    assert shares.min() > 0.8
    lost = needles_found(glass("copy", "none"), 40, [0.5], rows=8)
    assert lost.item() < 0.5
    assert math.isclose(8 * lost.item(), round(8 * lost.item()))
