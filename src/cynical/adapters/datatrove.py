"""Steps of a datatrove pipeline: documents scored or filtered by a Scorer, and those of a ranking.

from cynical.adapters.datatrove import KeepRanked, ScoreFilter
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..api import read
from ..errors import CynicalError
from ..jaded.ids import read_ids
from ..jaded.jaded import Jaded
from ..scoring.scorer import Scorer
from ..text.compression import inner_suffix
from .extras import BATCH, PREFIX, missing

try:
    from datatrove.pipeline.filters.base_filter import BaseFilter
except ImportError as error:
    raise missing(__name__, "datatrove", error) from None


class ScoreFilter(BaseFilter):
    """Score documents, and keep those whose score is below a threshold.

    Scores are added to the metadata of documents: cynical_delta, cynical_gain, ... Without a threshold, all documents
    are kept.

    Parameters
    ----------
    scorer : Scorer
        The Scorer to use; it is small, and is sent to the workers.
    below : float, optional
        Keep documents with a lower score; lower is better.
    exclusion_writer : DiskWriter, optional
        Writer for the documents that are dropped.
    batch_size : int, default 1000
        Number of documents that are scored together.
    """

    name = "cynical score"

    def __init__(
        self,
        scorer: Scorer,
        below: float | None = None,
        exclusion_writer: Any = None,
        batch_size: int = BATCH,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.scorer, self.below = scorer, below

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Any]) -> list[bool | tuple[bool, str]]:
        """Which documents are kept."""
        scores = self.scorer.score([doc.text for doc in batch])
        columns = {name: values.tolist() for name, values in scores.columns.items()}
        kept: list[bool | tuple[bool, str]] = []
        for place, (doc, score) in enumerate(zip(batch, scores.score.tolist(), strict=True)):
            doc.metadata |= {f"{PREFIX}{name}": values[place] for name, values in columns.items()}
            kept.append(True if self.below is None or score < self.below else (False, "cynical_score"))
        return kept


class KeepRanked(BaseFilter):
    """Keep the documents whose id is in a ranking, and add cynical_rank to their metadata.

    Parameters
    ----------
    ranking : path, Jaded or iterable of str
        A list of ids (`--format ids --id-key id`), a ranking that was made with `--id-key id`, or the ids themselves,
        best first.
    exclusion_writer : DiskWriter, optional
        Writer for the documents that are dropped.
    """

    name = "cynical ranking"

    def __init__(self, ranking: str | Path | Jaded | Iterable[str], exclusion_writer: Any = None) -> None:
        super().__init__(exclusion_writer)
        self.rank = {one: rank for rank, one in enumerate(_ids_of(ranking), 1)}

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        rank = self.rank.get(str(doc.id))
        if rank is None:
            return False, "not_ranked"
        doc.metadata[f"{PREFIX}rank"] = rank
        return True


def _ids_of(ranking: str | Path | Jaded | Iterable[str]) -> Iterable[str]:
    """The ids of a ranking, best first."""
    if isinstance(ranking, (str, Path)):
        if inner_suffix(ranking) == ".ids":
            return read_ids([str(ranking)])
        ranking = read(ranking)
    if not isinstance(ranking, Jaded):
        return ranking
    ids = ranking.content.ids(slice(0, len(ranking)))
    if ids is None:
        raise CynicalError(f"{ranking.name}: this ranking has no document ids; make it with id_key='id'")
    return ids
