"""KenLM in the place of our own model."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import cynical
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
[ "$1 $2" = "-v summary" ] && [ "$(cat "$3")" = model ] || exit 3
cat > "$(dirname "$0")/held-out"
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
    made = cynical.evaluate(["<s> b", "", "b c"], ["b x", ""], order=2, lm="kenlm", at=[2, 4])
    assert [point.ngram_perplexity for point in made.points] == [12.5, 12.5]
    assert [point.ngram_perplexity_known for point in made.points] == [expected, expected]
    assert (tmp_path / "text.2").read_text() == "0 1\n1 2\n"
    assert (tmp_path / "held-out").read_text() == "1 3\n"
    said = (tmp_path / "said").read_text().splitlines()
    assert all("-o 2 --discount_fallback --interpolate_unigrams=1 --vocab_pad 5" in line for line in said)


def test_kenlm_that_fails_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, script in (("lmplz", "#!/bin/sh\necho no room >&2\nexit 7\n"), ("query", QUERY)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(cynical.CynicalError, match="lmplz ended with 7: no room"):
        cynical.evaluate(["a b"], ["b a"], order=2, lm="kenlm")
    with pytest.raises(cynical.CynicalError, match="KenLM has no models of single words"):
        cynical.evaluate(["a b"], ["b a"], order=1, lm="kenlm")
