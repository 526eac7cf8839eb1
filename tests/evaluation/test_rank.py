"""Baselines: orders of their own, scored as the oracle scores them, in files of the same kind as a selection's."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.api import read
from cynical.evaluation.baselines import METHODS
from cynical.evaluation.baselines.dsir import gumbel
from cynical.model import random_numbers as lots
from cynical.options.method import MethodName
from cynical.selection.order import best_first
from cynical.text import corpus
from tests import oracle
from tests.against_oracle import WORDS, encoded, lines_of, shares_a_word, some_words, zipfian
from tests.conftest import Run

TASK, POOL = zipfian(40, 1), zipfian(300, 2)
SIMPLE = ["random", "in-order", "longest", "dsir"]  # test_compare.py has the order of Moore-Lewis
ONE_SIDE = [method for method in METHODS if method != "bilingual-moore-lewis"]
methods = st.sampled_from(SIMPLE)


def check_path(jaded: cynical.Jaded, problem: oracle.Problem) -> None:
    """Deltas and entropies are the oracle's along this order, to the last bit where they are sums of integers."""
    before = problem.before
    picks = oracle.follow(problem, jaded.lines.tolist())
    assert jaded.delta.tolist() == [pick.delta for pick in picks]
    assert jaded.penalty.tolist() == [pick.penalty for pick in picks]
    assert jaded.gain.tolist() == [pick.gain for pick in picks]
    assert jaded.words.tolist() == [pick.words for pick in picks]
    assert jaded.best_words == [pick.word for pick in picks]
    assert jaded.entropy_before == pytest.approx(before, abs=1e-12)
    assert jaded.entropy == pytest.approx([pick.entropy for pick in picks], abs=1e-11)
    assert jaded.stop == oracle.stopping_point(jaded.entropy_before, jaded.entropy.tolist())
    if jaded.feature_entropy is not None:
        assert jaded.feature_entropy == pytest.approx([pick.feature_entropy for pick in picks], abs=1e-11)


@pytest.mark.slow
@given(
    representative=some_words,
    available=lines_of(WORDS, 20, 12),
    method=methods,
    seed=st.sampled_from([0, 1, 2**64 - 1]),
    buckets=st.sampled_from([1, 7, 10_000]),
    smoothing=st.sampled_from([0.01, 1.0]),
    ngrams=st.integers(1, 3),
)
@settings(max_examples=300)
def test_a_baseline_has_its_own_order_and_the_scores_of_the_oracle_along_it(
    representative: list[str],
    available: list[str],
    method: MethodName,
    seed: int,
    buckets: int,
    smoothing: float,
    ngrams: int,
) -> None:
    assume(shares_a_word(representative, available))
    options: dict[str, Any] = {"smoothing": smoothing, "ngrams": ngrams}
    jaded = cynical.rank(representative, available, method=method, random_seed=seed, buckets=buckets, jobs=2, **options)
    assert jaded.lines.tolist() == oracle.order_of(method, encoded(representative), encoded(available), seed, buckets)
    check_path(jaded, oracle.Problem([[encoded(representative)]], [encoded(available)], **options))


@pytest.mark.parametrize("method", SIMPLE)
def test_a_text_of_three_hundred_lines_is_followed_as_the_oracle_follows_it(method: MethodName) -> None:
    jaded = cynical.rank(TASK, POOL, method=method, ngrams=2)
    assert jaded.lines.tolist() == oracle.order_of(method, encoded(TASK), encoded(POOL), 0, 10_000)
    assert jaded.summary["search"]["ended_by"] == "lines" and jaded.summary["stop"]["known"]
    check_path(jaded, oracle.Problem([[encoded(TASK)]], [encoded(POOL)], ngrams=2))


def test_dsir_weighs_lines_as_the_slow_version_does() -> None:
    jaded = cynical.rank(TASK, POOL, method="dsir", random_seed=5, buckets=100)
    scores = oracle.dsir([[encoded(TASK)]], [encoded(POOL)], 100, 5)
    assert jaded.score is not None
    assert jaded.score == pytest.approx([scores[line] for line in jaded.lines.tolist()], abs=1e-9)
    assert np.all(np.diff(jaded.score) <= 0)


