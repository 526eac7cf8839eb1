"""What a Python program gives: strings, columns, tables, datasets, dictionaries."""

from __future__ import annotations

import csv
import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cynical
from tests.conftest import Run

TEXTS = ["a cat ran\nhome", "the dog sat", "plain cat 3"]
WHEN = datetime.datetime(2024, 1, 2, 3, 4, 5)
RECORDS: list[dict[str, Any]] = [
    {"id": 10 + number, "body": text, "when": WHEN, "tags": ["x", str(number)]} for number, text in enumerate(TEXTS)
]
COLUMNS = {name: [record[name] for record in RECORDS] for name in RECORDS[0]}


class Dataset:
    """As Hugging Face has it: columns by name, rows by positions, in a format."""

    def __init__(self, columns: dict[str, list[Any]], format: str | None = "torch") -> None:
        self.column_names, self._columns, self._format = list(columns), columns, format

    def with_format(self, format: str | None) -> Dataset:
        return Dataset(self._columns, format)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, str):
            return iter(self._columns[which])
        some = {name: [values[one] for one in which] for name, values in self._columns.items()}
        return pytest.importorskip("pyarrow").table(some) if self._format == "arrow" else some


class IterableDataset:
    """Rows one after another, and columns that nobody knows."""

    column_names = None

    def __iter__(self) -> Any:
        return iter(RECORDS)


SOURCES: dict[str, Callable[[], Any]] = {
    "dictionaries": lambda: RECORDS,
    "iterator": lambda: iter(RECORDS),
    "dataset": lambda: Dataset(COLUMNS),
    "iterable dataset": IterableDataset,
    "pandas": lambda: pytest.importorskip("pandas").DataFrame(COLUMNS),
    "polars": lambda: pytest.importorskip("polars").DataFrame(COLUMNS),
    "arrow": lambda: pytest.importorskip("pyarrow").table(COLUMNS),
    "batch": lambda: pytest.importorskip("pyarrow").RecordBatch.from_pydict(COLUMNS),
}


@pytest.mark.parametrize("source", SOURCES)
def test_records_keep_their_fields(source: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    jaded = cynical.select(["a cat ran home"], SOURCES[source](), lines=3, text_key="body", id_key="id")
    order = jaded.lines.tolist()
    assert sorted(order) == [0, 1, 2]
    assert jaded.texts == [TEXTS[line] for line in order]
    assert jaded.summary.available.format == "records"
    for name in ("out.jsonl", "out.parquet", "out.csv", "out.ids", "out.tsv"):
        jaded.write(tmp_path / name)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["id"], row["body"], row["tags"]) for row in rows] == [
        (RECORDS[line]["id"], TEXTS[line], RECORDS[line]["tags"]) for line in order
    ]
    table = parquet.read_table(tmp_path / "out.parquet")
    assert [row | {"cynical_rank": 0} for row in table.select(list(COLUMNS)).to_pylist()] == [
        RECORDS[line] | {"cynical_rank": 0} for line in order
    ]
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row["body"] for row in csv.DictReader(file)] == jaded.texts
    assert (tmp_path / "out.ids").read_text().split() == [str(10 + line) for line in order]
    assert cynical.read(tmp_path / "out.tsv").texts == jaded.texts
    frame = jaded.to_pandas()
    assert frame["id"].tolist() == [str(10 + line) for line in order]
    assert frame["record_id"].tolist() == [10 + line for line in order]


@pytest.mark.parametrize("source", ["strings", "series", "array", *SOURCES])
def test_what_has_no_text_is_an_error_or_skipped_and_positions_stay(source: str) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    values = ["the dog", None, "a cat"]
    made: dict[str, Any] = {
        "strings": values,
        "series": pandas.Series(values),
        "array": pyarrow.array(values),
        "dictionaries": [{"body": "the dog"}, {"other": 1}, {"body": "a cat"}],
        "iterator": iter([{"body": "the dog"}, {"body": None}, {"body": "a cat"}]),
        "iterable dataset": ({"body": value} for value in values),
        "dataset": Dataset({"body": values}),
        "pandas": pandas.DataFrame({"body": values}),
        "polars": pytest.importorskip("polars").DataFrame({"body": values}),
        "arrow": pyarrow.table({"body": values}),
        "batch": pyarrow.RecordBatch.from_pydict({"body": values}),
    }
    again, key = made[source], None if source in ("strings", "series", "array") else "body"
    if source not in ("iterator", "iterable dataset"):
        with pytest.raises(cynical.CynicalError, match=r"AVAILABLE: line 2: .*bad_records=.skip."):
            cynical.select(["a cat"], again, text_key=key, lines=2)
    with pytest.warns(cynical.CynicalWarning, match="skipped 1 bad record of AVAILABLE; the first: AVAILABLE: line 2"):
        jaded = cynical.select(["a cat"], again, text_key=key, lines=2, bad_records="skip")
    assert jaded.lines.tolist() == [2, 0]
    assert jaded.texts == ["a cat", "the dog"]
    assert jaded.summary.skipped["bad_records"] == 1


def test_numbers_of_any_size_are_written(tmp_path: Path) -> None:
    records: Any = [{"id": 2**70, "text": "a cat", 3: "odd"}]
    cynical.select(["a cat"], records, lines=1).write(tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text())["id"] == 2**70


def test_an_empty_seed_is_nothing_selected_yet(tmp_path: Path, cynical: Run) -> None:
    import cynical as package

    plain = package.select(["a cat"], TEXTS, lines=2)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "blank.txt").write_text("\n \n")
    for seed in ([], tmp_path / "empty.txt", tmp_path / "blank.txt", [""], plain[:0]):
        begun = package.select(["a cat"], TEXTS, lines=2, seed=seed)
        assert begun.lines.tolist() == plain.lines.tolist()
        assert begun.entropy.tolist() == plain.entropy.tolist()
    (tmp_path / "a.txt").write_text("a cat\n")
    counts = package.count(["a cat"])
    assert package.select(["a cat"], TEXTS, lines=2, seed=[counts]).lines.tolist() != []
    done = cynical("select", "-r", "a.txt", "-a", "a.txt", "-s", "empty.txt", "--lines", "1", "-o", "-")
    assert done.returncode == 0, done.stderr


def test_a_key_that_no_record_has_is_an_error_though_bad_records_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "a cat"}\n{"body": "a dog"}\n')
    for source in (tmp_path / "a.jsonl", [{"body": "a cat"}, {"body": "a dog"}]):
        with pytest.raises(
            cynical.CynicalError, match=r"no record has a text \(the first: .* no field 'text'.*text_key"
        ):
            cynical.select(["a cat"], source, bad_records="skip")
    assert len(cynical.select(["a cat"], [{"body": "a cat"}, {}], text_key="body", bad_records="skip", lines=2)) == 1
