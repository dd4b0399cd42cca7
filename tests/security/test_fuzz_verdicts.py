"""Whatever an answer returns, raises or prints, and whatever an output says, it costs no grade."""

import json
import sys

import torch
from hypothesis import given
from hypothesis import strategies as st

from autograde.grading.diagnosis import diagnose_cells
from autograde.grading.remote_answer import _error, _reply
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.cell_role import KEY
from autograde.kit.expect import QUOTED, REASON
from autograde.kit.scoring import evaluate
from autograde.kit.verdict_record import VerdictRecord
from autograde.notebook.report import report
from confined.frames import ProtocolError
from confined.outputs import printable
from confined.values import DTYPES, Decoder
from tests.security.generated import CASES, JSON, LEAVES, WORDS

LARGE = st.sampled_from([2**1024, -(2**1030), 10**4000, sys.float_info.max, 2**63, -0.0])
SIZES = st.lists(st.integers(0, 4), max_size=4)


def tensor(name, size, fill):
    return torch.full(size, fill, dtype=torch.float64).to(DTYPES[name])


VALUES = st.recursive(
    LEAVES
    | LARGE
    | st.text(min_size=QUOTED)
    | st.builds(tensor, st.sampled_from(sorted(DTYPES)), SIZES, st.floats())
    | st.builds(lambda shape: torch.empty(shape, device="meta"), SIZES),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(WORDS | st.integers(), inner, max_size=4)
    ),
    max_leaves=6,
)


class Odd(Exception):
    pass


@CASES
@given(st.sampled_from(exercise_ids()), VALUES, st.booleans(), st.integers(0, 2**31))
def test_an_answer_gets_a_verdict_whatever_it_returns_or_raises(name, value, raises, seed):
    def answer(*args, **kwargs):
        print(value)
        if raises:
            raise Odd(value)
        return value

    task = exercise(name)
    verdict = evaluate(task, answer, seed)
    assert 0 <= verdict.score < task.points
    reasons = [one.reason for one in verdict.outcomes if one.reason]
    assert all(max(len(reason.en), len(reason.zh)) <= REASON for reason in reasons)
    record = VerdictRecord.of(verdict, seed=seed, tier=1)
    assert VerdictRecord.from_json(json.loads(json.dumps(record.to_json()))) is not None
    assert len(report(verdict)) < 10_000 + 2 * REASON * len(task.checks)


ERROR = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from(["TooSlow", "NotImplementedError"]) | JSON
        for name in ("type", "text", "line", "repr")
    },
)


@CASES
@given(ERROR)
def test_an_error_is_its_first_words(sent):
    error = _error(sent)
    assert len(str(error)) <= 1000
    assert len(repr(error)) <= 1000 or not hasattr(error, "words")


@CASES
@given(st.text() | st.text(alphabet="\x1b[];0m\x07\x9b\ud800a"))
def test_printed_words_are_what_a_file_holds_and_no_terminal_obeys(words):
    text = printable(words)
    text.encode()
    assert not {"\x07", "\x9b"} & set(text)
    assert all(part.startswith("[") for part in text.split("\x1b")[1:])


QUESTION = JSON | st.fixed_dictionaries(
    {"ask": st.integers(-1, 2) | JSON},
    optional={"args": st.fixed_dictionaries({"tuple": JSON}) | JSON, "kwargs": JSON},
)


@CASES
@given(QUESTION.filter(lambda one: isinstance(one, dict) and "ask" in one), st.binary(max_size=40))
def test_a_question_to_the_grader_is_answered_or_refused(question, payload):
    try:
        reply, _ = _reply([lambda x: x, len], question, Decoder(bytearray(payload)))
    except ProtocolError:
        return
    assert {"result"} == reply.keys() or len(reply["error"]) <= 1000


RECORD = JSON | st.fixed_dictionaries(
    {"exercise": WORDS, "unsolved": st.booleans(), "failed": st.lists(WORDS), "cause": JSON,
     "reason": st.none() | st.fixed_dictionaries({"en": WORDS, "zh": WORDS}) | JSON},
    optional={"reasons": JSON, "seed": JSON, "tier": JSON},
)  # fmt: skip


@CASES
@given(RECORD)
def test_a_made_up_verdict_does_not_count_or_is_plain(made_up):
    outputs = [{"output_type": "display_data", "data": {}, "metadata": {KEY: made_up}}]
    finding = diagnose_cells({"outputs": outputs}, None)
    if finding:
        assert isinstance(finding.name, str)
        assert not finding.sentence or isinstance(finding.sentence.en, str)
