"""Where to stop for a model: found the slow way, and what --stop does."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.options import Settings
from cynical.options.ranking import Per
from cynical.reports.picks import read_picks
from cynical.reports.tables import evaluation_table
from cynical.selection import model_stop, search
from tests import oracle
from tests.against_oracle import encoded, zipfian
from tests.conftest import Run

FIRST = 6  # words of the first cut


@contextmanager
def small() -> Iterator[None]:
    """Few lines are enough, cuts begin early, and the search comes back after a few picks."""
    with (
        mock.patch.multiple(model_stop, LEAST=1, FIRST=FIRST),
        mock.patch.object(search, "PICKS", 3),
    ):
        yield


def slow_stop(
    representative: list[str], available: list[str], ngrams: int, per: Per, ngram_smoothing: float
) -> tuple[int, list[tuple[int, float]]]:
    """The words of the best cut, more by as much as was held out, and all cuts with their perplexities: the oracle's
    picks, a new model for each."""
    held = [line for line in representative[9::10] if line.split()]
    kept = [line for place, line in enumerate(representative) if place % 10 != 9]
    how: Any = {"ngrams": ngrams, "per": per, "ngram_smoothing": ngram_smoothing}
    problem = oracle.Problem([[encoded(representative)]], [encoded(available)], **how)
    less = oracle.Problem([[encoded(kept)]], [encoded(available)], **how)
    problem.p = {v: less.p.get(v, 0.0) for v in problem.p}
    problem.single = {v: less.single.get(v, 0.0) for v in problem.single}
    problem.s = {v: less.s.get(v, 0.01) for v in problem.s}
    picks = oracle.exact(problem)
    cuts, words, goal = [], 0, FIRST
    for place, pick in enumerate(picks, 1):
        words += pick.words
        if words >= goal or place == len(picks):
            cuts.append((place, words))
            goal = max(math.ceil(words * model_stop.GROWTH), FIRST)
    for ended in range(1, len(cuts) + 1):  # as far as the ranking must go
        picked = {available[pick.line] for pick in picks[: cuts[ended - 1][0]]}
        new = [line for line in held if line not in picked] or held
        measured = [
            (words, perplexity([available[one.line] for one in picks[:cut]], new)) for cut, words in cuts[:ended]
        ]
        best = min(measured, key=lambda one: (one[1], one[0]))
        if measured[-1][0] >= model_stop.ENOUGH * best[0]:
            break
    return round(best[0] * len(representative) / len(kept)), measured


def perplexity(text: list[str], held: list[str]) -> float:
    model = oracle.KneserNey([line.split() for line in text], 4)
    bits = [bit for line in held for bit in model.line_bits(line.split(), model_stop.VOCABULARY)]
    return float(2.0 ** (sum(bits) / len(bits)))


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10**6),
    ngrams=st.integers(1, 2),
    per=st.sampled_from(["line", "word"]),
    ngram_smoothing=st.sampled_from([0.0, 100.0]),
)
def test_the_best_cut_is_that_of_the_slow_way(seed: int, ngrams: int, per: Per, ngram_smoothing: float) -> None:
    representative = zipfian(40, seed, words=30, longest=8)
    assume(any(representative[9::10]))  # held-out lines that are all empty say nothing
    available = [*zipfian(60, seed + 1, words=40, longest=8), *representative[::7]]
    best, measured = slow_stop(representative, available, ngrams, per, ngram_smoothing)
    how: Any = {"ngrams": ngrams, "per": per, "ngram_smoothing": ngram_smoothing if ngrams > 1 else 0}
    with small():
        made = cynical.select(representative, available, stop="model", **how)
    stop = made.summary["model_stop"]
    assert [words for words, _ in stop.measured] == [words for words, _ in measured]
    np.testing.assert_allclose(
        [figure for _, figure in stop.measured], [figure for _, figure in measured], rtol=1e-9, atol=1e-4
    )
    whole = cynical.select(representative, available, all=True, **how)
    assert made.lines.tolist() == whole.cut(words=best).lines.tolist()
    assert (stop.lines, made.stop) == (len(made), len(made))


def texts(lines: int = 200) -> tuple[list[str], list[str]]:
    return zipfian(lines, 1, words=60), [*zipfian(500, 2, words=60), *zipfian(500, 3, words=2000)]


def test_with_ngrams_a_model_says_where_to_stop_and_without_the_entropy_does() -> None:
    assert Settings.of().stop == Settings.of(ngrams=2, stop="entropy").stop == "entropy"
    assert Settings.of(ngrams=2).stop == Settings.of(for_="model").stop == Settings.of(stop="model").stop == "model"
    assert Settings.of(ngrams=2, lines=3).stop is None
    assert Settings.of(ngrams=2, lines=3, stop="model").stop == "model"
    assert Settings.of(method="random").stop is None


def test_the_whole_ranking_can_be_cut_there() -> None:
    wanted, pool = texts()
    short = cynical.select(wanted, pool, ngrams=2, per="word")
    long = cynical.select(wanted, pool, ngrams=2, per="word", all=True, stop="model")
    assert long.stop == len(short) < len(long) and long.cut(stop=True).lines.tolist() == short.lines.tolist()
    assert long.cut(stop=True).stop == long.stop
    before = long.cut(lines=long.stop - 1)
    assert "model_stop" not in before.summary and before.stop == before.summary.stop.lines
    assert long.summary["stop"].lines != long.stop, "the entropy is lowest elsewhere"


def test_the_lowest_entropy_of_a_ranking_with_ngrams_and_a_budget_is_not_called_its_stopping_point() -> None:
    wanted, pool = texts()
    ranked = cynical.select(wanted, pool, ngrams=2, per="word", words=4000)
    lowest = ranked.summary.stop.lines
    assert (ranked.summary.stopping_point, ranked.summary.lowest_entropy) == (None, ranked.summary.stop)
    made = cynical.evaluate(ranked, zipfian(50, 4, words=60), points=3)
    assert made.stop is None and made.lowest_entropy is not None and made.lowest_entropy.lines == lowest
    assert [row["lines"] for row in made.rows() if row["lowest_entropy"]] == [lowest]
    table = evaluation_table(made)
    assert "stopping point" not in table and "<- lowest entropy" in table and "often too early" in table
    with pytest.warns(
        cynical.CynicalWarning, match="stopping point for a model is not known: stop cuts where the entr"
    ):
        assert len(ranked.cut(stop=True)) == lowest
    asked = cynical.select(wanted, pool, ngrams=2, per="word", words=4000, stop="model")
    made = cynical.evaluate(asked, zipfian(50, 4, words=60), points=3)
    assert made.stop is not None and made.stop.lines == asked.stop and made.lowest_entropy is not None
    chosen = cynical.select(wanted, pool, ngrams=2, per="word", stop="entropy")
    assert chosen.summary.stopping_point == chosen.summary.stop and chosen.summary.lowest_entropy is None


def test_it_is_the_same_with_any_number_of_threads_and_with_sides_and_targets() -> None:
    wanted, pool = texts()
    for options in (
        {"representative_with": wanted[::-1], "with_": pool[::-1]},
        {"weights": [1, 3]},
        {"strategy": "batch"},
        {"vocabulary": "classes"},
    ):
        given = [wanted, wanted[::-1] + zipfian(50, 9, words=80)] if "weights" in options else wanted
        one, two = (cynical.select(given, pool, stop="model", jobs=jobs, **options) for jobs in (1, 2))
        assert one.lines.tolist() == two.lines.tolist() and one.stop == len(one)
        assert one.summary["model_stop"] == two.summary["model_stop"]


def test_what_cannot_be_held_out_is_a_notice_or_an_error() -> None:
    wanted, pool = texts(30)
    with pytest.warns(cynical.CynicalWarning, match="too few to hold out a tenth of them; the ranking ends where"):
        made = cynical.select(wanted, pool, ngrams=2)
    assert made.summary.settings["stop"] == "entropy" and made.stop == made.summary.stop.lines
    with pytest.raises(
        cynical.CynicalError, match=r"too few to hold out.*; give more lines of text, or choose stop=.entropy."
    ):
        cynical.select(wanted, pool, stop="model")
    counts = cynical.count(wanted * 10, ngrams=2)
    with pytest.warns(cynical.CynicalWarning, match="lines cannot be held out from a .counts file"):
        cynical.select(counts, pool, ngrams=2)


def test_held_out_lines_without_words_do_not_decide() -> None:
    representative, available = texts()
    representative[9::10] = [""] * len(representative[9::10])
    with pytest.warns(cynical.CynicalWarning, match="held out have no words; the ranking ends where"):
        assert cynical.select(representative, available, ngrams=2).summary["stop"].lines
    with pytest.raises(cynical.CynicalError, match=r"held out have no words; give more lines of text, or choose stop="):
        cynical.select(representative, available, ngrams=2, stop="model")


def test_the_command_line(cynical: Run, tmp_path: Path) -> None:
    wanted, pool = texts()
    (tmp_path / "r.txt").write_text("\n".join(wanted) + "\n")
    (tmp_path / "a.txt").write_text("\n".join(pool) + "\n")
    common = ["select", "-r", "r.txt", "-a", "a.txt", "--ngrams", "2", "--per", "word", "--overwrite", "-o"]
    done = cynical(*common, "short.tsv")
    assert done.returncode == 0 and "held-out perplexity" in done.stderr and "lowest entropy" in done.stderr
    assert "--stop" not in done.stderr
    done = cynical(*common, "long.tsv", "--all", "--stop", "model")
    assert done.returncode == 0 and "next: cynical cut long.tsv --stop -o best.txt" in done.stderr
    done = cynical("cut", "long.tsv", "--stop", "-o", "cut.tsv")
    assert done.returncode == 0 and (tmp_path / "cut.tsv").read_bytes() == (tmp_path / "short.tsv").read_bytes()
    picks = read_picks(tmp_path / "long.tsv")
    assert picks.start == picks.stop < len(picks) and picks.lowest != picks.stop
    done = cynical(*common, "long.tsv", "--all")
    assert "--stop" not in done.stderr, "the entropy of single words does not say where to stop"
    picks = read_picks(tmp_path / "long.tsv")
    assert picks.start == len(picks) > picks.stop
    done = cynical(*common, "long.tsv", "--words", "500")
    assert "next: cynical cut long.tsv --words 500 -o best.txt" in done.stderr
    picks = read_picks(tmp_path / "long.tsv")
    assert picks.start == len(picks) > picks.stop, "the page begins at the budget"
