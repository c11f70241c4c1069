"""The frame of every page: one self-contained file, in light and dark mode.

The content security policy allows only the page's own style and script, so text of crawled pages cannot run.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files

Json = dict[str, object]


def page(title: str, lead: str, sections: Sequence[str], data: Json) -> str:
    """A whole page. ``lead`` and ``sections`` are HTML, ``title`` is text, ``data`` is for the script."""
    style, script = _asset("page.css"), _asset("page.js")
    parts = {
        "TITLE": escape(title),
        "POLICY": f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "STYLE": style,
        "LEAD": lead,
        "BODY": "\n".join(sections),
        "DATA": _json(data),
        "SCRIPT": script,
    }
    pieces = _asset("page.html").split("%%")
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def section(title: str, *content: str, note: str = "", wide: bool = False) -> str:
    """A part of the page; ``note`` is text below the title."""
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    return (
        f"<section{' class=wide' if wide else ''}><h2>{escape(title)}</h2>{below}{''.join(content)}</section>"
    )


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, kind: str = "", ids: Sequence[str] = ()
) -> str:
    """A table that can be sorted; the cells are HTML. The first column is text, the others are numbers.

    ``ids`` are those of the rows, for links within the page.
    """
    head = "".join(f'<th scope="col"><button type="button">{escape(name)}</button></th>' for name in heads)
    lines = [
        (_id(ids, at), row[0], "".join(f"<td>{cell}</td>" for cell in row[1:])) for at, row in enumerate(rows)
    ]
    body = "".join(f'<tr{name}><th scope="row">{first}</th>{rest}</tr>' for name, first, rest in lines)
    return (
        f'<div class="scroll"><table class="sortable {kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _id(ids: Sequence[str], at: int) -> str:
    return f' id="{escape(ids[at])}"' if ids else ""


def key(entries: Sequence[tuple[str, str]]) -> str:
    """What the colours of a figure mean: classes of colours, with texts.

    >>> key([("s0", "kept")])
    '<p class="key"><span class="s0">kept</span></p>'
    """
    shown = "".join(f'<span class="{colour}">{escape(name)}</span>' for colour, name in entries)
    return f'<p class="key">{shown}</p>'


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """A few numbers in large type."""
    return "".join(f"<div><b>{escape(value)}</b><span>{escape(name)}</span></div>" for name, value in pairs)


def _asset(name: str) -> str:
    return files("fcwseo.comparison.report").joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _json(data: Json) -> str:
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
