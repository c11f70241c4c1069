"""Makes the tables that tell words of manuals, and of written language, from words of a domain.

    python benchmarks/registers.py manuals DESKTOP TECHNICAL
    python benchmarks/registers.py words PACKAGES

``manuals`` counts the words of many manuals of programs and systems. DESKTOP is a folder where the Debian
packages of ``DESKTOP`` are unpacked together (``dpkg-deb -x``); their manuals are in many languages.
TECHNICAL has a folder for each package of ``TECHNICAL``, which are English only. Each manual counts alike,
and for each word the tenth of the manuals that have it most are left out: that of a calculator is no reason
to take "formula" for a word of all manuals. The manuals that ``manuals.py`` makes webs of are not among them.

``words`` takes the commonest words of ``wordfreq`` 3.1.1; PACKAGES is the site-packages folder that has it
and ``msgpack``. The tables are written into the data of the term extraction, whose README says more.
"""

import argparse
import gzip
import html
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from background import BILLION, DATA

from fcwseo_ontology.corpus.background import MANUALS, WRITTEN
from fcwseo_ontology.corpus.tokens import words

DESKTOP = """
accerciser aisleriot akregator aptitude-doc-en aptitude-doc-es aptitude-doc-fr aptitude-doc-it
aptitude-doc-nl aptitude-doc-ru ark artikulate baobab blinken brasero-common calligra-data cantor cheese
debian-edu-doc-de debian-edu-doc-en debian-edu-doc-es debian-edu-doc-fr debian-edu-doc-it debian-edu-doc-nl
debian-edu-doc-pt-br debian-edu-doc-zh-cn debian-faq-de debian-faq-fr debian-faq-it debian-faq-nl
debian-faq-pt debian-faq-ru debian-faq-zh-cn debian-faq debian-handbook debian-reference-de
debian-reference-en debian-reference-es debian-reference-fr debian-reference-it debian-reference-pt
debian-reference-zh-cn deja-dup developers-reference-de developers-reference-fr developers-reference-it
developers-reference-ru developers-reference devhelp-common dolphin dragonplayer elisa eog
epiphany-browser-data evince-common evolution-common file-roller filelight five-or-more four-in-a-row
gedit-common ghex gnome-2048 gnome-boxes gnome-builder gnome-calculator gnome-calendar gnome-chess
gnome-clocks gnome-contacts gnome-dictionary gnome-disk-utility gnome-klotski gnome-logs gnome-mahjongg
gnome-maps gnome-mines gnome-music gnome-nettool gnome-nibbles gnome-photos gnome-remote-desktop
gnome-robots gnome-sudoku gnome-system-monitor gnome-taquin gnome-terminal-data gnome-tetravex
gnome-user-docs gnome-weather gnumeric-doc gthumb-data gucharmap gwenview hitori iagno
installation-guide-amd64 juk k3b-data k3b kaddressbook kalarm kalzium-data kalzium kamoso kate5-data kbruch
kcachegrind kcalc kcharselect kcolorchooser kdeconnect kdenlive-data kdevelop-data kdf kdialog kexi-data
kfind kgeography kget kgpg khangman khelpcenter kig klettres kmag kmail kmines kmix kmousetool kmouth
kmplot kmymoney-common knotes kompare konqueror konsole kontact konversation-data korganizer kpat krdc krfb
kruler krusader kstars-data ksystemlog ktimer ktorrent-data ktouch-data ktouch kturtle kwalletmanager
kwordquiz kwrite lightsoff lokalize manpages-de manpages-es manpages-fr manpages-it manpages-nl
manpages-pt-br manpages-ru manpages-zh marble-data mate-user-guide minuet nautilus-data okular orca parley
pitivi planner-data plasma-desktop-data plasma-workspace-data plasma-workspace quadrapassel rhythmbox-data
rocs seahorse simple-scan skrooge-common sound-juicer step sweeper swell-foop systemsettings tali
totem-common umbrello yelp
"""
TECHNICAL = """
apache2-doc bash-doc cmake-doc erlang-doc exim4-doc-html git-doc gnuplot-doc golang-1.19-doc gtk-doc-tools
lftp libglib2.0-doc libgtk-3-doc maxima-doc mercurial nginx-doc nodejs-doc octave-doc postfix-doc
python-celery-doc python-django-doc python-flask-doc python-jinja2-doc python-pandas-doc
python-requests-doc python-scipy-doc python-sklearn-doc python-sqlalchemy-doc python3.11-doc r-base-html
r-doc-html racket-doc sphinx-doc sqlite3-doc tcl8.6-doc tk8.6-doc vim-doc zsh-doc
"""
CODES = {"en": ("C", "en"), "zh": ("zh_CN",), "pt": ("pt", "pt_BR")}  # folders of a language, if not its own
MARKUP = re.compile(
    r"<!--.*?-->|<!DOCTYPE.*?\]>|<\?.*?\?>|<(script|style|screen|programlisting|code)\b.*?</\1>|<[^>]+>|&[\w.-]+;",
    re.DOTALL,
)
ROFF = re.compile(r"\\f[A-Z]|\\[-&(]|^\.\S+", re.MULTILINE)
PIECE = 200  # words, about as many as in an abstract
SHORTEST = 2 * PIECE  # words of a manual
LEFT_OUT = 0.1  # of the manuals, for each word those that have it most
LEAST = 1000  # times in a billion words
MOST_FILES, MOST_BYTES = 250, 400_000  # of a technical manual, and of one of its files
COMMONEST = 60_000  # words of a language
OF_MANY_FORMS = {"de": 100_000, "ru": 100_000}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    manuals = commands.add_parser("manuals")
    manuals.add_argument("desktop", type=Path)
    manuals.add_argument("technical", type=Path)
    commands.add_parser("words").add_argument("packages", type=Path)
    given = parser.parse_args()
    if given.command == "words":
        for language in WRITTEN:
            write(f"words-{language}", commonest(given.packages, language))
        return
    for language in MANUALS:
        texts = desktop(given.desktop / "usr" / "share", language)
        if language == "en":
            texts |= technical(given.technical)
        write(f"manuals-{language}", of_manuals(texts, language))


