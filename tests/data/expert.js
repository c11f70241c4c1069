// The hands of an expert on the page of an ontology: the steps are what is pressed, #said what came of it.
const said = {}, get = (selector) => document.querySelector(selector);
const press = (selector) => get(selector).click();
let wait = Promise.resolve();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
URL.createObjectURL = (blob) => {
  wait = wait.then(() => blob.arrayBuffer()).then((bytes) => { said.tables.push(decoder.decode(bytes)); });
  return "#";
};
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
  const list = new DataTransfer();
  tables.forEach((text, nth) => list.items.add(new File([text], `${nth}.csv`)));
  get("#table").files = list.files;
  get("#table").dispatchEvent(new Event("change"));
  return until(() => get("#opened")?.textContent);
};
const download = () => { press("#edit"); press("[data-key=save-relations]"); press("[data-key=save-terms]"); };
const told = () => document.body.append(Object.assign(document.createElement("pre"), { id: "said", textContent: JSON.stringify(said) }));
(async () => { %STEPS% })().catch((error) => { said.error = String(error); }).then(() => wait).then(told);
