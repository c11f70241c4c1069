"""The edits of an expert on the page, and the tables in which they come back; in a real browser."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from fcwseo_ontology.decisions import COLUMNS, Decision, decided, read_relations, write_relations
from fcwseo_ontology.draw.hasse import Hasse, HasseNode
from fcwseo_ontology.draw.page import html_page, page_data
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.terms.extract import YES, read_review

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
in_a_browser = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")]

BEES = Ontology(
    "bee",
    (
        Concept("bee", (Label("bee"), Label("蜜蜂", "zh")), (Label("bees"),), "corpus", 9),
        Concept("worker", (Label("worker bee"),), (), "corpus", 4),
        Concept("hive", (Label('the "hive", a home'),), (), "corpus", 3),
        Concept("mite", (Label("mite"),), (), "corpus", 2),
    ),
    (
        Edge("hive", "bee", Relation.RELATED, 'says "a;\nb"', 0.3),
        Edge("mite", "bee", Relation.IS_A, "head noun", 0.9),
        Edge("worker", "bee", Relation.IS_A, "head noun", 0.9),
    ),
)

# Frames come also where nobody looks.
FRAMES = "window.requestAnimationFrame = (frame) => setTimeout(() => frame(performance.now()), 0);"
DRIVER = Path(__file__).parents[2] / "data" / "expert.js"


def run(
    folder: Path, steps: str, ontology: Ontology = BEES, hasse: Hasse | None = None
) -> dict[str, list[str]]:
    """What the steps of an expert leave behind. The policy is lifted for their script."""
    page = html_page(ontology, weights={}, hasse=hasse)
    page = re.sub(r"<meta http-equiv=.Content-Security-Policy[^>]*>", "", page)
    file = folder / "page.html"
    script = DRIVER.read_text(encoding="utf-8").replace("%STEPS%", steps)
    page = page.replace("<body>", f"<body><script>{FRAMES}</script>")
    file.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    quiet = "--disable-gpu --no-first-run --disable-background-networking --disable-component-update"
    command = [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        *quiet.split(),
        f"--user-data-dir={folder}/profile",
    ]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=4000", "--dump-dom"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:]
    said: dict[str, list[str]] = json.loads(unescape(found[1]))
    assert "error" not in said, said
    return said


def saved(folder: Path, said: dict[str, list[str]]) -> tuple[tuple[Decision, ...], dict[str, bool]]:
    """The tables as they are read back."""
    assert said["names"] == ["relations.csv", "terms.csv"]
    for name, text in zip(said["names"], said["tables"], strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    return read_relations(folder / "relations.csv"), read_review(folder / "terms.csv")


EDITS = """
  node("mite"); press(`[data-key=edge-${edge("mite")}-Drop]`);
  change(`[data-key=kind-${edge("mite")}]`, "part-of"); press(`[data-key=edge-${edge("mite")}-Drop]`);
  node("hive"); change(`[data-key=kind-${edge("hive")}]`, "attribute-of");
  add('a  "skep", old'); add("a skep"); add("A SKEP ");
  node("worker"); press(`[data-key=edge-${edge("worker")}-Accept]`);
  node("mite"); press("[data-key=term-Drop]");
