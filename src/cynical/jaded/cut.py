"""Cut a ranking again without running it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..options import Budget, Reading
from ..text.atomic_file import check_not_input
from .files import check_paths, output_format, side_paths, unknown_suffix, write_with_summary
from .find import find_ranking
from .formats import lost_in
from .jaded import Jaded
from .money import paid_sides, spent, terms_of
from .prefix import check_cut
from .read import open_found
from .source import with_records
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


def cut(
    path: str | Path,
    out: str | Path,
    budget: Budget,
    stop: bool,
    format: str | None,
    overwrite: bool,
    complete: Callable[[Jaded], Jaded] = lambda jaded: jaded,
) -> Cut:
    """Keep the longest prefix of a ranking that fits the budget, or ends at its stopping point; `complete` finds the
    bits of one that has none."""
    check_cut(budget, stop)
    unknown, format = unknown_suffix(out, format), output_format(out, format)
    found = find_ranking(path)
    jaded = complete(open_found(found, Reading()))
    part, notices = jaded.prefix(budget, stop)
    part, lost = with_records(part, format)
    notices += lost
    kept, summary, content = len(part), part.found_summary, part.content
    files: list[tuple[str | Path, Iterable[bytes]]] = [(out, part.to_bytes(format))]
    if format == "tsv" and isinstance(content, TableContent) and content.in_order:
        files = [(out, [content.table.head(kept)])]  # as it is
    if format == "text":
        known = {} if summary is None else {one.column: one.replaces for one in summary.available.sides}
        others = side_paths(out, content.sides, [known.get(name, "") for name in content.sides])
        files += [(other, part.to_bytes(format, side)) for side, other in enumerate(others, 1)]
    outputs = [file for file, _ in files]
    check_not_input([*outputs, summary_path(out)] if summary is not None else outputs, found.files)
    check_paths(outputs, overwrite=overwrite)
    write_with_summary(files, summary, overwrite=overwrite)
    notices += [*unknown, *lost_in(format, content)]
    entropy = float(part.entropy[-1]) if kept else part.entropy_before
    bits = part.entropy_before - entropy
    money = spent(part.columns, content, terms_of(budget, summary), paid_sides(summary), bits)
    return Cut(kept, part.columns.words_of(kept), len(jaded), part.entropy_before, entropy, money, notices)
