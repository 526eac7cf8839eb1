"""The report: what a page carries of a ranking, and that it is what the ranking says."""

from __future__ import annotations

import gzip
import math
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.api import read
from cynical.errors import CynicalError
from cynical.evaluation.records import Comparison
from cynical.evaluation.verdict import verdict, winner
from cynical.jaded.columns import CodedWords, Columns
from cynical.jaded.jaded import Jaded
from cynical.jaded.kept import KeptContent
from cynical.jaded.summary import Exclude
from cynical.options.ranking import Vocabulary
from cynical.progress import Progress
from cynical.reports import blocks, report
from cynical.reports.data import PageData
from cynical.reports.evaluations import read_evaluation
from cynical.reports.labels import find_labels
from cynical.reports.page import make_page
from cynical.reports.picks import from_jaded, read_picks
from cynical.reports.representative import Corpora
from cynical.reports.template import SCRIPTS, STYLES, as_json
from cynical.text.corpus import File
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.examples import comparison

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> & \u202eevil\u2028 {{style}}"


def carried(made: bytes) -> dict[str, Any]:
    """The figures in a page."""
    found = re.search(rb'<script type="application/json" id="made">(.*?)</script>', made, re.S)
    assert found is not None
    return dict(orjson.loads(found[1]))


def write(folder: Path, name: str, lines: list[str]) -> Path:
    (folder / name).write_text("".join(line + "\n" for line in lines))
    return folder / name


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ranking of 3,000 lines with its texts, and a label for each line."""
    folder = tmp_path_factory.mktemp("report")
    wanted = write(folder, "task.txt", zipfian(60, 1))
    pool = [line or "blank" for line in zipfian(3000, 2)]
    write(folder, "pool.txt", pool)
    write(folder, "heldout.txt", zipfian(40, 3))
    write(folder, "labels.txt", [f"domain {i % 3}" for i in range(3000)])
    records = [orjson.dumps({"text": line, "meta": {"domain": f"d{i % 4}"}}).decode() for i, line in enumerate(pool)]
    write(folder, "pool.jsonl", records)
    cynical.select(str(wanted), str(folder / "pool.txt"), all=True).write(folder / "jaded.tsv")
    cynical.select(str(wanted), str(folder / "pool.jsonl"), all=True).write(folder / "jaded.jsonl.gz")
    return folder


# Reading


def test_a_row_without_its_end_is_damaged(home: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.tsv").write_bytes((home / "jaded.tsv").read_bytes()[:-1])
    with pytest.raises(CynicalError, match=r"cut.tsv line 3001: expected 9 columns with numbers, found .* damaged"):
        read(tmp_path / "cut.tsv")


def test_a_ranking_is_the_same_from_tsv_json_lines_and_memory(home: Path) -> None:
    table, records = read_picks(home / "jaded.tsv"), read_picks(home / "jaded.jsonl.gz")
    memory = from_jaded(cynical.select(str(home / "task.txt"), str(home / "pool.txt"), all=True))
    for picks in (records, memory):
        assert picks.line.tolist() == table.line.tolist()
        assert picks.words.tolist() == table.words.tolist()
        np.testing.assert_allclose(picks.entropy, table.entropy, rtol=1e-8)
        assert picks.texts([0, 5, 2999]) == table.texts([0, 5, 2999])
        assert picks.best_words([0, 7]) == table.best_words([0, 7])
        assert picks.stop == table.stop
    assert next(table.batches())[0][:3] == table.texts(range(3))


@pytest.mark.parametrize("how", ["doubled", "without its first"])
def test_rows_that_are_missing_or_doubled_are_no_ranking(home: Path, cynical: Run, tmp_path: Path, how: str) -> None:
    header, *rows = (home / "jaded.tsv").read_text().splitlines()[:20]
    changed = {"doubled": [*rows, *rows], "without its first": rows[1:]}
    write(tmp_path, "j.tsv", [header, *changed[how]])
    line, rank = {"doubled": (21, 20), "without its first": (2, 1)}[how]
    for command in (
        ["report", "j.tsv"],
        ["plot", "j.tsv", "-o", "j.svg"],
        ["cut", "j.tsv", "--lines", "3", "-o", "best.txt"],
        ["evaluate", "j.tsv", "-t", str(home / "heldout.txt")],
    ):
        done = cynical(*command)
        assert done.returncode == 2, (command, done.stderr)
        assert f"j.tsv line {line}: expected rank {rank}, found " in done.stderr


def test_json_lines_that_are_missing_or_doubled_are_no_ranking(home: Path, tmp_path: Path) -> None:
    with gzip.open(home / "jaded.jsonl.gz", "rt") as file:
        rows = [line.rstrip("\n") for line in file][:9]
    read_picks(write(tmp_path, "good.jsonl", rows))
    for name, changed, line in (("missing", [rows[0], *rows[2:]], 2), ("twice", [*rows, rows[8]], 10)):
        with pytest.raises(CynicalError, match=rf"{name}.jsonl line {line}: expected rank {line}, found "):
            read_picks(write(tmp_path, f"{name}.jsonl", changed))
    for field, value in (("rank", "1"), ("words", 1.5), ("words", 0), ("words", True), ("line", -1), ("delta", None)):
        record = {**orjson.loads(rows[0]), f"cynical_{field}": value}
        with pytest.raises(CynicalError, match=r"odd.jsonl line 1: expected fields"):
            read_picks(write(tmp_path, "odd.jsonl", [orjson.dumps(record).decode()]))


def test_bits_that_no_text_costs_raise_an_error(home: Path, tmp_path: Path) -> None:
    header, *rows = (home / "jaded.tsv").read_text().splitlines()[:4]
    cells = rows[1].split("\t")
    write(tmp_path, "j.tsv", [header, rows[0], "\t".join([*cells[:5], "1e308", *cells[6:]])])
    with pytest.raises(CynicalError, match=r"j.tsv: rank 2 has the entropy 1e\+308, which is impossible"):
        read_picks(tmp_path / "j.tsv")
    write(tmp_path, "j.tsv", [header, *rows])
    summary = orjson.loads((home / "jaded.tsv.json").read_bytes())
    (tmp_path / "j.tsv.json").write_bytes(orjson.dumps({**summary, "entropy": {"before": 1e308, "after": 1}}))
    with pytest.raises(CynicalError, match=r"j.tsv.json: the entropy before the first line is 1e\+308"):
        read_picks(tmp_path / "j.tsv")


def test_there_is_one_rule_for_the_stopping_point(home: Path, tmp_path: Path) -> None:
    """Where n-grams count and no summary is there, nobody knows the entropy before: the first line may be best."""
    jaded = cynical.select(str(home / "task.txt"), str(home / "pool.txt"), ngrams=2, lines=300)
    header, *rows = b"".join(jaded.to_bytes()).decode().splitlines()
    falling = "\t".join([*rows[0].split("\t")[:5], "1.5", *rows[0].split("\t")[6:]])
    for name, table in (("as it is", [header, *rows]), ("first is lowest", [header, falling, *rows[1:]])):
        file = write(tmp_path, f"{name}.tsv", table)
        assert read_picks(file).stop == read(file).stop == read(file).cut(stop=True).stop
    assert read_picks(file).stop == 1


def test_a_column_that_is_not_there_is_none_not_another_column(home: Path) -> None:
    assert read(home / "jaded.tsv").content.fields(slice(0, 3), "scores") is None


def test_json_lines_that_are_no_ranking_raise_an_error(home: Path) -> None:
    with pytest.raises(CynicalError, match=r"pool.jsonl line 1: expected fields cynical_rank, .* `cynical select` or"):
        read_picks(home / "pool.jsonl")


# Thinning


def test_a_page_of_a_long_ranking_stays_small() -> None:
    number = 300_000
    rng = np.random.default_rng(0)
    entropy = 9 + np.abs(np.linspace(-1, 1, number)) + rng.normal(size=number) / 1000
    ones, texts = np.ones(number, np.int64), [[b"x" * 5000] * number]
    best = CodedWords(ones - 1, [b"x"])
    columns = Columns(
        np.cumsum(ones), np.arange(number), np.diff(entropy, prepend=10), entropy, -entropy, entropy, ones, best
    )
    content = KeptContent(texts, [], False, False, False, [], texts[0], None, None)
    picks = from_jaded(Jaded(columns, content, None, 10.0, columns.lowest(10.0)), "long")
    made = carried(page := make_page(picks))
    assert len(page) < 1_600_000
    assert len(made["cuts"]["lines"]) <= 2000
    assert len(made["lines"]["rank"]) == 1000
    assert picks.stop in made["cuts"]["lines"]
    assert made["lines"]["whole"] == [0] * 1000


# Figures


def test_every_figure_of_a_page_is_that_of_the_ranking(home: Path) -> None:
    picks = read_picks(home / "jaded.tsv")
    made = carried(make_page(picks, corpora=Corpora(heldout=home / "heldout.txt")))
    rows = [line.split("\t") for line in (home / "jaded.tsv").read_text().splitlines()[1:]]
    words, entropy = np.cumsum([int(row[6]) for row in rows]), [float(row[5]) for row in rows]
    wanted = [line.split() for line in (home / "task.txt").read_text().splitlines()]
    heldout = (home / "heldout.txt").read_text().split()
    tokens = [word for line in wanted for word in line]
    for place in [0, 1, 2, 50, len(made["cuts"]["lines"]) // 2, -1]:
        lines = made["cuts"]["lines"][place]
        seen = {word for row in rows[:lines] for word in row[8].split()}
        assert made["cuts"]["words"][place] == (words[lines - 1] if lines else 0)
        assert made["cuts"]["entropy"][place] == pytest.approx(entropy[lines - 1] if lines else picks.before, rel=1e-8)
        for text, shares in ((tokens, "representative"), (heldout, "heldout")):
            lacks = sum(word not in seen for word in text) / len(text)
            types = len(set(text) - seen) / len(set(text))
            assert made["unknown"][shares]["tokens"][place] == pytest.approx(lacks, abs=1e-6)
            assert made["unknown"][shares]["types"][place] == pytest.approx(types, abs=1e-6)
    shown = dict(zip(made["lines"]["rank"], made["lines"]["text"], strict=True))
    assert all(rows[rank - 1][8] == text for rank, text in shown.items())
    histogram = np.cumsum(made["lengths"]["picked"], axis=1)
    assert histogram[:, -1].sum() == 3000
    assert sum(made["lengths"]["representative"]) == pytest.approx(1)


def test_what_a_page_carries_are_the_blocks_that_its_script_reads(home: Path) -> None:
    picks = read_picks(home / "jaded.tsv")
    labels = find_labels(picks, None, home / "labels.txt", Corpora())
    made = make_page(picks, corpora=Corpora(heldout=home / "heldout.txt"), labels=labels, price=0.1)
    assert list(carried(made)) == [field.encode_name for field in msgspec.structs.fields(PageData)]
    jsonschema.validate(carried(made), PageData.schema())


def test_gains_and_penalties_are_means_from_one_point_to_the_next(home: Path) -> None:
    picks = read_picks(home / "jaded.tsv")
    made = carried(make_page(picks))["balance"]
    assert made["lines"][-1] == len(picks) and max(np.diff(made["lines"])) > 10
    begin = 0
    for place, end in enumerate(made["lines"]):
        assert made["gain"][place] == pytest.approx(picks.gain[begin:end].mean(), rel=1e-6)
        assert made["penalty"][place] == pytest.approx(picks.penalty[begin:end].mean(), rel=1e-6)
        begin = end


def test_words_that_were_folded_stay_unknown(home: Path, cynical: Run, tmp_path: Path) -> None:
    count = ("count", str(home / "task.txt"), "--fold-below", "3", "-o", "task.counts")
    assert cynical(*count).returncode == 0
    made = carried(make_page(read_picks(home / "jaded.tsv"), corpora=Corpora([tmp_path / "task.counts"])))
    tokens = (home / "task.txt").read_text().split()
    folded = sum(tokens.count(word) < 3 for word in tokens) / len(tokens)
    seen = set((home / "pool.txt").read_text().split())
    lacking = sum(tokens.count(word) >= 3 and word not in seen for word in tokens) / len(tokens)
    assert folded > 0.01
    assert made["unknown"]["representative"]["tokens"][-1] == pytest.approx(folded + lacking, abs=1e-6)


@pytest.fixture(scope="module")
def sided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ranking where both sides count, and the first side of some lines is blank."""
    folder = tmp_path_factory.mktemp("sided")
    pool = [line or "blank" for line in zipfian(300, 2)]
    for name, lines in (("task", zipfian(60, 1)), ("pool", [line if i % 3 else "" for i, line in enumerate(pool)])):
        write(folder, f"{name}.en", lines)
        write(folder, f"{name}.de", [f"x{line} y" for line in (pool if name == "pool" else lines)])
    sides: dict[str, Any] = {"with_": folder / "pool.de", "representative_with": folder / "task.de"}
    cynical.select(folder / "task.en", folder / "pool.en", all=True, **sides).write(folder / "jaded.tsv")
    return folder


