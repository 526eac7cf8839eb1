"""One ranking type: made by a run or read from a file, sliced, iterated, cut, pickled, shown."""

from __future__ import annotations

import gzip
import math
import pickle
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.api import read
from cynical.jaded.jaded import Jaded
from cynical.jaded.kept import KeptContent
from cynical.options import Budget
from tests.against_oracle import lines_of, some_words, zipfian
from tests.cutting import cut as cut_file

WANTED, POOL = zipfian(40, 20), zipfian(400, 21)
NUMBERS = ("delta", "penalty", "gain", "entropy", "feature_entropy", "score")
ODD = ["a", "b", "\u00e4\u00df", "<b>&", "back\\slash", "tab\tbed", "\u2028", "''\""]

pools = lines_of(ODD, 8, 4).filter(lambda lines: any(line.split() for line in lines))


@pytest.fixture(scope="module")
def ranking() -> Jaded:
    return cynical.select(WANTED, POOL, all=True)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        yield


def select(representative: Any, available: Any, **options: Any) -> Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.select(representative, available, **{"all": True, **options})


def rows_of(jaded: Jaded) -> list[tuple[object, ...]]:
    """With as many digits as a file has."""
    return [tuple(f"{value:.9g}" if isinstance(value, float) else value for value in pick) for pick in jaded]


def assert_same(one: Jaded, two: Jaded) -> None:
    assert rows_of(one) == rows_of(two)
    assert one.sides == two.sides
    assert one.stop == two.stop
    assert one.found_summary == two.found_summary
    for name in NUMBERS[4:]:
        first, second = getattr(one, name), getattr(two, name)
        assert (first is None) == (second is None)
        if first is not None:
            assert [f"{number:.9g}" for number in first] == [f"{number:.9g}" for number in second]


# Reading what was written


@given(some_words, pools, st.sampled_from([1, 2]), st.sampled_from(["tsv", "jsonl", "tsv.gz", "jsonl.gz"]))
@settings(max_examples=40)
def test_what_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, wanted: list[str], pool: list[str], ngrams: int, suffix: str
) -> None:
    try:
        made = select(wanted, pool, ngrams=ngrams)
    except cynical.CynicalError:
        assert not {word for line in wanted for word in line.split()} & {word for line in pool for word in line.split()}
        return
    path = tmp_path_factory.mktemp("read") / f"jaded.{suffix}"
    made.write(path)
    found = read(path)
    assert_same(made, found)
    assert found.lines.tolist() == made.lines.tolist()  # positions, from 0
    assert found.name == str(path)
    plain = "tsv" if suffix.startswith("tsv") else "jsonl"
    whole = path.read_bytes()
    assert b"".join(found.to_bytes(plain)) == (gzip.decompress(whole) if suffix.endswith("gz") else whole)


def test_sides_records_files_and_scores_are_read_back(tmp_path: Path) -> None:
    records = [orjson.dumps({"id": f"r{i}", "body": line.replace(" ", "\n", 1)}) for i, line in enumerate(POOL)]
    for name, some in (("1.jsonl", records[:150]), ("2.jsonl", records[150:])):
        (tmp_path / name).write_bytes(b"\n".join(some) + b"\n")
    several = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    made = {
        "sides": select(
            WANTED, POOL, with_={"de": POOL[::-1], "fr": [line + "\\" for line in POOL]}, lines=50, all=False
        ),
        "records": select(WANTED, several, text_key="body", id_key="id", lines=50, all=False),
        "score": cynical.rank(WANTED, POOL, method="longest", lines=50),
    }
    for name, jaded in made.items():
        for suffix in ("tsv", "jsonl"):
            jaded.write(tmp_path / f"{name}.{suffix}")
            found = read(tmp_path / f"{name}.{suffix}")
            assert_same(jaded, found)
            assert found.content.ids(slice(None)) == jaded.content.ids(slice(None))
            assert b"".join(found.to_bytes(suffix)) == (tmp_path / f"{name}.{suffix}").read_bytes()
            assert b"".join(found.to_bytes("text")) == b"".join(jaded.to_bytes("text"))
    shards = read(tmp_path / "records.tsv").to_pandas()["shard"]
    assert set(shards) <= {str(path) for path in several} and len(set(shards)) == 2


