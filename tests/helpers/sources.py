"""Where our packages lie: in the source tree, or installed from the wheel."""

from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("fcwseo", "fcwseo_cli", "fcwseo_ontology")

TREE = Path(__file__).parents[2]
IS_TREE = (TREE / "pyproject.toml").exists()
NO_TREE = "needs the source tree, and these tests run on the installed wheel"


def folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def modules(package: str) -> dict[str, Path]:
    """The files of a package by the names of their modules."""
    root = folder(package)
    paths = sorted(root.rglob("*.py"))
    return {_name(package, path.relative_to(root)): path for path in paths}


def _name(package: str, path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))
