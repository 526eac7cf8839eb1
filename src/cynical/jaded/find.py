"""The files of a ranking, from any name for it: a file, its shards, a folder of parts, or its summary.

jaded.tsv                   this file
'picks-{:05d}.jsonl.zst'    shards, as they were written
'picks-*.jsonl.zst'         the same, by a pattern of the shell
picks.jsonl.zst.json        the same, by their summary; without .json too, where there is no such file
picks/                      a folder of parts, whose summary is picks.json
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import CynicalError
from ..text.compression import begin_of, inner_suffix, is_compressed, open_stream
from ..text.kinds import first_line, is_ranking
from ..text.parquet import columns_of
from ..text.paths import Name, are_files, expand, is_file, is_folder, is_remote
from .content import PREFIX
from .files import SUFFIXES
from .made_from import all_files
from .names import as_glob, check_pattern, is_pattern, shard_number, shard_path, whole_name, whole_of_glob
from .summary import Summary
from .summary_file import load_summary, summarized, summary_of_file

RANKED = ("tsv", "jsonl", "csv", "parquet", "ids")  # what a ranking can be read from
JSON = ".json"
FIRST = 1 << 18  # bytes in which a header, or the first record, is looked for
FIELD = f"{PREFIX}rank"  # that every ranked record has


@dataclass(frozen=True, slots=True)
class RankingFiles:
    """The files of one ranking, and the summary beside them."""

    name: str
    files: Sequence[str]
    beside: str  # where the summary is, or would be
    summary: Summary | None

    @property
    def kind(self) -> str:
        """What the files hold: tsv, jsonl, csv, parquet or ids."""
        kinds = {kind_of_ranking(file): file for file in self.files}
        if len(kinds) > 1:
            named = " and ".join(f"{file} ({kind})" for kind, file in kinds.items())
            raise CynicalError(f"{named}: a ranking cannot mix file formats; give the files of one format")
        return next(iter(kinds), "tsv")


def find_ranking(path: str | Path) -> RankingFiles:
    """The files of a ranking that somebody has named."""
    name = str(path)
    found = _sharded(name)
    return RankingFiles(name, [name], f"{name}{JSON}", summary_of_file(name)) if found is None else found


def _of(name: str, files: Sequence[str], beside: str) -> RankingFiles:
    return RankingFiles(name, files, beside, load_summary(beside))


def files_of_ranking(path: str | Path) -> list[str]:
    """What an output must not replace: the files of a ranking, its summary, and what that names."""
    found = find_ranking(path)
    return [*found.files, found.beside, *all_files(found.summary)]


def _sharded(name: str) -> RankingFiles | None:
    """The shards that a name matches; None if it is the name of a file."""
    if is_pattern(name):
        check_pattern(name)
        numbers = {shard_number(name, file): file for file in _matching(as_glob(name))}
        files = [numbers[number] for number in sorted(one for one in numbers if one is not None)]
        if not files:
            raise CynicalError(
                f"{name}: no file matches this pattern, for example {shard_path(name, 0)}; check the path"
            )
        return _with_summary(name, files, whole_name(name))
    if not is_remote(name) and is_file(name):
        summary = load_summary(name) if name.endswith(JSON) else None
        return None if summary is None else _by_summary(name, summary, name.removesuffix(JSON))
    if not is_remote(name) and is_folder(name):
        return _of(name, expand(name), f"{name.rstrip('/')}{JSON}")
    if is_remote(name) and name.endswith(JSON):
        summary = load_summary(name)
        return None if summary is None else _by_summary(name, summary, name.removesuffix(JSON))
    if glob.has_magic(name):
        return _with_summary(name, expand(name), whole_of_glob(name))
    summary = load_summary(f"{name}{JSON}")
    return None if summary is None or not summary.shards else _by_summary(name, summary, name)


def _by_summary(name: str, summary: Summary, whole: str) -> RankingFiles:
    strange = next((one.name for one in summary.shards if "/" in one.name or one.name in ("", ".", "..")), None)
    if strange is not None:  # a summary may come from others
        raise CynicalError(
            f"{whole}{JSON}: {strange!r} is not a file in the same folder; the summary is damaged: make the ranking "
            "again"
        )
    return RankingFiles(name, summarized(f"{whole}{JSON}", summary), f"{whole}{JSON}", summary)


def _with_summary(name: str, files: Sequence[str], whole: str) -> RankingFiles:
    """Files, and the summary of the ranking that they are of; all of its files must be there."""
    found = _of(name, files, f"{whole}{JSON}")
    summary = found.summary
    if summary is None or not summary.shards:
        return RankingFiles(name, files, found.beside, None)
    there = {file.rpartition("/")[2] for file in files}
    shards = {one.name for one in summary.shards}
    missing = next((one.name for one in summary.shards if one.name not in there), None)
    if missing is not None:
        raise CynicalError(
            f"{name}: {missing}, one of the {len(summary.shards)} files of the ranking, is missing; restore it, or "
            "give all of them"
        )
    strange = next((file for file in files if file.rpartition("/")[2] not in shards), None)
    if strange is not None:
        raise CynicalError(
            f"{name}: {strange} is not one of the {len(shards)} files of the ranking; give the files that its "
            f"summary, {found.beside}, lists"
        )
    return found


def _matching(pattern: str) -> list[str]:
    try:
        return expand(pattern)
    except CynicalError:  # none does
        return []


def kind_of_ranking(path: str) -> str:
    """What a file of a ranking holds, by its name, else by how it begins."""
    kind = SUFFIXES.get(inner_suffix(path))
    if kind in RANKED:
        return kind
    first = first_line(_begin(path))
    if first.startswith(b"PAR1"):
        return "parquet"
    if first.startswith(b"{"):
        return "jsonl"
    return "csv" if f",{FIELD}".encode() in first else "tsv"


def holds_ranking(path: str) -> bool:
    """Is this file a ranking, rather than a text or other records?"""
    if path == "-" or not (is_remote(path) or is_file(path)):
        return False
    kind = kind_of_ranking(path)
    if kind == "ids" or (kind != "tsv" and summary_of_file(path) is not None):
        return True
    if kind == "parquet":
        return not is_remote(path) and not is_compressed(path) and FIELD in columns_of(lambda: open_stream(path), path)
    begin = _begin(path)
    first = first_line(begin)
    return is_ranking(begin) if kind == "tsv" else f'"{FIELD}"'.encode() in first or f",{FIELD}".encode() in first


def _begin(path: str) -> bytes:
    return begin_of(path, FIRST)


def rankings_in(source: Any) -> tuple[list[RankingFiles], Any]:
    """The rankings among the files that a source names, and what is left of it (None if nothing is)."""
    if not (isinstance(source, (str, Path)) or are_files(source)):
        return [], source
    found: list[RankingFiles] = []
    rest: list[Name] = []
    for one in [str(source)] if isinstance(source, (str, Path)) else map(str, source):
        here, left = _rankings_of(one)
        found += here
        rest += left
    return (found, rest or None) if found else ([], source)


def _rankings_of(name: str) -> tuple[list[RankingFiles], list[Name]]:
    """The rankings that a name matches, and other files."""
    if name == "-":
        return [], [Name(name)]
    if is_pattern(name):
        return [find_ranking(name)], []
    shards = _sharded(name)
    if shards is not None and shards.summary is not None:
        return [shards], []
    files = expand(name) if shards is None else list(shards.files)
    ranked = {file for file in files if holds_ranking(file)}
    return [find_ranking(file) for file in files if file in ranked], [Name(one) for one in files if one not in ranked]
