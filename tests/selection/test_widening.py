"""A wider target: its probabilities computed the slow way, and what --widen and --for do."""

from __future__ import annotations

import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.model.widening import LEVELS, STEPS
from cynical.options import Settings
from cynical.progress import Progress
from cynical.selection import second_model
from cynical.selection.excluded import Excluded, equal_lines
from cynical.selection.index import HowToOpen, hash_lines
from cynical.text.corpus import Corpus
from cynical.text.tokenizer import Tokenizer
from tests import oracle
from tests.against_oracle import WORDS, compare, encoded, lines_of, shares_a_word, some_words
from tests.conftest import Run
from tests.model.test_classifier import OTHERS, POOL, RECIPES


def judged(probability: np.ndarray[Any, Any], share: float) -> Any:
    """With these probabilities that lines belong to the language, in place of a classifier's."""

    def judge(texts: Any, lines: Any, how: Any, seed: int) -> float:
        lines.score = probability
        return share

    return mock.patch.object(second_model, "judge_lines", judge)


def masses(lines: list[str], alike: list[str], ngrams: int, strength: float) -> tuple[list[float], list[float]]:
    """m of each order, and what is in reach: every n-gram of the sample is left out in turn, in fractions."""

    def seen(text: list[str], order: int) -> Counter[oracle.Feature]:
        words = [oracle.words_of(line.encode(), False) for line in text]
        return Counter(v for line in words for v in oracle.features_of(line, ngrams, 0) if v[0] == order)

    mass, reach = [], []
    for order in range(1, ngrams + 1):
        own, more = seen(lines, order), seen(alike, order)
        size = own.total()
        left_out = [
            (Fraction(own[v] - 1, max(size - 1, 1)), Fraction(more[v], max(more.total(), 1))) for v in own.elements()
        ]

        def rises(m: Fraction, left_out: list[tuple[Fraction, Fraction]] = left_out) -> bool:
            """Is the sample more likely with a little more than m of lines like it?"""
            return sum((q - p) / ((1 - m) * p + m * q) for p, q in left_out if p + q) > 0

        found: Fraction | float = Fraction(0)
        for half in (Fraction(1, 2**step) for step in range(1, STEPS + 1)):
            found += half if rises(Fraction(found) + half) else 0
        alone = sum(not p and not q for p, q in left_out)
        if order == 1:
            found = float(sum(n == 1 for n in own.values()) / size)
        mass.append(min(strength * float(found), more.total() / LEVELS / (size + more.total() / LEVELS)))
        if order == 1 and not set(more) - set(own):
            mass[0] = 0.0
        reach.append(1.0 - min(strength, 1.0) * alone / (size + 1))
    return mass, reach


@settings(max_examples=60)
@given(
    representative=some_words,
    available=lines_of(WORDS, 14, 8),
    levels=st.lists(st.integers(0, LEVELS), min_size=14, max_size=14),
    ngrams=st.integers(1, 3),
    per=st.sampled_from(["line", "word"]),
    strength=st.sampled_from([0.5, 1.0, 3.0]),
    ngram_smoothing=st.sampled_from([0.0, 0.7, 5000.0]),
)
def test_the_wider_target_is_that_of_the_formula(
    representative: list[str],
    available: list[str],
    levels: list[int],
    ngrams: int,
    per: str,
    strength: float,
    ngram_smoothing: float,
) -> None:
    """Whatever probabilities a classifier gives: p = (1 - u) ((1 - m) p_R + m q), order by order, and the oracle's
    picks."""
    assume(shares_a_word(representative, available))
    levels = levels[: len(available)]
    alike = [line for line, level in zip(available, levels, strict=True) for _ in range(level)]
    assume(any(line.split() for line in alike))
    mass, reach = masses(representative, alike, ngrams, strength)
    problem = oracle.Problem(
        [[encoded(representative)]],
        [encoded(available)],
        ngrams=ngrams,
        per=per,
        wider=([encoded(alike)], mass, reach),
        ngram_smoothing=ngram_smoothing,
    )
    options: dict[str, Any] = {"ngrams": ngrams, "per": per, "widen": strength, "ngram_smoothing": ngram_smoothing}
    with judged(np.array(levels) / LEVELS, 0.5):
        compare(problem, "exact", representative, available, **options)


def test_words_that_the_sample_lacks_count_where_lines_like_it_have_them() -> None:
    """To the sample one recipe is as good as the other; lines that look like it have honey, not hemlock."""
    pool = ["stir the hemlock and bake it", *OTHERS, *["stir the honey and bake it"] * 6]
    wanted = [f"stir the flour{i} and bake it" for i in range(60)]
    with judged(np.array([float(line.startswith("stir")) for line in pool]), 0.01):
        plain, wide = (cynical.select(wanted, pool, ngrams=2, per="word", widen=widen, lines=1) for widen in (0, 1))
    assert plain.texts == ["stir the hemlock and bake it"]
    assert wide.texts == ["stir the honey and bake it"]
    assert wide.summary["widened"].lines == 7 and len(wide.summary["widened"].mass) == 2
    assert "widened" not in plain.summary


