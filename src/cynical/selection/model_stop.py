"""Where to stop for a language model: at the cut that held-out lines of REPRESENTATIVE find best.

Every tenth line of REPRESENTATIVE is held out. A first ranking is made with the others, and an n-gram model learns from
it, pick by pick; at cuts that grow by a fourth root of two it says what a held-out word costs. The ranking ends when it
has doubled since the best of them. The final ranking is longer than the best cut by as much as all of REPRESENTATIVE is
longer than the nine tenths: with more to learn from, the picks run dry later.

Lines of AVAILABLE are read once: both rankings are over the features of all of REPRESENTATIVE, of which some are not in
the nine tenths and so have no weight in the first. A held-out line that is picked word for word is not counted: of new
text, nothing would be there.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, if_one, number_of
from ..jaded.summary import ModelStop
from ..model.budget import limits as limits_of
from ..model.count import count_words, counts_in
from ..model.counts import Counts
from ..model.kneser_ney import NGramModel
from ..model.sequences import Numbering, Sequences
from ..options.budget import NO_LIMIT
from ..options.method import ORDER
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.hold_out import Split, hold_out
from ..text.places import Places, part_of
from ..text.tokenizer import Tokenizer
from .available import Available
from .index import hash_lines
from .prepare import A, Prepared, first_state, make_task
from .search import Ranking

FIRST = 1000  # words of the first cut
GROWTH = 2.0 ** (1 / 4)  # from one cut to the next
ENOUGH = 2.0  # times the words of the best cut, without a better one
AHEAD = 16  # calls that the search may be ahead of the judge
LEAST, MOST = 10, 5000  # held-out lines of a target that can say anything, and that are asked
VOCABULARY = 1 << 17  # words that the language is taken to have, so that prefixes can be compared


@dataclass(frozen=True, slots=True)
class Found:
    """The best cut of the first ranking, and how many words the final one gets."""

    words: int
    perplexity: float
    lines: int  # held out
    known: bool  # False if a larger cut may be better
    measured: list[tuple[int, float]]  # words and perplexity of each cut

    def of(self, ranking: Ranking) -> ModelStop:
        """The point in a ranking of all of REPRESENTATIVE."""
        total = np.cumsum(ranking.words)
        lines = int(np.searchsorted(total, self.words, side="right"))
        return ModelStop(
            lines=lines,
            words=int(total[lines - 1]) if lines else 0,
            perplexity=self.perplexity,
            held_out=self.lines,
            known=self.known,
            measured=self.measured,
        )


@dataclass(slots=True, eq=False)
class _Side:
    """One side of the picks as a model learns it, and of each target what is held out of it."""

    tokenizer: Tokenizer
    jobs: int
    held_out: list[Sequences] = field(default_factory=list)
    numbering: Numbering = field(default_factory=Numbering)
    learnt: list[Sequences] = field(default_factory=list)
    model: NGramModel = field(default_factory=lambda: NGramModel(ORDER, 0))
    room: int = 0  # words that the model has room for

    def read(self, corpus: Corpus, role: str) -> Sequences:
        return self.numbering.read(corpus, self.tokenizer, self.jobs, Progress(), role)

    def learn(self, corpus: Corpus) -> None:
        """Learn from more picks; a model that has no room for their words is made again, twice as large."""
        self.learnt.append(self.read(corpus, "AVAILABLE"))
        new = self.learnt[-1:]
        if len(self.numbering) > self.room:
            self.room = max(2 * len(self.numbering), VOCABULARY)
            self.model, new = NGramModel(ORDER, self.room), self.learnt
        for text in new:
            self.model.add(text)


@dataclass(slots=True, eq=False)
class Judge:
    """What growing prefixes of a ranking say of held-out lines."""

    places: Sequence[Places]  # of AVAILABLE, by side
    sides: list[_Side]
    hashes: list[NDArray[np.uint64]]  # by target, of its held-out lines
    weights: Sequence[float]  # of the targets
    waiting: list[NDArray[np.int64]] = field(default_factory=list)  # picks since the last cut
    waiting_words: int = 0
    words: list[int] = field(default_factory=list)  # by cut
    bits: list[list[NDArray[np.float64]]] = field(default_factory=list)  # by cut and target, of each line
    picked: list[NDArray[np.bool_]] = field(default_factory=list)  # by target: lines that were picked word for word

    def over(self, lines: NDArray[np.int64], words: NDArray[np.int64]) -> bool:
        """Follow the picks of a search; True when no cut that is still to come is likely to be the best."""
        before = self.words[-1] if self.words else 0
        total = before + self.waiting_words + np.cumsum(words)
        begin = 0
        while begin < len(lines):
            goal = max(math.ceil((self.words[-1] if self.words else 0) * GROWTH), FIRST)
            end = int(np.searchsorted(total, goal)) + 1  # the first cut that has as many
            self.waiting.append(lines[begin:end])
            self.waiting_words += int(words[begin:end].sum())
            begin = end
            if end <= len(lines):
                self.measure()
                if self._is_over():
                    return True
        return False

    def measure(self) -> None:
        """Learn from the picks since the last cut, and ask what the held-out lines cost."""
        lines = np.concatenate(self.waiting)
        texts = [part_of(places, lines) for places in self.places]
        for side, text in zip(self.sides, texts, strict=True):
            side.learn(text)
        here = hash_lines(texts[0], self.sides[0].tokenizer, self.sides[0].jobs, Progress(), "AVAILABLE")
        for picked, own in zip(self.picked, self.hashes, strict=True):
            picked |= np.isin(own, here)
        self.bits.append([self._bits(target) for target in range(len(self.hashes))])
        self.words.append((self.words[-1] if self.words else 0) + self.waiting_words)
        self.waiting, self.waiting_words = [], 0

    def _bits(self, target: int) -> NDArray[np.float64]:
        costs = [side.model.cost(side.held_out[target], VOCABULARY).all_bits for side in self.sides]
        return np.asarray(np.sum(costs, axis=0))

    def perplexities(self) -> NDArray[np.float64]:
        """By cut; of several targets, by their weights."""
        out = np.zeros(len(self.bits))
        for target, weight in enumerate(self.weights):
            kept = ~self.picked[target]
            if np.count_nonzero(kept) < LEAST:
                kept = np.ones(len(kept), np.bool_)
            lengths = [side.held_out[target].lengths for side in self.sides]
            tokens = sum(int((length + (length > 0))[kept].sum()) for length in lengths)
            out += weight * np.array([bits[target][kept].sum() for bits in self.bits]) / max(tokens, 1)
        return np.asarray(2.0**out)

    def _is_over(self) -> bool:
        best = int(np.argmin(self.perplexities()))
        return self.words[-1] >= ENOUGH * self.words[best]

    @property
    def has_picks(self) -> bool:
        return bool(self.words or self.waiting_words)

    def found(self, longer: float) -> Found:
        """The best cut, now that no pick is to come; of equals, the smallest. The final one is `longer`."""
        if self.waiting_words:
            self.measure()
        figures = self.perplexities()
        best = int(np.argmin(figures))
        measured = [(words, round(float(figure), 4)) for words, figure in zip(self.words, figures, strict=True)]
        words, perplexity = measured[best]
        return Found(round(longer * words), perplexity, sum(map(len, self.hashes)), self._is_over(), measured)


@dataclass(slots=True, eq=False)
class _Follower:
    """A judge that follows a search in a thread of its own. Its result does not depend on how late it is."""

    judge: Judge
    thread: ThreadPoolExecutor
    ahead: int  # calls that the search may be ahead of it
    pending: deque[Future[None]] = field(default_factory=deque)
    ended: bool = False

    def over(self, lines: NDArray[np.int64], words: NDArray[np.int64]) -> bool:
        """Pass on what was picked, as copies: the search writes over its log. True when the judge has seen enough."""
        self.pending.append(self.thread.submit(self._follow, lines.copy(), words.copy()))
        self.wait(self.ahead)
        return self.ended

    def wait(self, most: int) -> None:
        """Wait until no more than this many calls are left to do."""
        while len(self.pending) > most:
            self.pending.popleft().result()

    def _follow(self, lines: NDArray[np.int64], words: NDArray[np.int64]) -> None:
        self.ended = self.ended or self.judge.over(lines, words)


def find_stop(prepared: Prepared[A], most_rescored: int | None) -> tuple[Prepared[A], Found | None]:
    """Rank with nine tenths of REPRESENTATIVE; the cut that the other lines find best.

    Where nothing can be held out, and nobody has asked for it, the entropy says where to stop, and a notice why.
    """
    progress = prepared.progress
    own = progress.part("to find the stop, ")
    with progress.stage("find the stop"):
        try:
            splits = _hold_out(prepared)
            counted, judge = _read_held_out(prepared, splits)
        except CynicalError as error:
            if prepared.settings.budget.stop is not None:
                raise CynicalError(f"{error}; give more lines of text, or choose --stop entropy") from error
            return stop_by_entropy(prepared, str(error)), None
        state = first_state(prepared, prepared.target.without(counted))
        limits = limits_of(prepared.settings.budget, prepared.available.contents.words)
        task = make_task(prepared, state, replace(limits, patience=NO_LIMIT), own)
        task.again, task.most_rescored = True, most_rescored
        with ThreadPoolExecutor(1) as thread:
            follower = _Follower(judge, thread, AHEAD if prepared.jobs > 1 else 0)
            task.over = follower.over
            prepared.available.search(task, prepared.settings.ranking.strategy)
            follower.wait(0)
        if not judge.has_picks:
            return prepared, None
        return prepared, judge.found(_longer(splits))


def _longer(splits: Sequence[Split]) -> float:
    """By which factor all of REPRESENTATIVE has more lines than what is not held out."""
    lines = sum(len(split.held) for split in splits)
    return lines / (lines - sum(map(len, splits)))


def stop_by_entropy(prepared: Prepared[A], why: str) -> Prepared[A]:
    """The same, but the entropy says where to stop; why, for a notice."""
    settings, facts = prepared.settings, prepared.facts
    notice = f"{why}; the ranking ends where the entropy of single words is lowest instead"
    return replace(
        prepared,
        settings=replace(settings, budget=replace(settings.budget, stop="entropy")),
        facts=replace(facts, notices=[*facts.notices, notice]),
    )


def _hold_out(prepared: Prepared[Available]) -> list[Split]:
    """Hold out a tenth of each target."""
    splits = []
    for sides in prepared.texts.targets:
        texts = [side for side in sides if isinstance(side, Corpus) and counts_in(side) is None]
        if len(texts) < len(sides):
            raise CynicalError(f"{sides[0].name}: lines cannot be held out from a .counts file")
        splits.append(hold_out(texts, prepared.jobs, prepared.progress, MOST))
        if len(splits[-1]) < LEAST:
            few = len(splits[-1].held)
            raise CynicalError(
                f"{sides[0].name}: {number_of(few, 'line')} {if_one(few, 'is', 'are')} too few to hold out a "
                "tenth of them"
            )
    return splits


def _read_held_out(prepared: Prepared[Available], splits: Sequence[Split]) -> tuple[list[list[Counts]], Judge]:
    """The counts of what is held out, by target and side, and what judges by it."""
    tokenizer, jobs, target = prepared.tokenizer, prepared.jobs, prepared.target
    counted, hashes = [], []
    sides = [_Side(tokenizer, jobs) for _ in splits[0].places]
    for split in splits:
        texts = [split.held_out(side) for side in range(len(sides))]
        for side, text in zip(sides, texts, strict=True):
            side.held_out.append(side.read(text, "REPRESENTATIVE"))
        counted.append(
            [count_words(text, tokenizer, jobs, Progress(), "REPRESENTATIVE", may_be_empty=True) for text in texts]
        )
        if not all(counts.total for counts in counted[-1]):
            raise CynicalError(f"{split.places[0].corpus.name}: the lines that were held out have no words")
        hashes.append(hash_lines(texts[0], tokenizer, jobs, Progress(), "REPRESENTATIVE"))
    judge = Judge(prepared.available.places[: len(sides)], sides, hashes, target.weights)
    judge.picked = [np.zeros(len(own), np.bool_) for own in hashes]
    return counted, judge
