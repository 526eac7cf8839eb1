"""The texts of an evaluation: opened, read in the same way, and checked for overlap."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, if_one, number_of
from ..model.count import counts_in
from ..model.overlap import RUN, Runs, inside_longer, lines_with_runs, read_runs
from ..model.sequences import Numbering, Sequences
from ..options import Reading
from ..progress import Progress
from ..selection.excluded import Excluded, equal_lines
from ..selection.index import hash_lines
from ..selection.inputs import Given
from ..text.corpus import Corpus
from ..text.sources import open_corpus
from ..text.tokenizer import Tokenizer
from .prefixes import HeldOut

MOST_KNOWN = 0.5  # of the lines of a test that is not part of REPRESENTATIVE, more or less


@dataclass(frozen=True, slots=True)
class TextReader:
    """How all texts are read."""

    tokenizer: Tokenizer
    jobs: int
    progress: Progress

    def sequences(self, numbering: Numbering, corpus: Corpus, role: str) -> Sequences:
        """The words of a text as numbers."""
        return numbering.read(corpus, self.tokenizer, self.jobs, self.progress, role)

    def hashes(self, corpus: Corpus, role: str) -> NDArray[np.uint64]:
        """One for each line, the same for lines of the same words; 0 for lines without words."""
        return hash_lines(corpus, self.tokenizer, self.jobs, self.progress, role)

    def notices(
        self,
        corpus: Corpus,
        held_out: Corpus,
        name: str,
        read: tuple[Sequences, Sequences],
        left_out: NDArray[np.bool_] | None = None,
        first: bool = True,
        ngrams: int | None = None,
    ) -> list[str]:
        """What a user should know of both texts, which have been read, before trusting the figures; `left_out` are
        lines that no selection has, `first` is the side that --exclude looks at, and `ngrams` is --exclude-ngrams."""
        notices = [*corpus.notices(name), *held_out.notices("HELDOUT")]
        if corpus.files == held_out.files:
            notices.append(
                f"{name} and HELDOUT are the same file, so the figures say nothing about other text; give a text "
                "that was not used for ranking"
            )
        test = self.hashes(held_out, "HELDOUT")
        has_words = test != 0
        there = self.hashes(corpus, name)
        whole = has_words & np.isin(test, there if left_out is None else there[~left_out])
        text, lines = read
        if left_out is not None:
            text = text.take(np.flatnonzero(~left_out))
        inside = inside_longer(lines, text) & ~whole
        shared = Runs.of(lines, RUN).shared_with(text) & ~whole & ~inside
        exclude = f"--exclude {shlex.quote(held_out.name)}"
        runs, alone = f"--exclude-ngrams {RUN}", "--exclude compares the side of -a only"
        for which, verb, where, to_do in (
            (
                inside,
                ("is", "are"),
                f"contained in longer lines of {name}",
                _how_to_exclude(lines.lengths[inside], ngrams),
            ),
            (
                shared,
                ("shares", "share"),
                f"{RUN} consecutive words with lines of {name}",
                f"{'' if left_out is not None else f'{exclude} '}{runs} excludes such lines",
            ),
            (
                whole,
                ("is", "are"),
                f"also in {name}",
                f"rank with {exclude} to exclude such lines",
            ),
        ):
            if which.any():
                number = int(which.sum())
                of = f"{number:,} of the {number_of(int(has_words.sum()), 'line')} of {held_out.name}"
                notices.append(
                    f"{of} {if_one(number, *verb)} {where}, so the text is not strictly held out; "
                    f"{to_do if first else alone}"
                )
        return notices

    def known_lines(self, held_out: Corpus, targets: Sequence[Corpus]) -> list[str]:
        """A notice if most lines of the test are in REPRESENTATIVE: some are in any two samples of a language."""
        test = self.hashes(held_out, "HELDOUT")
        test = test[test != 0]
        known = np.zeros(len(test), np.bool_)
        for target in targets:
            known |= np.isin(test, self.hashes(target, "REPRESENTATIVE"))
        number = int(np.count_nonzero(known))
        if number <= MOST_KNOWN * len(test):
            return []
        return [
            f"{number:,} of the {number_of(len(test), 'line')} of {held_out.name} are in REPRESENTATIVE, so the "
            "figures say little about other text of its kind; give a text that was not used for ranking"
        ]


def _how_to_exclude(lengths: NDArray[np.int64], ngrams: int | None) -> str:
    """What excludes longer lines that contain lines of these lengths."""
    if ngrams is None or not len(lengths) or int(lengths.max()) >= ngrams:
        return f"--exclude compares whole lines; --exclude-ngrams {RUN} compares parts of lines too"
    have = if_one(len(lengths), "it has", "they have")
    return (
        f"{have} fewer words than --exclude-ngrams {ngrams}; --exclude-ngrams {int(lengths.min())} excludes lines that "
        f"contain {if_one(len(lengths), 'it', 'them')}"
    )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What --exclude leaves out: its lines and, if asked for, whatever has one of its runs of words."""

    lines: Excluded
    runs: Runs | None
    reader: TextReader

    @classmethod
    def of(cls, exclude: Corpus, ngrams: int | None, reader: TextReader) -> LeftOut:
        how = reader.tokenizer, reader.jobs, reader.progress
        return cls(
            Excluded.of(exclude, reader),
            None if ngrams is None else read_runs(exclude, ngrams, *how, "--exclude"),
            reader,
        )

    def lines_of(self, corpus: Corpus, role: str) -> NDArray[np.bool_]:
        """By line of a text, is it left out?"""
        out = equal_lines(corpus, self.lines, self.reader, role)
        if self.runs is not None:
            reader = self.reader
            out |= lines_with_runs(corpus, self.runs, reader.tokenizer, reader.jobs, reader.progress, role)
        return out


def open_text(source: Given, role: str, reading: Reading) -> Corpus:
    """A corpus that is text: neither counts nor a ranking."""
    corpus = open_corpus(source, role, reading)
    if counts_in(corpus) is not None:
        raise CynicalError(
            f"{corpus.name}: {role} must be text to count n-grams, but this is a .counts file; give the text"
        )
    return corpus


def check_held_out(judge: HeldOut, text: Sequences, held_out: str, name: str) -> None:
    """Both must have words, and some in common."""
    if not judge.text.words:
        raise CynicalError(
            f"{held_out}: the HELDOUT text has no words ({number_of(len(judge.text), 'line')}); give a text with words"
        )
    if not judge.shares_a_word(text):
        raise CynicalError(
            f"{held_out}: no word in common with {name}; check that both are in the same language, tokenized and "
            "cased in the same way"
        )
