"""What a student may send, drawn at random: 200 cases, or as many as the profile asks for."""

from hypothesis import settings
from hypothesis import strategies as st

CASES = settings(max_examples=max(200, settings.default.max_examples), deadline=None)
WORDS = st.text(max_size=30)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=15,
)
