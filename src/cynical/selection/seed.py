"""SEED: the lines that were selected before. An earlier ranking is recognised by its header, and its lines are
excluded."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, if_one, number_of
from ..jaded.columns import batches
from ..jaded.content import Content
from ..jaded.jaded import Jaded
from ..jaded.read import read_part, take_rankings
from ..jaded.summary import EarlierRanking
from ..jaded.summary_file import summary_path
from ..model.counts import Counts
from ..model.counts_file import parse
from ..options import Reading
from ..progress import Progress
from ..text.corpus import Corpus, File, Part
from ..text.folding import fold_bytes
from ..text.paths import shown
from ..text.places import Places, in_batches, part_of
from ..text.sources import Spool, open_corpus
from .copies import count_free, is_one_of, take_copies
from .index import HowToRead, HowToTokenize, hash_lines
from .shards import Each
from .shards import numbered as numbered_in
from .sides import join_hashes

if TYPE_CHECKING:
    from .available import Available, LocalAvailable

IN_MEMORY = File(path="", bytes=0)


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """Lines that were picked before."""

    ranking: Jaded
    name: str
    sides: list[Corpus]  # their text, by side that counts

    @property
    def lines(self) -> NDArray[np.int64]:
        """Their positions then, from 0."""
        return self.ranking.lines

    @property
    def files(self) -> list[File] | None:
        """The files of AVAILABLE then, with their sizes, if that is known."""
        summary = self.ranking.found_summary
        return None if summary is None else summary.available.files

    @property
    def resumed_from(self) -> list[str]:
        """Rankings that it was resumed from itself."""
        summary = self.ranking.found_summary
        return [] if summary is None or summary.seed is None else [one.name for one in summary.seed.rankings]


@dataclass(slots=True)
class Seed:
    """SEED, opened: texts, counts and rankings, by side that counts."""

    sides: list[list[Corpus | Counts]]
    files: list[list[File]]  # by side; one in memory has no size
    earlier: list[Earlier] = field(default_factory=list)
    texts: Corpus | None = None  # those that are no rankings: their lines count, but are not excluded
    notices: list[str] = field(default_factory=list)


def open_seed(given: Sequence[Any], columns: Sequence[str], reading: Reading) -> Seed:
    """SEED and its other sides; `columns` is what the other sides that count are called."""
    counted = 1 + len(columns)
    seed, texts = Seed([[] for _ in range(counted)], [[] for _ in given]), []
    for item in _items(given[0]):
        if isinstance(item, Jaded):
            seed.earlier.append(_earlier(item, columns, "SEED" if item.file is None else item.name, reading))
            seed.files[0].append(IN_MEMORY if item.file is None else item.file)
        elif isinstance(item, Counts):
            seed.sides[0].append(item)
            seed.files[0].append(IN_MEMORY)
        else:
            rankings, rest = take_rankings(item, reading)
            for one in rankings:
                seed.earlier.append(_earlier(one, columns, one.name, reading))
                seed.files[0].append(_file_of(one))
            if rest is None:
                continue
            corpus = open_corpus(rest, "SEED", reading, rankings=True)
            seed.files[0] += corpus.files
            for part in corpus.parts:
                if part.is_ranking:
                    seed.earlier.append(_earlier(read_part(part), columns, part.name, reading))
                elif part.is_counts:
                    seed.sides[0].append(replace(parse(bytes(part.content), part.name), name=part.name))
                else:
                    texts.append(part)
    if texts:
        seed.texts = Corpus(", ".join(part.name for part in texts), texts)
        seed.sides[0].insert(0, seed.texts)
    if seed.sides[0] and len(given) < counted:
        raise CynicalError(f"SEED has one side, but {counted} count; give --seed-with FILE too")
    for side, files, other in zip(seed.sides[1:], seed.files[1:], given[1:], strict=False):
        piece = other if isinstance(other, Counts) else open_corpus(other, "SEED", reading)
        side.append(piece)
        files += [IN_MEMORY] if isinstance(piece, Counts) else piece.files
    for number, side in enumerate(seed.sides):
        side.extend(one.sides[number] for one in seed.earlier)
    seed.notices = _incomplete(seed.earlier)
    return seed


def leave_out(earlier: Sequence[Earlier], available: Available, how: HowToRead) -> list[EarlierRanking]:
    """Leave out the lines of AVAILABLE that rankings have already: by number if that was this AVAILABLE, else by their
    words.

    By words, as many copies of a line are left out as were picked, the earliest first: in that order they were picked.
    """
    found, files = [len(one.lines) for one in earlier], available.corpus.files
    by_number = [one.files == files and _unchanged(one, available.places) for one in earlier]
    known = [one.lines for one, numbered in zip(earlier, by_number, strict=True) if numbered]
    available.tell(_mark, Each(numbered_in(available, np.concatenate([np.zeros(0, np.int64), *known]))))
    for place, one in enumerate(earlier):
        if not by_number[place]:
            same = _one_hash([hash_lines(side, how.tokenizer, how.jobs, how.progress, "SEED") for side in one.sides])
            hashes, times = np.unique(same, return_counts=True)
            shares, left = [], times.astype(np.int64)
            for free in available.ask(_free, hashes):
                shares.append(np.minimum(free, left))
                left = left - shares[-1]
            available.tell(_take, hashes, Each(shares))
            found[place] = int(sum(share.sum() for share in shares))
    return [
        EarlierRanking(name=one.name, lines=len(one.lines), by="number" if numbered else "words", found=number)
        for one, numbered, number in zip(earlier, by_number, found, strict=True)
    ]


def notice_picked_again(seed: Seed, picked: Places, picks: NDArray[np.int64], how: HowToTokenize) -> list[str]:
    """A notice if picks have the words of lines of a text in SEED, on its first side.

    In memory are 8 bytes per line of the text, and some thousand picks at a time.
    """
    if seed.texts is None:
        return []
    have, again = hash_lines(seed.texts, how.tokenizer, how.jobs, Progress(), "SEED"), 0
    for lines in in_batches(picked, picks):
        hashes = hash_lines(part_of(picked, lines), how.tokenizer, how.jobs, Progress(), "AVAILABLE")
        again += int(is_one_of(hashes, have).sum())
    if not again:
        return []
    files = [part.name for part in seed.texts.parts if part.path is not None]
    exclude = f"--exclude {shlex.quote(files[0])}" if len(files) == 1 else "the same text with --exclude"
    return [
        f"{number_of(again, 'picked line')} {if_one(again, 'is', 'are')} in {seed.texts.name} already, word for word: "
        f"a text given with -s counts as selected, but its lines are not excluded; give {exclude} too, or write "
        "earlier picks to a .tsv file (cynical cut JADED ... -o FILE.tsv) and give that with -s"
    ]


def _mark(shard: LocalAvailable, lines: NDArray[np.int64]) -> None:
    shard.left_out["in_seed"] = out = np.zeros(shard.index.lines, np.bool_)
    out[lines] = True


def _free(shard: LocalAvailable, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    return count_free(shard.index.same, hashes, shard.left_out["in_seed"])


def _take(shard: LocalAvailable, hashes: NDArray[np.uint64], times: NDArray[np.int64]) -> None:
    take_copies(shard.index.same, hashes, times, shard.left_out["in_seed"])


def _one_hash(sides: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    whole = sides[0]
    for side in sides[1:]:
        whole = join_hashes(whole, side)
    return whole


def _unchanged(earlier: Earlier, sides: Sequence[Places]) -> bool:
    """Are the lines still what they were?"""
    if len(earlier.lines) and int(earlier.lines.max()) >= len(sides[0]):
        return False
    content, lines = earlier.ranking.content, earlier.lines
    return all(content.texts(rows) == sides[0].texts(lines[rows]) for rows in batches(len(lines)))


def _earlier(ranking: Jaded, columns: Sequence[str], name: str, reading: Reading) -> Earlier:
    """A ranking, and the text of its sides that count."""
    content = ranking.content
    places = [0, *(_place_of(one, content.sides, name) for one in columns)]
    return Earlier(ranking, name, [_texts_of(content, place, name, reading) for place in places])


def _texts_of(content: Content, side: int, name: str, reading: Reading) -> Corpus:
    """The texts of one side of a ranking, in --scratch: there may be many, and they are read only now and then."""
    spool, folded = Spool(reading.scratch), False
    for rows in batches(len(content)):
        lines, some = fold_bytes(content.texts(rows, side))
        spool.write(lines)
        folded |= some
    return Corpus(name, [Part(name, spool.mapped(), 0, spool.size, spool.file, size=spool.size, folded=folded)])


def _place_of(column: str, columns: Sequence[str], name: str) -> int:
    """Which side of a ranking is called so."""
    if column not in columns:
        has = f"has {', '.join(columns)}" if columns else "has no other side"
        raise CynicalError(f"{name}: side {column!r} counts, but this ranking {has}; make it with the same --with")
    return 1 + list(columns).index(column)


def _items(seed: Any) -> list[Any]:
    """Rankings and counts in a list are each for themselves; anything else is one source."""
    several = isinstance(seed, (list, tuple)) and any(isinstance(item, (Jaded, Counts)) for item in seed)
    return list(seed) if several else [seed]


def _incomplete(earlier: Sequence[Earlier]) -> list[str]:
    """A ranking that continues another has only the later lines."""
    given = {Path(one.name).name for one in earlier}
    missing = [(one.name, name) for one in earlier for name in one.resumed_from if Path(name).name not in given]
    return [
        f"{name} was made after {before}, whose lines may be picked again; give -s {shlex.quote(before)} too"
        for name, before in missing
    ]


def _file_of(ranking: Jaded) -> File:
    """Where a ranking can be found again: its file or, if it has several, its summary."""
    for path in map(Path, (ranking.name, summary_path(ranking.name))):
        if path.is_file():
            return File(path=shown(path.absolute()), bytes=path.stat().st_size)
    return IN_MEMORY
