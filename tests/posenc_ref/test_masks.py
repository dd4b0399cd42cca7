"""Windows, sinks and documents: equal to transformers, and what each hides stays hidden."""

import pytest
import torch

from posenc_ref import (
    append,
    attend,
    causal_mask,
    document_mask,
    evict,
    positions,
    positions_from_documents,
    window_mask,
)


def test_window_equals_transformers(golden, where):
    for case in golden("mask_window"):
        at = positions(case["length"], device=where)
        mask = window_mask(at, at, window=case["window"]) & causal_mask(at, at)
        assert mask.int().tolist() == case["values"]


def test_chunks_of_transformers_are_documents(golden, where):
    for case in golden("mask_chunks"):
        at = positions(case["length"], device=where)
        chunk = at // case["chunk"]
        assert (document_mask(chunk, chunk) & causal_mask(at, at)).int().tolist() == case["values"]


def test_documents_equal_transformers(golden, where):
    for case in golden("mask_documents"):
        at = torch.tensor(case["positions"], device=where)
        documents = (at == 0).cumsum(-1)
        assert torch.equal(positions_from_documents(documents), at)
        mask = document_mask(documents, documents) & causal_mask(at, at)
        assert mask.int().tolist() == case["values"]


def test_sinks_are_positions_not_columns(where):
    k_positions = torch.tensor([7, 0, 1, 2, 8], device=where)
    at = torch.tensor([8], device=where)
    mask = window_mask(at, k_positions, window=1, sinks=2)
    assert mask.tolist() == [[False, True, True, False, True]]


def test_window_goes_by_position_in_each_row():
    q_positions, k_positions = torch.tensor([[5], [3]]), torch.tensor([[1, 4, 5], [1, 2, 3]])
    mask = window_mask(q_positions, k_positions, window=2)
    assert mask.tolist() == [[[False, True, True]], [[False, True, True]]]


def test_window_with_sinks_equals_eviction(where64):
    """Of one layer, and while positions stay as stored."""
    q, k, v = torch.randn(3, 1, 2, 9, 4, dtype=torch.float64, device=where64)
    at, cache = positions(9, device=where64)[None], None
    for t in range(9):
        now = slice(t, t + 1)
        cache = evict(append(cache, k[:, :, now], v[:, :, now], at[:, now]), sinks=2, window=3)
        step = attend(q[:, :, now], at[:, now], cache)
    mask = window_mask(at[:, 8:], at, window=3, sinks=2)[:, None]
    scores = (q[:, :, 8:] @ k.mT / 2).masked_fill(~mask, -torch.inf)
    torch.testing.assert_close(step, scores.softmax(-1) @ v)


def packed(where, lengths=(3, 4, 2)):
    """A row of documents: q (4 heads), keys and values (2), positions, documents (L,)."""
    documents = torch.cat([torch.full((n,), 5 - d) for d, n in enumerate(lengths)]).to(where)
    shape = 1, 4, len(documents), 8
    q = torch.randn(shape, dtype=torch.float64, device=where)
    k, v = torch.randn(2, *shape, dtype=torch.float64, device=where)[:, :, :2]
    return q, k, v, positions_from_documents(documents)[None], documents


def test_packed_documents_equal_documents_alone(where64):
    q, k, v, at, documents = packed(where64)
    together = attend(q, at, append(None, k, v, at), documents=documents)
    for document in documents.unique():
        own = documents == document
        alone = append(None, k[:, :, own], v[:, :, own], at[:, own])
        expected = attend(q[:, :, own], at[:, own], alone)
        torch.testing.assert_close(together[:, :, own], expected)


def test_without_documents_an_earlier_one_reads_a_later_one(where64):
    q, k, v, at, documents = packed(where64)
    before = attend(q, at, append(None, k, v, at))
    changed = v + (documents == documents[-1])[:, None]
    after = attend(q, at, append(None, k, changed, at))
    assert (after - before)[:, :, :3].abs().amax() > 0.1
    hidden = [attend(q, at, append(None, k, x, at), documents=documents) for x in (v, changed)]
    assert torch.equal(hidden[0][:, :, :7], hidden[1][:, :, :7])


def test_documents_of_the_queries_are_the_last_columns(where64):
    q, k, v, at, documents = packed(where64)
    cache = append(None, k, v, at)
    last = attend(q[:, :, 6:], at[:, 6:], cache, documents=documents[None])
    every = attend(q, at, cache, documents=documents)
    torch.testing.assert_close(last, every[:, :, 6:])


def test_documents_in_pieces_are_counted_on():
    documents = torch.tensor([[4, 4, -1, 4], [0, 1, 1, 0]])
    assert positions_from_documents(documents).tolist() == [[0, 1, 0, 2], [0, 0, 1, 1]]


def test_window_and_sinks_are_counts(subtests):
    for window, sinks in [(0, 0), (-1, 0), (2, -1)]:
        message = "window must be positive, sinks at least 0"
        with subtests.test(window=window, sinks=sinks), pytest.raises(ValueError, match=message):
            window_mask(positions(2), positions(2), window=window, sinks=sinks)
    with pytest.raises(TypeError, match="window must be an integer"):
        window_mask(positions(2), positions(2), window=2.0)


def test_documents_are_tensors_of_integers(subtests):
    for documents in [[0, 1], torch.zeros(2), torch.ones(2).bool()]:
        with subtests.test(documents=documents):
            with pytest.raises(TypeError, match="documents must be"):
                document_mask(documents, documents)
            with pytest.raises(TypeError, match="documents must be"):
                positions_from_documents(documents)


def test_documents_fit_the_cache(where64):
    q, k, v, at, documents = packed(where64)
    cache = append(None, k, v, at)
    for wrong in (documents[:-1], documents[:, None], documents.expand(2, -1)):
        with pytest.raises(ValueError, match=r"documents \(L,\) or \(B, L\)"):
            attend(q, at, cache, documents=wrong)
    with pytest.raises(ValueError, match=r"documents must be \(L,\) or \(B, L\)"):
        positions_from_documents(documents[None, None])
