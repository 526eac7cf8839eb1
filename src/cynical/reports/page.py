"""The page: a ranking's figures and lines as one HTML file that needs nothing else.

All figures are JSON within the page, and its script shows them. Text of corpora is in there only as JSON strings, with
`<` written as an escape, and the script makes text nodes of it, so whatever it says, it is never markup. The policy in
the page's head lets no other script run than this one, and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import html
import math
import shlex
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from ..evaluation.records import Comparison
from ..evaluation.verdict import verdict
from ..progress import Progress
from ..text.compression import packing
from ..text.paths import shown as shown_name
from ..version import __version__
from . import about, thinning
from .display import shortened, visible
from .evaluations import GivenEvaluation
from .labels import Labels
from .picks import Picks
from .wanted import GROUPS, UNNAMED, UNREAD, Corpora, Wanted, open_wanted
from .words import Followed, follow_words

STYLES = ("page.css",)
SCRIPTS = ("numbers.js", "charts.js", "cut.js", "tables.js", "start.js")
LONGEST = 800  # characters of a line that a page carries
STRETCHES = 120  # that gains and penalties are averaged over
BINS = 24  # of lengths
UNPACK = {"gzip": "gzip -dc", "zstd": "zstd -dc", "xz": "xz -dc", "bzip2": "bzip2 -dc"}


def make_page(
    picks: Picks,
    *,
    corpora: Corpora | None = None,
    labels: Labels | None = None,
    evaluation: GivenEvaluation | None = None,
    comparison: Comparison | None = None,
    price: float | None = None,
    progress: Progress | None = None,
) -> bytes:
    """The whole page; the same input gives the same bytes.

    `evaluation` is of this ranking, and this is the ranking of one of the methods of `comparison`.
    """
    progress = Progress(False) if progress is None else progress
    corpora = Corpora() if corpora is None else corpora
    best = [evaluation.best.lines] if evaluation is not None and evaluation.best else []
    cuts = thinning.cuts(picks.path_of_entropy, [picks.stop, *best])
    shown = thinning.lines(len(picks), [picks.stop, *best], cuts)
    wanted, why_not = open_wanted(picks.summary, corpora, progress)
    followed = None
    if wanted is not None:
        followed = follow_words(picks, wanted, cuts, shown, corpora, progress)
    made = {
        **_about(picks, price),
        "title": about.title(picks, comparison),
        "texts": [row.to_dict() for row in about.texts(picks.summary, wanted, evaluation, comparison)],
        "verdict": [] if comparison is None else verdict(comparison),
        "cuts": _cuts(picks, cuts),
        "balance": _balance(picks),
        "lines": _lines(picks, shown, labels, followed),
        "lengths": _lengths(picks, cuts, wanted),
        "labels": _labels(labels, cuts, picks),
        **_words(wanted, followed),
        "evaluation": None if evaluation is None else _evaluated(evaluation),
        "comparison": None if comparison is None else _compared(comparison),
        "notes": [
            *_missing(why_not, wanted, comparison is not None),
            *(followed.notes if followed else []),
            *(_sentence(notice) for notice in (evaluation.notices or [] if evaluation is not None else [])),
            *(_sentence(notice) for notice in (comparison.notices if comparison is not None else [])),
        ],
    }
    title = made["title"] if comparison is not None else f"{picks.name}: {about.kind(picks)}"
    return _put_together(title, made)


def _about(picks: Picks, price: float | None) -> dict[str, Any]:
    summary, stop = picks.summary, picks.stop
    available = None if summary is None else summary.available
    money = None if summary is None else summary.money
    return {
        "version": __version__,
        "name": picks.name,
        "kind": about.kind(picks),
        "ranked": len(picks),
        "command": _command(picks),
        "available": None
        if available is None
        else {"name": available.name, "lines": available.lines, "words": available.words},
        "covers": None if available is None or available.covers is None else available.covers.to_dict(),
        "changed": about.changed(picks.settings, "cynical" if summary is None else summary.method),
        "settings": {name: value for name, value in picks.settings.items() if value not in (None, False)},
        "stop": {"lines": stop, "known": picks.stop_is_known, "rises": picks.rises},
        "features": picks.feature_entropy is not None,
        "price": price if price is not None else None if money is None else money.price,
    }


def _command(picks: Picks) -> list[str] | None:
    """What cuts the ranking: the words before the number of lines, and those behind it."""
    if picks.path is None or shown_name(picks.path) != picks.path:  # no shell takes bytes that are no text
        return None
    file = shlex.quote(picks.path if not picks.path.startswith("-") else f"./{picks.path}")
    if picks.kind == "tsv":
        return [f"cynical cut {file} --lines ", " -o best.txt"]
    packed = packing(picks.path)
    if packed is not None:
        return [f"{UNPACK[packed]} {file} | head -n ", " > best.jsonl"]
    return ["head -n ", f" {file} > best.jsonl"]


def _cuts(picks: Picks, cuts: NDArray[np.int64]) -> dict[str, Any]:
    """What is known at each cut."""
    words = np.concatenate([[0], np.cumsum(picks.words)])
    entropy = picks.path_of_entropy
    feature = picks.feature_entropy
    made: dict[str, Any] = {
        "lines": cuts.tolist(),
        "words": words[cuts].tolist(),
        "entropy": _digits(entropy[cuts]),
        "features": None if feature is None else [None, *_digits(feature[cuts[1:] - 1])],
    }
    if math.isnan(picks.before):
        made["entropy"][0] = None
    return made


def _balance(picks: Picks) -> dict[str, Any]:
    """What lines bring and what they cost on average, in stretches that grow with the ranking: one line says little."""
    if not len(picks):
        return {"lines": [], "words": [], "penalty": [], "gain": []}
    ends = np.unique(np.geomspace(1, len(picks), STRETCHES).round().astype(np.int64))
    begins, sizes = np.concatenate([[0], ends[:-1]]), np.diff(ends, prepend=0)
    return {
        "lines": ends.tolist(),
        "words": np.cumsum(picks.words)[ends - 1].tolist(),
        "penalty": _digits(np.add.reduceat(picks.penalty, begins) / sizes),
        "gain": _digits(np.add.reduceat(picks.gain, begins) / sizes),
    }


def _lines(picks: Picks, shown: NDArray[np.int64], labels: Labels | None, followed: Followed | None) -> dict[str, Any]:
    texts = [_carried(text) for text in picks.texts(shown.tolist())]
    return {
        "rank": (shown + 1).tolist(),
        "line": (picks.line[shown] + 1).tolist(),
        "delta": _digits(picks.delta[shown]),
        "penalty": _digits(picks.penalty[shown]),
        "gain": _digits(picks.gain[shown]),
        "entropy": _digits(picks.entropy[shown]),
        "words": picks.words[shown].tolist(),
        "word": [shortened(word) for word in picks.best_words(shown.tolist())],
        "text": [text for text, _ in texts],
        "whole": [int(whole) for _, whole in texts],
        "label": None if labels is None else [shortened(label) for label in labels.of(shown)],
        "why": None if followed is None else followed.why,
    }


def _carried(raw: bytes) -> tuple[str, bool]:
    """A line as the page has it, and whether that is all of it."""
    try:
        text, whole = raw.decode(), True
    except UnicodeDecodeError:
        text, whole = raw.decode("utf-8", "replace"), False
    return (text, whole) if len(text) <= LONGEST else (text[:LONGEST], False)


def _lengths(picks: Picks, cuts: NDArray[np.int64], wanted: Wanted | None) -> dict[str, Any] | None:
    """How many lines are how long: of REPRESENTATIVE as shares, of the picks since the cut before.

    Where both sides count, picks have the words of both, and what is known of REPRESENTATIVE is its first side.
    """
    theirs = None if wanted is None or picks.sides_count else wanted.lengths
    both = picks.words if theirs is None else np.concatenate([picks.words, theirs])
    if not len(both):
        return None
    step = max(1, math.ceil(float(np.quantile(both, 0.99)) / BINS))
    bins = max(1, min(BINS, math.ceil(int(both.max()) / step)))
    place = np.minimum((picks.words - 1) // step, bins - 1)
    increments = np.zeros((bins, len(cuts)), np.int64)
    np.add.at(increments, (place, np.searchsorted(cuts, np.arange(len(picks)) + 1)), 1)
    shares = None
    if theirs is not None and len(theirs):
        counted = np.bincount(np.minimum((theirs - 1) // step, bins - 1), minlength=bins)
        shares = _digits(counted / len(theirs))
    names = [f"{i * step + 1}" if step == 1 else f"{i * step + 1}\u2013{(i + 1) * step}" for i in range(bins)]
    if int(both.max()) > bins * step:
        names[-1] = f"{(bins - 1) * step + 1}+"
    return {"names": names, "representative": shares, "picked": increments.tolist()}


def _labels(labels: Labels | None, cuts: NDArray[np.int64], picks: Picks) -> dict[str, Any] | None:
    if labels is None:
        return None
    shares = None if labels.available is None else _digits(labels.available)
    return {
        "names": [shortened(name) for name in labels.names],
        "available": shares,
        "picked": labels.increments(cuts).tolist(),
        "words": labels.increments(cuts, picks.words).tolist(),
    }


def _words(wanted: Wanted | None, followed: Followed | None) -> dict[str, Any]:
    if wanted is None or followed is None:
        return {"unknown": None, "classes": None, "useful": None}

    def both(tokens: NDArray[np.float64] | None, types: NDArray[np.float64] | None) -> dict[str, Any] | None:
        return None if tokens is None or types is None else {"tokens": _digits(tokens, 6), "types": _digits(types, 6)}

    classes = None
    if wanted.classes is not None and followed.by_group is not None:
        assert [one["name"] for one in wanted.classes] == list(GROUPS)
        classes = {"rows": wanted.classes, "picked": followed.by_group.T.tolist()}
    return {
        "unknown": {
            "representative": both(followed.unknown_tokens, followed.unknown_types),
            "heldout": both(followed.heldout_tokens, followed.heldout_types),
        },
        "classes": classes,
        "useful": followed.useful,
    }


def _missing(why_not: str, wanted: Wanted | None, compared: bool) -> list[str]:
    """What the page leaves out and why, as sentences, and how to get it; a comparison has been given all it takes."""
    remedy, what, why = "", "", ""
    if wanted is None:
        what, why = "unknown words, words by class, the most useful words and why a line was picked", why_not
        remedy = "give -t HELDOUT and REPRESENTATIVE as files" if compared else "give -r REPR"
        if compared and why in (UNNAMED, UNREAD):
            why = "what was wanted here stands in no file"
    elif wanted.unclassed:
        remedy, what, why = "" if compared else "give -a AVAIL", "words by class", wanted.unclassed
    if not what:
        return []
    return [_sentence(f"{remedy} for {what}: {why}" if remedy else f"{what} are left out: {why}")]


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."


def _evaluated(evaluation: GivenEvaluation) -> dict[str, Any]:
    best = evaluation.best.to_dict() if evaluation.best else None
    return {"points": [point.to_dict() for point in evaluation.points], "best": best}


def _compared(comparison: Comparison) -> dict[str, Any]:
    """Not how long it took, which is never the same."""
    methods = [method.to_dict() for method in comparison.methods]
    return {
        "methods": [{name: value for name, value in method.items() if name != "seconds"} for method in methods],
        "order": comparison.order,
        "lm": comparison.lm,
        "vocabulary": comparison.vocabulary,
        "changed": about.changed(comparison.settings),
    }


def _digits(values: Iterable[float] | NDArray[np.float64], digits: int = 9) -> list[float]:
    """As many digits as a Jaded file has."""
    return [float(f"{value:.{digits}g}") for value in np.asarray(values, np.float64).tolist()]


def _put_together(title: str, made: dict[str, Any]) -> bytes:
    template = _read("template.html")
    style, script = "\n".join(map(_read, STYLES)), "\n".join(map(_read, SCRIPTS))
    pieces = {
        "title": html.escape(visible(title)),
        "policy": f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "script": script,
        "figures": as_json(made),
    }
    out, at = [], 0
    for name in _marks(template, pieces):
        mark = f"{{{{{name}}}}}"
        place = template.index(mark, at)
        out += [template[at:place], pieces[name]]
        at = place + len(mark)
    return "".join([*out, template[at:]]).encode("utf-8", "replace")


def _marks(template: str, names: Iterable[str]) -> Sequence[str]:
    """The pieces in the order in which the template wants them; each goes in once, and nothing goes into a piece."""
    return sorted(names, key=lambda name: template.index(f"{{{{{name}}}}}"))


def as_json(made: Any) -> str:
    """JSON that may stand in a script element: whatever it holds cannot end it."""
    text = orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(content: str) -> str:
    """A script or style as the page's policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return resources.files(__package__).joinpath("template", name).read_text(encoding="utf-8")
