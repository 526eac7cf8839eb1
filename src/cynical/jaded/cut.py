"""Cut a ranking again without running it again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import CynicalError
from ..options import Budget
from ..text.atomic_file import check_not_input
from .files import check_paths, output_format, side_paths, unknown_suffix, write_with_summary
from .formats import lost_in
from .money import paid_sides, spent, terms_of
from .prefix import check_cut
from .read import read_ranking
from .summary import Money, summary_path
from .tsv import TableContent


@dataclass(frozen=True, slots=True)
class Cut:
    """What was kept of what there was."""

    lines: int
    words: int
    ranked: int
    entropy_before: float
    entropy: float
    money: Money | None
    notices: list[str]


def cut(path: str | Path, out: str | Path, budget: Budget, stop: bool, format: str | None, overwrite: bool) -> Cut:
    """Keep the longest prefix of a ranking that fits the budget, or ends at its stopping point."""
    check_cut(budget, stop)
    unknown, format = unknown_suffix(out, format), output_format(out, format)
    if format not in ("tsv", "text"):
        raise CynicalError(f"{out}: a ranking is cut into tsv or text; for {format}, let cynical select write it")
    jaded = read_ranking(path)
    part, notices = jaded.prefix(budget, stop)
    kept, summary, content = len(part), part.found_summary, part.content
    files: list[tuple[str | Path, Iterable[bytes]]] = [(out, part.to_bytes(format))]
    if format == "tsv" and isinstance(content, TableContent):
        files = [(out, [content.table.head(kept)])]  # as it is
    if format == "text":
        known = {} if summary is None else {one.column: one.replaces for one in summary.available.sides}
        others = side_paths(out, content.sides, [known.get(name, "") for name in content.sides])
        files += [(other, part.to_bytes(format, side)) for side, other in enumerate(others, 1)]
    outputs = [file for file, _ in files]
    check_not_input([*outputs, summary_path(out)] if summary is not None else outputs, [str(path)])
    check_paths(outputs, overwrite=overwrite)
    write_with_summary(files, summary, overwrite=overwrite)
    notices += [*unknown, *lost_in(format, content)]
    entropy = float(part.entropy[-1]) if kept else part.entropy_before
    bits = part.entropy_before - entropy
    money = spent(part.columns, content, terms_of(budget, summary), paid_sides(summary), bits)
    return Cut(kept, part.columns.words_of(kept), len(jaded), part.entropy_before, entropy, money, notices)
