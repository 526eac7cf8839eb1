"""Does a neural model agree? The same small transformer, trained on what each method picks.

    python benchmarks/neural.py pick FOLDER [--scratch DIR] [--texts six|drawn|large] [--subsample F] [TEXT ...]
    python benchmarks/neural.py train FOLDER [--small] [-o RESULTS] [--subsample F] [--part I/N] [TEXT ...]
    python benchmarks/neural.py table RESULTS ... [--small] [--docs FOLDER]

`pick` writes the pool, which of its lines each method picks (10 % of the pool's words, best first), REPRESENTATIVE, and
the held-out text without the lines of the pool, each compressed with xz: what `train` needs, on a machine with a GPU,
torch and tokenizers that need not have cynical. With --texts it does so for other texts: see texts.py. A method is a
name or, for any setting, NAME=OPTIONS of `cynical select`, as in `widen-1=--for model --widen 1`. A model is 13 million
parameters over 8,192 byte pairs learnt from a tenth of the pool, the same for all methods; it stops when a tenth of
REPRESENTATIVE finds no new low. The measure is the perplexity per word of the held-out text.

With --subsample every seed (--seeds 0,1,...) picks for another random fraction F of REPRESENTATIVE, the one of `cynical
compare --subsample`, and trains on what it picked; all of REPRESENTATIVE decides when to stop. Give F and the seeds to
`pick` and to `train`. In the table, which then says how sure it is, a seed of one method is compared with the same seed
of another.

With --small a model has 0.6 million parameters over 4,096 byte pairs, the budget is 1 % of the words, and the learning
rate falls to 0 within 1,600 steps: about a minute per model on one core, without a GPU. It uses one thread, so that the
number of cores does not change the figures of a seed; to use more cores, run several with --part.
"""

from __future__ import annotations

import argparse
import copy
import json
import lzma
import math
import random
import shlex
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

METHODS = ("cynical", "cynical-2-grams", "cynical-for-model", "moore-lewis", "classifier", "dsir", "random")
OPTIONS = {
    "cynical": ["select"],
    "cynical-2-grams": ["select", "--ngrams", "2", "--per", "word"],
    "cynical-for-model": ["select", "--for", "model"],
}
BASE, FOR_MODEL = "cynical-2-grams", "cynical-for-model"
LARGEST = 0.1
PATIENCE = 5
BEFORE_RECORDING = 5  # steps
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # 95 % intervals of 2 to 10 draws

Cell = dict[str, dict[int, float]]  # perplexity, by method and seed
Cells = dict[tuple[str, float], Cell]  # by text and share


@dataclass(frozen=True)
class Sizes:
    """What one kind of model is, how it is trained, and where its table is in the documentation."""

    device: str
    shares: tuple[float, ...]
    pieces: int
    layers: int
    width: int
    heads: int
    context: int
    batch: int
    rate: float
    falls: float  # share of the rate that is gone at the last step
    spread: float  # standard deviation of the weights at the beginning
    judges: int | None  # at most this many lines of REPRESENTATIVE decide when to stop
    least_between: int  # steps between two looks at them
    most_steps: int
    begin: str  # of the table in the documentation
    end: str


