"""What was written in any format is read by everything: cut, SEED, --exclude, evaluate, report, plot, compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cynical
from cynical.errors import CynicalError
from cynical.options import Budget
from cynical.selection.rescore import with_bits
from tests.against_oracle import zipfian
from tests.cutting import cut
from tests.files import PACK, as_text

FORMATS = ("tsv", "jsonl", "csv", "parquet", "ids")
LINES = zipfian(120, 2)
WANTED = zipfian(40, 1)


def odd_json(lines: list[str]) -> bytes:
    """Records that nobody would write twice the same way: spaces, escapes, numbers, a field after the text."""
    return b"".join(
        f'{{"id": "r{i}" ,"text" : {json.dumps(line)},\t"n": {i}.50, "x": "\\u00e4"{" " * (i % 3)}}}\n'.encode()
        for i, line in enumerate(lines)
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One ranking of records in every format."""
    folder = tmp_path_factory.mktemp("any")
    (folder / "task.txt").write_bytes(as_text(WANTED))
    (folder / "pool.jsonl.zst").write_bytes(PACK[".zst"](odd_json([*LINES, "w1\nw2\tw3"])))
    jaded = cynical.select(folder / "task.txt", folder / "pool.jsonl.zst", lines=50, id_key="id")
    for format in FORMATS:
        jaded.write(folder / f"jaded.{format}")
    jaded.write(folder / "jaded.parquet.gz")
    jaded.write(folder / "jaded.csv.xz")
    jaded.write(folder / "jaded.ids.zst")
    return folder


def columns(jaded: cynical.Jaded) -> list[Any]:
    numbers = (jaded.delta, jaded.penalty, jaded.gain, jaded.entropy)
    return [
        jaded.lines.tolist(),
        jaded.words.tolist(),
        jaded.best_words,
        *(np.round(one, 6).tolist() for one in numbers),
    ]


@pytest.mark.parametrize(
    "name", [*(f"jaded.{one}" for one in FORMATS), "jaded.parquet.gz", "jaded.csv.xz", "jaded.ids.zst"]
)
def test_every_format_is_read_back(home: Path, name: str) -> None:
    first, jaded = cynical.read(home / "jaded.tsv"), cynical.read(home / name)
    assert columns(jaded) == columns(first)
    assert jaded.texts == first.texts
    assert (jaded.stop, jaded.summary.available) == (first.stop, first.summary.available)
    assert jaded.content.ids(slice(0, 5)) == first.content.ids(slice(0, 5))


@pytest.mark.parametrize("name", ["jaded.tsv", "jaded.jsonl"])
def test_rows_in_another_order_are_the_same_ranking(home: Path, tmp_path: Path, name: str) -> None:
    rows = (home / name).read_bytes().splitlines(keepends=True)
    head = 1 if name.endswith("tsv") else 0
    (tmp_path / name).write_bytes(b"".join([*rows[:head], *rows[head:][::-1]]))
    first, jaded = cynical.read(home / name), cynical.read(tmp_path / name)
    assert columns(jaded) == columns(first) and jaded.texts == first.texts
    cut(tmp_path / name, tmp_path / f"cut-{name}", Budget(lines=7), False, None, False)
    assert (tmp_path / f"cut-{name}").read_bytes() == b"".join(rows[: head + 7])


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_a_cut_has_the_bytes_that_select_writes(home: Path, tmp_path: Path, source: str, target: str) -> None:
    out = tmp_path / f"cut.{target}"
    kept = cut(home / f"jaded.{source}", out, Budget(lines=20), False, None, False, with_bits)
    assert (kept.lines, kept.notices) == (20, [])
    if target == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_table(out).equals(parquet.read_table(home / "jaded.parquet")[:20])
        return
    assert (home / f"jaded.{target}").read_bytes().startswith(out.read_bytes())
    assert len(cynical.read(out)) == 20


