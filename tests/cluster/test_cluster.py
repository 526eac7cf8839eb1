"""A selection on many machines has the picks of one, to the byte; whatever is lost on the way."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical as package
from cynical.cluster import driver
from cynical.cluster.run import ClusterRun, run
from cynical.cluster.worker import Shard, make_shard
from cynical.cluster.workers import Here, LostWorkerError
from cynical.errors import CynicalError
from cynical.evaluation.rank import rank_prepared as rank_baseline
from cynical.evaluation.rank import rate
from cynical.jaded.summary import EngineFacts
from cynical.options import Reading, Settings
from cynical.progress import Progress
from cynical.selection import opening
from cynical.selection.inputs import gather
from cynical.selection.run import rank_prepared
from cynical.text.partition import Share
from tests.against_oracle import WORDS, lines_of, shares_a_word, some_words, zipfian
from tests.conftest import Run

OF_CORPORA = ("available", "representative", "seed", "unadapted", "exclude", "index", "classes", "skipped")
OF_PICKS = ("picked", "entropy", "feature_entropy", "perplexity", "stop", "covered", "notices", "settings")


class Away(Here):
    """A worker as if in another process: it gets copies that cannot be written to, and so do those who ask it."""

    def ask(self, method: str, *arguments: object) -> object:
        return sent(super().ask(method, *sent(arguments)))


def sent(message: Any) -> Any:
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(message, 5, buffer_callback=buffers.append)
    return pickle.loads(content, buffers=[bytes(one.raw()) for one in buffers])


class Fragile(Away):
    """A worker that is lost when it has been asked so often, the work done and the answer gone."""

    def __init__(self, shard: Shard, life: int) -> None:
        super().__init__(shard)
        self.life = life

    def answer(self, asked: Any) -> Any:
        self.life -= 1
        if self.life == 0:
            raise LostWorkerError("as planned")
        return asked


@contextmanager
def selected(
    representative: Path, available: Any, workers: int, lives: list[int] | None = None, **options: Any
) -> Iterator[ClusterRun]:
    """A run with shards in this process; `lives` says after how many answers each worker that is hired is lost."""
    left = list(lives or [])

    def hire(share: Share, plan: bytes, again: bool) -> Here:
        shard = make_shard(share, plan)
        return Fragile(shard, left.pop(0)) if left else Away(shard)

    inputs, chosen = told(representative, available, **options)
    facts = EngineFacts(name="here", version="", processors=1)
    rank = rank_baseline if chosen.baseline is not None else partial(rank_prepared, rate=rate)
    with run(inputs, chosen, Progress(), workers, hire, facts, rank=rank) as made:
        yield made


def told(representative: Path, available: Any, **options: Any) -> tuple[Any, Settings]:
    """Inputs and settings from the options of `cynical.select`."""
    known = {name: options.pop(name, None) for name in ("unadapted", "seed", "exclude", "prior", "by")}
    sides = {"sides": options.pop("with_", ()), "representative_with": options.pop("representative_with", ())}
    reading = Reading(**{name: options.pop(name) for name in ("text_key", "id_key", "unit") if name in options})
    inputs = gather([str(representative)], available, **known, **sides, reading=reading)
    return inputs, Settings.of(jobs=1, **options)


def compare(representative: Path, available: Any, workers: int, lives: list[int] | None = None, **options: Any) -> None:
    """The same ranking, the same summary and the same file."""
    with warnings.catch_warnings(action="ignore", category=package.CynicalWarning):
        local = (package.rank if "method" in options else package.select)(representative, available, **options)
    folder = representative.parent
    with selected(representative, available, workers, lives, **options) as made:
        made.with_texts().write(str(folder / "far.tsv"), format="tsv", overwrite=True)
        made.with_texts().write(str(folder / "far.txt"), format="text", overwrite=True)
        far = made.learn_places()
    for name in ("lines", "delta", "penalty", "gain", "entropy", "words", "word"):
        assert getattr(far, name).tolist() == getattr(local, name).tolist(), name
    assert (far.feature_entropy is None) == (local.feature_entropy is None)
    assert far.stop == local.stop
    assert far.vocabulary == local.vocabulary
    for name in (*OF_CORPORA, *OF_PICKS):
        assert far.summary[name] == local.summary[name], name
    for name in ("signature", "widened", "model_stop", "prior", "among"):
        assert getattr(far.summary, name) == getattr(local.summary, name), name
    assert (folder / "far.tsv").read_bytes() == b"".join(local.to_bytes("tsv"))
    for side, name in enumerate(["far.txt", *(f"far.txt.{name}" for name in local.content.sides)]):
        assert (folder / name).read_bytes() == b"".join(local.to_bytes("text", side)), name
    assert b"".join(far.to_bytes("tsv")) == b"".join(local.to_bytes("tsv"))
    assert not list(folder.glob(".cynical*"))


def written(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    return path


@pytest.mark.slow
@given(
    some_words,
    lines_of(WORDS, most=40),
    lines_of(WORDS, most=3),
    st.integers(1, 5),
    st.sampled_from(["line", "word"]),
    st.sampled_from(["full", "classes"]),
    st.integers(1, 3),
    st.sampled_from([{"all": True}, {"lines": 5}, {"words": 12}, {"share": 0.4}, {}]),
    st.sampled_from([None, 3]),
    st.sampled_from([1e-6, 0.01, 30.0]),
    st.sampled_from([0.0, 0.7, 5000.0]),
    st.lists(st.integers(1, 12), max_size=3),
    st.integers(1, 4),
    st.sampled_from([1, 20, 1 << 32]),
    st.sampled_from([0, 1, 30, 200, 1 << 22]),
    st.sampled_from([1, 40, 1 << 22]),
    st.sampled_from([1.0, 1.2, 1e9]),
)
@settings(max_examples=150)
def test_shards_pick_what_one_machine_picks(
    tmp_path_factory: pytest.TempPathFactory,
    representative: list[str],
    available: list[str],
    seed: list[str],
    workers: int,
    per: str,
    vocabulary: str,
    ngrams: int,
    budget: dict[str, Any],
    max_length: int | None,
    smoothing: float,
    ngram_smoothing: float,
    lives: list[int],
    rows: int,
    most: int,
    kept: int,
    offered: int,
    growth: float,
) -> None:
    """With so few rows in a round that there are many, so few entries in a heap that a length has several, and so
    little that the driver may keep that rows go back to their shards."""
    allowed = [line for line in available if line and (max_length is None or len(line.split()) <= max_length)]
    assume(shares_a_word(representative, available) and allowed)
    folder = tmp_path_factory.mktemp("far")
    wanted = written(folder, "wanted", representative)
    half = len(available) // 2
    pool = [written(folder, "a", available[:half]), written(folder, "b", available[half:])]
    options: dict[str, Any] = {**budget, "per": per, "vocabulary": vocabulary, "ngrams": ngrams}
    options |= {"smoothing": smoothing, "max_length": max_length, "ngram_smoothing": ngram_smoothing}
    if any(line.split() for line in seed):
        options["seed"] = str(written(folder, "seed", seed))
    few_entries = mock.patch("cynical.selection.exact.MOST_ENTRIES", most)
    few_open = mock.patch.multiple("cynical.selection.opening", LEAST_OPEN=1, LEAST_STALE=1)
    small: dict[str, Any] = {
        "LEAST": 1,
        "LEAST_EACH": 1,
        "MOST": rows,
        "KEPT": kept,
        "OFFERED": offered,
        "MOST_GROWTH": growth,
    }
    with few_entries, few_open, mock.patch.multiple("cynical.cluster.driver", **small):
        compare(wanted, pool, workers, lives, **options)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_ties_go_to_the_earlier_line_whoever_holds_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rows: int
) -> None:
    """Few words of few counts, so that many lines are worth the same, or nearly so: gains of more than an eighth of a
    bit that differ by some 2^-56 give one delta."""
    monkeypatch.setattr(opening, "LEAST_OPEN", 1)
    rng, compared = np.random.default_rng(rows), 0
    for number in range(60):
        sizes = [16] if number % 2 else [4] * 4, [2] * 24
        texts = [[" ".join(f"w{word}" for word in rng.integers(0, 12, n)) for n in some] for some in sizes]
        wanted, pool = written(tmp_path, "wanted", texts[0]), written(tmp_path, "pool", texts[1])
        if shares_a_word(*texts):
            local = package.select(wanted, pool, all=True)
            small: dict[str, Any] = {"LEAST": 1, "LEAST_EACH": 1, "MOST": rows, "KEPT": 20 * (number % 3)}
            with mock.patch.multiple("cynical.cluster.driver", **small):  # noqa: SIM117
                with selected(wanted, str(pool), 1 + number % 4, all=True) as made:
                    assert made.jaded.lines.tolist() == local.lines.tolist()
                    assert made.jaded.delta.tolist() == local.delta.tolist()
            compared += 1
    assert compared > 50


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("options", [{"all": True}, {"share": 0.2, "per": "word", "ngrams": 2}, {}])
def test_many_rounds_pick_what_one_search_picks(tmp_path: Path, workers: int, options: dict[str, Any]) -> None:
    wanted = written(tmp_path, "wanted", zipfian(300, 1))
    pool = written(tmp_path, "pool", zipfian(4000, 2))
    excluded = written(tmp_path, "excluded", zipfian(4000, 2)[:500])
    compare(wanted, str(pool), workers, exclude=str(excluded), min_length=2, **options)


@pytest.mark.parametrize(("first_life", "kept"), [(4, 1 << 22), (17, 1 << 22), (9, 1000), (40, 1000)])
def test_a_lost_worker_changes_nothing(tmp_path: Path, first_life: int, kept: int) -> None:
    wanted = written(tmp_path, "wanted", zipfian(300, 1))
    pool = written(tmp_path, "pool", zipfian(1000, 2))
    with mock.patch.multiple("cynical.cluster.driver", LEAST=1, LEAST_EACH=1, KEPT=kept):
        compare(wanted, str(pool), 3, [first_life, 1, 2, 3, 7], all=True)


@pytest.mark.parametrize(
    "options", [{"all": True}, {"share": 0.3, "per": "word", "ngrams": 2}, {"vocabulary": "classes"}]
)
def test_a_driver_that_died_resumes_from_its_checkpoint(tmp_path: Path, options: dict[str, Any]) -> None:
    """With other shards than before, some of which are lost too."""
    wanted = written(tmp_path, "wanted", zipfian(300, 1))
    pool = written(tmp_path, "pool", zipfian(3000, 2))
    with warnings.catch_warnings(action="ignore", category=package.CynicalWarning):
        local = package.select(wanted, pool, **options)
    kept: dict[str, Any] = {"checkpoint": tmp_path / "c", "checkpoint_every": 0.0}
    with selected(wanted, str(pool), 2, **options, **kept):
        pass
    picks = tmp_path / "c" / "picks"
    whole = picks.read_bytes()
    for share in (0.1, 0.6, 1.0):
        picks.write_bytes(whole[: int(share * len(whole)) // 16 * 16 + 7])
        with selected(wanted, str(pool), 3, [5, 4], **options, **kept) as made:
            far = made.learn_places()
        assert b"".join(far.to_bytes()) == b"".join(local.to_bytes())
        assert far.stop == local.stop and picks.read_bytes() == whole


def test_a_worker_that_is_lost_again_and_again_is_an_error_message(tmp_path: Path) -> None:
    wanted, pool = written(tmp_path, "wanted", ["a b"]), written(tmp_path, "pool", ["a b", "c"])
    with pytest.raises(CynicalError, match=r"worker 1 of 1 was lost 4 times.*more workers"):  # noqa: SIM117
        with selected(wanted, str(pool), 1, [1] * 9, all=True):
            pass


def test_lines_that_are_equal_do_not_take_a_round_each(tmp_path: Path) -> None:
    wanted = written(tmp_path, "wanted", zipfian(100, 1))
    pool = written(tmp_path, "pool", [line for line in zipfian(40, 2) for _ in range(100)])
    with selected(wanted, str(pool), 2, all=True) as made:
        assert len(made.jaded) > 3000
        assert made.jaded.summary["engine"]["rounds"] < 60


def test_a_round_brings_many_picks_where_all_the_best_lines_are_in_one_shard(tmp_path: Path) -> None:
    wanted = written(tmp_path, "wanted", zipfian(300, 1))
    pool = written(tmp_path, "pool", [*zipfian(4000, 2), *(["nothing of the kind"] * 20000)])
    with selected(wanted, str(pool), 4, lines=2000) as made:
        assert made.jaded.summary["engine"]["rounds"] < 60


def test_a_round_brings_many_picks_by_looking_ahead(tmp_path: Path) -> None:
    """Rows are given away in the order of their utility at the end of the round, not at its beginning."""
    wanted = written(tmp_path, "wanted", zipfian(300, 1, 2000))
    pool = written(tmp_path, "pool", zipfian(8000, 2, 3000, 60))
    rounds = []
    for growth in (1.0, driver.MOST_GROWTH):
        small: dict[str, Any] = {"LEAST": 16, "LEAST_EACH": 8, "MOST_GROWTH": growth, "LEAST_GROWTH": 1.0}
        with mock.patch.multiple(driver, **small), selected(wanted, str(pool), 2, lines=100) as made:
            rounds.append(made.jaded.summary["engine"]["rounds"])
    assert rounds[1] < 0.7 * rounds[0], rounds


def test_what_the_driver_keeps_is_bounded_by_a_constant(tmp_path: Path) -> None:
    """Whatever it was offered: rows that drop in rank go back, and are offered again later."""
    wanted = written(tmp_path, "wanted", zipfian(300, 1))
    pool = written(tmp_path, "pool", [*zipfian(2000, 2), *(["w1 w2 w3"] * 300)])
    local = package.select(wanted, pool, all=True)
    kept, offered = 4000, 1000
    small: dict[str, Any] = {"LEAST": 64, "LEAST_EACH": 16, "MOST": 256, "KEPT": kept, "OFFERED": offered}
    with mock.patch.multiple(driver, **small), selected(wanted, str(pool), 3, all=True) as made:
        assert made.jaded.lines.tolist() == local.lines.tolist()
        facts, last = made.jaded.summary["engine"], made.available.drivers[0]
        assert isinstance(last, driver.Driver)
        heaps = last.pool.heaps
    assert facts["returned"] > 1000 and facts["candidates"] > len(local)
    longest = 3 + 300 + 30  # a row of equal lines is given away whole
    assert len(heaps.row_data) + len(heaps.line) <= 2 * (kept + offered + 3 * longest) + 100
    assert len(heaps.node) <= 2 * (kept + offered) + 16 * len(heaps.size)


SMALL = """
import sys
from pathlib import Path
sys.path.insert(0, ".")
from tests.cluster.test_cluster import compare, written, zipfian
from unittest import mock
folder = Path(sys.argv[1])
wanted, pool = written(folder, "wanted", zipfian(20, 1, 40, 8)), written(folder, "pool", zipfian(80, 2, 60, 8))
for options in ({}, {"ngrams": 2, "per": "word"}, {"strategy": "batch"}):
    with mock.patch.multiple("cynical.cluster.driver", LEAST=1, LEAST_EACH=1, KEPT=100, OFFERED=80):
        compare(wanted, str(pool), 2, [7], all=True, **options)