LARGE = Sizes(
    device="cuda",
    shares=(0.01, 0.03, 0.1),
    pieces=8192,
    layers=6,
    width=384,
    heads=6,
    context=256,
    batch=64,
    rate=1e-3,
    falls=0.0,
    spread=0.02,
    judges=None,
    least_between=20,
    most_steps=2000,
    begin="<!-- from benchmarks/neural.py -->\n",
    end="<!-- to here, neural -->",
)
SMALL = Sizes(
    device="cpu",
    shares=(0.01,),
    pieces=4096,
    layers=2,
    width=96,
    heads=3,
    context=64,
    batch=8,
    rate=3e-3,
    falls=1.0,
    spread=0.06,
    judges=300,
    least_between=200,
    most_steps=1600,
    begin="<!-- from benchmarks/neural.py --small -->\n",
    end="<!-- to here, small -->",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pick", "train", "table"))
    parser.add_argument("paths", nargs="+", type=Path, metavar="FOLDER or RESULTS, then TEXTS")
    parser.add_argument("--scratch", type=Path, metavar="DIR")
    parser.add_argument("--texts", choices=("six", "drawn", "large"), default="six", help="see texts.py (six)")
    parser.add_argument("-o", "--output", type=Path, default=Path("neural.jsonl"), metavar="RESULTS")
    parser.add_argument("--seeds", type=lambda given: [*map(int, given.split(","))], default=[0, 1], metavar="N,...")
    parser.add_argument("--subsample", type=float, default=1.0, metavar="F", help="share of REPRESENTATIVE by seed (1)")
    parser.add_argument("--part", default="0/1", metavar="I/N", help="train every N-th model, from the I-th on (0/1)")
    parser.add_argument("--methods", type=lambda given: given.split(","), default=METHODS, metavar="NAME[=OPTIONS],...")
    parser.add_argument("--shares", type=lambda given: [*map(float, given.split(","))], metavar="F,...")
    parser.add_argument("--small", action="store_true", help="train 0.6 million parameters on the CPU")
    parser.add_argument("--docs", type=Path, metavar="FOLDER")
    told = parser.parse_intermixed_args()
    sizes = SMALL if told.small else LARGE
    if told.what == "table":
        show(told.paths, told.docs, sizes)
    elif told.what == "pick":
        pick(told.paths[0], [str(path) for path in told.paths[1:]], told)
    else:
        train_all(told.paths[0], [name_of(str(path)) for path in told.paths[1:]], told, sizes)


def pick(folder: Path, names: Sequence[str], told: argparse.Namespace) -> None:
    """Have every method pick, and write what training needs."""
    from corpora import cynical, run, scratch
    from texts import part_of, read, texts

    seeds = told.seeds if told.subsample < 1 else [0]
    folder.mkdir(parents=True, exist_ok=True)
    with scratch(told.scratch) as here, tempfile.TemporaryDirectory() as passing:
        pool = read(here.pool)
        compress(folder / "pool.xz", pool)
        places = {line: place for place, line in enumerate(pool)}
        for given, text in texts(here, told.texts, names):
            name = name_of(given)
            known = set(text.available)
            (folder / f"{name}.words").write_text(str(sum(len(line.split()) for line in text.available)))
            compress(folder / f"{name}.train.xz", text.representative)
            compress(folder / f"{name}.test.xz", [line for line in text.held_out if line not in known])
            representative, available, held_out, out = (
                Path(passing, part) for part in ("repr", "avail", "test", "out")
            )
            write(available, text.available)
            write(held_out, text.held_out)
            for seed in seeds:
                write(representative, part_of(text.representative, told.subsample, seed))
                for method, _, options in (method.partition("=") for method in told.methods):
                    default = ["rank", "--method", method, "--random-seed", str(seed)]
                    how = ["select", *shlex.split(options)] if options else OPTIONS.get(method, default)
                    run([*cynical(), *how, "-r", representative, "-a", available, "--exclude", held_out,
                         "--share", str(LARGEST), "-o", out, "--format", "text", "--overwrite", "--quiet"])  # fmt: skip
                    made = picks(folder, name, method, told.subsample, seed)
                    compress(made, [str(places[line]) for line in read(out)])
                    print(made.name, flush=True)


def picks(folder: Path, name: str, method: str, share: float, seed: int) -> Path:
    """The file of what a method picks for a text: one for all seeds, or one for each part of REPRESENTATIVE."""
    return folder / (f"{name}.{method}.xz" if share == 1 else f"{name}.{method}.{share:g}-{seed}.xz")


def name_of(text: str) -> str:
    """Of its files."""
    return text.replace("/", "-")


def write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), "utf-8")


def compress(path: Path, lines: Sequence[str]) -> None:
    path.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=6))


def decompress(path: Path) -> list[str]:
    return lzma.decompress(path.read_bytes()).decode().splitlines()


def first_words(lines: Sequence[str], words: float) -> list[str]:
    """The longest prefix of no more words."""
    kept, total = [], 0
    for line in lines:
        total += len(line.split())
        if total > words:
            break
        kept.append(line)
    return kept


