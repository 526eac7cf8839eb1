"""Units of documents: what they are, and that every line can be traced back to its document, whatever its file is."""

from __future__ import annotations

import csv
import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.options.reading import Unit
from cynical.text.units import lines, paragraphs
from tests.text.test_fields import FILES, as_csv, as_json

TEXT = st.text("ab \n\r\t\x0b\x0c\u2028", max_size=20)
DOCUMENTS = ["the cat ran\nhome\n\na dog sat", "", "\n\n  \nthe bird flew \n \t\n\n", "a cat\r\n\r\nsat\nthere"]
PARAGRAPHS = [["the cat ran\nhome", "a dog sat"], [""], ["the bird flew "], ["a cat", "sat\nthere"]]
LINES = [
    ["the cat ran", "home", "", "a dog sat"],
    [""],
    ["", "", "  ", "the bird flew ", " \t", ""],
    ["a cat", "", "sat", "there"],
]
UNITS: dict[Unit, list[list[str]]] = {"paragraph": PARAGRAPHS, "line": LINES}


@given(TEXT)
def test_paragraphs_are_what_blank_lines_separate(text: str) -> None:
    runs = groupby(text.split("\n"), key=lambda line: bool(line.strip()))
    expected = ["\n".join(run).removesuffix("\r") for filled, run in runs if filled]
    assert paragraphs(text) == (expected or [""])


@given(TEXT)
def test_lines_are_those_of_a_file(text: str) -> None:
    assert lines(text) == [
        line.removesuffix("\r") for line in (text + "\n" * (not text.endswith("\n"))).split("\n")[:-1]
    ]


def records() -> list[dict[str, str]]:
    return [{"id": f"d{number}", "text": text} for number, text in enumerate(DOCUMENTS)]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "python", "strings"])
def test_a_unit_keeps_its_document_and_its_place(tmp_path: Path, kind: str, unit: Unit) -> None:
    source: Any = records() if kind == "python" else DOCUMENTS
    if kind in FILES:
        source = tmp_path / f"pool.{kind}"
        source.write_bytes(FILES[kind](records()))
    whole = [(place, number, text) for place, some in enumerate(UNITS[unit]) for number, text in enumerate(some, 1)]
    id_key = None if kind == "strings" else "id"
    key = "text" if kind == "csv" else None
    (task := tmp_path / "task.txt").write_text("the cat sat there\n")
    jaded = cynical.select(task, source, all=True, unit=unit, text_key=key, id_key=id_key)
    picked = [whole[line] for line in jaded.lines]
    assert sorted(jaded.lines.tolist()) == [line for line, (_, _, text) in enumerate(whole) if text.strip()]
    assert jaded.texts == [text for _, _, text in picked]
    same = cynical.select(task, [text for _, _, text in whole], all=True)
    assert (jaded.lines.tolist(), jaded.delta.tolist()) == (same.lines.tolist(), same.delta.tolist())
    for name in ("out.jsonl", "out.tsv", "out.csv", "out.parquet"):
        jaded.write(tmp_path / name)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == [DOCUMENTS[place] for place, _, _ in picked]  # whole documents
    again = cynical.read(tmp_path / "out.jsonl")
    assert again.texts == cynical.read(tmp_path / "out.tsv").texts == jaded.texts
    frame = jaded.to_pandas()
    where = {"jsonl": [1, 3, 5, 7], "csv": [2, 6, 7, 14], "parquet": [1, 2, 3, 4], "python": [1, 2, 3, 4]}
    expected = [(where.get(kind, [1, 2, 3, 4])[place], number, text) for place, number, text in picked]
    names = ("shard_line", "unit", "text")
    for some in (
        [tuple(row[f"cynical_{name}"] for name in names) for row in rows],
        list(zip(*(frame[name] for name in names), strict=True)),
        [tuple(row[f"cynical_{name}"] for name in names) for row in _table(tmp_path / "out.parquet")],
    ):
        assert some == expected
    cells = [tuple(row[f"cynical_{name}"] for name in names) for row in _rows(tmp_path / "out.csv")]
    assert cells == [tuple(map(str, one)) for one in expected]
    if id_key is not None:
        assert frame["id"].tolist() == [f"d{place}" for place, _, _ in picked]
    assert again.to_pandas()["unit"].tolist() == [number for _, number, _ in picked]
    if id_key is not None:
        jaded.write(tmp_path / "out.ids")
        assert (tmp_path / "out.ids").read_text() == "".join(f"d{place}\t{number}\n" for place, number, _ in picked)
    if id_key is not None and kind in FILES:
        assert cynical.read(tmp_path / "out.ids").texts == jaded.texts
    cut = again.cut(lines=2)
    cut.write(tmp_path / "cut.jsonl")
    assert (tmp_path / "cut.jsonl").read_text().splitlines() == (tmp_path / "out.jsonl").read_text().splitlines()[:2]
    for name in ("out.csv", "out.parquet"):
        assert cynical.read(tmp_path / name).texts == jaded.texts


def _table(path: Path) -> Any:
    return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["a b", "c\n\nd", "e\n \nf g\n\nh", "", "\n"]), min_size=1, max_size=5))
def test_picks_are_those_of_the_units_as_plain_lines(documents: list[str]) -> None:
    units = [unit for document in documents for unit in paragraphs(document)]
    assume(any(unit.strip() for unit in units))
    made = cynical.select(["a b c d e f g h"], documents, all=True, unit="paragraph", ngrams=2)
    same = cynical.select(["a b c d e f g h"], units, all=True, ngrams=2)
    assert (made.lines.tolist(), made.entropy.tolist()) == (same.lines.tolist(), same.entropy.tolist())
    places = [(place, number) for place, one in enumerate(documents) for number, _ in enumerate(paragraphs(one), 1)]
    frame = made.to_pandas()
    assert list(zip(frame["shard_line"] - 1, frame["unit"], strict=True)) == [places[line] for line in made.lines]


