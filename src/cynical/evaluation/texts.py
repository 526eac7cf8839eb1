"""The texts of an evaluation: opened, all read the same way, and checked before anyone trusts the figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..model.count import counts_in
from ..model.overlap import inside_longer
from ..model.sequences import Numbering, Sequences
from ..options import Reading
from ..progress import Progress
from ..selection.index import hash_lines
from ..selection.inputs import Given
from ..text.corpus import Corpus
from ..text.sources import open_corpus
from ..text.tokenizer import Tokenizer
from .prefixes import HeldOut


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
    ) -> list[str]:
        """What a user should know of both texts, which have been read, before trusting the figures; `left_out` are
        lines that no selection has, and `first` is the side that --exclude looks at."""
        notices = [*corpus.notices(name), *held_out.notices("HELDOUT")]
        if corpus.files == held_out.files:
            notices.append(f"{name} and HELDOUT are the same file: the figures say nothing of other text")
        test = self.hashes(held_out, "HELDOUT")
        has_words = test != 0
        there = self.hashes(corpus, name)
        whole = has_words & np.isin(test, there if left_out is None else there[~left_out])
        text, lines = read
        inside = inside_longer(lines, text if left_out is None else text.take(np.flatnonzero(~left_out))) & ~whole
        if inside.any():
            notices.append(
                f"{int(inside.sum()):,} of the {int(has_words.sum()):,} lines of {held_out.name} are inside longer "
                f"lines of {name}, so it is not quite held out; --exclude compares whole lines"
            )
        seen, test = whole[has_words], test[has_words]
        if seen.any():
            exclude = f"pick with --exclude {held_out.name} to keep them out"
            notices.append(
                f"{int(seen.sum()):,} of the {len(test):,} lines of {held_out.name} are in {name} word for word, so it "
                f"is not quite held out; {exclude if first else '--exclude compares the side of -a alone'}"
            )
        return notices


def open_text(source: Given, role: str, reading: Reading) -> Corpus:
    """A corpus that is text: neither counts nor a ranking."""
    corpus = open_corpus(source, role, reading)
    if counts_in(corpus) is not None:
        raise CynicalError(f"{corpus.name}: these are counts, but n-grams are wanted of {role}; give it as text")
    return corpus


def check_held_out(judge: HeldOut, text: Sequences, held_out: str, name: str) -> None:
    """Both must have words, and some in common."""
    if not judge.text.words:
        raise CynicalError(
            f"{held_out}: no word in the HELDOUT text ({len(judge.text):,} lines); give a text with words"
        )
    if not judge.shares_a_word(text):
        raise CynicalError(
            f"{held_out}: no word in common with {name}; "
            "are both in the same language, tokenized and cased the same way?"
        )
