"""A Scorer says of any line what `select` would give it as the next pick."""

from __future__ import annotations

import inspect
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from tests import oracle
from tests.against_oracle import WORDS, encoded, lines_of, some_words
from tests.test_api import declared

TASK, POOL = ["a cat sat", "a cat ran"], ["a dog ran", "", "the bird flew", "a cat"]


def expected(problem: oracle.Problem, line: int) -> list[float]:
    """Of a line: delta, penalty, gain, words; a blank line changes nothing."""
    if line not in problem.lines:
        return [0.0, 0.0, 0.0, 0]
    gain = sum(problem.gains(line).values()) * oracle.UNIT
    return [problem.delta(line), problem.penalty(line), gain, problem.lines[line][1]]


def found(scores: cynical.Scores) -> list[list[float]]:
    columns = (scores.delta, scores.penalty, scores.gain, scores.words)
    return [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def doubled(lines: list[str]) -> list[str]:
    """Another side: the same lines in other words."""
    return [" ".join(word[::-1] for word in line.split()[1:]) for line in lines]


@settings(max_examples=40)
@given(
    representative=some_words,
    lines=lines_of(WORDS, 6, longest=14),
    seed=lines_of(WORDS, 3),
    ngrams=st.sampled_from([1, 2, 3]),
    both=st.booleans(),
    per=st.sampled_from(["line", "word"]),
    smoothing=st.sampled_from([0.01, 1.0]),
    ngram_smoothing=st.sampled_from([0.0, 0.7, 5000.0]),
)
def test_a_score_is_what_the_next_pick_would_get(
    representative: list[str],
    lines: list[str],
    seed: list[str],
    ngrams: int,
    both: bool,
    per: Any,
    smoothing: float,
    ngram_smoothing: float,
) -> None:
    def sides(text: list[str]) -> list[list[bytes]]:
        return [encoded(text), encoded(doubled(text))] if both else [encoded(text)]

    if both and not any(doubled(representative)):
        representative = [*representative, "a b"]
    corpora = [sides(representative)], sides(lines), sides(seed), None
    problem = oracle.Problem(*corpora, "full", smoothing, ngrams, ngram_smoothing=ngram_smoothing)
    more: dict[str, Any] = {"representative_with": doubled(representative)} if both else {}
    if ngrams > 1:
        more["ngram_smoothing"] = ngram_smoothing
    if seed:
        more |= {"seed": seed} | ({"seed_with": doubled(seed)} if both else {})
    scorer = cynical.Scorer(representative, ngrams=ngrams, per=per, smoothing=smoothing, jobs=1, **more)
    scores = scorer.score(lines, doubled(lines) if both else None)
    wanted = [expected(problem, line) for line in range(len(lines))]
    assert found(scores) == wanted
    per_word = [delta / max(words, 1) for delta, _, _, words in wanted]
    assert scores.bits_per_word.tolist() == per_word
    assert scores.score.tolist() == (per_word if per == "word" else scores.delta.tolist())


@settings(max_examples=15)
@given(
    representative=some_words,
    lines=lines_of(WORDS, 6, longest=14),
    how=st.sampled_from([{"ngrams": 1}, {"ngrams": 2}, {"ngrams": 2, "ngram_smoothing": 40.0}]),
)
def test_classes_are_those_of_unadapted(representative: list[str], lines: list[str], how: dict[str, Any]) -> None:
    unadapted = [*lines, "a b"]
    problem = oracle.Problem(
        [[encoded(representative)]], [encoded(unadapted)], [[]], [encoded(unadapted)], "classes", 0.01, **how
    )
    scorer = cynical.Scorer(representative, unadapted=unadapted, vocabulary="classes", jobs=1, **how)
    assert found(scorer.score(unadapted)) == [expected(problem, line) for line in range(len(unadapted))]


def test_the_state_is_that_of_select_after_its_picks() -> None:
    jaded = cynical.select(TASK, POOL, all=True)
    scorer = cynical.Scorer(TASK, seed=cynical.cut(jaded, lines=2))
    scores = scorer.score(jaded.texts)
    assert (scores.delta[2], scores.gain[2], scores.penalty[2]) == (jaded.delta[2], jaded.gain[2], jaded.penalty[2])


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"ngrams": 2},
        {"ngrams": 2, "ngram_smoothing": 9.0},
        {"classifier": True, "unadapted": POOL},
        {"vocabulary": "classes", "unadapted": POOL},
    ],
)
def test_a_pickled_scorer_gives_the_same_scores(more: dict[str, Any]) -> None:
    scorer = cynical.Scorer(TASK, seed=["a dog"], **more)
    scores = scorer.score(POOL)
    raw = pickle.dumps(scorer)
    assert len(raw) < 2000
    again = pickle.loads(raw).score(POOL)
    assert found(again) == found(scores)
    if more.get("classifier"):
        assert scores.classifier is not None and again.classifier is not None
        assert again.classifier.tolist() == scores.classifier.tolist()
        assert scores.columns.keys() == {"delta", "penalty", "gain", "words", "bits_per_word", "classifier"}


