"""The fixed state that lines are scored against, REPRESENTATIVE and SEED, small enough to be sent to any process."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..model.classifier import Classifier
from ..model.counts import Counts
from ..model.entropy import make_model
from ..model.known import kernel_known
from ..model.ngrams import Grams
from ..model.target import Features
from ..options import TextOptions
from ..options.reading import OBJECT, objects
from ..text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from .._kernels.formulas import Model
    from .._kernels.index import Known


@dataclass(frozen=True, slots=True, eq=False)
class Frozen:
    """A state that nothing is added to."""

    tokenizer: Tokenizer
    sides: tuple[Counts, ...]  # the words and n-grams that count, by side
    columns: tuple[str, ...]  # what the other sides that count are called
    p: NDArray[np.float64]  # by what the model counts
    counts: NDArray[np.int64]  # how often each has been selected
    smoothing: NDArray[np.float64]  # as Model has it,
    ngram_added: NDArray[np.float64]  # and this too
    selected: int  # features of all kinds that have been selected
    token: NDArray[np.int64] | None  # by feature, the token that it is collapsed to, if it is
    per_word: bool  # is a line worth its delta per word, not its delta?
    classifier: Classifier | None = None
    share: float = 0.0  # of lines that belong to the language, as the classifier has it

    def __reduce__(self) -> tuple[Any, ...]:
        """Without tables that are quickly made again."""
        text, ngrams = self.tokenizer.options, self.tokenizer.ngrams
        given = objects.get(text.tokenizer) if text.tokenizer.startswith(OBJECT) else text.tokenizer
        tokenizer = given, text.normalize, text.lowercase, ngrams, self.tokenizer.signature
        state = self.columns, self.p, _smallest(self.counts), self.smoothing, self.ngram_added, self.selected
        token = None if self.token is None else _smallest(self.token)
        return _thawed, (tokenizer, [_bare(side) for side in self.sides], state, token, self.per_word, self._learnt())

    def _learnt(self) -> tuple[Any, ...] | None:
        """The classifier, of which most weights are 0."""
        if self.classifier is None:
            return None
        held = np.flatnonzero(self.classifier.weight)
        bare = replace(self.classifier, weight=self.classifier.weight[held])
        return bare, held.astype(np.uint32), len(self.classifier.weight), self.share


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """What kernels look words up in, made of a frozen state."""

    frozen: Frozen
    model: Model
    known: tuple[Known, ...]  # by side
    features: int  # of all sides


def tables_of(frozen: Frozen) -> Tables:
    features = Features(frozen.sides)
    known = tuple(kernel_known(side, features.shifts(number)) for number, side in enumerate(frozen.sides))
    model = make_model(frozen.p, frozen.counts, frozen.smoothing, frozen.ngram_added, frozen.p)
    return Tables(frozen, model, known, len(features))


def _smallest(numbers: NDArray[np.int64]) -> NDArray[Any]:
    """Numbers that are not negative, in as few bytes each as all need."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


def _bare(counts: Counts) -> tuple[Any, ...]:
    """Words and n-grams without their counts."""
    grams = counts.grams
    held = None if grams is None else (grams.left, grams.right, grams.sizes)
    return counts.blob, _smallest(np.diff(counts.start)), counts.signature, held


def _dressed(blob: NDArray[np.uint8], length: NDArray[Any], signature: str, grams: Any) -> Counts:
    """The same, as Counts of 0 each."""
    start = np.zeros(len(length) + 1, np.int64)
    np.cumsum(length, out=start[1:])
    held = None
    if grams is not None:
        left, right, sizes = grams
        held = Grams(left, right, np.zeros(len(left), np.int64), sizes, (0,) * len(sizes))
    return Counts(blob, start, np.zeros(len(length), np.int64), signature, 0, grams=held)


def _thawed(
    tokenizer: tuple[Any, ...],
    sides: Sequence[tuple[Any, ...]],
    state: tuple[Any, ...],
    token: NDArray[Any] | None,
    per_word: bool,
    learnt: tuple[Any, ...] | None,
) -> Frozen:
    """A frozen state from what was pickled."""
    given, normalize, lowercase, ngrams, signature = tokenizer
    made = Tokenizer.of(TextOptions(given, normalize, lowercase), ngrams)
    if made.signature != signature:
        raise CynicalError(
            f"--tokenizer {made.name}: this Scorer was made with {signature}, but the file on this machine gives "
            f"{made.signature}; use the same file on every machine"
        )
    classifier, share = None, 0.0
    if learnt is not None:
        bare, held, size, share = learnt
        weight = np.zeros(size)
        weight[held] = bare.weight
        classifier = replace(bare, weight=weight)
    columns, p, counts, smoothing, ngram_added, selected = state
    return Frozen(
        made,
        tuple(itertools.starmap(_dressed, sides)),
        columns,
        p,
        counts.astype(np.int64),
        smoothing,
        ngram_added,
        selected,
        None if token is None else token.astype(np.int64),
        per_word,
        classifier,
        share,
    )
