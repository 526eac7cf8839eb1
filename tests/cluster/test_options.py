"""What one machine can be told, a cluster can be told: the same bytes, on however many shards."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import cynical as package
from cynical.cluster.count import HowToCount, count_on_workers
from cynical.cluster.messages import pickled, unpickled
from cynical.cluster.score import HowToScore, score_on_workers
from cynical.cluster.worker import Shard, make_shard
from cynical.cluster.workers import Here
from cynical.errors import CynicalError
from cynical.options import Reading, Settings, TextOptions
from cynical.options.scoring import Scoring
from cynical.progress import Progress
from cynical.scoring.freeze import freeze
from cynical.scoring.frozen import tables_of
from cynical.scoring.run import run
from cynical.scoring.stream import HowToStream
from cynical.selection import eligible
from cynical.selection.index import hash_lines
from cynical.selection.inputs import gather
from cynical.text.partition import Share
from cynical.text.streams import Told
from tests.against_oracle import zipfian
from tests.cluster.test_cluster import Away, Fragile, compare, selected, written

SHARDS = [(1, []), (2, [3]), (4, [2, 5, 1, 9])]  # workers, and after how many answers they are lost


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, list[Path]]:
    """A text that is wanted, and a pool of two files with many copies."""
    few = zipfian(60, 3)
    lines = [*zipfian(150, 2), *few, *few, *zipfian(90, 4), *few]
    pool = [written(tmp_path, "pool-1", lines[:200]), written(tmp_path, "pool-2", lines[200:])]
    return written(tmp_path, "wanted", zipfian(60, 1)), pool


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_copies_are_told_wherever_they_are(
    corpora: tuple[Path, list[Path]], workers: int, lives: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for most, together in ((1, 1 << 24), (2, 7)):
        monkeypatch.setattr(eligible, "TOGETHER", together)
        compare(*corpora, workers, lives, max_copies=most, min_length=2, all=True)


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_lines_of_earlier_rankings_are_left_out(
    corpora: tuple[Path, list[Path]], tmp_path: Path, workers: int, lives: list[int]
) -> None:
    """By number where it is this AVAILABLE; else by their words, as many copies as were picked."""
    wanted, pool = corpora
    package.select(wanted, pool, lines=40).write(tmp_path / "same.tsv")
    package.select(wanted, list(reversed(pool)), lines=80).write(tmp_path / "other.tsv")
    for seed in ([tmp_path / "same.tsv"], [tmp_path / "other.tsv"], [tmp_path / "other.tsv", tmp_path / "same.tsv"]):
        compare(wanted, pool, workers, lives, seed=seed, all=True)
        with selected(wanted, pool, workers, seed=seed, lines=1) as made:
            by = [one.by for one in made.jaded.summary.seed.rankings]  # type: ignore[union-attr]
        assert by == ["number" if one.name.startswith("same") else "words" for one in seed]


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_excluded_lines_are_compared_word_by_word(
    corpora: tuple[Path, list[Path]], tmp_path: Path, workers: int, lives: list[int]
) -> None:
    """Where all hashes are the same, and a line that is excluded is inside of one that is picked."""
    wanted, pool = corpora
    inside = " ".join(zipfian(60, 1)[:4]).split()[:12]
    with pool[1].open("a") as file:
        file.write(f"w1 {' '.join(inside)} w2\n")
    excluded = written(tmp_path, "excluded", [*zipfian(60, 3)[:20], " ".join(inside)])

    def alike(hashes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.asarray(hashes != 0, np.uint64)

    compare(wanted, pool, workers, lives, exclude=excluded, all=True)
    compare(wanted, pool, workers, lives, exclude=excluded, exclude_ngrams=4, per="word", all=True)
    local, read = package.select(wanted, pool, exclude=excluded, all=True), Shard.read

    def read_alike(self: Shard, *told: Any) -> Any:
        report = read(self, *told)
        self.available.index.source = alike(self.available.index.source)
        return report

    with (
        mock.patch.object(Shard, "read", read_alike),
        mock.patch("cynical.selection.texts.hash_lines", lambda *told: alike(hash_lines(*told))),
        selected(wanted, pool, workers, exclude=excluded, all=True) as made,
    ):
        assert made.jaded.lines.tolist() == local.lines.tolist()


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_a_prior_and_the_best_by_something(
    corpora: tuple[Path, list[Path]], tmp_path: Path, workers: int, lives: list[int]
) -> None:
    """Numbers in memory, in a file, and of a method; many are equal, also where the best end."""
    lines = sum(path.read_bytes().count(b"\n") for path in corpora[1])
    numbers = np.random.default_rng(5).integers(-2, 3, lines) / 2
    written(tmp_path, "numbers", [str(number) for number in numbers.tolist()])
    compare(*corpora, workers, lives, prior=numbers, prior_weight=1e-3, all=True)
    compare(*corpora, workers, lives, by=tmp_path / "numbers", among=0.3, all=True, per="word")
    compare(*corpora, workers, lives, by="in-order", among=0.5, prior=tmp_path / "numbers", prior_weight=1e-4, lines=50)


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_a_field_of_records_is_a_prior_or_ranks_them(tmp_path: Path, workers: int, lives: list[int]) -> None:
    wanted = written(tmp_path, "wanted", zipfian(60, 1))
    records = [json.dumps({"text": line, "quality": 7 * i % 31 / 10}) for i, line in enumerate(zipfian(240, 2))]
    pool = [tmp_path / f"pool-{number}.jsonl" for number in range(4)]
    for number, file in enumerate(pool):
        file.write_text("".join(f"{one}\n" for one in records[60 * number : 60 * (number + 1)]))
    compare(wanted, pool, workers, lives, prior="quality", prior_weight=1e-3, all=True)
    compare(wanted, pool, workers, lives, by="quality", among=0.4, lines=30)


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_a_target_is_widened_and_a_model_says_where_to_stop(
    corpora: tuple[Path, list[Path]], tmp_path: Path, workers: int, lives: list[int]
) -> None:
    excluded = written(tmp_path, "excluded", zipfian(60, 3)[:20])
    with mock.patch.multiple("cynical.selection.model_stop", FIRST=40, LEAST=1):
        compare(*corpora, workers, lives, for_="model", exclude=excluded)
        with selected(*corpora, workers, lives, for_="model") as made:
            assert made.jaded.summary.model_stop and made.jaded.summary.widened
    compare(*corpora, workers, lives, widen=2.0, among=0.4, all=True)


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_ngrams_are_smoothed_towards_independent_words(
    corpora: tuple[Path, list[Path]], workers: int, lives: list[int]
) -> None:
    compare(*corpora, workers, lives, ngrams=3, ngram_smoothing=500.0, vocabulary="classes", all=True)
    compare(*corpora, workers, lives, ngrams=2, ngram_smoothing=500.0, per="word", all=True)
    compare(*corpora, workers, lives, ngrams=2, ngram_smoothing=500.0, strategy="batch", lines=60)


@pytest.mark.parametrize("lives", [[30, 45], [38, 26]])
def test_a_worker_that_is_lost_in_either_search_changes_nothing(
    corpora: tuple[Path, list[Path]], lives: list[int]
) -> None:
    """While where to stop is looked for, whatever the worker was asked for, and afterwards."""
    few_rows = mock.patch.multiple("cynical.cluster.driver", LEAST=1, LEAST_EACH=1, MOST=4)
    with few_rows, mock.patch.multiple("cynical.selection.model_stop", FIRST=40, LEAST=1):
        compare(*corpora, 2, lives, for_="model", lines=150, stop="model")


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
@pytest.mark.parametrize("method", ["random", "in-order", "longest", "dsir", "classifier", "moore-lewis"])
def test_other_methods_rank_what_they_rank_on_one_machine(
    corpora: tuple[Path, list[Path]], workers: int, lives: list[int], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cynical.evaluation.rank.PICKS", 50)
    compare(*corpora, workers, lives, method=method, min_length=2)
    compare(*corpora, workers, lives, method=method, words=900)


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_sides_go_along_line_for_line(
    corpora: tuple[Path, list[Path]], tmp_path: Path, workers: int, lives: list[int]
) -> None:
    """Whatever the lines of a side are in: as many files, one, one that is compressed, records; one line is broken."""
    wanted, pool = corpora
    lines = [line for path in pool for line in path.read_text().splitlines()]
    other = [" ".join(f"x{word}" for word in line.split()[::-1]) + " \u00e9" * (n % 5) for n, line in enumerate(lines)]
    translated = written(
        tmp_path, "wanted.x", [" ".join(f"x{word}" for word in line.split()) for line in zipfian(60, 1)]
    )
    written(tmp_path, "x-1", other[:200])
    with written(tmp_path, "x-2", other[200:]).open("r+b") as file:
        file.write(b"\xff")
    both = tmp_path / "x.gz"
    both.write_bytes(gzip.compress((tmp_path / "x-1").read_bytes() + (tmp_path / "x-2").read_bytes()))
    (tmp_path / "y.jsonl").write_text("".join(f'{{"text": "{line}\\nmore"}}\n' for line in other))
    parts = [tmp_path / "x-1", tmp_path / "x-2"]
    compare(wanted, pool, workers, lives, with_={"x": both, "y": tmp_path / "y.jsonl"}, lines=50)
    same: dict[str, Any] = {"with_": {"x": parts}, "representative_with": (translated,)}
    compare(wanted, pool, workers, lives, **same, max_copies=1, ngrams=2, all=True)
    compare(wanted, pool, workers, lives, **same, method="bilingual-moore-lewis", length_per="side", min_length=3)
    with pytest.raises(package.CynicalError, match=r"pool-1 has 200 lines, but .*x-2 has"):  # noqa: SIM117
        with selected(wanted, pool, workers, with_={"x": parts[::-1]}, lines=5):
            pass


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_tables_with_different_columns_are_written_as_one(tmp_path: Path, workers: int, lives: list[int]) -> None:
    wanted, pool = written(tmp_path, "wanted.txt", zipfian(60, 1)), []
    for number, columns in enumerate((["id", "text"], ["text", "who", "id"], ["text"])):
        rows = [
            [line if name == "text" else f"{name}{place}" for name in columns]
            for place, line in enumerate(zipfian(40, number))
        ]
        pool.append(written(tmp_path, f"{number}.tsv", ["\t".join(row) for row in [columns, *rows]]))
    compare(wanted, pool, workers, lives, text_key="text", all=True)


def hiring(losses: int) -> Callable[[Share, bytes, bool], Here]:
    """Hires workers in this process, some of which are lost when they have done their work."""
    left = [1] * losses

    def hire(share: Share, plan: bytes, again: bool) -> Here:
        shard = make_shard(share, plan)
        return Fragile(shard, left.pop()) if left else Away(shard)

    return hire


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
@pytest.mark.parametrize("format", ["scores", "tsv", "jsonl", "text", "csv", "parquet"])
def test_scored_lines_are_those_of_one_machine(
    corpora: tuple[Path, list[Path]], tmp_path: Path, workers: int, lives: list[int], format: Any
) -> None:
    """Two sides are read whole file by whole file, one is cut."""
    wanted, pool = corpora
    with pool[1].open("r+b") as file:
        file.write(b"\xff")
    inputs = gather([str(wanted)], pool, sides={} if format in ("scores", "tsv") else {"x": pool})
    scoring = Scoring(output=str(tmp_path / "here.gz"), format=format, below=0.0 if format == "text" else None)
    made = freeze(inputs, Settings.of(ngrams=2), Progress())
    here = run(tables_of(made.frozen), inputs, scoring, HowToStream(Reading(), 1, Progress(), Told([])))
    there = replace(scoring, output=str(tmp_path / "there.gz"))
    done = score_on_workers(inputs, there, HowToScore(made.frozen, False, Reading(), 1), workers, hiring(len(lives)))
    assert done == here and done.lines == 420
    assert any("the first is line 201" in notice for notice in done.notices)
    for suffix in ("gz", *(["gz.x"] if format == "text" else [])):
        files = [tmp_path / f"{name}.{suffix}" for name in ("here", "there")]
        assert len({gzip.decompress(file.read_bytes()) if suffix == "gz" else file.read_bytes() for file in files}) == 1


def scored(wanted: Path, pool: list[Path], out: Path, workers: int | None, losses: int = 0, **options: Any) -> bytes:
    """What is written: here, or by workers."""
    inputs, scoring = gather([str(wanted)], pool), Scoring(output=str(out), **options)
    made = freeze(inputs, Settings(), Progress())
    if workers is None:
        run(tables_of(made.frozen), inputs, scoring, HowToStream(Reading(), 1, Progress(), Told([])), overwrite=True)
    else:
        how = HowToScore(made.frozen, False, Reading(), 1)
        score_on_workers(inputs, scoring, how, workers, hiring(losses), overwrite=True)
    return out.read_bytes()


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_table_of_scored_records_is_that_of_one_machine(
    tmp_path: Path, workers: int, lives: list[int], format: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the first records, which say what columns there are, are in several parts, and some have none."""
    wanted = written(tmp_path, "wanted", zipfian(60, 1))
    records = [{"text": line, "n": place} for place, line in enumerate(zipfian(160, 2))]
    for place, record in enumerate(records):
        if place % 3 == 0:
            record["n"] = place / 7
        if place % 50 == 49:
            record |= {"tags": ["a"] if place % 2 else [], "note": None}
    pool = [tmp_path / f"pool-{number}.jsonl" for number in range(4)]
    for number, file in enumerate(pool):
        file.write_text("".join(f"{json.dumps(one)}\n" for one in records[40 * number : 40 * (number + 1)]))
    monkeypatch.setattr("cynical.scoring.tables.GROUP", 90)
    monkeypatch.setattr("cynical.scoring.tables.FIRST", 60)
    for below in (None, -0.01, -100.0):
        here = scored(wanted, pool, tmp_path / "here", None, format=format, below=below)
        there = scored(wanted, pool, tmp_path / "there", workers, len(lives), format=format, below=below)
        assert there == here and len(here) > 40, below
    records[-1]["late"] = 1
    pool[-1].write_text("".join(f"{json.dumps(one)}\n" for one in records[120:]))
    for told in (None, workers):
        with pytest.raises(
            package.CynicalError, match="a record has a field 'late' that the first records do not have"
        ):
            scored(wanted, pool, tmp_path / "late", told, format=format)


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_counts_of_shares_are_those_of_the_whole(
    corpora: tuple[Path, list[Path]], workers: int, lives: list[int]
) -> None:
    pool, hire = corpora[1], hiring(len(lives))
    for ngrams in (1, 3):
        how = HowToCount(TextOptions(lowercase=True), ngrams, Reading(), 1)
        counts, corpus = count_on_workers(pool, how, workers, hire)
        local = package.count(pool, ngrams=ngrams, lowercase=True)
        assert counts.to_bytes() == local.to_bytes() and counts.words == local.words
        assert (counts.lines, counts.broken, counts.name) == (local.lines, local.broken, local.name) and not corpus.bad


