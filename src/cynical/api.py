"""The Python functions: the same as the commands, for texts in memory or in files.

Each has an explicit signature, for editors. A test compares names, defaults and choices with the declared options, and
sees that every parameter is explained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from .errors import warn
from .evaluation.compare import Contest
from .evaluation.compare import run as run_comparison
from .evaluation.evaluate import EvaluationInputs
from .evaluation.evaluate import run as run_evaluation
from .evaluation.rank import rank_prepared as rank_baseline
from .evaluation.rank import rate
from .evaluation.rank import run as run_baseline
from .evaluation.records import Comparison, Evaluation
from .jaded.jaded import Jaded
from .jaded.prefix import check_cut
from .model.count import count_corpora, count_words, merge_counts
from .model.counts import Counts
from .model.word_list import WordList, list_words
from .options import (
    Budget,
    Cluster,
    Execution,
    Measure,
    Reading,
    Rereading,
    Settings,
    TextOptions,
    Thresholds,
    pick,
)
from .options.budget import PricePer, StopBy
from .options.commands import PICTURE_WIDTH, SHARES, Comparing, Counting, Plotting, Reporting
from .options.execution import CHECKPOINT_EVERY, EngineName
from .options.method import ORDER, POINTS, RANDOM_SEED, LanguageModelName, MethodName
from .options.ranking import MIN_COUNT, RATIO_THRESHOLD, SMOOTHING, Goal, LengthPer, Per, Strategy, Vocabulary
from .options.reading import BadRecords, InputFormat, Normalize, TokenizerObject, Unit
from .options.scoring import InputPart
from .progress import Progress
from .selection.inputs import Given, Inputs, gather_from_python, sides_of
from .selection.rescore import read_with_bits
from .selection.run import rank_prepared
from .selection.run import run as run_selection
from .text.atomic_file import Output, check_output
from .text.corpus import Corpus
from .text.sources import Source, check_text_key, open_corpus
from .text.streams import open_whole_or_part
from .text.tokenizer import Tokenizer


def select(
    representative: Given | Sequence[Given],
    available: Source,
    *,
    unadapted: Given | None = None,
    seed: Given | Jaded | Sequence[object] | None = None,
    weights: Sequence[float] | None = None,
    with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None,
    representative_with: Given | tuple[Given, ...] | None = None,
    unadapted_with: Given | tuple[Given, ...] | None = None,
    seed_with: Given | tuple[Given, ...] | None = None,
    lines: int | None = None,
    words: int | None = None,
    share: float | str | None = None,
    all: bool = False,
    price: float | None = None,
    price_per: PricePer | None = None,
    price_with: float | None = None,
    money: float | None = None,
    currency: str | None = None,
    patience: float | str | None = None,
    stop: StopBy | None = None,
    strategy: Strategy = "exact",
    vocabulary: Vocabulary = "full",
    for_: Goal = "coverage",
    per: Per | None = None,
    ngrams: int | None = None,
    widen: float | None = None,
    prior: Any = None,
    prior_weight: float = 1.0,
    smoothing: float = SMOOTHING,
    ngram_smoothing: float | None = None,
    min_count: int = MIN_COUNT,
    ratio_threshold: float = RATIO_THRESHOLD,
    exclude: Source | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    length_per: LengthPer = "line",
    max_copies: int | None = None,
    exclude_ngrams: int | None = None,
    among: float | None = None,
    max_share_of_document: float | None = None,
    by: Any = None,
    tokenizer: str | TokenizerObject = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    id_key: str | None = None,
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    memory: int | str | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = CHECKPOINT_EVERY,
    engine: EngineName = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by how much each lowers the cross-entropy of REPRESENTATIVE.

    Each pick is the best line given all picks before it. At most one of `lines`, `words`, `share`, `money` and `all`
    sets a budget; without one, the ranking ends at the stopping point (see `stop`).

    A source of text is a path (a `str` or a `Path`; "-" is standard input, a pattern such as ``"pool/*.txt"`` names all
    files that match), a list of `Path`, an iterable of `str`, which are the lines themselves, a column of a data frame,
    or a table with a column `text_key`.

    Parameters
    ----------
    representative : source, Counts or a list of them
        The language you want: a text, `Counts` or a .counts file. A list of `Counts`, a list of lists of lines or, with
        `weights`, any list is several targets.
    available : source
        The lines to choose from.
    unadapted : source or Counts, optional
        The language you have, which decides the classes of words. By default AVAILABLE. Only used with
        ``vocabulary="classes"`` or a `strategy` other than "exact".
    seed : source, Counts, Jaded or a list of them, optional
        Lines that you have selected before. The lines of an earlier ranking (a `Jaded` or its file) are not picked
        again.
    weights : sequence of float, optional
        The weight of each target; only their ratios matter. By default, all are equal.
    with_ : source, or a tuple or a mapping of sources, optional
        The other side of AVAILABLE, line by line, such as a translation. It is returned with each pick. The keys of a
        mapping name the sides.
    representative_with : source, or a tuple of sources, optional
        The other side of REPRESENTATIVE, so that both sides count.
    unadapted_with : source, or a tuple of sources, optional
        The other side of UNADAPTED, if both sides count.
    seed_with : source, or a tuple of sources, optional
        The other side of SEED, if both sides count.
    lines : int, optional
        Pick at most this many lines.
    words : int, optional
        Pick lines with at most this many words in total.
    share : float or str, optional
        Pick lines with at most this fraction of AVAILABLE's words, for example 0.1 or "10%".
    all : bool, default False
        Rank every line.
    price : float, optional
        The price per word, or per unit that `price_per` names. Every side that counts is paid for.
    price_per : {"word", "token", "character", "line"}, optional
        The unit that `price` applies to. "word", the default: anything between spaces; punctuation by itself is free.
        "token": whatever the tokenizer makes. "character": spaces included. "line": one line, or one pair of lines.
    price_with : float, optional
        The price on the other sides that count, if it differs.
    money : float, optional
        Spend at most this much, at `price`. Lines are then ranked per word (per line if `price_per` is "line"), unless
        `per` is given.
    currency : str, optional
        The name of the currency to show, such as "EUR"; nothing is converted.
    patience : float or "all", optional
        Without a budget, stop when the entropy has reached no new minimum for this fraction of AVAILABLE's words (0.1
        by default); "all" ranks every line.
    stop : {"entropy", "model"}, optional
        How to choose the stopping point without a budget. "entropy": where the entropy of single words is lowest.
        "model": where an n-gram model trained on the picks is best on a tenth of REPRESENTATIVE, which a first ranking
        holds out. "entropy" by default, "model" with n-grams.
    strategy : {"exact", "word", "batch"}, default "exact"
        How to find the next line. "exact": the best of all lines. "word" and "batch": the faster approximations of the
        paper, which take the best line of the best word, or several lines at once.
    vocabulary : {"full", "classes"}, default "full"
        What is counted. "full": every word of REPRESENTATIVE. "classes": useful words individually, all other words by
        their class.
    for_ : {"coverage", "model"}, default "coverage"
        The purpose of the picks. "coverage": cover the words of REPRESENTATIVE, as in the paper. "model": train a
        language model; a shorthand for ``ngrams=2, per="word", widen=0.7, ngram_smoothing=5000``, each of which can be
        overridden.
    per : {"line", "word"}, optional
        Rank by delta ("line", the default), or by delta per word ("word", the default with `money` and for a model),
        for a budget in words.
    ngrams : {1, 2, 3}, optional
        Length of the longest n-grams to count; 1 by default, 2 for a model.
    widen : float, optional
        Add words to REPRESENTATIVE that a sample of its size misses, from lines of AVAILABLE that a classifier finds
        similar; this many times the amount estimated from REPRESENTATIVE. 0 by default, 0.7 for a model.
    prior : str, path or sequence of float, optional
        Bits per word to add to the value of each line of AVAILABLE: a field of its records, a file with one number per
        line, or a sequence of numbers. Higher is better, except for the output of `score` (files named .scores; fields
        delta, bits_per_word and gain), where lower is better; "lowest:" or "highest:" before the name overrides this.
    prior_weight : float, default 1
        Factor for the numbers of `prior`.
    smoothing : float, default 0.01
        Number that is added to every count of the model.
    ngram_smoothing : float, optional
        Smooth n-grams towards what independent words would give, as if the model had seen this many more n-grams of
        each length whose last word does not depend on the words before it. 0 by default, 5000 for a model.
    min_count : int, default 3
        Words that occur less often than this in both texts are classed as dubious.
    ratio_threshold : float, default e
        Words that are more than this many times as frequent in REPRESENTATIVE are classed as useful.
    exclude : source, optional
        Lines that are never picked, such as a test set. Lines are compared by their words.
    min_length : int, optional
        Exclude lines of fewer words.
    max_length : int, optional
        Exclude lines of more words.
    length_per : {"line", "side"}, default "line"
        What `min_length` and `max_length` apply to if several sides count: the sum of all sides, or every side by
        itself.
    max_copies : int, optional
        Pick at most this many copies of the same line.
    exclude_ngrams : int, optional
        Exclude lines that share this many consecutive words, for example 13, with a line of `exclude`.
    among : float, optional
        Pick only from the lines that `by` ranks best, up to this fraction of AVAILABLE's words.
    max_share_of_document : float, optional
        Pick at most this fraction of the words of each document; lines are parts of documents with `unit`.
    by : str, path or sequence of float, optional
        The ranking that `among` uses: a method of `rank` ("classifier" by default), or scores (see `prior`), one per
        line: a field of records, a file, or a sequence of numbers.
    tokenizer : str, function or tokenizer, default "whitespace"
        How lines are split into words: "whitespace", "words", "characters", "spm:MODEL", "hf:tokenizer.json",
        "python:MODULE:FUNCTION"; or a function from a line to its words, or a tokenizer of tokenizers, transformers or
        sentencepiece.
    normalize : {"nfc", "nfkc"}, optional
        Unicode normal form to convert all text to.
    lowercase : bool, default False
        Convert all text to lower case.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    id_key : str, optional
        The field that identifies a record, for a column `id`.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    memory : int or str, optional
        Limit on memory, in bytes or as "8G". Data that does not fit is stored in `scratch`.
    checkpoint : path, optional
        Folder in which the picks so far are saved; the same call resumes from them.
    checkpoint_every : float, default 30
        Seconds between two checkpoints.
    engine : {"local", "ray"}, default "local"
        "ray" distributes the lines of AVAILABLE over many machines. The ranking is the same.
    address : str, optional
        The address of a Ray cluster. By default, one is started on this machine.
    workers : int, optional
        Number of workers on the cluster; one per processor by default.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    Jaded
        The lines, best first, each with its bits.

    Examples
    --------
    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> jaded.texts
    ['a cat', 'a dog ran']
    >>> jaded.lines.tolist()
    [2, 0]
    """
    told = locals()
    where, settings, inputs = pick(Cluster, told), Settings.picked(told), _inputs(told)
    if where.engine == "ray":
        from .cluster.actors import rank_on_ray

        jaded = rank_on_ray(inputs, settings, Progress(progress), where, partial(rank_prepared, rate=rate))
    else:
        jaded = run_selection(inputs, settings, Progress(progress), rate)
    warn(jaded.summary.notices)
    return jaded


