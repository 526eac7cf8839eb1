"""Count the words of a corpus, and its n-grams where wanted; counts that were made before are taken as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import CynicalError
from ..progress import Progress
from ..text.corpus import Chunk, Corpus
from ..text.reader import Words, number_of_jobs, read_all
from ..text.sources import Source, open_corpus
from ..text.tokenizer import Tokenizer, remedies
from .counts import Counts, union
from .counts_file import parse
from .hash_tables import GramTable, WordTable

WAITING = 32  # words that are looked up together


def count_words(
    source: Source | Counts,
    tokenizer: Tokenizer,
    jobs: int | None,
    progress: Progress,
    role: str,
    *,
    may_be_empty: bool = False,
) -> Counts:
    """Count the words of a text; counts, and a .counts file, are taken as they are."""
    if isinstance(source, Counts):
        return _checked(source, tokenizer, source.name or role)
    corpus = open_corpus(source, role)
    held = counts_in(corpus)
    if held is not None:
        return _checked(replace(held, name=corpus.name), tokenizer, corpus.name)
    takers = read_all(corpus, tokenizer, number_of_jobs(jobs), progress, lambda: WordCounter(tokenizer.ngrams), role)
    counted = replace(put_together(takers, tokenizer.signature), name=corpus.name)
    if counted.total == 0 and not may_be_empty:
        raise CynicalError(no_words(corpus.name, role, counted.lines))
    return counted


def no_words(name: str, role: str, lines: int) -> str:
    """What is said of a text without words."""
    return f"{name}: the {role} text has no words ({lines} lines); give a text with words"


def merge_counts(sources: Sequence[Source | Counts], progress: Progress) -> Counts:
    """Counts of parts of a text, added: those of the whole text."""
    members = []
    for source in sources:
        held = source if isinstance(source, Counts) else None
        for part in () if held is not None else open_corpus(source, "counts").parts:
            if not part.is_counts:
                raise CynicalError(f"{part.name}: --merge adds up .counts files, but this is not one; count it first")
            members.append(replace(parse(bytes(part.content), part.name, may_be_empty=True), name=part.name))
        members += [] if held is None else [held]
    for one in members:
        if one.signature != members[0].signature:
            raise CynicalError(
                f"{one.name or 'counts'}: made with {one.signature}, but {members[0].name or 'others'} with "
                f"{members[0].signature}; count all parts with the same options"
            )
    folded = [one.name or "counts" for one in members if any(one.others)]
    if folded and len(members) > 1:
        progress.notice(
            f"{folded[0]}: rare words were folded in each part separately; count the parts without --fold-below, and "
            "give --fold-below with --merge"
        )
    return union(members)


def words_alone(source: Source | Counts, role: str) -> Corpus | Counts:
    """A text as it is; of counts with n-grams, the words."""
    given = source if isinstance(source, Counts) else open_corpus(source, role)
    held = given if isinstance(given, Counts) else counts_in(given)
    if held is None:
        return given
    return replace(held, grams=None, signature=held.signature.partition("|ngrams:")[0], name=given.name)


def count_corpora(
    sources: Mapping[str, Source | Counts], tokenizer: Tokenizer, jobs: int | None, progress: Progress
) -> dict[str, Counts]:
    """The single words of several corpora, by what part they play."""
    return {role: count_words(words_alone(one, role), tokenizer, jobs, progress, role) for role, one in sources.items()}


def counts_in(corpus: Corpus) -> Counts | None:
    """The counts that a corpus holds in place of text, known by their name or their first line; None if it is text."""
    held = [part for part in corpus.parts if part.is_counts]
    if held and len(corpus.parts) > 1:
        raise CynicalError(
            f"{held[0].name}: a .counts file cannot be combined with other files; count all the texts together"
        )
    return parse(bytes(held[0].content), held[0].name) if held else None


def _checked(counts: Counts, tokenizer: Tokenizer, name: str) -> Counts:
    if counts.signature == tokenizer.signature:
        return counts
    remedy = " and ".join(remedies(counts.signature, tokenizer.signature)) or "use the same options for both"
    raise CynicalError(
        f"{name}: the counts were made with {counts.signature}, but the text is read with {tokenizer.signature}; "
        f"{remedy}, or count again"
    )


class WordCounter:
    """One thread's share of the counting."""

    def __init__(self, ngrams: int) -> None:
        self.words = WordTable()
        self.grams = GramTable() if ngrams > 1 else None
        self._ngrams = ngrams
        self._ids = np.zeros(0, np.uint32)
        self._waiting = np.empty((WAITING, 2), np.int64), np.empty(WAITING, np.uint64)
        self.lines = 0
        self.broken = 0

    def take(self, chunk: Chunk, words: Words) -> None:
        base = chunk.number << 32  # where a word is first seen: the chunk, then the place within it
        if self.grams is None:
            self._count_words(words, base)
        else:
            self._count_grams(self.grams, self._number_words(words, base), base)
        self.lines += len(words.line_end)
        self.broken += words.broken

    def _count_words(self, words: Words, base: int) -> None:
        from .._kernels.vocabulary import count_words

        begin = 0
        while True:
            begin = count_words(self.words.vocabulary, words.chunk, *self._waiting, begin, base)
            if begin < 0:
                break
            self._grow(words, begin)

    def _number_words(self, words: Words, base: int) -> int:
        """Count the words and keep their numbers, how many there are."""
        from .._kernels.ngrams import number_words

        if len(self._ids) < len(words.text) + 2:
            self._ids = np.empty(len(words.text) + 2, np.uint32)
        state, chunk = np.zeros(3, np.int64), words.chunk
        while (begin := number_words(self.words.vocabulary, chunk, base, state, self._ids)) >= 0:
            self._grow(words, begin)
        return int(state[1])

    def _count_grams(self, grams: GramTable, number: int, base: int) -> None:
        from .._kernels.ngrams import count_grams

        begin = 1
        while (begin := count_grams(grams.grams, self._ids[:number], self._ngrams, begin, base)) >= 0:
            grams.grow()

    def _grow(self, words: Words, begin: int) -> None:
        """Make room, also for the word at `begin`, whose length nobody knows yet."""
        self.words.grow(len(words.text) - begin if len(words.text) > 1 << 22 else 1 << 16)


def put_together(takers: Sequence[WordCounter], signature: str) -> Counts:
    words, grams = takers[0].words, takers[0].grams
    for taker in takers[1:]:
        blob, start, count, first = taker.words.contents()
        words.add(blob, start, count, first)
        if grams is not None and taker.grams is not None:
            grams.add(*taker.grams.contents(), words.find(blob, start))
    lines, broken = sum(taker.lines for taker in takers), sum(taker.broken for taker in takers)
    return Counts.from_tables(words, grams, signature, lines, broken)
