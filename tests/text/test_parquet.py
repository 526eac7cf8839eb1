"""Parquet: values that Python has not, damaged files, and rows that are read once."""

from __future__ import annotations

import datetime
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical.options import Reading
from cynical.text.fields import Field, text_key
from cynical.text.parquet import BATCH, ParquetRecords, read_parquet
from cynical.text.records import Texts
from cynical.text.units import Origins

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXT = text_key(Reading())
TEXTS = ["a cat ran home", "the dog sat", "plain cat 3"]


@pytest.mark.parametrize("out", ["out.jsonl", "out.csv", "out.tsv", "out.parquet", "out.ids"])
def test_times_that_python_does_not_have_are_written(tmp_path: Path, out: str) -> None:
    days = pyarrow.array([0, 10**7, None], pyarrow.date32())  # of which the second is in the year 29349
    columns = {
        "text": TEXTS,
        "when": pyarrow.array([1, 2, 3], pyarrow.timestamp("ns")),
        "far": days,
        "id": pyarrow.array([7, 8, 9], pyarrow.timestamp("ns")),
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "pool.parquet")
    jaded = cynical.select(TEXTS, tmp_path / "pool.parquet", lines=3, id_key="id")
    jaded.write(tmp_path / out)
    assert (tmp_path / out).stat().st_size
    if out == "out.jsonl":
        rows = [json.loads(line) for line in (tmp_path / out).read_text().splitlines()]
        assert [row["when"] for row in rows] == [f"1970-01-01 00:00:00.00000000{line + 1}" for line in jaded.lines]
        assert [row["far"] for row in rows] == [["1970-01-01", "29349-01-26", None][line] for line in jaded.lines]
    if out == "out.parquet":
        assert parquet.read_table(tmp_path / out).schema.field("when").type == pyarrow.timestamp("ns")


def test_columns_of_other_encodings_are_written(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_bytes("text,größe\na cat,klein\nthe dog,groß\n".encode("latin-1"))
    jaded = cynical.select(["a cat"], tmp_path / "pool.csv", text_key="text", lines=2)
    for out in ("out.jsonl", "out.csv", "out.tsv", "out.parquet"):
        jaded.write(tmp_path / out)
    assert jaded.to_pandas().columns.tolist()[-2] == "gr\ufffd\ufffde"


def test_a_damaged_file_is_an_error_message_whatever_is_damaged(tmp_path: Path) -> None:
    made = io.BytesIO()
    parquet.write_table(pyarrow.table({"text": TEXTS * 9, "id": range(27)}), made, row_group_size=9)
    whole, random_numbers, said = made.getvalue(), random.Random(1), 0
    for _ in range(300):
        torn = bytearray(whole)
        for _ in range(random_numbers.choice([1, 3, 30])):
            torn[random_numbers.randrange(len(torn))] = random_numbers.randrange(256)
        if random_numbers.random() < 0.2:
            del torn[random_numbers.randrange(len(torn)) :]
        data = bytes(torn)
        records = ParquetRecords("parquet", TEXT, "pool.parquet", lambda data=data: io.BytesIO(data))  # type: ignore[misc]
        try:
            read_parquet(records.open, records.text, Texts("pool.parquet", False, lambda _: None, Origins("document")))
            records.dicts(range(3))
            records.fields(range(3), Field("id"))
        except cynical.CynicalError as error:
            said += str(error).startswith(("pool.parquet", "column "))
        else:
            said += 1
    assert said == 300


def test_rows_are_read_once_and_only_the_column_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number, read = BATCH + 100, list[tuple[list[int], Any]]()
    texts = [f"w{random.Random(i).randrange(300)} w{i % 7}" for i in range(number)]
    when = datetime.date(2024, 1, 2)
    parquet.write_table(
        pyarrow.table({"text": texts, "id": range(number), "when": [when] * number}),
        tmp_path / "pool.parquet",
        row_group_size=1000,
    )
    jaded = cynical.select([f"w{i}" for i in range(300)], tmp_path / "pool.parquet", all=True, id_key="id")
    whole = parquet.ParquetFile.iter_batches

    def counted(self: Any, size: int, row_groups: list[int], columns: Any) -> Any:
        read.append((row_groups, columns))
        return whole(self, size, row_groups=row_groups, columns=columns)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", counted)
    groups = -(-number // 1000)
    assert b"".join(jaded.to_bytes("ids")).split() == [b"%d" % line for line in jaded.lines]
    assert read == [([group], ["id"]) for group in range(groups)]
    read.clear()
    rows = [json.loads(line) for line in b"".join(jaded.to_bytes("jsonl")).splitlines()]
    assert [(row["id"], row["text"], row["when"]) for row in rows] == [
        (line, texts[line], "2024-01-02") for line in jaded.lines
    ]
    assert [one for one in read if one[1] is None] == [([group], None) for group in range(groups)]
    few = jaded[:5]
    read.clear()
    assert [json.loads(line)["id"] for line in b"".join(few.to_bytes("jsonl")).splitlines()] == few.lines.tolist()
    assert len(read) <= 2 * 5
