"""Words as they are written where tabs and newlines mean something."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cynical.text.escapes import escape, unescape


@given(st.binary(max_size=8))
def test_an_escaped_word_holds_no_tab_and_comes_back(word: bytes) -> None:
    assert unescape(escape(word)) == word
    assert not re.search(rb"[\x00-\x1f]", escape(word))
