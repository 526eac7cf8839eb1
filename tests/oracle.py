"""The oracle: slow, obvious code straight from the formulas. What it says is right.

It tries every line at every step. A line is its features: its words and, with n-grams, those too, of one side of a
text or of several. Words are bytes, logarithms are correctly rounded by decimal arithmetic.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
BETWEEN_WORDS = re.compile(f"[{re.escape(WHITE)}]+")
UNIT = 2.0**-56


def words_of(
    line: bytes, lowercase: bool = False, tokenizer: str = "whitespace", normalize: str | None = None
) -> list[bytes]:
    text = line.decode("utf-8", "surrogateescape")
    if normalize is not None:
        text = unicodedata.normalize({"nfc": "NFC", "nfkc": "NFKC"}[normalize], text)  # type: ignore[arg-type]
    if lowercase:
        text = text.lower()
    if tokenizer == "words":
        words = separated(text)
    elif tokenizer == "characters":
        words = [character for character in text if character not in WHITE]
    else:
        words = [word for word in BETWEEN_WORDS.split(text) if word]
    return [word.encode("utf-8", "surrogateescape") for word in words]


def separated(text: str) -> list[str]:
    """Words and other characters, each with the marks that belong to it."""
    words: list[str] = []
    before = "space"
    for character in text:
        kind = kind_of(character)
        if kind in ("mark", "format") and before == "space":
            kind = "other" if kind == "mark" else "space"
        if kind in ("mark", "format"):
            words[-1] += character
            continue
        if kind != "space":
            joined = kind == "other" == before and words[-1].endswith("\u200d") and not character.isascii()
            words += [] if joined or kind == "word" == before else [""]
            words[-1] += character
        before = kind
    return words


def kind_of(character: str) -> str:
    category = unicodedata.category(character)
    if re.fullmatch(r"[\s\u200b]", character):
        return "space"
    if re.fullmatch(r"\w", character):
        return "word"
    if category in ("Mn", "Mc", "Me") or character in "\u200c\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff":
        return "mark"
    return "format" if category == "Cf" else "other"


@cache
def log2(x: float) -> float:
    with localcontext() as context:
        context.prec = 50
        return float(Decimal(x).ln() / Decimal(2).ln())


Feature = tuple[int | bytes, ...]  # (order, side, words): an n-gram of the words of one side
Text = Sequence[Sequence[bytes]]  # sides, each of them lines


def features_of(words: list[bytes], ngrams: int = 1, side: int = 0) -> list[Feature]:
    """Each word and the n-grams that end with it; the ends of a line are empty words; a blank line has none."""
    if not words:
        return []
    marked = [b"", *words, b""]
    return [
        (order, side, *marked[last - order + 1 : last + 1])
        for last in range(1, len(marked))
        for order in range(1, ngrams + 1)
        if last - order >= -1 and not (order == 1 and last == len(marked) - 1)
    ]


def name_of(feature: Feature) -> str:
    words = [bytes(word).decode() for word in feature[2:]]
    if len(words) > 1:
        words[0], words[-1] = words[0] or "<s>", words[-1] or "</s>"
    return " ".join(words)


@dataclass(frozen=True)
class Pick:
    line: int  # from 0
    delta: float
    penalty: float
    gain: float
    entropy: float  # of single words
    feature_entropy: float
    words: int
    word: str


def entropy(
    p: dict[Any, float],
    counts: Counter[Any],
    total: int,
    s: float,
    other: float = 0.0,
    added: dict[Any, float] | None = None,
    all_added: float = 0.0,
) -> float:
    """`added` is what is added to s for some features, and `all_added` for all possible ones together."""
    size = s * (len(p) + 1) + all_added
    known = [-p[v] * log2((counts[v] + (s + (added or {}).get(v, 0.0))) / (total + size)) for v in p]
    return math.fsum([*known, -other * log2(s / (total + size))])


def gain_of_word(p: float, had: int, c: int, s: float) -> int:
    """In units of 2^-56 bit."""
    return round(p * log2((had + s) / (had + c + s)) * 2.0**56)


def if_independent(wanted: Sequence[Counter[Feature]], weights: Sequence[Sequence[float]]) -> dict[Feature, float]:
    """The share of its order that each n-gram of some texts would have if last words did not depend on what precedes
    them; weights are by text, then by order. Over all n-grams that could be made of them the shares add up to 1."""

    def masses(key: Callable[[Feature], object]) -> defaultdict[object, float]:
        """By order, and by what a key says of n-grams: the mass of all of these together."""
        out: defaultdict[object, float] = defaultdict(float)
        for row, counts in zip(weights, wanted, strict=True):
            number, total = Counter[tuple[int, object]](), Counter[int]()
            for v, n in counts.items():
                number[int(v[0]), key(v)] += n
                total[int(v[0])] += n
            for (order, one), n in number.items():
                out[order, one] += row[order - 1] * (n / total[order])
        return out

    before, last, side = masses(lambda v: v[:-1]), masses(lambda v: (v[1], v[-1])), masses(lambda v: v[1])
    sides = sorted({int(v[1]) for counts in wanted for v in counts})
    shares: dict[Feature, float] = {}
    for v in (v for counts in wanted for v in counts if int(v[0]) > 1):
        here, whole = side[v[0], v[1]], sum(side[v[0], one] for one in sides)
        left, right = before[v[0], v[:-1]] / here, last[v[0], (v[1], v[-1])] / here
        shares[v] = left * right * (here / whole)
    return shares


def class_of(r: int, u: int, a: int, ratio: float, min_count: int = 3, threshold: float = math.e) -> str:
    if r == 0:
        return "useless"
    if a == 0:
        return "impossible"
    if r < min_count and u < min_count:
        return "dubious"
    if ratio < 1 / threshold:
        return "bad"
    return "meh" if ratio <= threshold else "useful"


class Problem:
    """The corpora as features, and the model as it grows. Every text is given as its sides; there may be many targets.

    `lines` is what may be picked: the line's features, and how many words it has.
    """

    def __init__(
        self,
        targets: Sequence[Text],
        available: Text,
        seed: Text = (),
        unadapted: Text | None = None,
        vocabulary: str = "full",
        smoothing: float = 0.01,
        ngrams: int = 1,
        weights: Sequence[float] | None = None,
        per: str = "line",
        lowercase: bool = False,
        wider: tuple[Text, Sequence[float], Sequence[float]] | None = None,
        prior: Sequence[float] | None = None,
        ngram_smoothing: float = 0.0,
    ) -> None:
        """`wider` is a text by whose new words and n-grams the target is widened, and by order how much of the target
        they are to be, and how much of the language is in one of them; `prior` what a word of each line is worth
        besides."""

        def features(text: Text) -> Counter[Feature]:
            return Counter(
                feature
                for side, lines in enumerate(text)
                for line in lines
                for feature in features_of(words_of(line, lowercase), ngrams, side)
            )

        def totals(counts: Counter[Feature]) -> list[int]:
            return [sum(n for v, n in counts.items() if v[0] == order) for order in range(1, ngrams + 1)]

        self.per, self.prior = per, prior
        self.split = [[words_of(line, lowercase) for line in lines] for lines in zip(*available, strict=True)]
        wanted, known, can = [features(text) for text in targets], features(seed), features(available)
        have = can if unadapted is None else features(unadapted)
        weights = [1.0] * len(targets) if weights is None else weights
        weights = [weight / sum(weights) for weight in weights]
        mixed: list[Sequence[float]] = [[weight] * ngrams for weight in weights]  # by text, then by order
        reach: Sequence[float] = [1.0] * ngrams
        if wider is not None:
            text, mass, reach = wider
            more = features(text)
            new = Counter({v: n for v, n in more.items() if int(v[0]) > 1 or not any(counts[v] for counts in wanted)})
            wanted.append(new if totals(new)[0] else more)
            own = [(1.0 - m) * r for m, r in zip(mass, reach, strict=True)]
            mixed = [[weight * one for weight, one in zip(row, own, strict=True)] for row in mixed]
            mixed.append([m * r for m, r in zip(mass, reach, strict=True)])
        everything = [v for counts in wanted for v in counts]
        everything.sort(key=lambda v: v[:2])  # words before pairs, one side before the next; else as they come
        self.class_of: dict[Feature, str] = {}
        for v in [*everything, *can, *known]:
            place = int(v[0]) - 1
            r = sum(counts[v] for counts in wanted)
            shares = [counts[v] / totals(counts)[place] for counts in wanted] if r else []
            share = sum(row[place] * share for row, share in zip(mixed, shares, strict=False))
            ratio = math.inf if have[v] == 0 else share / (have[v] / totals(have)[place])
            self.class_of[v] = class_of(r, have[v], can[v], ratio)

        def token(v: Feature) -> Feature:
            if vocabulary == "full" or self.class_of[v] == "useful":
                return v
            return (v[0], v[1], f"<{self.class_of[v]}>".encode())

        self.p: dict[Feature, float] = {}  # of each feature, each order with the same share
        self.single: dict[Feature, float] = {}  # of each word among words
        for v in everything:
            self.class_of[token(v)] = self.class_of[v]
            self.p[token(v)] = 0.0
            if v[0] == 1:
                self.single[token(v)] = 0.0
        for row, counts in zip(mixed, wanted, strict=True):
            total = totals(counts)
            collapsed: Counter[Feature] = Counter()
            for v, n in counts.items():
                collapsed[token(v)] += n
            for v, n in collapsed.items():
                self.p[v] += row[int(v[0]) - 1] * (n / (ngrams * total[int(v[0]) - 1]))
                if v[0] == 1:
                    self.single[v] += row[0] * (n / total[0])
        self.counts: Counter[Feature] = Counter()
        for v, n in known.items():
            self.counts[token(v)] += n
        self.lines: dict[int, tuple[Counter[Feature], int]] = {}
        for i, sides in enumerate(self.split):
            made = [token(v) for side, words in enumerate(sides) for v in features_of(words, ngrams, side)]
            if made:
                self.lines[i] = (Counter(made), sum(map(len, sides)))
        if_apart: defaultdict[Feature, float] = defaultdict(float)
        of_feature = if_independent(wanted, mixed) if ngram_smoothing else {}
        for v in sorted(dict.fromkeys(everything), key=lambda v: of_feature.get(v, 0.0)):
            if_apart[token(v)] += of_feature.get(v, 0.0)
        added = {v: ngram_smoothing * share for v, share in if_apart.items()}
        all_added = ngram_smoothing * (ngrams - 1)
        self.s = {v: smoothing + added[v] for v in self.p}  # s(v)
        self.size, self.single_size = smoothing * (len(self.p) + 1) + all_added, smoothing * (len(self.single) + 1)
        self.selected, self.selected_words = known.total(), totals(known)[0]
        beyond = [1.0 - r for r in reach]
        unknown = sum(beyond) / ngrams
        self.feature_h = entropy(self.p, self.counts, self.selected, smoothing, unknown, added, all_added)
        self.before = self.h = entropy(self.single, self.counts, self.selected_words, smoothing, beyond[0])

    def leave_only(self, allowed: Callable[[int], bool]) -> Problem:
        self.lines = {line: row for line, row in self.lines.items() if allowed(line)}
        return self

    def gains(self, line: int) -> dict[Feature, int]:
        features = self.lines[line][0].items()
        return {v: gain_of_word(self.p[v], self.counts[v], c, self.s[v]) for v, c in features if v in self.p}

    def penalty(self, line: int) -> float:
        length = self.lines[line][0].total()
        return log2((self.selected + length + self.size) / (self.selected + self.size))

    def delta(self, line: int) -> float:
        return self.penalty(line) + sum(self.gains(line).values()) * UNIT

    def utility(self, line: int) -> float:
        """What decides: delta, or delta per word."""
        words = self.lines[line][1]
        worth = 0 if self.prior is None else round(-self.prior[line] * words * 2**28) * 2**28  # in units of gains
        gain = (sum(self.gains(line).values()) + worth) * UNIT
        return (self.penalty(line) + gain) / (words if self.per == "word" else 1)

    def single_delta(self, line: int) -> float:
        """The change of the entropy of single words."""
        features, words = self.lines[line]
        gains = [
            gain_of_word(self.single[v], self.counts[v], c, self.s[v]) for v, c in features.items() if v in self.single
        ]
        now = self.selected_words + self.single_size
        return log2((now + words) / now) + sum(gains) * UNIT

    def pick(self, line: int, word: Feature | None = None) -> Pick:
        gains, penalty, delta = self.gains(line), self.penalty(line), self.delta(line)
        if word is None and gains:
            word = min(gains, key=gains.__getitem__)
        self.h += self.single_delta(line)
        self.feature_h += delta
        features, words = self.lines.pop(line)
        self.counts.update(features)
        self.selected += features.total()
        self.selected_words += words
        gain = sum(gains.values()) * UNIT
        return Pick(line, delta, penalty, gain, self.h, self.feature_h, words, name_of(word) if word else "")

    def best_word(self) -> Feature | None:
        """The word that leads: useful if any has lines left, else meh, dubious, bad; the first of the best."""
        left = {word for words, _ in self.lines.values() for word in words}
        for name in ("useful", "meh", "dubious", "bad"):
            words = [word for word in self.p if self.class_of[word] == name and word in left]
            if words:
                return min(words, key=lambda word: gain_of_word(self.p[word], self.counts[word], 1, self.s[word]))
        return None

    def shortest_first(self) -> list[int]:
        return sorted(self.lines, key=lambda line: (self.lines[line][1], line))


def exact(problem: Problem) -> list[Pick]:
    """Try every line at every step."""
    picks = []
    while problem.lines:
        picks.append(problem.pick(min(problem.lines, key=lambda line: (problem.utility(line), line))))
    return picks


def within_documents(problem: Problem, document: Sequence[int], share: str) -> list[Pick]:
    """The same, where at most a share of the words of a document may be picked."""
    total: Counter[int] = Counter()
    for line, (_, words) in problem.lines.items():
        total[document[line]] += words
    taken, picks = Counter[int](), []

    def fits(line: int) -> bool:
        of = document[line]
        return taken[of] + problem.lines[line][1] <= Fraction(share) * total[of]

    while left := [line for line in problem.lines if fits(line)]:
        line = min(left, key=lambda line: (problem.utility(line), line))
        taken[document[line]] += problem.lines[line][1]
        picks.append(problem.pick(line))
    return picks


def word_first(problem: Problem) -> list[Pick]:
    """Try every line of the best word at every step."""
    picks = []
    while (word := problem.best_word()) is not None:
        lines = [line for line, (words, _) in problem.lines.items() if word in words]
        picks.append(problem.pick(min(lines, key=lambda line: (problem.utility(line), line)), word))
    return picks + [problem.pick(line) for line in problem.shortest_first()]


def batches(problem: Problem) -> list[Pick]:
    """Of the A lines of the best word, score sqrt(A) and pick half as many, each of its words only once."""
    last_known = {line: sum(problem.gains(line).values()) for line in problem.lines}
    picks = []
    while (word := problem.best_word()) is not None:
        lines = [line for line, (words, _) in problem.lines.items() if word in words]
        root = math.sqrt(len(lines))
        lowest = sorted(lines, key=lambda line: (last_known[line], line))[: math.ceil(root)]
        last_known.update({line: sum(problem.gains(line).values()) for line in lowest})
        batch: list[list[list[bytes]]] = []
        for line in sorted(lowest, key=lambda line: (problem.utility(line), line)):
            if len(batch) < max(1, math.floor(root / 2)) and problem.split[line] not in batch:
                batch.append(problem.split[line])
                picks.append(problem.pick(line, word))
    return picks + [problem.pick(line) for line in problem.shortest_first()]


STRATEGIES = {"exact": exact, "word": word_first, "batch": batches}


def stopping_point(before: float, entropies: Sequence[float]) -> int:
    """The number of picks with the lowest entropy, the fewest of equals."""
    path = [before, *entropies]
    return path.index(min(path))


def follow(problem: Problem, order: Sequence[int]) -> list[Pick]:
    """Pick lines in the order given."""
    return [problem.pick(line) for line in order]


def runs_of(words: tuple[bytes, ...], length: int | None) -> list[tuple[bytes, ...]]:
    """Every run of this many words."""
    return [] if length is None else [words[at : at + length] for at in range(len(words) - length + 1)]


def left_out(
    available: Sequence[bytes],
    exclude: Sequence[bytes] | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    max_copies: int | None = None,
    exclude_ngrams: int | None = None,
) -> dict[int, str]:
    """By line, the first reason that leaves it out; the other lines may be picked."""
    reasons: dict[int, str] = {}
    seen: Counter[tuple[bytes, ...]] = Counter()
    excluded = {tuple(words_of(line)) for line in exclude or ()}
    runs = {run for words in excluded for run in runs_of(words, exclude_ngrams)}
    for number, line in enumerate(available):
        words = tuple(words_of(line))
        seen[words] += 1
        if not words:
            reasons[number] = "blank"
        elif words in excluded:
            reasons[number] = "excluded"
        elif runs & set(runs_of(words, exclude_ngrams)):
            reasons[number] = "contaminated"
        elif min_length is not None and len(words) < min_length:
            reasons[number] = "too_short"
        elif max_length is not None and len(words) > max_length:
            reasons[number] = "too_long"
        elif max_copies is not None and seen[words] > max_copies:
            reasons[number] = "copies"
    return reasons


@dataclass(frozen=True)
class Folded:
    """Counts of words and n-grams of which the rare ones are known only by their number."""

    counts: dict[tuple[bytes, ...], int]
    totals: Sequence[int]  # by order, the folded ones included
    others: Sequence[int]  # by order: the folded ones


def folded_entropy(
    targets: Sequence[Folded], weights: Sequence[float], seed: Folded, orders: int, smoothing: float = 0.01
) -> float:
    """The entropy of a mixture of targets after SEED: what was folded counts as one feature that is never seen."""
    p: defaultdict[tuple[bytes, ...], float] = defaultdict(float)
    other = 0.0
    for weight, target in zip(weights, targets, strict=True):
        for feature, n in target.counts.items():
            if len(feature) <= orders:
                p[feature] += weight * n / (orders * target.totals[len(feature) - 1])
        masses = zip(target.others[:orders], target.totals, strict=False)
        other += sum(weight * folded / (orders * total) for folded, total in masses)
    size = sum(seed.totals[:orders]) + smoothing * (len(p) + 1)
    seen = math.fsum(-mass * log2((seed.counts.get(v, 0) + smoothing) / size) for v, mass in p.items())
    return seen - other * log2(smoothing / size)


ALL_BITS = 2**64 - 1


def mix(z: int) -> int:
    """The finalizer of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & ALL_BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & ALL_BITS
    return z ^ (z >> 31)


