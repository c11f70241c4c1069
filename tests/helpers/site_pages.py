"""Whole web pages as text, with menus, dates and buttons, in four languages."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Site:
    """What pages of a site are made of.

    ``{}`` in a pattern is one of the things, of which the subject has many; ``others`` are the nouns of the
    patterns. ``frame`` are the lines around each page, ``rubrics`` those of its part of the site; ``|`` parts
    lines.
    """

    language: str
    topic: str
    others: str
    things: tuple[str, ...]
    patterns: tuple[str, ...]
    frame: str
    rubrics: tuple[str, ...]
    months: tuple[str, ...]


SITES = (
    Site(
        "nl",
        "bijen",
        "imker voorjaar vereniging zomer",
        tuple(
            "bijenkast honing stuifmeel koningin zwerm raat imker nectar larve broednest varroamijt propolis "
            "werkster dar bijenwas honingraat bijenvolk kastwand vliegplank roker".split()
        ),
        (
            "De {} ligt naast de {} en wordt door het {} gevoed.",
            "Volgens de imker heeft een {} vaak meer {} nodig dan de {} van vorig voorjaar.",
            "Wie de {} opent, ziet eerst de {} en daarna een {}.",
            "Het {} verdwijnt wanneer de {} te koud wordt, terwijl de {} warm blijft.",
            "Zonder {} kan de {} niet overleven, zegt de vereniging over de {}.",
            "In de zomer vult het {} zich en groeit de {} onder een {}.",
        ),
        "Home|Nieuws|Over ons|Contact|Inloggen|Winkelwagen|Zoeken|Lees meer|Deel dit bericht|Reageer|"
        "Privacyverklaring|Algemene voorwaarden|Schrijf je in voor de nieuwsbrief|Volgende pagina|Afdrukken",
        (
            "Agenda|Foto's|Vorige activiteiten",
            "Vacatures|Bestuur|Word lid",
            "Webshop|Aanbiedingen|Verlanglijst",
        ),
        ("januari", "maart", "mei", "juni", "oktober", "december"),
    ),
    Site(
        "de",
        "Gletscher",
        "Sommer Forscher Verein Jahr",
        tuple(
            "Gletscherzunge Moräne Firn Schmelzwasser Eisdicke Spalte Nährgebiet Zehrgebiet Geröll "
            "Gletschertor Eisbruch Talgletscher Schneegrenze Massenbilanz Gletschersee Eisfeld Kar "
            "Permafrost Lawine Grat".split()
        ),
        (
            "Die {} liegt über der {} und wird von dem {} gespeist.",
            "Im Sommer taut der {} rasch, während die {} unter dem {} liegen bleibt.",
            "Wer die {} betritt, sieht zuerst den {} und dann eine {}.",
            "Forscher messen das {} jedes Jahr und vergleichen die {} mit einem {}.",
            "Ohne den {} gäbe es keine {}, schreibt der Verein über das {}.",
            "Das {} verschwindet, sobald die {} zu warm wird und der {} bricht.",
        ),
        "Startseite|Aktuelles|Über uns|Kontakt|Anmelden|Warenkorb|Suche|Weiterlesen|Beitrag teilen|"
        "Kommentare|Datenschutzerklärung|Impressum|Newsletter abonnieren|Nächste Seite|Druckversion|"
        "Zum Beispiel hier klicken",
        (
            "Termine|Bilder|Volle Größe",
            "Stellenangebote|Vorstand|Mitglied werden",
            "Shop|Angebote|Merkzettel",
        ),
        ("Januar", "März", "Mai", "Juni", "Oktober", "Dezember"),
    ),
    Site(
        "it",
        "vino",
        "autunno produttore aria consorzio estate",
        tuple(
            "vigneto cantina botte uva mosto vendemmia vitigno tappo fermentazione enologo grappolo potatura "
            "tannino etichetta bottiglia filare barrique torchio lievito vinaccia".split()
        ),
        (
            "La {} si trova vicino al {} e riceve la {} ogni autunno.",
            "Secondo il produttore una {} chiede più {} di quanto ne voglia il {}.",
            "Chi apre la {} vede prima il {} e poi una {} antica.",
            "Il {} riposa sotto la {} mentre l'aria della {} resta fresca.",
            "Senza la {} non esiste il {}, dice il consorzio della {}.",
            "Durante l'estate il {} matura e la {} cresce accanto al {}.",
        ),
        "Home|Notizie|Chi siamo|Contatti|Accedi|Carrello|Cerca|Leggi tutto|Condividi|Lascia un commento|"
        "Informativa sulla privacy|Note legali|Iscriviti alla newsletter|Pagina successiva|Stampa|"
        "Oggi in evidenza",
        (
            "Eventi|Galleria fotografica|Ingrandisci",
            "Lavora con noi|Soci|Statuto",
            "Negozio|Offerte|Lista dei desideri",
        ),
        ("gennaio", "marzo", "maggio", "giugno", "ottobre", "dicembre"),
    ),
    Site(
        "en",
        "weaving",
        "mill guild evening hand",
        tuple(
            "loom warp weft shuttle heddle selvedge yarn treadle bobbin tapestry twill spindle reed "
            "fleece dyer heald linen spinner brocade weaver".split()
        ),
        (
            "The {} hangs over the {} and is held by a {}.",
            "An old {} needs more {} than the {} of the mill.",
            "Whoever opens the {} sees the {} first and then a {}.",
            "The {} breaks when the {} is dry, while the {} stays whole.",
            "Without the {} there is no {}, says the guild of the {}.",
            "In the evening a {} carries the {} to the {} by hand.",
        ),
        "Home|News|About us|Contact|Log in|Shopping cart|Search|Read more|Share this page|Leave a comment|"
        "Privacy policy|Terms and conditions|Subscribe to our newsletter|Next page|Print version|Full size",
        ("Events|Photo gallery|Full size", "Jobs|Trustees|Become a member", "Shop|Offers|Wish list"),
        ("January", "March", "May", "June", "October", "December"),
    ),
)


def pages(site: Site, *, lines: bool, number: int = 25, seed: int = 1) -> list[str]:
    """Pages of a site as text: each part on a line of its own, or all in one line, as copying may give it."""
    rng = Random(seed)
    made = []
    for page in range(number):
        head = [*site.frame.split("|")[:8], *site.rubrics[page % len(site.rubrics)].split("|")]
        foot = site.frame.split("|")[8:]
        date = f"{rng.randint(1, 28)} {rng.choice(site.months)} {rng.randint(2009, 2024)}"
        body = [sentence(site, rng) for _ in range(14)]
        parts = [*head, date, " ".join(body[:5]), site.frame.split("|")[-1], " ".join(body[5:]), *foot]
        made.append(("\n" if lines else " ").join(parts))
    return made


def sentence(site: Site, rng: Random) -> str:
    pattern = rng.choice(site.patterns)
    return pattern.format(*rng.sample(site.things, pattern.count("{}")))
