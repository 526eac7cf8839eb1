// What the page shows, put together.

const acrossWords = () => $("axis").value === "words";
const across = () => (acrossWords() ? cuts.words : cuts.lines);
const along = () => ({ xName: acrossWords() ? "words picked" : "lines picked", xLog: $("log").checked, onPick: (i) => setCut(i), start: () => at });
const balance = () => (acrossWords() ? made.balance.words : made.balance.lines);
const cutAt = (y) => () => ({ x: across()[at], y: y ? y[at] : null });

function marksOf(y) {
  const marks = [{ x: across()[stop], y: y ? y[stop] : null, kind: "stop", name: y && `${made.stop.known ? "stopping point" : "lowest so far"}: ${one(made.stop.lines, "line")}` }];
  if (best !== null) marks.push({ x: across()[best], y: y ? y[best] : null, kind: "best", name: y && `best on held-out text: ${one(cuts.lines[best], "line")}` });
  return made.ranked ? marks : [];
}

function curves() {
  const h = cuts.entropy;
  chart($("entropy"), () => ({
    caption: `Bits a word of the wanted text costs: lowest at ${one(made.stop.lines, "line")}`,
    says: made.stop.known ? "Up to there every line helps on balance; beyond it, more text makes this model worse."
      : "The ranking ends before it is sure that this is the lowest point: rank further to know.",
    series: [{ name: "entropy", x: across(), y: h }], yName: "entropy, bits a word", marks: marksOf(h), cut: cutAt(h), height: 320,
    tipShow: bits, ...along(),
  }));
  if (made.unknown) {
    const u = made.unknown.representative, v = made.unknown.heldout, levels = [];
    if (made.covers && made.covers.tokens < 1 - 1e-9) levels.push({ y: 1 - made.covers.tokens, name: `no line has them: ${percent(1 - made.covers.tokens)} of the words` });
    chart($("unknown"), () => ({
      caption: "Words that the picks still lack", says: "Of all running words, and of the different ones (types).",
      series: [{ name: "words", x: across(), y: u.tokens }, { name: "types", x: across(), y: u.types, dash: "dash" },
        ...(v ? [{ name: "held-out words", x: across(), y: v.tokens }, { name: "held-out types", x: across(), y: v.types, dash: "dash" }] : [])],
      yName: "unknown", yLog: true, yShow: share, tipShow: percent, levels, marks: marksOf(null), cut: cutAt(u.tokens), ...along(),
    }));
  }
  chart($("balance"), () => ({
    caption: "What a line's words bring, and what its length costs",
    says: `Bits a line, the mean from one point to the next${made.features ? "; of words and n-grams together" : ""}. Where the curves cross, lines stop paying on average.`,
    series: [{ name: "its words bring (gain)", x: balance(), y: made.balance.gain.map((g) => -g) }, { name: "its length costs (penalty)", x: balance(), y: made.balance.penalty, dash: "dash" }],
    yName: "bits a line", yLog: true, yShow: power, tipShow: small, marks: marksOf(null), cut: cutAt(null), ...along(), onPick: (i) => setCut(placeOf(made.balance.lines[i])), start: () => 0,
  }));
  const e = made.evaluation;
  if (e && e.points.some((p) => Number.isFinite(p.ngram_perplexity))) {
    const x = () => e.points.map((p) => (acrossWords() ? p.words : p.lines));
    const mark = e.best && Number.isFinite(e.best.ngram_perplexity) ? `, lowest at ${one(e.best.lines, "line")}` : "";
    chart($("heldout"), () => ({
      caption: `Perplexity of an n-gram model on held-out text${mark}`, says: `Trained on the lines up to each of ${one(e.points.length, "cut")}.`,
      series: [{ name: "n-gram perplexity", x: x(), y: e.points.map((p) => p.ngram_perplexity) }, ...(e.points.some((p) => Number.isFinite(p.ngram_perplexity_known)) ? [{ name: "of known words alone", x: x(), y: e.points.map((p) => p.ngram_perplexity_known), dash: "dash" }] : [])],
      yName: "perplexity", yLog: true, tipShow: perplexity, marks: marksOf(null), cut: cutAt(null), ...along(), onPick: (i) => setCut(placeOf(e.points[i].lines)), start: () => 0,
    }));
  }
}

