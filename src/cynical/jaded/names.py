"""The names of a ranking's files: one file, or shards whose names have a number.

jaded.tsv                  one file; its summary is jaded.tsv.json
picks-{:05d}.jsonl.zst     shards picks-00000.jsonl.zst, picks-00001.jsonl.zst, ...; their summary is
                           picks.jsonl.zst.json, the name without the number
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..errors import CynicalError
from ..text.paths import is_remote

NUMBER = re.compile(r"\{(?::(0?\d{0,2})d?)?\}")  # where a pattern has the number of a shard
WILD = re.compile(r"(?:\*|\?|\[[^\]]*\])+")  # what a shell's pattern has in its place
UNNAMED = "jaded"  # what shards are called that have nothing but a number


def is_pattern(path: str | Path) -> bool:
    """Is a name a pattern of shards? A file of this very name is a file."""
    name = folder_and_name(path)[1]
    return NUMBER.search(name) is not None and (is_remote(path) or not os.path.lexists(path))


def check_pattern(path: str | Path) -> None:
    """See to it that a pattern has one number, in the name of the file."""
    if len(NUMBER.findall(folder_and_name(path)[1])) != 1:
        raise CynicalError(
            f"{path}: the name has several places for the number of a shard; use one, for example picks-{{:05d}}.tsv"
        )


def shard_path(pattern: str | Path, number: int) -> str:
    """The file of one shard; they are numbered from 0."""
    folder, name = folder_and_name(pattern)
    return folder + NUMBER.sub(lambda found: format(number, f"{found[1] or ''}d"), name, count=1)


def shard_number(pattern: str | Path, path: str) -> int | None:
    """Which shard a file is; None if it is none."""
    name, file = folder_and_name(pattern)[1], folder_and_name(path)[1]
    found = NUMBER.search(name)
    assert found is not None
    number = re.fullmatch(f"{re.escape(name[: found.start()])}(\\d+){re.escape(name[found.end() :])}", file)
    return int(number[1]) if number is not None and shard_path(name, int(number[1])) == file else None


def is_shard(pattern: str | Path, path: str) -> bool:
    """Is this the name of a shard, in the folder of the others?"""
    folders = [os.path.realpath(folder_and_name(one)[0] or ".") for one in (str(pattern), path)]
    return folders[0] == folders[1] and shard_number(pattern, path) is not None


def as_glob(pattern: str | Path) -> str:
    """A pattern of the shell that matches all shards, and perhaps more."""
    import glob

    folder, name = folder_and_name(pattern)
    found = NUMBER.search(name)
    assert found is not None
    return glob.escape(folder) + glob.escape(name[: found.start()]) + "*" + glob.escape(name[found.end() :])


def whole_name(path: str | Path) -> str:
    """What shards are called together: their pattern without the number; a file is called what it is called."""
    return _without(path, NUMBER) if is_pattern(path) else str(path)


def whole_of_glob(path: str | Path) -> str:
    """The same where a pattern of the shell, such as picks-*.tsv, names the shards."""
    return _without(path, WILD)


def _without(path: str | Path, number: re.Pattern[str]) -> str:
    folder, name = folder_and_name(path)
    found = number.search(name)
    if found is None:
        return str(path)
    before, after = name[: found.start()].rstrip("-_."), name[found.end() :]
    return f"{folder}{before}{after}" if before else f"{folder}{UNNAMED}{after if after[:1] == '.' else f'-{after}'}"


def folder_and_name(path: str | Path) -> tuple[str, str]:
    """A folder, ending with a slash, and a name in it."""
    folder, slash, name = str(path).rpartition("/")
    return folder + slash, name