def test_a_ranking_without_its_summary(ranking: Jaded, tmp_path: Path) -> None:
    (tmp_path / "bare.tsv").write_bytes(b"".join(ranking.to_bytes()))
    bare = read(tmp_path / "bare.tsv")
    assert rows_of(bare) == rows_of(ranking)
    assert bare.entropy_before == pytest.approx(ranking.entropy_before, abs=1e-7)
    assert bare.cut(lines=5).lines.tolist() == ranking.lines[:5].tolist()
    with pytest.raises(cynical.CynicalError, match=r"bare\.tsv\.json: the summary of the ranking is missing"):
        _ = bare.summary
    with pytest.raises(cynical.CynicalError, match=r"bare\.tsv\.json: the summary is missing, so the number of words"):
        bare.cut(share=0.5)
    bare.write(tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_bytes() == (tmp_path / "bare.tsv").read_bytes()
    assert not (tmp_path / "again.tsv.json").exists()


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "j.csv").write_text("text,n\nw1,2\n")
    with pytest.raises(cynical.CynicalError, match=r"j\.csv line 2: expected fields cynical_rank"):
        read(tmp_path / "j.csv")
    with pytest.raises(cynical.CynicalError, match=r"none\.tsv"):
        read(tmp_path / "none.tsv")


# Slices and iteration


@given(st.integers(-60, 60) | st.none(), st.integers(-60, 60) | st.none(), st.sampled_from([None, 1, 2, 7, -1, -3]))
@settings(max_examples=60)
def test_a_slice_is_a_ranking_of_these_rows(
    ranking: Jaded, begin: int | None, end: int | None, step: int | None
) -> None:
    short, which = ranking[:50], slice(begin, end, step)
    part, places = short[which], range(50)[which]
    assert list(part) == list(short)[which]
    assert part.lines.tolist() == short.lines[which].tolist()
    assert [pick.rank for pick in part] == [place + 1 for place in places]  # ranks stay
    assert part.summary.picked is not None and part.summary.picked.lines == len(part) == len(places)
    assert part.summary.picked.words == part.words.sum()
    first = places[0] if len(places) else 0
    assert part.entropy_before == (short.entropy[first - 1] if first else short.entropy_before)
    assert 0 <= part.stop <= len(part)


def test_a_pick_has_names_and_counts_from_one(ranking: Jaded) -> None:
    first, last = ranking[0], ranking[-1]
    assert first == next(iter(ranking))
    assert first._fields == ("rank", "line", "delta", "penalty", "gain", "entropy", "words", "word", "text")
    assert (first.rank, first.line, first.text) == (1, ranking.lines[0] + 1, POOL[ranking.lines[0]])
    assert (last.rank, last.word) == (len(ranking), ranking.best_words[-1])
    assert isinstance(first.delta, float) and isinstance(first.words, int)
    with pytest.raises(IndexError):
        _ = ranking[len(ranking)]


def test_the_beginning_is_what_a_shorter_run_gives(ranking: Jaded) -> None:
    direct = select(WANTED, POOL, lines=30, all=False)
    assert b"".join(ranking[:30].to_bytes()) == b"".join(direct.to_bytes())
    assert ranking[:30].summary.picked == direct.summary.picked
    assert ranking[:30].summary.entropy == direct.summary.entropy
    assert ranking[:] is ranking or rows_of(ranking[:]) == rows_of(ranking)


# Cuts