"""


def test_the_page_knows_the_columns_of_the_tables() -> None:
    data = json.loads(json.dumps(page_data(BEES)))
    assert data["tables"] == {"relations": list(COLUMNS), "terms": ["term", "df", "score", "keep"]}
    assert data["yes"] == list(YES)


def test_the_page_offers_edits_without_a_script_of_others() -> None:
    page = html_page(BEES)
    assert '<button id="edit" type="button"' in page
    assert page.count("<script>") == 1


class TestInABrowser:
    pytestmark = in_a_browser

    def test_edits_come_back_as_decisions(self, tmp_path: Path) -> None:
        relations, terms = saved(tmp_path, run(tmp_path, EDITS + "download();"))
        hive = 'the "hive", a home'
        assert set(relations) == {
            Decision("mite", "bee", Relation.IS_A, False),  # which the ontology says
            Decision(hive, "bee", Relation.ATTRIBUTE_OF, True),
            Decision("worker bee", "bee", Relation.IS_A, True),
            Decision('a "skep", old', hive, Relation.SYNONYM, True),
            Decision("a skep", hive, Relation.SYNONYM, True),
        }
        assert terms == {"mite": False}
        better = decided(BEES, relations)
        assert [edge.relation for edge in better.edges if edge.child == "mite"] == [Relation.RELATED]
        assert [label.text for label in better.concepts[2].synonyms] == ['a "skep", old', "a skep"]

    def test_without_edits_the_table_is_the_one_that_build_writes(self, tmp_path: Path) -> None:
        said = run(tmp_path, "download();")
        relations, terms = saved(tmp_path, said)
        assert (relations, terms) == ((), {})
        write_relations(BEES, tmp_path / "ours.csv")
        assert (tmp_path / "ours.csv").read_text(encoding="utf-8") == said["tables"][0]

    def test_what_is_undone_is_not_in_the_tables(self, tmp_path: Path) -> None:
        undo = 'press("#edit"); while (get(".edits button")) press(".edits button");'
        undo += 'said.left = [get("#edit").textContent];'
        said = run(tmp_path, EDITS + undo + "download();")
        assert said["left"] == ["Edits"]
        assert saved(tmp_path, said) == ((), {})

    def test_earlier_tables_go_on(self, tmp_path: Path) -> None:
        """Also their rows on what is no more on the page, and as a spreadsheet parts them."""
        first = (
            "child;parent;relation;confidence;evidence;keep\r\nmite;bee;is-a;0.9;head noun;no\r\n"
            'wasp;bee;is-a;;"was; here";no\r\nImme;bee;synonym;;;YES\r\nworker bee;bee;is-a;0.9;;\r\n'
        )
        second = "term,df,score,keep\nhornet,2,0.1,no\nmite,2,0.1,no\n"
        steps = f'press("#edit"); await open({json.dumps(first)}, {json.dumps(second)}, "a,b");'
        said = run(tmp_path, steps + 'said.opened = [get("#opened").textContent]; download();')
        relations, terms = saved(tmp_path, said)
        assert set(relations) == {
            Decision("mite", "bee", Relation.IS_A, False),
            Decision("wasp", "bee", Relation.IS_A, False),
            Decision("Imme", "bee", Relation.SYNONYM, True),
        }
        assert terms == {"hornet": False, "mite": False}
        assert said["opened"] == [
            "0.csv: 3 decisions. 1.csv: 2 decisions. 2.csv is no table of relations or terms"
        ]

    def test_controls_keep_the_focus_and_typing_moves_nothing(self, tmp_path: Path) -> None:
        steps = """
        const rest = async () => { for (let n = 0; n < 12; n++) await pause(); };
        node("mite");
        await rest();
        const key = `edge-${edge("mite")}-Drop`;
        get(`[data-key=${key}]`).focus(); press(`[data-key=${key}]`);
        const button = document.activeElement;
        said.focus = [button.dataset.key, button.getAttribute("aria-pressed"), key];
        const input = get("[data-key=synonym]"), before = get("#world").getAttribute("transform");
        input.focus();
        const type = (key) => input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        for (const key of ["+", "0", "/"]) type(key);
        await rest();
        said.still = [document.activeElement === input, get("#world").getAttribute("transform") === before];
        node("mite"); press("#closer");
        await rest();
        said.still.push(get("#world").getAttribute("transform") === before);
        said.still = said.still.map(String);
        """
        said = run(tmp_path, steps)
        assert said["focus"][0] == said["focus"][2]
        assert said["focus"][1] == "true"
        assert said["still"] == ["true", "true", "false"]

    def test_edits_beside_the_lattice_lead_back_to_the_concept_in_focus(self, tmp_path: Path) -> None:
        kinds = tuple(f"kind {at}" for at in range(44))  # too many to show them all
        nodes = HasseNode(kinds, ("bee",)), *(HasseNode((one,), ("bee", one)) for one in kinds)
        hasse = Hasse(tuple(nodes), tuple((at, 0) for at in range(1, len(nodes))))
        steps = """
        const heading = () => get("#panel h2").textContent;
        [...document.querySelectorAll("#views button")].at(-1).click();
        said.seen = [heading()];
        get('#nodes [data-node="7"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
        said.seen.push(heading());
        press("#edit");
        said.seen.push(heading());
        press("#panel .back");
        said.seen.push(heading());
        """
        said = run(tmp_path, steps, hasse=hasse)
        assert said["seen"] == ["bee", "kind 6", "Edits", "kind 6"]
