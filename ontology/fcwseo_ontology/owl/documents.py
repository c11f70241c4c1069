"""Word counts of documents as one literal in the header of an ontology: JSON, compressed by gzip, in base64.

    [{"name": "Flash floods", "language": "en", "counts": {"flash": 2, "flash floods": 1, "floods": 1}}]

The ontology stays one file, and RDF tools preserve the literal.
"""

import base64
import binascii
import gzip
import io
import zlib
from collections.abc import Sequence

import msgspec

from fcwseo_ontology.errors import InvalidOntology
from fcwseo_ontology.model import DocumentCounts

MOST_BYTES = 1 << 28  # of JSON


def packed(documents: Sequence[DocumentCounts]) -> str:
    """Pack documents into a literal; equal documents give equal literals.

    >>> documents = (DocumentCounts("Rain", "en", {"rain": 2}),)
    >>> unpacked(packed(documents)) == documents
    True
    """
    return base64.b64encode(gzip.compress(msgspec.json.encode(documents), mtime=0)).decode()


def unpacked(text: str) -> tuple[DocumentCounts, ...]:
    """Unpack the documents of a literal.

    Raises:
        InvalidOntology: If the literal is damaged or too long.
    """
    try:
        with gzip.open(io.BytesIO(base64.b64decode(text, validate=True))) as file:
            raw = file.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise InvalidOntology(f"the word counts of its documents exceed {MOST_BYTES >> 20} MB")
        return msgspec.json.decode(raw, type=tuple[DocumentCounts, ...])
    except (binascii.Error, EOFError, OSError, zlib.error, ValueError, RecursionError) as error:
        raise InvalidOntology(f"the word counts of its documents are damaged: {error}") from error
