"""KenLM in the place of our own model."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import cynical
from cynical.evaluation.kenlm import kenlm
from cynical.model.sequences import Sequences
from tests.against_oracle import zipfian


@pytest.mark.skipif(not all(map(shutil.which, ("lmplz", "query"))), reason="lmplz and query are not on the PATH")
@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_kenlm_says_the_same(order: int) -> None:
    train, test = zipfian(2000, 3), zipfian(200, 4, words=400)
    ours, theirs = (cynical.evaluate(train, test, order=order, lm=lm, points=3) for lm in ("own", "kenlm"))
    for a, b in zip(ours.points, theirs.points, strict=True):
        assert b.ngram_perplexity == pytest.approx(a.ngram_perplexity, rel=1e-4)
        assert b.ngram_perplexity_known == pytest.approx(a.ngram_perplexity_known, rel=1e-4)


LMPLZ = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/said"
while [ "$1" != --text ]; do shift; done
cp "$2" "$(dirname "$0")/text.$(wc -l < "$2" | tr -d ' ')"
echo model > "$4"
"""


QUERY = """#!/bin/sh
[ "$1 $2 $3 $4" = "-v summary -v sentence" ] && [ "$(cat "$5")" = model ] || exit 3
cat > "$(dirname "$0")/held-out"
while read line; do echo "Total: $TOTAL OOV: 1"; done < "$(dirname "$0")/held-out"
printf 'Perplexity including OOVs:\\t12.5\\nPerplexity excluding OOVs:\\t%s\\nOOVs:\\t1\\n' "$KNOWN"
"""


@pytest.mark.parametrize(("known", "expected"), [("11.25", 11.25), ("nan", None)])
def test_kenlm_gets_words_as_numbers_and_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: str, expected: float | None
) -> None:
    """With programs in its place that write down what they are given."""
    for name, script in (("lmplz", LMPLZ), ("query", QUERY)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("KNOWN", known)
    monkeypatch.setenv("TOTAL", "-2.5")
    made = cynical.evaluate(["<s> b", "", "b c"], ["b x", ""], order=2, lm="kenlm", at=[2, 4])
    assert [point.ngram_perplexity for point in made.points] == [12.5, 12.5]
    assert [point.ngram_perplexity_known for point in made.points] == [expected, expected]
    assert (tmp_path / "text.2").read_text() == "0 1\n1 2\n"
    assert (tmp_path / "held-out").read_text() == "1 3\n"
    given = Sequences.of(np.array([1, 3, 2], np.uint32), np.array([2, 0, 1]))
    with kenlm(given, 2, 5, None) as model:
        assert model.judge(given, 3).bits == pytest.approx([2.5 * math.log2(10), 0, 2.5 * math.log2(10)])
    said = (tmp_path / "said").read_text().splitlines()
    assert all("-o 2 --discount_fallback --interpolate_unigrams=1 --vocab_pad 5" in line for line in said)


def test_a_query_that_says_nothing_of_lines_is_an_error_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, script in (("lmplz", LMPLZ), ("query", QUERY.replace("Total", "Sum"))):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("KNOWN", "3")
    with pytest.raises(cynical.CynicalError, match="query gave the probability of 0 lines, not of 1"):
        cynical.evaluate(["a b"], ["b a"], order=2, lm="kenlm")


def test_kenlm_that_fails_is_an_error_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, script in (("lmplz", "#!/bin/sh\necho no room >&2\nexit 7\n"), ("query", QUERY)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(cynical.CynicalError, match="lmplz failed with exit status 7: no room"):
        cynical.evaluate(["a b"], ["b a"], order=2, lm="kenlm")
    with pytest.raises(cynical.CynicalError, match="KenLM cannot train unigram models"):
        cynical.evaluate(["a b"], ["b a"], order=1, lm="kenlm")