def test_where_both_sides_count_the_page_has_the_words_and_the_texts_of_both(
    sided: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cynical.reports import picks, words

    monkeypatch.setattr(words, "SHOWN", 1000)
    ranking = read_picks(sided / "jaded.tsv")
    whole = make_page(ranking)
    monkeypatch.setattr(picks, "BATCH", 1)  # so that some batches have no word at all on one side
    assert make_page(ranking) == whole
    made, summary = carried(whole), ranking.jaded.summary
    assert (made["sides"], made["followed"]) == (["en", "de"], 2)
    number = sum(len((sided / f"pool.{side}").read_text().split()) for side in ("en", "de"))
    assert sum(map(sum, made["classes"]["picked"])) == number == made["cuts"]["words"][-1]
    assert sum(made["lengths"]["representative"]) == pytest.approx(1)
    assert 1 - made["unknown"]["representative"]["types"][-1] == pytest.approx(summary["covered"]["types"], abs=1e-6)
    assert not any("first side only" in note for note in made["notes"])
    lines = made["lines"]
    for text, (other, complete), why, gain in zip(
        lines["text"], lines["others"][0], lines["why"], lines["gain"], strict=True
    ):
        assert complete and other.endswith(" y")
        for word, times, _, side in why:
            assert (text, other)[side].split().count(word) == times
        assert sum(bits for _, _, bits, _ in why) == pytest.approx(gain, rel=1e-3, abs=1e-12)
    assert {row["word"]: row["side"] for row in made["useful"]}["y"] == 1


def test_of_a_side_that_is_not_known_the_page_says_that_it_is_left_out(sided: Path) -> None:
    ranking = read_picks(sided / "jaded.tsv")
    made = carried(make_page(ranking, corpora=Corpora([sided / "task.en"])))
    assert (made["sides"], made["followed"]) == (["en", "de"], 1)
    assert sum(map(sum, made["classes"]["picked"])) < made["cuts"]["words"][-1]
    assert made["lengths"]["representative"] is None  # the picks' are those of both sides
    assert any("those of the first side only" in note for note in made["notes"])


def test_very_long_words_and_labels_are_cut_off(tmp_path: Path) -> None:
    long = "x" * 3000
    task, pool = write(tmp_path, "task.txt", [f"{long} a"] * 4), write(tmp_path, "pool.txt", [f"{long} a", "b"])
    labels = write(tmp_path, "labels.txt", ["y" * 3000, "z"])
    cynical.select(str(task), str(pool), all=True).write(tmp_path / "j.tsv")
    picks = read_picks(tmp_path / "j.tsv")
    made = carried(make_page(picks, labels=find_labels(picks, None, labels, Corpora())))
    short, label = "x" * 100 + "\u2026", "y" * 100 + "\u2026"
    assert made["lines"]["word"][0] == short
    assert short in [word for word, *_ in made["lines"]["why"][0]]
    assert short in [row["word"] for row in made["useful"]]
    assert made["lines"]["label"][0] == made["labels"]["names"][0] == label


def test_why_a_line_was_picked_adds_up_to_its_gain(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cynical.reports import words

    monkeypatch.setattr(words, "SHOWN", 1000)
    made = carried(make_page(read_picks(home / "jaded.tsv")))
    lines = made["lines"]
    for why, gain, word, text in zip(lines["why"], lines["gain"], lines["word"], lines["text"], strict=True):
        assert sum(bits for _, _, bits, _ in why) == pytest.approx(gain, rel=1e-3, abs=1e-12)
        assert all(text.split().count(name) == times for name, times, _, _ in why)
        assert not why or why[0][0] == word or why[0][2] == pytest.approx({a: c for a, _, c, _ in why}[word])


def test_the_gains_of_the_most_useful_words_are_the_sum_over_all_picks(home: Path) -> None:
    made = carried(make_page(read_picks(home / "jaded.tsv")))
    tokens = (home / "task.txt").read_text().split()
    pool = [line.split("\t")[8] for line in (home / "jaded.tsv").read_text().splitlines()[1:]]
    picked = " ".join(pool).split()
    for row in made["useful"][:5]:
        times, p = picked.count(row["word"]), tokens.count(row["word"]) / len(tokens)
        assert row["representative"] == tokens.count(row["word"])
        assert row["picked"] == times
        assert row["bits"] == pytest.approx(p * math.log2(0.01 / (times + 0.01)), rel=1e-4)  # the gains telescope


def test_words_by_class_are_those_of_cynical_words(home: Path, cynical: Run) -> None:
    made = carried(make_page(read_picks(home / "jaded.tsv")))
    table = cynical("words", "-r", str(home / "task.txt"), "-u", str(home / "pool.txt"))
    rows = [line.split("\t") for line in table.stdout.splitlines()[1:]]
    for one in made["classes"]["rows"]:
        assert one["types"] == sum(row[1] == one["name"] for row in rows)
    in_class = {row[0]: row[1] for row in rows}
    words = (home / "pool.txt").read_text().split()
    for one, picked in zip(made["classes"]["rows"], np.cumsum(made["classes"]["picked"], axis=1), strict=True):
        assert picked[-1] == sum(in_class[word] == one["name"] for word in words)


def test_a_seed_is_read_again_and_counts_as_it_did_in_the_search(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cynical.reports import words

    monkeypatch.setattr(words, "SHOWN", 1000)
    texts = [str(home / "task.txt"), str(home / "pool.txt")]
    cynical.select(*texts, lines=5).write(tmp_path / "earlier.tsv")
    cynical.count(zipfian(3, 8)).write(tmp_path / "have.counts")
    have = [write(tmp_path, "have.txt", zipfian(3, 9)), tmp_path / "earlier.tsv", tmp_path / "have.counts"]
    jaded = cynical.select(*texts, lines=50, seed=have)
    made = carried(make_page(from_jaded(jaded)))
    unknown, covered, lines = made["unknown"]["representative"], jaded.summary["covered"], made["lines"]
    assert 0.1 < unknown["tokens"][0] < 0.9
    assert 1 - unknown["tokens"][-1] == pytest.approx(covered["tokens"], abs=1e-6)
    assert 1 - unknown["types"][-1] == pytest.approx(covered["types"], abs=1e-6)
    for why, gain in zip(lines["why"], lines["gain"], strict=True):
        assert sum(bits for _, _, bits, _ in why) == pytest.approx(gain, rel=1e-3, abs=1e-12)
    picked = " ".join(jaded.texts).split()
    assert all(row["picked"] == picked.count(row["word"]) for row in made["useful"])


def test_what_needs_a_seed_that_is_in_no_file_is_left_out_until_it_is_given(home: Path, tmp_path: Path) -> None:
    jaded = cynical.select(str(home / "task.txt"), str(home / "pool.txt"), lines=50, seed=zipfian(30, 9))
    made = carried(make_page(from_jaded(jaded)))
    assert made["useful"] is made["unknown"] is made["lines"]["why"] is None
    assert made["classes"] is not None
    assert any("Give -s SEED for unknown words" in note for note in made["notes"])
    again = carried(cynical.report(jaded, seed=write(tmp_path, "have.txt", zipfian(30, 9))))
    covered = jaded.summary["covered"]
    assert 1 - again["unknown"]["representative"]["tokens"][-1] == pytest.approx(covered["tokens"], abs=1e-6)


def test_without_representative_the_page_says_how_to_get_the_rest(home: Path) -> None:
    jaded = cynical.select(zipfian(60, 1), zipfian(300, 2), lines=20)
    made = carried(make_page(from_jaded(jaded)))
    assert made["unknown"] is None
    assert "Give -r REPR" in made["notes"][0]
    assert made["command"] is None


def test_a_changed_representative_is_not_taken_for_the_old_one(home: Path, tmp_path: Path) -> None:
    task = write(tmp_path, "task.txt", zipfian(60, 1))
    jaded = cynical.select(str(task), str(home / "pool.txt"), lines=20)
    assert jaded.summary["representative"]["files"] == [File(path=str(task), bytes=task.stat().st_size)]
    task.write_text("something else\n")
    assert carried(make_page(from_jaded(jaded)))["unknown"] is None


def test_counts_in_place_of_representative_have_no_lengths(home: Path, tmp_path: Path) -> None:
    cynical.count(str(home / "task.txt"), ngrams=2).write(tmp_path / "task.counts")
    made = carried(make_page(read_picks(home / "jaded.tsv"), corpora=Corpora([tmp_path / "task.counts"])))
    assert made["lengths"]["representative"] is None
    assert made["unknown"]["representative"]["tokens"][0] == 1


@pytest.mark.parametrize("vocabulary", ["full", "classes"])
def test_ngrams_classes_and_several_targets_are_followed_too(
    home: Path, tmp_path: Path, vocabulary: Vocabulary
) -> None:
    other = write(tmp_path, "other.txt", zipfian(30, 5))
    given = [home / "task.txt", other]
    jaded = cynical.select(given, home / "pool.txt", weights=[0.7, 0.3], ngrams=2, vocabulary=vocabulary, lines=200)
    made = carried(make_page(from_jaded(jaded)))
    assert made["features"] is True
    assert made["cuts"]["features"][-1] == pytest.approx(jaded.summary["feature_entropy"]["after"], rel=1e-8)
    notes = [note for note in made["notes"] if "gains of words" in note]
    assert len(notes) == (2 if vocabulary == "classes" else 1)
    if vocabulary == "full":
        covered, unknown = jaded.summary["covered"], made["unknown"]["representative"]
        assert 1 - unknown["tokens"][-1] == pytest.approx(covered["tokens"], abs=1e-6)
        assert 1 - unknown["types"][-1] == pytest.approx(covered["types"], abs=1e-6)


@pytest.mark.slow
def test_a_text_read_another_way_than_the_ranking_raises_an_error(home: Path, cynical: Run, tmp_path: Path) -> None:
    write(tmp_path, "a.txt", ["a-b c-d"] * 3 + ["e f g"])
    assert cynical("select", "-r", "a.txt", "-a", "a.txt", "--all", "-o", "j.tsv", "-q").returncode == 0
    done = cynical("report", "j.tsv", "--tokenizer", "words")
    assert done.returncode == 2
    assert "have a different number of words than in the ranking" in done.stderr
    assert cynical("report", "j.tsv").returncode == 0


# What it is about


def test_a_page_names_its_texts_with_their_sizes_who_ranked_and_what_was_set(home: Path, tmp_path: Path) -> None:
    task, pool, excluded = home / "task.txt", home / "pool.txt", write(tmp_path, "no.txt", zipfian(3, 2))
    jaded = cynical.select(str(task), str(pool), lines=20, per="word", exclude=str(excluded), seed=zipfian(30, 9))
    made = carried(page := make_page(from_jaded(jaded, "j"), corpora=Corpora(heldout=home / "heldout.txt")))
    rows = {row["role"]: row for row in made["texts"]}
    assert list(rows) == ["REPRESENTATIVE", "AVAILABLE", "SEED", "excluded", "HELDOUT"]
    assert rows["REPRESENTATIVE"]["name"] == str(task) and rows["REPRESENTATIVE"]["lines"] == 60
    assert rows["AVAILABLE"]["words"] == len(pool.read_text().split())
    assert rows["excluded"]["lines"] == 3
    assert rows["excluded"]["note"] == f"{jaded.summary['skipped']['excluded']} lines of AVAILABLE excluded"
    assert rows["HELDOUT"]["words"] == len((home / "heldout.txt").read_text().split())
    assert made["changed"] == ["--lines 20", "--per word"]
    assert b"<title>j: a cynical ranking</title>" in page


def test_a_baseline_is_not_called_cynical(home: Path) -> None:
    ranked = cynical.rank(str(home / "task.txt"), str(home / "pool.txt"), method="moore-lewis")
    made = carried(page := make_page(from_jaded(ranked, "m")))
    assert b"<title>m: a ranking by moore-lewis</title>" in page
    assert made["kind"] == "a ranking by moore-lewis"
    assert made["changed"] == []
    assert made["stop"]["rises"] == int((ranked.delta[: ranked.stop] > 0).sum()) > 0
    other = cynical.rank(str(home / "task.txt"), str(home / "pool.txt"), method="moore-lewis", order=2)
    assert carried(make_page(from_jaded(other)))["changed"] == ["--order 2"]


def test_a_comparison_names_what_it_compared_with_what_settings(home: Path) -> None:
    jaded = cynical.select(str(home / "task.txt"), str(home / "pool.txt"), lines=20)
    compared = comparison(
        [],
        held_out="/y/held-out.txt",
        exclude=Exclude(name="/x/test.txt", lines=7),
        settings={"max_copies": 2, "patience": 0, "lowercase": True, "order": 4, "lm": "own", "money": None},
    )
    made = carried(make_page(from_jaded(jaded), comparison=compared))
    assert [(row["role"], row["name"]) for row in made["texts"]] == [
        ("REPRESENTATIVE", "task.txt"),
        ("AVAILABLE", "pool.txt"),
        ("excluded", "/x/test.txt"),
        ("HELDOUT", "/y/held-out.txt"),
    ]
    assert made["texts"][2] == {"role": "excluded", "name": "/x/test.txt", "lines": 7, "note": made["texts"][2]["note"]}
    assert made["comparison"]["changed"] == ["--max-copies 2", "--patience 0", "--lowercase"]
    assert made["title"] == "Comparison on held-out.txt"


# Labels


# The page itself


@given(st.text(), st.text())
@settings(max_examples=50)
def test_json_in_the_page_cannot_end_its_script(a: str, b: str) -> None:
    text = a + "</script><!--<script>" + b
    try:
        made = as_json({"text": text})
    except (TypeError, orjson.JSONEncodeError):
        assert not text.isprintable()  # half a surrogate pair, which no decoded text has
        return
    assert "<" not in made and ">" not in made and "&" not in made
    assert orjson.loads(made)["text"] == text


def test_a_hostile_line_is_in_the_page_only_as_data(tmp_path: Path) -> None:
    jaded = cynical.select(["a b"], [HOSTILE + " a", "b"], all=True)
    made = make_page(from_jaded(jaded, name="</title><script>alert(3)</script>"))
    assert b"<img" not in made and b"alert(1)</script>" not in made and b"alert(3)</script>" not in made
    assert HOSTILE.replace("\u2028", "\u2028") + " a" in carried(made)["lines"]["text"]
    assert made.count(b"<script") == 2


def test_a_page_asks_for_nothing_from_elsewhere(home: Path) -> None:
    made = make_page(read_picks(home / "jaded.tsv")).decode()
    code = made.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\(|innerHTML|insertAdjacent|document\.write|\beval\b", code)
    assert "default-src 'none'" in made
    assert "unsafe-inline" not in made


def test_the_same_ranking_gives_the_same_bytes(home: Path) -> None:
    corpora = Corpora(heldout=home / "heldout.txt")
    pages = [make_page(read_picks(home / "jaded.tsv"), corpora=corpora, price=0.1) for _ in range(2)]
    assert pages[0] == pages[1]


def test_lines_that_are_not_whole_are_told_apart() -> None:
    assert blocks.carried(b"a b") == ("a b", True)
    assert blocks.carried(b"a \xff") == ("a \ufffd", False)
    assert blocks.carried(b"a" * 5000) == ("a" * blocks.LONGEST, False)


def test_the_command_fits_the_shell_and_the_format(home: Path) -> None:
    picks = read_picks(home / "jaded.tsv")
    object.__setattr__(picks, "path", "it's here.tsv")
    assert carried(make_page(picks))["command"] == ["cynical cut 'it'\"'\"'s here.tsv' --lines ", " -o best.txt"]
    object.__setattr__(picks, "path", "-x.tsv")
    assert carried(make_page(picks))["command"] == ["cynical cut ./-x.tsv --lines ", " -o best.txt"]
    records = read_picks(home / "jaded.jsonl.gz")
    assert carried(make_page(records))["command"] == [f"cynical cut {home}/jaded.jsonl.gz --lines ", " -o best.jsonl"]
    for kind in ("csv", "parquet", "ids"):
        object.__setattr__(picks, "path", f"x.{kind}")
        assert carried(make_page(picks))["command"] == [f"cynical cut x.{kind} --lines ", f" -o best.{kind}"]


# The command line


@pytest.mark.slow
def test_report_writes_a_page_beside_the_ranking(home: Path, cynical: Run, tmp_path: Path) -> None:
    for name in ("jaded.tsv", "jaded.tsv.json"):
        (tmp_path / name).write_bytes((home / name).read_bytes())
    done = cynical("report", "jaded.tsv", "--labels", str(home / "labels.txt"), "--price", "0.5")
    assert done.returncode == 0, done.stderr
    made = carried((tmp_path / "jaded.tsv.html").read_bytes())
    assert made["price"] == 0.5
    assert made["unknown"] is not None  # the summary names where REPRESENTATIVE is
    assert made["notes"] == []
    again = cynical("report", "jaded.tsv")
    assert again.returncode == 2 and "--overwrite" in again.stderr
    assert cynical("report", "jaded.tsv", "-o", "jaded.tsv", "--overwrite").returncode == 2
    out = cynical("report", "jaded.tsv", "-o", "-", "-q")
    assert out.stdout.startswith("<!doctype html>") and out.stderr == ""


def test_a_ranking_in_memory_has_the_page_of_its_file(home: Path) -> None:
    jaded = cynical.select(str(home / "task.txt"), str(home / "pool.txt"), all=True)
    inputs = report.ReportInputs(held_out=home / "heldout.txt", labels=home / "labels.txt", price=0.5)
    made = [report.run(ranking, inputs, Progress(False)) for ranking in (jaded, home / "jaded.tsv")]
    assert [one.lines for one in made] == [3000, 3000]
    memory, file = (carried(one.page) for one in made)
    assert memory["evaluation"] == file["evaluation"] is not None
    assert memory["labels"] == file["labels"] and memory["unknown"] == file["unknown"] and memory["price"] == 0.5


@pytest.mark.slow
def test_a_held_out_text_is_evaluated_and_the_page_is_still_the_same_bytes(
    home: Path, cynical: Run, tmp_path: Path
) -> None:
    pages = []
    for name in ("one.html", "two.html"):
        done = cynical("report", str(home / "jaded.tsv"), "-t", str(home / "heldout.txt"), "-o", name)
        assert done.returncode == 0, done.stderr
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    made = carried(pages[0])
    best = made["evaluation"]["best"]
    assert best["lines"] in made["cuts"]["lines"]
    place = made["cuts"]["lines"].index(best["lines"])
    assert made["unknown"]["heldout"]["tokens"][place] == pytest.approx(best["oov_tokens"], abs=1e-6)


def test_a_comparison_has_a_page_too(home: Path, cynical: Run, tmp_path: Path) -> None:
    texts = ["-r", str(home / "task.txt"), "-a", str(home / "pool.txt"), "-t", str(home / "heldout.txt")]
    ours = ("cynical", "cynical-per-word", "cynical-2-grams")
    asked = ["--methods", ",".join(("random", *ours)), "--shares", "0.1,0.2,0.3", "--subsample", "0.9", "--seeds", "2"]
    done = cynical("compare", *texts, *asked, "--report", "page.html", "--json", "figures.json")
    assert done.returncode == 0, done.stderr
    made = carried((tmp_path / "page.html").read_bytes())
    assert made["title"] == "Comparison on heldout.txt"
    assert b"<title>Comparison on heldout.txt</title>" in (tmp_path / "page.html").read_bytes()
    assert [method["name"] for method in made["comparison"]["methods"]] == ["random", *ours]
    figures = Comparison.from_dict(orjson.loads((tmp_path / "figures.json").read_bytes()))
    assert made["name"] == ours[winner(figures.methods[1:])]
    assert made["verdict"] == verdict(figures)
    assert made["comparison"]["subsample"] == 0.9 == figures.subsample
    assert made["comparison"]["changed"] == ["--shares 0.1,0.2,0.3", "--seeds 2", "--subsample 0.9"]
    assert {"REPRESENTATIVE", "AVAILABLE", "HELDOUT"} == {row["role"] for row in made["texts"]}
    assert made["unknown"]["heldout"] is not None
    refused = cynical("compare", *texts, "--methods", "random", "--report", "other.html")
    assert refused.returncode == 2 and "add cynical to --methods" in refused.stderr


def test_a_comparison_without_held_out_text_says_what_can_be_done(home: Path, cynical: Run, tmp_path: Path) -> None:
    texts = ["-r", str(home / "task.txt"), "-a", str(home / "pool.txt"), "--methods", "cynical", "--shares", "0.1"]
    done = cynical("compare", *texts, "--report", "page.html", "-q")
    assert done.returncode == 0, done.stderr
    notes = carried((tmp_path / "page.html").read_bytes())["notes"]
    assert notes[0].startswith("Give -t HELDOUT and REPRESENTATIVE as files for unknown words")
    assert not any("-r REPR" in note for note in notes)


@pytest.mark.slow
def test_held_out_text_may_be_a_pipe_and_a_comparison_has_the_same_bytes_again(
    home: Path, cynical: Run, tmp_path: Path
) -> None:
    heldout, texts = (home / "heldout.txt").read_text(), ["-r", str(home / "task.txt"), "-a", str(home / "pool.txt")]
    compare = ["compare", *texts, "-t", "-", "--methods", "cynical,random", "--shares", "0.1"]
    for name in ("one.html", "two.html"):
        done = cynical(*compare, "--report", name, input=heldout)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert carried((tmp_path / "one.html").read_bytes())["unknown"]["heldout"] is not None
    done = cynical("report", str(home / "jaded.tsv"), "-t", "-", "-o", "piped.html", input=heldout)
    assert done.returncode == 0, done.stderr
    made = carried((tmp_path / "piped.html").read_bytes())
    assert made["evaluation"] is not None and made["unknown"]["heldout"] is not None


def copied(home: Path, folder: Path) -> dict[str, Any]:
    for name in ("jaded.tsv", "jaded.tsv.json", "task.txt", "pool.txt"):
        shutil.copy(home / name, folder / name)
    return dict(orjson.loads((folder / "jaded.tsv.json").read_bytes()))


def test_a_summary_cannot_make_a_report_run_code(home: Path, cynical: Run, tmp_path: Path) -> None:
    summary = copied(home, tmp_path)
    summary["settings"]["tokenizer"] = "python:evil:split"
    (tmp_path / "jaded.tsv.json").write_bytes(orjson.dumps(summary))
    (tmp_path / "evil.py").write_text("open('run', 'w')\ndef split(line): return line.split()\n")
    done = cynical("report", "jaded.tsv")
    assert done.returncode == 2 and "which runs code" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_what_a_summary_names_is_read_as_it_was_or_left_out(home: Path, cynical: Run, tmp_path: Path) -> None:
    for name in ("task", "pool"):
        lines = (home / f"{name}.txt").read_text().splitlines()
        write(tmp_path, f"{name}.jsonl", [orjson.dumps({"body": line}).decode() for line in lines])
    select = ("select", "-r", "task.jsonl", "-a", "pool.jsonl", "--text-key", "body", "--lines", "30", "-o", "j.tsv")
    assert cynical(*select, "-q").returncode == 0
    assert cynical("report", "j.tsv", "-o", "good.html").returncode == 0
    made = carried((tmp_path / "good.html").read_bytes())
    assert made["unknown"] is not None and made["classes"] is not None and made["notes"] == []
    for name, note in (("pool", "Give -a AVAIL for words by class: "), ("task", "Give -r REPR for unknown words")):
        size = (tmp_path / f"{name}.jsonl").stat().st_size
        (tmp_path / f"{name}.jsonl").write_bytes(b"x" * (size - 1) + b"\n")
        done = cynical("report", "j.tsv", "-o", f"{name}.html")
        assert done.returncode == 0, done.stderr
        made = carried((tmp_path / f"{name}.html").read_bytes())
        assert made["classes"] is None and (made["unknown"] is None) == (name == "task")
        assert made["notes"][0].startswith(note) and f"{name}.jsonl" in made["notes"][0]


def test_a_page_replaces_nothing_that_the_summary_names(home: Path, cynical: Run, tmp_path: Path) -> None:
    summary = copied(home, tmp_path)
    for part, name in (("representative", "task.txt"), ("available", "pool.txt")):
        summary[part]["files"][0]["path"] = str(tmp_path / name)
    (tmp_path / "jaded.tsv.json").write_bytes(orjson.dumps(summary))
    for name in ("jaded.tsv.json", "task.txt", "pool.txt"):
        done = cynical("report", "jaded.tsv", "-o", name, "--overwrite")
        assert done.returncode == 2 and f"{name} is one of the inputs" in done.stderr


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"points": 5}, "expected `array`, got `int` - at `$.points`"),
        ({"points": []}, "expected `array` of length >= 1 - at `$.points`"),
        ({"points": [{"lines": 1.5, "words": 3}]}, "expected `int`, got `float` - at `$.points[0].lines`"),
        ({"points": [{"lines": 1, "words": True}]}, "expected `int`, got `bool` - at `$.points[0].words`"),
        ({"points": [{"lines": 1, "words": 3}, {"lines": -1, "words": 3}]}, "at `$.points[1].lines`"),
        ({"points": [{"lines": 1}]}, "object missing required field `words` - at `$.points[0]`"),
        ({"points": [{"lines": 1, "words": 3, "ngram_perplexity": "much"}]}, "at `$.points[0].ngram_perplexity`"),
        ({"points": [{"lines": 1, "words": 3, "ngram_perplexity": 1e308}]}, "at `$.points[0].ngram_perplexity`"),
        ({"points": [{"lines": 2, "words": 3}, {"lines": 1, "words": 3}]}, "points with increasing numbers"),
        ({"best": [1]}, "expected `object | null`, got `array` - at `$.best`"),
        ({"best": {"lines": "1", "words": 1}}, "at `$.best.lines`"),
        ({"notices": "all well"}, "at `$.notices`"),
        ({"notices": [1]}, "at `$.notices[0]`"),
        ({"heldout": {"name": [1]}}, "at `$.heldout.name`"),
        ({"order": "four"}, "expected `int | null`, got `str` - at `$.order`"),
        ({"points": [{"lines": 3001, "words": 9999}]}, "an evaluation of 3,001 lines, but jaded.tsv has 3,000"),
        ({"best": {"lines": 4000, "words": 9}}, "an evaluation of 4,000 lines, but jaded.tsv has 3,000"),
    ],
)
def test_an_evaluation_of_another_shape_or_ranking_is_an_error_message(
    home: Path, tmp_path: Path, changed: dict[str, Any], says: str
) -> None:
    picks, good = read_picks(home / "jaded.tsv"), {"points": [{"lines": 1, "words": 3, "ngram_perplexity": None}]}
    file = tmp_path / "e.json"
    file.write_bytes(orjson.dumps(good))
    assert read_evaluation(str(file), picks).to_dict() == good
    file.write_bytes(orjson.dumps({**good, **changed}))
    with pytest.raises(CynicalError, match=rf"e.json: .*{re.escape(says)}.*; give "):
        read_evaluation(str(file), picks)


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 on macOS")
def test_a_file_name_that_is_not_utf_8_is_shown_as_its_bytes(home: Path, cynical: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"bad\xff.tsv")
    shutil.copy(home / "jaded.tsv", tmp_path / name)
    done = cynical("report", name, "-o", "page.html")
    assert done.returncode == 0, done.stderr
    made = carried((tmp_path / "page.html").read_bytes())
    assert made["name"] == "bad\\xff.tsv"
    assert made["command"] is None