def lot(seed: int, line: int) -> float:
    """The number between 0 and 1 that a line draws: SplitMix64 begun at the mixed seed."""
    return ((mix((mix(seed) + (line + 1) * 0x9E3779B97F4A7C15) & ALL_BITS) >> 12) + 0.5) / 2**52


def fnv(data: bytes, basis: int = 0xCBF29CE484222325) -> int:
    """FNV-1a."""
    for byte in data:
        basis = ((basis ^ byte) * 0x100000001B3) & ALL_BITS
    return basis


def buckets_of(sides: Sequence[bytes], buckets: int) -> list[int]:
    """The buckets of a line's words and pairs, of all its sides."""
    found = []
    for side, line in enumerate(sides):
        words = words_of(line)
        pairs = [left + b" " + right for left, right in itertools.pairwise(words)]
        basis = mix(side) if side else fnv(b"")
        found += [mix(fnv(feature, basis)) % buckets for feature in words + pairs]
    return found


def dsir(
    targets: Sequence[Text], available: Text, buckets: int, seed: int, weights: Sequence[float] | None = None
) -> list[float]:
    """By line, the weight in bits of its features, and its lot from the Gumbel distribution."""

    def shares(text: Text) -> list[float]:
        counts = Counter(bucket for sides in zip(*text, strict=True) for bucket in buckets_of(sides, buckets))
        return [counts[bucket] / counts.total() for bucket in range(buckets)]

    weights = [1.0] * len(targets) if weights is None else weights
    of_targets = [shares(text) for text in targets]
    wanted = [
        sum(weight / sum(weights) * shares[bucket] for weight, shares in zip(weights, of_targets, strict=True))
        for bucket in range(buckets)
    ]
    have = shares(available)
    scores = []
    for line, sides in enumerate(zip(*available, strict=True)):
        bits = math.fsum(log2(wanted[b] + 1e-8) - log2(have[b] + 1e-8) for b in buckets_of(sides, buckets))
        scores.append(bits - log2(-math.log(lot(seed, line))))
    return scores


