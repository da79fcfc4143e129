"""Bodies for notes and offers."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.matches.offers import END_REASONS
from service.play.notes import LONGEST_TEXT, NoteShown


class NewNote(shapes.Body):
    """A note."""

    text: str = shapes.text("The text of the note.", "Good luck!", most=LONGEST_TEXT, least=1, lines=True)


class NotePage(shapes.Shape):
    """Notes."""

    items: Sequence[NoteShown] = shapes.items("Latest first.")
    muted: bool = shapes.flag("Whether you muted the table; then only your own notes are listed.")


class MuteBody(shapes.Body):
    """Mute a match, or hear it again."""

    muted: bool = shapes.flag("True: no more notes from others, here or by email.", True)


class NewOffer(shapes.Body):
    """An offer."""

    kind: str = shapes.choice(tuple(END_REASONS), "`end`: end now, as it stands. `cancel`: without result.")


class OfferAnswer(shapes.Body):
    """An answer to an offer."""

    agree: bool = shapes.flag("True to agree, false to refuse; false withdraws your own offer.", True)
