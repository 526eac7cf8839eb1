"""What a file holds: by its name, by --input-format, by how it begins."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

import cynical as package
from cynical.errors import CynicalError
from cynical.options import Reading
from cynical.text.kinds import kind_of, looks_like
from cynical.text.sources import open_corpus
from tests.conftest import Run

TEXT = b"a cat ran home\nthe dog sat\n"
JSON = b'{"id": 1, "text": "a cat ran home"}\n{"id": 2, "text": "the dog sat"}\n'
TSV = b"id\ttext\n1\ta cat ran home\n2\tthe dog sat\n"
CSV = b"id,text\n1,a cat ran home\n2,the dog sat\n"


@pytest.mark.parametrize(
    ("path", "key", "told", "begin", "kind"),
    [
        ("a.txt", None, None, JSON, "text"),
        ("a.txt", "text", None, TEXT, "text"),
        ("a.txt", "text", None, JSON, "jsonl"),
        ("a.txt", "text", "jsonl", TEXT, "text"),
        ("a.txt", None, "jsonl", JSON, "jsonl"),
        ("a.en", "text", None, TEXT, "text"),
        ("a.jsonl.gz", "text", "csv", JSON, "jsonl"),
        ("a.csv", None, None, CSV, "text"),
        ("a.csv", None, "csv", CSV, "csv"),
        ("a.csv", "text", None, CSV, "csv"),
        ("a.dump", "text", None, JSON, "jsonl"),
        ("a.dump", "text", None, b"\xef\xbb\xbf" + JSON, "jsonl"),
        ("a.dump", "text", None, TSV, "tsv"),
        ("a.dump", "2", None, TSV, "tsv"),
        ("a.dump", "text", None, CSV, "csv"),
        ("a.dump", "text", None, b"PAR1", "parquet"),
        ("a.dump", None, "csv", TSV, "csv"),
        ("a.counts", "text", "jsonl", b"# cynical counts 1\n", "text"),
        ("-", "text", None, JSON, "jsonl"),
        ("-", "text", "text", JSON, "text"),
        ("-", None, None, JSON, "text"),
        ("-", None, "jsonl", JSON, "jsonl"),
    ],
)
def test_a_file_is_what_its_name_the_option_or_its_begin_says(
    path: str, key: str | None, told: str | None, begin: bytes, kind: str
) -> None:
    assert kind_of(path, Reading(key, input_format=told), lambda: begin) == kind  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["-", "pool", "pool.gz"])
def test_a_text_key_that_nothing_has_is_an_error(path: str) -> None:
    with pytest.raises(CynicalError, match=r"plain text; give input_format=.jsonl.\|.csv."):
        kind_of(path, Reading("body"), lambda: TEXT)


def test_a_text_key_that_no_corpus_has_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT)
    (tmp_path / "a.jsonl").write_bytes(JSON)
    text, records = tmp_path / "a.txt", tmp_path / "a.jsonl"
    for read in (
        lambda: package.select(text, text, text_key="body"),
        lambda: package.count(text, text_key="body"),
        lambda: package.words(text, text, text_key="body"),
    ):
        with pytest.raises(CynicalError, match="text_key body names a field of records, but all inputs are plain text"):
            read()
    for one, other in ((text, records), (records, text)):
        assert len(package.select(one, other, text_key="text", lines=1)) == 1


@pytest.mark.parametrize(
    ("data", "source", "how"),
    [
        (JSON, "-", {"text_key": "text"}),
        (TSV, "-", {"text_key": "text"}),
        (CSV, "-", {"text_key": "text"}),
        (gzip.compress(JSON, mtime=0), "-", {"text_key": "text"}),
        (TSV.partition(b"\n")[2], "-", {"text_key": "2", "input_format": "tsv"}),
        (gzip.compress(JSON, mtime=0), "pool.gz", {"text_key": "text"}),
        (CSV, "pool.dump", {"input_format": "csv"}),
    ],
)
def test_records_come_from_standard_input_and_from_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, source: str, how: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cynical.text.compression._taken", False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    (tmp_path / "pool.gz").write_bytes(data)
    (tmp_path / "pool.dump").write_bytes(data)
    jaded = package.select(["a cat ran home"], source, lines=2, **how)
    assert jaded.texts == ["a cat ran home", "the dog sat"]
    assert [str(record["id"]) for record in jaded.content.records(slice(0, 2)) if "id" in record] in (["1", "2"], [])


def test_what_standard_input_cannot_be_is_said(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "r.txt").write_bytes(TEXT)
    done = cynical("select", "-r", "r.txt", "-a", "-", "--text-key", "text", "-o", "-", input=TEXT.decode())
    assert (done.returncode, "standard input: --text-key text names" in done.stderr) == (2, True)
    done = cynical("count", "-", "--input-format", "parquet", "-o", "-", input=TEXT.decode())
    assert (done.returncode, "Parquet cannot be read from a stream" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "begin", "says"),
    [
        ("a.txt", JSON, "JSON lines.*text_key"),
        ("a.json", b'[\n {"text": "a"}\n]', "a JSON array"),
        ("a.tmx", b'<?xml version="1.0"?>\n<tmx version="1.4">', "looks like TMX"),
        ("a.html", b"<!DOCTYPE html>\n<html>", "XML or HTML"),
        ("a.txt", b"a b\tc\nd\te f\ng\th\n", "a table of 2 columns.*text_key"),
        ("a.csv", CSV, "a table.*text_key"),
    ],
)
def test_what_looks_like_something_else_than_text_earns_a_notice(
    tmp_path: Path, name: str, begin: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(begin)
    with pytest.warns(package.CynicalWarning, match=says):
        package.count(tmp_path / name)
    with pytest.warns(package.CynicalWarning, match=says):
        package.select(tmp_path / name, tmp_path / name, lines=1)


@pytest.mark.parametrize(
    "begin",
    [TEXT, b"{ a } b\n", b"[ a ] b\n", b"a\tb\nc\n", b"< b >\n", b"", b"a\tb\n", b"[1] as in [2]\n", b'{"\n'],
)
def test_text_as_people_write_it_earns_none(begin: bytes) -> None:
    assert looks_like("a.txt", begin) is None


def test_a_tar_archive_is_an_error(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"), io.BytesIO(b""))
    with pytest.raises(CynicalError, match=r"a\.tar\.gz: this is a tar archive; extract"):
        open_corpus(tmp_path / "a.tar.gz", "AVAILABLE")
    (tmp_path / "a.tar").write_bytes(gzip.decompress((tmp_path / "a.tar.gz").read_bytes()))
    with pytest.raises(CynicalError, match=r"a\.tar: this is a tar archive; extract"):
        open_corpus(tmp_path / "a.tar", "AVAILABLE")


def test_a_ranking_of_records_without_a_suffix_can_be_pickled(tmp_path: Path) -> None:
    import pickle

    (tmp_path / "pool").write_bytes(JSON)
    jaded = package.select(["a cat"], tmp_path / "pool", lines=2, text_key="text")
    assert jaded.summary.reading.text_key == "text"
    assert pickle.loads(pickle.dumps(jaded)).texts == jaded.texts


@pytest.mark.parametrize("key", [None, "text"])
def test_a_ranking_in_place_of_a_text_is_an_error(tmp_path: Path, key: str | None) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT)
    package.select(tmp_path / "a.txt", tmp_path / "a.txt", lines=2).write(tmp_path / "jaded.tsv")
    (tmp_path / "jaded.txt.gz").write_bytes(gzip.compress((tmp_path / "jaded.tsv").read_bytes()))
    text, how = tmp_path / "a.txt", dict[str, Any](text_key=key)
    for ranking in (tmp_path / "jaded.tsv", tmp_path / "jaded.txt.gz"):
        for read in (
            lambda: package.select(ranking, text, **how),  # noqa: B023
            lambda: package.select(text, ranking, **how),  # noqa: B023
            lambda: package.count(ranking, **how),  # noqa: B023
            lambda: package.words(text, ranking, **how),  # noqa: B023
        ):
            with pytest.raises(
                CynicalError, match=r"a ranking, but (REPRESENTATIVE|AVAILABLE|UNADAPTED|corpus) must be text"
            ):
                read()


def test_a_record_whose_text_begins_like_a_ranking_is_a_record(tmp_path: Path) -> None:
    ranking = "rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\ttext\n"
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": ranking}) + "\n" + json.dumps({"text": "# cynical counts 1"}))
    assert len(package.select(["rank"], tmp_path / "a.jsonl", lines=2)) == 2


def test_a_header_with_a_carriage_return_and_a_name_that_no_path_can_be_are_no_tracebacks(tmp_path: Path) -> None:
    (tmp_path / "x.dat").write_bytes(b"id,te\rxt,more\na cat,b,c\n")
    for given in (tmp_path / "x.dat", "x" * 300, "@" + "x" * 300, "a\0b"):
        with pytest.raises(CynicalError, match=r"--?text.key|text_key|too long|zero byte|no such file|null"):
            package.select(["a cat"], given, text_key="text")