def train_all(folder: Path, tasks: Sequence[str], told: argparse.Namespace, sizes: Sizes) -> None:
    """Train one model after another, and add a line of figures for each to RESULTS."""
    try:
        import tokenizers
        import torch
    except ImportError as error:
        raise SystemExit(f"neural.py: {error}; training needs torch and tokenizers") from error
    if sizes.device == "cpu":
        torch.set_num_threads(1)  # with more, sums have another order
    elif not torch.cuda.is_available():
        raise SystemExit("neural.py: there is no GPU here; training would take days, --small takes minutes")
    pieces = tokenizers.ByteLevelBPETokenizer()
    pool = decompress(folder / "pool.xz")
    sample = random.Random(0).sample(pool, len(pool) // 10)
    pieces.train_from_iterator(sample, sizes.pieces, special_tokens=["<end>"], show_progress=False)

    def encode(lines: Sequence[str]) -> Any:
        ids = [one for made in pieces.encode_batch(list(lines)) for one in (*made.ids, 0)]
        return torch.tensor(ids, dtype=torch.long, device=sizes.device)

    found = sorted({path.name.rsplit(".", 2)[0] for path in folder.glob("*.train.xz")})
    cells = [
        (task, share, method, seed)
        for seed in told.seeds
        for task in tasks or found
        for share in told.shares or sizes.shares
        for method in (method.partition("=")[0] for method in told.methods)
    ]
    part, parts = map(int, told.part.split("/"))
    for task, share, method, seed in cells[part::parts]:
        wanted, test = decompress(folder / f"{task}.train.xz"), decompress(folder / f"{task}.test.xz")
        words = int((folder / f"{task}.words").read_text())
        places = decompress(picks(folder, task, method, told.subsample, seed))
        picked = first_words([pool[int(place)] for place in places], share * words)
        began = time.perf_counter()
        bits, steps = train(encode(picked), encode(wanted[9::10][: sizes.judges]), encode(test), seed, sizes)
        row = {
            "task": task,
            "share": share,
            "method": method,
            "seed": seed,
            "subsample": told.subsample,
            "perplexity": math.exp(bits / sum(len(line.split()) + 1 for line in test)),
            "steps": steps,
            "seconds": round(time.perf_counter() - began, 1),
        }
        with told.output.open("a") as output:
            output.write(json.dumps(row) + "\n")
        print(row, flush=True)
        if sizes.device == "cuda":
            torch.cuda.empty_cache()  # recorded steps hold much memory, and others train beside this


def train(text: Any, judge: Any, test: Any, seed: int, sizes: Sizes) -> tuple[float, int]:
    """Train until the judge finds no new low; what the test costs then, in nats, and the steps it took."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    device, context = sizes.device, sizes.context
    model = make_model(sizes).to(device)
    slow = [one for one in model.parameters() if one.ndim > 1]
    rest = [one for one in model.parameters() if one.ndim <= 1]
    groups = [{"params": slow, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
    rate = torch.tensor(sizes.rate, device=device)
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), fused=True, capturable=device == "cuda")
    generator = torch.Generator(device).manual_seed(seed)
    every = max(min(len(text) // (sizes.batch * context), 200), sizes.least_between)
    best, since, step, best_step, kept = math.inf, 0, 0, 0, model.state_dict()
    window, at = torch.arange(context + 1, device=device), torch.zeros(sizes.batch, dtype=torch.long, device=device)

    def learn() -> None:
        """One step, of the windows that begin at `at`."""
        batch = text[at[:, None] + window]
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda", cache_enabled=False):
            scores = model(batch[:, :-1])
        nn.functional.cross_entropy(scores.flatten(0, 1).float(), batch[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    graph = None
    while step < sizes.most_steps and since < PATIENCE:
        model.train()
        for _ in range(every):
            step += 1
            rate.fill_(sizes.rate * min(1.0, step / 100) * (1 - sizes.falls * step / sizes.most_steps))
            torch.randint(len(text) - context - 1, (sizes.batch,), generator=generator, out=at)
            if graph is not None:
                graph.replay()
                continue
            optimizer.zero_grad(set_to_none=True)
            if device == "cpu":
                learn()
                continue
            side = torch.cuda.Stream()  # what is to be recorded must first have run elsewhere
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                learn()
            torch.cuda.current_stream().wait_stream(side)
            if step == BEFORE_RECORDING:  # from here on a step is one launch
                optimizer.zero_grad(set_to_none=True)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    learn()
        now = total_cost(model, judge, sizes)
        since += 1
        if now < best:
            best, since, best_step, kept = now, 0, step, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    return total_cost(model, test, sizes), best_step


def total_cost(model: Any, text: Any, sizes: Sizes) -> float:
    """Nats of all pieces, each given at least half a context where there is one."""
    import torch
    from torch import nn

    model.eval()
    half, total = sizes.context // 2, 0.0
    padded = torch.cat([text.new_zeros(1), text])  # the end of a line before the first
    starts = list(range(0, max(len(padded) - 1 - half, 1), half))
    with torch.no_grad(), torch.autocast(sizes.device, torch.bfloat16, enabled=text.is_cuda):
        for group in (starts[i : i + 64] for i in range(0, len(starts), 64)):
            rows = [padded[at : at + sizes.context + 1] for at in group]
            row = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)
            scores, wanted = model(row[:, :-1].clamp(min=0)).float().flatten(0, 1), row[:, 1:]
            costs = nn.functional.cross_entropy(scores, wanted.flatten(), ignore_index=-1, reduction="none")
            costs = costs.view_as(wanted)
            first = torch.tensor([at == 0 for at in group], device=text.device)
            costs[~first, :half] = 0.0  # counted in the window before
            total += float(costs.double().sum())
    return total


def make_model(sizes: Sizes) -> Any:
    """A transformer decoder whose input and output pieces share their vectors."""
    import torch
    from torch import nn

    width = sizes.width

    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
            self.mixed, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.drop = nn.Dropout(0.1)

        def forward(self, x: Any) -> Any:
            size = (*x.shape[:2], sizes.heads, width // sizes.heads)
            query, key, value = (part.view(size).transpose(1, 2) for part in self.mixed(self.before(x)).chunk(3, -1))
            seen = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = x + self.drop(self.out(seen.transpose(1, 2).flatten(2)))
            return x + self.drop(self.narrow(nn.functional.gelu(self.wide(self.between(x)))))

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.pieces, self.places = nn.Embedding(sizes.pieces, width), nn.Embedding(sizes.context, width)
            self.blocks, self.last = nn.ModuleList(Block() for _ in range(sizes.layers)), nn.LayerNorm(width)
            self.drop = nn.Dropout(0.1)
            for one in self.parameters():
                if one.ndim > 1:
                    nn.init.normal_(one, std=sizes.spread)

        def forward(self, ids: Any) -> Any:
            x = self.drop(self.pieces(ids) + self.places(torch.arange(ids.shape[1], device=ids.device)))
            for block in self.blocks:
                x = block(x)
            return self.last(x) @ self.pieces.weight.T

    return Model()


def show(results: Sequence[Path], docs: Path | None, sizes: Sizes) -> None:
    """A task and a budget a row: the mean of all seeds, and in bold what cannot be told from the lowest."""
    made: Cells = defaultdict(lambda: defaultdict(dict))
    rows = [json.loads(row) for path in results for row in path.read_text().splitlines()]
    for row in rows:
        made[row["task"], row["share"]][row["method"]][row["seed"]] = row["perplexity"]
    subsamples = {row.get("subsample", 1) for row in rows}
    if len(subsamples) > 1:
        raise SystemExit("neural.py: these are results of several --subsample; make a table of each")
    text = "\n".join(table(made) if subsamples == {1} else table_of_draws(made)) + "\n"
    print(text)
    if docs is not None:
        page = docs / "quality.md"
        before, _, after = page.read_text("utf-8").partition(sizes.begin)
        page.write_text(f"{before}{sizes.begin}\n{text}\n{sizes.end}{after.partition(sizes.end)[2]}", "utf-8")


def table(made: Cells) -> Iterator[str]:
    """With what is within the noise of the lowest in bold."""
    methods = methods_of(made)
    yield from heading(methods)
    every = [own.values() for cell in made.values() for own in cell.values()]
    gaps = [abs(math.log(max(own) / min(own))) for own in every if len(own) > 1]
    noise = math.exp(sorted(gaps)[len(gaps) // 2]) if gaps else 1.0
    for (task, share), cell in sorted(made.items()):
        means = {name: sum(own.values()) / len(own) for name, own in cell.items()}
        lowest = min(means.values())
        shown = []
        for name in methods:
            value = f"{means[name]:.1f}" if name in means else ""
            shown.append(f"**{value}**" if value and means[name] <= lowest * noise else value)
        yield row_of(task, share, shown)
    yield ""
    if gaps:
        yield f"Bold: within {100 * (noise - 1):.1f} % of the lowest, the median difference between two seeds."
    else:
        yield "Bold: the lowest. One seed each; seeds differ by 1 to 2 %."


def methods_of(made: Cells) -> list[str]:
    named = {name for cell in made.values() for name in cell}
    return [*(name for name in METHODS if name in named), *sorted(named.difference(METHODS))]


def heading(methods: Sequence[str]) -> Iterator[str]:
    yield "| text wanted | budget | " + " | ".join(methods) + " |"
    yield "|---|---|" + "---|" * len(methods)


def row_of(task: str, share: float, shown: Sequence[str]) -> str:
    return f"| {task} | {100 * share:g} % | " + " | ".join(shown) + " |"


@dataclass(frozen=True)
class Difference:
    """Between the log perplexities of two methods."""

    mean: float
    error: float  # of the mean, the standard error
    draws: int

    @classmethod
    def of(cls, one: Mapping[int, float], other: Mapping[int, float]) -> Difference:
        """Over the seeds that both have."""
        logs = [math.log(one[seed] / other[seed]) for seed in sorted(one.keys() & other.keys())]
        if len(logs) < 2:
            raise SystemExit("neural.py: with --subsample two methods need two seeds or more in common")
        return cls(statistics.fmean(logs), statistics.stdev(logs) / math.sqrt(len(logs)), len(logs))

    @property
    def significant(self) -> bool:
        """Does the 95 % interval exclude 0?"""
        return abs(self.mean) > STUDENT[min(self.draws, 10) - 2] * self.error

    def __str__(self) -> str:
        ratio = math.exp(self.mean)
        return f"{100 * (ratio - 1):+.1f} ± {100 * ratio * self.error:.1f} %"


def table_of_draws(made: Cells) -> Iterator[str]:
    """With how much each is above the lowest, and how often a method is not."""
    methods = methods_of(made)
    yield from heading(methods)
    above: dict[str, list[str]] = {name: [] for name in methods}  # where a method is
    for (task, share), cell in sorted(made.items()):
        least = min(cell.values(), key=mean)
        for name, own in cell.items():
            above[name] += [f"{task} at {100 * share:g} %"] if Difference.of(own, least).significant else []
        yield row_of(task, share, [shown(cell[name], least) if name in cell else "" for name in methods])
    yield ""
    yield (
        "Means of rankings for several parts of REPRESENTATIVE, and how much they are above the lowest, with the "
        "standard error. Bold: the lowest, or the 95 % interval of the difference to it contains 0."
    )
    yield ""
    led = Counter({name: sum(name in cell for cell in made.values()) - len(above[name]) for name in methods})
    told = ", ".join(f"{name} {number}" for name, number in led.most_common() if number)
    yield f"- Of {len(made)} cases, perplexity lowest or within the interval of the lowest: {told}."
    both = [cell for cell in made.values() if BASE in cell and FOR_MODEL in cell]
    if both:
        told = f"; not at: {', '.join(above[FOR_MODEL])}" if above[FOR_MODEL] else ""
        yield f"- {FOR_MODEL} is within the interval of the lowest in {led[FOR_MODEL]}{told}."
        yield beside(both)


def mean(own: Mapping[int, float]) -> float:
    return statistics.geometric_mean(own.values())


def shown(own: Mapping[int, float], least: Mapping[int, float]) -> str:
    """A cell of the table."""
    above = Difference.of(own, least)
    value = f"{mean(own):.1f}" if above.significant else f"**{mean(own):.1f}**"
    return value if own is least else f"{value}, {above}"


def beside(cells: Sequence[Cell]) -> str:
    """What `--for model` changes; on average, the means of a seed over all cases are compared."""
    changes = [Difference.of(cell[FOR_MODEL], cell[BASE]) for cell in cells]
    low, high = (100 * math.expm1(end(one.mean for one in changes)) for end in (min, max))
    lower, higher = ([one.significant for one in changes if one.mean * sign > 0] for sign in (-1, 1))
    seeds = set[int].intersection(*({*cell[name]} for cell in cells for name in (BASE, FOR_MODEL)))
    ours, theirs = (
        {seed: statistics.geometric_mean(cell[name][seed] for cell in cells) for seed in seeds}
        for name in (FOR_MODEL, BASE)
    )
    return (
        f"- Beside {BASE}, its perplexity is {low:+.1f} to {high:+.1f} %, {Difference.of(ours, theirs)} on average; "
        f"lower in {len(lower)}, significantly in {sum(lower)}, and higher in {len(higher)}, significantly in "
        f"{sum(higher)}."
    )


if __name__ == "__main__":
    main()