function parts() {
  if (made.labels) bars($("labels"), "Where the picks come from", "Share of the lines up to the cut, by label.", ["picks", made.labels.available ? "AVAILABLE" : null], mixture(made.labels, made.labels.available));
  if (made.classes) {
    const rows = made.classes.rows.map((row, i) => ({ ...row, picked: made.classes.picked[i] }));
    bars($("classes"), "Words by class", "Share of the picks' words. Useful words are much more frequent in REPRESENTATIVE than in AVAILABLE; useless ones are not in it.", ["picks", "REPRESENTATIVE"],
      () => rows.map((row) => ({ name: `${row.name}, ${one(row.types, "type")}`, value: row.picked[at] / (cuts.words[at] || 1), other: row.representative })));
  }
  if (made.lengths) {
    histogram($("lengths"), "How long the lines are", made.lengths.representative ? "Picks up to the cut against the lines of REPRESENTATIVE." : "Picks up to the cut.", made.lengths.names,
      () => made.lengths.picked.map((row) => row[at] / (cuts.lines[at] || 1)), made.lengths.representative);
  }
  if (made.useful && made.useful.length) usefulWords($("useful"));
}

function start() {
  const a = made.available;
  $("name").textContent = visible(made.name);
  $("lead").textContent = `${one(made.ranked, "line")} ranked${a ? ` out of ${whole(a.lines)}` : ""}, ${one(cuts.words[last], "word")}${cuts.entropy[0] !== null && made.ranked ? `; ${bits(cuts.entropy[0])} bits before the first, ${bits(cuts.entropy[last])} after the last` : ""}.`;
  $("slider").max = last;
  $("lines").max = made.ranked;
  $("price").value = made.price === null || made.price === undefined ? "" : made.price;
  const jumps = [["Start", 0], ["Stopping point", stop], ...(best === null ? [] : [["Best cut", best]]), ["All", last]];
  $("jumps").append(...jumps.map(([name, place]) => {
    const button = el("button", { type: "button" }, name);
    button.addEventListener("click", () => setCut(place));
    return button;
  }));
  curves();
  parts();
  if (made.comparison) comparison($("methods"));
  if (!made.command) $("command-row").hidden = true;
  followers.push(figures, around, () => { $("command").value = command() || ""; $("saved").textContent = ""; });
  $("slider").addEventListener("input", () => setCut(Number($("slider").value)));
  $("lines").addEventListener("change", typed);
  $("price").addEventListener("input", figures);
  $("copy").addEventListener("click", copy);
  $("save").addEventListener("click", save);
  for (const id of ["axis", "log"]) $(id).addEventListener("change", () => charts.forEach((picture) => picture.draw()));
  $("search").addEventListener("input", searched);
  $("more").addEventListener("click", () => { shown += PAGE; linesTable($("search").value.toLowerCase().split(/\s+/).filter(Boolean)); });
  const themes = ["auto", "light", "dark"];
  $("theme").addEventListener("click", () => {
    const now = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
    if (now === "auto") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = now;
    $("theme").textContent = `Colours: ${now}`;
    $("theme").setAttribute("aria-label", now === "auto" ? "Colours: as the system has them" : `Colours: ${now}`);
  });
  $("notes").append(...made.notes.map((note) => el("li", null, visible(note))), el("li", null, `The page carries ${one(last + 1, "cut")} and ${one(made.lines.rank.length, "line")} of ${whole(made.ranked)}.`));
  $("settings").append(...Object.entries(made.settings).flatMap(([name, value]) => [el("dt", null, name), el("dd", null, visible(String(value)))]));
  $("footer").textContent = `Made by cynical ${made.version}.`;
  setCut(made.ranked ? stop || last : 0);
  charts.forEach((picture) => picture.draw());
  searched();
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; charts.forEach((picture) => picture.draw()); } });
}

start();