@pytest.mark.slow
def test_a_closed_standard_output_is_no_bug(home: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="no matplotlib: pip install 'cynical[plot]'")
    for command, output, code in (("report", "page.html", 0), ("report", "-", 2), ("plot", "c.svg", 0)):
        shell = f"{sys.executable} -m cynical {command} {home}/jaded.tsv -o {output} >&-"
        done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code and "Traceback" not in done.stderr, done.stderr


def test_mistakes_are_error_messages(home: Path, cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "eval.json").write_text('{"points": []}')
    for arguments, expected in (
        (["report", "none.tsv"], "none.tsv: no such file"),
        (
            ["report", str(home / "jaded.tsv"), "-o", "p.html", "--price", "-1"],
            "--price must be a number greater than 0",
        ),
        (["report", str(home / "jaded.tsv"), "-o", "p.html", "--evaluation", "eval.json"], "cynical evaluate --json"),
        (["report", str(home / "jaded.tsv"), "-o", "p.html", "-r", "none.txt"], "none.txt: no such file"),
    ):
        done = cynical(*arguments)
        assert done.returncode == 2, done.stderr
        assert expected in done.stderr
        assert done.stderr.count("\n") == 1


def test_an_empty_ranking_still_has_a_page(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "empty.tsv").write_text("rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\ttext\n")
    done = cynical("report", "empty.tsv")
    assert done.returncode == 0, done.stderr


