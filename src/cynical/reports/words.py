"""The words of a ranking: when each is first seen, which have the largest gain, and why a line was picked.

The gain of a word is p(v) log2((C + s) / (C + c + s)), with C counted: see _kernels/formulas.py. C is counted in
SEED and in all lines above. Of a ranking by n-grams these are the gains of its single words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, if_one
from ..options.ranking import SMOOTHING
from ..progress import Progress
from ..selection.index import HowToRead, Index
from ..selection.sides import build
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from .data import Reason, UsefulWord
from .picks import Picks
from .representative import GROUPS, Corpora, WantedWords, single_words

if TYPE_CHECKING:
    from .._kernels.word_history import LineWords

MOST_USEFUL = 60
SHOWN = 12  # words that say why a line was picked
UNSEEN = np.iinfo(np.int64).max  # the cut from which on a word is known that no line has
STRANGE = 0.01  # of the lines: if more have another number of words than the ranking says, they were read another way


class Unknown(NamedTuple):
    """By cut: the share of a text's tokens, and of its types, that neither SEED nor the picks have."""

    tokens: NDArray[np.float64]
    types: NDArray[np.float64]


@dataclass(slots=True)
class Followed:
    """What the words of a ranking did."""

    unknown: Unknown | None  # of REPRESENTATIVE's words; None where SEED is not known
    unknown_held_out: Unknown | None
    by_group: NDArray[np.int64] | None  # (cuts, classes): words of the lines since the cut before
    useful: list[UsefulWord] | None  # the words that brought most
    why: list[list[Reason]] | None  # for each line asked for: its words, how often, their gains, and their sides
    notes: list[str]


def follow_words(
    picks: Picks,
    wanted: WantedWords,
    cuts: NDArray[np.int64],
    shown: NDArray[np.int64],
    corpora: Corpora,
    progress: Progress,
) -> Followed:
    """Read the ranking's lines, best first; cuts are numbers of lines, `shown` are ranks from 0."""
    from .._kernels.entries import Rows
    from .._kernels.formulas import Model
    from .._kernels.word_history import LineWords, WordHistory, add_lines

    notes = _notes(picks, wanted)
    words = len(wanted.features)
    smoothing = float(picks.settings.get("smoothing") or SMOOTHING)
    seed = np.zeros(words, np.int64) if wanted.seed is None else wanted.seed
    model = Model(
        wanted.p, seed.copy(), np.zeros(0, np.int64), np.zeros((1 << 12, 8)),
        np.array([smoothing, 0.0, 0.0, 0.0, 0.0]), np.zeros(0), wanted.p,
    )  # fmt: skip
    history = WordHistory(np.zeros(words, np.int64), np.zeros(words), wanted.group)
    asked = np.zeros(len(picks), np.bool_)
    asked[shown] = True
    by_group = np.zeros((len(cuts), len(GROUPS)), np.int64)
    why: list[list[Reason]] = []
    strange, begin = 0, 0
    with progress.bar("reading JADED", len(picks), " lines") as bar:
        for sides in picks.batches(wanted.sides):
            index, batch = _index(sides, picks.name, wanted, corpora), sides[0]
            here = slice(begin, begin + len(batch))
            strange += int(np.count_nonzero(index.words != picks.words[here]))
            room = int(index.entries[asked[here]].sum())
            made = LineWords(
                np.zeros((len(batch), len(GROUPS)), np.int64),
                np.zeros(len(batch), np.int64),
                np.zeros(room, np.int64),
                np.zeros(room, np.int64),
                np.zeros(room),
            )
            written = add_lines(model, Rows(index.entry, index.start, index.entries), begin, history, asked[here], made)
            made.by_group[:, -1] += index.words - made.by_group.sum(axis=1)
            np.add.at(by_group, np.searchsorted(cuts, np.arange(begin, begin + len(batch)) + 1), made.by_group)
            why += _reasons(made, asked[here], written, wanted)
            begin += len(batch)
            bar.update(len(batch))
    if picks.counted == wanted.sides and strange > STRANGE * len(picks):
        raise CynicalError(
            f"{picks.name}: read with {corpora.tokenizer.signature}, {strange:,} of {len(picks):,} lines "
            f"{if_one(strange, 'has', 'have')} a "
            "different number of words than in the ranking; give the --tokenizer, --normalize and --lowercase of the "
            "ranking"
        )
    groups = None if wanted.classes is None else by_group
    if wanted.seed is None:
        return Followed(None, None, groups, None, None, notes)
    first = np.where(seed > 0, 0, np.where(history.first > 0, history.first, UNSEEN))
    return Followed(
        _unknown(first, wanted.p, wanted.other, cuts),
        None if wanted.heldout is None else _unknown(first, wanted.heldout, 0.0, cuts),
        groups,
        _most_useful(wanted, history.bits, model.counts - seed),
        why,
        notes,
    )