def rank(
    representative: Given | Sequence[Given],
    available: Source,
    *,
    method: MethodName = "random",
    random_seed: int | None = None,
    buckets: int | None = None,
    order: int | None = None,
    weights: Sequence[float] | None = None,
    with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None,
    representative_with: Given | tuple[Given, ...] | None = None,
    lines: int | None = None,
    words: int | None = None,
    share: float | str | None = None,
    all: bool = False,
    ngrams: int | None = None,
    smoothing: float = SMOOTHING,
    exclude: Source | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    length_per: LengthPer = "line",
    max_copies: int | None = None,
    exclude_ngrams: int | None = None,
    tokenizer: str | TokenizerObject = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    id_key: str | None = None,
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    engine: EngineName = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by another method, as a baseline.

    The result is like that of `select`: each line with its change of the entropy in bits, given the lines before it.
    `Jaded.score` is the number that the method ranks by. Without a budget, every line is ranked.

    Parameters
    ----------
    representative : source, Counts or a list of them
        The language you want: a text, `Counts` or a .counts file. A list of `Counts`, a list of lists of lines or, with
        `weights`, any list is several targets.
    available : source
        The lines to choose from.
    method : {"random", "in-order", "longest", "dsir", "moore-lewis", "bilingual-moore-lewis"}, default "random"
        A random order; the original order; most words first; importance resampling (Xie et al. 2023); how much more
        likely a line is under n-gram models of REPRESENTATIVE than under those of AVAILABLE (Moore and Lewis 2010); the
        same on both sides of a parallel corpus (Axelrod et al. 2011).
    random_seed : int, optional
        Seed of the random number generator; 0 by default.
    buckets : int, optional
        Number of hash buckets for "dsir"; 10,000 by default.
    order : int, optional
        Longest n-grams of the Moore-Lewis models; 3 by default.
    weights : sequence of float, optional
        The weight of each target; only their ratios matter. By default, all are equal.
    with_ : source, or a tuple or a mapping of sources, optional
        The other side of AVAILABLE, line by line, such as a translation. It is returned with each pick. The keys of a
        mapping name the sides.
    representative_with : source, or a tuple of sources, optional
        The other side of REPRESENTATIVE, so that both sides count.
    lines : int, optional
        Pick at most this many lines.
    words : int, optional
        Pick lines with at most this many words in total.
    share : float or str, optional
        Pick lines with at most this fraction of AVAILABLE's words, for example 0.1 or "10%".
    all : bool, default False
        Rank every line.
    ngrams : {1, 2, 3}, optional
        Length of the longest n-grams that the bits count; the order does not depend on it.
    smoothing : float, default 0.01
        Number that is added to every count of the model.
    exclude : source, optional
        Lines that are never picked, such as a test set. Lines are compared by their words.
    min_length : int, optional
        Exclude lines of fewer words.
    max_length : int, optional
        Exclude lines of more words.
    length_per : {"line", "side"}, default "line"
        What `min_length` and `max_length` apply to if several sides count: the sum of all sides, or every side by
        itself.
    max_copies : int, optional
        Pick at most this many copies of the same line.
    exclude_ngrams : int, optional
        Exclude lines that share this many consecutive words, for example 13, with a line of `exclude`.
    tokenizer : str, function or tokenizer, default "whitespace"
        How lines are split into words: "whitespace", "words", "characters", "spm:MODEL", "hf:tokenizer.json",
        "python:MODULE:FUNCTION"; or a function from a line to its words, or a tokenizer of tokenizers, transformers or
        sentencepiece.
    normalize : {"nfc", "nfkc"}, optional
        Unicode normal form to convert all text to.
    lowercase : bool, default False
        Convert all text to lower case.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    id_key : str, optional
        The field that identifies a record, for a column `id`.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    engine : {"local", "ray"}, default "local"
        "ray" distributes the lines of AVAILABLE over many machines. The ranking is the same.
    address : str, optional
        The address of a Ray cluster. By default, one is started on this machine.
    workers : int, optional
        Number of workers on the cluster; one per processor by default.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    Jaded
        The lines in the order of the method, each with its bits.

    Examples
    --------
    >>> import cynical
    >>> jaded = cynical.rank(["a cat sat"], ["a dog", "the black cat sat", "a bird flew"], method="longest")
    >>> jaded.lines.tolist(), jaded.score.tolist()
    ([1, 2, 0], [4.0, 3.0, 2.0])
    """
    told = locals()
    where, settings, inputs = pick(Cluster, told), Settings.picked(told), _inputs(told)
    if where.engine == "ray":
        from .cluster.actors import rank_on_ray

        jaded = rank_on_ray(inputs, settings, Progress(progress), where, rank_baseline)
    else:
        jaded = run_baseline(inputs, settings, Progress(progress))
    warn(jaded.summary.notices)
    return jaded


def count(
    source: Source | Counts | Sequence[Counts],
    *,
    ngrams: int = 1,
    merge: bool = False,
    part: str | None = None,
    tokenizer: str | TokenizerObject = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    engine: EngineName = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Counts:
    """Count the words of a text, and its n-grams.

    Counts can be shared instead of the text: `select` and `words` accept them wherever counts are enough.
    `Counts.folded` hides rare words, `Counts.write` writes a .counts file.

    Parameters
    ----------
    source : source, Counts or a list of Counts
        The text, given as for `select`; with `merge`, counts or .counts files.
    ngrams : {1, 2, 3}, default 1
        Also count n-grams of up to this many words.
    merge : bool, default False
        Add up the counts of the parts of a text. The result is the same as counting the whole text.
    part : str, optional
        Read only part K of N of the files, given as "K/N". Together, the parts hold every line once.
    tokenizer : str, function or tokenizer, default "whitespace"
        How lines are split into words: "whitespace", "words", "characters", "spm:MODEL", "hf:tokenizer.json",
        "python:MODULE:FUNCTION"; or a function from a line to its words, or a tokenizer of tokenizers, transformers or
        sentencepiece.
    normalize : {"nfc", "nfkc"}, optional
        Unicode normal form to convert all text to.
    lowercase : bool, default False
        Convert all text to lower case.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    engine : {"local", "ray"}, default "local"
        "ray" counts on many machines. The counts are the same.
    address : str, optional
        The address of a Ray cluster. By default, one is started on this machine.
    workers : int, optional
        Number of workers on the cluster; one per processor by default.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    Counts
        How often each word, and each n-gram, occurs.

    Examples
    --------
    >>> import cynical
    >>> counts = cynical.count(["a rose is a rose"], ngrams=2)
    >>> counts["rose"], counts["a rose"], counts.total
    (2, 2, 5)
    """
    told = locals()
    counting, input_part, reading = pick(Counting, told), pick(InputPart, told), pick(Reading, told)
    where, text = pick(Cluster, told), pick(TextOptions, told)
    input_part.check_merge(counting.merge, where.engine)
    if counting.merge:
        several = isinstance(source, (list, tuple))
        return merge_counts(source if several else [source], Progress(progress))  # type: ignore[arg-type, list-item]
    given: Any = source
    jobs = pick(Execution, told).jobs
    opened: Corpus | Counts
    if where.engine == "ray":
        from .cluster.actors import count_on_ray
        from .cluster.count import HowToCount

        counts, opened = count_on_ray(given, HowToCount(text, counting.ngrams, reading, jobs), where)
    else:
        opened = given if isinstance(given, Counts) else open_whole_or_part(given, input_part.which, reading)
        check_text_key(reading, [opened])
        how, empty = Tokenizer.of(text, counting.ngrams), input_part.part is not None
        counts = count_words(opened, how, jobs, Progress(progress), "corpus", may_be_empty=empty)
    warn(opened.notices("the corpus") if isinstance(opened, Corpus) else [])
    return counts


def words(
    representative: Source | Counts,
    unadapted: Source | Counts | None = None,
    available: Source | Counts | None = None,
    *,
    min_count: int = MIN_COUNT,
    ratio_threshold: float = RATIO_THRESHOLD,
    tokenizer: str | TokenizerObject = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> WordList:
    """List every word with its class, its counts and how much more frequent it is in REPRESENTATIVE.

    Classes are useful (much more frequent in REPRESENTATIVE than in UNADAPTED), meh (about as frequent), bad (much
    rarer), dubious (too rare to tell), impossible (in no available line) and useless (not in REPRESENTATIVE).

    Parameters
    ----------
    representative : source or Counts
        The language you want.
    unadapted : source or Counts, optional
        The language you have. By default AVAILABLE; at least one of the two is required.
    available : source or Counts, optional
        The lines to choose from. By default UNADAPTED.
    min_count : int, default 3
        Words that occur less often than this in both texts are classed as dubious.
    ratio_threshold : float, default e
        Words that are more than this many times as frequent in REPRESENTATIVE are classed as useful.
    tokenizer : str, function or tokenizer, default "whitespace"
        How lines are split into words: "whitespace", "words", "characters", "spm:MODEL", "hf:tokenizer.json",
        "python:MODULE:FUNCTION"; or a function from a line to its words, or a tokenizer of tokenizers, transformers or
        sentencepiece.
    normalize : {"nfc", "nfkc"}, optional
        Unicode normal form to convert all text to.
    lowercase : bool, default False
        Convert all text to lower case.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    WordList
        Useful words first; `WordList.to_pandas` gives a data frame.

    Examples
    --------
    >>> import cynical
    >>> found = cynical.words(["a cat sat"] * 3, ["a dog sat"] * 9 + ["a cat sat"]).to_pandas()
    >>> dict(zip(found["word"], found["class"]))
    {'cat': 'useful', 'a': 'meh', 'sat': 'meh', 'dog': 'useless'}
    """
    told = locals()
    given = {"REPRESENTATIVE": representative, "UNADAPTED": unadapted, "AVAILABLE": available}
    reading, how = pick(Reading, told), Tokenizer.of(pick(TextOptions, told))
    sources = {
        role: one if isinstance(one, Counts) else open_corpus(one, role, reading)
        for role, one in given.items()
        if one is not None
    }
    check_text_key(reading, sources.values())
    for role, one in sources.items():
        warn(one.notices(role) if isinstance(one, Corpus) else [])
    counted = count_corpora(sources, how, pick(Execution, told).jobs, Progress(progress))
    thresholds = pick(Thresholds, told)
    return list_words(counted["REPRESENTATIVE"], counted.get("UNADAPTED"), counted.get("AVAILABLE"), thresholds)


def read(path: str | Path, *, text_key: str | None = None) -> Jaded:
    """Read a ranking that was written as TSV, JSON lines, CSV, Parquet or ids, and the summary next to it.

    The result is the same as that of `select`; texts, words and records are read from the file when they are accessed.
    Line numbers (`Jaded.lines`) count from 0, although the column `line` of the file counts from 1. For ids, texts are
    read from AVAILABLE and bits are computed again, if the files that the summary names have not changed.

    Parameters
    ----------
    path : path
        The file, compressed or not; for a ranking in shards, their pattern (`picks-{:05d}.jsonl` or `picks-*.jsonl`) or
        their summary.
    text_key : str, optional
        For records, the field that holds the text; by default the one of the run, else "text".

    Returns
    -------
    Jaded
        The ranking.

    Examples
    --------
    >>> import cynical, tempfile
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     jaded.write(f"{folder}/jaded.tsv")
    ...     cynical.read(f"{folder}/jaded.tsv").texts
    ['a cat', 'a dog ran']
    """
    return read_with_bits(path, Reading(text_key))


def cut(
    ranking: Jaded | str | Path,
    *,
    lines: int | None = None,
    words: int | None = None,
    share: float | str | None = None,
    price: float | None = None,
    price_per: PricePer | None = None,
    price_with: float | None = None,
    money: float | None = None,
    currency: str | None = None,
    stop: bool = False,
) -> Jaded:
    """Keep the beginning of a ranking, without ranking again.

    Give one of `lines`, `words`, `share`, `money` and `stop`.

    Parameters
    ----------
    ranking : Jaded or path
        The ranking, or its file.
    lines : int, optional
        Keep at most this many lines.
    words : int, optional
        Keep lines with at most this many words in total.
    share : float or str, optional
        Keep lines with at most this fraction of AVAILABLE's words, for example 0.1 or "10%".
    price : float, optional
        The price per word, or per unit that `price_per` names. By default the one in the ranking's summary.
    price_per : {"word", "token", "character", "line"}, optional
        The unit that `price` applies to, as in `select`. By default the one in the ranking's summary, else "word".
    price_with : float, optional
        The price on the other sides that count, if it differs.
    money : float, optional
        Keep lines that cost at most this much in total.
    currency : str, optional
        The name of the currency to show, such as "EUR".
    stop : bool, default False
        Cut at the stopping point: where a model of the picks is best if `select` looked for it, else where the entropy
        is lowest.

    Returns
    -------
    Jaded
        The lines that are kept; `Jaded.write` writes them.

    Examples
    --------
    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], all=True)
    >>> cynical.cut(jaded, words=5).texts
    ['a cat', 'a dog ran']
    """
    terms = {"price": price, "price_per": price_per, "price_with": price_with, "money": money, "currency": currency}
    budget = pick(Budget, {"lines": lines, "words": words, "share": share, **terms})
    check_cut(budget, stop)
    made, notices = (ranking if isinstance(ranking, Jaded) else read_with_bits(ranking)).prefix(budget, stop)
    warn(notices)
    return made


def evaluate(
    ranking: Jaded | Source,
    held_out: Source,
    *,
    representative: Source | None = None,
    available: Source | None = None,
    side: str | None = None,
    order: int = ORDER,
    lm: LanguageModelName = "own",
    points: int = POINTS,
    at: Sequence[int] = (),
    vocabulary_size: int | None = None,
    tokenizer: str | TokenizerObject | None = None,
    normalize: Normalize | None = None,
    lowercase: bool | None = None,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Evaluation:
    """Measure prefixes of increasing length of a ranking, or of any list of lines, on a held-out text.

    Parameters
    ----------
    ranking : Jaded or source
        A ranking, its file, or any text, whose lines are taken in the original order.
    held_out : source
        Text in the language you want that was not used for ranking.
    representative : source, optional
        Text whose vocabulary coverage is measured. By default the REPRESENTATIVE of the ranking.
    available : source, optional
        The text to take lines from, if the ranking is a list of line numbers starting at 1.
    side : str, optional
        The side of a parallel ranking to measure.
    order : int, default 4
        Longest n-grams of the language model, 1 to 5.
    lm : {"own", "kenlm"}, default "own"
        The language models to train: built in, or KenLM's programs.
    points : int, default 20
        Number of prefixes to measure, each 1.4 times as long as the previous one.
    at : sequence of int, optional
        Lengths of the prefixes to measure, in words, instead of `points`.
    vocabulary_size : int, optional
        Number of words in the language, including unknown words. Use the same number for rankings that you compare.
    tokenizer : str, function or tokenizer, optional
        How lines are split into words. By default as for the ranking.
    normalize : {"nfc", "nfkc"}, optional
        The Unicode normal form. By default as for the ranking.
    lowercase : bool, optional
        Convert all text to lower case. By default as for the ranking.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    Evaluation
        The figures of each prefix, and the best; `Evaluation.to_pandas` gives a data frame.

    Examples
    --------
    >>> import cynical
    >>> evaluation = cynical.evaluate(["a cat", "a dog ran"], ["a cat ran"], order=2)
    >>> evaluation.points[-1].lines, evaluation.points[-1].oov_tokens
    (2, 0.0)
    """
    told = locals()
    overrides, reading = pick(Rereading, told), pick(Reading, told)
    inputs = EvaluationInputs(ranking, held_out, representative, available, side, overrides, reading)
    made = run_evaluation(inputs, pick(Measure, told), pick(Execution, told).jobs, Progress(progress))
    warn(made.notices)
    return made


def compare(
    representative: Source,
    available: Source,
    held_out: Source | None = None,
    *,
    held_out_with: Source | tuple[Source, ...] | None = None,
    side: str | None = None,
    shares: Sequence[float] = SHARES,
    methods: Sequence[str] = (),
    lists: Sequence[Source] = (),
    order: int = ORDER,
    lm: LanguageModelName = "own",
    random_seed: int = RANDOM_SEED,
    seeds: int = 1,
    subsample: float = 1.0,
    with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None,
    representative_with: Given | tuple[Given, ...] | None = None,
    exclude: Source | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    length_per: LengthPer = "line",
    max_copies: int | None = None,
    exclude_ngrams: int | None = None,
    tokenizer: str | TokenizerObject = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Rank by cynical selection and by the baselines, and measure all of them on a held-out text.

    Each method ranks AVAILABLE. For each budget, a language model is trained on the first picks and measured on the
    held-out text.

    Parameters
    ----------
    representative : source
        The language you want.
    available : source
        The lines to choose from.
    held_out : source, optional
        Text in the language you want, to measure on. By default, every tenth line of REPRESENTATIVE is held out.
    held_out_with : source, or a tuple of sources, optional
        The other side of the held-out text, line by line, so that both sides are measured.
    side : str, optional
        The side of parallel text to measure, on a held-out text in that language; "both" measures all sides of the
        held-out text. By default the side of AVAILABLE.
    shares : sequence of float, default (0.003, 0.01, 0.03, 0.1)
        Budgets, as fractions of AVAILABLE's words, for example 0.01,0.1 or 1%,10%.
    methods : sequence of str, optional
        Methods to compare: "cynical", "cynical-per-word", "cynical-2-grams", "cynical-for-model", "cynical-batch" and
        the methods of `rank`. By default every method that fits the data, except "cynical-per-word" and
        "cynical-batch".
    lists : sequence of sources, optional
        Picks of other tools, best first, to be measured too.
    order : int, default 4
        Longest n-grams of the language model, 1 to 5.
    lm : {"own", "kenlm"}, default "own"
        The language models to train: built in, or KenLM's programs.
    random_seed : int, default 0
        Seed of the random number generator.
    seeds : int, default 1
        Number of runs of each method that uses random numbers; figures are their means. With `subsample`, of every
        method.
    subsample : float, default 1.0
        Fraction of the lines of REPRESENTATIVE to rank for; each of the `seeds` draws another one. The intervals then
        include how much the picks change when REPRESENTATIVE changes a little.
    with_ : source, or a tuple or a mapping of sources, optional
        The other side of AVAILABLE, line by line, such as a translation. It is returned with each pick. The keys of a
        mapping name the sides.
    representative_with : source, or a tuple of sources, optional
        The other side of REPRESENTATIVE, so that both sides count.
    exclude : source, optional
        Lines that are never picked, such as a test set. Lines are compared by their words.
    min_length : int, optional
        Exclude lines of fewer words.
    max_length : int, optional
        Exclude lines of more words.
    length_per : {"line", "side"}, default "line"
        What `min_length` and `max_length` apply to if several sides count: the sum of all sides, or every side by
        itself.
    max_copies : int, optional
        Pick at most this many copies of the same line.
    exclude_ngrams : int, optional
        Exclude lines that share this many consecutive words, for example 13, with a line of `exclude`.
    tokenizer : str, function or tokenizer, default "whitespace"
        How lines are split into words: "whitespace", "words", "characters", "spm:MODEL", "hf:tokenizer.json",
        "python:MODULE:FUNCTION"; or a function from a line to its words, or a tokenizer of tokenizers, transformers or
        sentencepiece.
    normalize : {"nfc", "nfkc"}, optional
        Unicode normal form to convert all text to.
    lowercase : bool, default False
        Convert all text to lower case.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    Comparison
        The figures of each method at each budget, with 95 % intervals; `Comparison.to_pandas` gives a data frame.

    Examples
    --------
    >>> import cynical
    >>> lines = ["a cat ran", "one bird"]
    >>> made = cynical.compare(["a cat", "a dog"], lines, ["the cat"], shares=[1], methods=["random"])
    >>> made.methods[0].points[0][1].words
    5
    """
    told = locals()
    given = [] if held_out is None else [held_out]
    other = sides_of(held_out_with)
    contest = Contest(Settings.picked(told), pick(Measure, told), pick(Comparing, {**told, "held_out_with": other}))
    made = run_comparison(_inputs(told), [*given, *other], contest, Progress(progress)).comparison
    warn(made.notices)
    return made


