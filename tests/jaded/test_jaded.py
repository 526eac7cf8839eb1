"""The ranking's files, its data frame, and cutting it again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import orjson
import pytest

import cynical
from cynical.options import Budget
from tests.against_oracle import zipfian
from tests.cutting import cut

COLUMNS = ["rank", "line", "delta", "penalty", "gain", "entropy", "words", "word", "text"]


@pytest.fixture(scope="module")
def ranking() -> cynical.Jaded:
    return cynical.select(zipfian(40, 20), zipfian(400, 21), all=True)


def test_the_tsv_says_what_the_arrays_say(ranking: cynical.Jaded, tmp_path: Path) -> None:
    ranking.write(tmp_path / "jaded.tsv")
    rows = [row.split("\t") for row in (tmp_path / "jaded.tsv").read_text().splitlines()]
    assert rows[0] == COLUMNS
    pool = zipfian(400, 21)
    for i, row in enumerate(rows[1:]):
        numbers = (ranking.delta[i], ranking.penalty[i], ranking.gain[i], ranking.entropy[i])
        assert row[:2] == [str(i + 1), str(ranking.lines[i] + 1)]
        assert row[2:6] == [f"{number:.9g}" for number in numbers]
        assert row[6:] == [str(ranking.words[i]), ranking.best_words[i], pool[ranking.lines[i]]]


def test_the_summary_is_next_to_the_ranking(ranking: cynical.Jaded, tmp_path: Path) -> None:
    ranking.write(tmp_path / "jaded.tsv")
    summary = orjson.loads((tmp_path / "jaded.tsv.json").read_bytes())
    assert summary["cynical"] == cynical.__version__
    assert summary["settings"]["all"] is True
    assert summary["available"]["lines"] == 400
    assert summary["picked"]["lines"] == len(ranking) == 400 - summary["skipped"]["blank"]
    assert summary["stop"]["lines"] == ranking.stop
    assert summary["entropy"] == {"before": ranking.entropy_before, "after": ranking.entropy[-1]}
    assert set(summary["seconds"]) == {"read", "count", "lay out", "select", "total"}
    assert summary["memory"]["peak"] > 10**7


def test_coverage_is_the_share_of_representative_words_that_were_picked() -> None:
    jaded = cynical.select(["a a a b c d"], ["a b", "x", "c x x x"], lines=1)
    assert jaded.summary["covered"].to_dict() == {"types": 0.5, "tokens": pytest.approx(4 / 6)}
    seeded = cynical.select(["a a a b c d"], ["a b", "x", "c x x x"], lines=1, seed=["d"])
    assert seeded.summary["covered"].to_dict() == {"types": 0.75, "tokens": pytest.approx(5 / 6)}


def test_text_is_the_lines_alone(ranking: cynical.Jaded, tmp_path: Path) -> None:
    ranking.write(tmp_path / "best.txt")
    pool = zipfian(400, 21)
    assert (tmp_path / "best.txt").read_text().splitlines() == [pool[i] for i in ranking.lines]
    ranking.write(tmp_path / "best", format="text")
    assert (tmp_path / "best").read_bytes() == (tmp_path / "best.txt").read_bytes()


def test_a_data_frame_has_the_same_columns(ranking: cynical.Jaded) -> None:
    pytest.importorskip("pandas")
    frame = ranking.to_pandas()
    assert list(frame.columns) == COLUMNS
    assert frame["line"].tolist() == (ranking.lines + 1).tolist()
    assert frame["text"].tolist() == ranking.texts


def test_an_existing_file_is_kept(ranking: cynical.Jaded, tmp_path: Path) -> None:
    (tmp_path / "jaded.tsv").write_text("precious")
    with pytest.raises(cynical.CynicalError, match="already exists"):
        ranking.write(tmp_path / "jaded.tsv")
    assert (tmp_path / "jaded.tsv").read_text() == "precious"
    ranking.write(tmp_path / "jaded.tsv", overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jaded.tsv", "jaded.tsv.json"]


def test_a_file_in_the_place_of_the_summary_is_kept(ranking: cynical.Jaded, tmp_path: Path) -> None:
    (tmp_path / "jaded.tsv.json").write_text('{"precious": 1}')
    with pytest.raises(cynical.CynicalError, match="another file"):
        ranking.write(tmp_path / "jaded.tsv")
    assert [path.name for path in tmp_path.iterdir()] == ["jaded.tsv.json"]


@pytest.mark.parametrize(
    ("budget", "options"),
    [(Budget(lines=7), {"lines": 7}), (Budget(words=55), {"words": 55}), (Budget(share=0.2), {"share": 0.2})],
)
def test_a_cut_is_what_a_run_with_that_budget_writes(
    ranking: cynical.Jaded, tmp_path: Path, budget: Budget, options: dict[str, int]
) -> None:
    ranking.write(tmp_path / "all.tsv")
    cut(tmp_path / "all.tsv", tmp_path / "cut.tsv", budget, False, None, False)
    direct = cynical.select(zipfian(40, 20), zipfian(400, 21), **options)  # type: ignore[arg-type]
    assert (tmp_path / "cut.tsv").read_bytes() == b"".join(direct.to_bytes())
    summary = orjson.loads((tmp_path / "cut.tsv.json").read_bytes())
    assert summary["picked"] == direct.summary["picked"].to_dict()


def test_a_cut_at_the_stopping_point_ends_at_the_lowest_entropy(ranking: cynical.Jaded, tmp_path: Path) -> None:
    ranking.write(tmp_path / "all.tsv")
    made = cut(tmp_path / "all.tsv", tmp_path / "best.txt", Budget(), True, None, False)
    assert made.lines == ranking.stop
    assert (tmp_path / "best.txt").read_text().splitlines() == ranking.texts[: ranking.stop]
    assert made.entropy == pytest.approx(min(ranking.entropy), abs=1e-7)


def test_a_cut_of_a_cut_knows_that_it_was_cut(ranking: cynical.Jaded, tmp_path: Path) -> None:
    ranking.write(tmp_path / "all.tsv")
    cut(tmp_path / "all.tsv", tmp_path / "ten.tsv", Budget(lines=10), False, None, False)
    summary = orjson.loads((tmp_path / "ten.tsv.json").read_bytes())
    assert summary["search"]["ended_by"] == "cut"
    assert summary["stop"]["lines"] <= 10
    assert not summary["stop"]["known"]
    assert cut(tmp_path / "ten.tsv", tmp_path / "50.tsv", Budget(lines=50), False, None, False).notices
    assert cut(tmp_path / "ten.tsv", tmp_path / "stop.tsv", Budget(), True, None, False).notices


def test_only_a_whole_ranking_shows_its_stopping_point(ranking: cynical.Jaded) -> None:
    assert repr(ranking).endswith(f" bits, stop at {ranking.stop}>")
    for part in (ranking[2:9], ranking[:3], ranking.cut(lines=5)):
        assert repr(part).endswith(" bits>")


def test_a_cut_at_the_stopping_point_does_not_go_by_nine_digits(tmp_path: Path) -> None:
    """The summary knows the stopping point; the column has the same nine digits for a whole stretch."""
    rows = [f"{i}\t{i}\t-1e-12\t1e-12\t-2e-12\t9.50000000\t1\ta\ta" for i in range(1, 6)]
    (tmp_path / "flat.tsv").write_text("\n".join(["\t".join(COLUMNS), *rows, ""]))
    summary = {"cynical": "0", "available": {"lines": 5, "words": 5}, "entropy": {"before": 9.5, "after": 9.5}}
    stop = {"stop": {"lines": 4, "words": 4, "entropy": 9.5, "known": True}, "search": {"ended_by": "lines"}}
    (tmp_path / "flat.tsv.json").write_bytes(orjson.dumps({**summary, **stop}))
    assert cut(tmp_path / "flat.tsv", tmp_path / "stop.tsv", Budget(), True, None, False).lines == 4


def test_a_cut_says_what_is_wrong(ranking: cynical.Jaded, tmp_path: Path) -> None:
    ranking.write(tmp_path / "all.tsv")
    out = tmp_path / "out.tsv"
    with pytest.raises(cynical.CynicalError, match="no cut was given"):
        cut(tmp_path / "all.tsv", out, Budget(), False, None, False)
    with pytest.raises(cynical.CynicalError, match="cannot be combined"):
        cut(tmp_path / "all.tsv", out, Budget(lines=1), True, None, False)
    whole = (tmp_path / "all.tsv").read_bytes()
    (tmp_path / "torn.tsv").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(cynical.CynicalError, match=r"torn.tsv line .* damaged"):
        cut(tmp_path / "torn.tsv", out, Budget(lines=1), False, None, False)
    (tmp_path / "text.tsv").write_text("some words\n")
    with pytest.raises(cynical.CynicalError, match=r"text.tsv line 1: expected the header"):
        cut(tmp_path / "text.tsv", out, Budget(lines=1), False, None, False)
    with pytest.raises(cynical.CynicalError, match=r"torn.tsv.json: the summary is missing"):
        (tmp_path / "torn.tsv").write_bytes(whole)
        cut(tmp_path / "torn.tsv", out, Budget(share=0.5), False, None, False)
    assert not out.exists()


def test_the_file_of_an_n_gram_ranking_has_the_entropy_of_features_before_the_text(tmp_path: Path) -> None:
    jaded = cynical.select(zipfian(60, 1), zipfian(700, 2), ngrams=2, all=True)
    jaded.write(tmp_path / "out.tsv")
    rows = [row.split("\t") for row in (tmp_path / "out.tsv").read_text().splitlines()]
    assert rows[0][-3:] == ["word", "feature_entropy", "text"]
    assert jaded.feature_entropy is not None
    assert [row[-2] for row in rows[1:]] == [f"{number:.9g}" for number in jaded.feature_entropy]
    deltas = np.diff(jaded.feature_entropy, prepend=jaded.summary["feature_entropy"]["before"])
    assert deltas == pytest.approx(jaded.delta, abs=1e-12)
    words = cynical.select(zipfian(60, 1), ["w1"], seed=jaded.texts, lines=1)
    assert jaded.entropy[-1] == pytest.approx(words.entropy_before, abs=1e-9)
    summary = json.loads((tmp_path / "out.tsv.json").read_text())
    assert summary["text_signature"] == "tok:whitespace|lower:no|ngrams:2"