def test_each_worker_keeps_to_its_memory(corpora: tuple[Path, list[Path]], tmp_path: Path) -> None:
    with mock.patch("cynical.memory.NEAR", 0.0), mock.patch("cynical.memory.Storage.watch"):
        compare(*corpora, 2, [4], all=True, memory="20G")
        with selected(*corpora, 2, all=True, memory="20G") as made:
            kept = [one.shard.available.how.storage for one in made.available.shards.workers.workers]  # type: ignore[attr-defined]
    assert all(storage.spilled > 0 for storage in kept)
    with pytest.raises(package.CynicalError, match="memory"), selected(*corpora, 2, all=True, memory="1M"):
        pass


def halves(line: str) -> list[str]:
    """A tokenizer that is an object."""
    return [half for word in line.split() for half in (word[:2], word[2:]) if half]


@pytest.mark.parametrize(("workers", "lives"), SHARDS)
def test_a_tokenizer_that_is_an_object_goes_to_the_workers(
    corpora: tuple[Path, list[Path]], workers: int, lives: list[int]
) -> None:
    compare(*corpora, workers, lives, tokenizer=halves, lines=50)
    how = HowToCount(TextOptions(tokenizer=halves), 1, Reading(), 1)  # type: ignore[arg-type]
    counts, _ = count_on_workers(corpora[1], how, workers, hiring(len(lives)))
    assert counts.to_bytes() == package.count(corpora[1], tokenizer=halves).to_bytes()