def report(
    ranking: Jaded | str | Path,
    output: str | Path | None = None,
    *,
    representative: str | Path | Sequence[str | Path] = (),
    held_out: str | Path | None = None,
    available: str | Path | Sequence[str | Path] = (),
    seed: str | Path | Sequence[str | Path] = (),
    label_key: str | None = None,
    labels: str | Path | None = None,
    evaluation: str | Path | None = None,
    price: float | None = None,
    tokenizer: str | TokenizerObject | None = None,
    normalize: Normalize | None = None,
    lowercase: bool | None = None,
    text_key: str | None = None,
    text_template: str | None = None,
    unit: Unit = "document",
    bad_records: BadRecords = "error",
    input_format: InputFormat | None = None,
    scratch: str | Path | None = None,
    jobs: int | None = None,
    overwrite: bool = False,
    progress: bool = False,
) -> bytes:
    """Make an HTML page of a ranking: its curve, words and lines, and a slider to choose the cut.

    Parameters
    ----------
    ranking : Jaded or path
        The ranking, or its file.
    output : path, optional
        Also write the page to this file.
    representative : path or sequence of paths, optional
        The language you want. By default the files named in the ranking's summary.
    held_out : path, optional
        Text in the language you want that was not used for ranking. The page shows which of its words are unknown and
        which cut predicts it best.
    available : path or sequence of paths, optional
        The text that was picked from. By default the files named in the ranking's summary.
    seed : path or sequence of paths, optional
        Lines that were selected before. By default the files named in the ranking's summary.
    label_key : str, optional
        The field of records, or the column of the ranking, that labels the lines.
    labels : path, optional
        A file with one label, such as a domain, for each line of AVAILABLE.
    evaluation : path, optional
        An evaluation of the ranking to show, written by `cynical evaluate --json` or `Evaluation.to_json`.
    price : float, optional
        The price per word. By default the one in the ranking's summary.
    tokenizer : str, function or tokenizer, optional
        How lines are split into words. By default as for the ranking.
    normalize : {"nfc", "nfkc"}, optional
        The Unicode normal form. By default as for the ranking.
    lowercase : bool, optional
        Convert all text to lower case. By default as for the ranking.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default. "meta.text" is a
        nested field, "messages[].content" is a field of every item of a list, and "title,body" joins two fields with a
        line break.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of selection: the whole text of a record, each paragraph, or each line.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    overwrite : bool, default False
        Replace `output` if it exists.
    progress : bool, default False
        Show progress bars, in a terminal or a notebook.

    Returns
    -------
    bytes
        The page: a single HTML file that needs no network.

    Examples
    --------
    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> cynical.report(jaded)[:15]
    b'<!doctype html>'
    """
    from .reports.report import ReportInputs
    from .reports.report import run as make_report

    several = {"representative": representative, "available": available, "seed": seed}
    told = {**locals(), **{name: _several(given) for name, given in several.items()}}
    options = pick(Reporting, told)
    if output is not None:
        check_output(str(output), overwrite=overwrite)
    inputs = ReportInputs(
        options.representative,
        options.held_out,
        options.available,
        options.seed,
        options.label_key,
        options.labels,
        options.evaluation,
        options.price,
        pick(Rereading, told),
        pick(Reading, told),
        pick(Execution, told).jobs,
    )
    made = make_report(ranking, inputs, Progress(progress))
    warn(made.notices)
    _write(made.page, output, overwrite)
    return made.page