def shouted(line: str) -> list[str]:
    return line.upper().split()


def test_a_tokenizer_that_is_an_object_goes_along() -> None:
    scorer = cynical.Scorer(TASK, tokenizer=shouted)
    again = pickle.loads(pickle.dumps(scorer))
    assert found(again.score(POOL)) == found(scorer.score(POOL))


@pytest.mark.slow
def test_worker_processes_share_a_scorer() -> None:
    scorer = cynical.Scorer(TASK, ngrams=2)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        there = pool.submit(scorer.score, POOL).result()
    assert found(there) == found(scorer.score(POOL))


def test_lines_are_given_in_any_way(tmp_path: Path) -> None:
    scorer = cynical.Scorer(TASK)
    wanted = found(scorer.score(POOL))
    (tmp_path / "pool.txt").write_text("".join(line + "\n" for line in POOL))
    for given_lines in (tuple(POOL), iter(POOL), tmp_path / "pool.txt", [{"text": line} for line in POOL]):
        assert found(scorer.score(given_lines)) == wanted
    assert len(scorer.score([])) == 0
    assert found(scorer.score(["a\ncat"])) == found(scorer.score(["a cat"]))


def test_the_other_side_may_have_a_name() -> None:
    scorer = cynical.Scorer(TASK, representative_with={"de": ["eine katze", "die katze"]})
    scores = scorer.score(["a cat"], with_={"de": ["die katze"]})
    assert scores.words.tolist() == [4] and scorer.sides == 2
    assert found(scorer.score(["a cat"], ["die katze"])) == found(scores)
    with pytest.raises(cynical.CynicalError, match="made for 2 sides, but got 1; give the other sides with with_"):
        scorer.score(["a cat"])
    with pytest.raises(cynical.CynicalError, match="the sides have 2 and 1 lines"):
        scorer.score(["a cat", "a dog"], ["die katze"])


def test_what_needs_other_text_says_so() -> None:
    needing: list[dict[str, Any]] = [{"vocabulary": "classes"}, {"classifier": True}, {"for_": "model"}]
    for more in needing:
        with pytest.raises(
            cynical.CynicalError, match=r"compares REPRESENTATIVE with other text; give unadapted=UNADAPTED"
        ):
            cynical.Scorer(TASK, **more)
    with pytest.raises(cynical.CynicalError, match=r"are trained on lines, but this is a \.counts file"):
        cynical.Scorer(TASK, unadapted=cynical.count(POOL), classifier=True)
    with pytest.warns(cynical.CynicalWarning, match='unadapted has no effect without vocabulary="classes", widen'):
        cynical.Scorer(TASK, unadapted=POOL)
    with pytest.raises(cynical.CynicalError, match="line 2: an int, not a string"):
        cynical.Scorer(TASK).score(["a", 2])  # type: ignore[arg-type]


def test_a_scorer_has_the_options_of_the_command() -> None:
    streamed = {"available", "with_"}  # what score() gets
    elsewhere = {"part", "engine", "workers", "address"}  # what only a command does
    parameters = inspect.signature(cynical.Scorer).parameters
    options = {name: one for name, one in declared("score").items() if name not in streamed | elsewhere}
    assert set(parameters) - {"progress"} == set(options)
    for name, one in options.items():
        default = parameters[name].default
        assert one.required or default == one.default or (one.default == () and default is None), name


def test_every_parameter_is_explained() -> None:
    section = (inspect.getdoc(cynical.Scorer) or "").partition("Parameters\n----------\n")[2]
    explained = re.findall(r"^(\w+) : .+\n    \S", section.partition("\nExamples\n")[0], re.MULTILINE)
    assert explained == list(inspect.signature(cynical.Scorer).parameters)
