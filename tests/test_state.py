"""Other words never make the same key, however odd or long they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateway.state import LONGEST, LONGEST_NAME, Kind, key

CHARACTERS = st.sampled_from(["a", '"', "\\", ",", "[", "\0", "é", "\ud83d", "\ude00", "😀"])
WORDS = st.lists(
    st.text(CHARACTERS, max_size=6) | st.text(CHARACTERS, min_size=200, max_size=500), max_size=4
)


@given(one=WORDS, other=WORDS)
def test_other_words_make_another_key(one: list[str], other: list[str]) -> None:
    same = key("acme", Kind.JOURNAL, *one) == key("acme", Kind.JOURNAL, *other)
    assert same is (one == other)


def test_two_lone_surrogates_are_not_the_character_that_they_would_be_together() -> None:
    assert key("acme", Kind.JOURNAL, "\ud83d\ude00") != key("acme", Kind.JOURNAL, "😀")


@given(words=WORDS)
def test_every_name_is_one_that_stores_hold(words: list[str]) -> None:
    name = key("acme", Kind.JOURNAL, *words).name
    assert len(name.encode("utf-8", "surrogatepass")) <= LONGEST_NAME <= LONGEST
