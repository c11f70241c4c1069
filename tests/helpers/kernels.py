"""Notebooks, run in a real kernel."""

import json
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbformat import reads

_reads: Any = reads  # it has no types


def run_notebook(notebook: Any, folder: Path) -> list[Any]:
    """Run a notebook in a folder; the results of its code cells, each as text, or None.

    Raises:
        CellExecutionError: If a cell raises an error.
    """
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    return [_result(cell) for cell in notebook.cells if cell.cell_type == "code"]


def read_notebook(path: Path) -> Any:
    """A stored notebook."""
    return _reads(path.read_text(encoding="utf-8"), as_version=4)


def notebook_of(*sources: str) -> Any:
    """A notebook with a cell for each source."""
    facts: dict[str, Any] = {"metadata": {}, "outputs": [], "execution_count": None}
    cells = [{"cell_type": "code", "source": source, **facts} for source in sources]
    content = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return _reads(json.dumps(content), as_version=4)


def _result(cell: Any) -> Any:
    return next((out.data for out in cell.outputs if out.output_type == "execute_result"), None)
