// Looks at a page in a frame, which keeps its own policy: see boxes() in helpers/browser.py.
const frame = document.getElementById("f");
const seen = (node) => node.getClientRects().length > 0;
function looked(page, view) {
  const names = [...page.querySelectorAll("svg")].filter(seen).map((svg) => {
    const box = svg.getBoundingClientRect();
    const named = [...svg.querySelectorAll("text.name")].filter(seen).map((node) => node.getBoundingClientRect());
    const cut = [...svg.querySelectorAll("text")].filter(seen).map((node) => node.getBoundingClientRect())
      .filter((r) => r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1);
    let collide = 0;
    named.forEach((a, i) => named.slice(i + 1).forEach((b) => {
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) collide += 1;
    }));
    return [named.length, collide, cut.length];
  });
  return { names: names.map((n) => n[0]), collide: names.reduce((s, n) => s + n[1], 0), cut: names.reduce((s, n) => s + n[2], 0) };
}
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow, found = {};
  found.width = view.innerWidth;
  found.scrolls = page.documentElement.scrollWidth;
  const pictures = [...page.querySelectorAll("svg")].filter(seen);
  found.pictures = pictures.length;
  found.flat = pictures.filter((svg) => { const box = svg.getBoundingClientRect(); return box.width < 4 || box.height < 4; }).length;
  Object.assign(found, looked(page, view));
  found.light = view.getComputedStyle(page.body).backgroundColor;
  page.getElementById("theme").click();
  found.dark = view.getComputedStyle(page.body).backgroundColor;
  const link = page.querySelector('a[href^="#visit-"]');
  if (link) link.click();
  const chips = [...page.querySelectorAll(".chips button")];
  found.chips = chips.length;
  chips.filter((chip) => chip.getAttribute("aria-pressed") === "false").forEach((chip) => chip.click());
  found.all = looked(page, view);
  setTimeout(() => {
    const target = link && page.getElementById(link.getAttribute("href").slice(1));
    found.opened = Boolean(target && seen(target));
    document.getElementById("found").textContent = JSON.stringify(found);
  }, 300);
});
