"""The inputs of a run, from the files on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import CynicalError
from ..options.corpora import direction_of
from ..text.paths import Name

if TYPE_CHECKING:
    from ..options import Corpora, Reading, TextOptions
    from ..selection.inputs import Inputs


def inputs_of(corpora: Corpora, reading: Reading, id_key: str | None = None) -> Inputs:
    """The corpora of a run; each -r is a target, all other options that repeat are files of one corpus."""
    from ..selection.inputs import gather

    return gather(
        corpora.representative,
        corpus_of(corpora.available) or "",
        unadapted=corpus_of(corpora.unadapted),
        seed=corpus_of(corpora.seed),
        exclude=corpus_of(corpora.exclude),
        weights=corpora.weights,
        sides=corpora.with_,
        representative_with=corpora.representative_with,
        unadapted_with=corpora.unadapted_with,
        seed_with=corpora.seed_with,
        reading=reading,
        id_key=id_key,
        prior=corpora.prior,
        by=corpora.by,
    )


def files_of(corpora: Corpora, text: TextOptions) -> list[str]:
    """What a run reads, which no output may replace."""
    given = (corpora.representative, corpora.available, corpora.unadapted, corpora.seed, corpora.with_, corpora.exclude)
    others = (corpora.representative_with, corpora.unadapted_with, corpora.seed_with)
    numbers = [direction_of(name)[0] for name in (corpora.prior, corpora.by) if name is not None]
    return [path for paths in (*given, *others, text.files, numbers) for path in paths]


def corpus_of(paths: tuple[str, ...]) -> str | list[Name] | None:
    """Several files are one corpus."""
    return paths[0] if len(paths) == 1 else [Name(path) for path in paths] if paths else None


def required_output(output: str | None) -> str:
    if output is None:
        raise CynicalError("no output was given; give -o OUT, for example -o jaded.tsv (-o - is standard output)")
    return output
