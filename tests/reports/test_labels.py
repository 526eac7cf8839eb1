"""Labels of lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

import cynical
from cynical.errors import CynicalError
from cynical.reports.labels import find_labels
from cynical.reports.page import make_page
from cynical.reports.picks import read_picks
from cynical.reports.representative import Corpora
from tests.against_oracle import zipfian

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


def test_labels_by_line_by_field_and_of_available(home: Path) -> None:
    table, records = read_picks(home / "jaded.tsv"), read_picks(home / "jaded.jsonl.gz")
    by_line = find_labels(table, None, home / "labels.txt", Corpora())
    assert by_line is not None and by_line.available == pytest.approx([1 / 3] * 3)
    assert [by_line.names[i] for i in by_line.of_pick] == [f"domain {line % 3}" for line in table.line]
    own = find_labels(records, "meta.domain", None, Corpora())
    there = find_labels(table, "meta.domain", None, Corpora(available=[home / "pool.jsonl"]))
    assert own is not None and there is not None and own.available is None
    assert there.available == pytest.approx([1 / 4] * 4)
    for found in (own, there):
        assert [found.names[i] for i in found.of_pick] == [f"d{line % 4}" for line in table.line]
    made = carried(make_page(table, labels=by_line))
    assert np.cumsum(made["labels"]["picked"], axis=1)[:, -1].sum() == 3000


def test_labels_of_another_corpus_raise_an_error_with_the_numbers(home: Path, tmp_path: Path) -> None:
    picks = read_picks(home / "jaded.tsv")
    short = write(tmp_path, "short.txt", ["x"] * 7)
    with pytest.raises(CynicalError, match=r"short.txt has 7 lines, but jaded.tsv was picked from 3,000"):
        find_labels(picks, None, short, Corpora())
    more = write(tmp_path, "more.txt", ["x"] * 3001)
    with pytest.raises(CynicalError, match=r"more.txt has 3,001 lines, but jaded.tsv was picked from 3,000"):
        find_labels(picks, None, more, Corpora())
    with pytest.raises(CynicalError, match=r"does not have this column or field; give available=AVAIL"):
        find_labels(picks, "domain", None, Corpora())
    with pytest.raises(CynicalError, match=r"names a field of records, but this is plain text"):
        find_labels(picks, "domain", None, Corpora(available=[home / "pool.txt"]))
    with pytest.raises(CynicalError, match=r"give one of them"):
        find_labels(picks, "domain", short, Corpora())


def test_many_labels_become_twenty(home: Path, tmp_path: Path) -> None:
    labels = find_labels(
        read_picks(home / "jaded.tsv"), None, write(tmp_path, "l", [str(i % 50) for i in range(3000)]), Corpora()
    )
    assert labels is not None and len(labels.names) == 20 and labels.names[-1] == "31 others"
    assert labels.available is not None and sum(labels.available) == pytest.approx(1)
    made = carried(make_page(read_picks(home / "jaded.tsv"), labels=labels))
    assert made["lines"]["label"] == [str((line - 1) % 50) for line in made["lines"]["line"]]  # each its own
    words = np.cumsum(made["labels"]["words"], axis=1)
    assert words.sum(axis=0).tolist() == made["cuts"]["words"]
