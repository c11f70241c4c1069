"""Run the tests on the built wheel, away from the sources: ``python tests/on_wheel.py [PYTEST OPTION...]``.

The wheel is built and installed into a virtual environment of its own, the tests are copied to a folder of
their own, and pytest runs there. So what the wheel lacks, the tests miss. The longest tests, of what the
sources do, are not run again.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
# They test what the sources do, and at length; what a wheel may lack, the others find.
NOT_AGAIN = (
    "evolution/test_bank.py",
    "comparison/test_compare.py",
    "cli/test_crash.py",
    "crawling/test_engine.py",
    "strategies/test_fcwseo.py",
    "strategies/test_fcwseo_paper.py",
    "pages/test_parse.py",
    "strategies/rivals/test_rivals.py",
    "strategies/test_strategies.py",
)
NOT_FOR_TESTS = ("build", "mypy", "ruff")


def main() -> int:
    project = tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="fcwseo-wheel-") as name:
        folder = Path(name)
        wheel = build(folder)
        python = install(folder / "venv", [str(wheel), *tools(project)])
        shutil.copytree(TREE / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        return run_tests(folder, python, wheel, project)


def say(text: str) -> None:
    print(f"on the wheel: {text}", flush=True)


def build(folder: Path) -> Path:
    say("building it")
    subprocess.run([*PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(TREE)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def tools(project: dict[str, Any]) -> list[str]:
    """What the tests need beside the wheel: the development group without what they do not run."""
    wanted: list[str] = project["dependency-groups"]["dev"]
    return [tool for tool in wanted if not tool.startswith(NOT_FOR_TESTS)]


def install(folder: Path, what: list[str]) -> Path:
    say(f"installing {', '.join(Path(name).name for name in what)}")
    venv.create(folder)
    python = folder / "bin" / "python"
    subprocess.run([*PIP, "--python", str(python), "install", "--quiet", "--no-compile", *what], check=True)
    return python


def run_tests(folder: Path, python: Path, wheel: Path, project: dict[str, Any]) -> int:
    """Bare pytest: there is no pyproject.toml beside the tests, so what they need of it is passed on."""
    options: dict[str, Any] = project["tool"]["pytest"]["ini_options"]
    command = [str(python.with_name("pytest")), "tests", "-q", "-n", "auto", "--rootdir", str(folder)]
    command += ["--import-mode=importlib", "--strict-markers", "-p", "no:cacheprovider"]
    command += ["-o", "pythonpath=. tests"]
    command += [f"--ignore=tests/{name}" for name in NOT_AGAIN]
    for name in ("filterwarnings", "markers"):
        command += ["-o", f"{name}=" + "\n".join(options.get(name, []))]
    command += sys.argv[1:]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path = f"{python.parent}{os.pathsep}{environment.get('PATH', '')}"
    environment |= {"WHEEL_UNDER_TEST": str(wheel), "VIRTUAL_ENV": str(folder / "venv"), "PATH": path}
    say(f"pytest tests, in {folder}")
    return subprocess.run(command, cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
