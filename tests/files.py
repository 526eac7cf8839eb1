"""Corpora as files of every kind, compressed or not."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable

import pytest

from tests.against_oracle import zipfian

zstandard = pytest.importorskip("zstandard")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

WANTED = zipfian(60, 1)


POOL = [*zipfian(500, 2), "w1 \u00e4\u00df \u4e2d \t w2\\", "w3  w4 "]


PACK: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


def as_text(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def as_json(lines: list[str]) -> bytes:
    return b"".join(json.dumps({"id": f"r{i}", "text": line, "n": i}).encode() + b"\n" for i, line in enumerate(lines))


def as_csv(lines: list[str]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["id", "text"], *([f"r{i}", line] for i, line in enumerate(lines))])
    return out.getvalue().encode()


def as_tsv(lines: list[str]) -> bytes:
    return b"id\tn\ttext\n" + b"".join(
        f"r{i}\t{i}\t{line.replace(chr(9), ' ')}\n".encode() for i, line in enumerate(lines)
    )


def as_parquet(lines: list[str]) -> bytes:
    out = io.BytesIO()
    table = pyarrow.table({"id": [f"r{i}" for i in range(len(lines))], "text": lines, "n": range(len(lines))})
    parquet.write_table(table, out, row_group_size=100)
    return out.getvalue()


KINDS = {"txt": as_text, "jsonl": as_json, "csv": as_csv, "tsv": as_tsv, "parquet": as_parquet}
