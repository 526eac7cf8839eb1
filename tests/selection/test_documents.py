"""At most a share of a document: the picks are those of the oracle with the same rule."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.selection import opening
from cynical.selection.checkpoint import RECORD
from tests import oracle
from tests.against_oracle import WORDS, compare, encoded, shares_a_word, some_words, zipfian

FEW_OPEN = {"LEAST_OPEN": 2, "LEAST_STALE": 0, "ALONE": ((1 << 63, 4),)}
some_lines = st.lists(st.lists(st.sampled_from(WORDS[:5]), max_size=4).map(" ".join), min_size=1, max_size=6)


@settings(max_examples=60)
@given(
    representative=some_words,
    documents=st.lists(some_lines, min_size=1, max_size=4),
    share=st.sampled_from(["0.1", "0.29", "0.34", "0.5", "0.7", "1"]),
    ngrams=st.integers(1, 2),
    per=st.sampled_from(["line", "word"]),
    few=st.booleans(),
)
def test_the_search_is_exact_with_a_share_of_documents(
    representative: list[str], documents: list[list[str]], share: str, ngrams: int, per: str, few: bool
) -> None:
    lines = [line for some in documents for line in some]
    of_line = [number for number, some in enumerate(documents) for _ in some]
    assume(shares_a_word(representative, lines))
    problem = oracle.Problem([[encoded(representative)]], [encoded(lines)], ngrams=ngrams, per=per)
    with mock.patch.multiple(opening, **(FEW_OPEN if few else {"LEAST_OPEN": opening.LEAST_OPEN})):
        compare(
            problem,
            "exact",
            representative,
            ["\n".join(some) + "\n" for some in documents],
            solve=lambda problem: oracle.within_documents(problem, of_line, share),
            unit="line",
            max_share_of_document=float(share),
            ngrams=ngrams,
            per=per,
        )


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["0.2", "0.5"]))
def test_the_same_of_lines_that_look_like_text(seed: int, share: str) -> None:
    lines, rng = [line or "w1" for line in zipfian(60, seed, words=40, longest=6)], np.random.default_rng(seed)
    of_line = np.sort(rng.integers(0, 8, len(lines))).tolist()
    documents = ["\n".join(line for line, of in zip(lines, of_line, strict=True) if of == one) for one in set(of_line)]
    wanted = ["w1 w2 w3", "w4 w5 w1", "w9"]
    _, of_line = np.unique(of_line, return_inverse=True)
    problem = oracle.Problem([[encoded(wanted)]], [encoded(lines)])
    compare(
        problem,
        "exact",
        wanted,
        documents,
        solve=lambda problem: oracle.within_documents(problem, of_line.tolist(), share),
        unit="line",
        max_share_of_document=float(share),
    )


DOCUMENTS = ["a cat\nthe cat\na dog\n", "a cat\nbirds\n", "the dog"]


def test_a_run_resumes_with_what_documents_may_still_give(tmp_path: Path) -> None:
    def run(checkpoint: Path | None) -> cynical.Jaded:
        pool, share = DOCUMENTS * 5, 0.5
        return cynical.select(
            ["a cat the dog"], pool, unit="line", max_share_of_document=share, all=True, checkpoint=checkpoint
        )

    whole, folder = run(None), tmp_path / "checkpoint"
    assert run(folder).lines.tolist() == whole.lines.tolist()
    written = (folder / "picks").read_bytes()
    for kept in (1, len(whole) // 2):
        (folder / "picks").write_bytes(written[: kept * RECORD.itemsize])
        (folder / "done").unlink()
        assert run(folder).lines.tolist() == whole.lines.tolist()
    assert whole.summary.search.ended_by == "lines"
    frame = whole.to_pandas()
    assert frame.groupby("shard_line")["words"].sum().max() == 2  # of 6, 3 and 2 words: half is 3, 1 and 1


def test_what_it_needs_is_said() -> None:
    with pytest.raises(cynical.CynicalError, match=r"max_share_of_document needs documents .* give unit=.paragraph."):
        cynical.select(["a cat"], DOCUMENTS, max_share_of_document=0.5, all=True)
    with pytest.raises(
        cynical.CynicalError,
        match='max_share_of_document needs strategy="exact"; it is not available with strategy="word"',
    ):
        cynical.select(["a cat"], DOCUMENTS, unit="line", max_share_of_document=0.5, strategy="word")
    none = cynical.select(["a cat"], DOCUMENTS, unit="line", max_share_of_document=0.01, all=True)
    assert len(none) == 0


def test_a_unit_that_does_not_fit_its_document_has_this_reason(tmp_path: Path) -> None:
    documents = ["w1 w2\nw1 w3 w4\nw9", "w2 w2\nw5 w6"]
    jaded = cynical.select(["w1 w2 w3 w4 w5"], documents, unit="line", max_share_of_document=0.5, all=True)
    jaded.write(tmp_path / "j.tsv", rejected=tmp_path / "rest.tsv")
    rows = (tmp_path / "rest.tsv").read_text().splitlines()[1:]
    assert len(rows) == 5 - len(jaded) and {row.split("\t")[1] for row in rows} == {"share_of_document"}
    one = cynical.select(["w1 w2 w3 w4 w5"], documents, unit="line", max_share_of_document=1, lines=1)
    one.write(tmp_path / "one.tsv", rejected=tmp_path / "others.tsv")
    assert (tmp_path / "others.tsv").read_text().count("not_reached") == 4
