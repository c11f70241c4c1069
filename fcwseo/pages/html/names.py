"""Tells by tag, class, id and role which elements are beside the main text: menus, comments, notices."""

import re
from collections.abc import Mapping
from functools import lru_cache

_TAGS = frozenset("nav footer aside menu form select figcaption".split())
_ROLES = frozenset(
    "navigation complementary contentinfo banner search dialog alertdialog menu menubar toolbar".split()
)
# Beginnings of words in names. With a hyphen at the end they are whole words, or several words in a row.
_BEGINNINGS = """
    nav- navbar navi- navigation subnav topnav sidenav menu- menue- toc- tocc tableofcontents
    table-of-contents breadcrumb crumb pagination pager- paging prev-next skip-link catlinks editsection
    masthead topbar sidebar side-bar rail- aside footer printfooter colophon copyright imprint legal-
    disclaimer license
    comment disqus livefyre respond- feedback reviews-
    relate- related similar recommend suggest- suggestion recirc see-also read-more readmore read-next
    more-from more-on more-stories more-articles up-next most-read most-popular most-viewed popular
    trending recent- latest- teaser upsell crosssell cross-sell
    share- sharing sharebar sharedaddy shareaholic social addthis addtoany follow-us
    ad- ads- adbox adslot advert adsense adsbygoogle sponsor promo- promos promotion banner taboola outbrain
    dfp- gpt- cart- wishlist
    cookie consent gdpr privacy- newsletter subscri signup sign-up login- signin paywall modal- popup overlay-
    announcement widget-area textwidget
    author-box author-bio author-info about-author bio- byline posted-on dateline timestamp signature
    user-info userinfo user-details postprofile tags- taglist tag-links caption credit- credits- references-
    reflist navbox

    hauptmen seitenmen hauptnavigation inhaltsverzeichnis brotkrum seitenleiste randspalte fusszeile fußzeile
    fussbereich impressum datenschutz kommentar kommentier bewertungen kundenbewertung rueckmeldung aehnlich
    ähnlich verwandt- verwandte empfehl mehr-zum weitere- teilen- werbung anzeige- warenkorb bildunterschrift

    comentario relacionad compartir publicidad boletin suscri migas pie-de
    partag publicite articles-lies fil-ariane pied-de abonnement
    correlat condivid pubblicita iscriviti compartilh rodape veja-tambem leia-tambem
    reactie- reacties gerelateerd delen- nieuwsbrief advertentie
    kommentarii reklama podel pohozh komentarz komentar podobne udost yorum paylas ilgili-

    pinglun xiangguan tuijian fenxiang guanggao daohang mianbao 评论 相关 推荐 分享 广告 导航 版权
"""
# Whole words at the end of names.
_ENDS = frozenset("meta date author authors time price tags sku datum autor autoren preis fecha".split())
# Words at the beginning of names that say what a page or a post has: "has-sidebar", "tag-newsletter".
_STATES = frozenset("has no not with without is are js hide show tag category cat status format type".split())
_WHOLE = frozenset(("html", "body", "main"))  # a name on these is of the whole page
_WITH_ID = frozenset("div ul ol dl table td p".split())  # the ids of sections are words of their titles
_LONGEST = 200  # characters
_WORD_END = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BY_LETTERS: dict[str, list[str]] = {}  # by their first two letters
for _beginning in _BEGINNINGS.split():
    _BY_LETTERS.setdefault(_beginning[:2], []).append(_beginning)


def beside(tag: str, attributes: Mapping[str, str | None]) -> str:
    """The name by which an element is beside the main text; "" if there is none.

    >>> beside("nav", {}), beside("div", {"class": "wide relatedPosts"}), beside("p", {"class": "lead"})
    ('nav', 'related', '')
    >>> beside("div", {"id": "comments"}), beside("section", {"id": "comments"})
    ('comment', '')
    """
    if tag in _TAGS:
        return tag
    if not attributes or tag in _WHOLE:
        return ""
    classes = attributes.get("class")
    if classes and (found := _first_name(classes[:_LONGEST])):
        return found
    has_id = tag in _WITH_ID and not (classes or "").startswith("sect")
    if has_id and (identifier := attributes.get("id")) and (found := _first_name(identifier[:_LONGEST])):
        return found
    if (role := attributes.get("role")) and role in _ROLES:
        return role
    if "hidden" in attributes or ((style := attributes.get("style")) and _HIDDEN.search(style)):
        return "hidden"
    return ""


@lru_cache(1 << 14)
def _first_name(names: str) -> str:
    """The first of some names that is beside the main text; "" if there is none."""
    return next(filter(None, map(_name, names.split())), "")


@lru_cache(1 << 14)
def _name(name: str) -> str:
    """The words of a name that are beside the main text; "" if there are none.

    >>> _name("jp-relatedposts"), _name("sideBar"), _name("has-sidebar"), _name("entry-meta"), _name("metal")
    ('related', 'side-bar', '', 'meta', '')
    """
    simple = name.replace("_", "-")
    is_simple = simple.islower() and simple.replace("-", "").isalnum()  # most names: split them faster
    parts = simple.split("-") if is_simple else _WORD_END.split(name)
    words = [word.lower() for word in parts if word]
    if not words or words[0] in _STATES:
        return ""
    whole = "-".join(words) + "-"
    start = 0
    for word in words:
        for beginning in _BY_LETTERS.get(whole[start : start + 2], ()):
            if whole.startswith(beginning, start):
                return beginning.strip("-")
        start += len(word) + 1
    return words[-1] if words[-1] in _ENDS else ""
