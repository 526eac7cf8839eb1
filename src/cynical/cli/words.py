"""cynical words."""

from __future__ import annotations

from ..errors import tell
from ..options import Execution, Reading, TextOptions, Thresholds, Writing
from ..options.commands import Listing
from .generate import command
from .render import class_table, show


@command("List every word with its class and counts.")
def words(
    listing: Listing,
    thresholds: Thresholds,
    text: TextOptions,
    reading: Reading,
    execution: Execution,
    writing: Writing,
) -> None:
    """List every word with its class, its counts and how much more frequent it is in REPRESENTATIVE.

    \b
    useful      much more frequent in REPRESENTATIVE than in UNADAPTED
    meh         about as frequent in both
    bad         much rarer in REPRESENTATIVE
    dubious     too rare to tell
    impossible  in REPRESENTATIVE, but in no available line
    useless     not in REPRESENTATIVE

    \b
    Example:
      cynical words -r task.txt -u pool.txt | less -S
    """
    from .._kernels.ahead import compile_ahead
    from ..model.count import count_corpora
    from ..model.untokenized import hint
    from ..model.word_list import list_words
    from ..progress import Progress
    from ..selection.texts import opened
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.corpus import Corpus
    from ..text.sources import check_text_key
    from ..text.tokenizer import Tokenizer
    from .inputs import corpus_of

    given = {
        "REPRESENTATIVE": listing.representative,
        "UNADAPTED": listing.unadapted,
        "AVAILABLE": listing.available,
    }
    tokenizer, progress = Tokenizer.of(text), Progress(not writing.quiet)
    check_not_input([listing.output], [*(path for paths in given.values() for path in paths), *text.files])
    check_output(listing.output, overwrite=writing.overwrite)
    sources = {role: opened(corpus_of(paths) or "", role, reading) for role, paths in given.items() if paths}
    check_text_key(reading, sources.values())
    compile_ahead(["count"], progress, execution.jobs)
    counted = count_corpora(sources, tokenizer, execution.jobs, progress)
    table = list_words(
        counted["REPRESENTATIVE"],
        counted.get("UNADAPTED", counted.get("AVAILABLE")),
        counted.get("AVAILABLE"),
        thresholds,
    )
    with Output(listing.output, overwrite=writing.overwrite) as file:
        for row in table.to_bytes():
            file.write(row)
    show([notice for role, one in sources.items() if isinstance(one, Corpus) for notice in one.notices(role)])
    show(hint("REPRESENTATIVE", [counted["REPRESENTATIVE"]]))
    if not writing.quiet:
        tell(class_table(table.by_class()))