def kl_reduction(targets: Sequence[Sequence[bytes]], available: Sequence[bytes], picks: Sequence[bytes]) -> float:
    """The mean over targets of KL(target || AVAILABLE) - KL(target || picks), in nats."""

    def distribution(lines: Sequence[bytes]) -> dict[int, float]:
        counts = Counter(bucket for line in lines for bucket in buckets_of([line], 10_000))
        return {bucket: count / counts.total() for bucket, count in counts.items()}

    def divergence(p: dict[int, float], q: dict[int, float]) -> float:
        return math.fsum(share * math.log(share / (q.get(bucket, 0.0) + 1e-8)) for bucket, share in p.items())

    have, taken = distribution(available), distribution(picks)
    found = [distribution(target) for target in targets]
    return math.fsum(divergence(p, have) - divergence(p, taken) for p in found) / len(found)


def order_of(
    method: str, representative: Sequence[bytes], available: Sequence[bytes], seed: int, buckets: int
) -> list[int]:
    """The order that a baseline promises; lines without words are never picked. Moore-Lewis has scores of its own."""
    lines = [line for line, text in enumerate(available) if words_of(text)]
    if method == "random":
        lines.sort(key=lambda line: -lot(seed, line))
    if method == "longest":
        lines.sort(key=lambda line: -len(words_of(available[line])))
    if method == "dsir":
        scores = dsir([[representative]], [available], buckets, seed)
        lines.sort(key=lambda line: -scores[line])
    return lines