def test_options_bring_their_tokenizer_to_a_process_that_does_not_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    options = TextOptions(tokenizer=halves, lowercase=True)  # type: ignore[arg-type]
    message = pickled(options)
    monkeypatch.setattr("cynical.options.reading.objects", {})
    with pytest.raises(package.CynicalError, match="an object of another Python program"):
        TextOptions(tokenizer=options.tokenizer)
    assert unpickled(message) == options and TextOptions(tokenizer=options.tokenizer).tokenizer == options.tokenizer


def test_a_tokenizer_that_cannot_be_pickled_is_a_sentence(corpora: tuple[Path, list[Path]]) -> None:
    without_ray = mock.patch.dict("sys.modules", {"ray": None})
    with without_ray, pytest.raises(package.CynicalError, match=r"tokenizer: .* cannot be pickled .*python:MODULE"):  # noqa: SIM117
        with selected(*corpora, 1, tokenizer=lambda line: line.split(), lines=5):
            pass


def test_a_part_of_bad_records_is_no_error_where_others_have_texts(tmp_path: Path) -> None:
    wanted = written(tmp_path, "wanted", zipfian(60, 1))
    bad, good = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    bad.write_text('{"other": 1}\n' * 200)  # more than a worker's share
    good.write_text("".join(f"{json.dumps({'text': line})}\n" for line in zipfian(6, 2)))
    inputs, skipping = gather([str(wanted)], [bad, good]), Reading(bad_records="skip")
    frozen = freeze(inputs, Settings(), Progress()).frozen
    scoring = Scoring(output=str(tmp_path / "out.jsonl"))
    done = score_on_workers(inputs, scoring, HowToScore(frozen, False, skipping, 1), 2, hiring(0))
    assert done.lines == 6 and any("skipped 200 bad records" in notice for notice in done.notices)
    nothing = replace(scoring, output=str(tmp_path / "none.jsonl"))
    with pytest.raises(CynicalError, match="no record has a text"):
        score_on_workers(gather([str(wanted)], [bad]), nothing, HowToScore(frozen, False, skipping, 1), 2, hiring(0))
    assert not (tmp_path / "none.jsonl").exists()
