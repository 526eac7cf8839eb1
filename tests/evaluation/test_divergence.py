"""KL reduction of hashed words and word pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cynical.evaluation.divergence import Divergence
from cynical.model.sequences import Numbering
from cynical.progress import Progress
from cynical.text.sources import open_corpus
from cynical.text.tokenizer import Tokenizer
from tests import oracle

LINES = st.lists(st.lists(st.sampled_from(["a", "b", "c", "\u00e9t\u00e9"]), max_size=5).map(" ".join), max_size=6)


@given(st.lists(LINES, min_size=1, max_size=2), LINES, st.data())
def test_it_is_what_the_formula_says(targets: list[list[str]], pool: list[str], data: st.DataObject) -> None:
    pool, targets = [*pool, "a b"], [[*target, "b"] for target in targets]
    numbering = Numbering()
    texts = [
        numbering.read(open_corpus(lines, "text"), Tokenizer(), 1, Progress(), "text") for lines in (pool, *targets)
    ]
    order = data.draw(st.permutations(range(len(pool))))
    first = data.draw(st.integers(0, len(pool)))
    found = Divergence.of(numbering.table, texts[1:], texts[0]).reductions(
        texts[0].take(np.array(order)), [first, len(pool)]
    )
    raw = [[line.encode() for line in lines] for lines in (pool, *targets)]
    for made, cut in zip(found, (first, len(pool)), strict=True):
        picks = [raw[0][line] for line in order[:cut]]
        if any(line.split() for line in picks):
            assert made == pytest.approx(oracle.kl_reduction(raw[1:], raw[0], picks), abs=1e-9)
        else:
            assert made is None
    assert found[-1] == pytest.approx(0, abs=1e-9)  # all of the pool is as far from the target as the pool
