"""Tables for an expert: CSV that spreadsheets open, written whole or not at all."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from fcwseo_ontology.owl.rdf import write_bytes


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows(rows)
    # The mark at the beginning tells spreadsheets that this is UTF-8.
    write_bytes(path, text.getvalue().encode("utf-8-sig"))