def test_dsir_mixes_targets_by_their_weights_and_counts_both_sides() -> None:
    targets, pool = [(zipfian(30, 3), zipfian(30, 4)), (zipfian(9, 5), zipfian(9, 6))], (POOL, zipfian(300, 7))
    jaded = cynical.rank(
        [targets[0][0], targets[1][0]],
        pool[0],
        representative_with=(targets[0][1], targets[1][1]),
        with_=pool[1],
        weights=[0.7, 0.3],
        method="dsir",
        buckets=50,
    )
    texts = [[encoded(side) for side in target] for target in targets]
    scores = oracle.dsir(texts, [encoded(side) for side in pool], 50, 0, [0.7, 0.3])
    assert jaded.score is not None
    assert jaded.score == pytest.approx([scores[line] for line in jaded.lines.tolist()], abs=1e-9)
    check_path(jaded, oracle.Problem(texts, [encoded(side) for side in pool], weights=[0.7, 0.3]))


def test_dsir_takes_counts_with_pairs_in_place_of_a_text(tmp_path: Path) -> None:
    text = cynical.rank(TASK, POOL, method="dsir", ngrams=2)
    counts = cynical.count(TASK, ngrams=3)
    counts.write(tmp_path / "task.counts")
    for held in (cynical.count(TASK, ngrams=2), counts, tmp_path / "task.counts"):
        ngrams = held.ngrams if isinstance(held, cynical.Counts) else 3
        of_counts = cynical.rank(held, POOL, method="dsir", ngrams=ngrams)
        assert of_counts.score is not None and text.score is not None
        assert of_counts.lines.tolist() == text.lines.tolist() and of_counts.score.tolist() == text.score.tolist()


def test_dsir_says_what_it_needs_where_counts_are_of_words_alone() -> None:
    with pytest.raises(cynical.CynicalError, match="count again with ngrams=2 and give ngrams=2 here too"):
        cynical.rank(cynical.count(TASK), POOL, method="dsir")
    assert len(cynical.rank(cynical.count(TASK), POOL, method="random"))


def test_the_hash_is_fnv_and_the_lots_are_those_of_splitmix() -> None:
    assert oracle.fnv(b"foobar") == 0x85944171F73967E8
    state = np.array([1234567], np.uint64)
    stream = lots.mix(state + np.arange(1, 4, dtype=np.uint64) * lots.GOLDEN)
    assert stream.tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert lots.draw(3, 50).tolist() == [oracle.lot(3, line) for line in range(50)]


def test_every_order_of_three_lines_is_drawn_about_as_often() -> None:
    seen = Counter(tuple(np.argsort(lots.draw(seed, 3)).tolist()) for seed in range(6000))
    assert set(seen) == set(itertools.permutations(range(3)))
    assert sum((times - 1000) ** 2 / 1000 for times in seen.values()) < 20.5  # one in a thousand, at five degrees


def test_lots_fill_the_space_between_0_and_1_evenly() -> None:
    drawn = lots.draw(0, 100_000)
    assert 0 < drawn.min() < 1e-4 and 1 - 1e-4 < drawn.max() < 1
    times = np.histogram(drawn, 100, (0, 1))[0]
    assert ((times - 1000) ** 2 / 1000).sum() < 149  # one in a thousand, at 99 degrees
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.02
    assert abs(np.corrcoef(drawn, lots.draw(1, 100_000))[0, 1]) < 0.02


def test_the_first_line_is_drawn_by_its_weight() -> None:
    weights = np.log2([1.0, 2.0, 5.0])
    seen = np.bincount([int(np.argmax(weights + gumbel(seed, 3))) for seed in range(8000)], minlength=3)
    expected = np.array([1000, 2000, 5000])
    assert ((seen - expected) ** 2 / expected).sum() < 13.9  # one in a thousand, at two degrees


def test_another_seed_draws_another_order_and_the_same_seed_the_same() -> None:
    for method in ("random", "dsir"):
        first, again, other = (
            cynical.rank(TASK, POOL, method=method, random_seed=seed).lines.tolist() for seed in (1, 1, 2)
        )
        assert first == again != other and sorted(first) == sorted(other)