def _index(sides: list[list[bytes]], name: str, wanted: WantedWords, corpora: Corpora) -> Index:
    tokenizer, jobs = single_words(corpora.tokenizer), number_of_jobs(corpora.jobs)
    how = HowToRead(tokenizer, wanted.features, jobs, Progress(False), role="JADED")
    return build([Corpus.in_memory(name, side) for side in sides], how, may_be_empty=True)


def _unknown(first: NDArray[np.int64], share: NDArray[np.float64], other: float, cuts: NDArray[np.int64]) -> Unknown:
    """By cut: the share of tokens, and of types, that neither SEED nor a line up to it has; `first` is the cut from
    which on a word is known."""
    which = share > 0
    first, share = first[which], share[which]
    when = np.searchsorted(cuts, first)
    tokens = np.bincount(when, share, len(cuts) + 1)[::-1].cumsum()[::-1]  # from the end: nothing left is exactly 0
    types = np.bincount(when, minlength=len(cuts) + 1)[::-1].cumsum()[::-1]
    return Unknown((tokens[1:] + other) / (float(share.sum()) + other), types[1:] / len(first))


def _most_useful(wanted: WantedWords, bits: NDArray[np.float64], counts: NDArray[np.int64]) -> list[UsefulWord]:
    """The words whose gains add up to most, and the same of those in class useful, which say more of the text."""
    order = np.lexsort((np.arange(len(bits)), bits))
    order = order[bits[order] < 0]
    useful = order[wanted.group[order] == 0]
    kept = sorted({*order[:MOST_USEFUL].tolist(), *useful[:MOST_USEFUL].tolist()}, key=lambda v: (bits[v], v))
    return [
        UsefulWord(
            word=wanted.name_of(v),
            side=wanted.side_of(v),
            class_=GROUPS[int(wanted.group[v])] if wanted.group[v] >= 0 else None,
            bits=float(f"{bits[v]:.6g}"),
            representative=int(wanted.count[v]),
            picked=int(counts[v]),
        )
        for v in kept
    ]


def _reasons(made: LineWords, asked: NDArray[np.bool_], written: int, wanted: WantedWords) -> list[list[Reason]]:
    """For each line asked for its words, those that bring most first."""
    reasons, begin = [], 0
    for size in made.types[asked].tolist():
        here = slice(begin, begin + size)
        word, times, gain = (column[here].tolist() for column in (made.word, made.times, made.gain))
        order = sorted((place for place in range(size) if gain[place] < 0), key=lambda place: (gain[place], place))
        reasons.append(
            [
                (wanted.name_of(word[place]), times[place], float(f"{gain[place]:.4g}"), wanted.side_of(word[place]))
                for place in order[:SHOWN]
            ]
        )
        begin += size
    assert begin == written
    return reasons


def _notes(picks: Picks, wanted: WantedWords) -> list[str]:
    """How the gains of words differ from what the ranking was made with."""
    settings, notes = picks.settings, []
    if picks.summary is None:
        notes.append("The ranking has no summary, so the gains of words are computed with the default settings.")
    if int(settings.get("ngrams") or 1) > 1:
        notes.append("The ranking also counts n-grams; the gains of words are those of single words.")
    if settings.get("vocabulary") == "classes":
        notes.append(
            "The ranking counts words by class; the gains of words are computed as if each word counted by itself."
        )
    if picks.counted > wanted.sides:
        notes.append("Both sides of the text count in the ranking; the words shown are those of the first side only.")
    return notes
