"""The signature: what decides the bytes of a ranking, on one line."""

from __future__ import annotations

import gzip
import unicodedata
import warnings
import zlib
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.api import read
from tests.against_oracle import lines_of, some_words, zipfian
from tests.cluster.test_cluster import selected

WANTED, POOL = zipfian(40, 20), zipfian(300, 21)
VERSION = cynical.__version__


def select(representative: Any = WANTED, available: Any = POOL, **options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.select(representative, available, **options)


def signature(*given: Any, **options: Any) -> str:
    found = select(*given, **options).signature
    assert found is not None
    return found


def crc(lines: list[str]) -> str:
    return f"{zlib.crc32(''.join(f'{line}{chr(10)}' for line in lines).encode()):08x}"


def test_it_says_what_was_chosen_and_what_was_read() -> None:
    corpora, end = f"r:{crc(WANTED)}|a:{crc(POOL)}", f"v:{VERSION}"
    assert signature() == f"cynical|tok:whitespace|{corpora}|{end}"
    assert signature(ngrams=2, per="word", lines=5) == f"cynical|lines:5|per:word|n:2|tok:whitespace|{corpora}|{end}"
    unicode = f"uc:{unicodedata.unidata_version}"
    assert signature(tokenizer="words", share=0.1) == f"cynical|share:0.1|tok:words|{unicode}|{corpora}|{end}"
    text = f"tok:whitespace|lower:yes|norm:nfc|{unicode}"
    assert signature(lowercase=True, normalize="nfc") == f"cynical|{text}|{corpora}|{end}"
    ranked = cynical.rank(WANTED, POOL, method="random", random_seed=7)
    assert ranked.signature == f"random|seed:7|tok:whitespace|{corpora}|{end}"
    assert cynical.rank(WANTED, POOL, method="random").signature == f"random|tok:whitespace|{corpora}|{end}"


def test_options_have_short_names_and_every_digit() -> None:
    assert signature(share=0.1234567, max_copies=1).startswith("cynical|share:0.1234567|max-copies:1|tok:")
    assert signature(all=True, smoothing=0.1).startswith("cynical|all:yes|smoothing:0.1|tok:")
    assert "|n:2|ngram-smoothing:2000|tok:" in signature(lines=5, ngrams=2, ngram_smoothing=2000)
    assert "|ngram-smoothing:0.5|tok:" in signature(lines=5, ngrams=2, ngram_smoothing=0.5)
    dsir = cynical.rank(WANTED, POOL, method="dsir", random_seed=3, buckets=500).signature
    assert dsir is not None and dsir.startswith("dsir|seed:3|buckets:500|tok:")


def test_every_corpus_has_its_letter() -> None:
    other = zipfian(20, 3)
    found = signature(
        vocabulary="classes", unadapted=other, seed=other, exclude=other[:3], with_={"de": POOL[::-1]}, lines=5
    )
    letters = [part.partition(":")[0] for part in found.split("|")]
    assert letters == ["cynical", "lines", "vocab", "tok", "r", "u", "s", "a", "w", "x", "v"]
    assert f"|u:{crc(other)}|s:{crc(other)}|" in found and f"|x:{crc(other[:3])}|" in found
    two = signature([WANTED, other], weights=[2, 1])
    assert f"|weights:2,1|tok:whitespace|r:{crc(WANTED)},{crc(other)}|" in two


def test_it_is_in_the_summary_the_file_and_the_cut(tmp_path: Path) -> None:
    jaded = select(all=True)
    jaded.write(tmp_path / "jaded.tsv")
    assert orjson.loads((tmp_path / "jaded.tsv.json").read_bytes())["signature"] == jaded.signature
    assert read(tmp_path / "jaded.tsv").signature == jaded.signature
    assert jaded[:5].signature == jaded.cut(lines=5).signature == f"{jaded.signature}|cut:lines:5"
    assert jaded.cut(stop=True).signature == f"{jaded.signature}|cut:stop"


# The same signature, the same bytes

runs = st.tuples(
    some_words,
    lines_of(["a", "b", "c", "x"], 5, 3),
    st.sampled_from([1, 2]),
    st.sampled_from(["line", "word"]),
    st.none() | st.lists(st.sampled_from(["a", "x", "a x", ""]), min_size=1, max_size=2),
    st.none() | st.lists(st.sampled_from(["a", "b", "a b"]), min_size=1, max_size=2),
)


@given(runs, runs)
@settings(max_examples=60)
def test_runs_with_the_same_signature_give_the_same_bytes(one: Any, two: Any) -> None:
    made = []
    for wanted, pool, ngrams, per, exclude, seed in (one, two):
        try:
            jaded = select(wanted, pool, ngrams=ngrams, per=per, exclude=exclude, seed=seed, all=True)
        except cynical.CynicalError as error:
            assert str(error)  # nothing in common, or nothing left
            continue
        again = select(wanted, pool, ngrams=ngrams, per=per, exclude=exclude, seed=seed, all=True, jobs=3)
        assert again.signature == jaded.signature
        made.append((jaded.signature, b"".join(jaded.to_bytes())))
    if len(made) == 2:
        (first, bytes_of_first), (second, bytes_of_second) = made
        assert (first == second) == (one == two)
        assert first != second or bytes_of_first == bytes_of_second


@pytest.mark.parametrize("change", ["order", "word", "case", "newline within", "names"])
def test_what_changes_the_output_changes_the_signature(tmp_path: Path, change: str) -> None:
    pool, name = list(POOL), "pool.jsonl"
    records = [{"id": str(i), "text": line} for i, line in enumerate(pool)]

    def signed() -> str:
        for part, some in ((name, records[:100]), ("z" + name, records[100:])):
            (tmp_path / part).write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in some))
        files = [tmp_path / name, tmp_path / ("z" + name)]
        return signature(WANTED, files, lines=5)

    before = signed()
    assert signed() == before
    if change == "order":
        records[3], records[4] = records[4], records[3]
    elif change == "word":
        records[299]["id"] = "other"  # no text, but it is written
    elif change == "case":
        records[7]["text"] = records[7]["text"].upper()
    elif change == "newline within":
        records[8]["text"] = records[8]["text"].replace(" ", "\n", 1)
    else:
        name = "renamed.jsonl"
    assert signed() != before


