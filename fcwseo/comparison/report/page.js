
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const tip = document.getElementById("tip");

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

// Chips: a pressed one is drawn in colour and named, the others stand behind in grey.
const chips = [...document.querySelectorAll(".chips button")];
function marksOf(number) { return [...document.querySelectorAll(`main .s${number}`)].filter((mark) => !mark.closest(".chips")); }

// Positions near the wanted ones, in their order and a gap apart: what svg.spread does.
function spread(wanted, gap, low, high) {
  const inside = (middle, count) => Math.max(Math.min(middle, high - gap * (count - 1) / 2), low + gap * (count - 1) / 2);
  const blocks = [];
  for (const i of wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b])) {
    let block = { middle: inside(wanted[i], 1), members: [i] };
    for (let last = blocks.at(-1); last && block.middle - last.middle < gap * (block.members.length + last.members.length) / 2; last = blocks.at(-1)) {
      blocks.pop();
      const [n, m] = [last.members.length, block.members.length];
      block = { middle: inside((last.middle * n + block.middle * m) / (n + m), n + m), members: [...last.members, ...block.members] };
    }
    blocks.push(block);
  }
  const places = [];
  for (const { middle, members } of blocks) members.forEach((i, at) => { places[i] = middle + gap * (at - (members.length - 1) / 2); });
  return places;
}

function placeNames(svg) {
  const [, right, top, bottom] = svg.dataset.axes.split(" ").map(Number);
  const names = [...svg.querySelectorAll(".name:not(.rest)")];
  const hairs = names.map((name) => name.previousElementSibling);
  const from = hairs.map((hair) => hair.dataset.from.split(" ").map(Number));
  const gap = Math.min(15, (bottom - top) / Math.max(1, names.length - 1));
  const size = Math.min(12, gap / 1.25);
  spread(from.map(([, y]) => y), gap, top, bottom).forEach((y, i) => {
    names[i].setAttribute("y", y + size * 0.35);
    names[i].setAttribute("font-size", size);
    hairs[i].setAttribute("points", `${from[i].join(",")} ${right + 9},${y} ${right + 13},${y}`);
  });
}

for (const chip of chips) {
  const number = Number(chip.dataset.number);
  chip.addEventListener("click", () => {
    const on = chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", String(on));
    for (const mark of marksOf(number)) {
      mark.classList.toggle("rest", !on);
      if (mark.matches(".line:not(.ref)")) mark.setAttribute("stroke-dasharray", on ? dashes[Math.floor(number / 8) % 4] : "none");
    }
    chip.classList.toggle("rest", !on);
    document.querySelectorAll("svg.named-lines").forEach(placeNames);
  });
  const near = (on) => {
    document.querySelectorAll("svg.named-lines, svg.multiple").forEach((svg) => svg.classList.toggle("faded", on));
    marksOf(number).forEach((mark) => mark.classList.toggle("near", on));
  };
  chip.addEventListener("pointerenter", () => near(true));
  chip.addEventListener("pointerleave", () => near(false));
}
const dashes = ["none", "7 3", "2 3", "9 3 2 3"]; // as names.py has them
const isShown = (number) => !chips.some((chip) => Number(chip.dataset.number) === number && chip.getAttribute("aria-pressed") !== "true");

// Curves: the values at the nearest checkpoint, by pointer or by arrow keys.
function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function place(x, y) {
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, x + 16 + box.width > innerWidth ? x - box.width - 16 : x + 16)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 12, innerHeight - box.height - 4))}px`;
}

function tell(spots, n) {
  tip.replaceChildren();
  const title = document.createElement("b");
  title.textContent = `${n.toLocaleString("en")} pages`;
  const table = document.createElement("table");
  for (const spot of spots) {
    const row = table.insertRow();
    row.className = `s${spot.number}`;
    const range = spot.low === null ? "" : `${spot.low.toFixed(3)} – ${spot.high.toFixed(3)}`;
    [spot.name, spot.mean.toFixed(3), range].forEach((text, at) => {
      const cell = row.insertCell();
      cell.textContent = text;
      if (at === 2) cell.className = "range";
    });
  }
  tip.append(title, table);
  tip.hidden = false;
}

for (const svg of document.querySelectorAll("svg.curves")) {
  const lines = data.curves[svg.parentElement.dataset.measure];
  if (!lines) continue;
  const [left, right, top, bottom, last] = svg.dataset.axes.split(" ").map(Number);
  const checkpoints = lines[0].spots.map((spot) => spot[0]);
  const rule = element("line", { class: "rule off", y1: top, y2: bottom });
  svg.append(rule);
  svg.setAttribute("tabindex", "0");
  let at = checkpoints.length - 1;
  const show = (clientX, clientY) => {
    const x = left + (checkpoints[at] / last) * (right - left);
    rule.classList.remove("off");
    rule.setAttribute("x1", x);
    rule.setAttribute("x2", x);
    const spots = lines.filter((line) => isShown(line.number)).map((line) => {
      const [, mean, low, high] = line.spots[at];
      return { name: line.name, number: line.number, mean, low, high };
    });
    tell(spots.sort((a, b) => b.mean - a.mean), checkpoints[at]);
    place(clientX, clientY);
  };
  const end = () => { rule.classList.add("off"); tip.hidden = true; };
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const n = (((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width - left) / (right - left) * last;
    at = checkpoints.reduce((best, value, i) => Math.abs(value - n) < Math.abs(checkpoints[best] - n) ? i : best, 0);
    show(event.clientX, event.clientY);
  });
  svg.addEventListener("pointerleave", end);
  svg.addEventListener("blur", end);
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = Math.max(0, Math.min(checkpoints.length - 1, at + step));
    const box = svg.getBoundingClientRect();
    show(box.left + box.width / 2, box.top + box.height / 3);
  });
}

// Tables: sort by a column; numbers by value, from the largest.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending" || (column === 0 && head.getAttribute("aria-sort") !== "ascending");
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => {
      const text = row.cells[column].textContent.trim();
      const number = parseFloat(text.replace(/^[<[\s]+/, "").replace(/,/g, ""));
      return column === 0 || Number.isNaN(number) ? text : number;
    };
    const rows = [...table.tBodies[0].rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return up ? order : -order;
    });
    table.tBodies[0].append(...rows);
  }));
}

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.of).textContent);
    button.textContent = "Copied";
  });
}

// A link within the page opens what hides its target.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let above = target.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