class KneserNey:
    """Interpolated modified Kneser-Ney (Chen and Goodman, 1998): lines of words in, probabilities out."""

    def __init__(self, lines: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        raw: Counter[tuple[str, ...]] = Counter()
        for line in lines:
            marked = ["<s>", *line, "</s>"]
            for k in range(1, order + 1):
                raw.update(tuple(marked[i : i + k]) for i in range(len(marked) - k + 1))
        different_before = Counter(gram[1:] for gram in raw)
        self.counts: dict[tuple[str, ...], int] = {}
        for gram, times in raw.items():
            if gram == ("<s>",):
                continue  # it is given, not predicted
            lower = len(gram) < order and gram[0] != "<s>"
            self.counts[gram] = different_before[gram] if lower else times
        self.known = {gram[0] for gram in self.counts if len(gram) == 1} | {"<unk>"}
        self.discounts = {k: self._discounts(k) for k in range(1, order + 1)}
        self._by_context: dict[tuple[str, ...], list[int]] = {}
        for gram, count in self.counts.items():
            self._by_context.setdefault(gram[:-1], []).append(count)

    def _discounts(self, order: int) -> list[float]:
        n = Counter(count for gram, count in self.counts.items() if len(gram) == order)
        if n[1] and n[2] and n[3]:
            y = n[1] / (n[1] + 2 * n[2])
            found = [r - (r + 1) * y * n[r + 1] / n[r] for r in (1, 2, 3)]
            if all(0 < d <= r for r, d in enumerate(found, 1)):
                return [0.0, *found]
        return [0.0, 0.5, 1.0, 1.5]

    def probability(self, word: str, history: Sequence[str], vocabulary: int) -> float:
        """Of a word after the beginning of a line; an unknown one is any of those that the vocabulary has beside the
        known."""
        context = tuple(history)[max(len(history) - self.order + 1, 0) :]
        return self._behind(word, context, vocabulary) if self.counts else 1 / vocabulary

    def _behind(self, word: str, context: tuple[str, ...], vocabulary: int) -> float:
        shorter = self._behind(word, context[1:], vocabulary) if context else 1 / vocabulary
        counts = self._by_context.get(context, [])
        if not counts:
            return shorter
        discount = self.discounts[len(context) + 1]
        count = self.counts.get((*context, word), 0)
        kept = sum(discount[min(c, 3)] for c in counts)
        return (count - discount[min(count, 3)] + kept * shorter) / sum(counts)

    def bits(self, word: str, history: Sequence[str], vocabulary: int) -> float:
        return -math.log2(self.probability(word, history, vocabulary))

    def line_bits(self, words: Sequence[str], vocabulary: int) -> list[float]:
        """What each word of a line costs, and its end."""
        tokens = [*words, "</s>"]
        return [self.bits(word, ["<s>", *tokens[:place]], vocabulary) for place, word in enumerate(tokens)]


def sample(pool: Sequence[str], words: int, seed: int) -> list[str]:
    """Random lines, in their order, until they have this many words."""
    drawn: list[int] = []
    for line in sorted(range(len(pool)), key=lambda line: lot(seed, line)):
        if sum(len(pool[one].split()) for one in drawn) >= words:
            break
        drawn.append(line)
    return [pool[line] for line in sorted(drawn)]


def moore_lewis(
    wanted: Sequence[str], pool: Sequence[str], drawn: Sequence[str], order: int, least: int = 2
) -> list[float]:
    """By line, bits per word under a model of REPRESENTATIVE less those under one of a sample of AVAILABLE.

    Words that REPRESENTATIVE has less than `least` times are all one.
    """
    counts = Counter(" ".join(wanted).split())

    def known(line: str) -> list[str]:
        return [word if counts[word] >= least else "<others>" for word in line.split()]

    models = [KneserNey([known(line) for line in text if line], order) for text in (wanted, drawn)]
    size = sum(count >= least for count in counts.values()) + 3
    scores = []
    for line in pool:
        ours, others = (model.line_bits(known(line), size) for model in models)
        scores.append((math.fsum(ours) - math.fsum(others)) / len(ours))
    return scores


@dataclass(frozen=True)
class Figures:
    """What some lines say of a held-out text."""

    words: int
    entropy: float
    oov_tokens: float
    oov_types: float
    representative_coverage: float
    ngram_perplexity: float
    ngram_perplexity_known: float


def figures(
    lines: Sequence[str], held_out: Sequence[str], wanted: Sequence[str], order: int, vocabulary: int
) -> Figures:
    seen, test = Counter(" ".join(lines).split()), Counter(" ".join(held_out).split())
    bits = entropy({word: n / test.total() for word, n in test.items()}, seen, seen.total(), 0.01)
    of_task = set(" ".join(wanted).split())
    model = KneserNey([line.split() for line in lines], order)
    costs = [
        (word in model.known, cost)
        for line in held_out
        for word, cost in zip([*line.split(), "</s>"], model.line_bits(line.split(), vocabulary), strict=True)
    ]
    known = [cost for is_known, cost in costs if is_known]
    return Figures(
        words=seen.total(),
        entropy=bits,
        oov_tokens=sum(n for word, n in test.items() if word not in seen) / test.total(),
        oov_types=sum(word not in seen for word in test) / len(test),
        representative_coverage=len(of_task & seen.keys()) / len(of_task),
        ngram_perplexity=2 ** (math.fsum(cost for _, cost in costs) / len(costs)),
        ngram_perplexity_known=2 ** (math.fsum(known) / len(known)),
    )
