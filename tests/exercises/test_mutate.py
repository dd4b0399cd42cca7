"""The mutator makes one fault at a time, and says which."""

import ast

from tests.exercises.mutate import OF_INPUT, OF_RESULT, mutants

SOURCE = '''
def f(q, k, mask=None):
    """Docstrings (1 + 1) are left alone."""
    scores = q @ k.T / 2
    if mask is not None and len(q) > 1:
        scores[0, :] = 0.5
    return torch.cat((scores.sin(), -scores), dim=-1)
'''

EXPECTED = {
    "scores = q @ k.T / 2  →  scores = q @ k.T * 2",
    "scores = q @ k.T / 2  →  scores = k.T @ q / 2",
    "scores = q @ k.T / 2  →  scores = 2 / (q @ k.T)",
    "scores = q @ k.T / 2  →  scores = q @ k.T / 3",
    "if mask is not None and len(q) > 1:  →  if mask is not None or len(q) > 1:",
    "if mask is not None and len(q) > 1:  →  if mask is not None and len(q) >= 1:",
    "if mask is not None and len(q) > 1:  →  pass",
    "scores[0, :] = 0.5  →  scores[0, 1:] = 0.5",
    "scores[0, :] = 0.5  →  scores[1, :] = 0.5",
    "scores[0, :] = 0.5  →  pass",
    "return torch.cat((scores.sin(), -scores), dim=-1)"
    "  →  return torch.cat((scores.cos(), -scores), dim=-1)",
    "return torch.cat((scores.sin(), -scores), dim=-1)"
    "  →  return torch.cat((scores.sin(), scores), dim=-1)",
    "return torch.cat((scores.sin(), -scores), dim=-1)"
    "  →  return torch.cat((scores.sin(), -scores), dim=-1).squeeze()",
    "if mask is not None and len(q) > 1:  →  if True:",
    "if mask is not None and len(q) > 1:  →  if mask is not None and 128 > 1:",
    "def f(q, k, mask=None):  →  q = q.long()",
}


def test_the_faults_that_people_make_are_among_them():
    assert {mutant.name for mutant in mutants(SOURCE)} >= EXPECTED


def test_each_mutant_is_a_program_of_its_own_and_never_the_source():
    sources = [mutant.source for mutant in mutants(SOURCE)]
    assert len(set(sources)) == len(sources)
    assert ast.unparse(ast.parse(SOURCE)) not in sources
    assert all("(1 + 1) are left alone" in source for source in sources)
    assert [ast.unparse(ast.parse(source)) for source in sources] == sources


def test_what_has_nothing_to_break_has_the_mutants_of_its_input_and_its_result():
    names = {mutant.name for mutant in mutants("def f(x):\n    return x")}
    assert len(names) == len(OF_INPUT) + len(OF_RESULT)
    assert "return x  →  return x.flip(-1)" in names
    assert "def f(x):  →  x = x.float()" in names