def plot(
    rankings: Jaded | str | Path | Sequence[Jaded | str | Path],
    output: str | Path | None = None,
    *,
    label: str | Sequence[str] = (),
    evaluation: str | Path | Sequence[str | Path] = (),
    width: float = PICTURE_WIDTH,
    text_key: str | None = None,
    overwrite: bool = False,
) -> bytes:
    """Plot the entropy of rankings against the number of words picked, with their stopping points.

    Parameters
    ----------
    rankings : Jaded or path, or a sequence of them
        The rankings, or their files.
    output : path, optional
        Also write the plot to this file: .png, .svg or .pdf.
    label : str or sequence of str, optional
        A name for each ranking. By default the names of their files.
    evaluation : path or sequence of paths, optional
        Evaluations to draw too, written by `cynical evaluate --json` or `Evaluation.to_json`; one for each ranking, in
        the same order.
    width : float, default 5
        The width of the plot, in inches.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default.
    overwrite : bool, default False
        Replace `output` if it exists.

    Returns
    -------
    bytes
        The plot, in the format of `output`, or PNG.

    Examples
    --------
    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], all=True)
    >>> cynical.plot(jaded)[1:4]  # doctest: +SKIP
    b'PNG'
    """
    from .reports.plot import PlotOptions, plot_format
    from .reports.plot import run as draw

    told = {**locals(), "label": _several(label), "evaluation": _several(evaluation), "output": str(output or "a.png")}
    options = pick(Plotting, told)
    format = plot_format(options.output)
    if output is not None:
        check_output(options.output, overwrite=overwrite)
    given = [rankings] if isinstance(rankings, (Jaded, str, Path)) else list(rankings)
    made = draw(given, format, PlotOptions(options.label, options.evaluation, options.width, Reading(options.text_key)))
    warn(made.notices)
    _write(made.picture, output, overwrite)
    return made.picture


