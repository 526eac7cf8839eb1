"""cynical count."""

from __future__ import annotations

import shlex
import time

from ..errors import if_one, number_of, tell
from ..options import Cluster, Execution, Reading, TextOptions, Writing
from ..options.commands import Counting
from ..options.scoring import InputPart
from .generate import command
from .render import show


@command("Count words, to share instead of the text.")
def count(
    corpus: tuple[str, ...],
    counting: Counting,
    input_part: InputPart,
    text: TextOptions,
    reading: Reading,
    execution: Execution,
    cluster: Cluster,
    writing: Writing,
) -> None:
    """Count the words of CORPUS into a file that can be shared instead of the text.

    `select` and `words` accept it wherever counts are enough: for -r, -u and -s.

    \b
    For a client who cannot share the text itself:
      cynical count confidential.txt -o task.counts --fold-below 3
      cynical select -r task.counts -a pool.txt -o jaded.tsv
    For a large text, on many machines:
      cynical count 'web/*.jsonl' --part 3/16 -o 3.counts
      cynical count --merge *.counts -o web.counts
    """
    began = time.perf_counter()
    from .._kernels.ahead import compile_ahead
    from ..model.count import count_words, merge_counts
    from ..model.counts import Counts
    from ..model.untokenized import hint
    from ..progress import Progress
    from ..text.atomic_file import check_not_input, check_output
    from ..text.corpus import Corpus
    from ..text.sources import check_text_key
    from ..text.streams import open_whole_or_part
    from ..text.tokenizer import Tokenizer, options_to_read
    from .inputs import corpus_of

    output, tokenizer = counting.output, Tokenizer.of(text, counting.ngrams)
    input_part.check_merge(counting.merge, cluster.engine)
    check_not_input([output], (*corpus, *text.files))
    check_output(output, overwrite=writing.overwrite)
    progress = Progress(not writing.quiet)
    source: Corpus | Counts
    if counting.merge:
        compile_ahead(["count"], progress, execution.jobs)
        source = counts = merge_counts(corpus, progress)
    elif cluster.engine == "ray":
        from ..cluster.actors import count_on_ray
        from ..cluster.count import HowToCount

        how = HowToCount(text, counting.ngrams, reading, execution.jobs)
        counts, source = count_on_ray(corpus_of(corpus) or "", how, cluster)
    else:
        source = open_whole_or_part(corpus_of(corpus) or "", input_part.which, reading)
        check_text_key(reading, [source])
        compile_ahead(["count"], progress, execution.jobs)
        empty = input_part.part is not None
        counts = count_words(source, tokenizer, execution.jobs, progress, "corpus", may_be_empty=empty)
    if counting.fold_below > 1:
        counts = counts.folded(counting.fold_below)
    counts.write(output, overwrite=writing.overwrite)
    if isinstance(source, Corpus):
        show(source.notices("CORPUS"))
    if counts.broken:
        show(
            [
                f"{number_of(counts.broken, 'line')} {if_one(counts.broken, 'is', 'are')} not valid UTF-8; "
                "the words were kept byte for byte"
            ]
        )
    show(hint("CORPUS", [counts]))
    if writing.quiet:
        return
    folded = f", {counts.other:,} of them folded" if counts.other else ""
    took = time.perf_counter() - began
    sizes = f"{number_of(counts.lines, 'line')}, {number_of(counts.total, 'word')}{folded}"
    tell(f"{sizes}, {number_of(len(counts), 'type')} in {took:.1f} s")
    for order in range(1, counts.ngrams):
        tell(f"{counts.totals[order]:,} {order + 1}-grams, {number_of(counts.sizes[order], 'type')}")
    if output != "-":
        made_with = "".join(f" {one}" for one in options_to_read(counts.signature, text.tokenizer))
        tell(f"next: cynical select -r {shlex.quote(output)} -a pool.txt{made_with} -o jaded.tsv")