@given(st.sampled_from(["lines", "words", "share", "stop"]), st.integers(1, 500), st.floats(0.001, 1))
@settings(max_examples=40)
def test_one_rule_for_a_cut_in_memory_and_of_a_file(
    ranking: Jaded, tmp_path_factory: pytest.TempPathFactory, how: str, number: int, share: float
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    options: dict[str, Any] = {how: {"share": share, "stop": True}.get(how, number)}
    ranking.write(folder / "all.tsv")
    budget = Budget() if how == "stop" else Budget(**options)
    made = cut_file(folder / "all.tsv", folder / "cut.tsv", budget, how == "stop", None, False)
    part = ranking.cut(**options)
    assert b"".join(part.to_bytes()) == (folder / "cut.tsv").read_bytes()
    assert len(part) == made.lines and part.words.sum() == made.words
    found = read(folder / "cut.tsv")
    assert rows_of(found) == rows_of(part)
    assert found.stop == part.stop and found.summary.picked == part.summary.picked
    if how == "words":
        assert part.words.sum() <= number
        assert len(part) == len(ranking) or ranking.words[: len(part) + 1].sum() > number


def test_a_cut_says_what_is_missing_or_too_much(ranking: Jaded) -> None:
    with pytest.raises(cynical.CynicalError, match="no cut was given"):
        ranking.cut()
    with pytest.raises(cynical.CynicalError, match="cannot be combined"):
        ranking.cut(lines=1, stop=True)
    with pytest.warns(cynical.CynicalWarning, match="the ranking ends after 10 lines"):
        assert len(ranking.cut(lines=10).cut(lines=20)) == 10


# Pickles


def sources(folder: Path) -> dict[str, tuple[Any, dict[str, Any]]]:
    (folder / "pool.txt").write_text("\n".join(POOL) + "\n")
    (folder / "other.txt").write_text("\n".join(POOL[::-1]) + "\n")
    records = [orjson.dumps({"id": f"r{i}", "text": line}) for i, line in enumerate(POOL)]
    (folder / "pool.jsonl").write_bytes(b"\n".join(records) + b"\n")
    return {
        "strings": (POOL, {"with_": {"de": POOL[::-1]}}),
        "file": (folder / "pool.txt", {"with_": {"de": folder / "other.txt"}}),
        "records": (folder / "pool.jsonl", {"id_key": "id"}),
    }


@pytest.mark.parametrize("kind", ["strings", "file", "records"])
def test_a_pickle_is_small_and_whole(tmp_path: Path, kind: str) -> None:
    source, options = sources(tmp_path)[kind]
    made = select(WANTED, source, lines=20, all=False, **options)
    for jaded in (made, made[3:9]):
        kept = pickle.dumps(jaded)
        assert len(kept) < 30_000  # not the pool
        again = pickle.loads(kept)
        assert rows_of(again) == rows_of(jaded)
        assert again.summary == jaded.summary and repr(again) == repr(jaded)
        for format in ("tsv", "jsonl", "csv", "ids", "text"):
            assert b"".join(again.to_bytes(format)) == b"".join(jaded.to_bytes(format)), format
        assert pickle.loads(pickle.dumps(again)).texts == jaded.texts
        assert rows_of(again[:2]) == rows_of(jaded[:2])


@pytest.mark.parametrize("name", ["j.tsv", "j.jsonl.gz"])
def test_a_pickle_of_a_ranking_that_was_read(ranking: Jaded, tmp_path: Path, name: str) -> None:
    ranking[:30].write(tmp_path / name)
    found = read(tmp_path / name)
    kept = pickle.dumps(found[:10])
    assert rows_of(pickle.loads(kept)) == rows_of(ranking[:10])
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
    changed = pickle.loads(kept)
    assert changed.lines.tolist() == ranking.lines[:10].tolist()  # numbers are in the pickle
    with pytest.raises(cynical.CynicalError, match="has changed since the ranking was read"):
        _ = changed.texts


def test_a_pickle_whose_files_have_changed_says_so(tmp_path: Path) -> None:
    source, _ = sources(tmp_path)["file"]
    kept = pickle.dumps(select(WANTED, source, lines=20, all=False))
    for changed in (POOL[:-1], POOL[1:] + POOL[:1]):
        (tmp_path / "pool.txt").write_text("\n".join(changed) + "\n")
        again = pickle.loads(kept)
        assert len(again) == 20 and again.delta[0] < 0
        with pytest.raises(cynical.CynicalError, match=r"pool\.txt has changed since the ranking was made"):
            _ = again.texts


def test_texts_from_a_program_are_kept_and_nothing_else(tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(select(WANTED, POOL, lines=5, all=False)))
    assert isinstance(again.content, KeptContent) and len(again.content) == 5


# Frames and notebooks


def test_frames_have_one_naming(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    kinds = {**sources(tmp_path), "ranked": (POOL, {"ngrams": 2})}
    for source, options in kinds.values():
        jaded = select(WANTED, source, lines=20, all=False, **options)
        frame, table, polars = jaded.to_pandas(), jaded.to_arrow(), jaded.to_polars()
        assert list(frame.columns) == table.column_names == polars.columns
        assert frame.to_dict("list") == table.to_pydict() == polars.to_dict(as_series=False)
        assert frame["line"].tolist() == (jaded.lines + 1).tolist()
        assert list(frame.columns[:8]) == ["rank", "line", "delta", "penalty", "gain", "entropy", "words", "word"]
        assert frame.columns[-1] == "text" and frame["text"].tolist() == jaded.texts
        assert table.slice(0, 0).schema == jaded[:0].to_arrow().schema or "id" in table.column_names


def test_a_notebook_shows_the_first_picks_escaped() -> None:
    jaded = select(["<b>x</b> & y"], ["<b>x</b> <script>", "& y " + "long " * 100, "z <b>x</b>"] * 5)
    shown = jaded._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown
    assert shown.count("<tr>") == 11 and "... and 5 more" in shown
    assert len(shown) < 12_000
    assert "more" not in jaded[:3]._repr_html_()


def test_nobody_knows_the_entropy_before_n_grams_without_a_summary(tmp_path: Path) -> None:
    jaded = select(WANTED, POOL, ngrams=2, lines=10, all=False)
    (tmp_path / "j.tsv").write_bytes(b"".join(jaded.to_bytes()))
    assert math.isnan(read(tmp_path / "j.tsv").entropy_before)
    assert np.array_equal(read(tmp_path / "j.tsv").lines, jaded.lines)