def desktop(share: Path, language: str) -> dict[str, list[str]]:
    """The files of each manual that has a folder for the language, or its code in the names of files."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for code in CODES.get(language, (language,)):
        for base in (share / "help" / code, share / "doc" / "HTML" / code):
            for path in files(base, (".page", ".docbook", ".xml", ".html")):
                found[path.relative_to(base).parts[0]].append(text_of(path))
        for path in files(share / "man" / code, (".gz",)) if language != "en" else ():
            found[f"man {path.parent.name}"].append(ROFF.sub("", text_of(path)))
        codes = "|".join({code, code.replace("_", "-"), code.replace("_", "-").lower()})
        for path in files(share / "doc", (".html", ".gz", ".txt")):
            name = path.relative_to(share / "doc").as_posix()
            other = "HTML/" in name or "changelog" in name.lower() or "NEWS" in name or ".pdf" in name
            if not other and re.search(rf"[./-](?:{codes})(?:[./-]|$)", f"/{name}"):
                found[name.partition("/")[0]].append(text_of(path))
    return found


def technical(folder: Path) -> dict[str, list[str]]:
    found = {}
    for package in sorted(folder.iterdir()):
        paths = list(files(package, (".html", ".htm", ".txt")))
        some = paths[:: max(1, len(paths) // MOST_FILES)]
        small = (path for path in some if path.stat().st_size < MOST_BYTES)
        found[f"package {package.name}"] = [text_of(path) for path in small]
    return found


def files(folder: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    yield from (path for path in sorted(folder.rglob("*")) if path.suffix in endings and path.is_file())


def text_of(path: Path) -> str:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode(errors="replace")
    return html.unescape(MARKUP.sub(" ", text))


def of_manuals(texts: dict[str, list[str]], language: str) -> Iterator[str]:
    """The words with their rates, which give a piece of text the share of the pieces that have each."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    count = 0
    for name in sorted(texts):
        found = words("\n".join(texts[name]), language)
        if len(found) < SHORTEST:
            continue
        count += 1
        pieces = [found[start : start + PIECE] for start in range(0, len(found) - PIECE // 2 + 1, PIECE)]
        having = Counter(word for piece in pieces for word in {*piece})
        for word, pieces_with in having.items():
            shares[word].append(pieces_with / len(pieces))
    out = max(2, int(LEFT_OUT * count))
    print(f"{language}: {count} manuals")
    for word, own in sorted(shares.items()):
        share = sum(sorted(own, reverse=True)[out:]) / (count - out)
        rate = -math.log1p(-min(share, 0.999)) / PIECE * BILLION
        if rate >= LEAST and not word[0].isdigit():
            yield f"{word}\t{int(float(f'{rate:.2g}'))}"


def commonest(packages: Path, language: str) -> Iterator[str]:
    """Lines of words that are equally frequent, the commonest first, each behind its power of ten."""
    import msgpack  # type: ignore[import-not-found]

    packed = packages / "wordfreq" / "data" / f"large_{language}.msgpack.gz"
    _, *groups = msgpack.unpackb(gzip.decompress(packed.read_bytes()))
    most, total = OF_MANY_FORMS.get(language, COMMONEST), 0
    for power, group in enumerate(groups):
        found = sorted(word for word in group if word.replace("-", "").isalpha())
        total += len(found)
        if total > most:
            return
        if found:
            yield f"{power}\t{' '.join(found)}"


def write(name: str, lines: Iterator[str]) -> None:
    path = DATA / f"{name}.tsv.gz"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