"""


@pytest.mark.slow
def test_the_kernels_are_right_where_a_wild_index_raises(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", SMALL, str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--strategy", "word"), "--strategy word is not available with --engine ray"),
        (("-o", "kept/", "--rejected", "wanted"), "wanted"),
        (
            ("-o", "kept/", "--order", "pool"),
            "kept/: a folder holds one part per worker, which --order does not support",
        ),
        (
            ("-o", "kept/", "--format", "scores"),
            "--format scores cannot be written in parts; give -o the name of a file, or choose from tsv",
        ),
        (("--workers", "0"), "--workers must be a whole number of at least 1, found 0"),
        (("-a", "-"), "-: with --engine ray, AVAILABLE must be a file; write the text to a file"),
    ],
)
def test_what_is_not_available_is_an_error_message(
    cynical: Run, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    written(tmp_path, "wanted", ["a b c"])
    command = ("select", "-r", "wanted", "-a", "wanted", "-o", "out.tsv", "--engine", "ray")
    done = cynical(*command, *options, env={**os.environ, "PYTHONPATH": no_ray(tmp_path)})
    assert done.returncode == 2
    assert said in done.stderr, "before Ray is looked for"
    assert "Traceback" not in done.stderr


def no_ray(folder: Path) -> str:
    """A place where Ray is found that cannot be imported."""
    (folder / "without").mkdir(exist_ok=True)
    (folder / "without" / "ray.py").write_text("raise ImportError('no ray here')\n")
    return os.pathsep.join([str(folder / "without"), str(Path(package.__file__).parents[1])])


def test_lines_in_memory_raise_an_error(tmp_path: Path) -> None:
    wanted = written(tmp_path, "wanted", ["a b c"])
    with pytest.raises(CynicalError, match="AVAILABLE must be a file"), selected(wanted, ["a b", "c"], 1):
        pass


def test_a_missing_ray_is_an_error_message_with_the_command(cynical: Run, tmp_path: Path) -> None:
    written(tmp_path, "wanted", ["a b c"])
    command = ("select", "-r", "wanted", "-a", "wanted", "-o", "out.tsv")
    without = {**os.environ, "PYTHONPATH": no_ray(tmp_path)}
    done = cynical(*command, "--engine", "ray", env=without)
    assert done.returncode == 2
    assert done.stderr.strip() == "cynical: --engine ray needs Ray: pip install 'cynical[ray]'"
    assert cynical(*command, "-q", env=without).returncode == 0, "Ray is imported only where it is asked for"


def test_an_address_without_the_engine_is_an_error_message(cynical: Run, tmp_path: Path) -> None:
    written(tmp_path, "wanted", ["a b c"])
    done = cynical("select", "-r", "wanted", "-a", "wanted", "-o", "out.tsv", "--address", "auto")
    assert done.returncode == 2
    assert "--address applies to a cluster only; give --engine ray too" in done.stderr


def test_money_buys_the_same_wherever_the_lines_are(tmp_path: Path) -> None:
    wanted = written(tmp_path, "wanted", zipfian(30, 1))
    pool = written(tmp_path, "pool", [f"{line} , !" for line in zipfian(200, 2)])
    one = package.select(wanted, pool, price=0.1, money=5, price_per="character")
    with selected(wanted, str(pool), 3, price=0.1, money=5, price_per="character") as far:
        assert far.jaded.lines.tolist() == one.lines.tolist()
        assert far.jaded.summary["money"] == one.summary["money"]
