"""Which part of AVAILABLE each shard reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cynical.options import Reading
from cynical.text.partition import files_of, share_out
from tests.against_oracle import zipfian
from tests.cluster.test_cluster import compare, written


def test_every_line_is_in_one_share_however_files_are_cut(tmp_path: Path) -> None:
    texts = ["first\n\nthird\n", "\ufeffone\ntwo\nthree", "", "x" * 50 + "\ny\r\n"]
    files = []
    for number, text in enumerate(texts):
        files.append(tmp_path / f"{number}.txt")
        files[-1].write_bytes(text.encode())
    whole = b"".join(text.encode().removeprefix(b"\xef\xbb\xbf") for text in texts)
    for workers in range(1, 40):
        found = b""
        for share in share_out(files_of(files, Reading()), Reading(), workers):
            for part in share.open(Reading())[0].parts:
                piece = bytes(part.raw[part.begin : part.end])
                assert not piece or piece.endswith(b"\n") or part.end == len(part.raw)
                found += piece
        assert found == whole


def test_compressed_files_and_records_go_to_one_shard_each(tmp_path: Path) -> None:
    import gzip

    wanted = written(tmp_path, "wanted", zipfian(50, 1))
    files = []
    for number in range(3):
        files.append(tmp_path / f"{number}.txt.gz")
        files[-1].write_bytes(gzip.compress("\n".join(zipfian(60, number)).encode()))
    compare(wanted, files, 2, all=True)
    records = []
    for number in range(3):
        records.append(tmp_path / f"{number}.jsonl")
        lines = [json.dumps({"text": line, "id": place}) for place, line in enumerate(zipfian(60, number))]
        records[-1].write_text("\n".join(lines))
    compare(wanted, records, 2, all=True)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_row_groups_of_parquet_files_are_shared_out(tmp_path: Path, workers: int) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    wanted, files = written(tmp_path, "wanted", zipfian(50, 1)), []
    for number, size in enumerate((7, 40, 500)):
        files.append(tmp_path / f"{number}.parquet")
        lines = zipfian(120, number + 2)
        rows = pyarrow.table({"id": list(range(len(lines))), "text": lines})
        parquet.write_table(rows, files[-1], row_group_size=size)
    compare(wanted, files, workers, [4, 3], all=True)
    shares = share_out([str(file) for file in files], Reading(), workers)
    groups = [(piece.part, group) for share in shares for piece in share.pieces for group in piece.groups or [0]]
    assert groups == [(0, group) for group in range(18)] + [(1, group) for group in range(3)] + [(2, 0)]
    assert len(shares) == min(workers, 5)