@pytest.mark.parametrize("method", ONE_SIDE)
def test_threads_and_chunks_change_nothing(method: MethodName, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cynical.rank(TASK, POOL, method=method, jobs=1)
    monkeypatch.setattr(corpus, "CHUNK", 64)
    for jobs in (1, 4):
        pieces = cynical.rank(TASK, POOL, method=method, jobs=jobs)
        assert b"".join(pieces.to_bytes()) == b"".join(whole.to_bytes())


@pytest.mark.parametrize("method", ONE_SIDE)
def test_a_budget_gives_a_prefix_and_is_never_exceeded(method: MethodName) -> None:
    whole = cynical.rank(TASK, POOL, method=method, all=True)
    default = cynical.rank(TASK, POOL, method=method)
    assert default.lines.tolist() == whole.lines.tolist() and default.summary["settings"]["all"]
    total = sum(len(line.split()) for line in POOL)
    for budget in ({"lines": 7}, {"words": 100}, {"words": 1}, {"share": 0.1}, {"share": 1.0}, {"lines": 10**6}):
        cut = cynical.rank(TASK, POOL, method=method, **budget)
        size = len(cut)
        assert cut.lines.tolist() == whole.lines[:size].tolist()
        assert cut.entropy.tolist() == whole.entropy[:size].tolist()
        most = budget.get("words", budget.get("share", 1.0) * total)
        assert cut.words.sum() <= most
        longer = size < len(whole) and size < budget.get("lines", 10**6)
        assert not longer or cut.words.sum() + whole.words[size] > most


def test_ties_go_to_the_earlier_line() -> None:
    assert cynical.rank(["a"], ["b b", "a", "a a", "b", "c c c"], method="longest").lines.tolist() == [4, 0, 2, 1, 3]
    score, allowed = np.array([1.0, 2.0, 1.0, 2.0, 0.0]), np.array([True, True, True, True, False])
    assert best_first(allowed, score).tolist() == [1, 3, 0, 2]
    assert best_first(allowed, -score).tolist() == [0, 2, 1, 3]
    assert best_first(allowed, None).tolist() == [0, 1, 2, 3]


def test_only_a_method_with_scores_has_a_column_for_them() -> None:
    plain, scored = (cynical.rank(TASK, POOL, method=method, lines=3) for method in ("in-order", "longest"))
    assert plain.score is None and b"score" not in b"".join(plain.to_bytes())
    header, *rows = b"".join(scored.to_bytes()).decode().splitlines()
    assert header == "rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\tscore\ttext"
    assert [row.split("\t")[8] for row in rows] == [row.split("\t")[6] for row in rows]
    both = cynical.rank(TASK, POOL, method="longest", lines=3, ngrams=2)
    assert b"\tword\tfeature_entropy\tscore\ttext\n" in b"".join(both.to_bytes())
    assert both.to_pandas()["score"].tolist() == both.words.tolist()
    assert cynical.select(TASK, POOL, lines=3).score is None


def test_what_may_not_be_picked_is_left_out_and_counted() -> None:
    pool = ["a b", "", "a", "x y z", "a b", "a b", "c d", " ", "b c d"]
    bounds: dict[str, Any] = {"max_copies": 2, "min_length": 2, "max_length": 2}
    jaded = cynical.rank(["a b"], pool, method="in-order", exclude=["c d"], exclude_ngrams=2, **bounds)
    assert jaded.lines.tolist() == [0, 4]
    assert jaded.summary["skipped"] == {
        "blank": 2,
        "excluded": 1,
        "contaminated": 1,
        "in_seed": 0,
        "too_short": 1,
        "too_long": 1,
        "copies": 1,
        "bad_records": 0,
    }


def test_an_option_without_effect_earns_a_notice() -> None:
    with pytest.warns(cynical.CynicalWarning, match='random_seed has no effect with method="longest"'):
        cynical.rank(TASK, POOL, method="longest", random_seed=1)
    with pytest.warns(cynical.CynicalWarning, match='buckets has no effect with method="random"'):
        jaded = cynical.rank(TASK, POOL, method="random", buckets=10, random_seed=1)
    assert [notice for notice in jaded.summary["notices"] if "--random-seed" in notice] == []
    assert jaded.summary["settings"]["buckets"] is None and jaded.summary["settings"]["random_seed"] == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "best"}, 'method="best": unknown value; choose from random, in-order, longest, dsir'),
        ({"random_seed": -1}, "random_seed must be a whole number of at least 0, found -1"),
        ({"random_seed": 2**64}, r"random_seed must be less than 2\^64"),
        ({"random_seed": 0.5}, "random_seed must be a whole number"),
        ({"method": "dsir", "buckets": 0}, "buckets must be a whole number of at least 1, found 0"),
        ({"method": "dsir", "buckets": 2**40}, "buckets must be at most"),
        ({"lines": 3, "share": 0.1}, "lines and share cannot be combined"),
        ({"smoothing": 0}, "smoothing must be more than 0"),
        ({"with_": {"score": ["x"] * 300}}, "'score' is not a valid name for a side"),
    ],
)
def test_wrong_options_raise_an_error(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(cynical.CynicalError, match=sentence):
        cynical.rank(TASK, POOL, **options)


def test_nothing_is_picked_where_the_first_line_does_not_fit() -> None:
    jaded = cynical.rank(["a b"], ["a", "a b c d"], method="longest", words=3)
    assert len(jaded) == 0
    assert any("the first line does not fit into --words 3" in notice for notice in jaded.summary["notices"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "task.txt").write_text("\n".join(TASK) + "\n")
    (tmp_path / "pool.en").write_text("\n".join(POOL) + "\n")
    (tmp_path / "pool.de").write_text("".join(f"Zeile\t{number}\n" for number in range(len(POOL))))
    records = [{"text": line, "score": number} for number, line in enumerate(POOL)]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path


def rank(cynical: Run, *arguments: str) -> str:
    done = cynical("rank", "-r", "task.txt", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.slow
def test_the_command_line_ranks_cuts_and_continues(cynical: Run, folder: Path) -> None:
    said = rank(cynical, "-a", "pool.en", "--with", "pool.de", "--method", "random", "--share", "0.5", "-o", "r.tsv")
    assert "random seed 0" in said and "next: cynical cut r.tsv" in said
    summary = json.loads((folder / "r.tsv.json").read_text())
    assert summary["method"] == summary["settings"]["method"] == "random" and "strategy" not in summary["settings"]
    header, *rows = (folder / "r.tsv").read_text().splitlines()
    assert header.split("\t")[8:] == ["score", "de", "text"]
    for row in rows:
        _, line, *_, side, text = row.split("\t")
        assert side == f"Zeile\\t{int(line) - 1}" and text == POOL[int(line) - 1]
    bits = [[float(cell) for cell in row.split("\t")[2:6]] for row in rows]
    assert sum(delta for delta, *_ in bits) + summary["entropy"]["before"] == pytest.approx(bits[-1][3], abs=1e-6)

    assert cynical("cut", "r.tsv", "--lines", "9", "-o", "nine.tsv").returncode == 0
    assert (folder / "nine.tsv").read_text().splitlines() == [header, *rows[:9]]
    assert cynical("cut", "r.tsv", "--stop", "-o", "best.en").returncode == 0
    assert len((folder / "best.en").read_text().splitlines()) == summary["stop"]["lines"] + 1  # it is a table
    assert cynical("cut", "nine.tsv", "--lines", "9", "-o", "nine.txt").returncode == 0
    assert (folder / "nine.txt").read_text().splitlines() == [row.split("\t")[-1] for row in rows[:9]]
    assert (folder / "nine.txt.de").read_text().splitlines() == [
        f"Zeile\t{int(row.split(chr(9))[1]) - 1}" for row in rows[:9]
    ]
    done = cynical("select", "-r", "task.txt", "-a", "pool.en", "-s", "r.tsv", "--all", "-o", "more.tsv")
    assert done.returncode == 0 and f"{len(rows)} lines excluded by line number" in done.stderr
    more = {row.split("\t")[1] for row in (folder / "more.tsv").read_text().splitlines()[1:]}
    assert more.isdisjoint(row.split("\t")[1] for row in rows)


@pytest.mark.slow
def test_a_score_is_read_back_and_is_no_side(cynical: Run, folder: Path) -> None:
    rank(cynical, "-a", "pool.en", "--with", "pool.de", "--method", "longest", "-o", "l.tsv", "-q")
    (folder / "l.tsv.json").unlink()
    ranking = read(folder / "l.tsv")
    assert list(ranking.sides) == ["de"] and ranking.score is not None
    assert ranking.score.tolist() == [float(words) for words in ranking.words]
    rank(cynical, "-a", "pool.en", "--method", "in-order", "-o", "i.tsv", "-q")
    assert read(folder / "i.tsv").score is None


@pytest.mark.slow
def test_records_keep_their_own_score_beside_the_ranking_s(cynical: Run, folder: Path) -> None:
    import pyarrow.parquet

    rank(cynical, "-a", "pool.jsonl", "--method", "dsir", "--lines", "5", "-o", "d.jsonl", "-q")
    rank(cynical, "-a", "pool.jsonl", "--method", "dsir", "--lines", "5", "-o", "d.parquet", "-q")
    made = [json.loads(line) for line in (folder / "d.jsonl").read_text().splitlines()]
    assert [record["score"] for record in made] == [record["cynical_line"] - 1 for record in made]
    scores = [record["cynical_score"] for record in made]
    assert scores == sorted(scores, reverse=True)
    table = pyarrow.parquet.read_table(folder / "d.parquet").to_pydict()
    assert table["cynical_score"] == scores and table["score"] == [record["score"] for record in made]
    rank(cynical, "-a", "d.jsonl", "--method", "in-order", "-o", "again.jsonl", "-q")
    assert "cynical_score" not in (folder / "again.jsonl").read_text()


def test_a_tsv_file_s_own_score_makes_way(cynical: Run, folder: Path) -> None:
    (folder / "pool.tsv").write_text("score\ttext\n" + "".join(f"s{n}\t{line}\n" for n, line in enumerate(POOL)))
    rank(cynical, "-a", "pool.tsv", "--text-key", "text", "--method", "random", "--lines", "3", "-o", "t.tsv", "-q")
    header, *rows = (folder / "t.tsv").read_text().splitlines()
    assert header.split("\t")[8:] == ["score", "record_score", "text"]
    assert all(row.split("\t")[9] == f"s{int(row.split(chr(9))[1]) - 1}" for row in rows)


def test_slips_on_the_command_line_are_told_in_one_line(cynical: Run, folder: Path) -> None:
    arguments = ("rank", "-r", "task.txt", "-a", "pool.en", "-o", "out.tsv")
    for more, sentence in (
        ((), "Missing option '--method'"),
        (("--method", "better"), "'better' is not one of 'random', 'in-order'"),
        (("--method", "random", "--patience", "1"), "No such option"),
        (("--method", "random", "--random-seed", "x"), "not a whole number"),
    ):
        done = cynical(*arguments, *more)
        assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1
    assert cynical("rank", "-r", "task.txt", "-a", "pool.en", "--method", "random", "-o", "pool.en").returncode == 2
    assert not (folder / "out.tsv").exists()


def test_help_lists_every_method_and_imports_neither_numba_nor_numpy() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from cynical.cli.main import cli;"
        "print(CliRunner().invoke(cli, ['rank', '--help']).output); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shown, imported = done.stdout.rsplit("\n", 2)[0], set(done.stdout.split())
    assert all(f"  {method}  " in shown for method in METHODS)
    assert not imported & {"numba", "numpy", "llvmlite"}


SMALL = """
import cynical
from tests.against_oracle import zipfian
for method in ("random", "in-order", "longest", "dsir"):
    jaded = cynical.rank(zipfian(5, 1), zipfian(40, 2), method=method, ngrams=2, buckets=11,
                         representative_with=zipfian(5, 3), with_=zipfian(40, 4))
    print(jaded.lines.tolist(), jaded.delta.tolist(), jaded.score)
of_counts = cynical.rank(cynical.count(zipfian(5, 1), ngrams=2), zipfian(40, 2), method="dsir", ngrams=2)
print(of_counts.lines.tolist(), of_counts.score)
"""


@pytest.mark.slow
def test_the_kernels_are_right_where_a_wild_index_raises() -> None:
    root, command = Path(__file__).parents[2], [sys.executable, "-W", "ignore", "-c", SMALL]
    said = []
    for setting in ("NUMBA_NOTHING", "NUMBA_DISABLE_JIT"):
        done = subprocess.run(command, cwd=root, env={**os.environ, setting: "1"}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        said.append(done.stdout)
    assert said[0] == said[1]


def test_the_largest_random_seed_is_one() -> None:
    """The classifier counts on from it."""
    assert np.array_equal(lots.draw(2**64 + 3, 4), lots.draw(3, 4))
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        made = cynical.rank(["a cat", "a dog"], ["a cat ran", "one bird"], method="classifier", random_seed=2**64 - 1)
    assert len(made) == 2
