"""The command in this process."""

import os
import sys
from pathlib import Path

import pytest
from helpers.commands import Fcwseo, Outcome, environment

from fcwseo_cli.main import main


@pytest.fixture
def fcwseo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fcwseo:
    for name in set(os.environ) - set(environment()):
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["fcwseo", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), out, err)

    return call
