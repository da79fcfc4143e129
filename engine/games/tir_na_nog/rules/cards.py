"""The Encounter cards of Tír na nÓg and the decks made of them."""

from __future__ import annotations

from dataclasses import dataclass

COLOURS = ("blue", "green", "red", "yellow")
TIMINGS = ("when-played", "ongoing", "journey", "saga", "scoring")
COPIES_OF_PLAIN = 2


@dataclass(frozen=True)
class Card:
    """One kind of Encounter card as printed. `known` names the parts that are in the rulebooks."""

    slug: str
    colour: str
    value: int
    ailm: bool = False
    copies: int = 1
    timing: str = ""
    known: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """True if the card has no effect at all."""
        return not self.timing

    @property
    def origin(self) -> str:
        """Source of the data: `rulebook`, `partly` (some is in the rulebooks), or `reconstructed`."""
        if "effect" in self.known:
            return "rulebook"
        return "partly" if self.known else "reconstructed"


SPECIALS: tuple[Card, ...] = (
    Card("water-kelpie", "blue", 8, True, 2, "ongoing", ("name", "timing", "effect")),
    Card("fomoire-raiders", "blue", 3, False, 2, "when-played", ("guide",)),
    Card("merrow-milliners", "blue", 4, False, 1, "journey", ("name", "timing", "effect")),
    Card("manannans-dock", "blue", 5, False, 1, "when-played", ("name", "effect")),
    Card("dobhar-chu-loch", "blue", 6, False, 1, "when-played", ("name", "part")),
    Card("selkie-cove", "blue", 2, False, 1, "scoring", ("guide",)),
    Card("cu-sidhe-kennel", "green", 2, True, 2, "ongoing", ("name", "copies")),
    Card("wandering-puca", "green", 3, False, 2, "when-played", ("guide",)),
    Card("clurachan-brewery", "green", 5, False, 1, "when-played", ("name", "colour", "effect")),
    Card("leipreachan-cobblers", "green", 4, False, 1, "saga", ("name", "timing", "part")),
    Card("gancanaghs-valley", "green", 6, False, 1, "when-played", ("name", "timing")),
    Card("dolmen", "green", 3, True, 1, "ongoing", ("guide",)),
    Card("far-darrig", "red", 2, True, 2, "ongoing", ("name", "value", "part")),
    Card("dullaghan", "red", 3, False, 2, "when-played", ("guide",)),
    Card("keening-banshee", "red", 4, False, 1, "saga", ("name", "timing", "effect")),
    Card("hungry-oillipheist", "red", 1, True, 1, "when-played", ("name",)),
    Card("sly-bodach", "red", 5, False, 1, "when-played", ("guide",)),
    Card("tur-bhalair", "red", 6, False, 1, "scoring", ("guide",)),
    Card("cailleachs-crag", "yellow", 0, True, 2, "ongoing", ("name", "effect")),
    Card("glastonbury-tor", "yellow", 3, False, 2, "when-played", ("guide",)),
    Card("bru-na-boinne", "yellow", 4, False, 1, "journey", ("name", "part")),
    Card("aengus-bru", "yellow", 5, False, 1, "saga", ("name", "effect")),
    Card("mag-mell", "yellow", 7, False, 1, "saga", ("name", "part")),
    Card("sidhe-court", "yellow", 1, True, 1, "ongoing", ("guide",)),
)

PLAIN: dict[str, str] = {
    "blue": "tide-pool seal-rocks misty-strand sea-cave curragh-crew drowned-bell ninth-wave storm-lord",
    "green": "shamrock-patch fairy-ring hazel-grove hawthorn-gate standing-stone white-stag great-oak the-dagda",
    "red": "ember-sprite raven-omen war-drum smiths-forge red-branch-warrior macha cu-chulainn queen-medb",
    "yellow": "barley-field will-o-the-wisp golden-bough harpers-seat sunlit-cairn nuada lugh tuatha-de-danann",
}
"""Cards without an effect: by colour, the values 1 to 8."""

GUIDED = frozenset("the-dagda macha cu-chulainn queen-medb nuada lugh tuatha-de-danann".split())
"""Plain cards whose names come from the rulebook's pronunciation guide."""


def _plain() -> tuple[Card, ...]:
    return tuple(
        Card(slug, colour, value, copies=COPIES_OF_PLAIN, known=("guide",) if slug in GUIDED else ())
        for colour, slugs in PLAIN.items()
        for value, slug in enumerate(slugs.split(), 1)
    )


CARDS: dict[str, Card] = {card.slug: card for card in sorted(SPECIALS + _plain(), key=lambda card: card.slug)}
"""Every card by its slug, in the canonical order."""

DECK: tuple[str, ...] = tuple(slug for slug, card in CARDS.items() for _ in range(card.copies))
EDITIONS: dict[str, tuple[str, ...]] = {"house-1": DECK, "house-2": DECK, "house-3": DECK}
"""Each edition's deck in the canonical order, one entry for each copy. They differ in Balor's points and the awards."""
