"""The summary: a typed record, written, read back, checked, and described by a JSON Schema."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

import cynical
from cynical.jaded.summary import Summary
from cynical.jaded.summary_file import read_summary
from tests.against_oracle import zipfian

OPTIONS: list[dict[str, Any]] = [
    {},
    {"lines": 5},
    {"share": 0.2, "ngrams": 3},
    {"price": 0.1, "money": 3.0, "exclude": zipfian(5, 3)},
    {"words": 40, "strategy": "batch", "unadapted": zipfian(30, 4), "max_copies": 1},
    {"all": True, "seed": zipfian(20, 5), "tokenizer": "characters", "lowercase": True},
]


def select(**options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.select(zipfian(40, 20), zipfian(300, 21), **options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_is_written_is_read_back_and_fits_the_schema(options: dict[str, Any], tmp_path: Path) -> None:
    jaded = select(**options)
    jaded.write(tmp_path / "jaded.tsv")
    written = orjson.loads((tmp_path / "jaded.tsv.json").read_bytes())
    jsonschema.Draft202012Validator(Summary.schema()).validate(written)
    found = read_summary(tmp_path / "jaded.tsv")
    assert found == jaded.summary
    assert found is not None and found.to_dict() == written
    assert found.to_json() == (tmp_path / "jaded.tsv.json").read_bytes()
    assert written["schema"] == 2


def test_targets_and_baselines_fit_the_schema(tmp_path: Path) -> None:
    two = cynical.select([zipfian(20, 1), zipfian(20, 2)], zipfian(100, 21), weights=[2, 1], lines=5)
    ranked = cynical.rank(zipfian(20, 1), zipfian(100, 21), method="random", random_seed=2**64 - 1)
    for jaded in (two, ranked):
        jaded.write(tmp_path / "jaded.tsv", overwrite=True)
        jsonschema.Draft202012Validator(Summary.schema()).validate(
            orjson.loads((tmp_path / "jaded.tsv.json").read_bytes())
        )
        assert read_summary(tmp_path / "jaded.tsv") == jaded.summary
    assert two.summary.representative is not None and two.summary.representative.targets
    assert [target.weight for target in two.summary.representative.targets] == pytest.approx([2 / 3, 1 / 3])


def test_a_summary_of_the_first_version_is_read(tmp_path: Path) -> None:
    """There `signature` was that of the text alone, and nothing said which format it was."""
    select(lines=5).write(tmp_path / "jaded.tsv")
    written = orjson.loads((tmp_path / "jaded.tsv.json").read_bytes())
    text = written.pop("text_signature")
    del written["schema"]
    (tmp_path / "jaded.tsv.json").write_bytes(orjson.dumps({**written, "signature": text}))
    found = read_summary(tmp_path / "jaded.tsv")
    assert found is not None
    assert found.text_signature == text == "tok:whitespace|lower:no"
    assert found.signature is None
    assert found.picked is not None and found.picked.lines == 5


def test_what_is_no_summary_is_none_and_a_damaged_one_an_error(tmp_path: Path) -> None:
    select(lines=5).write(tmp_path / "jaded.tsv")
    beside = tmp_path / "jaded.tsv.json"
    written = orjson.loads(beside.read_bytes())
    assert read_summary(tmp_path / "other.tsv") is None
    for other in (b"", b"{", b"[]", b"{}", b'{"cynical": 1}', orjson.dumps({**written, "stop": 3})):
        beside.write_bytes(other)
        assert read_summary(tmp_path / "jaded.tsv") is None
    for part in (
        {"stop": {**written["stop"], "lines": -1}},
        {"picked": {"lines": "five"}},
        {"available": {**written["available"], "words": 0}},
        {"available": {**written["available"], "lines": 0}},
        {"settings": {"lines": [1]}},
        {"settings": {"ngrams": "two"}},
        {"settings": {"min_count": 1.5}},
        {"settings": {"smoothing": -1.0}},
        {"settings": {"ratio_threshold": True}},
    ):
        beside.write_bytes(orjson.dumps({**written, **part}))
        with pytest.raises(cynical.CynicalError, match=r"jaded\.tsv\.json: the summary is damaged"):
            read_summary(tmp_path / "jaded.tsv")


def test_an_entropy_beyond_all_numbers_is_no_traceback(tmp_path: Path) -> None:
    """Of a summary that somebody has changed."""
    select(lines=5).write(tmp_path / "jaded.tsv")
    beside = tmp_path / "jaded.tsv.json"
    beside.write_bytes(
        orjson.dumps({**orjson.loads(beside.read_bytes()), "entropy": {"before": 1e300, "after": 1e300}})
    )
    read = cynical.read(tmp_path / "jaded.tsv")
    assert read.cut(lines=2).summary["perplexity"]["before"] == 2.0**1023


def test_parts_are_found_by_attribute_and_by_key() -> None:
    summary = select(lines=5, ngrams=2).summary
    assert summary.picked is not None and summary.representative is not None
    assert summary.picked.lines == summary["picked"]["lines"] == 5
    assert summary["representative"]["2-grams"] == summary.representative.two_grams
    assert "3-grams" not in summary["representative"]
