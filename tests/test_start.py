"""What is loaded when: a program pays for the libraries that it uses, and help comes at once."""

import subprocess
import sys

import pytest

# Networks, ontologies, parsers, numbers: libraries that load slowly.
HEAVY = ("bs4", "httpcore2", "httpx2", "moocore", "numpy", "owlready2", "pymoo", "rdflib", "scipy")
HELP = """
sys.argv = ["fcwseo", "--help"]
from fcwseo_cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code
"""


def loaded_by(program: str) -> set[str]:
    """Which of the heavy libraries a program has loaded when it ends."""
    code = f"import sys\n{program}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(HEAVY) & set(done.stderr.split())


@pytest.mark.parametrize(
    "program", ["import fcwseo", "import fcwseo_ontology", "import fcwseo_cli.commands", HELP]
)
def test_nothing_heavy_is_loaded_before_it_is_used(program: str) -> None:
    assert loaded_by(program) == set()


def test_a_public_name_loads_what_it_needs_and_no_network() -> None:
    found = loaded_by("import fcwseo; fcwseo.GeneratedWeb, fcwseo.crawl, fcwseo.compare")
    assert "numpy" in loaded_by("import fcwseo; fcwseo.STRATEGIES")
    assert found & {"httpx2", "httpcore2"} == set()
    assert {"httpx2", "httpcore2"} <= loaded_by("import fcwseo.crawling.run_live")
