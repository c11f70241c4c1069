"""Run the tests on the built wheel, away from the sources: ``python tests/on_wheel.py [PYTEST OPTION...]``.

The wheel is built and installed into a virtual environment of its own, the tests are copied to a folder of
their own, and pytest runs there. So what the wheel lacks, the tests miss: packages, public names, data files,
dependencies. Each command runs once. Not run again is everything else under ``tests``, and the doctests: they
test what the code does, which is the same in the sources.
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
ON_WHEEL = ("test_packaging.py", "test_public_names.py", "test_each_command.py", "test_shipped.py")
THEIR_TOOLS = ("hypothesis", "pytest")


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
    """The requirements of these tests beside the wheel, as the development group has them."""
    wanted: list[str] = project["dependency-groups"]["dev"]
    return [tool for tool in wanted if tool.partition(">=")[0] in THEIR_TOOLS]


def install(folder: Path, what: list[str]) -> Path:
    say(f"installing {', '.join(Path(name).name for name in what)}")
    venv.create(folder)
    python = folder / "bin" / "python"
    subprocess.run([*PIP, "--python", str(python), "install", "--quiet", "--no-compile", *what], check=True)
    return python


def run_tests(folder: Path, python: Path, wheel: Path, project: dict[str, Any]) -> int:
    """Bare pytest: there is no pyproject.toml beside the tests, so what they need of it is passed on."""
    options: dict[str, Any] = project["tool"]["pytest"]["ini_options"]
    found = (sorted((folder / "tests").rglob(name)) for name in ON_WHEEL)
    paths = [str(path.relative_to(folder)) for (path,) in found]
    command = [str(python.with_name("pytest")), *paths, "-q", "--rootdir", str(folder)]
    command += ["--import-mode=importlib", "--strict-markers", "-p", "no:cacheprovider"]
    command += ["-o", "pythonpath=. tests"]
    for name in ("filterwarnings", "markers"):
        command += ["-o", f"{name}=" + "\n".join(options.get(name, []))]
    command += sys.argv[1:]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path = f"{python.parent}{os.pathsep}{environment.get('PATH', '')}"
    environment |= {"WHEEL_UNDER_TEST": str(wheel), "VIRTUAL_ENV": str(folder / "venv"), "PATH": path}
    say(f"pytest {' '.join(paths)}, in {folder}")
    return subprocess.run(command, cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