def test_lines_that_are_excluded_do_not_widen() -> None:
    def lines(pool: list[str], **options: Any) -> int:
        return int(cynical.select(RECIPES, pool, widen=1, all=True, **options).summary["widened"].lines)

    test, two = "stir the butter with the milk and salt and bake it", f"{RECIPES[0]} {RECIPES[1]}"
    without = lines(POOL)
    assert lines([*POOL, *[test] * 6]) == without + 6 and lines([*POOL, *[test] * 6], exclude=[test]) == without
    pool = [*POOL, *[two] * 6]
    assert lines(pool, exclude=[f"{two} now"], exclude_ngrams=20) == without + 6
    assert lines(pool, exclude=[f"{two} now"], exclude_ngrams=10) == without


def test_for_model_is_four_options_and_each_can_be_given() -> None:
    def ranking(**options: Any) -> tuple[object, ...]:
        made = Settings.of(**options)
        return made.per_word, made.ranking.ngrams, made.ranking.widen, made.ranking.ngram_smoothing

    assert ranking() == (False, 1, 0.0, 0.0) == ranking(for_="coverage")
    assert ranking(for_="model") == (True, 2, 0.7, 5000.0)
    assert ranking(for_="model", ngrams=3, per="line", widen=0, ngram_smoothing=7) == (False, 3, 0.0, 7.0)
    assert (
        Settings.of(for_="model").changed()
        == {"per": "word", "ngrams": 2, "widen": 0.7, "ngram_smoothing": 5000.0, "stop": "model"}
        == Settings.of(per="word", ngrams=2, widen=0.7, ngram_smoothing=5000).changed()
    )


def test_where_nothing_looks_like_it_a_notice_says_so() -> None:
    with (
        judged(np.zeros(len(POOL)), 1e-9),
        pytest.warns(cynical.CynicalWarning, match="widen added nothing"),
    ):
        made = cynical.select(RECIPES, POOL, widen=1, all=True)
    assert made.delta.tolist() == cynical.select(RECIPES, POOL, all=True).delta.tolist()


def test_counts_cannot_be_widened_and_the_error_says_what_works() -> None:
    for ngrams, instead in ((1, {"widen": 0, "ngrams": 1}), (2, {"widen": 0})):
        counts = cynical.count(RECIPES, ngrams=ngrams)
        said = "or " + ", ".join(f"{name}={value}" for name, value in instead.items())
        with pytest.raises(cynical.CynicalError, match=rf"needs lines of text, but this is a \.counts file.*{said}$"):
            cynical.select(counts, POOL, for_="model")
        with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
            assert len(cynical.select(counts, POOL, for_="model", lines=2, **instead)) == 2  # type: ignore[arg-type]


def test_the_command_line(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("\n".join(RECIPES) + "\n")
    (tmp_path / "a.txt").write_text("\n".join(POOL) + "\n")
    outputs = []
    pairs = ["--per", "word", "--ngrams", "2", "--ngram-smoothing", "5000"]
    for options in (["--for=model", "--widen"], ["--widen", *pairs], ["--for", "model"], ["--widen=0.7", *pairs]):
        done = cynical("select", "-r", "r.txt", "-a", "a.txt", "-o", "o.tsv", "--overwrite", "--all", *options)
        assert done.returncode == 0, done.stderr
        outputs.append((tmp_path / "o.tsv").read_bytes())
    assert outputs[0] == outputs[1] and outputs[2] == outputs[3]
    done = cynical("select", "-r", "r.txt", "-a", "a.txt", "-o", "o2.tsv", "--widen", "inf")
    assert done.returncode == 2 and "--widen must be 0 or more, found inf" in done.stderr


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 4), st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True))
def test_lines_of_equal_hashes_and_other_words_are_not_left_out(different: int, test: list[int]) -> None:
    """Of a text, and of what widens: with so few hashes that many lines share one."""
    lines = [f"stir the milk{n % 7} and bake it" for n in range(12)]
    held, how = [lines[n] for n in test], HowToOpen(Tokenizer(), 1, Progress())

    def coarse(*told: Any) -> Any:
        hashes = hash_lines(*told)
        return np.where(hashes == 0, hashes, hashes % np.uint64(different) + np.uint64(1))

    with mock.patch("cynical.selection.excluded.hash_lines", coarse):
        text, excluded = (Corpus.in_memory("text", [one.encode() for one in some]) for some in ([*lines, ""], held))
        found = equal_lines(text, Excluded.of(excluded, how), how, "text")
    assert found.tolist() == [line in held for line in lines] + [False]

    def widened() -> int:
        chosen = cynical.select(RECIPES, [*OTHERS, *lines], widen=1, lines=1, exclude=held)
        return int(chosen.summary["widened"].lines) if "widened" in chosen.summary else 0

    with judged(np.array([float(line.startswith("stir")) for line in [*OTHERS, *lines]]), 0.01):
        exact = widened()
        with (
            mock.patch("cynical.selection.excluded.hash_lines", coarse),
            mock.patch("cynical.selection.second_model.hash_lines", coarse),
        ):
            assert widened() == exact == sum(line not in held for line in lines)
