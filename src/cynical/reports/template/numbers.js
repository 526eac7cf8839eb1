"use strict";
// Numbers and texts as people read them.

const made = JSON.parse(document.getElementById("made").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

// An element; strings become text nodes, so whatever a corpus says is never markup.
function el(name, attributes, ...children) {
  const node = document.createElement(name);
  return fill(node, attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

const whole = (n) => Math.round(n).toLocaleString("en-US");
const one = (n, word) => `${whole(n)} ${word}${n === 1 ? "" : "s"}`;

function digits(n, places) {
  if (n === null || n === undefined || !Number.isFinite(n)) return "\u2013";
  return n.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
}

const minus = (text) => text.replace(/^-/, "\u2212");
const bits = (n) => minus(digits(n, 4));

// Small changes need as many digits as it takes to see them.
function small(n) {
  if (n === null || n === undefined || !Number.isFinite(n)) return "\u2013";
  if (n === 0) return "0";
  const size = Math.abs(n);
  if (size >= 0.001) return minus(n.toFixed(4));
  const [mantissa, exponent] = n.toExponential(2).split("e");
  return minus(`${mantissa}\u00b710${raised(Number(exponent))}`);
}

// A power of ten as one, for an axis.
function power(n) {
  const e = Math.log10(n);
  if (n >= 0.001 && n < 10000) return String(Number(n.toPrecision(3)));
  return Math.abs(e - Math.round(e)) < 1e-9 ? `10${raised(Math.round(e))}` : small(n);
}

function raised(n) {
  const up = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  return (n < 0 ? "\u207b" : "") + [...String(Math.abs(n))].map((d) => up[d]).join("");
}

function percent(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return "\u2013";
  const p = 100 * share;
  if (p === 0) return "0 %";
  return `${p >= 10 ? p.toFixed(1) : p >= 0.01 ? p.toFixed(2) : p.toPrecision(1)} %`;
}

const fraction = (s) => `${Number((100 * s).toPrecision(4))} %`;  // as somebody has given it
const share = (s) => `${Number((100 * s).toPrecision(2))} %`;  // on an axis
const perplexity = (n) => digits(n, n >= 1000 ? 0 : n >= 100 ? 1 : 2);

// 12,000 as 12k where there is little room.
function short(n) {
  for (const [size, name] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (Math.abs(n) >= size) return `${Number((n / size).toPrecision(3))}${name}`;
  }
  return String(Number(n.toPrecision(3)));
}

// Control characters as visible symbols, and marks that change the text direction as their code point: nothing is hidden.
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g, (c) => {
    const code = c.charCodeAt(0);
    if (code < 32) return String.fromCharCode(0x2400 + code);
    if (code === 127) return "\u2421";
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

// A text of a corpus, isolated from the text direction around it.
function said(text, more) {
  return el("bdi", null, visible(text) + (more ? " \u2026" : ""));
}