def test_the_line_in_the_file_is_a_number_in_every_format(tmp_path: Path) -> None:
    for name, content in {
        "a.jsonl": b'{"text": "a cat"}\n\n{"no": 1}\n{"text": "the cat"}\n',
        "b.jsonl": b'\xef\xbb\xbf\n{"text": "cat"}',
    }.items():
        (tmp_path / name).write_bytes(content)
    jaded = cynical.select(["a the cat"], tmp_path / "*.jsonl", all=True, bad_records="skip")
    found = {"a cat": 1, "the cat": 4, "cat": 2}
    expected = [found[text] for text in jaded.texts]
    for name in ("out.jsonl", "out.csv", "out.parquet", "out.tsv"):
        jaded.write(tmp_path / name)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["cynical_shard_line"] for row in rows] == expected
    assert [row["cynical_shard_line"] for row in _table(tmp_path / "out.parquet")] == expected
    assert [row["cynical_shard_line"] for row in _rows(tmp_path / "out.csv")] == [str(line) for line in expected]
    for one in (jaded, cynical.read(tmp_path / "out.jsonl")):
        assert one.to_pandas()["shard_line"].tolist() == expected
    for kind in ("csv", "parquet"):
        for part, some in (("a", records()[:1]), ("b", records()[1:])):
            (tmp_path / f"{part}.{kind}").write_bytes(FILES[kind](some))
        jaded = cynical.select(["a the cat"], tmp_path / f"[ab].{kind}", all=True, text_key="text")
        lines = {"a": {DOCUMENTS[0]: 2}, "b": {DOCUMENTS[2]: 3, DOCUMENTS[3]: 10}}
        if kind == "parquet":
            lines = {"a": {DOCUMENTS[0]: 1}, "b": {DOCUMENTS[2]: 2, DOCUMENTS[3]: 3}}
        frame = jaded.to_pandas()
        for shard, line, text in zip(frame["shard"], frame["shard_line"], frame["text"], strict=True):
            assert lines[Path(shard).stem][text] == line


def test_a_column_of_a_table_may_be_called_unit(tmp_path: Path) -> None:
    (tmp_path / "pool.tsv").write_text("unit\ttext\nkg\ta cat\nm\ta dog\n")
    jaded = cynical.select(["a cat"], tmp_path / "pool.tsv", text_key="text", lines=2)
    jaded.write(tmp_path / "out.jsonl")
    jaded.write(tmp_path / "out.tsv")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["unit"], row["text"]) for row in rows] == [("kg", "a cat"), ("m", "a dog")]
    assert not rows[0].keys() & {"cynical_unit", "cynical_text"}
    for one in (jaded, cynical.read(tmp_path / "out.tsv"), cynical.read(tmp_path / "out.jsonl")):
        assert one.to_pandas()["unit"].tolist() == ["kg", "m"]
        assert b"".join(one.to_bytes("jsonl")) == b"".join(jaded.to_bytes("jsonl"))


def test_units_count_for_every_corpus_of_records(tmp_path: Path) -> None:
    (tmp_path / "task.jsonl").write_bytes(as_json(records()))
    (tmp_path / "task.txt").write_text(
        "\n".join(text.replace("\n", " ") for some in PARAGRAPHS for text in some) + "\n"
    )
    made = cynical.count(tmp_path / "task.jsonl", unit="paragraph", ngrams=2)
    assert made.to_bytes() == cynical.count(tmp_path / "task.txt", ngrams=2).to_bytes()
    with pytest.raises(cynical.CynicalError, match="no eligible line is left: 1 blank, 5 excluded"):
        cynical.select(["a cat"], tmp_path / "task.jsonl", exclude=tmp_path / "task.jsonl", unit="paragraph")
    first = cynical.select(["a cat sat"], tmp_path / "task.jsonl", unit="paragraph", lines=2)
    first.write(tmp_path / "first.jsonl")
    for seed in (first, tmp_path / "first.jsonl"):
        again = cynical.select(
            ["a cat sat"], tmp_path / "task.jsonl", seed=seed, text_key="text", unit="paragraph", lines=1
        )
        assert again.summary.skipped["in_seed"] == 2
        assert not set(again.lines.tolist()) & set(first.lines.tolist())
    import pickle

    copied = pickle.loads(pickle.dumps(first))
    assert copied.texts == first.texts
    assert copied.to_pandas().equals(first.to_pandas())
    assert pickle.loads(pickle.dumps(cynical.read(tmp_path / "first.jsonl"))).texts == first.texts


def test_units_of_plain_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a cat\n")
    with pytest.raises(cynical.CynicalError) as caught:
        cynical.select(tmp_path / "a.txt", tmp_path / "a.txt", unit="paragraph")
    assert caught.value.message == (
        "--unit paragraph splits the text of records, but all inputs are plain text; omit it, or give --input-format "
        "jsonl|csv|tsv|parquet"
    )
    (tmp_path / "a.csv").write_bytes(as_csv(records()))
    jaded = cynical.select(tmp_path / "a.txt", tmp_path / "a.csv", text_template="{text}", unit="line", lines=1)
    assert next(iter(jaded.to_bytes("tsv"))).splitlines()[0].endswith(b"\tshard_line\tunit\ttext")