def test_the_command_line_starts_without_anything_heavy() -> None:
    heavy = ("numpy", "numba", "matplotlib")
    code = f"from cynical.cli import main; import sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.endswith("[]\n"), done.stdout


def test_a_wheel_holds_the_parts_of_the_page(tmp_path: Path) -> None:
    hatchling = pytest.importorskip("hatchling.build", reason="building a wheel needs hatchling: pip install hatchling")
    root = Path(__file__).parents[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        name = hatchling.build_wheel(str(tmp_path))
    with zipfile.ZipFile(tmp_path / name) as wheel:
        names = set(wheel.namelist())
    assert {f"cynical/reports/template/{part}" for part in ("template.html", *STYLES, *SCRIPTS)} <= names


SMALL = """
import cynical
from cynical.reports.page import make_page
from cynical.reports.picks import from_jaded
from cynical.reports.representative import Corpora
from pathlib import Path
import tempfile
with tempfile.TemporaryDirectory() as folder:
    task = Path(folder, "task.txt")
    task.write_text("a b c\\n" + "a " * 30 + "\\n")
    jaded = cynical.select(str(task), ["a " * 20 + "x", "b b", "a a a c", "y z"], all=True)
    page = make_page(from_jaded(jaded))
    assert b'["a",20,' in page and b'["a",3,' in page
"""


@pytest.mark.slow
def test_words_are_followed_rightly_where_a_wild_index_raises() -> None:
    command, python = [sys.executable, "-W", "ignore", "-c", SMALL], {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=python, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_what_a_page_counts_as_paid_is_what_the_summary_has_spent(tmp_path: Path) -> None:
    labels = write(tmp_path, "labels.txt", ["x", "y"])
    for per, units in (("word", [0, 2, 3]), ("token", [0, 3, 5]), ("character", [0, 5, 8]), ("line", [0, 1, 2])):
        told: dict[str, Any] = {"lines": 2, "price": 0.5, "price_per": per, "currency": "EUR"}
        jaded = cynical.select(["a b c"], ["a , b", "c !"], **told)
        picks = from_jaded(jaded)
        made = carried(make_page(picks, labels=find_labels(picks, None, labels, Corpora())))
        assert made["bill"] == {"per": per, "currency": "EUR", "price_with": None, "units": units, "others": None}
        assert made["price"] * units[-1] == jaded.summary["money"]["spent"]
        assert sum(map(sum, made["labels"]["paid"])) == units[-1]
    both: dict[str, Any] = {"with_": {"de": ["A .", "C c c"]}, "representative_with": ["A C"], "price_with": 2.0}
    sided = cynical.select(["a b c"], ["a , b", "c !"], lines=2, price=0.5, **both)
    bill = carried(make_page(from_jaded(sided)))["bill"]
    assert (bill["price_with"], bill["units"][-1], bill["others"][-1]) == (2.0, 3, 4)
    assert sided.summary["money"]["spent"] == 0.5 * 3 + 2.0 * 4
    assert carried(make_page(picks, price=2.0))["price"] == 2.0
    assert carried(make_page(from_jaded(cynical.select(["a"], ["a"], lines=1))))["bill"] is None