def warm_up(*, jobs: int | None = None, progress: bool = False) -> Path:
    """Compile all kernels ahead of time, for a container image or for a machine on which many runs start.

    Parameters
    ----------
    jobs : int, optional
        Number of processes that compile. By default one per core, and at most 8.
    progress : bool, default False
        Show a bar on standard error, or in the notebook.

    Returns
    -------
    Path
        The folder with the machine code. Set NUMBA_CACHE_DIR to choose another.

    Examples
    --------
    >>> import cynical
    >>> folder = cynical.warm_up(progress=True)  # doctest: +SKIP
    """
    from .small_runs import compile_all

    return compile_all(pick(Execution, {"jobs": jobs}).jobs, Progress(progress))


def _inputs(told: Mapping[str, Any]) -> Inputs:
    """The corpora among the parameters of a function."""
    more = {name: told[name] for name in ("unadapted", "seed", "exclude", "id_key", "prior", "by") if name in told}
    return gather_from_python(
        told["representative"],
        told["available"],
        told.get("weights"),
        told["with_"],
        told["representative_with"],
        told.get("unadapted_with"),
        told.get("seed_with"),
        **more,
        reading=pick(Reading, told),
    )


def _several(given: Any) -> tuple[Any, ...]:
    """One alone needs no list."""
    return (given,) if isinstance(given, (str, Path)) else tuple(given)


def _write(content: bytes, output: str | Path | None, overwrite: bool) -> None:
    if output is not None:
        with Output(str(output), overwrite=overwrite) as file:
            file.write(content)
