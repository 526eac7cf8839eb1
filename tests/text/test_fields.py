"""Which fields of a record are its text: several, nested, of lists, a template; in every format and from Python."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.options import Reading
from cynical.text.fields import NoText, text_key

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXT = st.text("ab \n,.{}[]\\é", max_size=6)


def text_of(record: Any, key: str | None = None, template: str | None = None) -> str | NoText:
    return text_key(Reading(key, template)).or_none(record)


@given(TEXT, TEXT, st.lists(TEXT, max_size=4))
def test_fields_make_a_text(title: str, body: str, said: list[str]) -> None:
    record = {
        "title": title,
        "meta": {"body": {"text": body}},
        "chat": [{"role": "user", "content": one} for one in said],
        "parts": [{"content": [{"type": "text", "text": one}, {"type": "image_url"}, None]} for one in said],
        "tags": said,
    }
    assert text_of(record, "title") == title
    assert text_of(record, "meta.body.text") == body
    assert text_of(record, "title, meta.body.text") == f"{title}\n{body}"
    for key in ("chat[].content", "parts[].content", "tags[]", "parts[].content[].text"):
        assert text_of(record, key) == "\n".join(said)
    made = text_of(record, None, r"{{{title}}}\t{meta.body.text}\n{chat[].content}\\")
    assert made == f"{{{title}}}\t{body}\n" + "\n".join(said) + "\\"
    assert text_of({"a,b": title, "a": body, "b": body}, "a,b") == title  # a name that there is, is that field
    assert text_of({"a.b[]": title, "a": {"b": [body]}}, "a.b[]") == title


MESSAGES: Any = [{"role": "user", "content": "a"}, {"role": "tool", "content": None}, {"role": "user"}]
WRONG: dict[tuple[str | None, str | None], tuple[Any, str]] = {
    ("title,body", None): (
        {"title": "a", "text": "b"},
        "no field 'body'; the record has title, text (choose the text with --text-key",
    ),
    ("meta.text", None): (
        {"meta": {"b": 1}},
        "no field 'meta.text'; the record has meta, and 'meta' has b (choose the text",
    ),
    ("meta.text", ""): ({"meta": "a"}, "field 'meta' is a string, not an object with a field 'text'"),
    (None, "{a}: {b}"): (
        {"a": "1"},
        "no field 'b'; the record has a (choose the text with --text-template",
    ),
    ("chat[].said", None): (
        {"chat": MESSAGES},
        "no field 'chat[].said'; the record has chat, and 'chat[]' has role, content",
    ),
    ("chat[].n", None): ({"chat": [{"n": "a"}, {"n": 3}]}, "field 'chat[].n' is a number, not a string"),
    ("chat[].n.m", None): (
        {"chat": [{"n": {"k": 1}}]},
        "no field 'chat[].n.m'; the record has chat, and 'chat[].n' has k",
    ),
    ("chat[]", None): ({"chat": "a"}, "field 'chat' is a string, not a list; omit []"),
    ("chat", None): ({"chat": MESSAGES}, "field 'chat' is a list, not a string; chat[].content takes the texts of its"),
    ("tags", None): ({"tags": ["a"]}, "field 'tags' is a list, not a string; tags[] takes the texts of its items"),
    ("title,n", None): ({"title": "a", "n": 3.5}, "field 'n' is a number, not a string"),
    ("text", None): ({f"k{i}": i for i in range(20)}, "k10, k11, and 8 more"),
}


@pytest.mark.parametrize("which", WRONG)
def test_a_record_without_such_a_text_is_an_error_message(which: tuple[str | None, str | None]) -> None:
    record, said = WRONG[which]
    found = text_of(record, which[0], which[1] or None)
    assert isinstance(found, NoText)
    assert said in found.said


def test_messages_without_text_give_none() -> None:
    assert text_of({"chat": MESSAGES}, "chat[].content") == "a"
    assert text_of({"chat": []}, "chat[].content") == ""
    assert text_of({"chat": [{"content": None}]}, "chat[].content") == ""
    numpy = pytest.importorskip("numpy")
    assert text_of({"chat": numpy.array([{"content": "a"}, {"content": "b"}])}, "chat[].content") == "a\nb"


@pytest.mark.parametrize(
    ("key", "template", "said"),
    [
        ("a,,b", None, "text_key a,,b: a name is missing before or after a comma"),
        (None, "{a} {", 'text_template="{a} {": a { without its }; write {{ for'),
        (None, "a } b", "a } without its {; write }} for"),
        (None, "{} a", "{} has no field name"),
        (None, "plain", "the template has no field"),
        ("a", "{b}", "text_key and text_template cannot be combined; give one of them"),
    ],
)
def test_keys_and_templates_that_mean_nothing_are_errors(key: str | None, template: str | None, said: str) -> None:
    with pytest.raises(cynical.CynicalError) as caught:
        cynical.select(["a"], [{"a": "a b"}], text_key=key, text_template=template)
    assert said in str(caught.value)


RECORDS: list[dict[str, Any]] = [
    {
        "id": f"r{number}",
        "title": f"the {one}",
        "body": f"{one} {other}\nran",
        "m": {"t": f"{other} sat"},
        "chat": [{"said": one}, {"said": other}],
    }
    for number, (one, other) in enumerate([("cat", "dog"), ("dog", "bird"), ("fish", "cat"), ("cow", "fish")])
]
FLAT = [{name: record[name] for name in ("id", "title", "body")} for record in RECORDS]


def as_json(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record, indent=None).encode() + b"\n\n" for record in records)


def as_csv(records: list[dict[str, Any]], **how: Any) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(records[0]), **how)
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().encode()


def as_tsv(records: list[dict[str, Any]]) -> bytes:
    flat = [{name: value.replace("\n", " ") for name, value in one.items()} for one in records]
    return as_csv(flat, delimiter="\t", lineterminator="\n")


def as_parquet(records: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(records), out, row_group_size=2)
    return out.getvalue()


KEYS: list[tuple[str | None, str | None, Callable[[Any], str]]] = [
    ("title,body", None, lambda one: f"{one['title']}\n{one['body']}"),
    (None, r"{title}: {body}\nend", lambda one: f"{one['title']}: {one['body']}\nend"),
    ("m.t", None, lambda one: str(one["m"]["t"])),
    ("chat[].said,title", None, lambda one: "\n".join([*(part["said"] for part in one["chat"]), one["title"]])),
]
FILES = {"jsonl": as_json, "csv": as_csv, "tsv": as_tsv, "parquet": as_parquet}


CASES = [(kind, *key) for kind in FILES for key in (KEYS[:2] if kind in ("csv", "tsv") else KEYS)]


@pytest.mark.parametrize(("kind", "key", "template", "expected"), CASES)
def test_every_format_has_the_texts_and_gives_whole_records_back(
    tmp_path: Path, kind: str, key: str | None, template: str | None, expected: Callable[[Any], str]
) -> None:
    pool = tmp_path / f"pool.{kind}"
    pool.write_bytes(FILES[kind](FLAT if kind in ("csv", "tsv") else RECORDS))
    texts = [expected(record) for record in RECORDS]
    if kind == "tsv":
        texts = [
            text.replace(f"{one['body']}", one["body"].replace("\n", " "))
            for text, one in zip(texts, RECORDS, strict=True)
        ]
    jaded = cynical.select(["the cat sat"], pool, all=True, text_key=key, text_template=template, id_key="id")
    assert jaded.texts == [texts[line] for line in jaded.lines]
    same = cynical.select(["the cat sat"], texts, all=True)
    assert (jaded.lines.tolist(), jaded.delta.tolist()) == (same.lines.tolist(), same.delta.tolist())
    jaded.write(tmp_path / "out.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [row["title"] for row in rows] == [RECORDS[line]["title"] for line in jaded.lines]
    if kind == "jsonl":  # byte for byte
        written = [
            line.partition(b',"cynical_')[0] + b"}" for line in (tmp_path / "out.jsonl").read_bytes().splitlines()
        ]
        assert written == [json.dumps(RECORDS[line]).encode() for line in jaded.lines]
    again = cynical.read(tmp_path / "out.jsonl")
    assert again.texts == jaded.texts
    if kind == "jsonl":
        assert again.cut(lines=2).texts == jaded.texts[:2]
        assert "cynical_text" not in rows[0]


@pytest.mark.parametrize("source", ["dictionaries", "pandas", "polars", "arrow", "datasets"])
def test_python_sources_have_the_same_texts(source: str) -> None:
    if source == "dictionaries":
        given: Any = RECORDS
    elif source == "pandas":
        given = pytest.importorskip("pandas").DataFrame(RECORDS)
    elif source == "polars":
        given = pytest.importorskip("polars").DataFrame(RECORDS)
    elif source == "datasets":
        given = pytest.importorskip("datasets").Dataset.from_list(RECORDS)
    else:
        given = pyarrow.Table.from_pylist(RECORDS)
    for key, template, expected in KEYS:
        jaded = cynical.select(["the cat sat"], given, all=True, text_key=key, text_template=template)
        assert jaded.texts == [expected(RECORDS[line]) for line in jaded.lines]
        assert [record["id"] for record in jaded.content.records(slice(0, 4))] == [f"r{line}" for line in jaded.lines]
    with pytest.raises(
        cynical.CynicalError,
        match=r"AVAILABLE: (no column|line 1: no field) 'none'; the (columns are|record has) id, title",
    ):
        cynical.select(["the cat sat"], given, text_key="title,none")


def test_tables_without_a_header_have_columns_by_number(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_text('1,the cat,"ran, home"\n2,a dog,sat\n')
    jaded = cynical.select(["cat"], tmp_path / "pool.csv", all=True, text_key="2,3")
    assert jaded.texts == ["the cat\nran, home", "a dog\nsat"]
    jaded = cynical.select(["cat"], tmp_path / "pool.csv", all=True, text_template="{3} {2}")
    assert jaded.texts == ["ran, home the cat", "sat a dog"]
    (tmp_path / "named.csv").write_text("id,text\n1,the cat\n")
    with pytest.raises(
        cynical.CynicalError, match=r"named.csv: no column 'body'; the columns are id, text; choose one with text_t"
    ):
        cynical.select(["cat"], tmp_path / "named.csv", text_template="{text} {body}")


def test_the_other_corpora_and_commands_have_the_same_key(tmp_path: Path) -> None:
    pool, task, task_txt = tmp_path / "pool.jsonl", tmp_path / "task.jsonl", tmp_path / "task.txt"
    pool.write_bytes(as_json(RECORDS))
    task.write_bytes(as_json(RECORDS[:2]))
    texts = [f"{one['title']} {one['m']['t']}" for one in RECORDS]
    task_txt.write_text("".join(f"{text}\n" for text in texts[:2]))
    template: Any = {"text_template": "{title} {m.t}"}
    assert cynical.count(task, **template).to_bytes() == cynical.count(task_txt).to_bytes()
    first = cynical.select(task, pool, seed=task, exclude=task, lines=1, **template)
    assert first.texts == cynical.select(task_txt, texts, seed=task_txt, exclude=task_txt, lines=1).texts
    ranked = cynical.rank(task, pool, method="longest", **template)
    assert sorted(ranked.texts) == sorted(texts)
    first.write(tmp_path / "first.tsv")
    judged = cynical.evaluate(tmp_path / "first.tsv", task, **template)
    assert judged.points[-1] == cynical.evaluate(tmp_path / "first.tsv", task_txt).points[-1]
    page = cynical.report(tmp_path / "first.tsv")  # REPRESENTATIVE is read again, as the summary says
    assert "<html" in page if isinstance(page, str) else page


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from(["a", "b c", "d\ne", ""]), st.booleans()), min_size=1, max_size=6))
def test_records_that_are_skipped_leave_the_others_what_they_are(rows: list[tuple[str, bool]]) -> None:
    records: Any = [{"a": text, "b": text} if good else {"a": text} for text, good in rows]
    assume(any(good and text for text, good in rows))
    jaded = cynical.select(["a b c d e"], records, all=True, text_key="b,a", bad_records="skip")
    expected = [line for line, (text, good) in enumerate(rows) if good and text]
    assert sorted(jaded.lines.tolist()) == expected
    assert jaded.texts == [f"{rows[line][0]}\n{rows[line][0]}" for line in jaded.lines]
