"""Do the tests notice wrong lines? Mutants of web space evolution and of FCWSEO, each tried by its tests.

    python benchmarks/mutants.py [--sample 80] [--seed 0] [--files bank pace ...] [--seconds 3000]

A mutant changes one place of a module: a comparison, an operator, a number, a condition, a ``not``, a minus,
a call of ``min`` or ``max``. It is killed if a test fails, or takes longer than ``--patience`` seconds.
Mutants are drawn evenly over the places; the survivors are printed with their lines. Each runs in a process
of its own, which imports the changed module in place of the file: nothing is written. Exits with 1 if fewer
than 85 % are killed. ``make mutants`` calls this.
"""

import argparse
import ast
import copy
import os
import sys
import time
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from random import Random
from signal import SIGKILL
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
WANTED = 0.85
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
}
EXTREMES = {"min": "max", "max": "min", "ceil": "round"}
OF_EVOLUTION = ("tests/evolution", "tests/strategies/test_seats.py")
TESTS = {
    "fcwseo.strategies.fcwseo": ("tests/strategies/test_seats.py", "tests/strategies/test_fcwseo.py"),
    **{
        f"fcwseo.evolution.{name}": (f"tests/evolution/test_{name}.py", *OF_EVOLUTION)
        for name in ("bank", "pace", "radius", "objectives", "seating", "nfcs", "fronts")
    },
    **{
        f"fcwseo.evolution.paper_{name}": ("tests/evolution", "tests/strategies/test_fcwseo_paper.py")
        for name in ("bank", "radius", "objectives")
    },
}


class Mutant(NamedTuple):
    """A changed module, and where it was changed."""

    module: str
    line: int
    what: str
    tree: ast.Module


def path_of(module: str) -> Path:
    return ROOT / f"{module.replace('.', '/')}.py"


def mutants(module: str) -> Iterator[Mutant]:
    """All mutants of a module."""
    tree = ast.parse(path_of(module).read_text(encoding="utf-8"))
    annotations = {id(part) for node in ast.walk(tree) for part in _annotations(node)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in annotations:
            continue
        for variant, what in enumerate(_changes(node)):
            changed = copy.deepcopy(tree)
            there = next(other for at, other in enumerate(ast.walk(changed)) if at == number)
            said = _change(there, variant)
            yield Mutant(
                module, getattr(node, "lineno", 0), f"{what} -> {said}", ast.fix_missing_locations(changed)
            )


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        if isinstance(found := getattr(node, name, None), ast.AST):
            yield from ast.walk(found)


def _changes(node: ast.AST) -> list[str]:
    """What can be changed about a node, a word for each mutant."""
    match node:
        case ast.Compare(ops=ops):
            return [type(op).__name__ for op in ops]
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            return [type(op).__name__]
        case ast.AugAssign(op=op) if type(op) in OPERATORS:
            return [f"{type(op).__name__} in place"]
        case ast.Constant(value=bool()):
            return [str(node.value)]
        case ast.Constant(value=int() | float()):
            return [str(node.value)]
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return [type(node.op).__name__]
        case ast.BoolOp():
            return [type(node.op).__name__]
        case ast.Call(func=ast.Name(id=name)) if name in EXTREMES:
            return [name]
        case ast.If() | ast.IfExp() | ast.While():
            return ["condition"]
    return []


def _change(node: ast.AST, variant: int) -> str:
    """Change a node in place."""
    match node:
        case ast.Compare():
            node.ops[variant] = COMPARISONS[type(node.ops[variant])]()
            return type(node.ops[variant]).__name__
        case ast.BinOp() | ast.AugAssign():
            node.op = OPERATORS[type(node.op)]()
            return type(node.op).__name__
        case ast.Constant(value=bool()):
            node.value = not node.value
            return str(node.value)
        case ast.Constant():
            assert isinstance(node.value, int | float)
            node.value = node.value * 2 if isinstance(node.value, float) and node.value else node.value + 1
            return str(node.value)
        case ast.UnaryOp():
            node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
            if isinstance(node.op, ast.Not):
                node.operand = ast.UnaryOp(ast.Not(), node.operand)
            return "nothing"
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return type(node.op).__name__
        case ast.Call(func=ast.Name() as name):
            name.id = EXTREMES[name.id]
            return name.id
        case ast.If() | ast.IfExp() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
            return "its contrary"
    raise AssertionError(node)


class Changed(MetaPathFinder):
    """Imports the mutant in place of its file."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._mutant.module:
            return None
        return spec_from_loader(name, self, origin=str(path_of(name)))  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        file = str(path_of(self._mutant.module))
        module.__file__ = file
        exec(compile(self._mutant.tree, file, "exec"), module.__dict__)


def is_killed(mutant: Mutant | None, tests: tuple[str, ...], patience: float) -> bool:
    """Whether a test fails in a process that imports the mutant."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        if mutant is not None:
            sys.meta_path.insert(0, Changed(mutant))
        import pytest

        quiet = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=quick"]
        quiet += ["-m", "not slow", "-W", "ignore"]
        os._exit(int(pytest.main([*dict.fromkeys(tests), *quiet])) != 0)
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status != 0
        time.sleep(0.05)
    os.killpg(child, SIGKILL)
    os.waitpid(child, 0)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=3000)
    parser.add_argument("--patience", type=float, default=240)
    given = parser.parse_args()
    os.chdir(ROOT)
    import hypothesis  # noqa: F401  # imported once, for all
    import moocore  # noqa: F401
    import numpy  # noqa: F401
    import pymoo.functions  # noqa: F401
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401

    modules = [name for name in TESTS if not given.files or name.rpartition(".")[2] in given.files]
    every = [mutant for name in modules for mutant in mutants(name)]
    tests = tuple(sorted({test for name in modules for test in TESTS[name]}))
    if is_killed(None, tests, 4 * given.patience):
        raise SystemExit(f"{' '.join(tests)} fail without a mutant")
    chosen = Random(given.seed).sample(every, min(given.sample, len(every)))
    began, tried, survivors = time.monotonic(), 0, []
    for mutant in chosen:
        if time.monotonic() - began > given.seconds:
            break
        tried += 1
        if not is_killed(mutant, TESTS[mutant.module], given.patience):
            survivors.append(mutant)
            print(
                f"survived: {path_of(mutant.module).relative_to(ROOT)}:{mutant.line} {mutant.what}",
                flush=True,
            )
    killed = tried - len(survivors)
    print(f"killed {killed} of {tried} mutants ({killed / max(1, tried):.0%}), drawn from {len(every)}")
    raise SystemExit(killed < WANTED * tried)


if __name__ == "__main__":
    main()
