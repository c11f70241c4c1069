// The hands of an expert on the page of an ontology: the steps are what is pressed, #said what came of it.
const said = {}, get = (selector) => document.querySelector(selector);
const press = (selector) => get(selector).click();
// Blobs and files keep their text: to read a real one takes time of the clock, and the browser's time runs ahead of that.
const keeping = (Base) => class extends Base {
  constructor(parts, ...more) { super(parts, ...more); this.kept = parts.join(""); }
  text() { return Promise.resolve(this.kept); }
};
window.Blob = keeping(Blob);
const Table = keeping(File);
URL.createObjectURL = (blob) => { said.tables.push(blob.kept); return "#"; };
HTMLAnchorElement.prototype.click = function () { said.names.push(this.getAttribute("download")); };
said.tables = []; said.names = [];
const at = (name) => data.concepts.findIndex((concept) => concept.name === name);
const data = JSON.parse(get("#data").textContent);
const edge = (child) => data.edges.findIndex((one) => one.child === at(child));
const node = (name) => get(`#nodes [data-node="${at(name)}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
const change = (selector, value) => { get(selector).value = value; get(selector).dispatchEvent(new Event("change")); };
const add = (text) => { get("[data-key=synonym]").value = text; get("#panel form").requestSubmit(); };
const pause = () => new Promise((done) => setTimeout(done, 50));
const until = async (happened) => { while (!happened()) await pause(); };
const open = (...tables) => {
  const files = tables.map((text, nth) => new Table([text], `${nth}.csv`));
  Object.defineProperty(get("#table"), "files", { value: files });
  get("#table").dispatchEvent(new Event("change"));
  return until(() => get("#opened")?.textContent);
};
const download = () => { press("#edit"); press("[data-key=save-relations]"); press("[data-key=save-terms]"); };
const told = () => document.body.append(Object.assign(document.createElement("pre"), { id: "said", textContent: JSON.stringify(said) }));
(async () => { %STEPS% })().catch((error) => { said.error = String(error); }).then(told);