def test_records_are_fetched_from_available_or_it_is_said(home: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool.jsonl"
    pool.write_bytes(odd_json(LINES))
    jaded = cynical.select(WANTED, pool, lines=9)
    for format in ("tsv", "csv", "ids"):
        jaded.write(tmp_path / f"j.{format}")
    changed = pool.read_bytes().replace(b'"n": 3', b'"n": 4')  # as large as it was
    pool.write_bytes(changed)
    with pytest.raises(cynical.CynicalError, match=r"pool\.jsonl has changed since the ranking was made"):
        cut(tmp_path / "j.tsv", tmp_path / "x.jsonl", Budget(lines=3), False, None, False)
    with pytest.raises(cynical.CynicalError, match=r"pool\.jsonl has changed since the ranking was made"):
        cynical.read(tmp_path / "j.ids")
    kept = cut(tmp_path / "j.csv", tmp_path / "x.jsonl", Budget(lines=3), False, None, False)
    assert "records were taken from" in kept.notices[0] and "has changed" in kept.notices[0]
    pool.unlink()
    cut(tmp_path / "j.tsv", tmp_path / "x.txt", Budget(lines=3), False, None, False)  # needs no record
    with pytest.raises(cynical.CynicalError, match=r"pool\.jsonl has changed since the ranking was made"):
        cut(tmp_path / "j.tsv", tmp_path / "y.jsonl", Budget(lines=3), False, None, False)
    (tmp_path / "j.tsv.json").unlink()
    with pytest.raises(cynical.CynicalError, match=r"x\.ids\.json: the summary, which names"):
        (tmp_path / "x.ids").write_text("1\n")
        cynical.read(tmp_path / "x.ids")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("how", [{"text_key": "messages[].content"}, {"text_key": "t,u", "unit": "line"}])
def test_texts_that_are_deep_in_records_or_units_of_them(tmp_path: Path, format: str, how: dict[str, Any]) -> None:
    pool = tmp_path / "pool.jsonl"
    pairs = zip(LINES, LINES[::-1], strict=True)
    records = [{"messages": [{"content": a}, {"content": b}], "t": a, "u": b} for a, b in pairs]
    pool.write_text("".join(json.dumps(one) + "\n" for one in records))
    (tmp_path / "task.txt").write_bytes(as_text(WANTED))
    jaded = cynical.select(tmp_path / "task.txt", pool, lines=20, **how)
    jaded.write(tmp_path / f"j.{format}")
    again = cynical.read(tmp_path / f"j.{format}")
    assert columns(again) == columns(jaded) and again.texts == jaded.texts
    cut(tmp_path / f"j.{format}", tmp_path / "c.jsonl", Budget(lines=9), False, None, False, with_bits)
    jaded.cut(lines=9).write(tmp_path / "d.jsonl")
    assert (tmp_path / "c.jsonl").read_bytes() == (tmp_path / "d.jsonl").read_bytes()


@pytest.mark.parametrize("format", FORMATS)
def test_what_was_picked_is_not_picked_again(home: Path, format: str) -> None:
    with_tsv, ranking = home / "jaded.tsv", home / f"jaded.{format}"
    first = cynical.read(with_tsv)
    more = cynical.select(home / "task.txt", home / "pool.jsonl.zst", seed=ranking, lines=20)
    assert not set(more.lines) & set(first.lines)
    assert (
        more.lines.tolist()
        == cynical.select(home / "task.txt", home / "pool.jsonl.zst", seed=with_tsv, lines=20).lines.tolist()
    )
    assert more.summary.seed is not None and [one.by for one in more.summary.seed.rankings] == ["number"]
    other = cynical.select(home / "task.txt", home / "pool.jsonl.zst", exclude=ranking, all=True)
    assert not {text.split()[0] for text in other.texts if text in first.texts}


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_measured_and_shown(home: Path, format: str) -> None:
    ranking, test = home / f"jaded.{format}", zipfian(30, 5)
    same = cynical.evaluate(home / "jaded.tsv", test, points=3)
    made = cynical.evaluate(ranking, test, points=3)
    assert made.points == same.points and made.stop == same.stop and made.ranking.cuttable
    page = cynical.report(ranking)
    assert b"cynical cut" in (page if isinstance(page, bytes) else page.html.encode())


@pytest.mark.slow
def test_every_format_is_drawn_and_compared(home: Path, tmp_path: Path) -> None:
    files = [home / f"jaded.{format}" for format in FORMATS]
    pytest.importorskip("matplotlib")
    cynical.plot(files, output=tmp_path / "curves.svg")
    assert (tmp_path / "curves.svg").stat().st_size
    options: dict[str, Any] = {"methods": ["in-order"], "shares": (0.1,), "text_key": "text"}
    made = cynical.compare(home / "task.txt", home / "pool.jsonl.zst", held_out=zipfian(30, 5), lists=files, **options)
    measured = [one.points for one in made.methods if one.name != "in-order"]
    assert len(measured) == len(FORMATS) and all(points == measured[0] for points in measured)


def test_numbers_of_lines_are_ids_too(tmp_path: Path) -> None:
    (tmp_path / "task.txt").write_bytes(as_text(WANTED))
    (tmp_path / "pool.en").write_bytes(as_text(LINES))
    (tmp_path / "pool.de").write_bytes(as_text(LINES[::-1]))
    pool = tmp_path / "pool.en"
    jaded = cynical.select(tmp_path / "task.txt", pool, with_=tmp_path / "pool.de", lines=12, ngrams=2)
    jaded.write(tmp_path / "j.ids")
    again = cynical.read(tmp_path / "j.ids")
    assert columns(again) == columns(jaded) and again.sides == jaded.sides
    assert again.feature_entropy is not None and jaded.feature_entropy is not None
    assert np.array_equal(again.feature_entropy, jaded.feature_entropy)
    (tmp_path / "task.txt").write_text("w1\n")
    with pytest.raises(cynical.CynicalError, match="ids have no bits, and REPRESENTATIVE, which is needed"):
        cynical.read(tmp_path / "j.ids")


def test_a_summary_of_another_ranking_is_noticed(home: Path, tmp_path: Path) -> None:
    other = cynical.select(WANTED, LINES[:10], lines=5)
    other.write(tmp_path / "jaded.csv")
    (tmp_path / "jaded.csv").write_bytes((home / "jaded.csv").read_bytes())
    with pytest.raises(
        CynicalError, match="AVAILABLE had 10 lines, so the summary next to it belongs to another ranking"
    ):
        cynical.read(tmp_path / "jaded.csv")
    (tmp_path / "pool.jsonl").write_bytes(odd_json([*LINES[1:], *LINES]))
    cynical.select(WANTED, tmp_path / "pool.jsonl", lines=5).write(tmp_path / "jaded.tsv")
    (tmp_path / "jaded.tsv").write_bytes((home / "jaded.tsv").read_bytes())
    with pytest.raises(
        CynicalError, match="not on these lines of AVAILABLE, so the summary next to it belongs to another"
    ):
        cynical.read(tmp_path / "jaded.tsv").write(tmp_path / "whole.jsonl")
