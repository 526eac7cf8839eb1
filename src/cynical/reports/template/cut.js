// The cut: one of the cuts that the page contains, so that every figure is the one of the ranking.

const cuts = made.cuts, last = cuts.lines.length - 1;
const followers = [];  // what is shown again when the cut moves
let at = 0;

// For each row of increments its sum up to the cut.
function running(rows) {
  for (const row of rows) for (let i = 1; i < row.length; i++) row[i] += row[i - 1];
  return rows;
}
for (const part of [made.labels, made.lengths, made.classes]) if (part) running(part.picked);
if (made.labels) running(made.labels.words);
for (const part of made.labels ? [made.labels.paid, made.labels.paid_others] : []) if (part) running(part);

// Bits of single words, or of what takes their place.
const entropyName = `entropy, bits per word${made.over && made.over !== "words" ? `, over ${made.over}` : ""}`;

const placeOf = (lines) => nearest(cuts.lines, lines, {});
const stop = placeOf(made.stop.lines);  // where the entropy is lowest
const modelStop = made.model_stop ? placeOf(made.model_stop.lines) : null;
const best = made.evaluation && made.evaluation.best && Number.isFinite(made.evaluation.best.lines) ? placeOf(made.evaluation.best.lines) : null;

function setCut(place, message) {
  at = Math.min(Math.max(place, 0), last);
  const lines = cuts.lines[at];
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", `${one(lines, "line")}, ${one(cuts.words[at], "word")}`);
  if (document.activeElement !== $("lines") || message) $("lines").value = lines;
  $("snapped").textContent = message || "";
  for (const follow of followers) follow();
  for (const picture of charts) if (picture.move) picture.move();
}

function typed() {
  const wanted = Math.round(Number($("lines").value));
  if ($("lines").value === "" || !Number.isFinite(wanted)) { setCut(at, "Type a number of lines."); return; }
  const place = placeOf(wanted), got = cuts.lines[place];
  setCut(place, got === wanted ? "" : wanted > made.ranked ? `The ranking ends after ${one(made.ranked, "line")}.` : `${whole(got)} is the nearest cut on this page${made.command ? "; the command accepts any number" : ""}.`);
  $("lines").value = got;
}

// Between two points of the evaluation, along the logarithm of words.
function between(field) {
  const points = made.evaluation.points.filter((p) => p.words > 0 && Number.isFinite(p[field]));
  const words = cuts.words[at];
  if (!points.length || words < points[0].words || words > points[points.length - 1].words) return null;
  const j = points.findIndex((p) => p.words >= words);
  if (points[j].words === words) return { value: points[j][field], exact: true };
  const a = points[j - 1], b = points[j], t = Math.log(words / a.words) / Math.log(b.words / a.words);
  return { value: a[field] + t * (b[field] - a[field]), exact: false };
}

// What is paid for up to the cut, and how money is written.
const paid = (place) => (made.bill ? made.bill.units : cuts.words)[place];
const paidOthers = (place) => (made.bill && made.bill.others ? made.bill.others[place] : 0);  // at a price of their own
const owed = (price, number, others) => number * price + (others ? others * made.bill.price_with : 0);
const terms = (price, place) => `${units(paid(place))} at ${price}${paidOthers(place) ? `, ${units(paidOthers(place))} of the other side at ${made.bill.price_with}` : ""}`;
const perUnit = made.bill ? made.bill.per : "word";
const units = (number) => one(number, made.bill && perUnit === "word" ? "paid word" : perUnit);  // punctuation is free
const money = (amount) => `${digits(amount, 2)}${made.bill && made.bill.currency ? ` ${visible(made.bill.currency)}` : ""}`;

// The price of a unit, if one is given.
const priceOf = () => (Number($("price").value) > 0 ? Number($("price").value) : null);

