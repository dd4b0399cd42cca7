"""Documents packed into one row of a small decoder read themselves alone, with every encoding."""

import re

import pytest
import torch

from posenc_ref import DecodingCache, TinyLM, positions, positions_from_documents
from posenc_ref.encoding_names import ENCODINGS
from tests.posenc_ref import encoding_options

VOCABULARY, DIM, HEADS = 11, 24, 3
DOCUMENTS = [3, 3, 3, 3, 0, 0, 0, 0, 0, 8, 8, 8]
every = pytest.mark.parametrize("name", [name for name in ENCODINGS if name != "recurrent"])


def model(name="rope", layers=2):
    options = encoding_options.OPTIONS.get(name, {})
    lm = TinyLM(VOCABULARY, DIM, HEADS, layers, name, **options).double()
    with torch.no_grad():
        for p in lm.encoding.parameters():  # tables near 0 would hide a wrong distance
            p.add_(0.5 * torch.rand_like(p))
    return lm


def packed():
    return torch.randint(VOCABULARY, (2, len(DOCUMENTS))), torch.tensor(DOCUMENTS)


@every
def test_a_packed_document_gives_what_it_gives_alone(name):
    (tokens, documents), lm = packed(), model(name)
    with torch.no_grad():
        together = lm(tokens, documents=documents)
        for document in (3, 0, 8):
            own = documents == document
            torch.testing.assert_close(together[:, own], lm(tokens[:, own]))


def test_rows_may_be_packed_differently():
    (tokens, documents), lm = packed(), model("learned")
    rows = torch.stack((documents, documents.flip(0)))
    with torch.no_grad():
        together = lm(tokens, documents=rows)
        own = rows[1] == 8
        torch.testing.assert_close(together[1:, own], lm(tokens[1:, own]))


def test_positions_that_run_on_are_the_same_for_rope_and_not_for_a_table():
    (tokens, documents), on = packed(), positions(len(DOCUMENTS))
    with torch.no_grad():
        for name, same in (("rope", True), ("alibi", True), ("learned", False)):
            lm = model(name)
            gap = (lm(tokens, on, documents=documents) - lm(tokens, documents=documents)).abs()
            assert bool(gap.max() < 1e-9) is same, name


def test_positions_that_start_again_alone_mix_documents():
    (tokens, documents), lm = packed(), model()
    other, at = tokens.clone(), positions_from_documents(documents)
    other[:, 9:] = (other[:, 9:] + 1) % VOCABULARY
    with torch.no_grad():
        leak = (lm(tokens, at) - lm(other, at))[:, :4].abs().max()
        hidden = (lm(tokens, at, documents=documents) - lm(other, at, documents=documents))[:, :9]
    assert leak > 1e-3
    assert hidden.abs().max() == 0


def test_padding_within_a_packed_row_stays_hidden():
    (tokens, documents), lm = packed(), model()
    visible = torch.tensor([True] * 9 + [False] * 3).expand(2, -1)
    with torch.no_grad():
        seen = lm(tokens, visible=visible, documents=documents)[:, :9]
        torch.testing.assert_close(seen, lm(tokens, documents=documents)[:, :9])


def test_documents_do_not_go_with_a_cache_or_a_recurrent_encoding():
    tokens, documents = packed()
    with pytest.raises(ValueError, match="documents are packed for one pass; a cache keeps one"):
        model()(tokens, cache=DecodingCache(2), documents=documents)
    with pytest.raises(ValueError, match="RecurrentEncoding reads across packed documents"):
        model("recurrent")(tokens, documents=documents)


@pytest.mark.parametrize(
    ("error", "message", "documents"),
    [
        (TypeError, "documents must be a tensor, got list", DOCUMENTS),
        (TypeError, "documents must be integers, got torch.float32", torch.zeros(12)),
        (
            ValueError,
            "documents (L,) or (B, L) disagree: (2, 12) and (11,)",
            torch.zeros(11).long(),
        ),
        (ValueError, "documents (L,) or (B, L) disagree", torch.zeros(1, 12).long()),
    ],
)
def test_what_does_not_fit_is_named(error, message, documents):
    with pytest.raises(error, match=re.escape(message)):
        model()(packed()[0], documents=documents)
