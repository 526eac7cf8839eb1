"""The blocks of a page that the ranking itself fills: its curve, its balance, its lines, their lengths and labels."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .bill import Billed
from .data import BalanceData, ClassData, CutData, LabelData, LengthData, LineData, UnknownData, UnknownShares
from .display import shortened
from .labels import Labels
from .picks import Picks
from .representative import GROUPS, WantedWords
from .words import Followed, Unknown

LONGEST = 800  # characters of a line that a page carries
STRETCHES = 120  # that gains and penalties are averaged over
BINS = 24  # of lengths


def cut_data(picks: Picks, cuts: NDArray[np.int64]) -> CutData:
    """What is known at each cut."""
    words = np.concatenate([[0], np.cumsum(picks.words)])
    entropy: list[float | None] = [*digits(picks.path_of_entropy[cuts])]
    if math.isnan(picks.before):
        entropy[0] = None
    feature = picks.feature_entropy
    return CutData(
        lines=cuts.tolist(),
        words=words[cuts].tolist(),
        entropy=entropy,
        features=None if feature is None else [None, *digits(feature[cuts[1:] - 1])],
    )


def balance_data(picks: Picks) -> BalanceData:
    """What lines bring and what they cost on average, in stretches that grow with the ranking: one line says little."""
    if not len(picks):
        return BalanceData(lines=[], words=[], penalty=[], gain=[])
    ends = np.unique(np.geomspace(1, len(picks), STRETCHES).round().astype(np.int64))
    begins, sizes = np.concatenate([[0], ends[:-1]]), np.diff(ends, prepend=0)
    return BalanceData(
        lines=ends.tolist(),
        words=np.cumsum(picks.words)[ends - 1].tolist(),
        penalty=digits(np.add.reduceat(picks.penalty, begins) / sizes),
        gain=digits(np.add.reduceat(picks.gain, begins) / sizes),
    )


def line_data(picks: Picks, shown: NDArray[np.int64], labels: Labels | None, followed: Followed | None) -> LineData:
    """The lines of some ranks, from 0."""
    texts = [carried(text) for text in picks.texts(shown.tolist())]
    return LineData(
        rank=(shown + 1).tolist(),
        line=(picks.line[shown] + 1).tolist(),
        delta=digits(picks.delta[shown]),
        penalty=digits(picks.penalty[shown]),
        gain=digits(picks.gain[shown]),
        entropy=digits(picks.entropy[shown]),
        words=picks.words[shown].tolist(),
        word=[shortened(word) for word in picks.best_words(shown.tolist())],
        text=[text for text, _ in texts],
        others=[[carried(text) for text in picks.texts(shown.tolist(), side)] for side in range(1, len(picks.sides))],
        whole=[int(whole) for _, whole in texts],
        label=None if labels is None else [shortened(label) for label in labels.of(shown)],
        why=None if followed is None else followed.why,
    )


def carried(raw: bytes) -> tuple[str, bool]:
    """A line as the page has it, and whether that is all of it."""
    try:
        text, whole = raw.decode(), True
    except UnicodeDecodeError:
        text, whole = raw.decode("utf-8", "replace"), False
    return (text, whole) if len(text) <= LONGEST else (text[:LONGEST], False)


def length_data(picks: Picks, cuts: NDArray[np.int64], wanted: WantedWords | None) -> LengthData | None:
    """How many lines are how long: of REPRESENTATIVE as shares, of the picks since the cut before.

    Where both sides count, picks have the words of both; that of REPRESENTATIVE may be known of its first side alone.
    """
    theirs = None if wanted is None or picks.counted > wanted.sides else wanted.lengths
    both = picks.words if theirs is None else np.concatenate([picks.words, theirs])
    if not len(both):
        return None
    step = max(1, math.ceil(float(np.quantile(both, 0.99)) / BINS))
    bins = max(1, min(BINS, math.ceil(int(both.max()) / step)))
    place = np.minimum((picks.words - 1) // step, bins - 1)
    increments = np.zeros((bins, len(cuts)), np.int64)
    np.add.at(increments, (place, np.searchsorted(cuts, np.arange(len(picks)) + 1)), 1)
    shares = None
    if theirs is not None and len(theirs):
        counted = np.bincount(np.minimum((theirs - 1) // step, bins - 1), minlength=bins)
        shares = digits(counted / len(theirs))
    names = [f"{i * step + 1}" if step == 1 else f"{i * step + 1}\u2013{(i + 1) * step}" for i in range(bins)]
    if int(both.max()) > bins * step:
        names[-1] = f"{(bins - 1) * step + 1}+"
    return LengthData(names=names, representative=shares, picked=increments.tolist())


def label_data(labels: Labels | None, cuts: NDArray[np.int64], picks: Picks, billed: Billed | None) -> LabelData | None:
    """Where the picks come from, if that is known."""
    if labels is None:
        return None
    return LabelData(
        names=[shortened(name) for name in labels.names],
        available=None if labels.available is None else digits(labels.available),
        picked=labels.increments(cuts).tolist(),
        words=labels.increments(cuts, picks.words).tolist(),
        paid=None if billed is None else labels.increments(cuts, billed.units).tolist(),
        paid_others=None
        if billed is None or billed.others is None
        else labels.increments(cuts, billed.others).tolist(),
    )


def unknown_data(followed: Followed) -> UnknownData | None:
    """What SEED and the picks lack of REPRESENTATIVE and of HELDOUT, by cut."""
    if followed.unknown is None:
        return None
    of_held_out = None if followed.unknown_held_out is None else _shares(followed.unknown_held_out)
    return UnknownData(representative=_shares(followed.unknown), held_out=of_held_out)


def class_data(wanted: WantedWords, followed: Followed) -> ClassData | None:
    """The words of the picks by class, if the classes are known."""
    if wanted.classes is None or followed.by_group is None:
        return None
    assert [one.name for one in wanted.classes] == list(GROUPS)
    return ClassData(rows=wanted.classes, picked=followed.by_group.T.tolist())


def _shares(unknown: Unknown) -> UnknownShares:
    return UnknownShares(tokens=digits(unknown.tokens, 6), types=digits(unknown.types, 6))


def digits(values: Iterable[float] | NDArray[np.float64], number: int = 9) -> list[float]:
    """As many digits as a Jaded file has."""
    return [float(f"{value:.{number}g}") for value in np.asarray(values, np.float64).tolist()]
