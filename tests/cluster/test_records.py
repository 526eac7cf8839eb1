"""Records whose shards are with workers: the same picks, from the same lines and units, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import cynical
from cynical.cluster.run import run
from cynical.cluster.worker import make_shard
from cynical.jaded.summary import EngineFacts
from cynical.options import Reading, Settings
from cynical.progress import Progress
from cynical.selection.inputs import gather
from cynical.text.partition import Share
from tests.cluster.test_cluster import Away
from tests.text.test_fields import FILES

WORDS = ["the cat", "a dog sat", "ran home", "one bird", "the dog", "cat"]
DOCUMENTS = [
    {"id": f"d{n}", "title": WORDS[n % 6], "body": f"{WORDS[n * 5 % 6]}\n\n{WORDS[n * 7 // 3 % 6]} x{n}"}
    for n in range(11)
]


def hire(share: Share, plan: bytes, again: bool) -> Away:
    return Away(make_shard(share, plan))


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "csv"])
def test_units_of_records_are_those_of_one_machine(tmp_path: Path, kind: str) -> None:
    task = tmp_path / "task.txt"
    task.write_text("the cat sat\na dog ran home\n")
    for part, some in (("a", DOCUMENTS[:4]), ("b", DOCUMENTS[4:])):
        (tmp_path / f"{part}.{kind}").write_bytes(FILES[kind](some))
    pool = str(tmp_path / f"[ab].{kind}")
    local = cynical.select(task, pool, all=True, text_key="title,body", unit="paragraph", id_key="id")
    reading = Reading("title,body", unit="paragraph")
    inputs = gather([str(task)], pool, reading=reading, id_key="id")
    with run(
        inputs, Settings.of(jobs=1, all=True), Progress(), 3, hire, EngineFacts(name="here", version="", processors=1)
    ) as made:
        for format in ("tsv", "jsonl", "ids", "csv"):
            made.with_texts().write(str(tmp_path / f"far.{format}"), format=format, overwrite=True)
            assert (tmp_path / f"far.{format}").read_bytes() == b"".join(local.to_bytes(format))
        far = made.learn_places()
    assert b"".join(far.to_bytes("jsonl")) == b"".join(local.to_bytes("jsonl"))
    frame = local.to_pandas()
    for place, (_, row) in enumerate(frame.iterrows()):
        number = int(row["id"].removeprefix("d"))
        document = DOCUMENTS[number]
        assert f"{document['title']}\n{document['body']}".split("\n\n")[row["unit"] - 1] == local.texts[place]
        first = number if number < 4 else number - 4
        assert Path(row["shard"]).stem == ("a" if number < 4 else "b")
        assert row["shard_line"] == {"jsonl": 2 * first + 1, "parquet": first + 1, "csv": 3 * first + 2}[kind]