def test_threads_chunks_compression_and_counts_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, pool = tmp_path / "task.txt", tmp_path / "pool.txt"
    task.write_text("\n".join(WANTED) + "\n")
    pool.write_text("\n".join(POOL) + "\n")
    (tmp_path / "pool.txt.gz").write_bytes(gzip.compress(pool.read_bytes()))
    expected = signature(task, pool, lines=20)
    assert expected == signature(WANTED, POOL, lines=20)
    assert expected == signature(task, tmp_path / "pool.txt.gz", lines=20)
    assert expected == signature(task, pool, lines=20, checkpoint=tmp_path / "kept")
    for size in (64, 300, 5000):
        monkeypatch.setattr("cynical.text.corpus.CHUNK", size)
        for jobs in (1, 4):
            assert signature(task, pool, lines=20, jobs=jobs) == expected
    counts = cynical.count(task)
    counts.write(tmp_path / "task.counts")
    by_counts = signature(counts, pool, lines=20)
    assert by_counts == signature(tmp_path / "task.counts", pool, lines=20) != expected


@pytest.mark.parametrize("kind", ["text", "jsonl", "parquet", "two files"])
@pytest.mark.parametrize("workers", [1, 3, 5])
def test_shards_make_no_difference(tmp_path: Path, kind: str, workers: int) -> None:
    task = tmp_path / "task.txt"
    task.write_text("\n".join(WANTED) + "\n")
    available: Any = tmp_path / f"pool.{kind}"
    if kind == "jsonl":
        available.write_bytes(b"".join(orjson.dumps({"text": line}) + b"\n" for line in POOL))
    elif kind == "parquet":
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table({"text": POOL}), available, row_group_size=40)
    elif kind == "text":
        available.write_text("\n".join(POOL))
    else:
        available = [tmp_path / "1.txt", tmp_path / "2.txt"]
        for path, some in zip(available, (POOL[:77], POOL[77:]), strict=True):
            path.write_text("\n".join(some) + "\n")
    with selected(task, available, workers, lines=20) as made:
        assert made.jaded.signature == signature(task, available, lines=20)


@pytest.mark.slow
def test_the_terminal_and_the_page_show_it(tmp_path: Path) -> None:
    from cynical.cli.render import closing
    from cynical.reports.page import make_page
    from cynical.reports.picks import from_jaded

    jaded = select(lines=5)
    said = closing(jaded.summary, "jaded.tsv", "tsv", 1.0).splitlines()
    assert said[-2].split() == ["signature", jaded.signature] and said[-1].startswith("next:")
    assert f'"signature":"{jaded.signature}"'.encode() in make_page(from_jaded(jaded))
