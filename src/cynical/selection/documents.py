"""Documents whose units are the lines of AVAILABLE, and how much of each may be picked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..model.budget import share_of
from ..text.places import Numbers, Places
from .shards import Each, Shards, numbered

if TYPE_CHECKING:
    from .._kernels.documents import Documents
    from .available import LocalAvailable

OPTION = "--max-share-of-document"
SHARE_OF_DOCUMENT = "share_of_document"  # why a unit was not picked that did not fit any more


def no_documents() -> Documents:
    """Where there is no limit."""
    from .._kernels.documents import Documents

    return Documents(np.zeros(0, np.int64), np.zeros(0, np.int64))


def documents_of(shard: LocalAvailable, share: float, picked: Numbers) -> Documents:
    """Which document each line is of, and how many words of each may be picked after some lines were."""
    words = shard.index.words
    documents = _whole_documents(shard.places[0], words, share)
    np.subtract.at(documents.left, documents.of_line[picked], words[picked].astype(np.int64))
    return documents


def _whole_documents(places: Places, words: NDArray[np.uint32], share: float) -> Documents:
    """The same before anything is picked; a line has this many words."""
    from .._kernels.documents import Documents

    of_line, before = [], 0
    parts = places.corpus.parts
    if not any(part.records is not None and part.records.origin.split for part in parts):
        raise CynicalError(f"{OPTION} needs documents that are split into lines; give --unit paragraph or --unit line")
    for part, lines in zip(parts, places.lines_by_file(), strict=True):
        numbers = np.arange(lines)
        own = numbers if part.records is None else part.records.origin.records(numbers)
        of_line.append(before + own)
        before += int(own[-1]) + 1 if lines else 0
    document = np.concatenate(of_line).astype(np.int64)
    total, of_total = np.unique(np.bincount(document, words, before).astype(np.int64), return_inverse=True)
    return Documents(document, np.array([share_of(share, int(one)) for one in total], np.int64)[of_total])


def note_beyond_share(available: Shards, share: float, picks: Numbers, code: int) -> None:
    """Let shards know which lines do not fit their documents any more after these picks: the reason gets this code."""
    available.tell(_note_beyond_share, share, Each(numbered(available, picks)), code)


def _note_beyond_share(shard: LocalAvailable, share: float, picked: Numbers, code: int) -> None:
    documents, reason = documents_of(shard, share, picked), shard.reason
    reason[(reason == 0) & (shard.index.words > documents.left[documents.of_line])] = code
