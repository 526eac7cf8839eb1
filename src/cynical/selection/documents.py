"""Documents whose units are the lines of AVAILABLE, and how much of each may be picked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.columns import Columns
from ..model.budget import share_of
from ..text.places import Places

if TYPE_CHECKING:
    from .._kernels.documents import Documents

OPTION = "--max-share-of-document"
SHARE_OF_DOCUMENT = "share_of_document"  # why a unit was not picked that did not fit any more


def documents_of(places: Places, words: NDArray[np.uint32], share: float) -> Documents:
    """Which document each line is of, and how many words of each may be picked; a line has this many words."""
    from .._kernels.documents import Documents

    of_line, before = [], 0
    parts = places.corpus.parts
    if not any(part.records is not None and part.records.origin.split for part in parts):
        raise CynicalError(f"{OPTION} needs documents of which lines are a part; give --unit paragraph or --unit line")
    for part, lines in zip(parts, places.lines_by_file(), strict=True):
        numbers = np.arange(lines)
        own = numbers if part.records is None else part.records.origin.records(numbers)
        of_line.append(before + own)
        before += int(own[-1]) + 1 if lines else 0
    document = np.concatenate(of_line).astype(np.int64)
    total, of_total = np.unique(np.bincount(document, words, before).astype(np.int64), return_inverse=True)
    return Documents(document, np.array([share_of(share, int(one)) for one in total], np.int64)[of_total])


def beyond_share(places: Places, words: NDArray[np.uint32], share: float, picks: Columns) -> NDArray[np.bool_]:
    """Which lines do not fit their documents any more, after these picks."""
    documents = documents_of(places, words, share)
    np.subtract.at(documents.left, documents.of_line[picks.line], words[picks.line].astype(np.int64))
    return words > documents.left[documents.of_line]