function figures() {
  const lines = cuts.lines[at], words = cuts.words[at], h = cuts.entropy[at];
  const rows = [["lines", whole(lines), made.available ? `${percent(lines / made.available.lines)} of AVAILABLE` : ""],
    ["words", whole(words), ""]];
  if (made.available) rows.push(["share of AVAILABLE's words", percent(words / made.available.words), ""]);
  rows.push([entropyName, h === null ? "unknown" : bits(h), at && cuts.entropy[0] !== null && h !== null ? `${minus(digits(h - cuts.entropy[0], 4))} from the start` : ""]);
  rows.push(["perplexity", h === null ? "unknown" : perplexity(2 ** h), ""]);
  if (cuts.features && cuts.features[at] !== null) rows.push(["entropy with n-grams", bits(cuts.features[at]), ""]);
  const price = priceOf();
  if (made.unknown) {
    const u = made.unknown.representative, v = made.unknown.heldout;
    if (!price) rows.push(["unknown words", percent(u.tokens[at]), `${percent(u.types[at])} of the types`]);
    if (v) rows.push(["unknown in held-out text", percent(v.tokens[at]), `${percent(v.types[at])} of the types`]);
  }
  if (made.evaluation) {
    const p = between("ngram_perplexity"), u = made.unknown && made.unknown.heldout ? null : between("oov_tokens");
    rows.push(["held-out n-gram perplexity", p ? perplexity(p.value) : "\u2013", p ? (p.exact ? "" : "interpolated") : "outside the evaluated range"]);
    if (u) rows.push(["unknown in held-out text", percent(u.value), u.exact ? "" : "interpolated"]);
  }
  if (price) {  // who buys text looks at cost and coverage first
    const u = made.unknown && made.unknown.representative, cost = ["cost", money(owed(price, paid(at), paidOthers(at))), terms(price, at)];
    rows.unshift(cost, ...(u ? [["covered words", percent(1 - u.tokens[at]), `${percent(1 - u.types[at])} of the types`]] : []));
  }
  $("figures").replaceChildren(...rows.map(([name, value, more]) =>
    el("div", { "data-figure": name }, el("dt", null, name), el("dd", null, value, more ? el("small", null, more) : null))));
}

const command = () => (made.command ? made.command[0] + cuts.lines[at] + made.command[1] : null);

function copy() {
  const field = $("command");
  const done = () => { $("saved").textContent = "Copied; paste it into a shell."; };
  const byHand = () => {
    field.focus(); field.select();
    if (document.execCommand("copy")) done(); else $("saved").textContent = "The command is selected: copy it with your keyboard.";
  };
  if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(done, byHand); else byHand();
}

let unbroken = 0;  // the number of lines, from the first on, that are here whole
while (made.lines.rank[unbroken] === unbroken + 1 && made.lines.whole[unbroken] && made.lines.others.every((side) => side[unbroken][1])) unbroken++;

// The command as high as it is long, and the button called for what it does.
function toTake() {
  const lines = cuts.lines[at], field = $("command"), here = lines <= unbroken;
  field.value = command() || "";
  $("command-row").hidden = !made.command || !lines;  // nothing is cut out of nothing
  fit();
  $("save").hidden = !lines || (!here && !made.command);
  $("save").textContent = here ? "Save the lines" : "Save the command";
  $("saved").textContent = "";
}

function fit() {
  const field = $("command");
  field.style.height = "auto";
  if (field.scrollHeight) field.style.height = `${field.scrollHeight + 2}px`;
}

// The lines themselves if the page has all of them, else the command that writes them.
function save() {
  const lines = cuts.lines[at];
  if (lines <= unbroken) {
    const l = made.lines, sided = made.sides.length > 1, name = `best-${lines}.${sided ? "tsv" : "txt"}`;
    const plain = (text) => text.replace(sided ? /[\n\t]/g : /\n/g, " ");
    const rows = l.text.slice(0, lines).map((text, i) => [text, ...l.others.map((side) => side[i][0])].map(plain).join("\t"));
    download(name, [...(sided ? [made.sides.map(plain).join("\t")] : []), ...rows].map((row) => `${row}\n`).join(""));
    $("saved").textContent = `Saved ${one(lines, "line")} as ${name}.`;
  } else {
    download(`cut-${lines}.sh`, `#!/bin/sh\n${command()}\n`);
    $("saved").textContent = `The page contains only the first ${whole(unbroken)} of these ${whole(lines)} lines in full, so cut-${lines}.sh was saved: it has the command that writes all of them.`;
  }
}

function download(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const sideName = (side) => el("span", { class: "side" }, said(made.sides[side]));

// The text of a line; where it has several sides, each below the other with its name. show(text, whole) makes a node.
function bothSides(i, show) {
  const l = made.lines, first = show(l.text[i], l.whole[i]);
  if (made.sides.length < 2) return first;
  return el("span", { class: "sides" }, ...[first, ...l.others.map((side) => show(...side[i]))].flatMap((node, side) => [sideName(side), node]));
}

function around() {
  const { rank } = made.lines, lines = cuts.lines[at];
  let next = rank.findIndex((r) => r > lines);
  if (next < 0) next = rank.length;
  const row = (i) => el("li", { class: rank[i] > lines ? "out" : "in" },
    el("span", { class: "n" }, `#${whole(rank[i])}`), el("span", { class: "n" }, `${small(made.lines.delta[i])} bits`),
    el("span", { class: "line" }, bothSides(i, (text, whole) => said(text, !whole))));
  const above = [], below = [];
  for (let i = Math.max(next - 4, 0); i < next; i++) above.push(row(i));
  for (let i = next; i < Math.min(next + 4, rank.length); i++) below.push(row(i));
  const title = lines ? `the cut: ${one(lines, "line")} kept` : "the cut: nothing kept";
  $("around").replaceChildren(el("ol", null, ...above, el("li", { class: "here" }, title), ...below));
}
