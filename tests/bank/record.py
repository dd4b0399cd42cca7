"""Write into the bank what the kit names now: read the difference, and confirm each.

python -m tests.bank.record [ID ...]
"""

from __future__ import annotations

import re
import sys

from tests.bank.answers import HERE, answers, cause_of, exercises_with_answers

CAUSE = re.compile(r'^cause = ".*"\n', re.MULTILINE)


def record(name: str) -> None:
    """Renew the lines `cause` of an exercise's answers; print those that changed, or name none."""
    listed, path = answers(name), HERE / f"{name}.toml"
    head, *parts = path.read_text(encoding="utf-8").split("[[answer]]\n")
    for number, answer in enumerate(listed):
        verdict = answer.verdict()
        cause = "" if answer.right else cause_of(verdict)
        if cause != answer.cause:
            sentence = verdict.cause.sentence.en if verdict.cause else ""
            print(
                f"{name}: {answer.why}\n    {answer.cause or '-'} → {cause or '-'}\n    {sentence}"
            )
            line = f'cause = "{cause}"\ncode = ' if cause else "code = "
            parts[number] = CAUSE.sub("", parts[number]).replace("code = ", line, 1)
        elif verdict.full is not answer.right:
            print(f"{name}: {answer.why}\n    {'refused' if answer.right else 'accepted'}")
        elif not (cause or answer.right):
            print(f"{name}: {answer.why}\n    nothing names it")
    path.write_text("[[answer]]\n".join([head, *parts]), encoding="utf-8")


if __name__ == "__main__":
    for exercise in sys.argv[1:] or exercises_with_answers():
        record(exercise)
